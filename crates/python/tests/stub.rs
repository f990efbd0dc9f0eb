//! The stub of the compiled module, which type checkers read, names what is compiled: each exported item with its parameters.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The functions that a text defines, each with its number of parameters, by a pattern of its beginning.
fn functions(text: &str, begin: &str, is_parameter: impl Fn(&str) -> bool) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for (at, _) in text.match_indices(begin) {
        let rest = &text[at + begin.len()..];
        let Some(open) = rest.find('(') else { continue };
        let name = rest[..open].split('<').next().unwrap_or_default().trim();
        let mut depth = 0;
        let mut parameters = vec![String::new()];
        for letter in rest[open..].chars() {
            match letter {
                '(' | '[' | '<' => depth += 1,
                ')' | ']' | '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            match (letter, depth) {
                (',', 1) => parameters.push(String::new()),
                ('(', 1) => {}
                _ => parameters.last_mut().unwrap().push(letter),
            }
        }
        let count = parameters.iter().map(|parameter| parameter.trim()).filter(|parameter| is_parameter(parameter));
        found.insert(name.to_owned(), count.count());
    }
    found
}

/// The texts of the sources in a folder and those within it.
fn sources(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(sources(&path));
        } else {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
    texts
}

#[test]
fn functions_have_the_parameters_that_the_stub_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let stub = fs::read_to_string(folder.join("python/manycore/_native.pyi")).unwrap();
    let named = functions(&stub, "\ndef ", |parameter| !parameter.is_empty());
    let mut compiled = BTreeMap::new();
    for source in sources(&folder.join("src")) {
        for part in source.split("#[pyfunction]").skip(1) {
            let is_given = |parameter: &str| !parameter.is_empty() && !parameter.starts_with("py: Python");
            let part = part.split("\n}\n").next().unwrap_or_default();
            compiled.extend(functions(part, "pub(crate) fn ", is_given));
        }
    }
    assert!(compiled.len() > 30, "{compiled:?}");
    assert_eq!(compiled, named);
}

#[test]
fn classes_are_in_the_stub() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let stub = fs::read_to_string(folder.join("python/manycore/_native.pyi")).unwrap();
    let mut classes = 0;
    for source in sources(&folder.join("src")) {
        for part in source.split("#[pyclass(frozen, name = \"").skip(1) {
            let name = part.split('"').next().unwrap();
            assert!(stub.contains(&format!("class {name}:")), "{name}");
            classes += 1;
        }
    }
    assert!(classes > 10);
}

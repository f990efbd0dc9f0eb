//! The parts that each operation of the list must have.

use manycore_operations::{ALL, Operation};

use super::source::{Findings, SourceFile, extension, has_word};

pub(super) fn check(files: &[SourceFile], findings: &mut Findings) {
    for operation in ALL {
        for part in missing(operation, files) {
            findings.faults.push(format!("operation {}: {part}", operation.name));
        }
    }
}

/// What the operation lacks of its parts, each as a sentence.
fn missing(operation: &Operation, files: &[SourceFile]) -> Vec<String> {
    let mut lacks = Vec::new();
    let exists = |path: &str| files.iter().any(|file| file.path == path);
    let any_in = |folder: &str| files.iter().any(|file| file.path.starts_with(folder));
    // A crate of one operation has its folder.
    let head = if operation.folder.ends_with("/src") { "lib" } else { "mod" };
    for part in [head, "reference"] {
        let path = format!("{}/{part}.rs", operation.folder);
        if !exists(&path) {
            lacks.push(format!("{path} is missing"));
        }
    }
    let cost = (!operation.choices.is_empty()).then_some("cost");
    for part in ["host", "device"].into_iter().chain(cost) {
        let path = format!("{}/{part}", operation.parts);
        if !exists(&format!("{path}.rs")) && !any_in(&format!("{path}/")) {
            lacks.push(format!("{path}.rs (or a folder {path}) is missing"));
        }
    }
    let crate_folder = operation.folder.split("/src").next().unwrap_or(operation.folder);
    let tests = format!("{crate_folder}/tests/");
    if !files.iter().any(|file| file.path.starts_with(&tests) && has_word(&file.text, operation.item)) {
        lacks.push(format!("no test in {tests} names {}", operation.item));
    }
    let benched = format!("\"{}\"", operation.name);
    if !files.iter().any(|file| is_bench(&file.path) && file.text.contains(&benched)) {
        lacks.push(format!("no bench in benches/ is called {benched}"));
    }
    for choice in operation.choices {
        let swept = format!("choice/{choice}/");
        if !files.iter().any(|file| is_bench(&file.path) && file.text.contains(&swept)) {
            lacks.push(format!("no sweep in benches/src/choices/ has names that begin with {swept}"));
        }
    }
    let page = format!("docs/src/{}.md", operation.page);
    if !exists(&page) {
        lacks.push(format!("its page {page} is missing"));
    }
    let summary = files.iter().find(|file| file.path == "docs/src/SUMMARY.md");
    if !summary.is_some_and(|summary| summary.text.contains(&format!("({}.md)", operation.page))) {
        lacks.push(format!("docs/src/SUMMARY.md does not list {}.md", operation.page));
    }
    let form = operation.form;
    if !exists(&format!("{form}.rs")) && !any_in(&format!("{form}/")) {
        lacks.push(format!(
            "its form in the program, {}, is missing: {form}.rs (or a folder {form})",
            operation.program
        ));
    }
    // A test runs the command by its words.
    let words = operation.program.trim_matches('`').trim_start_matches("manycore ");
    if !files.iter().any(|file| file.path.starts_with("crates/cli/tests/") && file.text.contains(words)) {
        lacks.push(format!("no test in crates/cli/tests/ runs `{words}`"));
    }
    lacks
}

fn is_bench(path: &str) -> bool {
    path.starts_with("benches/") && extension(path) == "rs"
}

#[cfg(test)]
mod tests {
    use super::super::source::SourceFile;
    use super::{ALL, missing};

    fn complete() -> Vec<SourceFile> {
        let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
        vec![
            file("crates/spectral/src/walsh/mod.rs", ""),
            file("crates/spectral/src/walsh/reference.rs", ""),
            file("crates/spectral/src/walsh/host/simd.rs", ""),
            file("crates/spectral/src/walsh/device.rs", ""),
            file("crates/spectral/src/walsh/cost.rs", ""),
            file("crates/spectral/tests/laws.rs", "use manycore_spectral::Walsh;"),
            file("benches/src/walsh.rs", "Bench::new(\"walsh\")"),
            file("benches/src/choices/walsh.rs", "format!(\"choice/walsh/{log_len}\")"),
            file("docs/src/walsh.md", "# Walsh"),
            file("docs/src/SUMMARY.md", "- [Walsh](walsh.md)"),
            file("crates/spectral/src/operations/walsh.rs", ""),
            file("crates/cli/tests/walsh.rs", "manycore(\"spectrum walsh -\")"),
        ]
    }

    #[test]
    fn a_complete_operation_lacks_nothing() {
        assert_eq!(missing(&ALL[0], &complete()), Vec::<String>::new());
    }

    #[test]
    fn parts_may_be_another_operation_s() {
        let reed_muller = &ALL[1];
        assert_eq!((reed_muller.name, reed_muller.parts), ("reed-muller", ALL[0].parts));
        let lacks = missing(reed_muller, &complete());
        assert!(lacks.contains(&"crates/spectral/src/reed_muller/reference.rs is missing".to_owned()), "{lacks:?}");
        assert!(!lacks.iter().any(|lack| lack.contains("device") || lack.contains("cost")), "{lacks:?}");
    }

    #[test]
    fn what_does_not_choose_needs_no_cost() {
        let boolean = ALL.iter().find(|operation| operation.choices.is_empty()).unwrap();
        let lacks = missing(boolean, &[]);
        assert!(lacks.iter().any(|lack| lack.contains("host")) && !lacks.iter().any(|lack| lack.contains("cost")));
    }

    #[test]
    fn every_part_is_missed() {
        for left_out in 0..complete().len() {
            let mut files = complete();
            let gone = files.remove(left_out);
            assert_eq!(missing(&ALL[0], &files).len(), 1, "{}", gone.path);
        }
    }
}

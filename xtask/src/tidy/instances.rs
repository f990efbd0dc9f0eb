//! Rule on instances: what a crate's `instances.rs` names is never inlined, since the compiler shares no other instance of generic
//! code with the crates above.

use super::source::{Findings, SourceFile};

/// What the lines that name an instance end in.
const ADDRESS: &str = " as *const ()";

pub(super) fn check(files: &[SourceFile], findings: &mut Findings) {
    for list in files.iter().filter(|file| file.path.ends_with("/src/instances.rs")) {
        let folder = list.path.trim_end_matches("instances.rs");
        let sources: Vec<&str> =
            files.iter().filter(|file| file.path.starts_with(folder)).map(|file| file.text.as_str()).collect();
        for (line, name) in named(&list.text) {
            if !sources.iter().any(|text| is_never_inlined(text, name)) {
                let fault = format!("{}:{line}: no `fn {name}` of the crate is `#[inline(never)]`", list.path);
                findings.faults.push(fault);
            }
        }
    }
}

/// The functions that a list names, with their lines, from 1.
fn named(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter_map(|(at, line)| {
        let path = line.split_once(ADDRESS)?.0.trim();
        let path = bound(text, path).unwrap_or(path);
        // What follows the name are its own types.
        let path = path.strip_suffix('>').map_or(path, |path| {
            let mut depth = 1;
            let begin = path.char_indices().rev().find(|&(_, c)| {
                depth += i32::from(c == '>') - i32::from(c == '<');
                depth == 0
            });
            begin.map_or(path, |(at, _)| path[..at].trim_end_matches("::"))
        });
        Some((at + 1, path.rsplit("::").next().unwrap_or(path)))
    })
}

/// The function that a variable of the list stands for, which gives it its type.
fn bound<'a>(text: &'a str, variable: &str) -> Option<&'a str> {
    let binds = |line: &'a str| line.trim().strip_prefix("let ")?.strip_prefix(variable)?.strip_prefix(':');
    Some(text.lines().find_map(binds)?.split_once(" = ")?.1.trim_end_matches(';'))
}

/// Whether a function of this name stands in the text with the attribute among those above it, or is one that a macro makes.
fn is_never_inlined(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let begins = |line: &str| {
        line.split_once("fn ").is_some_and(|(before, rest)| {
            !before.contains("//")
                && rest.strip_prefix(name).is_some_and(|rest| rest.starts_with(['<', '(']) || rest.starts_with(" = "))
        })
    };
    (0..lines.len()).filter(|&at| begins(lines[at])).any(|at| {
        let above = lines[..at].iter().rev().take_while(|line| line.starts_with('#') || line.starts_with("//"));
        above.into_iter().any(|line| *line == "#[inline(never)]")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_before_their_types() {
        let text = "let c: C<T> = C::of;\nA::<F>::new as *const (),\nf::<u32> as *const (),\nB::go::<Vec<u8>, u64> as *const (),\n\
                    c as *const ()";
        assert_eq!(named(text).collect::<Vec<_>>(), [(2, "new"), (3, "f"), (4, "go"), (5, "of")]);
    }

    #[test]
    fn the_attribute_stands_above() {
        let text = "#[inline(never)]\n/// A.\npub fn a<T>() {}\n\npub fn b() {}\n#[inline(never)]\nfn cd() {}\n";
        assert!(is_never_inlined(text, "a") && is_never_inlined(text, "cd"));
        assert!(!is_never_inlined(text, "b") && !is_never_inlined(text, "c"));
    }
}

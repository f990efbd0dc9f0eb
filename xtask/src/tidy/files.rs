//! Rules on single files: length, machine paths, unfinished code.

use super::source::{Findings, SourceFile, extension};
use crate::shell;

/// A source file has at most this many lines.
const MOST_LINES: usize = 600;
/// Above this many lines a file is worth a second look.
const MANY_LINES: usize = 400;

/// Folders that exist on one machine only. They are spelt in halves so that this file does not contain them.
const MACHINE_PATHS: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
    concat!("C:\\Us", "ers\\"),
];

/// Macros that stand for code not written yet.
const UNFINISHED: &[&str] = &[concat!("to", "do!("), concat!("unimple", "mented!(")];

pub(super) fn check(files: &[SourceFile], findings: &mut Findings) {
    let root = shell::root();
    // A root such as `/src` is too short to distinguish from ordinary text.
    let own = (root.components().count() > 2).then(|| root.to_string_lossy().into_owned());
    for file in files {
        lines(file, findings);
        paths(file, own.as_deref(), findings);
        unfinished(file, findings);
    }
}

fn lines(file: &SourceFile, findings: &mut Findings) {
    let source = matches!(extension(&file.path), "rs" | "cl" | "clh")
        || (extension(&file.path) == "md" && !file.path.starts_with("docs/src/"));
    let generated = file.text.lines().take(5).any(|line| line.contains(concat!("@gen", "erated")));
    if !source || generated {
        return;
    }
    let count = file.text.lines().count();
    if count > MOST_LINES {
        findings.faults.push(format!("{}: {count} lines, at most {MOST_LINES} are allowed", file.path));
    } else if count > MANY_LINES {
        findings.warnings.push(format!("{}: {count} lines, more than {MANY_LINES}", file.path));
    }
}

fn paths(file: &SourceFile, own: Option<&str>, findings: &mut Findings) {
    for (index, line) in file.text.lines().enumerate() {
        let found = MACHINE_PATHS.iter().copied().chain(own).find(|path| line.contains(path));
        if let Some(path) = found {
            findings.faults.push(format!("{}:{}: a path of one machine: {path}", file.path, index + 1));
        }
    }
}

fn unfinished(file: &SourceFile, findings: &mut Findings) {
    if extension(&file.path) != "rs" {
        return;
    }
    for (index, line) in file.text.lines().enumerate() {
        if UNFINISHED.iter().any(|mark| line.contains(mark)) {
            findings.faults.push(format!("{}:{}: unfinished code", file.path, index + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::{Findings, SourceFile};
    use super::{MACHINE_PATHS, UNFINISHED, lines, paths, unfinished};

    fn file(path: &str, text: String) -> SourceFile {
        SourceFile { path: path.to_owned(), text }
    }

    #[test]
    fn long_files_warn_then_fail() {
        let mut findings = Findings::default();
        for (path, count) in
            [("a.rs", 400), ("b.rs", 401), ("c.cl", 600), ("d.clh", 601), ("docs/src/e.md", 900), ("f.json", 900)]
        {
            lines(&file(path, "x\n".repeat(count)), &mut findings);
        }
        lines(&file("g.rs", format!("// {}\n{}", concat!("@gen", "erated"), "x\n".repeat(700))), &mut findings);
        assert_eq!(findings.warnings.len(), 2, "{:?}", findings.warnings);
        assert_eq!(findings.faults, ["d.clh: 601 lines, at most 600 are allowed"]);
    }

    #[test]
    fn machine_paths_are_found_with_their_line() {
        let mut findings = Findings::default();
        for path in MACHINE_PATHS {
            paths(&file("a.md", format!("one\nsee {path}someone/x\n")), None, &mut findings);
        }
        paths(&file("b.md", "in /srv/build/manycore/x".into()), Some("/srv/build/manycore"), &mut findings);
        paths(&file("c.md", "relative/path and /etc/OpenCL".into()), Some("/srv/build/manycore"), &mut findings);
        assert_eq!(findings.faults.len(), MACHINE_PATHS.len() + 1);
        assert!(findings.faults[0].starts_with("a.md:2: "));
    }

    #[test]
    fn unfinished_code_is_found_in_rust_only() {
        let mut findings = Findings::default();
        unfinished(&file("a.rs", format!("fn f() {{\n {})\n}}", UNFINISHED[0])), &mut findings);
        unfinished(&file("a.md", UNFINISHED[1].into()), &mut findings);
        assert_eq!(findings.faults, ["a.rs:2: unfinished code"]);
    }
}

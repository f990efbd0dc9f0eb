//! Rules on kernels: every file stands in the table of units, every entry point is launched by a test, every declaration says
//! why its launches are sound.

use manycore_kernels::UNITS;

use super::source::{Findings, SourceFile, extension, has_word};

pub(super) fn check(files: &[SourceFile], findings: &mut Findings) {
    let known: Vec<&str> =
        UNITS.iter().flat_map(|unit| unit.parts.iter().map(|part| part.path).chain([unit.path])).collect();
    for file in files.iter().filter(|file| is_kernel_source(&file.path)) {
        if !known.contains(&file.path.as_str()) {
            findings
                .faults
                .push(format!("{}: not in the table of units (a unit, or in a line `// parts:` of one)", file.path));
        }
    }
    for file in files.iter().filter(|file| extension(&file.path) == "rs") {
        for line in without_reason(&file.text) {
            let fault = format!("{}:{line}: no comment `SAFETY:` says why launches are sound", file.path);
            findings.faults.push(fault);
        }
    }
    for unit in UNITS {
        for entry in unit.entries {
            if !launched(entry.name, files) {
                findings
                    .faults
                    .push(format!("{}: no test launches {} (crates/*/tests/kernels*)", unit.path, entry.name));
            }
        }
    }
}

fn is_kernel_source(path: &str) -> bool {
    path.starts_with("kernels/") && matches!(extension(path), "cl" | "clh")
}

/// Whether a kernel test names the entry point, its constant, or the constant that `kernel!` declares for it.
fn launched(entry: &str, files: &[SourceFile]) -> bool {
    let mut names = vec![entry.to_owned(), entry.to_uppercase()];
    names.extend(files.iter().filter(|file| is_library(&file.path)).flat_map(|file| declared(&file.text, entry)));
    let mut tests = files.iter().filter(|file| is_kernel_test(&file.path));
    tests.any(|file| names.iter().any(|name| has_word(&file.text, name)))
}

/// The lines that begin declarations of kernels, from 1, without a comment `SAFETY:` above.
fn without_reason(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let begins = |&line: &usize| !lines[line].starts_with("//") && lines[line].ends_with("kernel! {");
    let is_told = |line: usize| {
        let mut above = lines[..line].iter().rev().take_while(|line| line.starts_with("//"));
        above.any(|line| line.contains("SAFETY:"))
    };
    (0..lines.len()).filter(begins).filter(|&line| !is_told(line)).map(|line| line + 1).collect()
}

fn is_library(path: &str) -> bool {
    path.starts_with("crates/") && path.contains("/src/") && extension(path) == "rs"
}

fn is_kernel_test(path: &str) -> bool {
    let Some((_, test)) = path.split_once("/tests/") else {
        return false;
    };
    // A program that is called so, or a module of another one.
    let is_kernels =
        test.starts_with("kernels") || test.split_once('/').is_some_and(|(_, file)| file.starts_with("kernels"));
    path.starts_with("crates/") && is_kernels && extension(path) == "rs"
}

/// The constants that `kernel! { pub NAME in ... : entry(...) }` declares for `entry` in this text.
fn declared(text: &str, entry: &str) -> Vec<String> {
    let constants = text.split("unsafe ").skip(1).filter_map(|rest| {
        let mut words = rest.split(|c: char| c.is_whitespace() || c == '(').filter(|word| !word.is_empty());
        let (name, is_in, _unit, kernel) = (words.next()?, words.next()?, words.next()?, words.next()?);
        (is_in == "in" && kernel == entry).then(|| name.to_owned())
    });
    constants.collect()
}

#[cfg(test)]
mod tests {
    use super::super::source::SourceFile;
    use super::{declared, is_kernel_test, launched, without_reason};

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_declaration_gives_its_constant() {
        let text = "kernel! {\n pub unsafe ROWS in walsh::TILE: walsh_rows\n unsafe A in\n B: c(x: u32) }";
        assert_eq!(declared(text, "walsh_rows"), ["ROWS"]);
        assert_eq!(declared(text, "c"), ["A"]);
        assert_eq!(declared(text, "walsh_columns"), Vec::<String>::new());
    }

    #[test]
    fn a_declaration_says_why_its_launches_are_sound() {
        let told =
            "use a;\n\n// SAFETY: lengths\n// are checked.\nmanycore_device::kernel! {\n    unsafe A in B: c()\n}\n";
        assert_eq!(without_reason(told), [] as [usize; 0]);
        assert_eq!(without_reason(&told.replace("SAFETY", "NOTE")), [5]);
        assert_eq!(without_reason("// SAFETY: of another\n\n    crate::kernel! {\n"), [3]);
        assert_eq!(without_reason("/// manycore_device::kernel! {\n/// }\n"), [] as [usize; 0]);
    }

    #[test]
    fn tests_launch_by_entry_by_constant_or_by_declaration() {
        let library = file("crates/ntt/src/kernels.rs", "kernel! { pub unsafe ROWS in W: walsh_rows }");
        let with =
            |path: &str, text: &str| launched("walsh_rows", &[file(path, text), file(&library.path, &library.text)]);
        assert!(with("crates/ntt/tests/kernels.rs", "launch(&ROWS)"));
        assert!(with("crates/ntt/tests/kernels.rs", "launch(&WALSH_ROWS)"));
        assert!(with("crates/ntt/tests/kernels/walsh.rs", "run(\"walsh_rows\")"));
        assert!(!with("crates/ntt/tests/kernels.rs", "launch(&WALSH_ROWS_2)"));
        assert!(!with("crates/ntt/tests/walsh.rs", "launch(&ROWS)"));
        assert!(is_kernel_test("crates/device/tests/kernels_fill.rs"));
        assert!(is_kernel_test("crates/sort/tests/sort/kernels_fold.rs"));
    }
}

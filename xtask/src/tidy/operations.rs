//! The list of public operations, and the parts that each must have.

use super::{Findings, SourceFile, extension, has_word};

/// A public operation of the library and where its parts are.
pub(super) struct Operation {
    /// Its name in the program, the benches and file names.
    pub(super) name: &'static str,
    /// What it is called in the field.
    pub(super) title: &'static str,
    /// The folder of its implementation.
    pub(super) folder: &'static str,
    /// The element types it takes.
    pub(super) elements: &'static str,
    /// The sizes it takes.
    pub(super) sizes: &'static str,
    /// How it runs on the host.
    pub(super) host: &'static str,
    /// How it runs on an OpenCL device.
    pub(super) opencl: &'static str,
    /// Its form in the `manycore` program.
    pub(super) program: &'static str,
}

/// Every public operation.
pub(super) const OPERATIONS: &[Operation] = &[Operation {
    name: "walsh",
    title: "Walsh-Hadamard transform",
    folder: "crates/transform/src/walsh",
    elements: "`i32`, `i64`, `f32`, `f64`",
    sizes: "2^n values from n = 0 to the memory of the device, in batches",
    host: "threads and SIMD",
    opencl: "every device; `f64` where it has `cl_khr_fp64`",
    program: "`manycore spectrum walsh`",
}];

pub(super) fn check(files: &[SourceFile], findings: &mut Findings) {
    for operation in OPERATIONS {
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
    for part in ["mod", "reference"] {
        let path = format!("{}/{part}.rs", operation.folder);
        if !exists(&path) {
            lacks.push(format!("{path} is missing"));
        }
    }
    for part in ["host", "device", "cost"] {
        let path = format!("{}/{part}", operation.folder);
        if !exists(&format!("{path}.rs")) && !any_in(&format!("{path}/")) {
            lacks.push(format!("{path}.rs (or a folder {path}) is missing"));
        }
    }
    let name = operation.name;
    let spoken = |file: &SourceFile| has_word(&file.text, name) || has_word(&file.text, &capitalised(name));
    let crate_folder = operation.folder.split("/src/").next().unwrap_or(operation.folder);
    let tests = format!("{crate_folder}/tests/");
    if !files.iter().any(|file| file.path.starts_with(&tests) && spoken(file)) {
        lacks.push(format!("no test in {tests} names it"));
    }
    let benched = format!("\"{name}\"");
    if !files.iter().any(|file| is_bench(&file.path) && file.text.contains(&benched)) {
        lacks.push(format!("no bench in benches/ is called {benched}"));
    }
    let page = format!("docs/src/{name}.md");
    if !exists(&page) {
        lacks.push(format!("its page {page} is missing"));
    }
    let summary = files.iter().find(|file| file.path == "docs/src/SUMMARY.md");
    if !summary.is_some_and(|summary| summary.text.contains(&format!("{name}.md"))) {
        lacks.push(format!("docs/src/SUMMARY.md does not list {name}.md"));
    }
    if !files.iter().any(|file| file.path.starts_with("crates/cli/src/") && spoken(file)) {
        lacks.push(format!("no form in the program (crates/cli/src/): {}", operation.program));
    }
    lacks
}

fn is_bench(path: &str) -> bool {
    path.starts_with("benches/") && extension(path) == "rs"
}

/// `reed-muller` as the Rust name `ReedMuller`.
fn capitalised(name: &str) -> String {
    name.split(['-', '_'])
        .flat_map(|part| {
            let mut letters = part.chars();
            letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::SourceFile;
    use super::{OPERATIONS, capitalised, missing};

    fn complete() -> Vec<SourceFile> {
        let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
        vec![
            file("crates/transform/src/walsh/mod.rs", ""),
            file("crates/transform/src/walsh/reference.rs", ""),
            file("crates/transform/src/walsh/host/simd.rs", ""),
            file("crates/transform/src/walsh/device.rs", ""),
            file("crates/transform/src/walsh/cost.rs", ""),
            file("crates/transform/tests/laws.rs", "use manycore_transform::Walsh;"),
            file("benches/src/walsh.rs", "Bench::new(\"walsh\")"),
            file("docs/src/walsh.md", "# Walsh"),
            file("docs/src/SUMMARY.md", "- [Walsh](walsh.md)"),
            file("crates/cli/src/spectrum.rs", "enum Kind { Walsh }"),
        ]
    }

    #[test]
    fn a_complete_operation_lacks_nothing() {
        assert_eq!(missing(&OPERATIONS[0], &complete()), Vec::<String>::new());
    }

    #[test]
    fn every_part_is_missed() {
        for left_out in 0..complete().len() {
            let mut files = complete();
            let gone = files.remove(left_out);
            assert_eq!(missing(&OPERATIONS[0], &files).len(), 1, "{}", gone.path);
        }
    }

    #[test]
    fn names_in_rust() {
        assert_eq!(capitalised("walsh"), "Walsh");
        assert_eq!(capitalised("reed-muller"), "ReedMuller");
    }
}

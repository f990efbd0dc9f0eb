//! The list of public operations, and the parts that each must have.

use super::{Findings, SourceFile, extension, has_word};

/// A public operation of the library and where its parts are.
pub(super) struct Operation {
    /// Its name in the program, the benches and file names.
    pub(super) name: &'static str,
    /// What it is called in the field.
    pub(super) title: &'static str,
    /// What the library calls it in Rust: a type, a function or a method, which its tests name.
    pub(super) item: &'static str,
    /// The folder of its implementation.
    pub(super) folder: &'static str,
    /// The folder of its forms on the host and on devices and of their cost: its own, or that of an operation whose passes it
    /// takes.
    pub(super) parts: &'static str,
    /// Whether it chooses among several candidates, so that there is a file that counts their cost.
    pub(super) chooses: bool,
    /// Its page in the book, without the extension.
    pub(super) page: &'static str,
    /// The file of its form in the program.
    pub(super) form: &'static str,
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
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "walsh",
        title: "Walsh-Hadamard transform",
        item: "Walsh",
        folder: "crates/spectral/src/walsh",
        parts: "crates/spectral/src/walsh",
        chooses: true,
        page: "walsh",
        form: "crates/cli/src/commands/spectrum/walsh",
        elements: "`i32`, `i64`, `f32`, `f64`",
        sizes: "2^n values from n = 0 to the memory of the device, in batches",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum walsh`",
    },
    Operation {
        name: "reed-muller",
        title: "Reed-Muller transform",
        item: "ReedMuller",
        folder: "crates/spectral/src/reed_muller",
        parts: "crates/spectral/src/walsh",
        chooses: true,
        page: "reed-muller",
        form: "crates/cli/src/commands/spectrum/reed_muller",
        elements: "bits, one in a `u8`, `u32`, `i32`, `u64` or `i64`, or 64 in a word",
        sizes: "2^n values from n = 0 to the memory of the device, in batches; any fixed polarity",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore spectrum reed-muller`",
    },
    Operation {
        name: "arithmetic",
        title: "Arithmetic transform",
        item: "Arithmetic",
        folder: "crates/spectral/src/arithmetic",
        parts: "crates/spectral/src/walsh",
        chooses: true,
        page: "arithmetic",
        form: "crates/cli/src/commands/spectrum/arithmetic",
        elements: "`i32`, `i64`, `f32`, `f64`",
        sizes: "2^n values from n = 0 to the memory of the device, in batches; any fixed polarity",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum arithmetic`",
    },
    Operation {
        name: "haar",
        title: "Haar transform",
        item: "Haar",
        folder: "crates/spectral/src/haar",
        parts: "crates/spectral/src/haar",
        chooses: true,
        page: "haar",
        form: "crates/cli/src/commands/spectrum/haar",
        elements: "`i32`, `i64`, `f32`, `f64`",
        sizes: "2^n values from n = 0 to the memory of the device, in batches; normalised or not",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum haar`",
    },
    Operation {
        name: "ntt",
        title: "Number-theoretic transform",
        item: "Ntt",
        folder: "crates/transform/src/ntt",
        parts: "crates/transform/src/ntt",
        chooses: true,
        page: "ntt",
        form: "crates/cli/src/commands/spectrum/ntt",
        elements: "residues modulo primes below 2^31 (`u32`), below 2^63 and 2^64 - 2^32 + 1 (`u64`)",
        sizes: "2^n values from n = 0 to the memory of the device where 2^n divides p - 1; truncated to any length; in batches",
        host: "threads and SIMD",
        opencl: "every device; in double precision where that is faster",
        program: "`manycore spectrum ntt`",
    },
    Operation {
        name: "poly-mul",
        title: "Product of polynomials",
        item: "mul",
        folder: "crates/poly/src/multiply",
        parts: "crates/poly/src/multiply",
        chooses: true,
        page: "polynomials",
        form: "crates/cli/src/commands/poly/mul",
        elements: "residues modulo the same primes, with or without roots of unity",
        sizes: "any lengths to the memory of the device; squares, short and middle products, batches",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore poly mul`",
    },
    Operation {
        name: "poly-div",
        title: "Division of polynomials with remainder",
        item: "div_rem",
        folder: "crates/poly/src/divide",
        parts: "crates/poly/src/divide",
        chooses: true,
        page: "division",
        form: "crates/cli/src/commands/poly/div",
        elements: "residues modulo the same primes, with or without roots of unity",
        sizes: "any lengths to the memory of the device; kept divisors, batches",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore poly div`",
    },
    Operation {
        name: "poly-gcd",
        title: "Greatest common divisors, cofactors, resultants, factors",
        item: "gcd",
        folder: "crates/poly/src/gcd",
        parts: "crates/poly/src/gcd",
        chooses: true,
        page: "division",
        form: "crates/cli/src/commands/poly/gcd",
        elements: "residues modulo the same primes",
        sizes: "any lengths to the memory of the device, in batches",
        host: "one thread a pair, and SIMD",
        opencl: "every device",
        program: "`manycore poly gcd`",
    },
    Operation {
        name: "poly-eval",
        title: "Evaluation and interpolation at many points",
        item: "evaluate_at",
        folder: "crates/poly/src/tree",
        parts: "crates/poly/src/tree",
        chooses: false,
        page: "trees",
        form: "crates/cli/src/commands/poly/eval",
        elements: "residues modulo the same primes",
        sizes: "any number of points to the memory of the device; kept trees, batches, moduli in place of points",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore poly eval`",
    },
    Operation {
        name: "matrix-mul",
        title: "Products of matrices",
        item: "mul",
        folder: "crates/linalg/src/multiply",
        parts: "crates/linalg/src/multiply",
        chooses: true,
        page: "linalg",
        form: "crates/cli/src/commands/matrix/product",
        elements: "residues modulo the same primes",
        sizes: "any shapes to the memory of the device; powers",
        host: "threads and SIMD",
        opencl: "every device; tensor cores from compute capability 8.0 on",
        program: "`manycore matrix mul`",
    },
    Operation {
        name: "matrix-det",
        title: "Determinants, ranks, echelon forms, inverses, solutions, nullspaces",
        item: "determinant",
        folder: "crates/linalg/src/eliminate",
        parts: "crates/linalg/src/eliminate",
        chooses: true,
        page: "linalg",
        form: "crates/cli/src/commands/matrix/det",
        elements: "residues modulo the same primes; exactly over the integers and rationals; determinants in `f64`",
        sizes: "any shapes to the memory of the device; batches of small ones",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore matrix det`",
    },
    Operation {
        name: "characters",
        title: "Character tables of finite Abelian groups",
        item: "Characters",
        folder: "crates/characters/src/table",
        parts: "crates/characters/src/table",
        chooses: true,
        page: "characters",
        form: "crates/cli/src/commands/characters",
        elements: "exponents `u8`, `u16`, `u32`; complex `f32`, `f64`; residues modulo a prime",
        sizes: "any product of cyclic groups; whole tables, tiles, streams",
        host: "threads",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore characters`",
    },
    Operation {
        name: "boolean",
        title: "Boolean functions",
        item: "Boolean",
        folder: "crates/boolean/src/function",
        parts: "crates/boolean/src/function",
        chooses: false,
        page: "boolean",
        form: "crates/cli/src/commands/boolean",
        elements: "packed truth tables",
        sizes: "n variables, from 0 to 34; spectra to 30",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore boolean`",
    },
    Operation {
        name: "sbox",
        title: "Tables of S-boxes",
        item: "SBox",
        folder: "crates/boolean/src/sbox",
        parts: "crates/boolean/src/sbox",
        chooses: true,
        page: "boolean",
        form: "crates/cli/src/commands/sbox",
        elements: "outputs of 1 to 16 bits",
        sizes: "1 to 16 input bits; whole tables, rows, counts of entries",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore sbox`",
    },
    Operation {
        name: "kronecker",
        title: "Kronecker products of small matrices",
        item: "Kronecker",
        folder: "crates/kronecker/src/transform",
        parts: "crates/kronecker/src/transform",
        chooses: true,
        page: "kronecker",
        form: "crates/cli/src/commands/spectrum/kronecker",
        elements: "`i32`, `i64`, `f32`, `f64`, complex numbers of both, residues modulo a prime",
        sizes: "any product of matrices of orders 1 to 32 to the memory of the device, in batches",
        host: "threads and vectors by the compiler",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum kronecker`",
    },
    Operation {
        name: "fourier",
        title: "Fourier transform on finite Abelian groups",
        item: "Fourier",
        folder: "crates/fourier/src/transform",
        parts: "crates/fourier/src/transform",
        chooses: true,
        page: "fourier",
        form: "crates/cli/src/commands/spectrum/fourier",
        elements: "complex `f32` and `f64`, residues modulo a prime with the roots",
        sizes: "any product of cyclic groups to the memory of the device, in batches; convolutions, correlations",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum fourier`",
    },
    Operation {
        name: "sparse",
        title: "Products of sparse matrices",
        item: "SparseProduct",
        folder: "crates/sparse/src/multiply",
        parts: "crates/sparse/src/multiply",
        chooses: true,
        page: "sparse",
        form: "crates/cli/src/commands/sparse/multiply",
        elements: "`f32`, `f64`, complex numbers of both, residues modulo a prime",
        sizes: "any sparse matrix below 2^32 rows and columns, in blocks past the memory of the device, by vectors and dense \
                matrices; orders of rows and columns, predicted cache misses",
        host: "threads",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore sparse multiply`",
    },
];

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
    let cost = operation.chooses.then_some("cost");
    for part in ["host", "device"].into_iter().chain(cost) {
        let path = format!("{}/{part}", operation.parts);
        if !exists(&format!("{path}.rs")) && !any_in(&format!("{path}/")) {
            lacks.push(format!("{path}.rs (or a folder {path}) is missing"));
        }
    }
    let crate_folder = operation.folder.split("/src/").next().unwrap_or(operation.folder);
    let tests = format!("{crate_folder}/tests/");
    if !files.iter().any(|file| file.path.starts_with(&tests) && has_word(&file.text, operation.item)) {
        lacks.push(format!("no test in {tests} names {}", operation.item));
    }
    let benched = format!("\"{}\"", operation.name);
    if !files.iter().any(|file| is_bench(&file.path) && file.text.contains(&benched)) {
        lacks.push(format!("no bench in benches/ is called {benched}"));
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
    use super::super::SourceFile;
    use super::{OPERATIONS, missing};

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
            file("docs/src/walsh.md", "# Walsh"),
            file("docs/src/SUMMARY.md", "- [Walsh](walsh.md)"),
            file("crates/cli/src/commands/spectrum/walsh/mod.rs", ""),
            file("crates/cli/tests/walsh.rs", "manycore(\"spectrum walsh -\")"),
        ]
    }

    #[test]
    fn a_complete_operation_lacks_nothing() {
        assert_eq!(missing(&OPERATIONS[0], &complete()), Vec::<String>::new());
    }

    #[test]
    fn parts_may_be_another_operation_s() {
        let reed_muller = &OPERATIONS[1];
        assert_eq!((reed_muller.name, reed_muller.parts), ("reed-muller", OPERATIONS[0].parts));
        let lacks = missing(reed_muller, &complete());
        assert!(lacks.contains(&"crates/spectral/src/reed_muller/reference.rs is missing".to_owned()), "{lacks:?}");
        assert!(!lacks.iter().any(|lack| lack.contains("device") || lack.contains("cost")), "{lacks:?}");
    }

    #[test]
    fn what_does_not_choose_needs_no_cost() {
        let boolean = OPERATIONS.iter().find(|operation| !operation.chooses).unwrap();
        let lacks = missing(boolean, &[]);
        assert!(lacks.iter().any(|lack| lack.contains("host")) && !lacks.iter().any(|lack| lack.contains("cost")));
    }

    #[test]
    fn every_part_is_missed() {
        for left_out in 0..complete().len() {
            let mut files = complete();
            let gone = files.remove(left_out);
            assert_eq!(missing(&OPERATIONS[0], &files).len(), 1, "{}", gone.path);
        }
    }
}

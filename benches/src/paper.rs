//! The papers' chapters, tables and figures that are computed here: what each contains, the command, and the numbers that the papers
//! state.
//!
//! The papers' tables and figures of results are pictures; where no number is known from the corrected text, none is shown.

use crate::lines::Paper;

/// A place without a number: paper and place, what stands there, the command, the operation of the benches that times it or none.
const fn place(paper: &'static str, statement: &'static str, command: &'static str, operation: &'static str) -> Paper {
    Paper { operation, paper, statement, command, log_len: None, value: None, unit: "" }
}

/// A formula of products of length 2^12 and its value.
const fn number(paper: &'static str, statement: &'static str, value: f64, unit: &'static str) -> Paper {
    Paper {
        operation: "poly-mul",
        paper,
        statement,
        command: "cargo xtask bench poly-mul",
        log_len: Some(12),
        value: Some(value),
        unit,
    }
}

/// The example of a package.
macro_rules! example {
    ($name:literal, $package:literal) => {
        concat!("cargo run --release -p ", $package, " --example ", $name)
    };
}

/// Every place, by paper and chapter.
pub const PLACES: &[Paper] = &[
    place(
        "000, tables and algorithm 1",
        "character tables by products of digits, and as Kronecker products step by step",
        "cargo xtask bench characters",
        "characters",
    ),
    place(
        "000, figure 3",
        "construction times on a device",
        example!("device_characters_speed", "manycore-characters"),
        "characters",
    ),
    place(
        "001, algorithms 1 and 2; Figure 4",
        "Walsh transform: speedups over one-thread forms, in the figure only; the same comparison with our times is the table of plain one-thread forms",
        "cargo xtask bench walsh",
        "walsh",
    ),
    place(
        "001, tables of results",
        "Reed-Muller transform: speedups over two forms on a processor, in the tables only",
        "cargo xtask bench reed-muller",
        "reed-muller",
    ),
    place(
        "001, tables of results",
        "arithmetic transform: speedups over two forms on a processor, in the tables only",
        "cargo xtask bench arithmetic",
        "arithmetic",
    ),
    place(
        "001, algorithms 3 and 4",
        "Haar transform in place and with constant geometry: speedups over two forms on a processor",
        "cargo xtask bench haar",
        "haar",
    ),
    place(
        "002, chapter 2, Table 2.1",
        "greedy schedules, work and span of ten algorithms",
        "cargo test -p manycore-model fork_join",
        "",
    ),
    place("002, chapter 3, theorem 1", "the many-core machine model, beside the clock", "cargo xtask bench choice", ""),
    place("002, Table 4.1", "times of counting sorts", example!("counting_times", "manycore-sort"), "sort"),
    place("002, chapter 5", "sorting of sparse integers", example!("scan_times", "manycore-sort"), "sort"),
    place(
        "002, Tables 6.2 and 6.3",
        "cache misses and times of sparse products by orders of rows",
        example!("order_tables", "manycore-sparse"),
        "sparse",
    ),
    place(
        "002, section 6.6, proposition 20",
        "misses on the vector",
        example!("order_misses", "manycore-sparse"),
        "sparse",
    ),
    place("002, chapter 7", "determinants by condensation", "cargo xtask bench matrix-det", "matrix-det"),
    place(
        "002, Table 7.1",
        "determinants of Hilbert matrices in double precision",
        "cargo test -p manycore-linalg the_table_of_hilbert_matrices",
        "det-real",
    ),
    place(
        "002, section 7.3.2",
        "products of residues in double precision, which transforms on devices use",
        "cargo xtask bench ntt",
        "ntt",
    ),
    place(
        "002, Tables 8.2 and 8.3",
        "times of plain products in two phases, in the tables only: the cases `plain` and `two-phase`, and CUMODP among the other codes",
        "cargo xtask bench poly-mul",
        "poly-mul",
    ),
    number(
        "002, formula (8.4), corrected",
        "the overhead of the two phases falls with x: O(1) / O(x) = n x / (n + x - 1), here for n = 2^12 and x = 16",
        15.94,
        "times",
    ),
    number(
        "002, formula (8.5)",
        "the work grows with x: W(1) / W(x) = n / (n + x - 1), here for n = 2^12 and x = 16",
        0.996,
        "times",
    ),
    place("002, chapter 9", "division of polynomials", example!("division_speed", "manycore-poly"), "poly-div"),
    place("002, chapter 9", "greatest common divisors", example!("gcd_speed", "manycore-poly"), "poly-gcd"),
    place(
        "002, formulas (8.2) to (9.15)",
        "predictions of the model",
        example!("coefficients_per_thread", "manycore-model"),
        "",
    ),
    place(
        "002, Table 10.2",
        "subproduct trees and evaluation at many points: times in the table only",
        "cargo xtask bench poly-eval",
        "poly-eval",
    ),
    place("002, chapter 10", "interpolation", "cargo xtask bench poly-interpolate", "poly-interpolate"),
    place(
        "002, abstract",
        "common zeros of two polynomials in two variables",
        example!("bivariate_speed", "manycore-bivariate"),
        "bivariate-solve",
    ),
    place("003, (1) to (6)", "generalized products of matrices", "cargo xtask bench semiring", "semiring"),
    place(
        "003, Tables I, II and III",
        "plans of products: programs and their costs",
        example!("tables", "manycore-semiring"),
        "",
    ),
    place("003, algorithm 1, figure 7", "bitonic network", example!("network", "manycore-semiring"), ""),
    place(
        "004, Tables 2 to 4",
        "Kleene star of acyclic graphs by the shape of blocks, and on several devices",
        example!("star_times", "manycore-maxplus"),
        "maxplus-star",
    ),
];

#[cfg(test)]
mod tests {
    use manycore_device::DeviceKind;

    use super::PLACES;
    use crate::operations;
    use crate::walsh::Profile;

    #[test]
    fn the_stated_ratios_are_those_of_the_formulas() {
        let (n, x) = (4096.0, 16.0);
        let stated: Vec<f64> = PLACES.iter().filter_map(|paper| paper.value).collect();
        assert_eq!(stated.len(), 2);
        for (value, formula) in stated.iter().zip([n * x / (n + x - 1.0), n / (n + x - 1.0)]) {
            assert!((value / formula - 1.0).abs() < 1e-3, "{value} {formula}");
        }
    }

    #[test]
    fn commands_name_what_there_is() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        for paper in PLACES {
            let words: Vec<&str> = paper.command.split(' ').collect();
            match words[..] {
                ["cargo", "run", "--release", "-p", package, "--example", example] => {
                    let folder =
                        format!("{root}/crates/{}/examples/{example}", package.trim_start_matches("manycore-"));
                    let is_there = |path: String| std::path::Path::new(&path).exists();
                    assert!(is_there(format!("{folder}.rs")) || is_there(folder), "{}", paper.command);
                }
                ["cargo", "xtask", "bench", filter] => {
                    let cases = operations::cases(Profile::Quick, DeviceKind::Host);
                    let known = cases.iter().any(|case| case.operation == filter) || paper.operation == filter;
                    assert!(known || filter == "choice", "{}", paper.command);
                }
                ["cargo", "test", "-p", package, name] => {
                    let folder = format!("{root}/crates/{}/tests", package.trim_start_matches("manycore-"));
                    assert!(mentions(std::path::Path::new(&folder), name), "{}", paper.command);
                }
                _ => panic!("{}", paper.command),
            }
        }
    }
    /// Whether a file below the folder has this name, or contains it.
    fn mentions(folder: &std::path::Path, name: &str) -> bool {
        std::fs::read_dir(folder).unwrap().any(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                return mentions(&path, name);
            }
            path.file_stem().is_some_and(|stem| stem == name)
                || std::fs::read_to_string(&path).is_ok_and(|text| text.contains(name))
        })
    }
}

//! Fuzz targets: a function for each parser, which panics where the parser does, where an error does not say what is wrong, or where what
//! was read does not come back from what it prints.
//!
//! The folder `fuzz/` of the source tree has a program for each, for `cargo fuzz`, and a small corpus. [`drive`] runs them without
//! a compiler of its own: on mutations of the corpus.
//!
//! | file | what |
//! |---|---|
//! | `tables` | Boolean functions and S-boxes |
//! | `numbers` | words of numbers, tables, vectors, arrays, coefficients |
//! | `matrices` | matrices, dense and sparse, of semirings, graphs |
//! | `algebra` | polynomials as texts, programs of products, projects |
//! | `names` | products of matrices, orders, devices, arguments of the program, machines, lines and parts that the program wrote |
//! | `file` | the file of parsers that read one, and what errors tell of it |
//! | [`mutate`] | what the driver does to an input |
//! | [`drive`] | the driver |

mod algebra;
pub mod drive;
mod file;
mod matrices;
pub mod mutate;
mod names;
mod numbers;
mod tables;

/// A parser under test.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name: that of its program in `fuzz/` and of its folder of the corpus.
    pub name: &'static str,
    /// Parses the input; returns whether it was accepted.
    ///
    /// # Panics
    /// Where the parser is wrong.
    pub run: fn(&[u8]) -> bool,
    /// Parts of inputs that mutations insert.
    pub words: &'static [&'static str],
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "text_vector", run: numbers::text_vector, words: NUMBERS },
    Target { name: "npy", run: numbers::npy, words: NPY },
    Target { name: "bits", run: numbers::bits, words: NUMBERS },
    Target { name: "words", run: numbers::words, words: NUMBERS },
    Target { name: "polynomial", run: numbers::polynomial, words: NUMBERS },
    Target { name: "plain_text", run: numbers::plain_text, words: &["#", "\n", "\r\n", "\u{feff}"] },
    Target { name: "truth_table_binary", run: tables::binary, words: &["0", "1", "_", ",", "0x", "0000000000000000"] },
    Target { name: "truth_table_hex", run: tables::hex, words: &["0x", "0X", "f", "F", "_", ",", "0000000000000000"] },
    Target { name: "minterms", run: tables::minterms, words: NUMBERS },
    Target {
        name: "anf",
        run: tables::anf,
        words: &["x", "x1", "x34", "x35", "x0", "+", "^", "*", "1", "0", "\u{2295}", "\u{b7}"],
    },
    Target { name: "s_box", run: tables::s_box, words: NUMBERS },
    Target { name: "kronecker", run: names::kronecker, words: FACTORS },
    Target { name: "group", run: names::group, words: NUMBERS },
    Target { name: "range", run: names::range, words: &["..", "...", "0..1", "18446744073709551616", "-1"] },
    Target { name: "polarity", run: names::polarity, words: NUMBERS },
    Target { name: "size", run: names::size, words: NUMBERS },
    Target { name: "orders", run: names::orders, words: ORDERS },
    Target {
        name: "device",
        run: names::device,
        words: &["host", "host:", "opencl:", "auto", "best", "0", "-1", "+1", "cpu"],
    },
    Target { name: "machine", run: names::machine, words: JSON },
    Target { name: "soak_line", run: names::soak_line, words: JSON },
    Target { name: "numeral", run: numbers::numeral, words: NUMBERS },
    Target { name: "table", run: numbers::table, words: TABLES },
    Target { name: "keys", run: numbers::keys, words: NUMBERS },
    Target { name: "complex_vector", run: numbers::complex_vector, words: NUMBERS },
    Target { name: "positions", run: numbers::positions, words: NUMBERS },
    Target { name: "matrix", run: matrices::matrix, words: MATRICES },
    Target { name: "sparse_matrix", run: matrices::sparse_matrix, words: MATRICES },
    Target { name: "semiring_matrix", run: matrices::semiring_matrix, words: MATRICES },
    Target { name: "graph", run: matrices::graph, words: MATRICES },
    Target { name: "polynomial_text", run: algebra::polynomial_text, words: POLYNOMIALS },
    Target { name: "bivariate", run: algebra::bivariate, words: POLYNOMIALS },
    Target { name: "program", run: algebra::program, words: PROGRAMS },
    Target { name: "project", run: algebra::project, words: PROJECTS },
    Target { name: "command_line", run: names::command_line, words: ARGUMENTS },
    Target { name: "permutations", run: names::permutations, words: JSON },
    Target { name: "shard_line", run: names::shard_line, words: JSON },
    Target { name: "part", run: names::part, words: &["\0", "\u{1}", "\u{7f}"] },
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// For the programs of `cargo fuzz`: runs a target.
///
/// # Panics
/// For a name that is none, and where the parser is wrong.
pub fn run(name: &str, data: &[u8]) {
    let target = target(name).unwrap_or_else(|| panic!("no target is called {name}"));
    (target.run)(data);
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "+",
    "-",
    "-0",
    "+1",
    "0.5",
    "1e3",
    "1e400",
    "1e-400",
    "nan",
    "inf",
    "-inf",
    "0x",
    "0x+1",
    "0xffffffffffffffff",
    "255",
    "65535",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "2^64",
    "^",
    ",",
    ",,",
    "#",
    "\n",
    "\r\n",
    "\t",
    "\u{a0}",
    "\u{feff}",
    "\u{1b}[31m",
];

const NPY: &[&str] = &[
    "\u{93}NUMPY",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
    "'<f4'",
    "'>i8'",
    "'|u1'",
    "'<c16'",
    "'<U4'",
    "True",
    "(18446744073709551615,)",
    "(2, 2)",
    "()",
    "\n",
];

const FACTORS: &[&str] = &[
    "walsh",
    "rm",
    "reed-muller",
    "arith",
    "arith-inverse",
    "h12",
    "h32",
    "h33",
    "dft3",
    "dft16",
    "id",
    "id5",
    "x",
    "^",
    "^64",
    "^65",
    "^0",
    "18446744073709551615",
    "\u{d7}",
];

const ORDERS: &[&str] = &[
    "hadamard",
    "sequency",
    "dyadic",
    "natural",
    "reversed",
    "standard",
    "in-place",
    "none",
    "orthonormal",
    "equal-energy",
];

const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "null",
    "true",
    "-1",
    "0",
    "1e308",
    "1e309",
    "-0.0",
    "\\u0000",
    "18446744073709551615",
];

const TABLES: &[&str] = &["\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "#", "a,b", "\u{feff}", "1"];

const MATRICES: &[&str] = &[
    "%%MatrixMarket matrix coordinate integer general\n",
    "%%MatrixMarket matrix coordinate real symmetric\n",
    "%%MatrixMarket matrix array complex hermitian\n",
    "%%MatrixMarket matrix coordinate pattern skew-symmetric\n",
    "2 2 1\n",
    "1 1 ",
    "2 2 M\n",
    "0 0 0\n",
    "RUA",
    "(4I4)",
    "(1E12.4)",
    "1e400",
    "inf",
    "-inf",
    "nan",
    "1/3",
    "1/0",
    "4294967295",
    "4294967294",
    "9223372036854775807",
    "-9223372036854775808",
    "[",
    "]",
    ";",
    ",",
    "#",
    "%",
    "\n",
];

const POLYNOMIALS: &[&str] = &[
    "x",
    "y",
    "x^2",
    "x^4294967296",
    "x^100000",
    "y^18446744073709551616",
    "**",
    "^",
    "*",
    "+",
    "-",
    "(",
    ")",
    "Mod(",
    ", 7)",
    "1/2",
    "/",
    "0.5",
    "1e3",
    "2x",
    "(x + 1)^9",
    " ",
];

const PROGRAMS: &[&str] = &[
    "A = matrix a.txt\n",
    "B = product plus-times A A\n",
    "C = product min-plus A A\n",
    "D = map A : a + 1\n",
    "E = map A A : a * b - x\n",
    "F = function 3 4 : x * y\n",
    "G = transpose A\n",
    "H = sum rows A\n",
    "I = max columns A\n",
    "output A\n",
    "if(",
    "min(a, 1)",
    "max(",
    "inf",
    "<=",
    "==",
    "(",
    ")",
    "-",
    "^",
    "1e400",
    "18446744073709551616",
    "#",
];

const PROJECTS: &[&str] = &[
    "name,duration,predecessors,release,deadline\n",
    "a,3\n",
    "b,2,a:SS+1;c,0,9\n",
    ":FF-1",
    ";",
    "\"",
    "jobs (incl. supersource/sink ):  4\n",
    "horizon                       :  158\n",
    "PRECEDENCE RELATIONS:\n",
    "REQUESTS/DURATIONS:\n",
    "jobnr.    #modes  #successors   successors\n",
    "****\n",
    "[0] [1] [-3]",
    "1099511627776",
    "-1",
    "2147483647",
    "%%MatrixMarket matrix coordinate integer general\n",
    "2 2 M\n",
    "1 1 ",
];

const ARGUMENTS: &[&str] = &[
    " spectrum walsh x",
    " poly mul x y",
    " sort numbers x",
    " --modulus 7",
    " --memory ",
    "8GiB",
    "500MB",
    "1e3",
    " --shard 1/2",
    " --device host",
    " --type f64",
    " --json",
    " -o",
    " --",
    " -",
    "=",
    "2^64",
    "-1",
    "18446744073709551616",
    "1:2:3",
    "0.5",
    "nan",
];

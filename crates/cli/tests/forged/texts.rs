//! Matrices and polynomials: plain text, numbers with commas, Matrix Market, SMS, Harwell-Boeing and arrays, each by every reader.

use std::fmt::Display;

use manycore::device::Device;
use manycore::field::PrimeField;
use manycore::files::{FileError, Source};
use manycore::linalg::bits::BitAlgebra;
use manycore::linalg::file::{Dense, FileEntry, MatrixFileError, read, residues};
use manycore::poly::file::coefficients;
use manycore::{MatrixEntries, SparseFileError};
use num_bigint::BigInt;
use proptest::prelude::*;

use crate::damage::{damage, damaged};
use crate::{alone, is_of_memory, with_little_memory};

/// What files are called.
const NAME: &str = "forged.file";

const TEXTS: [&str; 10] = [
    "1 2 3\n4 -5 6\n# a comment\n7 8 9\n",
    "1, 2.5, 3/4\n-4, 5e3, 0\n",
    "%%MatrixMarket matrix coordinate integer general\n% a comment\n3 4 3\n1 1 5\n3 4 -7\n2 2 100000000000000000000000\n",
    "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 0.5\n2 1 -1e3\n3 3 2\n",
    "%%MatrixMarket matrix coordinate pattern skew-symmetric\n3 3 1\n2 1\n",
    "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 1.5 -2\n",
    "%%MatrixMarket matrix array integer general\n2 3\n1\n2\n3\n4\n5\n6\n",
    "%%MatrixMarket matrix array real symmetric\n2 2\n1\n0.5\n2\n",
    "3 3 M\n1 1 5\n2 3 -4\n3 2 9\n0 0 0\n",
    "title                                                                   key\n             5             1             1             3             0\nRUA                        3             3             3             0\n(4I4)           (3I4)           (1E12.4)            (1E12.4)\n   1   3   3   4\n   1   3   2\n  1.5000E+00\n -2.5000E-01\n  4.0000E+00\n",
];

const WORDS: [&str; 32] = [
    "0",
    "-1",
    "2",
    "4294967294",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999999999999999",
    "1e308",
    "1e999",
    "1E999999999999",
    "nan",
    "-inf",
    "1/0",
    "1/3",
    "0x10",
    "1d5",
    "\n",
    "\n\n",
    " ",
    ",",
    "#",
    "%",
    "M",
    "(1000000000I1000000000)",
    "complex",
    "array",
    "coordinate",
    "\u{feff}",
    "\u{0}",
];

/// An array of a shape, of numbers of 64 bits.
fn npy(shape: &str, order: &str, count: usize) -> Vec<u8> {
    let mut head = format!("{{'descr': '<i8', 'fortran_order': {order}, 'shape': ({shape}), }}");
    head.push_str(&" ".repeat(63 - (10 + head.len()) % 64));
    head.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((head.len() as u16).to_le_bytes());
    bytes.extend(head.bytes());
    bytes.extend((0..count as i64).flat_map(|i| (i - 3).to_le_bytes()));
    bytes
}

/// That an error names the file, and of a text a line that it has, or the one past its end.
fn placed(error: &impl Display, bytes: &[u8]) {
    let told = error.to_string();
    if is_of_memory(&told) {
        assert!(told.contains(NAME), "{told}");
        return;
    }
    assert!(told.len() < 2000 && !told.chars().any(char::is_control), "{told:?}");
    let rest = told.strip_prefix(NAME).unwrap_or_else(|| panic!("no file in {told:?}"));
    if let Some(rest) = rest.strip_prefix(':')
        && let Some((line, _)) = rest.split_once(':')
        && let Ok(line) = line.parse::<usize>()
    {
        let lines = bytes.split(|&byte| byte == b'\n').count();
        assert!((1..=lines + 1).contains(&line), "{told:?} of {lines} lines");
    } else {
        // What has no lines, or lines of no meaning, tells what is wrong.
        assert!(bytes.first() == Some(&0x93) || rest.len() > 10, "{told:?}");
    }
}

fn dense<T>(read: Result<Dense<T>, MatrixFileError>, bytes: &[u8]) {
    match read {
        Ok(dense) => assert_eq!(dense.entries.len(), dense.rows * dense.columns),
        Err(error) => placed(&error, bytes),
    }
}

fn source(bytes: &[u8], of_matrix: bool) -> Option<Source<'_>> {
    let opened = if of_matrix { Source::matrix(NAME, bytes) } else { Source::new(NAME, bytes) };
    opened.inspect_err(|error| placed(error, bytes)).ok()
}

fn matrix_of<T: FileEntry>(bytes: &[u8]) {
    if let Some(source) = source(bytes, true) {
        dense(read::<T>(source), bytes);
    }
}

/// A sparse matrix, as whatever it may be taken for.
fn sparse(bytes: &[u8]) {
    let matrix = match MatrixEntries::parse(bytes, NAME) {
        Ok(matrix) => matrix,
        Err(error) => return placed(&error, bytes),
    };
    let told = |outcome: Result<(), SparseFileError>| {
        if let Err(error) = outcome {
            placed(&error, bytes);
        }
    };
    told(matrix.reals().map(drop));
    told(matrix.integers().map(drop));
    told(matrix.complexes().map(drop));
    told(matrix.structure().map(drop));
    told(matrix.pattern().map(drop));
    told(matrix.residues(&PrimeField::<u32>::new(7).unwrap()).map(drop));
}

/// Every reader.
fn all(bytes: &[u8]) {
    let field = PrimeField::<u32>::new(7).unwrap();
    let bits = BitAlgebra::new(&Device::host());
    with_little_memory(|| {
        matrix_of::<i128>(bytes);
        matrix_of::<f64>(bytes);
        matrix_of::<BigInt>(bytes);
        matrix_of::<num_rational::BigRational>(bytes);
        if let Some(source) = source(bytes, true) {
            dense(residues(&field, source), bytes);
        }
        if let Some(source) = source(bytes, true)
            && let Err(error) = bits.read_from(source)
        {
            placed(&error, bytes);
        }
        sparse(bytes);
        if let Some(source) = source(bytes, false)
            && let Err(error) = coefficients(&field, source)
        {
            placed(&error, bytes);
        }
        match source(bytes, false) {
            Some(Source::Text(text)) => {
                if let Err(error) = text.words(|_, _| Ok::<(), FileError>(())) {
                    placed(&error, bytes);
                }
            }
            Some(Source::Array(array)) => {
                if let Err(error) = array.each(|_, _| Ok::<(), FileError>(())) {
                    placed(&error, bytes);
                }
            }
            None => {}
        }
    });
}

#[test]
fn whole_files_are_read_as_they_are() {
    alone(|| {
        for text in TEXTS {
            all(text.as_bytes());
        }
        all(&npy("2, 3", "False", 6));
        // Heads of matrices that memory has no room for, of bits neither.
        for head in ["42949 67294 M", "%%MatrixMarket matrix coordinate integer general\n42949 67294 0"] {
            all(head.as_bytes());
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    fn drawn_texts(text in proptest::sample::select(&TEXTS[..]), damage in damage(&WORDS)) {
        all(&damaged(text.as_bytes(), &damage));
    }

    fn drawn_arrays(
        shape in prop_oneof![
            Just("2, 3".to_owned()),
            Just("6,".to_owned()),
            Just("18446744073709551615,".to_owned()),
            Just("4294967296, 4294967296".to_owned()),
            Just("1000000000, 1000000000".to_owned()),
            any::<[u64; 2]>().prop_map(|[rows, columns]| format!("{rows}, {columns}")),
            "[0-9, L()]{0,30}",
        ],
        order in prop_oneof![Just("False"), Just("True"), Just("None")],
        damage in proptest::option::of(damage(&WORDS)),
    ) {
        all(&damaged(&npy(&shape, order, 6), &damage.unwrap_or_default()));
    }

    fn drawn_noise(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        all(&bytes);
    }
}

#[test]
fn texts() {
    alone(drawn_texts);
}

#[test]
fn arrays() {
    alone(drawn_arrays);
}

#[test]
fn noise() {
    alone(drawn_noise);
}

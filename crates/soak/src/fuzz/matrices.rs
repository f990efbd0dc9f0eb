//! Matrices: dense ones over every kind of numbers, sparse ones, those of semirings, and graphs.

use std::fmt::{Debug, Display};

use manycore::files::Source;
use manycore::linalg::bits::BitAlgebra;
use manycore::linalg::file::{Dense, FileEntry, MatrixFileError, read, residues, write_integers};
use manycore::maxplus::Extremum;
use manycore::num_bigint::BigInt;
use manycore::num_rational::BigRational;
use manycore::operation::vector::NumberType;
use manycore::sparse::write_matrix_market;
use manycore::{Device, MatrixEntries, PrimeField};
use manycore_cli::readers;

use super::file::{NAME, file, placed, table};

/// Entries that are written again, and for which there is memory whatever their type is, at most.
const MOST_COMPARED: usize = 1 << 16;

const TYPES: [NumberType; 4] = [NumberType::I32, NumberType::I64, NumberType::F32, NumberType::F64];

/// Dense matrices, of texts and of tables.
pub(super) fn matrix(data: &[u8]) -> bool {
    // Both are read.
    matrix_in(Form::Text, data) | matrix_in(Form::Table, data)
}

/// What a file's name says that it is.
#[derive(Debug, Clone, Copy)]
enum Form {
    Text,
    Table,
}

fn matrix_in(form: Form, data: &[u8]) -> bool {
    let field = PrimeField::<u32>::new(7).unwrap_or_else(|error| panic!("7 is a prime: {error}"));
    let of_integers = dense::<i128>(form, data);
    if of_integers.as_ref().is_some_and(|matrix| matrix.entries.len() > MOST_COMPARED) {
        return true;
    }
    if let Some(Dense { rows, columns, entries }) = &of_integers {
        let mut text = Vec::new();
        write_integers(&mut text, *rows, *columns, entries).unwrap_or_else(|error| panic!("not written: {error}"));
        let again = dense::<i128>(Form::Text, &text).map(|again| (again.rows, again.columns, again.entries));
        assert_eq!(again, Some((*rows, *columns, entries.clone())), "another matrix comes back");
    }
    let large = dense::<BigInt>(form, data);
    if large.as_ref().is_some_and(|matrix| matrix.entries.len() > MOST_COMPARED) {
        return true;
    }
    assert!(of_integers.is_none() || large.is_some(), "integers of 128 bits are integers of any size");
    let fractions = dense::<BigRational>(form, data);
    assert!(large.is_none() || fractions.is_some(), "integers are fractions");
    if fractions.as_ref().is_some_and(|matrix| matrix.entries.len() > MOST_COMPARED) {
        return true;
    }
    if let Some(fractions) = &fractions {
        let lines: Vec<String> = match fractions.columns {
            0 => Vec::new(),
            columns => fractions.entries.chunks(columns).map(|row| joined(row, " ")).collect(),
        };
        if !lines.is_empty() {
            let again = dense::<BigRational>(Form::Text, lines.join("\n").as_bytes()).map(|again| again.entries);
            assert_eq!(again.as_ref(), Some(&fractions.entries), "other fractions come back");
        }
    }
    dense::<f64>(form, data);
    let modulo = opened(form, data).and_then(|source| looked(residues(&field, source)));
    assert!(large.is_none() || modulo.is_some(), "integers are residues");
    let bits = BitAlgebra::new(&Device::host());
    let of_bits = opened(form, data).and_then(|source| looked(bits.read_from(source)));
    assert_eq!(of_bits.is_some(), modulo.is_some(), "integers have residues modulo 2");
    fractions.is_some()
}

fn joined(row: &[impl Display], separator: &str) -> String {
    row.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}

fn opened(form: Form, data: &[u8]) -> Option<Source<'_>> {
    looked(match form {
        Form::Text => Source::matrix(NAME, data),
        Form::Table => Source::open_matrix(table(data)),
    })
}

/// The matrix that was read; an error must name the file.
fn looked<T>(read: Result<T, impl Display>) -> Option<T> {
    read.map_err(|error| placed(error, NAME)).ok()
}

fn dense<T: FileEntry>(form: Form, data: &[u8]) -> Option<Dense<T>> {
    let matrix =
        opened(form, data).and_then(|source| looked::<Dense<T>>(read::<T>(source) as Result<_, MatrixFileError>))?;
    assert_eq!(matrix.entries.len(), matrix.rows * matrix.columns);
    Some(matrix)
}

/// Sparse matrices, as whatever they may be taken for.
pub(super) fn sparse_matrix(data: &[u8]) -> bool {
    let Some(matrix) = looked(MatrixEntries::parse(data, NAME)) else { return false };
    assert_eq!(matrix.places().len(), matrix.len());
    looked(matrix.structure());
    looked(matrix.pattern());
    looked(matrix.complexes());
    let field = PrimeField::<u32>::new(7).unwrap_or_else(|error| panic!("7 is a prime: {error}"));
    looked(matrix.residues(&field));
    if let Some(integers) = looked(matrix.integers()) {
        let mut text = Vec::new();
        write_matrix_market(&mut text, integers.view()).unwrap_or_else(|error| panic!("not written: {error}"));
        let again = looked(MatrixEntries::parse(&text, NAME)).and_then(|again| looked(again.integers()));
        assert_eq!(again, Some(integers), "another matrix comes back");
    }
    if let Some(reals) = looked(matrix.reals()) {
        let mut text = Vec::new();
        write_matrix_market(&mut text, reals.view()).unwrap_or_else(|error| panic!("not written: {error}"));
        let again = looked(MatrixEntries::parse(&text, NAME)).and_then(|again| looked(again.reals()));
        // Texts are compared, since a NaN is unequal to itself.
        assert_eq!(format!("{again:?}"), format!("{:?}", Some(reals)), "another matrix comes back");
    }
    true
}

/// Matrices of semirings.
pub(super) fn semiring_matrix(data: &[u8]) -> bool {
    let mut taken = false;
    for number_type in TYPES {
        for has_infinities in [false, true] {
            let read = |data: &[u8]| looked(readers::semiring_matrix(&file(data), number_type, has_infinities));
            let Some(rows) = read(data) else { continue };
            taken = true;
            if rows.is_empty() {
                continue;
            }
            let lines: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
            assert_eq!(read(lines.join("\n").as_bytes()), Some(rows), "another matrix comes back");
        }
    }
    taken
}

/// Graphs for longest and shortest paths.
pub(super) fn graph(data: &[u8]) -> bool {
    let mut taken = false;
    for number_type in TYPES {
        for extremum in [Extremum::Maximum, Extremum::Minimum] {
            let read = |data: &[u8]| looked(readers::graph(&file(data), number_type, extremum));
            let Some((nodes, arcs)) = read(data) else { continue };
            taken = true;
            let arcs_of = |arcs: &[(u32, u32, String)]| -> Vec<String> {
                arcs.iter().map(|(from, to, weight)| format!("{} {} {weight}", to + 1, from + 1)).collect()
            };
            let lines = arcs_of(&arcs);
            let head = "%%MatrixMarket matrix coordinate real general";
            let text = format!("{head}\n{nodes} {nodes} {}\n{}\n", lines.len(), lines.join("\n"));
            same(&read(text.as_bytes()), &Some((nodes, arcs)), "another graph comes back");
        }
    }
    taken
}

fn same<T: PartialEq + Debug>(found: &T, expected: &T, what: &str) {
    assert_eq!(found, expected, "{what}");
}

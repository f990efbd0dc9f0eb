//! The Matrix Market exchange format.

use super::emit::{Emitter, MatrixEntry};
use super::head::{MatrixFormat, MatrixHead, MatrixKind, Symmetry};
use super::lines::{Lines, exactly};
use super::value::EntryValue;
use crate::error::FileError;
use crate::fault::LineFault;
use crate::shown::shown;

/// How entries stand in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Coordinate,
    Array,
}

/// Reads the header and the line of sizes: the head, and whether an array follows.
pub(super) fn head(lines: &mut Lines<'_>) -> Result<(MatrixHead, bool), FileError> {
    let (form, kind, symmetry) = header(lines)?;
    let line = lines.line();
    let (rows, columns, stored) = sizes(lines, form, symmetry)?;
    let stored = Some(stored);
    let head = MatrixHead { format: MatrixFormat::MatrixMarket, rows, columns, stored, kind, symmetry, line };
    Ok((head, form == Form::Array))
}

fn header(lines: &mut Lines<'_>) -> Result<(Form, MatrixKind, Symmetry), FileError> {
    let line = lines.filled();
    let words: Vec<String> = line.split_whitespace().map(str::to_ascii_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["%%matrixmarket", object, rest @ ..] = words.as_slice() else {
        return Err(lines.wrong(LineFault::Header { found: shown(line) }));
    };
    let unknown = |found: &str, expected| Err(lines.wrong(LineFault::Unknown { found: shown(found), expected }));
    let &[form, kind, symmetry] = rest else {
        let expected = "%%MatrixMarket matrix, form, field and symmetry";
        return Err(lines.wrong(LineFault::Words { given: words.len(), expected }));
    };
    if *object != "matrix" {
        return unknown(object, "matrix");
    }
    let form = match form {
        "coordinate" => Form::Coordinate,
        "array" => Form::Array,
        other => return unknown(other, "coordinate or array"),
    };
    let kind = match (kind, form) {
        ("real" | "double", _) => MatrixKind::Real,
        ("integer", _) => MatrixKind::Integer,
        ("complex", _) => MatrixKind::Complex,
        ("pattern", Form::Coordinate) => MatrixKind::Pattern,
        (other, Form::Coordinate) => return unknown(other, "real, integer, complex or pattern"),
        (other, Form::Array) => return unknown(other, "real, integer or complex for an array"),
    };
    let symmetry = match (symmetry, kind) {
        ("general", _) => Symmetry::General,
        ("symmetric", _) => Symmetry::Symmetric,
        ("skew-symmetric", MatrixKind::Real | MatrixKind::Integer | MatrixKind::Complex) => Symmetry::SkewSymmetric,
        ("hermitian", MatrixKind::Complex) => Symmetry::Hermitian,
        (other, MatrixKind::Pattern) => return unknown(other, "general or symmetric for a pattern"),
        (other, MatrixKind::Complex) => return unknown(other, "general, symmetric, skew-symmetric or hermitian"),
        (other, _) => return unknown(other, "general, symmetric or skew-symmetric for real numbers"),
    };
    Ok((form, kind, symmetry))
}

/// Rows, columns and the entries that are in the file.
fn sizes(lines: &mut Lines<'_>, form: Form, symmetry: Symmetry) -> Result<(usize, usize, u64), FileError> {
    let expected = match form {
        Form::Coordinate => "rows, columns and entries",
        Form::Array => "rows and columns",
    };
    let Some(words) = lines.words() else {
        return Err(lines.missing(LineFault::Words { given: 0, expected }));
    };
    let wrong = |given| lines.wrong(LineFault::Words { given, expected });
    let (rows, columns, entries) = match form {
        Form::Coordinate => {
            let [rows, columns, entries] = exactly(words).map_err(wrong)?;
            (lines.count(rows)?, lines.count(columns)?, Some(lines.count(entries)?))
        }
        Form::Array => {
            let [rows, columns] = exactly(words).map_err(wrong)?;
            (lines.count(rows)?, lines.count(columns)?, None)
        }
    };
    let (whole_rows, whole_columns) = lines.sizes(rows, columns)?;
    if symmetry != Symmetry::General && rows != columns {
        return Err(lines.wrong(LineFault::NotSquare { rows, columns, symmetry: symmetry.name() }));
    }
    // Both are below 2^32.
    let stored = entries.unwrap_or(match symmetry {
        Symmetry::General => rows * columns,
        Symmetry::SkewSymmetric => rows * rows.saturating_sub(1) / 2,
        Symmetry::Symmetric | Symmetry::Hermitian => rows * (rows + 1) / 2,
    });
    Ok((whole_rows, whole_columns, stored))
}

/// Reads rows, columns and values, one entry a line.
pub(super) fn coordinates<T: EntryValue, E: From<FileError>, F>(
    head: &MatrixHead,
    lines: &mut Lines<'_>,
    emitter: &mut Emitter<F>,
) -> Result<(), E>
where
    F: FnMut(MatrixEntry<T>) -> Result<(), E>,
{
    let expected = match head.kind {
        MatrixKind::Pattern => "row and column",
        MatrixKind::Complex => "row, column, real and imaginary part",
        MatrixKind::Integer | MatrixKind::Real => "row, column and value",
    };
    lines_of_entries(head, lines, |lines, mut words| {
        let (Some(row), Some(column)) = (words.next(), words.next()) else {
            return Err(lines.wrong(LineFault::Words { given: 1, expected }).into());
        };
        let place = (lines.index(row, "row", head.rows)?, lines.index(column, "column", head.columns)?);
        emitter.place(lines, place.0, place.1)?;
        let wrong = |given: usize| E::from(lines.wrong(LineFault::Words { given: given + 2, expected }));
        entry(head.kind, lines, emitter, place, words, wrong)
    })
}

/// Reads values, one a line, column after column.
pub(super) fn array<T: EntryValue, E: From<FileError>, F>(
    head: &MatrixHead,
    lines: &mut Lines<'_>,
    emitter: &mut Emitter<F>,
) -> Result<(), E>
where
    F: FnMut(MatrixEntry<T>) -> Result<(), E>,
{
    let expected = if head.kind == MatrixKind::Complex { "real and imaginary part" } else { "one value" };
    // The place of the next value.
    let (mut row, mut column) = (u64::from(head.symmetry == Symmetry::SkewSymmetric), 0);
    lines_of_entries(head, lines, |lines, words| {
        let wrong = |given: usize| E::from(lines.wrong(LineFault::Words { given, expected }));
        entry(head.kind, lines, emitter, (row as u32, column as u32), words, wrong)?;
        row += 1;
        if row == head.rows as u64 {
            column += 1;
            row = match head.symmetry {
                Symmetry::General => 0,
                Symmetry::SkewSymmetric => column + 1,
                Symmetry::Symmetric | Symmetry::Hermitian => column,
            };
        }
        Ok(())
    })
}

/// Calls `read` with the words of as many lines as there are entries, and refuses more and fewer.
fn lines_of_entries<'a, E: From<FileError>>(
    head: &MatrixHead,
    lines: &mut Lines<'a>,
    mut read: impl FnMut(&Lines<'a>, std::str::SplitWhitespace<'a>) -> Result<(), E>,
) -> Result<(), E> {
    let expected = head.stored.unwrap_or_default();
    for given in 0..expected {
        let Some(words) = lines.words() else {
            return Err(lines.missing(LineFault::Missing { given, expected }).into());
        };
        read(lines, words)?;
    }
    match lines.words() {
        None => Ok(()),
        Some(_) => Err(lines.wrong(LineFault::Surplus { expected }).into()),
    }
}

/// Hands out an entry whose value has these words.
fn entry<'a, T: EntryValue, E: From<FileError>, F>(
    kind: MatrixKind,
    lines: &Lines<'_>,
    emitter: &mut Emitter<F>,
    place: (u32, u32),
    words: impl Iterator<Item = &'a str>,
    wrong: impl Fn(usize) -> E,
) -> Result<(), E>
where
    F: FnMut(MatrixEntry<T>) -> Result<(), E>,
{
    match kind {
        MatrixKind::Pattern => emitter.entry(lines, place, &exactly::<0>(words).map_err(wrong)?),
        MatrixKind::Integer | MatrixKind::Real => emitter.entry(lines, place, &exactly::<1>(words).map_err(wrong)?),
        MatrixKind::Complex => emitter.entry(lines, place, &exactly::<2>(words).map_err(wrong)?),
    }
}

//! Reader of the Matrix Market exchange format.

use manycore_files::memory::push;
use manycore_files::shown;
use num_complex::Complex;

use super::entries::{MatrixEntries, MatrixValues, Symmetry};
use super::error::{LineFault, SparseFileError};
use super::lines::{Lines, exactly};

/// How entries stand in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// Row, column and value on a line.
    Coordinate,
    /// All values, column after column, one a line.
    Array,
}

/// What stands on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Pattern,
    Integer,
    Real,
    Complex,
}

/// Reads a text that begins as Matrix Market does.
pub(super) fn read(bytes: &[u8], file: &str) -> Result<MatrixEntries, SparseFileError> {
    let mut lines = Lines::new(bytes, file, '%')?;
    let (form, kind, symmetry) = header(&mut lines)?;
    let (rows, columns, stored) = sizes(&mut lines, form, symmetry)?;
    let values = match kind {
        Kind::Pattern => MatrixValues::Pattern,
        Kind::Integer => MatrixValues::Integer(Vec::new()),
        Kind::Real => MatrixValues::Real(Vec::new()),
        Kind::Complex => MatrixValues::Complex(Vec::new()),
    };
    let mut entries = MatrixEntries { file: file.to_owned(), rows, columns, symmetry, places: Vec::new(), values };
    // The place of the next value of an array.
    let mut next = (u64::from(symmetry == Symmetry::SkewSymmetric), 0);
    for given in 0..stored {
        let Some(words) = lines.words() else {
            return Err(lines.missing(LineFault::Missing { given, expected: stored }));
        };
        let mut words = words;
        let place = match form {
            Form::Coordinate => {
                let (Some(row), Some(column)) = (words.next(), words.next()) else {
                    let given = 1;
                    return Err(lines.wrong(LineFault::Words { given, expected: expected(form, kind) }));
                };
                (lines.index(row, "row", rows)?, lines.index(column, "column", columns)?)
            }
            Form::Array => {
                let place = (next.0 as u32, next.1 as u32);
                next.0 += 1;
                if next.0 == rows as u64 {
                    next.1 += 1;
                    next.0 = match symmetry {
                        Symmetry::General => 0,
                        Symmetry::SkewSymmetric => next.1 + 1,
                        Symmetry::Symmetric | Symmetry::Hermitian => next.1,
                    };
                }
                place
            }
        };
        let before = if form == Form::Coordinate { 2 } else { 0 };
        let wrong =
            |given: usize| lines.wrong(LineFault::Words { given: given + before, expected: expected(form, kind) });
        let value = match kind {
            Kind::Pattern => exactly::<0>(words).map(|_| Value::Pattern).map_err(wrong)?,
            Kind::Integer => {
                let [word] = exactly(words).map_err(wrong)?;
                Value::Integer(lines.integer(word)?)
            }
            Kind::Real => {
                let [word] = exactly(words).map_err(wrong)?;
                Value::Real(lines.real(word)?)
            }
            Kind::Complex => {
                let [re, im] = exactly(words).map_err(wrong)?;
                Value::Complex(Complex::new(lines.real(re)?, lines.real(im)?))
            }
        };
        take(&mut entries, place, value).map_err(|fault| match fault {
            Fault::Line(reason) => lines.wrong(reason),
            Fault::Other(error) => error,
        })?;
    }
    if lines.words().is_some() {
        return Err(lines.wrong(LineFault::Surplus { expected: stored }));
    }
    Ok(entries)
}

fn expected(form: Form, kind: Kind) -> &'static str {
    match (form, kind) {
        (Form::Coordinate, Kind::Pattern) => "row and column",
        (Form::Coordinate, Kind::Complex) => "row, column, real and imaginary part",
        (Form::Coordinate, _) => "row, column and value",
        (Form::Array, Kind::Complex) => "real and imaginary part",
        (Form::Array, _) => "one value",
    }
}

/// A value of a line.
#[derive(Clone, Copy)]
enum Value {
    Pattern,
    Integer(i64),
    Real(f64),
    Complex(Complex<f64>),
}

/// Why an entry is not taken.
enum Fault {
    Line(LineFault),
    Other(SparseFileError),
}

/// Appends an entry, and the one that its symmetry implies.
fn take(entries: &mut MatrixEntries, (row, column): (u32, u32), value: Value) -> Result<(), Fault> {
    let mirrored = match (entries.symmetry, value) {
        (Symmetry::General, _) => None,
        (Symmetry::SkewSymmetric, Value::Integer(value)) => {
            let Some(value) = value.checked_neg() else {
                let (found, kind) = (value.to_string(), "integer of 64 bits that has a negative");
                return Err(Fault::Line(LineFault::Overflow { found, kind }));
            };
            Some(Value::Integer(value))
        }
        (Symmetry::SkewSymmetric, Value::Real(value)) => Some(Value::Real(-value)),
        (Symmetry::SkewSymmetric, Value::Complex(value)) => Some(Value::Complex(-value)),
        (Symmetry::Hermitian, Value::Complex(value)) => Some(Value::Complex(value.conj())),
        (_, value) => Some(value),
    };
    let one_based = |index: u32| u64::from(index) + 1;
    if let Some((symmetry, stored, fits)) = match entries.symmetry {
        Symmetry::General => None,
        Symmetry::Symmetric => Some(("symmetric", "on and below the diagonal", column <= row)),
        Symmetry::SkewSymmetric => Some(("skew-symmetric", "below the diagonal", column < row)),
        Symmetry::Hermitian => Some(("Hermitian", "on and below the diagonal", column <= row)),
    } && !fits
    {
        let (row, column) = (one_based(row), one_based(column));
        return Err(Fault::Line(LineFault::Triangle { row, column, symmetry, stored }));
    }
    if let (Symmetry::Hermitian, Value::Complex(value)) = (entries.symmetry, value)
        && row == column
        && value.im != 0.0
    {
        return Err(Fault::Line(LineFault::Diagonal { row: one_based(row) }));
    }
    let mut append = |place, value| append(entries, place, value).map_err(Fault::Other);
    append((row, column), value)?;
    match mirrored {
        Some(value) if row != column => append((column, row), value),
        _ => Ok(()),
    }
}

fn append(entries: &mut MatrixEntries, place: (u32, u32), value: Value) -> Result<(), SparseFileError> {
    let file = &entries.file;
    let what = || format!("the entries of {file}");
    push(&mut entries.places, place, what)?;
    match (&mut entries.values, value) {
        (MatrixValues::Integer(values), Value::Integer(value)) => push(values, value, what)?,
        (MatrixValues::Real(values), Value::Real(value)) => push(values, value, what)?,
        (MatrixValues::Complex(values), Value::Complex(value)) => push(values, value, what)?,
        // Values are of the file's kind.
        _ => {}
    }
    Ok(())
}

fn header(lines: &mut Lines<'_>) -> Result<(Form, Kind, Symmetry), SparseFileError> {
    let line = lines.any().unwrap_or_default();
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
        ("real" | "double", _) => Kind::Real,
        ("integer", _) => Kind::Integer,
        ("complex", _) => Kind::Complex,
        ("pattern", Form::Coordinate) => Kind::Pattern,
        (other, Form::Coordinate) => return unknown(other, "real, integer, complex or pattern"),
        (other, Form::Array) => return unknown(other, "real, integer or complex for an array"),
    };
    let symmetry = match (symmetry, kind) {
        ("general", _) => Symmetry::General,
        ("symmetric", _) => Symmetry::Symmetric,
        ("skew-symmetric", Kind::Real | Kind::Integer | Kind::Complex) => Symmetry::SkewSymmetric,
        ("hermitian", Kind::Complex) => Symmetry::Hermitian,
        (other, Kind::Pattern) => return unknown(other, "general or symmetric for a pattern"),
        (other, Kind::Complex) => return unknown(other, "general, symmetric, skew-symmetric or hermitian"),
        (other, _) => return unknown(other, "general, symmetric or skew-symmetric for real numbers"),
    };
    Ok((form, kind, symmetry))
}

/// Rows, columns and the entries that are in the file.
fn sizes(lines: &mut Lines<'_>, form: Form, symmetry: Symmetry) -> Result<(usize, usize, u64), SparseFileError> {
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
    let limit = u64::from(u32::MAX);
    if rows >= limit || columns >= limit {
        return Err(lines.wrong(LineFault::TooLarge { rows, columns }));
    }
    let name = match symmetry {
        Symmetry::General => None,
        Symmetry::Symmetric => Some("symmetric"),
        Symmetry::SkewSymmetric => Some("skew-symmetric"),
        Symmetry::Hermitian => Some("Hermitian"),
    };
    if let Some(symmetry) = name
        && rows != columns
    {
        return Err(lines.wrong(LineFault::NotSquare { rows, columns, symmetry }));
    }
    // Both are below 2^32.
    let stored = entries.unwrap_or(match symmetry {
        Symmetry::General => rows * columns,
        Symmetry::SkewSymmetric => rows * rows.saturating_sub(1) / 2,
        Symmetry::Symmetric | Symmetry::Hermitian => rows * (rows + 1) / 2,
    });
    Ok((rows as usize, columns as usize, stored))
}

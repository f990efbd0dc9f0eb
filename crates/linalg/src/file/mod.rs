//! Matrices in files: text with a row a line, Matrix Market, SMS, Harwell-Boeing and `.npy` arrays.
//!
//! | format | told by |
//! |---|---|
//! | `.npy`: an array of two dimensions, by rows or by columns | the first byte |
//! | text: the numbers of a row on a line, separated by white space or commas; `#` begins a comment | anything else |
//! | Matrix Market: coordinate or array; general, symmetric or skew-symmetric; real, integer or pattern | the first word `%%MatrixMarket` |
//! | SMS: `rows columns M`, then `row column value` from 1, closed by `0 0 0` | three words on the first line, of which the last is `M` |
//! | Harwell-Boeing: assembled matrices | a type such as `RUA` at the beginning of line 3 |
//!
//! A place that is given twice is an error.
//!
//! Sources: Boisvert, Pozo, Remington, "The Matrix Market exchange formats", NISTIR 5935 (1996); the SMS format of `LinBox`.

mod bits;
mod entry;
mod parse;

use std::fmt::Display;
use std::io::{self, Write};

use manycore_field::ResidueWord as _;
use manycore_files::{FileError, LineFault, Source};

use crate::algebra::LinearAlgebra;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::matrix::Matrix;

pub use entry::FileEntry;

/// Why a matrix was not read from a file. Every variant names the file, and the line or entry that is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixFileError {
    /// The file cannot be read, or holds something else than numbers.
    #[error(transparent)]
    File(#[from] FileError),
    /// A value of a `.npy` array that is no entry.
    #[error("{file}: value {index}, {value}, is no {expected}")]
    Array {
        /// The file.
        file: String,
        /// Its index in the order of the file, from 0.
        index: usize,
        /// The value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A row of a text with another number of entries than the first.
    #[error("{file}:{line}: a row of {found} entries, where the first has {expected}")]
    Row {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// Its entries.
        found: usize,
        /// Those of the first row.
        expected: usize,
    },
    /// A line that is wrong.
    #[error("{file}:{line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1; one past the last where something is missing at the end.
        line: usize,
        /// What is wrong with it.
        reason: Box<LineFault>,
    },
    /// An entry that is no residue of the modulus.
    #[error("{file}: entry ({row}, {column}) is {value}, and must be at least 0 and below the modulus {modulus}")]
    Residue {
        /// The file.
        file: String,
        /// The entry's row, from 0.
        row: usize,
        /// The entry's column, from 0.
        column: usize,
        /// The entry.
        value: i128,
        /// The modulus.
        modulus: u64,
    },
    /// The matrix is too large, or the device failed.
    #[error(transparent)]
    Matrix(#[from] LinalgError),
}

/// A matrix that was read: its entries row after row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dense<T> {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// `rows * columns` entries.
    pub entries: Vec<T>,
}

/// Reads a matrix whose entries are `i128`, `BigInt` or `f64` from a source that [`Source::matrix`] opened; entries that a file of coordinates leaves out are zero.
///
/// ```
/// use manycore_files::Source;
/// use manycore_linalg::file::read;
/// let text = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 -3\n";
/// let matrix = read::<i128>(Source::new("a.mtx", text.as_bytes())?)?;
/// assert_eq!((matrix.rows, matrix.entries), (2, vec![5, -3, -3, 0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixFileError`] with the file and what is wrong in it.
pub fn read<T: FileEntry>(source: Source<'_>) -> Result<Dense<T>, MatrixFileError> {
    match source {
        Source::Text(text) => parse::matrix(&text),
        Source::Array(array) => parse::array(array),
    }
}

/// Reads a matrix of residues of a field.
///
/// # Errors
/// As [`read`]; [`MatrixFileError::Residue`] with the first entry that is no residue.
pub fn residues<F: MatrixField>(field: &F, source: Source<'_>) -> Result<Dense<F::Element>, MatrixFileError> {
    let file = source.file().to_owned();
    let Dense { rows, columns, entries } = read::<i128>(source)?;
    let modulus = field.order();
    let residue = |(index, value): (usize, i128)| {
        let residue = u64::try_from(value).ok().filter(|&value| value < modulus);
        let (row, column) = (index / columns, index % columns);
        let outside = || MatrixFileError::Residue { file: file.clone(), row, column, value, modulus };
        residue.map(F::Element::from_u64).ok_or_else(outside)
    };
    let entries = entries.into_iter().enumerate().map(residue).collect::<Result<Vec<_>, _>>()?;
    Ok(Dense { rows, columns, entries })
}

/// Writes a matrix of integers, row after row, as a Matrix Market array, which stands column after column.
///
/// # Errors
/// Those of the writer.
pub fn write_integers<T: Display>(
    out: &mut (impl Write + ?Sized),
    rows: usize,
    columns: usize,
    entries: &[T],
) -> io::Result<()> {
    writeln!(out, "%%MatrixMarket matrix array integer general\n{rows} {columns}")?;
    for column in 0..columns {
        for entry in entries.iter().skip(column).step_by(columns) {
            writeln!(out, "{entry}")?;
        }
    }
    Ok(())
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// Reads a matrix from an opened file: text, Matrix Market, SMS, Harwell-Boeing or an array.
    ///
    /// # Errors
    /// As [`residues`]; [`MatrixFileError::Matrix`] when the device fails.
    pub fn read_from(&self, source: Source<'_>) -> Result<Matrix<F>, MatrixFileError> {
        let Dense { rows, columns, entries } = residues(self.field(), source)?;
        Ok(self.matrix(rows, columns, &entries)?)
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(101).unwrap()).unwrap();
        for (rows, columns) in [(1, 1), (2, 3), (5, 1), (0, 3), (3, 0)] {
            let a = space.random(rows, columns, 4).unwrap();
            let mut text = Vec::new();
            write_integers(&mut text, rows, columns, &space.entries(&a).unwrap()).unwrap();
            let back = space.read_from(Source::new("a.mtx", &text[..]).unwrap()).unwrap();
            assert!(space.equal(&a, &back).unwrap());
        }
    }

    #[test]
    fn entries_that_are_no_residues_are_named() {
        let field = PrimeField::<u32>::new(7).unwrap();
        let message =
            |text: &str| residues(&field, Source::new("a.txt", text.as_bytes()).unwrap()).unwrap_err().to_string();
        assert_eq!(message("1 2\n3 7"), "a.txt: entry (1, 1) is 7, and must be at least 0 and below the modulus 7");
        assert!(message("-1").contains("entry (0, 0) is -1"));
    }
}

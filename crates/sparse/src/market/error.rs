//! Why a matrix was not read from a file.

use manycore_files::{FileError, OutOfMemory};

use crate::error::SparseError;

/// Why a matrix was not read from a file. Every variant names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SparseFileError {
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
    /// Values of a kind that cannot be taken for what is wanted.
    #[error("{file}: the matrix has {found} values, where {wanted} are wanted")]
    Kind {
        /// The file.
        file: String,
        /// The kind that it has.
        found: &'static str,
        /// The kind that is wanted.
        wanted: &'static str,
    },
    /// The file cannot be read, or is no text.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no memory for the matrix.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// What was read makes no matrix.
    #[error("{file}: {error}")]
    Matrix {
        /// The file.
        file: String,
        /// Why.
        error: Box<SparseError>,
    },
}

/// What is wrong with a line of a matrix file. Rows and columns are counted from 1, as files do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFault {
    /// No header of a form that is known.
    #[error(
        "`{found}` is no header of a matrix: Matrix Market begins with %%MatrixMarket matrix, SMS with ROWS COLUMNS M"
    )]
    Header {
        /// The line.
        found: String,
    },
    /// A word of a Matrix Market header that is not known, or does not go with the others.
    #[error("`{found}` is not read: a header takes {expected}")]
    Unknown {
        /// The word.
        found: String,
        /// What stands there in files that are read.
        expected: &'static str,
    },
    /// Too many or too few words.
    #[error("{given} words, where {expected} are expected")]
    Words {
        /// The number of words.
        given: usize,
        /// What is expected.
        expected: &'static str,
    },
    /// A word that is no number of its kind.
    #[error("`{found}` is no {expected}")]
    Number {
        /// The word.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A number past the largest of its type.
    #[error("`{found}` is past the largest {kind}")]
    Overflow {
        /// The word.
        found: String,
        /// The type.
        kind: &'static str,
    },
    /// Sizes that no matrix here has.
    #[error("{rows} x {columns}: at most 2^32 - 2 rows and columns are taken")]
    TooLarge {
        /// Rows.
        rows: u64,
        /// Columns.
        columns: u64,
    },
    /// A symmetric matrix that is not square.
    #[error("{rows} x {columns}: a {symmetry} matrix is square")]
    NotSquare {
        /// Rows.
        rows: u64,
        /// Columns.
        columns: u64,
        /// The symmetry.
        symmetry: &'static str,
    },
    /// An index out of range.
    #[error("{what} {index} is out of range: the matrix has {what}s 1 to {limit}")]
    Index {
        /// `row` or `column`.
        what: &'static str,
        /// The index.
        index: u64,
        /// The largest.
        limit: usize,
    },
    /// An entry that a symmetric matrix does not store.
    #[error("entry ({row}, {column}): a {symmetry} matrix has entries {stored} only")]
    Triangle {
        /// The row.
        row: u64,
        /// The column.
        column: u64,
        /// The symmetry.
        symmetry: &'static str,
        /// Where entries stand.
        stored: &'static str,
    },
    /// A diagonal entry of a Hermitian matrix that is not real.
    #[error("entry ({row}, {row}): the diagonal of a Hermitian matrix is real")]
    Diagonal {
        /// The row.
        row: u64,
    },
    /// The file ends before all entries.
    #[error("the file ends after {given} of {expected} entries")]
    Missing {
        /// Entries that were read.
        given: u64,
        /// Entries that the header tells of.
        expected: u64,
    },
    /// SMS ends without its last line.
    #[error("the file ends without the line 0 0 0")]
    Open,
    /// More follows the last entry.
    #[error("more follows the last of {expected} entries")]
    Surplus {
        /// Entries that the header tells of.
        expected: u64,
    },
}

//! Faults of a line or a value of a file.

/// What is wrong with a line or a value of a file. Rows and columns are counted from 1, as files do.
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
    /// A row of comma-separated values with more or fewer fields than the line before.
    #[error("{found} fields, where the line before has {expected}")]
    Fields {
        /// Its fields.
        found: usize,
        /// The fields of the line before.
        expected: usize,
    },
    /// A field of comma-separated values without a number.
    #[error("field {field} is empty")]
    EmptyField {
        /// The field, from 1.
        field: usize,
    },
    /// A quote of comma-separated values without its end on the line, or with text behind it.
    #[error("field {field} has a quote that does not end, or text behind it")]
    Quote {
        /// The field, from 1.
        field: usize,
    },
    /// A word of a Matrix Market header that is not known, or does not go with the others.
    #[error("`{found}` is not read: a header takes {expected}")]
    Unknown {
        /// The word.
        found: String,
        /// What stands there in files that are read.
        expected: &'static str,
    },
    /// A type of a Harwell-Boeing matrix that is not known or not read.
    #[error("`{found}` is not read: {expected}")]
    Type {
        /// The type.
        found: String,
        /// What types are read.
        expected: &'static str,
    },
    /// A Fortran format that numbers are not read by.
    #[error("`{found}` is no Fortran format of {expected}")]
    Format {
        /// The format, or the line where it should be.
        found: String,
        /// Formats that are read.
        expected: &'static str,
    },
    /// No number in a field of a line.
    #[error("no number in characters {first} to {last}")]
    Blank {
        /// The first character of the field, from 1.
        first: usize,
        /// Its last character.
        last: usize,
    },
    /// Pointers of columns that do not rise from 1 to one past the entries.
    #[error("pointer {index} is {found}, where {least} to {most} are possible")]
    Pointer {
        /// The number of the pointer, from 1.
        index: u64,
        /// The pointer.
        found: u64,
        /// The least that it can be: the one before.
        least: u64,
        /// The largest that it can be.
        most: u64,
    },
    /// Something else than a vector or a matrix in brackets has.
    #[error("{found}: expected {expected}")]
    Bracket {
        /// The word in backticks, or the end.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// Numbers modulo another number than those that are read.
    #[error("numbers modulo {given}, where {} are read", .expected.map_or("integers".to_owned(), |p| format!("numbers modulo {p}")))]
    Modulus {
        /// The modulus of the text.
        given: u64,
        /// The modulus of the numbers read; `None` for integers.
        expected: Option<u64>,
    },
    /// Another number of entries than rows and columns have.
    #[error("{given} entries of a matrix of {rows} rows and {columns} columns")]
    Entries {
        /// The number of entries.
        given: usize,
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
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
    /// An integer of more digits than an exponent may make.
    #[error("`{found}` has more than the {most} digits that an exponent may make: write them out")]
    Digits {
        /// The word.
        found: String,
        /// The most digits.
        most: i64,
    },
    /// An integer that its type does not hold.
    #[error("{found} is out of the range of {number_type}")]
    Range {
        /// The word.
        found: String,
        /// The type.
        number_type: &'static str,
    },
    /// A number of an array that is none of an integer type.
    #[error("{found} is no {number_type}")]
    OfType {
        /// The number.
        found: String,
        /// The type.
        number_type: &'static str,
    },
    /// A number that rounds to infinity in its type.
    #[error("{found} is past the largest {number_type}")]
    PastLargest {
        /// The number.
        found: String,
        /// The type.
        number_type: &'static str,
    },
    /// NaN or an infinity where numbers are computed with.
    #[error("{found} is not finite")]
    NotFinite {
        /// The word or number.
        found: String,
    },
    /// An integer that stands for an infinity.
    #[error("{found} stands for {infinity} in type {number_type}: take a weight nearer to 0, or a wider type")]
    Reserved {
        /// The integer.
        found: String,
        /// The infinity.
        infinity: &'static str,
        /// The type.
        number_type: &'static str,
    },
    /// The infinity that no path has, where no arc is.
    #[error("{found} is no weight: where no arc is, write {expected}")]
    NoArc {
        /// The infinity.
        found: String,
        /// The other one.
        expected: &'static str,
    },
    /// An integer among fractions that double precision does not hold exactly.
    #[error(
        "{found} is an integer that double precision does not hold exactly, beside fractions: write it with a point, and it is rounded"
    )]
    Rounded {
        /// The word.
        found: String,
    },
    /// Sizes that no matrix here has.
    #[error("{rows} x {columns}: at most 2^32 - 2 rows and columns are taken")]
    TooLarge {
        /// Rows.
        rows: u64,
        /// Columns.
        columns: u64,
    },
    /// A matrix where a vector is read.
    #[error("a matrix of {rows} rows and {columns} columns, where a vector has one row or one column")]
    NotVector {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
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
    /// A place that was given before, where each is taken once.
    #[error("entry ({row}, {column}) is given twice")]
    Twice {
        /// The row.
        row: u64,
        /// The column.
        column: u64,
    },
    /// The file ends before all entries.
    #[error("the file ends after {given} of {expected} entries")]
    Missing {
        /// Entries that were read.
        given: u64,
        /// The number of entries by the header.
        expected: u64,
    },
    /// The file ends before all numbers of a section.
    #[error("the file ends after {given} of {expected} {what}")]
    Section {
        /// `pointers`, `row indices` or `values`.
        what: &'static str,
        /// Numbers that were read.
        given: u64,
        /// The number of numbers by the header.
        expected: u64,
    },
    /// SMS ends without its last line.
    #[error("the file ends without the line 0 0 0")]
    Open,
    /// More follows the last entry.
    #[error("more follows the last of {expected} entries")]
    Surplus {
        /// The number of entries by the header.
        expected: u64,
    },
}

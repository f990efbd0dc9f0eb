//! Matrices over semirings: read from texts, formats with a head and arrays, and written. Infinities are `inf` and `-inf`, of integers
//! that keep them the greatest and the least one.

use manycore_device::{DeviceError, ErrorKind, LibraryError, host_room};
use manycore_operation::files::{
    Array, EntryValue, FileError, LineFault, MatrixFormat, MatrixText, NotFinite, NpyNumber, Number, Numeral,
    RepeatedEntries, Source, Text, memory, real,
};
use manycore_operation::json::{Json, integer};
use manycore_operation::{Failure, Files, OperationError};

use super::kind::Kind;
use crate::matrix::Matrix;
use crate::ready::Bounded;

/// A type of entries.
pub trait Entry: Bounded + PartialOrd + Numeral + NpyNumber {
    /// Whether infinities are integers that stand for them.
    const IS_INTEGER: bool;

    /// The finite number that a text says.
    fn parse(text: &str) -> Option<Self> {
        Self::of_word(text, NotFinite::Refused).ok()
    }

    /// Its text without infinities of integers.
    fn text(self) -> String {
        self.short_text()
    }

    /// As JSON, without infinities of integers.
    fn json(self) -> Json;

    /// Whether two are the same bits, or no numbers.
    fn is_same(self, other: Self) -> bool;

    /// The number with the other sign, where the type holds it.
    fn negated(self) -> Option<Self>;
}

macro_rules! integers {
    ($($word:ty)*) => {$(
        impl Entry for $word {
            const IS_INTEGER: bool = true;

            fn json(self) -> Json {
                integer(self)
            }

            fn is_same(self, other: Self) -> bool {
                self == other
            }

            fn negated(self) -> Option<Self> {
                self.checked_neg()
            }
        }
    )*};
}

integers! { i32 i64 }

macro_rules! reals {
    ($($word:ty)*) => {$(
        impl Entry for $word {
            const IS_INTEGER: bool = false;

            fn json(self) -> Json {
                // The double of the fewest digits: of single precision, too, those that it is written in.
                real_number(self.to_string().parse().unwrap_or(f64::NAN))
            }

            fn is_same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }

            fn negated(self) -> Option<Self> {
                Some(-self)
            }
        }
    )*};
}

reals! { f32 f64 }

/// The JSON form of a number: a number, or one of the strings `NaN`, `Infinity` and `-Infinity`.
fn real_number(value: f64) -> Json {
    match value {
        value if value.is_finite() => value.into(),
        value if value.is_nan() => "NaN".into(),
        value if value > 0.0 => "Infinity".into(),
        _ => "-Infinity".into(),
    }
}

/// Which infinities entries may be. Those of integers are their greatest and least number, which are then no numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Infinities {
    /// Both.
    Kept,
    /// None.
    None,
    /// `-inf` alone, where no arc is.
    Least,
    /// `inf` alone, where no arc is and the least is sought.
    Greatest,
}

impl Infinities {
    /// An entry as text.
    pub fn text<T: Entry>(self, entry: T) -> String {
        self.infinity(entry).map_or_else(|| entry.text(), str::to_owned)
    }

    /// Appends an entry as text.
    pub fn push<T: Entry>(self, entry: T, text: &mut String) {
        match self.infinity(entry) {
            Some(word) => text.push_str(word),
            None => entry.push_short(text),
        }
    }

    /// An entry as JSON.
    pub fn json<T: Entry>(self, entry: T) -> Json {
        match self.infinity(entry) {
            Some("inf") => real_number(f64::INFINITY),
            Some(_) => real_number(f64::NEG_INFINITY),
            None => entry.json(),
        }
    }

    /// The word of an infinity.
    fn infinity<T: Entry>(self, entry: T) -> Option<&'static str> {
        let is_kept = self != Self::None;
        (is_kept && entry == T::GREATEST).then_some("inf").or_else(|| (is_kept && entry == T::LEAST).then_some("-inf"))
    }

    /// The entry of a word.
    fn entry<T: Entry>(self, word: Word<T>) -> Result<T, LineFault> {
        let (is_negative, entry) = match word {
            // What stands for an infinity is no number.
            Word::Number(number) if T::IS_INTEGER => {
                return self.infinity(number).map_or(Ok(number), |infinity| {
                    let found = number.text();
                    Err(LineFault::Reserved { found, infinity, number_type: T::NAME })
                });
            }
            Word::Number(number) => return Ok(number),
            Word::Infinity { is_negative: false } => (false, T::GREATEST),
            Word::Infinity { is_negative: true } => (true, T::LEAST),
        };
        let found = || if is_negative { "-inf" } else { "inf" }.to_owned();
        match (self, is_negative) {
            (Self::Kept, _) | (Self::Least, true) | (Self::Greatest, false) => Ok(entry),
            (Self::Least, _) => Err(LineFault::NoArc { found: found(), expected: "-inf" }),
            (Self::Greatest, _) => Err(LineFault::NoArc { found: found(), expected: "inf" }),
            (Self::None, _) if T::IS_INTEGER => Err(LineFault::Number { found: found(), expected: "integer" }),
            (Self::None, _) => Err(LineFault::NotFinite { found: found() }),
        }
    }
}

/// What stands for an entry: a number or an infinity.
#[derive(Debug, Clone, Copy)]
enum Word<T> {
    Number(T),
    Infinity { is_negative: bool },
}

impl<T: Entry> EntryValue for Word<T> {
    fn of_words(words: &[&str]) -> Result<Self, LineFault> {
        let word = words.first().copied().unwrap_or("1");
        let infinity =
            || real::<f64>(word).filter(|value| value.is_infinite() && !word.contains(|c: char| c.is_ascii_digit()));
        match T::of_word(word, NotFinite::Refused) {
            Ok(number) => Ok(Self::Number(number)),
            Err(fault) => infinity().map(|value| Self::Infinity { is_negative: value < 0.0 }).ok_or(fault),
        }
    }

    fn negative(&self) -> Result<Self, LineFault> {
        match *self {
            Self::Number(number) => number.negated().map(Self::Number).ok_or_else(|| {
                let number_type = T::NAME;
                LineFault::Range { found: format!("the negative of {}", number.text()), number_type }
            }),
            Self::Infinity { is_negative } => Ok(Self::Infinity { is_negative: !is_negative }),
        }
    }
}

/// The zero of a semiring: the sum of nothing.
pub fn zero<T: Entry>(kind: Kind) -> T {
    match kind {
        Kind::PlusTimes | Kind::OrAnd => T::ZERO,
        Kind::MaxPlus | Kind::MaxMin | Kind::MaxTimes => T::LEAST,
        Kind::MinPlus | Kind::MinMax => T::GREATEST,
    }
}

/// What is wrong with the entries of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntriesError {
    /// A file without entries.
    #[error("{file}: no entries")]
    Empty {
        /// The file.
        file: String,
    },
    /// A row with another number of entries than the first.
    #[error("{file}:{line}: {found} entries, where the first row has {columns}")]
    Ragged {
        /// The file.
        file: String,
        /// The line that the row ends on, from 1.
        line: usize,
        /// Its entries.
        found: usize,
        /// The entries of the first row.
        columns: usize,
    },
    /// An entry that a file of coordinates leaves out, where no value stands for it.
    #[error(
        "{file}: entry ({row}, {column}) is left out: a program has several semirings, so that no one value stands for it"
    )]
    LeftOut {
        /// The file.
        file: String,
        /// The row, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A file of coordinates whose matrix has no room.
    #[error("{file}: {error}")]
    Room {
        /// The file.
        file: String,
        /// The room that is wanted, and what there is.
        error: DeviceError,
    },
}

impl LibraryError for EntriesError {
    fn kind(&self) -> ErrorKind {
        if let Self::Room { .. } = self { ErrorKind::Memory } else { ErrorKind::Value }
    }
}

impl Failure for EntriesError {}

/// Reads the matrix of an input: a text with a row a line, one of brackets or of a format with a head, or an array of two dimensions.
/// Entries that a file of coordinates leaves out are `absent`; without such a value they are an error.
///
/// # Errors
/// What is wrong in the file, and where; [`EntriesError`].
pub fn read<T: Entry>(
    files: &mut dyn Files,
    input: usize,
    infinities: Infinities,
    absent: Option<T>,
) -> Result<Matrix<T>, OperationError> {
    of_source(files.matrix(input)?, infinities, absent)
}

/// The matrix of a source, in the forms that [`read`] takes.
///
/// # Errors
/// Those of [`read`].
pub fn of_source<T: Entry>(
    source: Source<'_>,
    infinities: Infinities,
    absent: Option<T>,
) -> Result<Matrix<T>, OperationError> {
    match source {
        Source::Text(text) if MatrixFormat::of(text.as_str()).is_some() => with_head(&text, infinities, absent),
        Source::Text(text) => rows(&text, infinities),
        Source::Array(array) => of_array(array, infinities),
    }
}

/// The matrix of an array, whose integers may be those that stand for infinities.
///
/// # Errors
/// Those of [`read`].
pub fn of_array<T: Entry>(array: Array<'_>, infinities: Infinities) -> Result<Matrix<T>, OperationError> {
    let (file, (rows, columns), by_columns) = (array.file().to_owned(), array.shape(), array.is_by_columns());
    if rows == 0 || columns == 0 {
        return Err(EntriesError::Empty { file }.into());
    }
    let mut entries = Vec::new();
    array.each(|index, number| {
        let entry = match number {
            Number::Real(value) if value.is_infinite() => infinities.entry(Word::Infinity { is_negative: value < 0.0 }),
            number => T::of_number(number, NotFinite::Refused),
        };
        let wrong = |reason| FileError::Value { file: file.clone(), index, reason: Box::new(reason) };
        Ok::<(), FileError>(memory::push(&mut entries, entry.map_err(wrong)?, || format!("the entries of {file}"))?)
    })?;
    if by_columns {
        let (rows, columns) = (rows as usize, columns as usize);
        memory::probe(size_of_val(&entries[..]) as u64, || format!("the entries of {file}"))?;
        entries = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| column * rows + row))
            .map(|at| entries[at])
            .collect();
    }
    Ok(Matrix::stored(rows, columns, &entries)?)
}

/// The matrix of a text with a row a line, or in brackets.
///
/// # Errors
/// Those of [`read`].
pub fn rows<T: Entry>(text: &Text, infinities: Infinities) -> Result<Matrix<T>, OperationError> {
    let of_integer = |integer| T::of_number(Number::Integer(integer), NotFinite::Refused).ok();
    let of_word = |word: &str| Word::of_words(&[word]).and_then(|word| infinities.entry(word));
    if let Some((rows @ 1.., entries)) =
        text.rows(|integer| infinities.entry(Word::Number(of_integer(integer)?)).ok(), of_word)
    {
        let columns = entries.len() / rows;
        return Ok(Matrix::stored(rows as u64, columns as u64, &entries)?);
    }
    // Brackets, or what is wrong.
    let file = text.file();
    let mut entries: Vec<T> = Vec::new();
    // For each row its number or line, the line that it ends on, and its entries.
    let mut rows: Vec<(usize, usize, usize)> = Vec::new();
    let take = |row: usize, line: usize, word: &str| {
        let entry = of_word(word).map_err(|reason| text.wrong(line, reason))?;
        memory::push(&mut entries, entry, || format!("the entries of {file}"))?;
        match rows.last_mut() {
            Some((last, end, found)) if *last == row => (*end, *found) = (line, *found + 1),
            _ => rows.push((row, line, 1)),
        }
        Ok::<(), FileError>(())
    };
    if text.is_bracketed() {
        text.bracketed(None, take).map(|_| ())
    } else {
        let mut take = take;
        text.words(|line, word| take(line, line, word))
    }?;
    let file = || file.to_owned();
    let Some(&(_, _, columns)) = rows.first() else { return Err(EntriesError::Empty { file: file() }.into()) };
    if let Some(&(_, line, found)) = rows.iter().find(|(_, _, found)| *found != columns) {
        return Err(EntriesError::Ragged { file: file(), line, found, columns }.into());
    }
    Ok(Matrix::stored(rows.len() as u64, columns as u64, &entries)?)
}

/// The entries of a format with a head: row, column, entry.
///
/// # Errors
/// What is wrong in the file, and where.
pub fn coordinates<T: Entry>(
    text: MatrixText<'_>,
    file: &str,
    infinities: Infinities,
    repeated: RepeatedEntries,
    mut take: impl FnMut(u32, u32, T),
) -> Result<(), FileError> {
    text.entries::<Word<T>, FileError>(repeated, |entry| {
        let value = infinities.entry(entry.value).map_err(|reason| {
            let (file, line, reason) = (file.to_owned(), entry.line, Box::new(reason));
            FileError::Line { file, line, reason }
        })?;
        take(entry.row, entry.column, value);
        Ok(())
    })
}

/// The matrix of a text in a format with a head.
fn with_head<T: Entry>(text: &Text, infinities: Infinities, absent: Option<T>) -> Result<Matrix<T>, OperationError> {
    let file = text.file();
    let read = MatrixText::new(text.as_str().as_bytes(), file)?;
    let (rows, columns) = (read.head().rows, read.head().columns);
    if rows == 0 || columns == 0 {
        return Err(EntriesError::Empty { file: file.to_owned() }.into());
    }
    let mut entries: Vec<Option<T>> = Vec::new();
    let len = rows.saturating_mul(columns);
    // The file does not have all entries: they count as what is computed, under --memory.
    host_room(len.saturating_mul(size_of::<Option<T>>()) as u64)
        .map_err(|error| EntriesError::Room { file: file.to_owned(), error })?;
    memory::reserve(&mut entries, len, || format!("the entries of {file}"))?;
    entries.resize(len, absent);
    coordinates(read, file, infinities, RepeatedEntries::Refuse, |row, column, entry| {
        entries[row as usize * columns + column as usize] = Some(entry);
    })?;
    let all: Result<Vec<T>, usize> = entries.iter().enumerate().map(|(at, entry)| entry.ok_or(at)).collect();
    let all = all.map_err(|at| EntriesError::LeftOut {
        file: file.to_owned(),
        row: at / columns + 1,
        column: at % columns + 1,
    })?;
    Ok(Matrix::stored(rows as u64, columns as u64, &all)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: Entry>(text: &str, infinities: Infinities, absent: Option<T>) -> Result<Vec<T>, String> {
        let Source::Text(text) = Source::matrix("x", text.as_bytes()).unwrap() else { panic!("a text") };
        let matrix = match MatrixFormat::of(text.as_str()) {
            Some(_) => with_head(&text, infinities, absent),
            None => rows(&text, infinities),
        };
        matrix.map(|matrix| matrix.entries()).map_err(|error| error.to_string())
    }

    #[test]
    fn infinities_are_read_where_they_have_a_place() {
        use Infinities::{Greatest, Kept, Least, None as No};
        assert_eq!(read("1 -inf", Kept, None::<i64>), Ok(vec![1, i64::MIN]));
        assert_eq!(read("[1, inf; 2.0, 2e3]", Greatest, None), Ok(vec![1, i64::MAX, 2, 2000]));
        assert_eq!(read("1.5 -inf", Least, None), Ok(vec![1.5, f64::NEG_INFINITY]));
        for (text, infinities, message) in [
            ("1 inf", No, "x:1: `inf` is no integer"),
            ("1\ninf", Least, "x:2: inf is no weight: where no arc is, write -inf"),
            ("-inf", Greatest, "x:1: -inf is no weight: where no arc is, write inf"),
            ("1 nan", Kept, "x:1: `nan` is no integer"),
            (
                "9223372036854775807",
                Greatest,
                "x:1: 9223372036854775807 stands for inf in type i64: take a weight nearer to 0, or a wider type",
            ),
            (
                "0 -9223372036854775808",
                Kept,
                "x:1: -9223372036854775808 stands for -inf in type i64: take a weight nearer to 0, or a wider type",
            ),
            ("1,,2", Kept, "x:1: no number before comma 2"),
            ("1 2\n3", Kept, "x:2: 1 entries, where the first row has 2"),
        ] {
            assert_eq!(read::<i64>(text, infinities, None), Err(message.to_owned()), "{text}");
        }
        assert_eq!(read("-9223372036854775808", No, None), Ok(vec![i64::MIN]));
        for (text, infinities, message) in [
            ("1 nan", Kept, "x:1: nan is not finite"),
            ("1e400", Kept, "x:1: 1e400 is past the largest f64"),
            ("inf", No, "x:1: inf is not finite"),
        ] {
            assert_eq!(read::<f64>(text, infinities, None), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn formats_with_a_head_have_entries_that_are_left_out() {
        let text = "%%MatrixMarket matrix coordinate real general\n2 2 2\n2 1 inf\n1 1 2.0\n";
        assert_eq!(read(text, Infinities::Greatest, Some(i64::MAX)), Ok(vec![2, i64::MAX, i64::MAX, i64::MAX]));
        assert_eq!(read(text, Infinities::Kept, Some(0.0)), Ok(vec![2.0, 0.0, f64::INFINITY, 0.0]));
        let left_out = read::<i64>(text, Infinities::Kept, None).unwrap_err();
        assert!(left_out.starts_with("x: entry (1, 2) is left out"), "{left_out}");
        let error = read(text, Infinities::None, Some(0.0)).unwrap_err();
        assert_eq!(error, "x:3: inf is not finite");
        let skew = "%%MatrixMarket matrix array integer skew-symmetric\n2 2\n5\n";
        assert_eq!(read(skew, Infinities::None, Some(0)), Ok(vec![0, -5, 5, 0]));
    }

    #[test]
    fn json_has_strings_for_what_numbers_do_not_hold() {
        let json = |entry: i64| Infinities::Kept.json(entry).to_string();
        assert_eq!(
            [json(7), json(1 << 53), json(i64::MIN), json(i64::MAX)],
            ["7", "9007199254740992", "\"-Infinity\"", "\"Infinity\""]
        );
        assert_eq!(Infinities::None.json(i64::MAX).to_string(), "\"9223372036854775807\"");
        assert_eq!(Infinities::None.json(0.1f32).to_string(), "0.1");
        assert_eq!(Infinities::Kept.json(f64::NAN).to_string(), "\"NaN\"");
    }
}

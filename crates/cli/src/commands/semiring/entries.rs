//! Matrices as text, a row a line, and entries as they are written: infinities are `inf` and `-inf`, of integers that keep them the
//! greatest and the least one.

use std::path::Path;

use manycore::files::{Array, Number, Source, memory};
use manycore::semiring::{Bounded, Matrix};
use serde_json::{Value as Json, json};

use crate::error::Error;
use crate::input::{self, InputError};

/// A type of entries.
pub(crate) trait Entry: Bounded + PartialOrd {
    /// The number that a text says.
    fn parse(text: &str) -> Option<Self>;

    /// A number of an array; `None` where the type does not hold it.
    fn of_number(number: Number) -> Option<Self>;

    /// Its text without infinities.
    fn text(self) -> String;

    /// As JSON; infinities and what is no number are texts.
    fn json(self) -> Json;

    /// Whether two are the same bits, or no numbers.
    fn is_same(self, other: Self) -> bool;
}

macro_rules! integers {
    ($($word:ty)*) => {$(
        impl Entry for $word {
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn of_number(number: Number) -> Option<Self> {
                number.integer()?.try_into().ok()
            }

            fn text(self) -> String {
                self.to_string()
            }

            fn json(self) -> Json {
                json!(self)
            }

            fn is_same(self, other: Self) -> bool {
                self == other
            }
        }
    )*};
}

integers! { i32 i64 }

macro_rules! reals {
    ($($word:ty)*) => {$(
        impl Entry for $word {
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn of_number(number: Number) -> Option<Self> {
                Some(match number {
                    Number::Integer(value) => value as $word,
                    Number::Real(value) => value as $word,
                })
            }

            fn text(self) -> String {
                self.to_string()
            }

            fn json(self) -> Json {
                if self.is_finite() { json!(self) } else { json!(self.to_string()) }
            }

            fn is_same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        }
    )*};
}

reals! { f32 f64 }

/// How infinities of integers are written: as such, or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Infinities {
    Kept,
    None,
}

impl Infinities {
    /// An entry as text.
    pub(crate) fn text<T: Entry>(self, entry: T) -> String {
        match self {
            Self::Kept if entry == T::GREATEST => "inf".to_owned(),
            Self::Kept if entry == T::LEAST => "-inf".to_owned(),
            _ => entry.text(),
        }
    }

    /// An entry as JSON.
    pub(crate) fn json<T: Entry>(self, entry: T) -> Json {
        match self {
            Self::Kept if entry == T::GREATEST || entry == T::LEAST => json!(self.text(entry)),
            _ => entry.json(),
        }
    }

    fn parse<T: Entry>(self, text: &str) -> Option<T> {
        match text {
            "inf" | "+inf" if self == Self::Kept => Some(T::GREATEST),
            "-inf" if self == Self::Kept => Some(T::LEAST),
            _ => T::parse(text),
        }
    }
}

/// Reads a matrix: text with a row a line, entries with white space or commas between them, of which `#` begins a comment; or an array of
/// two dimensions.
pub(crate) fn read<T: Entry>(path: &Path, infinities: Infinities, type_name: &str) -> Result<Matrix<T>, Error> {
    match input::open_matrix(path).map_err(InputError::from)? {
        Source::Text(text) => parse(text.as_str(), text.file(), infinities, type_name),
        Source::Array(array) => of_array(array, type_name),
    }
}

/// The matrix of an array.
pub(crate) fn of_array<T: Entry>(array: Array<'_>, type_name: &str) -> Result<Matrix<T>, Error> {
    let (file, (rows, columns), by_columns) = (array.file().to_owned(), array.shape(), array.is_by_columns());
    if rows == 0 || columns == 0 {
        return Err(Error::Usage(format!("{file}: no entries")));
    }
    let (mut entries, mut wrong) = (Vec::new(), None);
    array.each(|index, number| {
        match T::of_number(number) {
            Some(entry) => memory::push(&mut entries, entry, || format!("the entries of {file}"))?,
            None => {
                wrong.get_or_insert((index, number));
            }
        }
        Ok::<(), InputError>(())
    })?;
    if let Some((index, number)) = wrong {
        return Err(Error::Usage(format!("{file}: value {}, {number}, is no entry of type {type_name}", index + 1)));
    }
    if by_columns {
        let (rows, columns) = (rows as usize, columns as usize);
        memory::probe(size_of_val(&entries[..]) as u64, || format!("the entries of {file}"))
            .map_err(InputError::from)?;
        entries = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| column * rows + row))
            .map(|at| entries[at])
            .collect();
    }
    Ok(Matrix::stored(rows, columns, &entries)?)
}

/// The matrix of a text, which errors call `file`.
pub(crate) fn parse<T: Entry>(
    text: &str,
    file: &str,
    infinities: Infinities,
    type_name: &str,
) -> Result<Matrix<T>, Error> {
    let (mut entries, mut rows, mut columns) = (Vec::new(), 0u64, None);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let before = entries.len();
        for word in line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            let wrong = || Error::Usage(format!("{file}:{number}: {word:?} is no entry of type {type_name}"));
            entries.push(infinities.parse(word).ok_or_else(wrong)?);
        }
        let found = entries.len() - before;
        if found == 0 {
            continue;
        }
        rows += 1;
        let expected = *columns.get_or_insert(found);
        if found != expected {
            return Err(Error::Usage(format!("{file}:{number}: {found} entries, where the first row has {expected}")));
        }
    }
    let Some(columns) = columns else { return Err(Error::Usage(format!("{file}: no entries"))) };
    Ok(Matrix::stored(rows, columns as u64, &entries)?)
}

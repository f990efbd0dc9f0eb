//! Matrices as text, a row a line, and entries as they are written: infinities are `inf` and `-inf`, of integers that keep them the
//! greatest and the least one.

use std::path::Path;

use manycore::semiring::{Bounded, Matrix};
use serde_json::{Value as Json, json};

use crate::error::Error;
use crate::input;

/// A type of entries.
pub(crate) trait Entry: Bounded + PartialOrd {
    /// The number that a text says.
    fn parse(text: &str) -> Option<Self>;

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

/// Reads a matrix: a row a line, entries with white space or commas between them; `#` begins a comment.
pub(crate) fn read<T: Entry>(path: &Path, infinities: Infinities, type_name: &str) -> Result<Matrix<T>, Error> {
    parse(&input::plain_text(path)?, &input::name(path), infinities, type_name)
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

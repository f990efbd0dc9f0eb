//! Functions and S-boxes as texts, and the lines of what is wrong in them.

use manycore_device::{ErrorKind, LibraryError};
use manycore_files::memory::push;
use manycore_files::{NotFinite, Numeral as _, shown, without_comments};
use manycore_operation::{Failure, Files, OperationError};

use crate::error::TableError;
use crate::sbox::SBox;

/// Why a text is no Boolean function and no S-box, with its file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The text holds no function or S-box.
    #[error("{place}: {error}")]
    Table {
        /// The file, and the line where one is wrong.
        place: String,
        /// What is wrong.
        error: TableError,
    },
    /// A minterm that is no number.
    #[error("{place}: minterm {}, {value}, is no number below 2^64", index + 1)]
    NoMinterm {
        /// The file and the line.
        place: String,
        /// The minterm's index, from 0, where the message counts from 1.
        index: usize,
        /// The text.
        value: String,
    },
    /// A file without values.
    #[error("{file}: no values")]
    Empty {
        /// The file.
        file: String,
    },
}

impl LibraryError for TextError {
    fn kind(&self) -> ErrorKind {
        if let Self::Table { error, .. } = self { error.kind() } else { ErrorKind::Value }
    }
}

impl Failure for TextError {}

/// The text of an input; comments become white space, so that positions stay, and white space at the end goes.
///
/// # Errors
/// Where it cannot be read, or is no text.
pub(super) fn plain_text(files: &mut dyn Files, input: usize) -> Result<String, OperationError> {
    Ok(without_comments(files.text(input)?, &files.name(input))?)
}

/// The error of a text that is no function or S-box, with the line where one is wrong; positions are then those in the line.
pub(super) fn table_error(file: &str, text: &str, error: TableError) -> TextError {
    let word = |index: u64| {
        let word = SBox::words(text).nth(usize::try_from(index).ok()?)?;
        Some(word.as_ptr() as usize - text.as_ptr() as usize)
    };
    // The characters before a position that counts from 1, in bytes.
    let before = |position: u64| {
        let index = usize::try_from(position.saturating_sub(1)).unwrap_or(usize::MAX);
        text.char_indices().nth(index).map_or(text.len(), |(at, _)| at)
    };
    let in_line = |at: usize| text[..at].rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
    let (at, error) = match error {
        TableError::Digit { position, found, radix } => {
            let at = before(position);
            (Some(at), TableError::Digit { position: in_line(at), found, radix })
        }
        TableError::Syntax { position, found, expected } => {
            let at = before(position);
            (Some(at), TableError::Syntax { position: in_line(at), found: shown(&found), expected })
        }
        TableError::Variable { position, variable, last } => {
            let at = before(position);
            (Some(at), TableError::Variable { position: in_line(at), variable: shown(&variable), last })
        }
        TableError::Number { index, found } => (word(index), TableError::Number { index, found: shown(&found) }),
        TableError::Output { index, .. } | TableError::Index { place: index, .. } => (word(index), error),
        other => (None, other),
    };
    TextError::Table { place: at.map_or_else(|| file.to_owned(), |at| line_of(file, &text[..at])), error }
}

/// Reads minterms: the x with f(x) = 1.
///
/// # Errors
/// [`TextError::NoMinterm`] with the line of the first that is no number below 2^64; [`TextError::Memory`].
pub(super) fn minterms(file: &str, text: &str) -> Result<Vec<u64>, OperationError> {
    let mut minterms = Vec::new();
    for word in words(text) {
        let minterm = u64::of_word(word, NotFinite::Refused).map_err(|_| {
            let before = &text[..word.as_ptr() as usize - text.as_ptr() as usize];
            TextError::NoMinterm { place: line_of(file, before), index: minterms.len(), value: shown(word) }
        })?;
        push(&mut minterms, minterm, || format!("the minterms of {file}"))?;
    }
    Ok(minterms)
}

/// The words between white space and commas.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

/// The file, and the line that comes after this much of its text.
fn line_of(file: &str, before: &str) -> String {
    format!("{file}:{}", before.matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let message = |text: &str, error| table_error("f", text, error).to_string();
        let digit = |position, found| TableError::Digit { position, found, radix: 2 };
        assert_eq!(message("01\n012", digit(6, '2')), "f:2: character 3, \"2\": expected a digit of base 2");
        assert_eq!(message("é1\n\n2", digit(5, '2')), "f:3: character 1, \"2\": expected a digit of base 2");
        let end = || TableError::Syntax { position: 7, found: "the end".into(), expected: "a term" };
        assert_eq!(message("x1\nx2+", end()), "f:2: character 4, the end: expected a term");
        let number = |index, found: &str| TableError::Number { index, found: found.into() };
        assert_eq!(message("1, 2\n,3 z", number(3, "z")), "f:2: S(3) is \"z\": expected a number below 65536");
        let output = TableError::Output { index: 1, output: 9, limit: 8 };
        assert_eq!(message("1\n\n9", output), "f:3: S(1) is 9: outputs are below 8");
        let len = TableError::NotPowerOfTwo { len: 3 };
        assert_eq!(message("011", len), "f: 3 values: a function of n variables has 2^n");
    }

    #[test]
    fn minterms_are_numbers() {
        let minterms = |text: &str| minterms("f", text).map_err(|error| error.to_string());
        assert_eq!(minterms("3, 5.0 6\n7"), Ok(vec![3, 5, 6, 7]));
        assert_eq!(minterms("3\n5 x"), Err("f:2: minterm 3, x, is no number below 2^64".to_owned()));
    }
}

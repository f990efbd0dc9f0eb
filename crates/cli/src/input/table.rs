//! Texts of Boolean functions and S-boxes, and the lines of what is wrong in them.

use std::fs::File;
use std::io;
use std::path::Path;

use manycore::files::{decode, read_all, shown, without_comments};
use manycore::{FileError, TableError};

use super::{InputError, name};

/// Reads a text; comments become white space, so that positions stay, and white space at the end goes.
///
/// # Errors
/// [`FileError`] for what cannot be read or is no text, and for what does not fit.
pub fn plain_text(path: &Path) -> Result<String, FileError> {
    Ok(without_comments(lines_of_text(path)?, &name(path))?)
}

/// Reads a text with its comments.
///
/// # Errors
/// As [`plain_text`].
pub fn lines_of_text(path: &Path) -> Result<String, FileError> {
    Ok(decode(&bytes(path)?, &name(path))?.into_owned())
}

/// Reads a file as it is.
///
/// # Errors
/// [`FileError`] for what cannot be read, and for what does not fit.
pub fn bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    let file = name(path);
    if path == Path::new("-") {
        return read_all(io::stdin().lock(), &file);
    }
    let opened = File::open(path).map_err(|error| FileError::Read { file: file.clone(), error })?;
    read_all(opened, &file)
}

/// The error of a text that is no function or S-box, with the line where one is wrong; positions are then those in the line.
pub fn table_error(path: &Path, text: &str, error: TableError) -> InputError {
    let word = |index: u64| {
        let word = manycore::SBox::words(text).nth(usize::try_from(index).ok()?)?;
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
    InputError::Table { place: at.map_or_else(|| name(path), |at| line_of(path, &text[..at])), error }
}

/// The file, and the line that comes after this much of its text.
fn line_of(path: &Path, before: &str) -> String {
    format!("{}:{}", name(path), before.matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let message = |text: &str, error| table_error(Path::new("f"), text, error).to_string();
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
}

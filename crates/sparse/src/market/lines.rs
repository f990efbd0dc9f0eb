//! Lines of a matrix file, and the words on them.

use manycore_files::{FileError, shown};

use super::error::{LineFault, SparseFileError};

/// Lines that are read one after another.
pub(super) struct Lines<'a> {
    file: &'a str,
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the line read last, from 1.
    line: usize,
    /// Lines that begin so are comments.
    comment: char,
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    ///
    /// # Errors
    /// [`FileError::NotText`] with the line.
    pub(super) fn new(bytes: &'a [u8], file: &'a str, comment: char) -> Result<Self, SparseFileError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
            FileError::NotText { file: file.to_owned(), line }
        })?;
        Ok(Self { file, rest: text.lines().enumerate(), line: 0, comment })
    }

    /// The next line of all.
    pub(super) fn any(&mut self) -> Option<&'a str> {
        let (index, line) = self.rest.next()?;
        self.line = index + 1;
        Some(line)
    }

    /// The words of the next line that is neither empty nor a comment.
    pub(super) fn words(&mut self) -> Option<impl Iterator<Item = &'a str> + Clone + use<'a>> {
        loop {
            let line = self.any()?;
            let first = line.trim_start().chars().next();
            if first.is_some_and(|first| first != self.comment) {
                return Some(line.split_whitespace());
            }
        }
    }

    /// What is wrong with the line read last.
    pub(super) fn wrong(&self, reason: LineFault) -> SparseFileError {
        SparseFileError::Line { file: self.file.to_owned(), line: self.line.max(1), reason: Box::new(reason) }
    }

    /// What is missing past the end.
    pub(super) fn missing(&self, reason: LineFault) -> SparseFileError {
        SparseFileError::Line { file: self.file.to_owned(), line: self.line + 1, reason: Box::new(reason) }
    }

    /// A number of rows, columns or entries, or an index.
    pub(super) fn count(&self, word: &str) -> Result<u64, SparseFileError> {
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        word.parse().map_err(|_| {
            let found = shown(word);
            self.wrong(if digits {
                LineFault::Overflow { found, kind: "integer of 64 bits" }
            } else {
                LineFault::Number { found, expected: "whole number from 0" }
            })
        })
    }

    /// An index from 1 of `what`, as one from 0.
    pub(super) fn index(&self, word: &str, what: &'static str, limit: usize) -> Result<u32, SparseFileError> {
        let index = self.count(word)?;
        if index == 0 || index > limit as u64 {
            return Err(self.wrong(LineFault::Index { what, index, limit }));
        }
        Ok((index - 1) as u32)
    }

    /// An integer.
    pub(super) fn integer(&self, word: &str) -> Result<i64, SparseFileError> {
        word.parse().map_err(|_| {
            let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
            let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let found = shown(word);
            self.wrong(if is_integer {
                LineFault::Overflow { found, kind: "integer of 64 bits" }
            } else {
                LineFault::Number { found, expected: "integer" }
            })
        })
    }

    /// A real number, `nan` and `inf` among them.
    pub(super) fn real(&self, word: &str) -> Result<f64, SparseFileError> {
        let wrong = || self.wrong(LineFault::Number { found: shown(word), expected: "real number" });
        // Fortran writes exponents with a `d`.
        let parsed = word.parse().or_else(|_| word.replace(['d', 'D'], "e").parse());
        let value: f64 = parsed.map_err(|_| wrong())?;
        if value.is_infinite() && word.bytes().any(|byte| byte.is_ascii_digit()) {
            return Err(self.wrong(LineFault::Overflow { found: shown(word), kind: "number of double precision" }));
        }
        Ok(value)
    }
}

/// As many words as there should be.
pub(super) fn exactly<'a, const N: usize>(words: impl Iterator<Item = &'a str>) -> Result<[&'a str; N], usize> {
    let mut found = [""; N];
    let mut given = 0;
    for word in words {
        if let Some(place) = found.get_mut(given) {
            *place = word;
        }
        given += 1;
    }
    if given == N { Ok(found) } else { Err(given) }
}

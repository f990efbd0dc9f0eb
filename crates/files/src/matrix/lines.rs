//! Lines of a matrix file, and the words on them.

use crate::error::FileError;
use crate::fault::LineFault;
use crate::shown::shown;

/// The text of these bytes, which are UTF-8, without its byte order mark.
///
/// # Errors
/// [`FileError::NotText`] with the line.
pub(super) fn text<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, FileError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
        FileError::NotText { file: file.to_owned(), line }
    })?;
    Ok(text.trim_start_matches('\u{feff}'))
}

/// Lines that are read one after another.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    file: &'a str,
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the line read last, from 1.
    line: usize,
    /// `%`: lines that begin so are comments. `#`: it begins a comment anywhere.
    comment: char,
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub(super) fn new(text: &'a str, file: &'a str, comment: char) -> Self {
        Self { file, rest: text.lines().enumerate(), line: 0, comment }
    }

    /// What errors call the file.
    pub(super) fn file(&self) -> &'a str {
        self.file
    }

    /// The number of the line read last, from 1.
    pub(super) fn line(&self) -> usize {
        self.line.max(1)
    }

    /// The next line of all.
    pub(super) fn any(&mut self) -> Option<&'a str> {
        let (index, line) = self.rest.next()?;
        self.line = index + 1;
        Some(line)
    }

    /// The next line that is not blank, a comment too; an empty one past the end.
    pub(super) fn filled(&mut self) -> &'a str {
        loop {
            match self.any() {
                Some(line) if line.trim().is_empty() => {}
                line => return line.unwrap_or_default(),
            }
        }
    }

    /// The words of the next line that is neither empty nor a comment.
    pub(super) fn words(&mut self) -> Option<std::str::SplitWhitespace<'a>> {
        loop {
            let mut line = self.any()?;
            if self.comment == '#' {
                line = line.split_once('#').map_or(line, |(words, _)| words);
            }
            let first = line.trim_start().chars().next();
            if first.is_some_and(|first| first != self.comment) {
                return Some(line.split_whitespace());
            }
        }
    }

    /// What is wrong with the line read last.
    pub(super) fn wrong(&self, reason: LineFault) -> FileError {
        FileError::at(self.file, self.line(), reason)
    }

    /// What is missing past the end.
    pub(super) fn missing(&self, reason: LineFault) -> FileError {
        FileError::at(self.file, self.line + 1, reason)
    }

    /// A number of rows, columns or entries, or an index.
    pub(super) fn count(&self, word: &str) -> Result<u64, FileError> {
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

    /// Numbers of rows and columns that indices of 32 bits count.
    pub(super) fn sizes(&self, rows: u64, columns: u64) -> Result<(usize, usize), FileError> {
        let limit = u64::from(u32::MAX);
        if rows >= limit || columns >= limit {
            return Err(self.wrong(LineFault::TooLarge { rows, columns }));
        }
        Ok((rows as usize, columns as usize))
    }

    /// An index from 1 of `what`, as one from 0.
    pub(super) fn index(&self, word: &str, what: &'static str, limit: usize) -> Result<u32, FileError> {
        let index = self.count(word)?;
        if index == 0 || index > limit as u64 {
            return Err(self.wrong(LineFault::Index { what, index, limit }));
        }
        Ok((index - 1) as u32)
    }
}

/// As many words as there should be, or their number.
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

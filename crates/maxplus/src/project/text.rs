//! Lines of a project's text with their numbers, and words of them as integers.

use manycore_files::{NotFinite, Numeral};

use crate::error::ProjectTextError;

/// The lines that say something, one after the other.
pub(super) struct Lines<'a> {
    file: &'a str,
    rest: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'a>>>,
    last: usize,
}

/// A line: its number from 1, and its words.
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
    pub(super) words: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, rest: text.lines().enumerate().peekable(), last: 0 }
    }

    /// What is wrong at a line.
    pub(super) fn wrong(&self, line: usize, what: impl Into<String>) -> ProjectTextError {
        ProjectTextError { file: self.file.to_owned(), line, what: what.into() }
    }

    /// The next line with words; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Line<'a>> {
        for (at, text) in self.rest.by_ref() {
            self.last = at + 1;
            let words: Vec<&str> = text.split_whitespace().collect();
            if !words.is_empty() {
                return Some(Line { number: at + 1, text, words });
            }
        }
        None
    }

    /// The next line with words, which must be there for this.
    pub(super) fn expect(&mut self, what: &str) -> Result<Line<'a>, ProjectTextError> {
        self.next().ok_or_else(|| self.wrong(self.last + 1, format!("the file ends where {what} should come")))
    }

    /// An integer of a line's words.
    pub(super) fn integer(&self, line: &Line<'_>, at: usize, what: &str) -> Result<i64, ProjectTextError> {
        let Some(&word) = line.words.get(at) else {
            return Err(self.wrong(line.number, format!("{what} is missing: {} words", line.words.len())));
        };
        self.number(line.number, word, what)
    }

    /// A word as an integer.
    pub(super) fn number(&self, line: usize, word: &str, what: &str) -> Result<i64, ProjectTextError> {
        i64::of_word(word, NotFinite::Refused).map_err(|fault| self.wrong(line, format!("{fault}: {what} is expected")))
    }

    /// A word as a count within a limit.
    pub(super) fn count(&self, line: &Line<'_>, at: usize, what: &str, most: i64) -> Result<usize, ProjectTextError> {
        let count = self.integer(line, at, what)?;
        if !(0..=most).contains(&count) {
            return Err(self.wrong(line.number, format!("{what} is {count}, which is not within 0 to {most}")));
        }
        Ok(count as usize)
    }
}

/// The most tasks that a text may announce: each takes a line.
pub(super) const MOST_TASKS: i64 = 1 << 28;

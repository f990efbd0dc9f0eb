//! Vectors as text: decimal numbers separated by white space or commas, of which `#` begins a comment; or the Matrix Market format.

use std::io::{BufRead, Read};

use crate::brackets;
use crate::decode::decode_owned;
use crate::error::FileError;
use crate::fault::LineFault;
use crate::matrix::MatrixFormat;
use crate::memory;
use crate::npy::Number;
use crate::number::{NotFinite, Numeral};
use crate::pieces::Values;
use crate::vector;
use crate::words::line_words;

/// A text that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    file: String,
    text: String,
}

impl Text {
    /// Reads all of `reader`.
    pub(crate) fn read(reader: impl BufRead, file: String) -> Result<Self, FileError> {
        let bytes = read_all(reader, &file)?;
        let text = decode_owned(bytes, &file)?;
        Ok(Self { file, text })
    }

    /// What errors call it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is a vector or matrix of complex numbers in the Matrix Market format, whose values have two words each.
    pub fn is_complex(&self) -> bool {
        vector::is_complex(&self.text, &self.file)
    }

    /// Whether it is a vector or matrix in brackets, as Sage and PARI/GP print them: `[1, 2, 3]`, `[1, 2; 3, 4]`, `[[1, 2], [3, 4]]`, rows
    /// `[1 2]` on lines, `matrix(GF(7), [[1, 2], [3, 4]])`.
    pub fn is_bracketed(&self) -> bool {
        brackets::is_bracketed(&self.text)
    }

    /// Calls `take` for each entry of a text in brackets with its row, from 0, its line, from 1, and the word; returns the number of
    /// rows. Numbers modulo something, `Mod(3, 7)` or over `GF(7)`, are taken only where that is `modulus`.
    ///
    /// ```
    /// use manycore_files::{FileError, Source};
    /// let Source::Text(text) = Source::new("a", "[Mod(1, 7), Mod(2, 7); 3, 4]".as_bytes())? else { unreachable!() };
    /// let mut entries = Vec::new();
    /// let rows = text.bracketed(Some(7), |row, _, word| {
    ///     entries.push((row, word));
    ///     Ok::<(), FileError>(())
    /// })?;
    /// assert_eq!((rows, entries), (2, vec![(0, "1"), (0, "2"), (1, "3"), (1, "4")]));
    /// let error = text.bracketed(Some(5), |_, _, _| Ok::<(), FileError>(())).unwrap_err();
    /// assert_eq!(error.to_string(), "a:1: numbers modulo 7, where numbers modulo 5 are read");
    /// # Ok::<(), FileError>(())
    /// ```
    ///
    /// # Errors
    /// [`FileError::Line`] with what is wrong; those of `take`, which end the reading.
    pub fn bracketed<'a, E: From<FileError>>(
        &'a self,
        modulus: Option<u64>,
        mut take: impl FnMut(usize, usize, &'a str) -> Result<(), E>,
    ) -> Result<usize, E> {
        let found = brackets::read(&self.text).map_err(|(line, fault)| self.wrong(line, fault))?;
        match found.modulus {
            Some((given, line)) if modulus != Some(given) => {
                return Err(self.wrong(line, LineFault::Modulus { given, expected: modulus }).into());
            }
            _ => {}
        }
        found.entries.iter().try_for_each(|entry| take(entry.row, entry.line, entry.word))?;
        Ok(found.rows)
    }

    /// The error of a line, from 1.
    pub fn wrong(&self, line: usize, reason: LineFault) -> FileError {
        FileError::Line { file: self.file.clone(), line, reason: Box::new(reason) }
    }

    /// Calls `take` for each word in turn with its line, from 1; of a vector in the Matrix Market format for each value, with `0` for
    /// those that its coordinates leave out; of a vector in brackets for each entry.
    ///
    /// # Errors
    /// As [`Text::words_modulo`], where numbers modulo something are none.
    pub fn words<'a, E: From<FileError>>(&'a self, take: impl FnMut(usize, &'a str) -> Result<(), E>) -> Result<(), E> {
        self.words_modulo(None, take)
    }

    /// The words of a text of numbers modulo `modulus`, which may have numbers such as `Mod(3, 7)`, and be over `GF(7)`.
    ///
    /// # Errors
    /// [`FileError::Comma`] where a comma has no word before it; [`FileError::Line`] for a vector in the Matrix Market format that is
    /// wrong, or a matrix, also in brackets; those of `take`, which end the reading.
    pub fn words_modulo<'a, E: From<FileError>>(
        &'a self,
        modulus: Option<u64>,
        mut take: impl FnMut(usize, &'a str) -> Result<(), E>,
    ) -> Result<(), E> {
        if MatrixFormat::of(&self.text) == Some(MatrixFormat::MatrixMarket) {
            return vector::words(&self.text, &self.file, take);
        }
        if self.is_bracketed() {
            let (mut columns, mut all) = (0, 0);
            let rows = self.bracketed(modulus, |row, line, word| {
                columns += usize::from(row == 0);
                all += 1;
                take(line, word)
            })?;
            if rows > 1 && all > rows {
                return Err(self.wrong(1, LineFault::NotVector { rows, columns }).into());
            }
            return Ok(());
        }
        for (index, line) in self.text.lines().enumerate() {
            line_words(line, index + 1, &self.file, &mut take)?;
        }
        Ok(())
    }

    /// The value of each word in turn, as [`Text::words_modulo`] has them: what `of_word` makes of it, and of integers of 19 digits at most
    /// what `of_integer` makes of them, where that is anything, which must be the same. A text of some megabytes is read by as many
    /// threads as the system has processors. `what` names the values where they do not fit memory, as in `values`.
    ///
    /// ```
    /// use manycore_files::{FileError, NotFinite, Numeral, Source};
    /// let Source::Text(text) = Source::new("a", "1, -2 # two\n3e0".as_bytes())? else { unreachable!() };
    /// let squares = text.values(None, |x| Some(x * x), |word| i64::of_word(word, NotFinite::Refused).map(|x| i128::from(x * x)), "squares")?;
    /// assert_eq!(squares, [1, 4, 9]);
    /// # Ok::<(), FileError>(())
    /// ```
    ///
    /// # Errors
    /// [`FileError::Line`] with the first word that `of_word` refuses; those of [`Text::words_modulo`]; [`FileError::Memory`].
    pub fn values<T: Send>(
        &self,
        modulus: Option<u64>,
        of_integer: impl Fn(i128) -> Option<T> + Sync,
        of_word: impl Fn(&str) -> Result<T, LineFault> + Sync,
        what: &str,
    ) -> Result<Vec<T>, FileError> {
        if self.is_plain() {
            match (Values { file: &self.file, of_integer, of_word: &of_word }).read(&self.text) {
                Ok(lines) => return Ok(lines.values),
                // Pieces take memory beside the values.
                Err(FileError::Memory(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let mut values = Vec::new();
        self.words_modulo(modulus, |line, word| {
            let value = of_word(word).map_err(|reason| self.wrong(line, reason))?;
            Ok::<(), FileError>(memory::push(&mut values, value, || format!("the {what} of {}", self.file))?)
        })?;
        Ok(values)
    }

    /// The values of a matrix with a row a line, of which each has as many: the number of rows and their values, one after the other, as
    /// [`Text::values`] reads them. None for a text with a head or in brackets, and for a wrong text: [`Text::words`] finds the place.
    ///
    /// ```
    /// use manycore_files::{NotFinite, Numeral, Source};
    /// let read = |text: &str| {
    ///     let Ok(Source::Text(text)) = Source::new("a", text.as_bytes()) else { unreachable!() };
    ///     text.rows(|value| i64::try_from(value).ok(), |word| i64::of_word(word, NotFinite::Refused))
    /// };
    /// assert_eq!(read("1 2\n\n3 4"), Some((2, vec![1, 2, 3, 4])));
    /// assert_eq!(read("1 2\n3"), None);
    /// ```
    pub fn rows<T: Send>(
        &self,
        of_integer: impl Fn(i128) -> Option<T> + Sync,
        of_word: impl Fn(&str) -> Result<T, LineFault> + Sync,
    ) -> Option<(usize, Vec<T>)> {
        if !self.is_plain() {
            return None;
        }
        let lines = Values { file: &self.file, of_integer, of_word }.read(&self.text).ok()?;
        lines.is_even().then_some((lines.rows, lines.values))
    }

    /// Whether its words stand in lines without a head and brackets.
    fn is_plain(&self) -> bool {
        MatrixFormat::of(&self.text) != Some(MatrixFormat::MatrixMarket) && !self.is_bracketed()
    }

    /// The numbers in a type.
    ///
    /// ```
    /// use manycore_files::{NotFinite, Source};
    /// let Source::Text(text) = Source::new("a", "1, 2e3 # two".as_bytes())? else { unreachable!() };
    /// assert_eq!(text.numbers::<u32>(NotFinite::Refused)?, [1, 2000]);
    /// # Ok::<(), manycore_files::FileError>(())
    /// ```
    ///
    /// # Errors
    /// [`FileError::Line`] with the first word that is no number of the type; those of [`Text::words`].
    pub fn numbers<T: Numeral>(&self, not_finite: NotFinite) -> Result<Vec<T>, FileError> {
        let of_word = |word: &str| T::of_word(word, not_finite);
        self.values(None, |integer| T::of_number(Number::Integer(integer), not_finite).ok(), of_word, "values")
    }
}

/// All bytes of `reader`, which errors call `file`.
///
/// # Errors
/// [`FileError::Read`]; [`FileError::Memory`] where they do not fit.
pub fn read_all(mut reader: impl Read, file: &str) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    loop {
        if bytes.len() == bytes.capacity() {
            memory::grow(&mut bytes, || format!("the bytes of {file}"))?;
        }
        let room = (bytes.capacity() - bytes.len()) as u64;
        match reader.by_ref().take(room).read_to_end(&mut bytes) {
            Ok(0) => return Ok(bytes),
            Ok(_) => {}
            Err(error) => return Err(FileError::Read { file: file.to_owned(), error }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<(usize, String)>, String> {
        let text = Text::read(text.as_bytes(), "x.txt".into()).unwrap();
        let mut words = Vec::new();
        let all = text.words(|line, word| {
            words.push((line, word.to_owned()));
            Ok::<(), FileError>(())
        });
        all.map(|()| words).map_err(|error| error.to_string())
    }

    #[test]
    fn separators_and_comments() {
        let expected: Vec<(usize, String)> =
            [(2, "1"), (2, "2"), (2, "-3"), (4, "+4")].map(|(line, word)| (line, word.to_owned())).into();
        assert_eq!(words("# four values\n1, 2\t-3 # and\n\n+4,\r\n"), Ok(expected));
        assert_eq!(words(""), Ok(vec![]));
        assert_eq!(words("1,2,#").unwrap().len(), 2);
    }

    #[test]
    fn vectors_in_brackets() {
        let expected: Vec<(usize, String)> = [(1, "1"), (2, "-2")].map(|(line, word)| (line, word.to_owned())).into();
        for text in ["[1,\n-2]", "[1\n -2]~", "[1;\n-2]", "(1,\n-2)", "[1]\n[-2]", "vector(ZZ, [1,\n-2])"] {
            assert_eq!(words(text), Ok(expected.clone()), "{text}");
        }
        let error = words("[1, 2; 3, 4]").unwrap_err();
        assert_eq!(error, "x.txt:1: a matrix of 2 rows and 2 columns, where a vector has one row or one column");
        assert_eq!(words("[Mod(3, 7)]"), Err("x.txt:1: numbers modulo 7, where integers are read".into()));
    }

    #[test]
    fn a_comma_needs_a_word_before_it() {
        assert_eq!(words("1\n2, ,3"), Err("x.txt:2: no number before comma 2".into()));
        assert_eq!(words(",3"), Err("x.txt:1: no number before comma 1".into()));
    }

    #[test]
    fn all_bytes_are_read() {
        for len in [0, 1, 63, 64, 65, 1000, 1 << 17] {
            let bytes: Vec<u8> = (0..len).map(|i| (i * 7) as u8).collect();
            assert_eq!(read_all(&bytes[..], "x").unwrap(), bytes);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_line() {
        let error = Text::read(&b"1\n2\n\xff"[..], "x.txt".into()).unwrap_err();
        assert_eq!(error.to_string(), "x.txt:3: neither text nor a .npy file");
    }
}

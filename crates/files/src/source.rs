//! An input that is opened: a text or an array.

use std::io::{self, BufRead};
use std::path::Path;

use crate::array::Array;
use crate::error::FileError;
use crate::npy::MAGIC;
use crate::opened::{opened, unpacked};
use crate::text::Text;

/// A vector or matrix that is opened for reading. What begins like a `.npy` file is one; the rest is text.
#[derive(Debug)]
pub enum Source<'a> {
    /// A text, read whole.
    Text(Text),
    /// An array whose header is read.
    Array(Array<'a>),
}

impl<'a> Source<'a> {
    /// Opens a file, an array of an archive or a `.csv` file, which [`opened`] distinguishes by the name.
    ///
    /// # Errors
    /// [`FileError`] where it cannot be read, or is neither text nor an array of one dimension.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let (reader, file) = opened(path)?;
        Self::with(file, reader, Array::open)
    }

    /// Reads standard input, which errors call so.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn standard_input() -> Result<Self, FileError> {
        Self::new("standard input", io::stdin().lock())
    }

    /// Reads a matrix from standard input, which errors call so.
    ///
    /// # Errors
    /// As [`Source::open_matrix`].
    pub fn standard_input_matrix() -> Result<Self, FileError> {
        Self::matrix("standard input", io::stdin().lock())
    }

    /// Opens a file of a matrix, of the kind that [`opened`] finds by the name: a text, or an array of two dimensions.
    ///
    /// # Errors
    /// [`FileError`] where it cannot be read, or is neither text nor an array of two dimensions.
    pub fn open_matrix(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let (reader, file) = opened(path)?;
        Self::with(file, reader, Array::open_matrix)
    }

    /// Reads `reader`, which errors call `file`.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn new(file: impl Into<String>, reader: impl BufRead + 'a) -> Result<Self, FileError> {
        let (reader, file) = unpacked(reader, file.into())?;
        Self::with(file, reader, Array::open)
    }

    /// Reads the matrix of `reader`, which errors call `file`.
    ///
    /// # Errors
    /// As [`Source::open_matrix`].
    pub fn matrix(file: impl Into<String>, reader: impl BufRead + 'a) -> Result<Self, FileError> {
        let (reader, file) = unpacked(reader, file.into())?;
        Self::with(file, reader, Array::open_matrix)
    }

    /// Reads `reader`, which errors call `file`; returns whether it was a complex vector in the Matrix Market format; there are no arrays
    /// without the feature `npy`.
    ///
    /// # Errors
    /// As [`Source::open`].
    #[cfg(not(feature = "npy"))]
    pub fn with_parts(file: impl Into<String>, reader: impl BufRead + 'a) -> Result<(Self, bool), FileError> {
        let source = Self::new(file, reader)?;
        let is_complex = matches!(&source, Self::Text(text) if text.is_complex());
        Ok((source, is_complex))
    }

    fn with(
        file: String,
        mut reader: Box<dyn BufRead + 'a>,
        open: impl FnOnce(Box<dyn BufRead + 'a>, String) -> Result<Array<'a>, FileError>,
    ) -> Result<Self, FileError> {
        // Text never begins with this byte: it is no first byte of a character.
        let is_npy = match reader.fill_buf() {
            Ok(bytes) => bytes.first() == Some(&MAGIC[0]),
            Err(error) => return Err(FileError::Read { file, error }),
        };
        if is_npy { open(reader, file).map(Self::Array) } else { Text::read(reader, file).map(Self::Text) }
    }

    /// What errors call it.
    pub fn file(&self) -> &str {
        match self {
            Self::Text(text) => text.file(),
            Self::Array(array) => array.file(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_file_is_named() {
        let error = Source::open("no/such/file").unwrap_err();
        assert!(error.to_string().starts_with("no/such/file: "), "{error}");
    }

    #[test]
    fn forms_are_told_apart() {
        assert!(matches!(Source::new("x", &b"1 2"[..]), Ok(Source::Text(_))));
        assert!(matches!(Source::new("x", &b""[..]), Ok(Source::Text(_))));
        #[cfg(feature = "npy")]
        assert_eq!(
            Source::new("x", &b"\x93NUMPY"[..]).unwrap_err().to_string(),
            "x: ends within the header of a .npy file"
        );
    }

    #[test]
    fn a_reader_that_fails_is_named() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("gone"))
            }
        }
        let error = Source::new("x", io::BufReader::new(Broken)).unwrap_err();
        assert_eq!(error.to_string(), "x: gone");
    }
}

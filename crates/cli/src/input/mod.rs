//! Vectors from files: text or `.npy` arrays, distinguished by their first bytes; `-` is standard input.

mod table;

use std::io;
use std::path::Path;

use manycore::device::DeviceError;
use manycore::files::memory::probe;
use manycore::files::{NotFinite, OutOfMemory, Source, opened, shown_path};
use manycore::linalg::file::{Dense, FileEntry};
pub(crate) use manycore::operation::vector::Numbers;
use manycore::{FileError, LinalgError, MatrixFileError};

pub use table::{bytes, lines_of_text, plain_text};

/// Why an input cannot be used. Every variant names the file, and the line or value that is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The file cannot be read, or holds something else than numbers.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no memory for what the file holds.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The file does not hold a matrix.
    #[error(transparent)]
    Matrix(Box<MatrixFileError>),
}

impl From<MatrixFileError> for InputError {
    fn from(error: MatrixFileError) -> Self {
        Self::Matrix(Box::new(error))
    }
}

impl InputError {
    /// Whether memory was missing, and nothing is wrong with the input.
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            Self::Memory(_) => true,
            Self::File(error) => error.is_out_of_memory(),
            Self::Matrix(error) => match &**error {
                MatrixFileError::File(error) => error.is_out_of_memory(),
                MatrixFileError::Matrix { error, .. } => {
                    matches!(**error, LinalgError::Device(DeviceError::OutOfMemory { .. }))
                }
                _ => false,
            },
        }
    }
}

/// What messages call a file.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { shown_path(path) }
}

/// Reads numbers in the type that their file has, of no values too.
///
/// # Errors
/// [`InputError`] with the file and what is wrong in it.
pub(crate) fn own_numbers(path: &Path, not_finite: NotFinite) -> Result<Numbers, InputError> {
    let source = open(path)?;
    let file = source.file().to_owned();
    let numbers = Numbers::read(source, not_finite)?;
    match &numbers {
        Numbers::Vector(vector) => vector.room_for_results(&file)?,
        Numbers::Unsigned(values) => room_for_results(values, &file)?,
    }
    Ok(numbers)
}

/// Reads a matrix of numbers.
///
/// # Errors
/// [`InputError::Matrix`]; [`InputError::File`].
pub fn matrix<T: FileEntry>(path: &Path) -> Result<Dense<T>, InputError> {
    let matrix = manycore::linalg::file::read(open_matrix(path)?)?;
    room_for_results(&matrix.entries, &name(path))?;
    Ok(matrix)
}

/// Refuses values with which nothing can be computed: there must be memory for them on a device, and for their result.
fn room_for_results<T>(values: &[T], file: &str) -> Result<(), OutOfMemory> {
    probe(2 * size_of_val(values) as u64, || format!("the results of {file}"))
}

/// Opens a file, or standard input.
pub(crate) fn open(path: &Path) -> Result<Source<'static>, FileError> {
    if path == Path::new("-") { Source::standard_input() } else { Source::open(path) }
}

/// Opens a file of a matrix, or standard input.
pub(crate) fn open_matrix(path: &Path) -> Result<Source<'static>, FileError> {
    if path == Path::new("-") { Source::standard_input_matrix() } else { Source::open_matrix(path) }
}

/// Opens a file of numbers, an array of complex numbers as their real and imaginary parts, one after the other. Tells whether it is such
/// an array.
///
/// # Errors
/// [`FileError`] for what cannot be read.
pub(crate) fn open_parts(path: &Path) -> Result<(Source<'static>, bool), FileError> {
    if path == Path::new("-") {
        return Source::with_parts(name(path), io::stdin().lock());
    }
    let (reader, file) = opened(path)?;
    Source::with_parts(file, reader)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(name(Path::new("-")), "standard input");
        assert_eq!(name(Path::new("a/b.txt")), "a/b.txt");
    }

    #[test]
    fn an_absent_file_is_named() {
        let error = own_numbers(Path::new("no/such/file"), NotFinite::Refused).unwrap_err();
        assert!(error.to_string().starts_with("no/such/file: "), "{error}");
    }
}

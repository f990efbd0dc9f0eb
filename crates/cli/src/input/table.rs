//! Texts, with their comments and without.

use std::fs::File;
use std::io;
use std::path::Path;

use manycore::FileError;
use manycore::files::{decode, read_all, without_comments};

use super::name;

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

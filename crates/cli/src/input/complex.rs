//! Vectors that may hold complex numbers, two numbers each.

use std::io;
use std::path::Path;

use manycore::files::{NotFinite, Source, opened};

use super::{InputError, name};
use crate::vector::{NumberType, Vector};

/// Reads a vector as [`vector`](super::vector) does, and an array of complex numbers as their real and imaginary parts, one
/// after the other. Tells whether it was such an array.
///
/// # Errors
/// [`InputError`] with the file and what is wrong in it.
pub fn vector_of_parts(path: &Path, wanted: Option<NumberType>) -> Result<(Vector, bool), InputError> {
    let file = name(path);
    let (source, is_complex) = if path == Path::new("-") {
        Source::with_parts(&file, io::stdin().lock())?
    } else {
        let (reader, file) = opened(path)?;
        Source::with_parts(file, reader)?
    };
    let vector = Vector::read(source, wanted, NotFinite::Refused)?;
    if vector.is_empty() {
        return Err(InputError::Empty { file });
    }
    vector.room_for_results(&file)?;
    Ok((vector, is_complex))
}

//! Files that may hold complex numbers, two numbers each.

use std::io;
use std::path::Path;

use manycore::FileError;
use manycore::files::{Source, opened};

use super::name;

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

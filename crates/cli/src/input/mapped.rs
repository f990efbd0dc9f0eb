//! Which arrays are left in their files: those that are larger than memory, or `--memory`, holds with their results, and whose result goes
//! to a file.

use std::path::Path;

use manycore::FileError;
use manycore::files::{NpyNumber, memory};
use manycore::operation::left;
pub(crate) use manycore::operation::left::{Mapped, Numbers};

use super::InputError;
use crate::arguments::Global;
use crate::destination;
use crate::output;
use crate::vector::NumberType;

/// What a vector takes of memory where it is not left in its file: as it is read, as it is computed, and as it is written.
const COPIES: u64 = 3;

/// The array of a file, where it is left there: one of numbers of the type that is wanted, or of their own type without one, which is
/// larger than memory, or `--memory`, holds with its results, and whose result goes to a file.
///
/// # Errors
/// [`InputError::File`] for a file that cannot be read, and for an array that is none.
pub(crate) fn numbers(path: &Path, wanted: Option<NumberType>, global: &Global) -> Result<Option<Numbers>, InputError> {
    Ok(of_types(path, left::types(wanted), global)?)
}

/// The array of unsigned 64-bit integers of a file, where [`numbers`] would leave it there.
///
/// # Errors
/// As there.
pub(crate) fn unsigned(path: &Path, global: &Global) -> Result<Option<Numbers>, InputError> {
    Ok(of_types(path, left::UNSIGNED, global)?)
}

/// The array of one of these types of a file, where [`numbers`] would leave it there.
///
/// # Errors
/// As there.
pub(crate) fn of_types(
    path: &Path,
    types: &[(&str, NumberType)],
    global: &Global,
) -> Result<Option<Numbers>, FileError> {
    let Some(file) = destination::file(global).filter(|_| !global.json && global.shard.is_none()) else {
        return Ok(None);
    };
    let limit = global.memory.unwrap_or_else(memory::free_bytes);
    let folder = file.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(left::find(path, types, folder)?.filter(|found| found.bytes().saturating_mul(COPIES) > limit))
}

/// Writes numbers as text, one a line, or as an array.
///
/// # Errors
/// [`crate::error::Error::Output`] when they cannot be written.
pub(crate) fn write<T: NpyNumber>(global: &Global, numbers: &[T]) -> Result<(), crate::error::Error> {
    let format = output::format(global);
    output::write(global, |out| format.write(out, numbers))
}

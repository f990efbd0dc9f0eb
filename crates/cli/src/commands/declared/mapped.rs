//! Arrays that are mapped from their files: those that are too large for memory, or for `--memory`, with their results, and whose result
//! goes to a file.

use std::path::Path;

use manycore::FileError;
use manycore::files::memory;
use manycore::operation::left;

use crate::destination;
use crate::global::Global;
use manycore::operation::vector::NumberType;

/// What a vector takes of memory where it is not left in its file: as it is read, as it is computed, and as it is written.
const COPIES: u64 = 3;

/// The array of a file, where it is left there: one of numbers of one of these types, which is larger than memory, or `--memory`, holds
/// with its results, and whose result goes to a file.
///
/// # Errors
/// [`FileError`] for a file that cannot be read, and for an array that is none.
pub(crate) fn of_types(
    path: &Path,
    types: &[(&str, NumberType)],
    global: &Global,
) -> Result<Option<left::Numbers>, FileError> {
    let Some(file) = destination::file(global).filter(|_| !global.json && global.shard.is_none()) else {
        return Ok(None);
    };
    let limit = global.memory.unwrap_or_else(memory::free_bytes);
    let folder = file.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(left::find(path, types, folder)?.filter(|found| found.bytes().saturating_mul(COPIES) > limit))
}

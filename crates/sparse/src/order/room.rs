//! Memory that orders take, asked for before they begin: bytes a row, a column and a non-zero of what each algorithm has in lists.

use manycore_device::host_room;

use crate::error::SparseError;
use crate::pattern::Pattern;

/// Bytes that an algorithm takes at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Of each row and each column.
    pub(super) line_bytes: u64,
    /// Of each non-zero.
    pub(super) non_zero_bytes: u64,
}

impl Room {
    /// Asks for the memory.
    ///
    /// # Errors
    /// [`SparseError::Device`] where the host has not so much.
    pub(super) fn ask(self, pattern: &Pattern) -> Result<(), SparseError> {
        // Rows and columns are below 2^32 each, and non-zeros are in memory.
        let lines = pattern.rows() as u64 + pattern.columns() as u64 + 2;
        let bytes = lines * self.line_bytes + pattern.non_zeros() as u64 * self.non_zero_bytes;
        Ok(host_room(bytes)?)
    }
}

//! The place of a decomposition: one device that holds the matrix, or panels as wide as memory and the number of devices require.

use manycore_device::{Device, DeviceSet};

use super::super::recursive::PANEL;
use crate::error::{LinalgError, Shape};

/// Panels for each device, so that a panel, which one of them has, takes a small part of the time.
const PANELS: usize = 8;
/// Tiles of a lane in each step, so that the last ones end together.
const TURNS: usize = 2;
/// Bytes of the smaller buffers of a step, with what a pool rounds up.
const SMALL_BYTES: u64 = 1 << 14;

/// Matrices of the size of the whole one that a device holds for its factors, and for an elimination in place.
pub(super) const WHOLE: u64 = 4;
pub(super) const IN_PLACE: u64 = 3;

/// How a matrix is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// Columns of a panel, and of a tile at most.
    pub(super) width: usize,
    pub(super) lanes: usize,
    /// Tiles of a step at least, where there are as many columns.
    pub(super) tiles: usize,
}

/// The bytes of `words` words in blocks of a pool, which take at most an eighth more.
fn bytes(words: u64, word_bytes: usize) -> u64 {
    let all = words.saturating_mul(word_bytes as u64);
    all.saturating_add(all / 8).saturating_add(SMALL_BYTES)
}

/// The bytes of a step with panels of `width` columns: the lower factor, a tile with its triangular solution, and the decomposition of a
/// panel with what it picks.
fn step_bytes(rows: usize, width: usize, word_bytes: usize) -> u64 {
    let (rows, width) = (rows as u64, width as u64);
    let picked = width.min(PANEL as u64);
    bytes(5 * rows * width + 4 * width * width + 4 * (rows + width) * picked, word_bytes)
}

/// Where a matrix is decomposed.
pub(super) enum Way {
    /// By one of these devices, each of which holds it: copies between steps would take longer than products on others save.
    Whole(DeviceSet),
    /// By all in blocks.
    Blocks(Cut),
}

/// Where a matrix is decomposed whose decomposition takes the bytes of `copies` copies of it.
pub(super) fn way(set: &DeviceSet, (rows, columns): Shape, word_bytes: usize, copies: u64) -> Result<Way, LinalgError> {
    let picked = 4 * (rows as u64 + columns as u64) * PANEL as u64;
    let words = (rows as u64).saturating_mul(columns as u64).saturating_mul(copies);
    let whole = bytes(words.saturating_add(picked), word_bytes);
    let is_empty = rows == 0 || columns == 0;
    let matrix = (rows as u64).saturating_mul(columns as u64).saturating_mul(word_bytes as u64);
    let holds = |device: &&Device| whole <= device.usable_bytes() && matrix <= device.info().largest_allocation_bytes;
    let holding: Vec<Device> = set.devices().iter().filter(|device| is_empty || holds(device)).cloned().collect();
    if !holding.is_empty() {
        return Ok(Way::Whole(set.of(holding)?));
    }
    let wished = (rows.min(columns) / (PANELS * set.devices().len()) / PANEL * PANEL).max(PANEL);
    let least = step_bytes(rows, 1, word_bytes);
    let no_room = |limit_bytes| LinalgError::Memory { operation: "decomposition", wanted_bytes: least, limit_bytes };
    let room = set.room(least, None).map_err(|error| error.or(no_room))?;
    let mut width = wished.min(columns);
    while step_bytes(rows, width, word_bytes) > room.lane_bytes {
        let half = width / 2;
        width = if half > PANEL { half / PANEL * PANEL } else { half.max(1) };
    }
    Ok(Way::Blocks(Cut { width, lanes: room.lanes, tiles: TURNS * room.all_lanes }))
}

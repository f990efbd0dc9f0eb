//! Character tables by several devices, which share the rows, and past the memory of each.

use std::io::Write;
use std::ops::{ControlFlow, Range};

use manycore_device::{DeviceSet, LANES, Lanes, host_room};

use crate::context::Characters;
use crate::error::CharacterError;
use crate::group::AbelianGroup;
use crate::stream::{Block, Form, StreamError, Take, checked};
use crate::table::{Construction, Tile, words};
use crate::values::Values;

/// Bytes of a block of rows on a device whose memory has room for them.
const BLOCK_BYTES: u64 = 64 << 20;
/// The part of a device's room that a block takes: there are as many as lanes, with tables beside them.
const ROOM_PART: u64 = 8;
/// Blocks of a device in one part of a stream: one for each lane.
const STREAMED: u64 = LANES as u64;

/// A tile of a character table, its entries row after row, made in blocks of rows by several devices, which share them by measured
/// speed. No device holds more than some blocks, and the entries are those of one device: one construction makes all.
///
/// ```
/// use manycore_characters::{AbelianGroup, Exponents, Tile, table_over};
/// use manycore_device::{Device, DeviceSet};
/// let set = DeviceSet::equal(Device::all())?;
/// let entries = table_over(&set, &AbelianGroup::power(2, 8)?, &Exponents::<u8>::new(), &Tile::whole())?;
/// assert_eq!((entries.len(), entries[3 * 256 + 1], entries[3 * 256 + 4]), (1 << 16, 1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Characters::table`], where all devices failed; [`CharacterError::Device`] where the host has no memory for the entries.
#[inline(never)]
pub fn table_over<V: Values>(
    set: &DeviceSet,
    group: &AbelianGroup,
    values: &V,
    tile: &Tile,
) -> Result<Vec<V::Value>, CharacterError> {
    let (rows, columns) = tile.ranges(group)?;
    values.base(group.exponent())?;
    let len = words::<V>(&rows, &columns)? / V::WORDS;
    host_room((len as u64).saturating_mul(size_of::<V::Value>() as u64))?;
    let mut entries: Vec<V::Value> = bytemuck::zeroed_vec(len);
    Shared::new(set, group, values, tile)?.make(&rows, &mut entries)?;
    Ok(entries)
}

/// Makes a tile in blocks of rows by several devices, as [`table_over`], and gives each to `take`, in order; `take` may stop it. The
/// blocks hold `rows_each` rows, by default as many as make 192 MiB for each device. Tells whether all rows were made.
///
/// # Errors
/// As [`table_over`], and those of `take`.
#[inline(never)]
pub fn stream_over<V: Values, E: From<CharacterError>>(
    set: &DeviceSet,
    group: &AbelianGroup,
    values: &V,
    tile: &Tile,
    rows_each: Option<u64>,
    mut take: impl FnMut(&Block<'_, V>) -> Result<ControlFlow<()>, E>,
) -> Result<bool, E> {
    let (all, columns) = tile.ranges(group)?;
    values.base(group.exponent()).map_err(E::from)?;
    let shared = Shared::new(set, group, values, tile)?;
    let width = (columns.end - columns.start) as usize;
    let row_bytes = (width as u64).saturating_mul(size_of::<V::Value>() as u64).max(1);
    let each = rows_each.unwrap_or(set.devices().len() as u64 * STREAMED * BLOCK_BYTES / row_bytes);
    let each = each.clamp(1, (all.end - all.start).max(1));
    let block = |start: u64| start..all.end.min(start.saturating_add(each));
    let mut entries: Vec<V::Value> = Vec::new();
    let mut rows = block(all.start);
    while !rows.is_empty() {
        let len = words::<V>(&rows, &columns)? / V::WORDS;
        if entries.len() < len {
            host_room(len as u64 * size_of::<V::Value>() as u64).map_err(CharacterError::from)?;
            entries = bytemuck::zeroed_vec(len);
        }
        shared.make(&rows, &mut entries[..len])?;
        let (columns, all) = (columns.clone(), all.clone());
        let (construction, entries) = (shared.construction, &entries[..len]);
        if take(&Block { group, values, rows: rows.clone(), columns, all, construction, entries })?.is_break() {
            return Ok(false);
        }
        rows = block(rows.end);
    }
    Ok(true)
}

/// Writes a tile as [`Characters::write_checked`] does, made by several devices as by [`stream_over`].
///
/// # Errors
/// As [`Characters::write_checked`].
pub fn write_checked_over<V: Values>(
    set: &DeviceSet,
    group: &AbelianGroup,
    values: &V,
    tile: &Tile,
    form: Form,
    mut out: impl Write,
    mut check: impl FnMut(&Block<'_, V>) -> ControlFlow<()>,
) -> Result<(), StreamError> {
    let stream = |take: Take<'_, V>| stream_over(set, group, values, tile, None, take);
    checked((group, values, tile, form), &mut out, &mut check, stream)
}

/// Devices with what all blocks of a table have in common.
struct Shared<'a, V: Values> {
    lanes: Lanes<Characters>,
    group: &'a AbelianGroup,
    values: &'a V,
    tile: Tile,
    width: usize,
    construction: Construction,
}

impl<'a, V: Values> Shared<'a, V> {
    fn new(set: &DeviceSet, group: &'a AbelianGroup, values: &'a V, tile: &Tile) -> Result<Self, CharacterError> {
        let (rows, columns) = tile.ranges(group)?;
        let lanes = Lanes::new(set, LANES, |lane| Ok::<_, CharacterError>(Characters::new(lane)))?;
        // Complex numbers are rounded by the construction: the first device chooses for all.
        let construction = match (tile.construction(), lanes.contexts().first()) {
            (Some(construction), _) => construction,
            (None, Some(first)) if !rows.is_empty() && !columns.is_empty() => {
                let row_bytes = (columns.end - columns.start).saturating_mul(size_of::<V::Value>() as u64);
                let most = (BLOCK_BYTES / row_bytes.max(1)).max(1);
                let some = tile.clone().rows(rows.start..rows.end.min(rows.start.saturating_add(most)));
                first.explain_table(group, values, &some)?.best().parameters.construction
            }
            _ => Construction::Direct,
        };
        let width = (columns.end - columns.start) as usize;
        Ok(Self { lanes, group, values, tile: tile.clone().by(construction), width, construction })
    }

    /// Makes rows, which are `entries`.
    fn make(&self, rows: &Range<u64>, entries: &mut [V::Value]) -> Result<(), CharacterError> {
        if entries.is_empty() {
            return Ok(());
        }
        let row_bytes = (self.width * size_of::<V::Value>()) as u64;
        let fits = |context: &Characters| BLOCK_BYTES.min(context.device().room_bytes() / ROOM_PART) / row_bytes;
        // One for each lane, so that all have some: smaller copies are slower.
        let contexts = self.lanes.contexts();
        let most = entries.len() / self.width / contexts.len();
        let each = contexts.iter().map(fits).min().unwrap_or(1).min(most as u64).max(1) as usize;
        self.lanes.share_into(entries, self.width, each, |context, range, part| {
            let mut first = rows.start + range.start as u64;
            for part in part.chunks_mut(each * self.width) {
                let following = first + (part.len() / self.width) as u64;
                let tile = self.tile.clone().rows(first..following);
                context.table(self.group, self.values, &tile)?.download_into(part)?;
                first = following;
            }
            Ok(())
        })
    }
}

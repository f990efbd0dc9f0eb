//! Radix sort on an OpenCL device in one sweep a digit (Adinets and Merrill, Onesweep: A Faster Least Significant Digit Radix Sort
//! for GPUs, 2022): a survey counts all digits, and each sweep reads and writes the keys once.

use manycore_device::{Buffer, Defines, DeviceError, DeviceInfo, KernelSpec, Word, WordType};

use super::data::Sort;
use super::extent::Sweeps;
use super::passes::RETURN;
use crate::digits::{Digits, Flip};
use crate::radix::plan::{DIGITS, PART, SortTile};

// SAFETY: `sort` alone launches them, with both arrays as long as it tells, control words for all digits, and two states for 256
// digits of every tile.
manycore_device::kernel! {
    /// In which bits keys differ, whether they are sorted, and counts of all digits.
    unsafe SURVEY in manycore_kernels::sort::SWEEP: sweep_survey
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Keys to their places.
    unsafe PLACE in manycore_kernels::sort::SWEEP: sweep_place
}
// SAFETY: `sort_tile` alone launches it, with no more keys than a tile has.
manycore_device::kernel! {
    /// All digits of a tile.
    unsafe TILE in manycore_kernels::sort::SWEEP: sweep_tile
}

/// Keys that an item of the survey reads at a time.
const BATCH: usize = 8;
/// Bytes of keys that an item keeps in registers: more of them leave room for too few groups.
const REGISTER_BYTES: usize = 256;
/// Tiles that an item looks back at a time.
const LOOK: usize = 4;
/// Groups of the survey, at most, for each compute unit.
const SURVEYORS: usize = 8;

/// Whether sweeps by such tiles suit a device that gives a group so much local memory.
pub(crate) fn fits(info: &DeviceInfo, local_bytes: usize, tile: SortTile, bytes: (usize, usize)) -> bool {
    let survey = bytes.0 * DIGITS * copies(bytes.0) * 4 + DIGITS * 16 + 64;
    let (group, all) = (tile.group as usize, tile.local_bytes(bytes).max(survey));
    // Ends within a tile have 16 bits.
    tile.group > 0
        && tile.per > 0
        && tile.group.is_multiple_of(PART)
        && group <= info.group_limit
        && tile.keys() < 1 << 16
        && tile.per as usize * bytes.0 <= REGISTER_BYTES
        && all <= local_bytes
}

/// Counts of a digit in local memory, for keys of so many bytes.
fn copies(bytes: usize) -> usize {
    if bytes > 4 { 2 } else { 4 }
}

fn defines<W: Digits, V: Word>(tile: SortTile, is_pairs: bool, flip: Flip<W>) -> Defines {
    let zero = W::of_u64(0);
    let kind = if flip.difference == zero { u8::from(flip.other != zero) } else { 2 };
    Defines::new()
        .set("KEY", W::TYPE.opencl_name())
        .set("VALUE", V::TYPE.opencl_name())
        .set("PAIRS", u8::from(is_pairs))
        .set("GROUP", tile.group)
        .set("PER", tile.per)
        .set("COPIES", copies(size_of::<W>()))
        .set("FLIP", kind)
        .set("LOOK", LOOK)
        .set("VOTES", 1u8)
}

/// Sorts at most a tile of keys.
pub(super) fn sort_tile<W: Digits, V: Word>(sort: Sort<'_, W, V>, tile: SortTile) -> Result<(), DeviceError> {
    let Sort { planner, cl, keys, values, flip } = sort;
    let (len, is_pairs) = (keys.len(), values.is_some());
    let mut none = keys.device().scratch::<V>(1)?;
    let defines = defines::<W, V>(tile, is_pairs, flip).set("COUNT", "uint");
    cl.launch(&*planner.kernel(cl, &TILE, defines)?)
        .buffer(&mut *keys)
        .buffer(values.unwrap_or(&mut none))
        .value(len as u64)
        .value(flip.other)
        .value(flip.difference)
        .groups(1, tile.group as usize)
        .bytes((2 * len * (size_of::<W>() + if is_pairs { size_of::<V>() } else { 0 })) as u64)
        .operations(len as u64)
        .run()
}

/// Sorts keys, with values beside them where there are any.
pub(super) fn sort<W: Digits, V: Word>(sort: Sort<'_, W, V>, tile: SortTile) -> Result<(), DeviceError> {
    let extent = Sweeps::new(sort.keys.len(), tile, size_of::<W>()).ok_or_else(|| sort.too_long(tile.keys()))?;
    if extent.count == WordType::U32 {
        sweep::<W, V, u32>(sort, tile, extent)
    } else {
        sweep::<W, V, u64>(sort, tile, extent)
    }
}

fn sweep<W: Digits, V: Word, C: Word>(sort: Sort<'_, W, V>, tile: SortTile, extent: Sweeps) -> Result<(), DeviceError> {
    let Sort { planner, cl, keys, values, flip } = sort;
    let (device, len, is_pairs) = (keys.device().clone(), keys.len(), values.is_some());
    let group = tile.group as usize;
    let (tiles, passes) = (extent.tiles as usize, size_of::<W>());
    let defines = defines::<W, V>(tile, is_pairs, flip)
        .set("COUNT", C::TYPE.opencl_name())
        .set("WIDE", u8::from(size_of::<C>() == 8));
    let kernel = |spec: &'static KernelSpec| planner.kernel(cl, spec, defines.clone());
    let mut other = device.scratch::<W>(len)?;
    let mut other_values = device.scratch::<V>(if is_pairs { len } else { 1 })?;
    let mut none = device.scratch::<V>(1)?;
    let mut control: Buffer<u32> = device.zeros(extent.control)?;
    let mut states = device.scratch::<C>(extent.states)?;
    let bytes_of_states = (tiles * DIGITS * size_of::<C>()) as u64;
    let surveyors = (SURVEYORS * cl.info().compute_units.max(1) as usize).max(extent.surveyors);
    cl.launch(&*kernel(&SURVEY)?)
        .input(&*keys)
        .value(len as u64)
        .value(flip.other)
        .value(flip.difference)
        .value((tiles * DIGITS) as u64)
        .buffer(&mut control)
        .buffer(&mut states)
        .groups(len.div_ceil(group * BATCH).min(surveyors), group)
        .bytes((len * size_of::<W>()) as u64 + bytes_of_states)
        .operations((len * passes) as u64)
        .run()?;
    let place = kernel(&PLACE)?;
    let values = values.unwrap_or(&mut none);
    let bytes = (len * (size_of::<W>() + if is_pairs { size_of::<V>() } else { 0 })) as u64;
    for shift in (0..W::BITS).step_by(8) {
        cl.launch(&place)
            .buffer(&mut *keys)
            .buffer(&mut other)
            .buffer(&mut *values)
            .buffer(&mut other_values)
            .value(len as u64)
            .value(shift)
            .value(flip.other)
            .value(flip.difference)
            .buffer(&mut control)
            .buffer(&mut states)
            .groups(tiles, group)
            .bytes(2 * bytes + 3 * bytes_of_states)
            .operations(len as u64)
            .run()?;
    }
    if passes > 1 {
        return Ok(());
    }
    // One digit leaves the keys in the other array.
    let defines = Defines::new()
        .set("KEY", W::TYPE.opencl_name())
        .set("VALUE", V::TYPE.opencl_name())
        .set("PAIRS", u8::from(is_pairs))
        .set("GROUP", group);
    cl.launch(&*planner.kernel(cl, &RETURN, defines)?)
        .buffer(keys)
        .input(&other)
        .buffer(values)
        .input(&other_values)
        .value(len as u64)
        .input(&control)
        .items(len, group)
        .bytes(0)
        .run()
}

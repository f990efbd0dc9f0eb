//! Radix sort on an OpenCL device: for each digit of 8 bits the counts of every tile, their sums, and the keys to their places.

use manycore_device::{Buffer, Defines, DeviceError, DeviceInfo, KernelSpec, OpenCl, Word, WordType};
use manycore_tuning::Planner;

use super::data::Sort;
use super::extent::Passes as Extent;
use crate::digits::{Digits, Flip};
use crate::radix::plan::DIGITS;

// SAFETY: `sort` alone launches them, with both arrays as long as it tells, counts for 256 digits of every tile, and flags.
manycore_device::kernel! {
    /// In which bits keys differ, and whether they are sorted.
    unsafe SURVEY in manycore_kernels::sort::RADIX: radix_survey
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Digits of each tile.
    unsafe COUNTS in manycore_kernels::sort::RADIX: radix_counts
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Sums of the counts.
    unsafe SUMS in manycore_kernels::sort::RADIX: radix_sums
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Keys to their places.
    unsafe PLACE in manycore_kernels::sort::RADIX: radix_place
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Keys back to the first array.
    pub(super) unsafe RETURN in manycore_kernels::sort::RADIX: radix_return
}

/// Items of a group, at most.
const GROUP: usize = 256;
/// Keys of an item, at most: tiles of 4096 keep the counts of digits small beside the keys.
const PER: usize = 16;
/// Bytes of local memory beside the keys, for each item and for the digits: places of half digits, sums, bases and begins.
const ITEM_BYTES: usize = 36;
const DIGIT_BYTES: usize = 20;
/// Groups of the survey.
const SURVEYORS: usize = 1024;

/// Sorts keys, with values beside them where there are any.
pub(super) fn sort<W: Digits, V: Word>(sort: Sort<'_, W, V>, group: usize, per: usize) -> Result<(), DeviceError> {
    let extent = Extent::new(sort.keys.len(), group, per).ok_or_else(|| sort.too_long(group * per))?;
    let Sort { planner, cl, keys, values, flip } = sort;
    let (device, len) = (keys.device().clone(), keys.len());
    let is_pairs = values.is_some();
    let bytes = size_of::<W>() + if is_pairs { size_of::<V>() } else { 0 };
    let defines = Defines::new()
        .set("KEY", W::TYPE.opencl_name())
        .set("VALUE", V::TYPE.opencl_name())
        .set("PAIRS", u8::from(is_pairs))
        .set("COUNT", extent.count.opencl_name())
        .set("GROUP", group)
        .set("PER", per);
    let mut other = device.scratch::<W>(len)?;
    let mut other_values = device.scratch::<V>(if is_pairs { len } else { 1 })?;
    let mut none = device.scratch::<V>(1)?;
    let mut differing = device.zeros::<u32>(3)?;
    let survey = planner.kernel(cl, &SURVEY, defines.clone())?;
    cl.launch(&survey)
        .input(&*keys)
        .value(len as u64)
        .value(flip.other)
        .value(flip.difference)
        .buffer(&mut differing)
        .groups(len.div_ceil(group).min(SURVEYORS), group)
        .bytes((len * size_of::<W>()) as u64)
        .operations(len as u64)
        .run()?;
    let pass = Passes { planner, cl, defines, flip, differing, bytes: (len * bytes) as u64, group, extent };
    let values = values.unwrap_or(&mut none);
    if extent.count == WordType::U32 {
        pass.run::<V, u32>([keys, &mut other], [values, &mut other_values])
    } else {
        pass.run::<V, u64>([keys, &mut other], [values, &mut other_values])
    }
}

/// Items of a group and keys of an item, whose tile fits local memory.
pub(crate) fn tile(info: &DeviceInfo, bytes: usize) -> Result<(usize, usize), DeviceError> {
    let mut group = GROUP;
    while group > 1 && group > info.group_limit {
        group /= 2;
    }
    loop {
        let room = (info.local_memory_bytes as usize).saturating_sub(256 * DIGIT_BYTES + group * ITEM_BYTES);
        let most = PER.min(room / (group * bytes));
        match most.checked_ilog2() {
            Some(log) => return Ok((group, 1 << log)),
            None if group == 1 => {
                let feature = format!("a sort's tile in {} bytes of local memory", info.local_memory_bytes);
                return Err(DeviceError::Unsupported { device: info.label(), feature });
            }
            None => group /= 2,
        }
    }
}

/// Whether passes by such tiles suit a device.
pub(crate) fn fits(info: &DeviceInfo, (group, per): (u32, u32), bytes: usize) -> bool {
    let (items, keys) = (group as usize, (group as usize).saturating_mul(per as usize));
    let local = DIGITS * DIGIT_BYTES + items * ITEM_BYTES + keys.saturating_mul(bytes);
    // Ranks within a tile have 16 bits.
    group.is_power_of_two()
        && per.is_power_of_two()
        && items <= info.group_limit
        && keys < 1 << 16
        && local as u64 <= info.local_memory_bytes
}

/// The passes of a sort.
struct Passes<'a, W> {
    planner: &'a Planner,
    cl: &'a OpenCl,
    defines: Defines,
    flip: Flip<W>,
    differing: Buffer<u32>,
    bytes: u64,
    group: usize,
    extent: Extent,
}

impl<W: Digits> Passes<'_, W> {
    /// `C` are counts of keys.
    fn run<V: Word, C: Word>(
        &self,
        [keys, other]: [&mut Buffer<W>; 2],
        [values, other_values]: [&mut Buffer<V>; 2],
    ) -> Result<(), DeviceError> {
        let (cl, len, tiles) = (self.cl, keys.len(), self.extent.tiles);
        let kernel = |spec: &'static KernelSpec| self.planner.kernel(cl, spec, self.defines.clone());
        let (counts, sums) = (kernel(&COUNTS)?, kernel(&SUMS)?);
        let (place, back) = (kernel(&PLACE)?, kernel(&RETURN)?);
        let mut found = keys.device().scratch::<C>(self.extent.counts)?;
        let mut totals = keys.device().scratch::<C>(DIGITS)?;
        let bytes_of_keys = (len * size_of::<W>()) as u64;
        let bytes_of_counts = (DIGITS * tiles * size_of::<C>()) as u64;
        for shift in (0..W::BITS).step_by(8) {
            cl.launch(&counts)
                .input(&*keys)
                .input(&*other)
                .value(len as u64)
                .value(shift)
                .value(self.flip.other)
                .value(self.flip.difference)
                .input(&self.differing)
                .buffer(&mut found)
                .groups(tiles, self.group)
                .bytes(bytes_of_keys + bytes_of_counts)
                .operations(len as u64)
                .run()?;
            cl.launch(&sums)
                .value(tiles as u64)
                .value(shift)
                .input(&self.differing)
                .buffer(&mut found)
                .buffer(&mut totals)
                .groups(DIGITS, self.group)
                .bytes(2 * bytes_of_counts)
                .operations((DIGITS * tiles) as u64)
                .run()?;
            cl.launch(&place)
                .buffer(&mut *keys)
                .buffer(&mut *other)
                .buffer(&mut *values)
                .buffer(&mut *other_values)
                .value(len as u64)
                .value(shift)
                .value(self.flip.other)
                .value(self.flip.difference)
                .input(&self.differing)
                .input(&found)
                .input(&totals)
                .groups(tiles, self.group)
                .bytes(2 * self.bytes + bytes_of_counts)
                .operations(len as u64)
                .run()?;
        }
        cl.launch(&back)
            .buffer(keys)
            .input(&*other)
            .buffer(values)
            .input(&*other_values)
            .value(len as u64)
            .input(&self.differing)
            .items(len, self.group)
            .bytes(0)
            .run()
    }
}

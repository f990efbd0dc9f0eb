//! The primitives on OpenCL devices: one launch each.

use manycore_device::{Buffer, Defines, DeviceKind, OpenCl};

use super::cost::Differences;
use super::table::SBox;
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::groups::{group_items, most_groups};
use crate::tally::{BEST_WORDS, Best, no_best};

// SAFETY: the functions of this file alone launch them, with the values of an `SBox`, of as many bits as it says, and
// tables of whole rows.
manycore_device::kernel! {
    /// Signs of component functions.
    unsafe COMPONENTS in manycore_kernels::boolean::MASKS: boolean_components
    /// Sums of signs over the inputs of each output.
    unsafe PREIMAGES in manycore_kernels::boolean::MASKS: boolean_preimages
    /// Rows of difference distribution tables.
    unsafe DIFFERENCES in manycore_kernels::boolean::DIFFERENCES: boolean_differences
    /// Rows of boomerang connectivity tables.
    unsafe BOOMERANGS in manycore_kernels::boolean::BOOMERANG: boolean_boomerangs
}

fn defines(items: usize) -> Defines {
    Defines::new().set("GROUP", items)
}

pub(super) fn components(
    context: &Boolean,
    cl: &OpenCl,
    sbox: &Buffer<u16>,
    first: usize,
    len: usize,
    out: &mut Buffer<i32>,
) -> Result<(), BooleanError> {
    let items = group_items(cl, 256);
    let kernel = context.kernel(cl, &COMPONENTS, defines(items))?;
    let launch = cl.launch(&kernel).input(sbox).buffer(out).value(sbox.len().ilog2()).value(first as u32);
    Ok(launch.value(len as u64).items(len, items).bytes(4 * len as u64).run()?)
}

pub(super) fn preimages(
    context: &Boolean,
    cl: &OpenCl,
    sbox: &Buffer<u16>,
    (first, rows): (usize, usize),
    log_outputs: u32,
    out: &mut Buffer<i32>,
) -> Result<(), BooleanError> {
    let items = group_items(cl, 256);
    let kernel = context.kernel(cl, &PREIMAGES, defines(items))?;
    let len = rows * sbox.len();
    let launch = cl.launch(&kernel).input(sbox).buffer(out).value(sbox.len().ilog2()).value(log_outputs);
    Ok(launch.value(first as u32).value(len as u64).items(len, items).bytes(8 * len as u64).run()?)
}

/// How differences are counted on the device.
pub(super) fn counting(cl: &OpenCl) -> Result<Differences, BooleanError> {
    let local_bytes = cl.local_limit_bytes()? as u64;
    let rows_at_once = rows_at_once(cl) as u32;
    Ok(Differences { on_host: false, items: difference_items(cl) as u32, local_bytes, rows_at_once })
}

/// Items of a group: where its counters leave room for no second group, as many as there can be.
fn difference_items(cl: &OpenCl) -> usize {
    group_items(cl, 1024)
}

/// Rows of the difference distribution table.
pub(super) fn differences(
    context: &Boolean,
    cl: &OpenCl,
    sbox: &SBox,
    (first, rows): (usize, usize),
    out: &mut Buffer<u32>,
) -> Result<(), BooleanError> {
    let items = difference_items(cl);
    let log_counters = context.difference_counters(sbox)?.log;
    let values = context.device().upload(sbox.values())?;
    let mut best = no_best(context, 1)?;
    let kernel = context.kernel(cl, &DIFFERENCES, defines(items).set("LOG_COUNTERS", log_counters).set("STORE", 1))?;
    let bytes = 4 * out.len() as u64;
    let launch = cl.launch(&kernel).input(&values).value(first as u32).value(rows as u32).value(sbox.input_bits());
    let launch = launch.value(sbox.output_bits()).buffer(out).buffer(&mut best);
    Ok(launch.groups(rows.min(most_groups(cl)), items).bytes(bytes).run()?)
}

/// Rows of a launch that counts differences, so that none holds a device for long: on a GPU, and on others.
const ROWS_AT_ONCE: [usize; 2] = [1 << 13, 1 << 10];

fn rows_at_once(cl: &OpenCl) -> usize {
    if cl.info().kind == DeviceKind::Gpu { ROWS_AT_ONCE[0] } else { ROWS_AT_ONCE[1] }
}

/// Look-ups of a launch that counts boomerangs, so that none holds a device for long, as a power of two: on a GPU, and on others.
const LOG_LOOKUPS_AT_ONCE: [u32; 2] = [34, 30];

/// Rows of the boomerang connectivity table of a permutation.
pub(super) fn boomerangs(
    context: &Boolean,
    cl: &OpenCl,
    [sbox, inverse]: [&SBox; 2],
    first: usize,
    out: &mut Buffer<u32>,
) -> Result<(), BooleanError> {
    let items = group_items(cl, 256);
    let kernel = context.kernel(cl, &BOOMERANGS, defines(items))?;
    let (values, inverse) = (context.device().upload(sbox.values())?, context.device().upload(inverse.values())?);
    let log_lookups = LOG_LOOKUPS_AT_ONCE[usize::from(cl.info().kind != DeviceKind::Gpu)];
    // An entry takes 2^n look-ups of the inverse.
    let (len, at_once) = (out.len(), 1usize << (log_lookups - sbox.input_bits()));
    for from in (0..len).step_by(at_once) {
        let end = len.min(from + at_once);
        let launch = cl.launch(&kernel).input(&values).input(&inverse).value(first as u32).value(sbox.input_bits());
        let launch = launch.value(from as u64).value(end as u64).buffer(&mut *out);
        let (bytes, operations) = (4 * (end - from) as u64, ((end - from) * sbox.inputs()) as u64);
        launch.items(end - from, items).bytes(bytes).operations(operations).run()?;
    }
    Ok(())
}

/// Counts of the halves of all entries, and the largest half.
pub(super) fn difference_counts(
    context: &Boolean,
    cl: &OpenCl,
    sbox: &SBox,
    log_counters: u32,
) -> Result<(Vec<u64>, Best), BooleanError> {
    let items = difference_items(cl);
    let device = context.device();
    let kernel = context.kernel(cl, &DIFFERENCES, defines(items).set("LOG_COUNTERS", log_counters).set("STORE", 0))?;
    let values = device.upload(sbox.values())?;
    let (gpu, rows_at_once) = (cl.info().kind == DeviceKind::Gpu, rows_at_once(cl));
    // As many groups as run at a time: each takes further rows, and adds up its counts once.
    let local = (2usize << log_counters) + 12 * items + 256;
    let resident = if gpu { (cl.local_limit_bytes()? / local).clamp(1, (2048 / items).max(1)) } else { 1 };
    let groups = rows_at_once.min(sbox.inputs()).min(resident * cl.info().compute_units.max(1) as usize);
    let (mut bins, mut best) = (device.zeros::<u32>(sbox.inputs() / 2 + 1)?, no_best(context, groups)?);
    for first in (0..sbox.inputs()).step_by(rows_at_once) {
        let rows = rows_at_once.min(sbox.inputs() - first);
        let launch = cl.launch(&kernel).input(&values).value(first as u32).value(rows as u32).value(sbox.input_bits());
        let launch = launch.value(sbox.output_bits()).buffer(&mut bins).buffer(&mut best);
        let operations = (rows * sbox.inputs() / 2) as u64;
        launch.groups(rows.min(groups), items).operations(operations).run()?;
    }
    let best = best.download()?.chunks_exact(BEST_WORDS).map(Best::of_words).fold(Best::NONE, Best::or);
    Ok((bins.download()?.into_iter().map(u64::from).collect(), best))
}

//! Groups of the kernels on a device: how many, of how many items, and what they count in local memory.

use manycore_device::{DeviceKind, OpenCl};

/// Values that a group of `boolean_tally` counts in local memory.
pub(crate) const LOCAL_BINS: usize = 4096;

/// Items of a group on a device: a power of two.
pub(crate) fn group_items(cl: &OpenCl, on_gpu: usize) -> usize {
    items(cl.info().kind == DeviceKind::Gpu, cl.info().group_limit, on_gpu)
}

/// Items of a group, a power of two and at most `group_limit`.
pub(crate) fn items(is_gpu: bool, group_limit: usize, on_gpu: usize) -> usize {
    let wanted = if is_gpu { on_gpu } else { 64 };
    1 << wanted.min(group_limit).max(1).ilog2()
}

/// Groups that stride over the work of a launch: several for each compute unit.
pub(crate) fn most_groups(cl: &OpenCl) -> usize {
    16 * cl.info().compute_units.max(1) as usize
}

/// Groups that count: few, since each clears and adds up its bins.
pub(crate) fn tally_groups(compute_units: u32) -> usize {
    4 * compute_units.max(1) as usize
}

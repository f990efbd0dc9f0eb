//! Batches on OpenCL devices: groups that take one S-box at a time in local memory.

use manycore_device::{Buffer, Defines, DeviceKind, Kernel, KernelSpec, OpenCl};

use super::figure::{Figure, Stored};
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::groups::{group_items, most_groups};
use crate::sbox::SBox;
use crate::sbox::cost::Bits;

// SAFETY: `figures` and `components` alone launch them, for bits that `fits` allows, with 2^input outputs for each S-box, and as
// many words to write as there are S-boxes or masks.
manycore_device::kernel! {
    /// The linearity of each S-box.
    unsafe LINEARITIES in manycore_kernels::boolean::SBOXES: boolean_linearities
    /// The linearity of each component.
    unsafe COMPONENTS in manycore_kernels::boolean::SBOXES: boolean_component_linearities
    /// The differential uniformity of each S-box.
    unsafe UNIFORMITIES in manycore_kernels::boolean::SBOXES: boolean_uniformities
}

/// Base-2 logarithm of the words of local memory of a group.
const LOG_WORDS: u32 = 12;

/// Outputs that are uploaded at a time.
pub(super) const MOST_VALUES: usize = 1 << 26;

/// The most input bits for which four masks or counters share a word; past it, two do.
const BYTE_BITS: u32 = 8;

/// Base-2 logarithm of the additions or look-ups of a launch, so that none holds a device for long: on a GPU, and on others.
const LOG_OPERATIONS: [u32; 2] = [36, 30];

fn lanes(bits: Bits) -> u32 {
    if bits.input <= BYTE_BITS { 4 } else { 2 }
}

/// Whether a group has room for one S-box: its inputs' words for the transform, counters of a row for differences.
pub(super) fn fits(bits: Bits, figure: Figure) -> bool {
    bits.input <= LOG_WORDS && (figure == Figure::Linearity || bits.output <= LOG_WORDS + 1)
}

/// Base-2 logarithm of the words of masks that there are, and that a tile has.
fn log_masks(bits: Bits) -> (u32, u32) {
    let all = bits.output.saturating_sub(lanes(bits) / 2);
    (all, all.min(LOG_WORDS - bits.input))
}

/// Items of a group: not more than pairs of words.
fn items(cl: &OpenCl, bits: Bits) -> usize {
    group_items(cl, if bits.input + bits.output < 12 { 64 } else { 256 })
}

fn kernel<T: Stored>(
    context: &Boolean,
    cl: &OpenCl,
    spec: &'static KernelSpec,
    bits: Bits,
) -> Result<std::sync::Arc<Kernel>, BooleanError> {
    let defines = Defines::new().set("GROUP", items(cl, bits)).set("OUTPUT", T::TYPE.opencl_name());
    Ok(context.kernel(cl, spec, defines.set("LANES", lanes(bits)).set("LOG_WORDS", LOG_WORDS))?)
}

/// The figure of each S-box of a buffer of whole ones.
pub(super) fn figures<T: Stored>(
    context: &Boolean,
    cl: &OpenCl,
    bits: Bits,
    values: &Buffer<T>,
    figure: Figure,
) -> Result<Vec<u32>, BooleanError> {
    let all = values.len() >> bits.input;
    let is_gpu = cl.info().kind == DeviceKind::Gpu;
    let (spec, log_cost) = match figure {
        Figure::Linearity => (&LINEARITIES, bits.input + bits.output + 3),
        Figure::Uniformity => (&UNIFORMITIES, 2 * bits.input.max(bits.output)),
    };
    let kernel = kernel::<T>(context, cl, spec, bits)?;
    let items = items(cl, bits);
    let most = 1usize << LOG_OPERATIONS[usize::from(!is_gpu)].saturating_sub(log_cost).min(24);
    let mut out = context.device().zeros::<u32>(all)?;
    for first in (0..all).step_by(most) {
        let count = most.min(all - first);
        let launch = cl.launch(&kernel).input(values).value(first as u64).value((first + count) as u64);
        let launch = launch.value(bits.input).value(bits.output);
        let launch = match figure {
            Figure::Linearity => launch.value(log_masks(bits).1),
            Figure::Uniformity => launch,
        };
        let launch = launch.buffer(&mut out);
        let launch = launch.groups(count.min(most_groups(cl)), items).operations((count as u64) << log_cost);
        launch.bytes(((count << bits.input) * size_of::<T>()) as u64).run()?;
    }
    Ok(out.download()?)
}

/// The linearity of each component of one S-box, from mask 0 on.
pub(super) fn components(context: &Boolean, cl: &OpenCl, sbox: &SBox) -> Result<Vec<u32>, BooleanError> {
    let bits = sbox.bits();
    let kernel = kernel::<u16>(context, cl, &COMPONENTS, bits)?;
    let values = context.device().upload(sbox.values())?;
    let mut out = context.device().zeros::<u32>(sbox.outputs())?;
    let (log_all, log_columns) = log_masks(bits);
    let launch = cl.launch(&kernel).input(&values).value(bits.input).value(bits.output).value(log_columns);
    let launch = launch.buffer(&mut out);
    let operations = u64::from(bits.input) << (bits.input + bits.output);
    launch.groups(1 << (log_all - log_columns), items(cl, bits)).operations(operations).run()?;
    Ok(out.download()?)
}

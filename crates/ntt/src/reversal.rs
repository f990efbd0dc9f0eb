//! Bit reversal of every array, in place: what natural order costs beside the butterflies.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, DeviceError, OpenCl, Word};
use manycore_model::{Blocks, Kernel};
use manycore_tuning::Planner;

// SAFETY: `run` alone launches them, on whole transforms of the length in their arguments.
manycore_device::kernel! {
    /// Arrays that fit a tile, several in one.
    unsafe REVERSE_SHORT in manycore_kernels::ntt::BIT_REVERSAL: reverse_short

    /// Longer arrays, by squares that change places.
    unsafe REVERSE_LONG in manycore_kernels::ntt::BIT_REVERSAL: reverse_long
}

/// The base-2 logarithm of the words of a group of short arrays.
const LOG_TILE: u32 = 10;
/// Items of a group.
const GROUP: usize = 256;

/// The base-2 logarithm of a square's side: rows of 128 bytes.
const fn log_side(bytes: usize) -> u32 {
    (128 / bytes).ilog2()
}

/// The kernel that reverses runs of `2^log_len` words.
pub(super) fn build<W: Word>(
    planner: &Planner,
    cl: &OpenCl,
    log_len: u32,
) -> Result<Arc<manycore_device::Kernel>, DeviceError> {
    let log_side = log_side(size_of::<W>());
    let defines = Defines::new().element(W::TYPE).set("LOG_SIDE", log_side).set("LOG_TILE", LOG_TILE);
    planner.kernel(cl, if log_len <= LOG_TILE { &REVERSE_SHORT } else { &REVERSE_LONG }, defines)
}

/// Reverses the bits of the indices of every run of `2^log_len` words of `x` by the kernel for this length.
pub(super) fn run<W: Word>(
    cl: &OpenCl,
    kernel: &manycore_device::Kernel,
    x: &mut Buffer<W>,
    log_len: u32,
) -> Result<(), DeviceError> {
    let count = x.len();
    let bytes = 2 * size_of::<W>() as u64 * count as u64;
    let launch = cl.launch(kernel).buffer(x);
    if log_len <= LOG_TILE {
        launch.value(count as u64).value(log_len).groups(count.div_ceil(1 << LOG_TILE), GROUP).bytes(bytes).run()
    } else {
        launch.value(log_len).groups(count >> (2 * log_side(size_of::<W>())), GROUP).bytes(bytes).run()
    }
}

/// The kernel of the reversal of `values` values of `bytes` bytes.
pub(super) fn kernel(values: u64, bytes: u64) -> Kernel {
    let each = 8;
    Kernel::new("reverse", GROUP as u32)
        .blocks(Blocks::even(values.div_ceil(each * GROUP as u64).max(1), GROUP as u32, each, each, each))
        .word_bytes(bytes as u32)
        .local_words(2 * GROUP as u64 * each)
        .local_accesses(2 * each)
        .traffic_words(values.saturating_mul(2))
        .footprint_bytes(values.saturating_mul(bytes))
        .segment_bytes(128)
}

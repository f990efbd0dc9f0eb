//! Bit reversal of every array, in place: what natural order costs beside the butterflies.

use manycore_device::{Buffer, Context, Defines, DeviceError, OpenCl, Word};
use manycore_model::{Blocks, Kernel};

use super::cost::Arrays;

manycore_device::kernel! {
    /// Arrays that fit a tile, several in one.
    REVERSE_SHORT in manycore_kernels::BIT_REVERSAL: reverse_short(data: buffer<element>, count: u64, log_len: u32)

    /// Longer arrays, by squares that change places.
    REVERSE_LONG in manycore_kernels::BIT_REVERSAL: reverse_long(data: buffer<element>, log_len: u32)
}

/// The base-2 logarithm of the words of a group of short arrays.
const LOG_TILE: u32 = 10;
/// Items of a group.
const GROUP: usize = 256;

/// The base-2 logarithm of a square's side: rows of 128 bytes.
const fn log_side(bytes: usize) -> u32 {
    (128 / bytes).ilog2()
}

/// Reverses the bits of the indices of every run of `2^log_len` words of `x`.
pub(super) fn run<W: Word>(context: &Context, cl: &OpenCl, x: &mut Buffer<W>, log_len: u32) -> Result<(), DeviceError> {
    let count = x.len();
    let bytes = 2 * size_of::<W>() as u64 * count as u64;
    let log_side = log_side(size_of::<W>());
    let defines = Defines::new().element(W::TYPE).set("LOG_SIDE", log_side).set("LOG_TILE", LOG_TILE);
    if log_len <= LOG_TILE {
        let kernel = context.kernel(cl, &REVERSE_SHORT, defines)?;
        let launch = cl.launch(&kernel).buffer(x).value(count as u64).value(log_len);
        launch.groups(count.div_ceil(1 << LOG_TILE), GROUP).bytes(bytes).run()
    } else {
        let kernel = context.kernel(cl, &REVERSE_LONG, defines)?;
        let launch = cl.launch(&kernel).buffer(x).value(log_len);
        launch.groups(count >> (2 * log_side), GROUP).bytes(bytes).run()
    }
}

/// The reversal for the model.
pub(super) fn kernel(arrays: &Arrays) -> Kernel {
    let (values, bytes) = (arrays.values(), arrays.element().bytes() as u64);
    let each = 8;
    Kernel::new("reverse", GROUP as u32)
        .blocks(Blocks::even(values.div_ceil(each * GROUP as u64).max(1), GROUP as u32, each, each, each))
        .word_bytes(bytes as u32)
        .local_words(2 * GROUP as u64 * each)
        .local_accesses(2 * each)
        .traffic_words(2 * values)
        .footprint_bytes(bytes * values)
        .segment_bytes(128)
}

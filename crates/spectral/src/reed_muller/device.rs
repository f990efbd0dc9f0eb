//! Steps on OpenCL devices beside the passes over words: runs within a word, constant geometry, the reversal of index bits.

use manycore_device::{Buffer, Defines, OpenCl, Word};

use super::bits::Bits;
use super::how::Runs;
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::walsh::{Algorithm, Butterfly, Order, Walsh, device};

// SAFETY: `within_words` alone launches it, with the length of the buffer.
manycore_device::kernel! {
    /// Runs within one word.
    unsafe REED_MULLER_WORDS in manycore_kernels::spectral::REED_MULLER_WORDS:
        reed_muller_words
}

/// Items of a group.
const GROUP: usize = 256;
/// Values of any width, each its own word.
const VALUES: Butterfly = Butterfly::ReedMuller { log_unit_bits: 6 };

/// Transforms runs that stand within one word `W`.
pub(super) fn within_words<W: Word>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<W>,
    runs: Runs,
) -> Result<(), SpectralError> {
    let kernel = spectral.planner().kernel(cl, &REED_MULLER_WORDS, Defines::new().element(W::TYPE))?;
    let count = x.len();
    cl.launch(&kernel)
        .buffer(x)
        .value(count as u64)
        .value(runs.log_unit_bits)
        .value(runs.log_bits())
        .items(count, GROUP)
        .bytes(2 * (count * size_of::<W>()) as u64)
        .run()?;
    Ok(())
}

/// Transforms by the constant geometry, into reversed order; `on_host` does the same to a buffer of the host.
pub(super) fn constant_geometry<T: Bits>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    log_len: u32,
    passes: &Walsh,
    on_host: impl Fn(&mut Buffer<T>) -> Result<(), SpectralError>,
) -> Result<(), SpectralError> {
    let how = passes.clone().butterfly(VALUES).order(Order::Dyadic).algorithm(Algorithm::ConstantGeometry);
    device::run(spectral, cl, x, log_len, &how, on_host)
}

/// Moves every value of each run of `2^log_len` to the place whose bits are those of its index reversed.
pub(super) fn reverse_bits<T: Bits>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    log_len: u32,
) -> Result<(), SpectralError> {
    device::reverse_bits(spectral, cl, x, log_len)
}

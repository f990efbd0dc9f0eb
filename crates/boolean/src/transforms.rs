//! The spectral transforms that everything here stands on: but for their errors the only file that names the crate of them.

use manycore_device::{Buffer, Device};
use manycore_model::Machine;
use manycore_spectral::{ReedMuller, Scalar, Spectral, Walsh, packed};

use crate::error::BooleanError;

pub(crate) use manycore_spectral::packed::{reed_muller_word, shifted_word};

/// Walsh and Reed-Muller transforms on one device.
#[derive(Debug)]
pub(crate) struct Transforms {
    spectral: Spectral,
}

impl Transforms {
    pub(crate) fn new(device: &Device) -> Self {
        Self { spectral: Spectral::new(device) }
    }

    pub(crate) fn with_machine(device: &Device, machine: Machine) -> Self {
        Self { spectral: Spectral::with_machine(device, machine) }
    }

    /// The machine that transforms are planned for.
    #[cfg(test)]
    pub(crate) fn machine(&self) -> &Machine {
        self.spectral.machine()
    }

    /// The Walsh-Hadamard transforms in natural order of each run of `len` values, whose sums the type holds: signs, and squares of the
    /// spectrum of `n` signs, which add up to `n^2`.
    pub(crate) fn walsh<T: Scalar>(&self, x: &mut Buffer<T>, len: usize) -> Result<(), BooleanError> {
        Ok(self.spectral.walsh(x, &Walsh::new().wrapping().batch(len))?)
    }

    /// The Reed-Muller transform of packed values.
    pub(crate) fn reed_muller(&self, words: &mut Buffer<u64>, variables: u32) -> Result<(), BooleanError> {
        Ok(self.spectral.reed_muller_packed(words, variables, &ReedMuller::new())?)
    }
}

/// The Reed-Muller transform of the packed values of one function, in place, for functions that are on no device.
pub(crate) fn reed_muller_words(words: &mut [u64], variables: u32) {
    // A table holds one whole function, so that there is nothing to refuse.
    let whole = packed::reed_muller(words, variables);
    debug_assert!(whole.is_ok(), "{whole:?}");
}

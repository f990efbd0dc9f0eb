//! The dyadic shift `y[i] = x[i ^ by]`: what complemented variables do to a function's values.
//!
//! | file | what |
//! |---|---|
//! | `host` | threads |
//! | `device` | one launch |

mod device;
mod host;

use manycore_device::{InPlace, Word};

use crate::context::Spectral;
use crate::error::SpectralError;
use crate::lengths::{self, in_range, whole_words};

impl Spectral {
    /// Shifts every run of `len` values of `x` dyadically, in place: `y[i] = x[i ^ by]`. A shift is its own inverse, and turns
    /// a function `f(x)` into `f(x ^ by)`: its variables at the set bits of `by` are complemented.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::Spectral;
    /// let spectral = Spectral::new(&Device::host());
    /// let mut x = [0u8, 1, 2, 3, 4, 5, 6, 7];
    /// spectral.dyadic_shift(&mut x, 8, 5)?;
    /// assert_eq!(x, [5, 4, 7, 6, 1, 0, 3, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpectralError::NotPowerOfTwo`] and [`SpectralError::Batch`] for lengths; [`SpectralError::Shift`] where `by` is not
    /// below `len`; [`SpectralError::Device`] for a buffer of another device or a failure.
    pub fn dyadic_shift<'a, T: Word>(
        &self,
        x: impl Into<InPlace<'a, T>>,
        len: usize,
        by: u64,
    ) -> Result<(), SpectralError> {
        self.dyadic_shift_in_place(x.into(), len, by)
    }

    #[inline(never)]
    pub(crate) fn dyadic_shift_in_place<T: Word>(
        &self,
        x: InPlace<'_, T>,
        len: usize,
        by: u64,
    ) -> Result<(), SpectralError> {
        self.device().accepts(&x)?;
        let log_len = lengths::log_len(x.len(), Some(len))?;
        in_range(by, log_len)?;
        if by == 0 || x.is_empty() {
            return Ok(());
        }
        self.device().in_place(
            x,
            |pool, x| {
                host::shift(pool, x, by);
                Ok(())
            },
            |cl, x| device::shift(self, cl, x, by, None),
        )
    }

    /// The dyadic shift of functions packed 64 values a word, bit `i` of word `w` being value `64 w + i`: shifts every
    /// run of `2^variables` bits.
    ///
    /// # Errors
    /// As [`Spectral::dyadic_shift`].
    pub fn dyadic_shift_packed<'a>(
        &self,
        x: impl Into<InPlace<'a, u64>>,
        variables: u32,
        by: u64,
    ) -> Result<(), SpectralError> {
        let x = x.into();
        self.device().accepts(&x)?;
        whole_words(x.len(), variables)?;
        in_range(by, variables)?;
        if by == 0 || x.is_empty() {
            return Ok(());
        }
        self.device().in_place(
            x,
            |pool, x| {
                host::shift_packed(pool, x, by);
                Ok(())
            },
            |cl, x| device::shift(self, cl, x, by >> 6, Some((by & 63) as u32)),
        )
    }
}

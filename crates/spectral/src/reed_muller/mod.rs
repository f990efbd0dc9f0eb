//! The Reed-Muller transform: the coefficients modulo 2 of a Boolean function's polynomial (algebraic normal form).
//!
//! The transform of `2^n` values is the `n`-fold Kronecker power of `[[1, 0], [1, 1]]` modulo 2 (paper 001, Table 1), its own
//! inverse, with butterflies `(u, u xor v)`. Exclusive ors work on all bits of a word at once, so values of any width go
//! through memory as words of 64 bits: those of one word change each other by shifts and masks, and words go through the
//! passes of the Walsh-Hadamard transform ([`crate::walsh`]). Bit-packed functions, which paper 001 leaves open, are the
//! same with values of one bit. It takes `(n - 6 + b) * 2^(n - b)` word operations for values of `2^(6 - b)` bits.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition, quadratic: specification and oracle |
//! | `bits` | the words |
//! | `how` | its options, and runs of bits |
//! | `host` | what the host does beside those passes |
//! | `device` | what OpenCL devices do beside them |

mod bits;
mod device;
mod host;
mod how;
pub mod reference;

use std::ops::Range;

use manycore_device::{Buffer, DeviceSet, Executor, InPlace};
use manycore_tuning::Choice;

pub use bits::Bits;
pub use how::ReedMuller;

use how::Runs;

use crate::blocks::{self, KroneckerPower};
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::lengths;
use crate::walsh::{Algorithm, Order, Walsh, WalshPlan};
use manycore_arrays::orders::BitOrder;

impl<T: Bits> KroneckerPower<T> for ReedMuller {
    fn whole(&self, spectral: &Spectral, x: InPlace<'_, T>, log_len: u32) -> Result<(), SpectralError> {
        spectral.reed_muller_in_place(x, &self.clone().batch(1 << log_len))
    }

    fn part(&self, spectral: &Spectral, x: InPlace<'_, T>, bits: Range<u32>, _: u32) -> Result<(), SpectralError> {
        spectral.reed_muller_in_place(x, &self.part_of(bits))
    }

    fn order(&self) -> Order {
        self.spectrum_order().of_walsh()
    }

    fn takes_order(&self) -> bool {
        self.is_inverse()
    }

    fn commutes(&self) -> bool {
        self.has_no_polarity()
    }
}

impl Spectral {
    /// Transforms `x` in place: the whole of it, or each run of [`ReedMuller::batch`] values. Every bit of the words is a
    /// function of its own; one function has the values 0 and 1.
    ///
    /// Orders and algorithms other than natural order in place need a second buffer meanwhile; and so do, on the host, slices
    /// and parts of buffers that do not begin at a multiple of 8 bytes.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::{ReedMuller, Spectral};
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let mut f = [1u8, 0, 0, 1, 1, 1, 0, 1];
    /// spectral.reed_muller(&mut f, &ReedMuller::new())?;
    /// assert_eq!(f, [1, 1, 1, 0, 0, 1, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Spectral::walsh`]; [`SpectralError::Shift`] where the polarity has bits past the variables.
    pub fn reed_muller<'a, T: Bits>(
        &self,
        x: impl Into<InPlace<'a, T>>,
        how: &ReedMuller,
    ) -> Result<(), SpectralError> {
        self.reed_muller_in_place(x.into(), how)
    }

    #[inline(never)]
    pub(crate) fn reed_muller_in_place<T: Bits>(
        &self,
        x: InPlace<'_, T>,
        how: &ReedMuller,
    ) -> Result<(), SpectralError> {
        self.device().accepts(&x)?;
        let log_len = how.passes.log_len(x.len())?;
        lengths::in_range(how.polarity, log_len)?;
        if x.is_empty() || log_len == 0 {
            return Ok(());
        }
        self.whole_or_blocks(x, log_len, how, |x| {
            self.device().in_steps(x, |x| self.reed_muller_steps(x, log_len, how))
        })
    }

    fn reed_muller_steps<T: Bits>(
        &self,
        mut x: InPlace<'_, T>,
        log_len: u32,
        how: &ReedMuller,
    ) -> Result<(), SpectralError> {
        let len = 1 << log_len;
        if !how.inverse {
            self.dyadic_shift(x.reborrow(), len, how.polarity)?;
        } else if how.order == BitOrder::Reversed {
            // Natural order goes in, so that the shift's bits are those of the variables.
            self.reverse_bits(x.reborrow(), log_len)?;
        }
        let natural = how.order == BitOrder::Natural || how.inverse;
        if let (Algorithm::ConstantGeometry, Executor::OpenCl(cl), InPlace::Buffer(x)) =
            (how.algorithm_for_order(), self.device().executor(), x.reborrow())
        {
            let how_on_host = ReedMuller::new().order(BitOrder::Reversed).batch(len);
            let on_host = |x: &mut Buffer<T>| Spectral::new(x.device()).reed_muller(x, &how_on_host);
            device::constant_geometry(self, cl, x, log_len, &how.passes, on_host)?;
            if natural {
                self.reverse_bits(x.into(), log_len)?;
            }
        } else {
            self.through_words(x.reborrow(), Runs { log_len, log_unit_bits: T::LOG_BITS }, &how.passes)?;
            if !natural {
                self.reverse_bits(x.reborrow(), log_len)?;
            }
        }
        if how.inverse {
            self.dyadic_shift(x, len, how.polarity)?;
        }
        Ok(())
    }

    /// The Reed-Muller spectrum of `x`, which lies on the host: uploads, transforms and downloads.
    ///
    /// # Errors
    /// As [`Spectral::reed_muller`].
    #[inline(never)]
    pub fn reed_muller_of<T: Bits>(&self, x: &[T], how: &ReedMuller) -> Result<Vec<T>, SpectralError> {
        how.passes.log_len(x.len())?;
        let mut buffer = self.device().upload(x)?;
        self.reed_muller(&mut buffer, how)?;
        Ok(buffer.download()?)
    }

    /// Transforms functions of `variables` variables packed 64 values a word, bit `i` of word `w` being value `64 w + i`, in
    /// place and in natural order: each run of `2^variables` bits, of which a word holds several below six variables.
    ///
    /// Only the polarity and the direction of `how` count, and [`ReedMuller::by`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::{ReedMuller, Spectral};
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let mut f = [0x0EE1DC3B8770EE1D_u64, 0x3B8770EE1DC3B877];
    /// spectral.reed_muller_packed(&mut f, 7, &ReedMuller::new())?;
    /// assert_eq!(f, [0x44493CC6CCDB454B, 0x4142F3C1C3C71442]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpectralError::Packed`] where the words are no whole runs; [`SpectralError::PackedOrder`] for another order than the
    /// natural one; [`SpectralError::Shift`] and [`SpectralError::Device`] as [`Spectral::reed_muller`].
    pub fn reed_muller_packed<'a>(
        &self,
        x: impl Into<InPlace<'a, u64>>,
        variables: u32,
        how: &ReedMuller,
    ) -> Result<(), SpectralError> {
        let x = x.into();
        self.device().accepts(&x)?;
        lengths::whole_words(x.len(), variables)?;
        lengths::in_range(how.polarity, variables)?;
        if how.order != BitOrder::Natural {
            return Err(SpectralError::PackedOrder);
        }
        if x.is_empty() || variables == 0 {
            return Ok(());
        }
        let runs = Runs { log_len: variables, log_unit_bits: 0 };
        self.device().in_steps(x, |mut x| {
            if !how.inverse {
                self.dyadic_shift_packed(x.reborrow(), variables, how.polarity)?;
            }
            self.through_words(x.reborrow(), runs, &how.passes)?;
            if how.inverse {
                self.dyadic_shift_packed(x, variables, how.polarity)?;
            }
            Ok(())
        })
    }

    /// Natural order in place, seen as the widest words.
    fn through_words<T: Bits>(&self, x: InPlace<'_, T>, runs: Runs, passes: &Walsh) -> Result<(), SpectralError> {
        if runs.log_bits() > 6 {
            let how = runs.how(passes);
            return self.device().in_place(
                x,
                |_, x| host::over_words(self, x, &how),
                |_, x| x.seen_as::<i64, _>(|words| self.transform(words.into(), &how))?,
            );
        }
        self.device().in_place(
            x,
            |pool, x| {
                host::within_words(pool, x, runs);
                Ok(())
            },
            // A buffer of runs shorter than the widest words may be no whole number of those.
            |cl, x| match (x.len() * size_of::<T>()).trailing_zeros() {
                0..2 => x.seen_as::<u16, _>(|words| device::within_words(self, cl, words, runs))?,
                2 => x.seen_as::<u32, _>(|words| device::within_words(self, cl, words, runs))?,
                _ => x.seen_as::<u64, _>(|words| device::within_words(self, cl, words, runs))?,
            },
        )
    }

    /// Moves every value to the place whose bits are those of its index reversed.
    fn reverse_bits<T: Bits>(&self, x: InPlace<'_, T>, log_len: u32) -> Result<(), SpectralError> {
        self.device().in_place(
            x,
            |pool, x| host::reverse_bits(self, pool, x, log_len),
            |cl, x| device::reverse_bits(self, cl, x, log_len),
        )
    }

    /// The choice that [`Spectral::reed_muller`] takes for `len` values in natural order, as
    /// [`Spectral::explain_walsh`]. Runs within one word have no choice: the answer is that of runs of two words.
    ///
    /// # Errors
    /// As [`Spectral::explain_walsh`].
    #[inline(never)]
    pub fn explain_reed_muller<T: Bits>(
        &self,
        len: usize,
        how: &ReedMuller,
    ) -> Result<Choice<WalshPlan>, SpectralError> {
        let log_len = how.passes.log_len(len)?;
        let runs = Runs { log_len, log_unit_bits: T::LOG_BITS };
        self.explain_words(runs, len / (8 / size_of::<T>()), &how.passes)
    }

    /// The choice that [`Spectral::reed_muller_packed`] takes for functions of `variables` variables in `words` words.
    ///
    /// # Errors
    /// As [`Spectral::explain_walsh`]; [`SpectralError::Packed`] where `words` are no whole runs.
    pub fn explain_reed_muller_packed(
        &self,
        words: usize,
        variables: u32,
        how: &ReedMuller,
    ) -> Result<Choice<WalshPlan>, SpectralError> {
        lengths::whole_words(words, variables)?;
        self.explain_words(Runs { log_len: variables, log_unit_bits: 0 }, words, &how.passes)
    }

    fn explain_words(&self, runs: Runs, words: usize, passes: &Walsh) -> Result<Choice<WalshPlan>, SpectralError> {
        let at_least = Runs { log_len: runs.log_len.max(7 - runs.log_unit_bits), ..runs };
        let len = 1 << (at_least.log_bits() - 6);
        let words = words.checked_next_multiple_of(len).unwrap_or(words / len * len);
        self.explain_walsh::<i64>(words, &at_least.how(passes))
    }
}

/// Transforms each run of [`ReedMuller::batch`] values of `data`, which lies on the host, by several devices, as
/// [`walsh_over`](crate::walsh::walsh_over) does.
///
/// # Errors
/// As [`walsh_over`](crate::walsh::walsh_over); [`SpectralError::Shift`] where the polarity has bits past the variables.
#[inline(never)]
pub fn reed_muller_over<T: Bits>(devices: &DeviceSet, data: &mut [T], how: &ReedMuller) -> Result<(), SpectralError> {
    let log_len = how.passes.log_len(data.len())?;
    lengths::in_range(how.polarity, log_len)?;
    blocks::over(devices, data, log_len, how)
}

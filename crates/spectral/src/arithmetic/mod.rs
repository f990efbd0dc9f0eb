//! The arithmetic transform: the coefficients of the integer polynomial that has given values on bits.
//!
//! The transform of `2^n` values is the `n`-fold Kronecker power of `[[1, 0], [-1, 1]]` (paper 001, Table 1), with butterflies
//! `(u, v - u)` in the passes of the Walsh-Hadamard transform ([`crate::walsh`]): in place in natural order, in constant
//! geometry in bit-reversed order. It takes `n * 2^(n - 1)` subtractions, its inverse as many additions and no division.
//! Coefficient `w` belongs to the product of the variables whose bits are set in `w`, each complemented where the bit of the
//! polarity is set.

pub mod reference;

use std::ops::Range;

use manycore_device::{Device, DeviceSet, InPlace, WordType, timing};
use manycore_tuning::Choice;

use crate::blocks::KroneckerPower;
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::exact::{Of, Sums};
use crate::scalar::Scalar;
use crate::walsh::{Algorithm, Butterfly, Direction, Order, Walsh, WalshPlan};
use crate::{blocks, exact, lengths};
use manycore_arrays::orders::BitOrder;

/// How an arithmetic transform is to be done.
///
/// ```
/// use manycore_spectral::{Arithmetic, BitOrder};
/// let how = Arithmetic::new().order(BitOrder::Reversed).polarity(0b101).batch(1 << 10);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arithmetic {
    passes: Walsh,
    inverse: bool,
    polarity: u64,
}

impl Arithmetic {
    /// Forward, in natural order, of the whole buffer, with no complemented variable, by the algorithm that suits the order.
    pub fn new() -> Self {
        Self::default()
    }

    /// The order of the spectrum: of the result, or of the input of an inverse.
    #[must_use]
    pub fn order(self, order: BitOrder) -> Self {
        Self { passes: self.passes.order(order.of_walsh()), ..self }
    }

    /// The inverse: values from coefficients.
    #[must_use]
    pub fn inverse(self) -> Self {
        self.direction(Direction::Inverse)
    }

    /// Forward or inverse.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { inverse: direction == Direction::Inverse, ..self }
    }

    /// The algorithm. Without this, Cooley-Tukey in place for natural order and constant geometry for the reversed one, which
    /// it produces without a permutation.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { passes: self.passes.algorithm(algorithm), ..self }
    }

    /// Transforms each run of `len` values independently.
    #[must_use]
    pub fn batch(self, len: usize) -> Self {
        Self { passes: self.passes.batch(len), ..self }
    }

    /// The variables that stand complemented in the polynomial, by the set bits: its fixed polarity. Costs a pass more over
    /// memory when not 0.
    #[must_use]
    pub fn polarity(self, polarity: u64) -> Self {
        Self { polarity, ..self }
    }

    /// Integers are computed modulo 2^32 or 2^64, and nothing is refused: sums are the caller's to bound.
    #[must_use]
    pub fn wrapping(self) -> Self {
        Self { passes: self.passes.wrapping(), ..self }
    }

    /// The most steps of the constant geometry in one pass over memory on an OpenCL device; 1 is paper 001's form.
    #[must_use]
    pub fn steps_per_pass(self, steps: u32) -> Self {
        Self { passes: self.passes.steps_per_pass(steps), ..self }
    }

    /// By `plan` instead of the chosen one.
    #[must_use]
    pub fn by(self, plan: &WalshPlan) -> Self {
        Self { passes: self.passes.by(plan), ..self }
    }

    /// The options for lanes of `len` values: each whole, or cut into runs of the batch's length.
    #[cfg(feature = "ndarray")]
    pub(crate) fn for_lanes(&self, len: usize) -> Result<Self, SpectralError> {
        let passes = self.passes.for_lanes(len)?;
        lengths::in_range(self.polarity, passes.log_len(len)?)?;
        Ok(Self { passes, ..self.clone() })
    }

    /// Whether transforms along several axes are one of as many values as the axes have together.
    #[cfg(feature = "ndarray")]
    pub(crate) fn joins_axes(&self) -> bool {
        self.passes.joins_axes() && self.polarity == 0
    }

    /// The order of the spectrum.
    pub(crate) fn spectrum_order(&self) -> Order {
        self.passes.spectrum_order()
    }

    /// Whether coefficients go in.
    pub(crate) fn is_inverse(&self) -> bool {
        self.inverse
    }

    /// Whether no variable stands complemented.
    pub(crate) fn has_no_polarity(&self) -> bool {
        self.polarity == 0
    }

    /// The part along the bits `bits` of the index, in natural order.
    pub(crate) fn part_of(&self, bits: Range<u32>) -> Self {
        let polarity = (self.polarity >> bits.start) & ((1 << bits.len()) - 1);
        Self { inverse: self.inverse, polarity, ..Self::default() }.batch(1 << bits.len())
    }

    /// The sums of runs of `2^log_len` integers; `None` where they may wrap.
    fn sums(&self, log_len: u32) -> Option<Sums> {
        let direction = if self.inverse { Direction::Inverse } else { Direction::Forward };
        let order = match self.passes.spectrum_order() {
            Order::Dyadic => BitOrder::Reversed,
            _ => BitOrder::Natural,
        };
        let of = Of::Arithmetic { direction, order, polarity: self.polarity };
        (!self.passes.is_wrapping()).then_some(Sums { log_len, of })
    }

    /// The passes with this transform's butterfly.
    fn how(&self) -> Walsh {
        let butterfly = if self.inverse { Butterfly::ArithmeticInverse } else { Butterfly::Arithmetic };
        self.passes.clone().butterfly(butterfly)
    }
}

impl<T: Scalar> KroneckerPower<T> for Arithmetic {
    fn whole(&self, spectral: &Spectral, x: InPlace<'_, T>, log_len: u32) -> Result<(), SpectralError> {
        spectral.arithmetic_as_it_is(x, &self.clone().batch(1 << log_len))
    }

    fn part(&self, spectral: &Spectral, x: InPlace<'_, T>, bits: Range<u32>, _: u32) -> Result<(), SpectralError> {
        spectral.arithmetic_as_it_is(x, &self.part_of(bits))
    }

    fn order(&self) -> Order {
        self.spectrum_order()
    }

    fn takes_order(&self) -> bool {
        self.is_inverse()
    }

    fn commutes(&self) -> bool {
        !matches!(T::TYPE, WordType::F32 | WordType::F64) && self.has_no_polarity()
    }
}

impl Spectral {
    /// Transforms `x` in place: the whole of it, or each run of [`Arithmetic::batch`] values.
    ///
    /// Integers are exact, or refused, unless they may be [wrapping](Arithmetic::wrapping), by the rules of [`Spectral::walsh`]. An inverse
    /// of what has wrapped gives the values back where it may wrap, too. Coefficients of functions with values 0 and 1 are at most `2^(n -
    /// 1)` in absolute value for `n` variables. Floating-point numbers round as each butterfly does. Orders and algorithms other than
    /// natural order in place need a second buffer meanwhile.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::{Arithmetic, Spectral};
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let mut x = [3i32, 1, 4, 1, 5, 9, 2, 6];
    /// spectral.arithmetic(&mut x, &Arithmetic::new())?;
    /// assert_eq!(x, [3, -2, 1, -1, 2, 6, -4, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Spectral::walsh`]; [`SpectralError::Shift`] where the polarity has bits past the variables.
    pub fn arithmetic<'a, T: Scalar>(
        &self,
        x: impl Into<InPlace<'a, T>>,
        how: &Arithmetic,
    ) -> Result<(), SpectralError> {
        self.arithmetic_in_place(x.into(), how)
    }

    #[inline(never)]
    pub(crate) fn arithmetic_in_place<T: Scalar>(
        &self,
        x: InPlace<'_, T>,
        how: &Arithmetic,
    ) -> Result<(), SpectralError> {
        self.device().accepts(&x)?;
        let log_len = how.passes.log_len(x.len())?;
        lengths::in_range(how.polarity, log_len)?;
        self.exactly(x, how.sums(log_len), |x| self.arithmetic_as_it_is(x, how))
    }

    /// The transform without a check of integers, which may wrap.
    #[inline(never)]
    pub(crate) fn arithmetic_as_it_is<T: Scalar>(
        &self,
        x: InPlace<'_, T>,
        how: &Arithmetic,
    ) -> Result<(), SpectralError> {
        self.device().accepts(&x)?;
        let passes = how.how();
        let log_len = passes.log_len(x.len())?;
        lengths::in_range(how.polarity, log_len)?;
        if how.polarity == 0 {
            return self.transform(x, &passes);
        }
        self.whole_or_blocks(x, log_len, how, |x| {
            self.device().in_steps(x, |mut x| {
                if !how.inverse {
                    self.dyadic_shift(x.reborrow(), 1 << log_len, how.polarity)?;
                }
                self.transform(x.reborrow(), &passes)?;
                if how.inverse {
                    self.dyadic_shift(x, 1 << log_len, how.polarity)?;
                }
                Ok(())
            })
        })
    }

    /// The arithmetic spectrum of `x`, which lies on the host: uploads, transforms and downloads.
    ///
    /// # Errors
    /// As [`Spectral::arithmetic`].
    #[inline(never)]
    pub fn arithmetic_of<T: Scalar>(&self, x: &[T], how: &Arithmetic) -> Result<Vec<T>, SpectralError> {
        let log_len = how.passes.log_len(x.len())?;
        lengths::in_range(how.polarity, log_len)?;
        self.exactly_of(x, how.sums(log_len), |buffer| self.arithmetic_as_it_is(buffer.into(), how))
    }

    /// The choice that [`Spectral::arithmetic`] takes for `len` values, as [`Spectral::explain_walsh`]; without the
    /// shift of a polarity.
    ///
    /// # Errors
    /// As [`Spectral::explain_walsh`].
    #[inline(never)]
    pub fn explain_arithmetic<T: Scalar>(
        &self,
        len: usize,
        how: &Arithmetic,
    ) -> Result<Choice<WalshPlan>, SpectralError> {
        self.explain_walsh::<T>(len, &how.how())
    }

    /// The seconds of a transform of `len` zeros, as [`Spectral::time_walsh`].
    ///
    /// # Errors
    /// As [`Spectral::arithmetic`].
    #[inline(never)]
    pub fn time_arithmetic<T: Scalar>(&self, len: usize, how: &Arithmetic) -> Result<f64, SpectralError> {
        let mut x = self.device().zeros::<T>(len)?;
        timing::seconds(self.device(), || self.arithmetic_as_it_is((&mut x).into(), how))
    }
}

/// Transforms each run of [`Arithmetic::batch`] values of `data`, which lies on the host, by several devices, as
/// [`walsh_over`](crate::walsh::walsh_over) does.
///
/// # Errors
/// As [`walsh_over`](crate::walsh::walsh_over); [`SpectralError::Shift`] where the polarity has bits past the variables.
#[inline(never)]
pub fn arithmetic_over<T: Scalar>(devices: &DeviceSet, data: &mut [T], how: &Arithmetic) -> Result<(), SpectralError> {
    let log_len = how.passes.log_len(data.len())?;
    lengths::in_range(how.polarity, log_len)?;
    exact::of_slice(data, how.sums(log_len), |data| blocks::over(devices, data, log_len, how))
}

/// The transform on a device for one call; a [`Spectral`] caches its kernels for several calls.
///
/// # Errors
/// As [`Spectral::arithmetic`].
pub fn arithmetic<T: Scalar>(device: &Device, x: &[T], how: &Arithmetic) -> Result<Vec<T>, SpectralError> {
    Spectral::new(device).arithmetic_of(x, how)
}

//! Options of Haar transforms.

use manycore_arrays::orders::{Direction, HaarOrder, Normalization};

use super::cost::HaarPlan;
use crate::error::SpectralError;
use crate::exact::{Of, Sums};
use crate::lengths;
use crate::scalar::Scalar;

/// How a Haar transform is to be done.
///
/// ```
/// use manycore_spectral::{Haar, HaarOrder, Normalization};
/// let how = Haar::new().order(HaarOrder::InPlace).normalization(Normalization::Orthonormal).inverse().batch(1 << 10);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Haar {
    pub(super) order: HaarOrder,
    pub(super) normalization: Normalization,
    pub(super) inverse: bool,
    transform_len: Option<usize>,
    pub(super) plan: Option<HaarPlan>,
    wrapping: bool,
}

impl Haar {
    /// Forward, in standard order, of the whole buffer, not normalised.
    pub fn new() -> Self {
        Self::default()
    }

    /// The order of the spectrum: of the result, or of the input of an inverse.
    #[must_use]
    pub fn order(self, order: HaarOrder) -> Self {
        Self { order, ..self }
    }

    /// What the coefficients are multiplied by; other than [`Normalization::None`] for `f32` and `f64` only.
    #[must_use]
    pub fn normalization(self, normalization: Normalization) -> Self {
        Self { normalization, ..self }
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

    /// Transforms each run of `len` values independently.
    #[must_use]
    pub fn batch(self, len: usize) -> Self {
        Self { transform_len: Some(len), ..self }
    }

    /// Integers are computed modulo 2^32 or 2^64, an inverse rounds down, and nothing is refused: sums are the caller's to bound.
    #[must_use]
    pub fn wrapping(self) -> Self {
        Self { wrapping: true, ..self }
    }

    /// By `plan` instead of the chosen one; the order becomes the plan's.
    #[must_use]
    pub fn by(self, plan: &HaarPlan) -> Self {
        Self { order: plan.order, plan: Some(*plan), ..self }
    }

    /// The options for lanes of `len` values: each whole, or cut into runs of the batch's length.
    #[cfg(feature = "ndarray")]
    pub(crate) fn for_lanes<T: Scalar>(&self, len: usize) -> Result<Self, SpectralError> {
        let how = Self { transform_len: Some(self.transform_len.unwrap_or(len)), ..self.clone() };
        how.log_len::<T>(len)?;
        Ok(how)
    }

    /// The sums of runs of `2^log_len` integers; `None` where they may wrap.
    pub(super) fn sums(&self, log_len: u32) -> Option<Sums> {
        let direction = if self.inverse { Direction::Inverse } else { Direction::Forward };
        (!self.wrapping).then_some(Sums { log_len, of: Of::Haar(direction, self.order) })
    }

    pub(super) fn log_len<T: Scalar>(&self, buffer_len: usize) -> Result<u32, SpectralError> {
        if self.normalization != Normalization::None && !T::TYPE.is_floating() {
            return Err(SpectralError::IntegerNormalization { element: T::NAME, normalization: self.normalization });
        }
        lengths::log_len(buffer_len, self.transform_len)
    }
}

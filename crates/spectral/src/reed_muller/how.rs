//! Options of Reed-Muller transforms, and the runs of bits that they transform.

use std::ops::Range;

use manycore_arrays::orders::{BitOrder, Direction};

use crate::walsh::{Algorithm, Butterfly, Walsh, WalshPlan};

/// How a Reed-Muller transform is to be done.
///
/// ```
/// use manycore_spectral::{BitOrder, ReedMuller};
/// let how = ReedMuller::new().order(BitOrder::Reversed).polarity(0b101).batch(1 << 10);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReedMuller {
    pub(super) passes: Walsh,
    pub(super) order: BitOrder,
    algorithm: Option<Algorithm>,
    pub(super) inverse: bool,
    pub(super) polarity: u64,
}

impl ReedMuller {
    /// In natural order, of the whole buffer, with no complemented variable, by the algorithm that suits the order.
    pub fn new() -> Self {
        Self::default()
    }

    /// The order of the spectrum: of the result, or of the input of an inverse.
    #[must_use]
    pub fn order(self, order: BitOrder) -> Self {
        Self { order, ..self }
    }

    /// The inverse: values from coefficients. It differs from the transform itself by the polarity only.
    #[must_use]
    pub fn inverse(self) -> Self {
        self.direction(Direction::Inverse)
    }

    /// Forward or inverse.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { inverse: direction == Direction::Inverse, ..self }
    }

    /// The algorithm. Without this, Cooley-Tukey in place for natural order and constant geometry for the reversed one. The
    /// host always goes in place through words, and reorders for the reversed order.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm: Some(algorithm), ..self }
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
    pub(crate) fn for_lanes(&self, len: usize) -> Result<Self, crate::error::SpectralError> {
        let passes = self.passes.for_lanes(len)?;
        crate::lengths::in_range(self.polarity, passes.log_len(len)?)?;
        Ok(Self { passes, ..self.clone() })
    }

    /// Whether transforms along several axes are one of as many values as the axes have together.
    #[cfg(feature = "ndarray")]
    pub(crate) fn joins_axes(&self) -> bool {
        self.order == BitOrder::Natural && self.passes.joins_axes() && self.polarity == 0
    }

    /// The order of the spectrum.
    pub(crate) fn spectrum_order(&self) -> BitOrder {
        self.order
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

    pub(super) fn algorithm_for_order(&self) -> Algorithm {
        self.algorithm.unwrap_or(match self.order {
            BitOrder::Natural => Algorithm::CooleyTukey,
            BitOrder::Reversed => Algorithm::ConstantGeometry,
        })
    }
}

/// Runs of `2^log_len` values of `2^log_unit_bits` bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Runs {
    pub(super) log_len: u32,
    pub(super) log_unit_bits: u32,
}

impl Runs {
    /// The base-2 logarithm of a run's bits.
    pub(super) const fn log_bits(self) -> u32 {
        self.log_len + self.log_unit_bits
    }

    /// The passes over words of 64 bits, of which a run has two at least.
    pub(super) fn how(self, passes: &Walsh) -> Walsh {
        let passes = passes.clone().batch(1 << (self.log_bits() - 6));
        passes.butterfly(Butterfly::ReedMuller { log_unit_bits: self.log_unit_bits })
    }
}

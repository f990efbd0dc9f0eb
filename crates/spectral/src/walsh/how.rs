//! Options of Walsh-Hadamard transforms, and plans that may be given for them.

use std::fmt;
use std::ops::Range;

use manycore_arrays::orders::{Direction, Order};

use super::butterfly::{Algorithm, Butterfly};
use super::cost::{HostPlan, OnHost, Pass, Plan};
use crate::error::SpectralError;
use crate::exact::{Of, Sums};
use crate::lengths;

/// How a Walsh-Hadamard transform is to be done.
///
/// ```
/// use manycore_spectral::{Order, Walsh};
/// let how = Walsh::new().order(Order::Sequency).inverse().batch(1 << 10);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walsh {
    pub(super) order: Order,
    direction: Direction,
    pub(super) algorithm: Option<Algorithm>,
    transform_len: Option<usize>,
    pub(super) steps: Option<u32>,
    pub(super) passes: Option<Vec<Pass>>,
    pub(super) log_block_bytes: Option<u32>,
    pub(super) butterfly: Butterfly,
    /// The base-2 logarithm of what the inverse divides by, where that is not its length.
    log_divisor: Option<u32>,
    wrapping: bool,
}

/// A plan of the transform: a candidate of [`Spectral::explain_walsh`](crate::Spectral::explain_walsh), which [`Walsh::by`] makes a transform take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WalshPlan {
    /// On the host.
    Host(HostPlan),
    /// On an OpenCL device.
    Device(Plan),
}

impl fmt::Display for WalshPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(plan) => plan.fmt(f),
            Self::Device(plan) => plan.fmt(f),
        }
    }
}

impl Walsh {
    /// Forward, in Hadamard order, of the whole buffer, by the algorithm that suits the order.
    pub fn new() -> Self {
        Self::default()
    }

    /// The order of the spectrum; all three matrices are symmetric, so an inverse takes its input in this order.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The inverse: the transform divided by its length.
    #[must_use]
    pub fn inverse(self) -> Self {
        self.direction(Direction::Inverse)
    }

    /// Forward or inverse.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// The algorithm. Without this, Cooley-Tukey in place for Hadamard order and constant geometry for the others, which
    /// it produces without a permutation.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm: Some(algorithm), ..self }
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

    /// The most steps of the constant geometry in one pass over memory on an OpenCL device; 1 is paper 001's form.
    #[must_use]
    pub fn steps_per_pass(self, steps: u32) -> Self {
        Self { steps: Some(steps), ..self }
    }

    /// The passes of the in-place algorithm on an OpenCL device, instead of the chosen ones: for experiments.
    #[must_use]
    pub fn passes(self, passes: Vec<Pass>) -> Self {
        Self { passes: Some(passes), ..self }
    }

    /// By `plan` instead of the chosen one; the algorithm becomes the plan's.
    #[must_use]
    pub fn by(self, plan: &WalshPlan) -> Self {
        match plan {
            WalshPlan::Host(plan) => {
                Self { algorithm: Some(plan.algorithm), log_block_bytes: Some(plan.log_block_bytes), ..self }
            }
            WalshPlan::Device(plan) => {
                let how = Self { algorithm: Some(plan.algorithm), ..self };
                match plan.algorithm {
                    // The bit reversal that may follow is no part of the cut.
                    Algorithm::CooleyTukey => {
                        let own = |pass: &&Pass| !matches!(pass, Pass::Geometry { .. });
                        Self { passes: Some(plan.passes.iter().take_while(own).copied().collect()), ..how }
                    }
                    Algorithm::ConstantGeometry => {
                        let steps = plan.passes.iter().map(|pass| match *pass {
                            Pass::Geometry { stages, butterflies: true, .. } => stages,
                            _ => 0,
                        });
                        Self { steps: steps.max(), ..how }
                    }
                }
            }
        }
    }

    /// The passes with the butterfly of another transform.
    #[must_use]
    pub(crate) fn butterfly(self, butterfly: Butterfly) -> Self {
        Self { butterfly, ..self }
    }

    /// The order of the spectrum.
    pub(crate) fn spectrum_order(&self) -> Order {
        self.order
    }

    /// The part along the bits `bits` of the index of runs of `2^log_len` values, in natural order: the last part divides for all.
    pub(crate) fn part_of(&self, bits: Range<u32>, log_len: u32) -> Self {
        let is_last = bits.end == log_len;
        let direction = if is_last { self.direction } else { Direction::Forward };
        let log_divisor = is_last.then_some(log_len);
        let transform_len = Some(1 << bits.len());
        Self { direction, transform_len, butterfly: self.butterfly, log_divisor, ..Self::default() }
    }

    /// What the inverse of `2^log_len` values divides by, as a base-2 logarithm; `None` for the forward transform.
    pub(super) fn scale(&self, log_len: u32) -> Option<u32> {
        (self.direction == Direction::Inverse).then_some(self.log_divisor.unwrap_or(log_len))
    }

    /// The transform on the host, for the planner.
    pub(super) fn on_host(&self) -> OnHost {
        OnHost { butterfly: self.butterfly, order: self.order, algorithm: self.algorithm_for_order() }
    }

    /// The algorithm: the one given, else that which suits the order.
    pub fn algorithm_for_order(&self) -> Algorithm {
        self.algorithm.unwrap_or(match self.order {
            Order::Hadamard => Algorithm::CooleyTukey,
            Order::Sequency | Order::Dyadic => Algorithm::ConstantGeometry,
        })
    }

    /// The sums of runs of `2^log_len` integers; `None` where they may wrap.
    pub(crate) fn sums(&self, log_len: u32) -> Option<Sums> {
        (!self.wrapping).then_some(Sums { log_len, of: Of::Walsh(self.direction) })
    }

    /// Whether integers may wrap.
    pub(crate) fn is_wrapping(&self) -> bool {
        self.wrapping
    }

    /// The options for lanes of `len` values: each whole, or cut into runs of the batch's length.
    #[cfg(feature = "ndarray")]
    pub(crate) fn for_lanes(&self, len: usize) -> Result<Self, SpectralError> {
        let how = self.clone().batch(self.transform_len.unwrap_or(len));
        how.log_len(len)?;
        Ok(how)
    }

    /// Whether transforms along several axes are one of as many values as the axes have together.
    #[cfg(feature = "ndarray")]
    pub(crate) fn joins_axes(&self) -> bool {
        self.order == Order::Hadamard && self.transform_len.is_none()
    }

    /// The base-2 logarithm of one transform's length in a buffer of `buffer_len` values.
    pub(crate) fn log_len(&self, buffer_len: usize) -> Result<u32, SpectralError> {
        lengths::log_len(buffer_len, self.transform_len)
    }
}

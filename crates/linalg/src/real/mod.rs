//! Determinants in double precision by condensation, with a choice of pivots, an exponent without end, and a proved bound of the
//! error (paper 002, sections 7.4 and 7.5, corrected).
//!
//! | file | what |
//! |---|---|
//! | `scaled` | mantissa and exponent, products of pivots |
//! | `decimal` | decimal digits, as many as are known |
//! | `equilibrate`, `device_range` | scaling by powers of two where entries are far from 1 |
//! | `reference` | a step by its definition |
//! | `host`, `device` | the steps, equal to the last bit |
//! | `blocked`, `device_blocks`, `device_whole` | some steps at once, to the same bits |
//! | `solver` | a determinant from its matrix to its bound |
//! | `plan` | which of them a device runs |
//! | `tiles` | sizes of blocks and tiles on a device |
//! | `factors` | the triangular factors that the steps leave |
//! | `triangular` | triangular systems in tiles |
//! | `bound`, `device_bound` | the bound of the error |
//! | `check` | whether a determinant is within its bound |

mod blocked;
mod bound;
#[cfg(feature = "bigint")]
mod check;
mod decimal;
mod device;
mod device_blocks;
mod device_bound;
mod device_range;
mod device_whole;
mod equilibrate;
mod factors;
mod host;
mod plan;
pub mod reference;
mod scaled;
mod solver;
mod tiles;
mod triangular;

use std::fmt;

use manycore_device::{Buffer, Device};

use crate::error::LinalgError;
#[cfg(feature = "bigint")]
pub use check::check;
use factors::Factors;
pub use plan::RealPlan;
pub use scaled::{Scaled, balanced_product, product};
use solver::Entries;

/// Which entry of a matrix is its pivot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Pivoting {
    /// The first entry of the first row that is not 0.
    First,
    /// The entry of the first row that is nearest to 1.0 and not 0: the thesis' rule. It loses digits where small entries stand
    /// beside large ones, and serves to compare.
    ClosestToOne,
    /// The largest entry of the first row in size: partial pivoting.
    #[default]
    Partial,
    /// The largest entry of the matrix in size: complete pivoting.
    Complete,
}

impl Pivoting {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::First, Self::ClosestToOne, Self::Partial, Self::Complete];

    /// What kernels call the order of candidates.
    const fn rule(self) -> u8 {
        match self {
            Self::First => 0,
            Self::ClosestToOne => 1,
            Self::Partial | Self::Complete => 2,
        }
    }
}

/// How a determinant in double precision is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RealOptions {
    /// The choice of pivots.
    pub pivoting: Pivoting,
    /// Whether a bound of the error is proved: `5/6 n^3` products beside the `1/3 n^3` of the determinant itself, on the device; what
    /// takes `n^2` of them is left to the host's threads.
    pub bound: bool,
}

impl Default for RealOptions {
    fn default() -> Self {
        Self { pivoting: Pivoting::default(), bound: true }
    }
}

/// A determinant in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RealDeterminant {
    /// The computed value: the product of the pivots with their signs.
    pub value: Scaled,
    /// The true determinant differs from the value by at most this much; `None` where no bound was asked for. A bound of the
    /// value's size or more says that not even the sign is known.
    pub error_bound: Option<Scaled>,
}

impl RealDeterminant {
    /// The natural logarithm of the size; -infinity for 0.
    pub fn log_abs(&self) -> f64 {
        self.value.log_abs()
    }

    /// The bound of the error over the size of the value: infinite for a value of 0 whose bound is not; `None` where no bound was
    /// asked for.
    pub fn relative_error_bound(&self) -> Option<f64> {
        let bound = self.error_bound?;
        if bound.mantissa == 0.0 {
            return Some(0.0);
        }
        let apart = bound.exponent.saturating_sub(self.value.exponent);
        Some(Scaled::new(bound.mantissa / self.value.mantissa.abs(), apart).to_f64())
    }
}

impl fmt::Display for RealDeterminant {
    /// The digits that are known and the bound, which counts that others are left out: `-6.000000000000000 +/- 1.3e-14`. A value
    /// whose bound is 0, or that has none, alone.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_linalg::real::{RealOptions, determinant};
    /// let singular = determinant(&Device::host(), 2, &[0.1, 0.3, 0.2, 0.6], RealOptions::default())?;
    /// assert!(singular.to_string().starts_with("0 +/- "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal::ball(self))
    }
}

/// What the steps of condensation leave.
#[derive(Debug, Clone, PartialEq)]
struct Condensed {
    order: usize,
    /// Of each step the row and the column of the pivot in the matrix that it found, and the pivot: fewer than the order where
    /// a matrix was left that has no pivot.
    pivots: Vec<(usize, usize, f64)>,
    /// Of each step the pivot's row, `order` words each of which the first count.
    heads: Vec<f64>,
    /// Of each step the multipliers of all rows, 1 for the pivot's own.
    tails: Vec<f64>,
}

/// Pivots, whose product is the determinant, and triangular factors, where they were asked for.
struct Triangular {
    /// As many as the order, or none where a matrix was left that has no pivot.
    pivots: Vec<f64>,
    /// `None` where they were not asked for, and for order 0.
    factors: Option<Factors>,
}

impl Triangular {
    /// From the steps.
    fn of(condensed: &Condensed, with_factors: bool) -> Self {
        let pivots = condensed.pivots.iter().map(|&(_, _, pivot)| pivot);
        let factors = with_factors.then(|| factors::factors(condensed));
        Self { pivots: if condensed.pivots.len() < condensed.order { Vec::new() } else { pivots.collect() }, factors }
    }
}

/// The determinant of a matrix of doubles, row after row, on a device: `2/3 n^3` operations for order `n`; 1 for order 0.
/// By blocks where the pivot stands in the first row by the rule, on OpenCL devices as [`RealPlan`] says; step by step else, four
/// launches each. Host and devices, whatever their threads and plans, give the same bits.
///
/// Where an entry that is not 0 has a size below `2^-256` or above `2^256`, rows and columns are multiplied by powers of two first,
/// so that all entries are below 1 and a permutation of them is at least 1/2 (Olschowka and Neumaier, Linear Algebra and its
/// Applications 240, 1996); rules of pivots look at the entries that this makes. It takes `n^2` operations of the host, and up to
/// `n^3` where large entries of many rows stand in few columns. Value and bound are those of the matrix as it was given: the bound
/// counts what is lost below the range of doubles.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::real::{RealOptions, determinant};
/// let found = determinant(&Device::host(), 2, &[1.0, 2.0, 3.0, 4.0], RealOptions::default())?;
/// assert_eq!(found.value.to_f64(), -2.0);
/// assert!(found.relative_error_bound().is_some_and(|bound| bound < 1e-13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for a number of entries other than `order^2`; [`LinalgError::NotFinite`] with the place of an entry
/// that is infinite or no number; [`LinalgError::Overflow`] where numbers of the computation are out of range, which is not so with
/// [`Pivoting::Complete`]; [`LinalgError::Device`], also for a device without double precision.
pub fn determinant(
    device: &Device,
    order: usize,
    words: &[f64],
    options: RealOptions,
) -> Result<RealDeterminant, LinalgError> {
    solver::determinant(device, order, &Entries::Words(words), options, None)
}

/// [`determinant`] of a matrix in a device's memory, which stays as it is. Without a bound nothing but the pivots is read back.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::real::{RealOptions, determinant_in};
/// let device = Device::host();
/// let a = device.upload(&[1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!(determinant_in(&device, 2, &a, RealOptions::default())?.value.to_f64(), -2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`determinant`]; [`LinalgError::Device`] also for a buffer of another device.
pub fn determinant_in(
    device: &Device,
    order: usize,
    a: &Buffer<f64>,
    options: RealOptions,
) -> Result<RealDeterminant, LinalgError> {
    device.same_as(a.device())?;
    solver::determinant(device, order, &Entries::Buffer(a), options, None)
}

/// [`determinant_in`] by a plan of an OpenCL device, whatever the device would choose: the same bits. The host and rules of pivots
/// that go step by step have no choice.
///
/// # Errors
/// As [`determinant_in`]; [`LinalgError::RealPlan`] where the device cannot run the plan.
pub fn determinant_with(
    device: &Device,
    order: usize,
    a: &Buffer<f64>,
    options: RealOptions,
    plan: RealPlan,
) -> Result<RealDeterminant, LinalgError> {
    device.same_as(a.device())?;
    solver::determinant(device, order, &Entries::Buffer(a), options, Some(plan))
}

/// The determinant of an array of doubles, in any order of memory.
///
/// # Errors
/// As [`determinant`]; [`LinalgError::NotSquare`].
#[cfg(feature = "ndarray")]
#[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
pub fn determinant_of(
    device: &Device,
    array: ndarray::ArrayView2<'_, f64>,
    options: RealOptions,
) -> Result<RealDeterminant, LinalgError> {
    let (rows, columns) = array.dim();
    if rows != columns {
        return Err(LinalgError::NotSquare { operation: "determinant", rows, columns });
    }
    determinant(device, rows, &array.iter().copied().collect::<Vec<f64>>(), options)
}

//! Determinants in double precision by condensation, with a choice of pivots, an exponent without end, and a proved bound of the
//! error (paper 002, sections 7.4 and 7.5, corrected).
//!
//! | file | what |
//! |---|---|
//! | `scaled` | mantissa and exponent, products of pivots |
//! | `reference` | a step by its definition |
//! | `host`, `device` | the steps, equal to the last bit |
//! | `blocked`, `device_blocks` | some steps at once, to the same bits |
//! | `factors` | the triangular factors that the steps leave |
//! | `triangular` | triangular systems in tiles |
//! | `bound` | the bound of the error |

mod blocked;
mod bound;
mod device;
mod device_blocks;
mod factors;
mod host;
pub mod reference;
mod scaled;
mod triangular;

use manycore_device::{Device, Executor, Team};

use crate::error::LinalgError;
use crate::matrix::entries;
use factors::Factors;
pub use scaled::{Scaled, balanced_product, product};

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
}

/// How a determinant in double precision is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RealOptions {
    /// The choice of pivots.
    pub pivoting: Pivoting,
    /// Whether a bound of the error is proved: `5/6 n^3` products beside the `1/3 n^3` of the
    /// determinant itself, on the host.
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
    factors: Option<Factors>,
}

impl Triangular {
    /// From the steps.
    fn of(condensed: &Condensed, with_factors: bool) -> Self {
        let pivots = condensed.pivots.iter().map(|&(_, _, pivot)| pivot);
        let factors = with_factors.then(|| factors::factors(condensed)).flatten();
        Self { pivots: if condensed.pivots.len() < condensed.order { Vec::new() } else { pivots.collect() }, factors }
    }
}

/// The determinant of a matrix of doubles, row after row, on a device: `2/3 n^3` operations for order `n`; 1 for order 0.
/// By blocks where the pivot stands in the first row by the rule, a launch a step on OpenCL devices and two a block; step by step
/// else, four launches each. Host and devices, whatever their threads, give the same bits.
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
/// that is infinite or no number; [`LinalgError::Overflow`] where numbers of the computation are out of range, which pivots of
/// [`Pivoting::Complete`] avoid; [`LinalgError::Device`], also for a device without double precision.
pub fn determinant(
    device: &Device,
    order: usize,
    words: &[f64],
    options: RealOptions,
) -> Result<RealDeterminant, LinalgError> {
    if entries(order, order)? != words.len() {
        return Err(LinalgError::Entries { given: words.len(), rows: order, columns: order });
    }
    if let Some(index) = words.iter().position(|x| !x.is_finite()) {
        return Err(LinalgError::NotFinite { row: index / order, column: index % order, value: words[index] });
    }
    let steps = |condensed: &Condensed| Triangular::of(condensed, options.bound);
    let found = match (device.executor(), options.pivoting) {
        _ if order == 0 => Triangular { pivots: Vec::new(), factors: None },
        (Executor::Host(pool), Pivoting::First | Pivoting::Partial) => {
            blocked::eliminate(pool, order, words, options.pivoting)
        }
        (Executor::Host(pool), pivoting) => steps(&host::condense(pool, order, words, pivoting)),
        (Executor::OpenCl(cl), Pivoting::First | Pivoting::Partial) => {
            device_blocks::eliminate(device, cl, order, words, options)?
        }
        (Executor::OpenCl(cl), pivoting) => steps(&device::condense(device, cl, order, words, pivoting)?),
    };
    let value = if found.pivots.len() < order { Scaled::ZERO } else { product(&found.pivots) };
    if !value.mantissa.is_finite() {
        let step = found.pivots.iter().position(|pivot| !pivot.is_finite()).unwrap_or(order);
        return Err(LinalgError::Overflow { step });
    }
    let host = Device::host();
    let team = match (device.executor(), host.executor()) {
        (Executor::Host(pool), _) | (Executor::OpenCl(_), Executor::Host(pool)) => pool.team(),
        (Executor::OpenCl(_), Executor::OpenCl(_)) => Team::ALONE,
    };
    let error_bound = options.bound.then(|| bound::error_bound(team, words, order, found.factors.as_ref(), value));
    Ok(RealDeterminant { value, error_bound })
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

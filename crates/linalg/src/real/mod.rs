//! Determinants in double precision by condensation, with a choice of pivots, an exponent without end, and a proved bound of the
//! error (paper 002, sections 7.4 and 7.5, corrected).
//!
//! | file | what |
//! |---|---|
//! | `options` | options and results |
//! | `scaled` | mantissa and exponent, products of pivots |
//! | `decimal` | decimal digits, as many as are known |
//! | `equilibrate`, `device_range` | scaling by powers of two where entries are far from 1 |
//! | `reference` | a step by its definition |
//! | `host`, `device` | the steps, equal to the last bit |
//! | `blocked`, `device_blocks`, `device_whole` | some steps at once, to the same bits |
//! | `solver` | a determinant from its matrix to its bound |
//! | `plan` | which of them a device runs |
//! | `tiles` | sizes of blocks and tiles on a device |
//! | `factors` | what eliminations leave: steps, and triangular factors |
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
pub(crate) mod options;
mod plan;
pub mod reference;
mod scaled;
mod solver;
mod tiles;
mod triangular;

use manycore_device::{Buffer, Device};

use crate::error::LinalgError;
#[cfg(feature = "bigint")]
pub use check::check;
pub use options::{Pivoting, RealDeterminant, RealOptions, RealPlan};
pub use scaled::{Scaled, balanced_product, product};
use solver::Entries;

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

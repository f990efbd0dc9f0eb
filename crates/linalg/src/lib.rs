#![doc = include_str!("../README.md")]

// | folder or file | what | uses |
// |---|---|---|
// | `error`, `shape`, `block`, `field` | errors, numbers of entries, blocks, fields of entries | the plans that errors tell |
// | `modular` | modulo primes | these |
// | `bits` | modulo 2, 64 entries to a word | `modular` |
// | `exact` | over the integers and the rationals | `modular` |
// | `real` | in double precision, with proved bounds | `exact`, for checks |
// | `file` | matrices in files | `modular`, `bits` |
// | `operations` | jobs | all |

pub mod bits;
mod block;
mod error;
#[cfg(feature = "bigint")]
pub mod exact;
mod field;
pub mod file;
mod modular;
#[cfg(feature = "bigint")]
pub mod operations;
pub mod real;
mod shape;

pub use error::{LinalgError, Shape};
pub use field::MatrixField;
pub use file::MatrixFileError;
pub use modular::algebra::LinearAlgebra;
pub use modular::batch::{Batch, Together};
pub use modular::condense::Condensation;
pub use modular::decompose::{Lu, PackedLu, Panels, Permutation, Pluq};
pub use modular::eliminate::{Echelon, Elimination, EliminationShape, Reach, Solution};
pub use modular::inverses::Inversion;
pub use modular::matrix::Matrix;
pub use modular::multiply::{ProductPlan, ProductTile, ProductTiles};
pub use modular::{batch, characteristic, condense, decompose, eliminate, inverses, linear, multiply};
#[cfg(feature = "ndarray")]
pub use ndarray;
#[cfg(feature = "bigint")]
pub use num_bigint;
#[cfg(feature = "bigint")]
pub use num_rational;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

//! Dense linear algebra over fields of primes. What works modulo 2 in words of bits, over the integers and in double precision has
//! folders of its own, `bits`, `exact` and `real`, which may use this one; it uses none of them.
//!
//! | file | what |
//! |---|---|
//! | `algebra` | the context: matrices in and out |
//! | `matrix` | a matrix |
//! | `array` | matrices and batches in arrays of `ndarray` |
//! | `copies` | copies between blocks |
//! | `counts`, `estimates` | what operations count, and estimates that several of them share |
//! | `linear` | sums, multiples, transposes |
//! | `multiply` | products |
//! | `eliminate` | echelon forms, ranks, determinants, solutions |
//! | `inverses` | inverses of one matrix and of many |
//! | `batch` | determinants of many matrices |
//! | `decompose` | triangular decompositions |
//! | `characteristic` | characteristic and minimal polynomials |
//! | `condense` | determinants by condensation |
//! | `verify` | checks of results |

pub(crate) mod algebra;
#[cfg(feature = "ndarray")]
mod array;
pub mod batch;
pub mod characteristic;
pub mod condense;
mod copies;
mod counts;
pub mod decompose;
pub mod eliminate;
mod estimates;
pub mod inverses;
pub mod linear;
pub(crate) mod matrix;
pub mod multiply;
mod verify;

#![doc = include_str!("../README.md")]

pub mod chain;
mod error;
mod parse;
mod polynomial;
mod ring;
mod simd;
pub mod solve;
mod univariate;

pub use error::{BivariateError, ParseError};
pub use polynomial::{Bivariate, MOST_DEGREE, MOST_TERMS, Variable};
pub use ring::{BivariateField, BivariateRing};
pub use solve::{Chain, Decomposition, Solutions};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

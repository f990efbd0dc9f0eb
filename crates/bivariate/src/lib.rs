#![doc = include_str!("../README.md")]

#[cfg(feature = "ndarray")]
mod array;
pub mod chain;
mod error;
#[cfg(feature = "bigint")]
pub mod operations;
mod parse;
mod polynomial;
#[cfg(feature = "bigint")]
mod rational;
mod ring;
pub mod solve;
mod terms;
mod univariate;

pub use error::{BivariateError, ParseError};
#[cfg(feature = "ndarray")]
pub use ndarray;
#[cfg(feature = "bigint")]
pub use num_bigint;
#[cfg(feature = "bigint")]
pub use num_rational;
pub use polynomial::{Bivariate, MOST_DEGREE, MOST_TERMS, Variable};
#[cfg(feature = "bigint")]
pub use rational::{
    RationalBivariate, RationalChain, RationalDecomposition, RationalRing, RationalSolutions, ResultantResidues,
};
pub use ring::{BivariateField, BivariateRing};
pub use solve::{Chain, Decomposition, Representation, Solutions};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

#![doc = include_str!("../README.md")]

#[cfg(feature = "ndarray")]
mod array;
mod error;
mod kernels;
mod market;
mod misses;
mod multiply;
#[cfg(feature = "operations")]
pub mod operations;
mod order;
mod pattern;
mod permutation;
mod prefetch;
pub mod reference;
mod ring;
mod rows;
mod solve;

// The crates of the values that are taken and given.
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use num_complex;
pub use sprs;

pub use num_complex::Complex64;

pub use error::SparseError;
pub use market::{
    LineFault, MarketNumber, MatrixEntries, MatrixValues, SparseFileError, Symmetry, write_matrix_market,
};
pub use misses::{
    Advice, AdviceOptions, ConsideredOrder, Policy, Prediction, advise, misses, misses_within, sampled_misses,
};
pub use multiply::{ProductAlgorithm, ProductOptions, ProductPlan, SparseProduct};
pub use order::{GrayOptions, GrayOrder, NonZeroClass, NonZeroClasses, OrderMethod, reorder};
pub use pattern::Pattern;
pub use permutation::{ColumnPermutation, Columns, Permutation, Reordering, RowPermutation, Rows};
pub use ring::{Complexes, SparseRing};
pub use solve::{
    ConjugateGradient, ConjugateGradientOptions, Outcome, PageRank, PageRankOptions, Real, conjugate_gradient,
    page_rank,
};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

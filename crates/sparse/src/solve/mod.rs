//! Applications of products: linear systems and ranks.

mod conjugate_gradient;
mod page_rank;
mod vectors;

pub use conjugate_gradient::{ConjugateGradient, ConjugateGradientOptions, conjugate_gradient};
pub use page_rank::{PageRank, PageRankOptions, page_rank};
pub use vectors::Real;

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The tolerance was reached.
    Converged,
    /// The most iterations were done.
    MostIterations,
    /// The caller ended it.
    Cancelled,
    /// The matrix is not positive definite: a direction `p` has `p^T A p <= 0`, or a sum is no number.
    NotPositiveDefinite {
        /// `p^T A p`.
        curvature: f64,
    },
}

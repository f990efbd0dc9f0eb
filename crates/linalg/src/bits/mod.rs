//! Dense linear algebra modulo 2, 64 entries to a word: products by the Method of the Four Russians (Albrecht, Bard and Hart,
//! "Algorithm 898: Efficient multiplication of dense matrices over GF(2)", ACM Transactions on Mathematical Software 37, 2010), and
//! elimination of 64 columns at a time by such products.
//!
//! | file | what |
//! |---|---|
//! | `reference` | products and echelon forms by their definition |
//! | `matrix` | a matrix of bits, and its words |
//! | `algebra` | the context, matrices in and out |
//! | `entries` | sums, transposes, copies and exchanges of rows |
//! | `multiply` | products |
//! | `host`, `device` | their forms: tables and threads, tables or tiles in local memory |
//! | `plan` | plans of products: algorithms and their parameters |
//! | `cost` | what they count |
//! | `choice` | the choice among them |
//! | `panel` | the pivots of 64 columns |
//! | `echelon`, `solve` | echelon forms, ranks, determinants, inverses, solutions, nullspaces |
//! | `decompose`, `multipliers`, `triangular` | triangular decompositions, and solutions from them |

mod algebra;
mod choice;
mod cost;
mod decompose;
mod device;
mod echelon;
mod entries;
mod host;
mod matrix;
mod multipliers;
mod multiply;
mod panel;
pub(crate) mod plan;
pub mod reference;
mod solve;
mod triangular;

pub use algebra::BitAlgebra;
pub use decompose::{BitLu, BitPluq};
pub use echelon::BitEchelon;
pub use matrix::BitMatrix;
pub(crate) use matrix::{BITS as WORD_BITS, word_count, words_per_row};
pub use plan::{BitProductPlan, BitTables};
pub use solve::BitSolution;

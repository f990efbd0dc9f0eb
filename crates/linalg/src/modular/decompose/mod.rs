//! Triangular decompositions of matrices of any shape and rank: `P A = L U` with the upper factor in echelon form, and
//! `A = P L U Q` with the rank revealed (Dumas, Pernet and Sultan, "Simultaneous computation of the row and column rank profiles",
//! ISSAC 2013; Jeannerod, Pernet and Storjohann, "Rank-profile revealing Gaussian elimination and the CUP matrix decomposition",
//! Journal of Symbolic Computation 56, 2013).
//!
//! | file | what |
//! |---|---|
//! | `reference` | the decomposition by its definition, column by column |
//! | `permutation` | orders of rows and columns |
//! | `head` | a small regular block on the host: both factors, and their inverses |
//! | `recursive` | halves of the columns: panels, triangular solutions, and products for the rest |
//! | `triangular` | solutions with triangular matrices by halves |
//! | `packed` | both factors in the host's memory, in the place of the matrix |
//! | `blocks` | panels and tiles of a matrix of the host's memory, by several devices |
//! | `check` | the checks of decompositions and of echelon forms |
//! | `lu`, `pluq` | the results: factors, solutions, determinants, inverses |

mod blocks;
mod check;
mod head;
mod lu;
mod packed;
mod permutation;
mod pluq;
mod recursive;
pub mod reference;
mod triangular;

pub use blocks::Panels;
pub use check::{check_lu, check_pluq, check_row_space};
pub use lu::Lu;
pub use packed::PackedLu;
pub use permutation::Permutation;
pub use pluq::Pluq;

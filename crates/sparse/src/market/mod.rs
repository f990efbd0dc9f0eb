//! Matrices in files: Matrix Market (Boisvert, Pozo and Remington, *The Matrix Market exchange formats: initial design*,
//! 1996) and SMS, the format of `LinBox`.

mod entries;
mod error;
mod lines;
mod read;
mod sms;
mod write;

pub use entries::{MatrixEntries, MatrixValues, Symmetry};
pub use error::{LineFault, SparseFileError};
pub use write::{MarketNumber, write_matrix_market};

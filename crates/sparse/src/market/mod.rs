//! Matrices in files, as crate `files` reads them: Matrix Market, SMS and Harwell-Boeing; Matrix Market is written.

mod entries;
mod error;
mod write;

pub use manycore_files::{LineFault, Symmetry};

pub use entries::{MatrixEntries, MatrixValues};
pub use error::SparseFileError;
pub use write::{MarketNumber, write_matrix_market};

#![doc = include_str!("../README.md")]

#[cfg(feature = "ndarray")]
mod array;
mod census;
mod context;
mod error;
pub mod function;
mod groups;
#[cfg(feature = "operations")]
pub mod operations;
pub mod sbox;
mod table;
mod tally;
mod threads;
mod transforms;

pub use census::{Census, Class, census};
pub use context::Boolean;
pub use error::{BooleanError, TableError};
pub use function::{AutocorrelationSummary, Function, Histogram, Properties, Spectrum, WalshSummary};
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use sbox::{
    DifferenceSummary, LinearSummary, SBox, SBoxes, linearities_over, nonlinearities_over, uniformities_over,
};
pub use table::{Anf, HexOrder, TruthTable};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

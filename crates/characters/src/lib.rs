#![doc = include_str!("../README.md")]

#[cfg(feature = "ndarray")]
mod array;
mod context;
mod error;
pub mod group;
#[cfg(feature = "operations")]
pub mod operations;
mod several;
pub mod stream;
pub mod table;
pub mod values;
mod verify;

pub use context::Characters;
pub use error::CharacterError;
pub use group::{AbelianGroup, CharacterKernel, GroupError, IndexMap};
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use num_complex;
pub use several::{stream_over, table_over, write_checked_over};
pub use stream::{Block, Form, StreamError};
pub use table::{Construction, Plan, Table, Tile};
pub use values::{Complexes, Exponents, Residues, Values};
pub use verify::{Fault, Rows, Unchecked, Verdict};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

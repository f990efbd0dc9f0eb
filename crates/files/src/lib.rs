#![doc = include_str!("../README.md")]

mod algebra_text;
#[cfg_attr(not(feature = "npy"), path = "no_array.rs")]
mod array;
#[cfg(feature = "npy")]
mod blocks;
mod brackets;
#[cfg(feature = "npy")]
mod complex;
mod csv;
mod decode;
mod digits;
mod error;
mod fault;
pub mod grid;
#[cfg(feature = "npy")]
mod header;
mod integer;
mod lines;
mod matrix;
mod matrix_market;
pub mod memory;
mod npy;
#[cfg(feature = "npy")]
mod npz;
mod number;
mod opened;
mod pieces;
pub mod polynomial;
mod set;
mod shown;
mod source;
mod target;
mod terms;
mod text;
mod vector;
mod words;
mod write;

pub use algebra_text::AlgebraText;
pub use array::Array;
pub use csv::Table;
pub use decode::decode;
pub use error::FileError;
pub use fault::LineFault;
pub use integer::{DecimalInteger, real};
pub use lines::write_lines;
pub use matrix::{
    EntryValue, MatrixEntry, MatrixFormat, MatrixHead, MatrixKind, MatrixText, RepeatedEntries, Symmetry,
};
pub use matrix_market::write_integers;
pub use memory::OutOfMemory;
pub use npy::{Kind, Number};
pub use number::{NotFinite, Numeral};
pub use opened::opened;
pub use set::{TargetSet, is_same_file, leftovers, most_open, read_at, spooled};
pub use shown::{MOST_QUOTED, counted, escaped, shown, shown_path};
pub use source::Source;
pub use target::{Target, create, discard_unfinished};
pub use terms::write_terms;
pub use text::{Text, read_all};
pub use words::without_comments;
pub use write::{Format, NpyNumber, NumberText, write_npy, write_npy_matrix, write_text};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

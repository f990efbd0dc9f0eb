#![doc = include_str!("../README.md")]

mod blocks;
mod buffers;
mod columns;
mod elements;
mod error;
mod function;
pub mod generated;
mod graph;
mod host;
mod laws;
mod map;
mod opencl;
mod program;
mod record;
mod scalar;
mod snippet;
mod value;

pub use blocks::{ColumnWindow, ElementTile};
pub use buffers::{Buffers, Memory};
pub use columns::Columns;
pub use elements::Elements;
pub use error::ExpressionError;
pub use function::Function;
pub use host::{Column, ColumnMut, Evaluator, Input, Owned, Running};
pub use laws::{Law, Laws, Violation};
pub use map::{Map, MapInput, Words, WordsMut};
pub use program::{Counts, Program};
pub use scalar::{Integer, Number, Real, Scalar, ScalarType};
pub use snippet::SnippetArguments;
pub use value::{Bits, Value};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

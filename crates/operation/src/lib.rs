#![doc = include_str!("../README.md")]

mod arguments;
mod declaration;
mod failure;
mod given;
mod group;
mod job;
pub mod json;
mod streamed;
mod text;
mod value;
pub mod vector;

pub use arguments::{Arguments, Setting};
pub use declaration::{Declaration, DeclaredOption, Input, OptionKind, Range, Splits, When};
pub use failure::{Failure, OperationError, of_input};
pub use given::Given;
pub use group::Group;
pub use job::{Answer, Files, Job, Operation, Task};
pub use streamed::{Fields, JsonForm, Stream, Streamed};
pub use text::range;
pub use value::{Bound, Bounded, Part, Value};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

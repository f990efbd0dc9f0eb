#![doc = include_str!("../README.md")]

mod arguments;
pub mod choice;
mod declaration;
mod explained;
mod failure;
mod from_json;
mod given;
mod group;
mod job;
pub mod json;
pub mod left;
pub mod read;
mod sample;
mod streamed;
mod text;
mod value;
mod value_error;
pub mod vector;

pub use arguments::{Arguments, Setting};
pub use choice::{ChoiceDeclaration, Explain};
pub use declaration::{Declaration, DeclaredOption, DeviceUse, Holds, Input, OptionKind, Range, Splits, When};
pub use explained::Explained;
pub use failure::{Failure, OperationError, of_input, unmade};
pub use given::Given;
pub use group::Group;
pub use job::{Answer, Estimate, Files, Job, Operation, Task};
// The crates of files that are read and of checks, for operations of crates that need no other of both.
pub use manycore_files as files;
pub use manycore_verify as verify;
pub use streamed::{Fields, Flow, JsonForm, Row, Stream, Streamed, Writing};
pub use text::range;
pub use value::{Bound, Bounded, Part, Polynomial, Value};
pub use value_error::ValueError;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

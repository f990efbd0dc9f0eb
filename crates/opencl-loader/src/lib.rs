#![doc = include_str!("../README.md")]

mod forward;
mod library;
mod runtime;
#[allow(non_snake_case, clippy::too_many_arguments)] // OpenCL's own names and signatures.
mod table;
#[allow(non_camel_case_types)] // C's own names.
mod types;

pub use library::{Attempt, LIBRARY_VARIABLE, NoLibrary};
pub use runtime::{ListingError, platform_count, runtime};
pub use table::symbols;

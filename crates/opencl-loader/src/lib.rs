#![doc = include_str!("../README.md")]

mod forward;
mod library;
mod platforms;
#[allow(non_snake_case, clippy::too_many_arguments)] // OpenCL's own names and signatures.
mod table;
#[allow(non_camel_case_types)] // C's own names.
mod types;

pub use library::{Attempt, LIBRARY_VARIABLE, NoLibrary, runtime};
pub use platforms::{ListingError, platform_count};
pub use table::symbols;

//! The tests of Boolean functions, in one program; those that change its whole process stand beside it.

#[path = "../common/mod.rs"]
mod common;

mod batches;
mod functions;
mod goldens;
#[cfg(feature = "operations")]
mod operations;
mod sboxes;

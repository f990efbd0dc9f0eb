#![doc = include_str!("../README.md")]
//!
//! # Safety
//! Functions that take pointers ask of each one what C's functions ask: an array that is not null holds as many elements as its length
//! says, is aligned, is not written by others meanwhile, and overlaps no array that is written. A length of 0 allows null.
// The functions' names are those of C; each type has its own, written out: cbindgen reads the sources and expands no macros.
#![allow(clippy::doc_markdown)]

mod arrays;
mod boolean;
mod codes;
mod device;
mod matrices;
mod maxplus;
mod operations;
mod polynomials;
mod sorting;
mod status;
mod transforms;

pub use boolean::*;
pub use codes::*;
pub use device::*;
pub use matrices::*;
pub use maxplus::*;
pub use operations::*;
pub use polynomials::*;
pub use sorting::*;
pub use status::*;
pub use transforms::*;

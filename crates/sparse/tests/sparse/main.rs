//! The tests of sparse matrices, in one program; those that change its whole process stand beside it.

#[path = "../common/mod.rs"]
mod common;

mod applications;
mod files;
mod misses;
#[cfg(feature = "operations")]
mod operations;
mod orders;
mod products;
mod several;

//! The tests of characters, in one program; those that change its whole process stand beside it.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "operations")]
mod operations;
mod streams;
mod tables;

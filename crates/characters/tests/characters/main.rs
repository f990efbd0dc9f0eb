//! The tests of characters, in one program; those that change its whole process stand beside it.

#[path = "../common/mod.rs"]
mod common;

mod streams;
mod tables;

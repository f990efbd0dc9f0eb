//! The tests of Kronecker products, in one program; those that change its whole process stand beside it.

#[path = "../common/mod.rs"]
mod common;

mod exact;
mod in_place;
mod limited_passes;
#[cfg(feature = "operations")]
mod operations;
mod transforms;

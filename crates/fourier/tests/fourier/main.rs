//! The tests of Fourier transforms, in one program; those that change its whole process stand beside it.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "ndarray")]
mod along;
mod convolutions;
mod in_place;
mod limited_passes;
#[cfg(feature = "operations")]
mod operations;
mod transforms;

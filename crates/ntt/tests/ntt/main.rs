//! The tests of number-theoretic transforms, in one program; those that change its whole process stand beside it.

#[cfg(feature = "ndarray")]
mod along;
mod broken_device;
mod in_place;
mod limited_passes;
#[cfg(feature = "operations")]
mod operations;
mod planned_ntt;
mod pointwise;
mod several;

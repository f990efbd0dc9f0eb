//! The tests of spectral transforms, in one program; those that change its whole process stand beside it.

#[cfg(feature = "ndarray")]
mod along;
mod exact;
mod in_place;
mod limited_passes;
#[cfg(feature = "operations")]
mod operations;
mod same_bits;
mod several;
mod walsh;

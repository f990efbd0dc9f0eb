//! The tests of spectral transforms, in one program; those that change its whole process stand beside it.

mod in_place;
mod limited_passes;
mod same_bits;
mod walsh;

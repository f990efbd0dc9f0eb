#![doc = include_str!("../README.md")]

pub mod arithmetic;
mod bit_shape;
pub mod boolean_function;
mod bounded;
mod butterflies;
pub mod characters;
mod compared;
mod complex;
#[cfg(test)]
mod faults;
pub mod fourier;
pub mod haar;
pub mod kronecker;
pub mod matrix;
mod modular;
mod modulus;
pub mod ntt;
mod number;
mod outcome;
pub mod polarity;
pub mod product;
mod random;
pub mod reed_muller;
mod residues;
mod runs;
pub mod sbox;
mod threads;
pub mod walsh;

pub use bit_shape::BitShape;
pub use number::{Integer, Real};
pub use outcome::{Chance, CheckError, Outcome, Passed, collected, equal, reserved};
pub use random::SplitMix;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

#![doc = include_str!("../README.md")]

mod algebra;
mod binary;
pub mod crt;
mod error;
mod field_words;
mod goldilocks;
pub mod kernels;
mod modular;
mod numbers;
mod prime_field;
pub mod primes;
mod semirings;
#[doc(hidden)]
pub mod simd;
mod unit_root;
mod with_field;

pub use algebra::{Field, Idempotent, Ring, Semiring};
pub use binary::BinaryField16;
pub use error::{LengthMismatch, NoRoot, NotPrime, OutOfRange, ZeroAt};
pub use field_words::FieldWords;
pub use goldilocks::Goldilocks;
pub use kernels::{Arithmetic, KernelField};
pub use modular::ModularField;
// The crates of the numbers that are taken and given.
#[cfg(feature = "bigint")]
pub use num_bigint;
#[cfg(feature = "bigint")]
pub use num_rational;
pub use numbers::{Integers, Reals};
pub use prime_field::{
    Barrett, FloatingFactor, FloatingPoint, Montgomery, PrimeField, ResidueWord, Shoup, ShoupFactor,
};
pub use semirings::{Boolean, MaxPlus, MaxTimes, MinPlus, Tropical};
pub use simd::{BINARY_OUTPUTS, BinarySlices, BitLines, FieldSlices, PackedPanel, RealSlices, SliceWord, Slices};
pub use unit_root::unit_root;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();

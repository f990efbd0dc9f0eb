//! Entries of matrices and vectors: integers, real or complex numbers, or residues.
//!
//! A kind of values is itself a value, as rings are: [`Integers`](manycore_field::Integers) and
//! [`Reals`](manycore_field::Reals), [`PrimeField`](manycore_field::PrimeField) and
//! [`Goldilocks`](manycore_field::Goldilocks) of the field crate, and [`Complexes`].

mod complex;
mod invert;
mod numbers;
mod residues;

use std::fmt::Debug;

use bytemuck::Pod;
use manycore_device::{Defines, Word};
use manycore_field::Arithmetic;

use crate::error::FactorError;
pub use complex::Complexes;

/// How kernels compute with values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Computation {
    /// Integers or floating point in one word.
    Number,
    /// Complex numbers of two words.
    Complex,
    /// Residues modulo a prime.
    Residues(Arithmetic),
}

mod sealed {
    pub trait Sealed {}
}

/// The inverse of a matrix: entries, row after row, and the number that they are to be divided by.
pub type Inverse<V> = (Vec<<V as Values>::Value>, u64);

/// A commutative ring whose elements transforms compute with. The trait is sealed: kernels know these rings only.
pub trait Values: sealed::Sealed + Clone + Debug + PartialEq + Send + Sync + 'static {
    /// What buffers of values hold.
    type Word: Word;
    /// A value: one word, or two for complex numbers.
    type Value: Pod + PartialEq + Debug + Send + Sync;
    /// A value prepared for products with many others.
    type Constant: Copy + Debug + Send + Sync;

    /// Words of a value.
    const WORDS: usize = size_of::<Self::Value>() / size_of::<Self::Word>();
    /// Whether division is that of integers, exact or not defined.
    const INTEGERS: bool = false;

    /// The ring in words, such as `residues mod 7`.
    fn name(&self) -> String;

    /// 0.
    fn zero(&self) -> Self::Value;

    /// The image of an integer.
    fn integer(&self, n: i64) -> Self::Value;

    /// Whether the ring has the integer itself: not where words of integers are too short for it.
    #[doc(hidden)]
    fn has(&self, _: i64) -> bool {
        true
    }

    /// The product by an integer; `None` where words of integers are too short for it.
    #[doc(hidden)]
    fn multiple(&self, a: Self::Value, n: u64) -> Option<Self::Value> {
        Some(self.times(a, &self.constant(self.integer(n as i64))))
    }

    /// Whether the words are an element: a canonical residue, finite numbers.
    fn contains(&self, a: Self::Value) -> bool;

    /// The sum.
    fn add(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The difference.
    fn sub(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The product.
    fn mul(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The complex conjugate; the value itself where there is none.
    fn conjugate(&self, a: Self::Value) -> Self::Value {
        a
    }

    /// Prepares a value for products.
    fn constant(&self, a: Self::Value) -> Self::Constant;

    /// The product by a prepared value.
    fn times(&self, a: Self::Value, c: &Self::Constant) -> Self::Value;

    /// A primitive root of unity of `order` to the power `t`: `exp(2 pi i t / order)`, or for residues the field's own root.
    ///
    /// # Errors
    /// [`FactorError::NoRoot`] and [`FactorError::NoRealRoot`] name the orders that exist.
    fn root(&self, order: u64, t: u64) -> Result<Self::Value, FactorError>;

    /// The inverse of a matrix of `q` rows: `entries / divisor`, where the divisor is 1 except for integers.
    ///
    /// # Errors
    /// [`FactorError::Singular`]; [`FactorError::InverseTooLarge`] for integers.
    fn inverse(&self, q: usize, entries: &[Self::Value]) -> Result<Inverse<Self>, FactorError>;

    /// What [`divided`](Self::divided) needs; `None` where `n` is 0, has no inverse in the field or does not fit the word.
    fn divisor(&self, n: u64) -> Option<Self::Constant>;

    /// The quotient by a prepared divisor; of integers, rounded toward 0 where it is not exact.
    fn divided(&self, a: Self::Value, by: &Self::Constant) -> Self::Value;

    /// How kernels compute.
    #[doc(hidden)]
    fn computation(&self) -> Computation;

    /// The words of the modulus that kernels multiply with; zeros where there is none.
    #[doc(hidden)]
    fn modulus(&self) -> (Self::Word, u64) {
        (bytemuck::Zeroable::zeroed(), 0)
    }

    /// A value in the text of a kernel: `E(...)` for each of its words.
    #[doc(hidden)]
    fn literal(&self, a: Self::Value) -> String;

    /// The quotient's constant in the text of a kernel.
    #[doc(hidden)]
    fn divisor_literal(&self, n: u64) -> String;

    /// The definitions that kernels are built with.
    #[doc(hidden)]
    fn defines(&self) -> Defines {
        let defines = Defines::new().element(Self::Word::TYPE);
        match self.computation() {
            Computation::Number => defines.set("COMPUTATION", 0),
            Computation::Complex => defines.set("COMPUTATION", 1),
            Computation::Residues(arithmetic) => arithmetic.define(defines.set("COMPUTATION", 2)),
        }
    }
}

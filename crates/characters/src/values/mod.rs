//! The entries of tables: exponents, complex numbers, or residues.
//!
//! A kind of values is itself a value, as rings are: [`Exponents`], [`Complexes`] and [`Residues`]. All that the constructions
//! need of it are the roots of unity that it has and how it multiplies two of them.

mod complex;
mod exponents;
mod residues;

use std::fmt::Debug;
use std::io::{self, Write};

use bytemuck::Pod;
use manycore_device::{Defines, Word};
use manycore_field::Arithmetic;
pub use manycore_field::unit_root;

use crate::error::CharacterError;
pub use complex::Complexes;
pub use exponents::Exponents;
pub use residues::Residues;

/// The largest exponent of a group whose tables are made: sums of two exponents fit 32 bits.
pub const LARGEST_EXPONENT: u64 = 1 << 31;

/// How kernels multiply two entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Product {
    /// Exponents are added modulo the group's exponent.
    Sum,
    /// Complex numbers of two words.
    Complex,
    /// Residues modulo a prime.
    Residues(Arithmetic),
}

mod sealed {
    pub trait Sealed {}
}

/// A kind of entries: [`Exponents`], [`Complexes`] or [`Residues`]. The trait is sealed: kernels know these only.
pub trait Values: sealed::Sealed + Clone + Debug + Send + Sync + 'static {
    /// What buffers of entries hold.
    type Word: Word;
    /// An entry: one word, or a [`num_complex::Complex`] number of two.
    type Value: Pod + PartialEq + Debug + Send + Sync;
    /// What roots of one order are made from.
    type Base: Copy + Debug + Send + Sync;

    /// Words of an entry.
    const WORDS: usize = size_of::<Self::Value>() / size_of::<Self::Word>();
    /// Whether an entry is the exponent of its root.
    const EXPONENTS: bool = false;

    /// The kind in words, such as `residues mod 7`.
    fn name(&self) -> String;

    /// The type of an entry in `.npy` files without its byte order, such as `c8`.
    fn npy_type(&self) -> &'static str;

    /// Writes an entry as text that reads back the same: a number, or two as `-0.5+0.8660254i`.
    ///
    /// # Errors
    /// Those of the writer.
    fn write_text(&self, out: &mut dyn Write, value: Self::Value) -> io::Result<()>;

    /// What roots of this order are made from; the order is a group's exponent.
    ///
    /// # Errors
    /// [`CharacterError::NoRoot`] and [`CharacterError::Exponent`] where there are none.
    fn base(&self, order: u64) -> Result<Self::Base, CharacterError>;

    /// The root to the power `t`, below the order.
    fn root(&self, base: Self::Base, t: u64) -> Self::Value;

    /// The powers `0, step, 2 step, ..., (count - 1) step` of the root; all exponents are below the order.
    fn roots(&self, base: Self::Base, step: u64, count: usize) -> Vec<Self::Value> {
        (0..count as u64).map(|i| self.root(base, i * step)).collect()
    }

    /// The product of two roots; for exponents their sum.
    fn multiply(&self, base: Self::Base, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The root's inverse, which is its complex conjugate; for exponents the negative.
    fn conjugate(&self, base: Self::Base, a: Self::Value) -> Self::Value;

    /// Whether two entries are equal; complex numbers, up to `roundings` roundings.
    fn equal(&self, a: Self::Value, b: Self::Value, roundings: u32) -> bool;

    /// Whether roots of this order have the sum `expected`: exactly, for exponents in the ring of integers of the roots; for
    /// complex numbers, up to `roundings` roundings of each.
    fn sum_is(&self, order: u64, roots: &[Self::Value], expected: u64, roundings: u32) -> bool;

    /// How kernels multiply.
    #[doc(hidden)]
    fn product(&self) -> Product;

    /// The words of the modulus that kernels multiply with; zeros where there is none.
    #[doc(hidden)]
    fn modulus(&self) -> (Self::Word, u64) {
        (bytemuck::Zeroable::zeroed(), 0)
    }

    /// The definitions that kernels are built with.
    #[doc(hidden)]
    fn defines(&self) -> Defines {
        let defines = Defines::new().element(Self::Word::TYPE).set("VALUE_WORDS", Self::WORDS);
        match self.product() {
            Product::Sum => defines.set("PRODUCT", 0),
            Product::Complex => defines.set("PRODUCT", 1),
            Product::Residues(arithmetic) => arithmetic.define(defines.set("PRODUCT", 2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_field::{Goldilocks, PrimeField};

    #[test]
    fn exponents_too_large_for_their_words_are_refused() {
        assert!(Exponents::<u8>::new().base(256).is_ok());
        let error = Exponents::<u8>::new().base(257).unwrap_err();
        assert_eq!(error.to_string(), "the group's exponent 257 is past 256, the largest for exponents u8");
        assert!(Exponents::<u16>::new().base(65_537).is_err());
        assert!(Exponents::<u32>::new().base(LARGEST_EXPONENT + 1).is_err());
        assert!(Complexes::<f32>::new().base(LARGEST_EXPONENT + 1).is_err());
    }

    #[test]
    fn residues_tell_which_orders_there_are() {
        let values = Residues::new(PrimeField::<u32>::new(7).unwrap());
        let error = values.base(4).unwrap_err().to_string();
        assert!(error.contains("mod 7 has order 4: the orders are the divisors of 6"), "{error}");
        let base = values.base(6).unwrap();
        assert_eq!(values.roots(base, 1, 6), [1, 3, 2, 6, 4, 5]);
        assert_eq!(values.roots(base, 2, 3), [1, 2, 4]);
        let two = Residues::new(PrimeField::<u64>::new(2).unwrap());
        assert!(two.base(1).is_ok() && two.base(2).is_err());
        assert!(Residues::new(Goldilocks).base(65_537).is_ok());
    }

    #[test]
    fn roots_multiply() {
        fn check<V: Values>(values: &V, order: u64, near: impl Fn(V::Value, V::Value) -> bool) {
            let base = values.base(order).unwrap();
            for s in 0..order {
                for t in 0..order {
                    let product = values.multiply(base, values.root(base, s), values.root(base, t));
                    assert!(near(product, values.root(base, (s + t) % order)), "{} {s} {t}", values.name());
                }
            }
            let listed = values.roots(base, 1, order as usize);
            assert!(listed.iter().enumerate().all(|(t, &root)| root == values.root(base, t as u64)));
        }
        check(&Exponents::<u8>::new(), 255, |a, b| a == b);
        check(&Residues::new(PrimeField::<u32>::new(31).unwrap()), 30, |a, b| a == b);
        check(&Complexes::<f64>::new(), 24, |a, b| (a - b).l1_norm() < 1e-15);
    }
}

//! What the entries of a table are: exponents, complex numbers, or residues.
//!
//! A kind of values is itself a value, as rings are: [`Exponents`], [`Complex`] and [`Residues`]. All that the constructions
//! need of it are the roots of unity that it has and how it multiplies two of them.

mod roots;

use std::fmt::Debug;
use std::marker::PhantomData;

use bytemuck::Pod;
use manycore_device::{Defines, Word};
use manycore_field::{Arithmetic, KernelField, ResidueWord};

use crate::error::CharacterError;
pub use roots::unit_root;

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

/// A kind of entries: [`Exponents`], [`Complex`] or [`Residues`]. The trait is sealed: kernels know these only.
pub trait Values: sealed::Sealed + Clone + Debug + Send + Sync + 'static {
    /// What buffers of entries hold.
    type Word: Word;
    /// An entry: one word, or two for complex numbers.
    type Value: Pod + PartialEq + Debug + Send + Sync;
    /// What roots of one order are made from.
    type Base: Copy + Debug + Send + Sync;

    /// Words of an entry.
    const WORDS: usize = size_of::<Self::Value>() / size_of::<Self::Word>();
    /// Whether an entry is the exponent itself.
    const EXPONENTS: bool = false;

    /// The kind in words, such as `residues mod 7`.
    fn name(&self) -> String;

    /// The type of an entry in `.npy` files, such as `<c8`.
    fn npy_type(&self) -> &'static str;

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

/// Exact exponents `E(w, z)` below the group's exponent `L`, as `u8`, `u16` or `u32`: `chi_w(z) = exp(2 pi i E / L)`.
///
/// `L` may be up to 256, 65536 or 2^31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exponents<W>(PhantomData<W>);

impl<W> Exponents<W> {
    /// Exponents in words of type `W`.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Complex numbers, real part first, of `f32` or `f64`. Roots are exact where they are 1, -1, i or -i, else within two units
/// of the last place; the direct construction keeps that, products of the Kronecker construction round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Complex<T>(PhantomData<T>);

impl<T> Complex<T> {
    /// Complex numbers of parts of type `T`.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Residues of a prime field: powers of its root of unity of order `L`, the primitive root to the power `(p - 1) / L`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residues<F>(F);

impl<F: KernelField> Residues<F> {
    /// Residues of this field.
    pub const fn new(field: F) -> Self {
        Self(field)
    }

    /// The field.
    pub fn field(&self) -> &F {
        &self.0
    }

    fn arithmetic(&self) -> Arithmetic {
        // The first is the one of integers, which every device has.
        self.0.arithmetics().first().copied().unwrap_or(Arithmetic::Word64 { lazy: false })
    }
}

/// The largest exponent of a group whose tables are made: sums of two exponents fit 32 bits.
pub const LARGEST_EXPONENT: u64 = 1 << 31;

macro_rules! exponents {
    ($word:ty, $limit:expr, $npy:literal) => {
        impl sealed::Sealed for Exponents<$word> {}

        impl Values for Exponents<$word> {
            type Word = $word;
            type Value = $word;
            type Base = u64;
            const EXPONENTS: bool = true;

            fn name(&self) -> String {
                concat!("exponents ", stringify!($word)).to_owned()
            }

            fn npy_type(&self) -> &'static str {
                $npy
            }

            fn base(&self, order: u64) -> Result<u64, CharacterError> {
                if order > $limit {
                    return Err(CharacterError::Exponent { exponent: order, limit: $limit, values: self.name() });
                }
                Ok(order)
            }

            fn root(&self, _: u64, t: u64) -> $word {
                t as $word
            }

            #[inline(always)]
            fn multiply(&self, order: u64, a: $word, b: $word) -> $word {
                let sum = u64::from(a) + u64::from(b);
                (if sum < order { sum } else { sum - order }) as $word
            }

            fn product(&self) -> Product {
                Product::Sum
            }
        }
    };
}

exponents!(u8, 1 << 8, "|u1");
exponents!(u16, 1 << 16, "<u2");
exponents!(u32, LARGEST_EXPONENT, "<u4");

macro_rules! complex {
    ($part:ty, $npy:literal) => {
        impl sealed::Sealed for Complex<$part> {}

        impl Values for Complex<$part> {
            type Word = $part;
            type Value = [$part; 2];
            type Base = u64;

            fn name(&self) -> String {
                concat!("complex ", stringify!($part)).to_owned()
            }

            fn npy_type(&self) -> &'static str {
                $npy
            }

            fn base(&self, order: u64) -> Result<u64, CharacterError> {
                let limit = LARGEST_EXPONENT;
                if order > limit {
                    return Err(CharacterError::Exponent { exponent: order, limit, values: self.name() });
                }
                Ok(order)
            }

            fn root(&self, order: u64, t: u64) -> [$part; 2] {
                unit_root(t, order).map(|part| part as $part)
            }

            fn multiply(&self, _: u64, [a, b]: [$part; 2], [c, d]: [$part; 2]) -> [$part; 2] {
                [a * c - b * d, a * d + b * c]
            }

            fn product(&self) -> Product {
                Product::Complex
            }
        }
    };
}

complex!(f32, "<c8");
complex!(f64, "<c16");

impl<F: KernelField> sealed::Sealed for Residues<F> {}

impl<F: KernelField + Debug> Values for Residues<F> {
    type Word = F::Element;
    type Value = F::Element;
    type Base = F::Element;

    fn name(&self) -> String {
        format!("residues mod {}", self.0.order())
    }

    fn npy_type(&self) -> &'static str {
        if size_of::<F::Element>() == 4 { "<u4" } else { "<u8" }
    }

    fn base(&self, order: u64) -> Result<F::Element, CharacterError> {
        if order > LARGEST_EXPONENT {
            return Err(CharacterError::Exponent { exponent: order, limit: LARGEST_EXPONENT, values: self.name() });
        }
        Ok(self.0.root_of_unity(order)?)
    }

    fn root(&self, base: F::Element, t: u64) -> F::Element {
        self.0.power(base, t)
    }

    fn roots(&self, base: F::Element, step: u64, count: usize) -> Vec<F::Element> {
        let factor = self.0.power(base, step);
        std::iter::successors(Some(self.0.one()), |&root| Some(self.0.mul(root, factor))).take(count).collect()
    }

    fn multiply(&self, _: F::Element, a: F::Element, b: F::Element) -> F::Element {
        self.0.mul(a, b)
    }

    fn product(&self) -> Product {
        Product::Residues(self.arithmetic())
    }

    fn modulus(&self) -> (F::Element, u64) {
        (F::Element::from_u64(self.0.order()), self.0.reciprocal(self.arithmetic()))
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
        assert!(Complex::<f32>::new().base(LARGEST_EXPONENT + 1).is_err());
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
        check(&Complex::<f64>::new(), 24, |a, b| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 1e-15);
    }
}

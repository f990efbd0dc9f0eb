//! Rings that sparse products are computed in: real and complex numbers, residues modulo primes.

use std::fmt::Debug;
use std::marker::PhantomData;

use bytemuck::Pod;
use manycore_device::Word;
use manycore_field::{Arithmetic, Goldilocks, KernelField as _, ModularField as _, PrimeField, Reals};
use num_complex::Complex;

use crate::error::SparseError;

/// A ring of values, and how kernels compute in it. The ring is a value: a field knows its modulus.
///
/// Implemented for [`Reals`] and [`Complexes`] of `f32` and `f64`, [`PrimeField`] of `u32` and `u64`, and
/// [`Goldilocks`], and for no other type: kernels trust the words of a value.
///
/// ```compile_fail,E0277
/// use manycore_sparse::SparseRing;
///
/// #[derive(Debug, Clone)]
/// struct Own;
///
/// impl SparseRing for Own {
///     type Value = f64;
///     type Word = f64;
///
///     fn zero(&self) -> f64 {
///         0.0
///     }
///     fn add(&self, a: f64, b: f64) -> f64 {
///         a + b
///     }
///     fn mul(&self, a: f64, b: f64) -> f64 {
///         a * b
///     }
/// }
/// ```
pub trait SparseRing: sealed::Sealed + Clone + Debug + Send + Sync + 'static {
    /// A value.
    type Value: Pod + Debug + PartialEq + Send + Sync;
    /// The words that device buffers hold: one a value, two for complex numbers.
    type Word: Word;

    /// The neutral element of addition.
    fn zero(&self) -> Self::Value;

    /// The sum of two values.
    fn add(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The product of two values.
    fn mul(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The sum of the products `values[i] x[columns[i]]`, from the first to the last; zero of none.
    ///
    /// # Panics
    /// For a column that `x` does not have, as a slice does.
    #[inline]
    fn dot(&self, values: &[Self::Value], columns: &[u32], x: &[Self::Value]) -> Self::Value {
        let terms = values.iter().zip(columns);
        terms.fold(self.zero(), |sum, (&value, &column)| self.add(sum, self.mul(value, x[column as usize])))
    }

    /// The place of the first value that is no element of the ring.
    fn first_wrong(&self, _values: &[Self::Value]) -> Option<usize> {
        None
    }

    /// Words of a value.
    fn value_words() -> usize {
        size_of::<Self::Value>() / size_of::<Self::Word>()
    }

    /// How kernels compute modulo a prime; `None` for numbers.
    fn arithmetic(&self) -> Option<Arithmetic> {
        None
    }

    /// The modulus and its reciprocal, as kernels of this arithmetic take them; zeros for numbers.
    fn constants(&self) -> (Self::Word, u64) {
        (bytemuck::Zeroable::zeroed(), 0)
    }
}

mod sealed {
    pub trait Sealed {}
}

/// [`SparseError::Value`] where a value is no element of the ring.
pub(crate) fn check<R: SparseRing>(ring: &R, what: &'static str, values: &[R::Value]) -> Result<(), SparseError> {
    ring.first_wrong(values).map_or(Ok(()), |index| Err(SparseError::Value { what, index }))
}

/// The complex numbers over a machine word, `num_complex::Complex`: a field up to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Complexes<T>(PhantomData<T>);

impl<T> Complexes<T> {
    /// The field over these words.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

macro_rules! numbers {
    ($($ring:ty, $value:ty, $word:ty;)*) => {$(
        impl sealed::Sealed for $ring {}

        impl SparseRing for $ring {
            type Value = $value;
            type Word = $word;

            #[inline(always)]
            fn zero(&self) -> $value {
                <$value>::default()
            }

            #[inline(always)]
            fn add(&self, a: $value, b: $value) -> $value {
                a + b
            }

            #[inline(always)]
            fn mul(&self, a: $value, b: $value) -> $value {
                a * b
            }
        }
    )*};
}

numbers! {
    Reals<f32>, f32, f32;
    Reals<f64>, f64, f64;
    Complexes<f32>, Complex<f32>, f32;
    Complexes<f64>, Complex<f64>, f64;
}

macro_rules! residues {
    ($word:ty, $wide:ty) => {
        impl sealed::Sealed for PrimeField<$word> {}

        impl SparseRing for PrimeField<$word> {
            type Value = $word;
            type Word = $word;

            #[inline(always)]
            fn zero(&self) -> $word {
                0
            }

            #[inline(always)]
            fn add(&self, a: $word, b: $word) -> $word {
                manycore_field::Semiring::add(self, a, b)
            }

            #[inline(always)]
            fn mul(&self, a: $word, b: $word) -> $word {
                manycore_field::Semiring::mul(self, a, b)
            }

            /// Products stay whole in two words: with `B` bits in a word the sum is kept below `p 2^B`, and a product
            /// below `p^2` more is below `2^(2 B)`, because `p < 2^(B - 1)`.
            #[inline]
            fn dot(&self, values: &[$word], columns: &[u32], x: &[$word]) -> $word {
                let bound = <$wide>::from(self.modulus()) << <$word>::BITS;
                let mut sum: $wide = 0;
                for (&value, &column) in values.iter().zip(columns) {
                    sum += <$wide>::from(value) * <$wide>::from(x[column as usize]);
                    sum = sum.min(sum.wrapping_sub(bound));
                }
                self.barrett().reduce_wide(sum as $word, (sum >> <$word>::BITS) as $word)
            }

            fn first_wrong(&self, values: &[$word]) -> Option<usize> {
                self.check(values).err().map(|error| error.index)
            }

            fn arithmetic(&self) -> Option<Arithmetic> {
                self.arithmetics().first().copied()
            }

            fn constants(&self) -> ($word, u64) {
                (self.modulus(), self.arithmetic().map_or(0, |arithmetic| self.reciprocal(arithmetic)))
            }
        }
    };
}

residues!(u32, u64);
residues!(u64, u128);

impl sealed::Sealed for Goldilocks {}

impl SparseRing for Goldilocks {
    type Value = u64;
    type Word = u64;

    #[inline(always)]
    fn zero(&self) -> u64 {
        0
    }

    #[inline(always)]
    fn add(&self, a: u64, b: u64) -> u64 {
        manycore_field::Semiring::add(self, a, b)
    }

    #[inline(always)]
    fn mul(&self, a: u64, b: u64) -> u64 {
        manycore_field::Semiring::mul(self, a, b)
    }

    fn first_wrong(&self, values: &[u64]) -> Option<usize> {
        self.check(values).err().map(|error| error.index)
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Goldilocks)
    }

    fn constants(&self) -> (u64, u64) {
        (Self::MODULUS, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums of the largest products, for which sums in two words are nearest to their bound.
    #[test]
    fn sums_of_largest_products_are_right() {
        let columns = [0u32; 1000];
        for p in [2u32, 3, 9001, 469_762_049, 2_147_483_647] {
            let field = PrimeField::<u32>::new(p).unwrap();
            // (-1) (-1) = 1, a thousand times.
            assert_eq!(field.dot(&[p - 1; 1000], &columns, &[p - 1]), 1000 % p);
            assert_eq!(field.dot(&[], &[], &[]), 0);
        }
        for p in [2u64, 3, 469_762_049, 4_611_686_018_427_387_847, 9_223_372_036_854_775_783] {
            let field = PrimeField::<u64>::new(p).unwrap();
            assert_eq!(field.dot(&[p - 1; 1000], &columns, &[p - 1]), 1000 % p);
        }
        let largest = Goldilocks::MODULUS - 1;
        assert_eq!(SparseRing::dot(&Goldilocks, &[largest; 1000], &columns, &[largest]), 1000);
    }

    #[test]
    fn values_that_are_no_residues_are_found() {
        let field = PrimeField::<u32>::new(7).unwrap();
        assert_eq!(check(&field, "x", &[1, 7]), Err(SparseError::Value { what: "x", index: 1 }));
        assert_eq!(check(&Goldilocks, "x", &[1, u64::MAX]), Err(SparseError::Value { what: "x", index: 1 }));
        assert_eq!(check(&Reals::<f64>::new(), "x", &[f64::NAN]), Ok(()));
    }
}

//! Semirings, rings and fields as values.

use std::fmt::Debug;

use manycore_device::Word;

use crate::error::ZeroAt;

/// A commutative or non-commutative semiring: addition is commutative, associative and has [`zero`](Self::zero);
/// multiplication is associative, has [`one`](Self::one) and distributes over addition; zero annihilates.
///
/// The semiring is a value (a field knows its modulus), its elements are plain words: what the operations do with a
/// word that is no element (a residue not below the modulus, NaN) is not specified, but never undefined.
///
/// ```
/// use manycore_field::{MaxPlus, PrimeField, Semiring};
///
/// fn horner<S: Semiring>(ring: &S, coefficients: &[S::Element], x: S::Element) -> S::Element {
///     coefficients.iter().rev().fold(ring.zero(), |sum, &c| ring.add(ring.mul(sum, x), c))
/// }
/// assert_eq!(horner(&PrimeField::<u32>::new(7)?, &[1, 2, 3], 4), 1); // 1 + 2 * 4 + 3 * 16 = 57 = 1 mod 7
/// assert_eq!(horner(&MaxPlus::<i64>::new(), &[1, 2, 3], 4), 11); // max(1, 2 + 4, 3 + 8)
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub trait Semiring: Clone + Send + Sync + 'static {
    /// What the elements are stored as.
    type Element: Word + PartialEq + Debug;

    /// The neutral element of addition.
    fn zero(&self) -> Self::Element;

    /// The neutral element of multiplication.
    fn one(&self) -> Self::Element;

    /// The sum of two elements.
    fn add(&self, a: Self::Element, b: Self::Element) -> Self::Element;

    /// The product of two elements.
    fn mul(&self, a: Self::Element, b: Self::Element) -> Self::Element;

    /// Whether a word is an element: a canonical residue, a number that is not NaN.
    fn contains(&self, _a: Self::Element) -> bool {
        true
    }

    /// The sum of all elements, zero of none.
    fn sum(&self, elements: &[Self::Element]) -> Self::Element {
        elements.iter().fold(self.zero(), |sum, &x| self.add(sum, x))
    }

    /// The product of all elements from left to right, one of none.
    fn product(&self, elements: &[Self::Element]) -> Self::Element {
        elements.iter().fold(self.one(), |product, &x| self.mul(product, x))
    }

    /// `a` multiplied `exponent` times, one for the exponent 0 (also for `a` zero); about `2 log2(exponent)` products.
    fn power(&self, a: Self::Element, exponent: u64) -> Self::Element {
        let (mut result, mut square, mut left) = (self.one(), a, exponent);
        while left != 0 {
            if left & 1 == 1 {
                result = self.mul(result, square);
            }
            left >>= 1;
            if left != 0 {
                square = self.mul(square, square);
            }
        }
        result
    }

    /// The sum of `n` ones; about `2 log2(n)` additions.
    fn natural(&self, n: u64) -> Self::Element {
        let (mut result, mut doubled, mut left) = (self.zero(), self.one(), n);
        while left != 0 {
            if left & 1 == 1 {
                result = self.add(result, doubled);
            }
            left >>= 1;
            if left != 0 {
                doubled = self.add(doubled, doubled);
            }
        }
        result
    }
}

/// A semiring with `a + a = a`: sums of many elements can be taken in any order and with repetitions, and infinite sums
/// of powers can end.
pub trait Idempotent: Semiring {}

/// A semiring whose addition can be undone.
pub trait Ring: Semiring {
    /// The element whose sum with `a` is zero.
    fn neg(&self, a: Self::Element) -> Self::Element;

    /// `a` less `b`.
    fn sub(&self, a: Self::Element, b: Self::Element) -> Self::Element {
        self.add(a, self.neg(b))
    }

    /// The image of an integer.
    fn integer(&self, n: i64) -> Self::Element {
        let magnitude = self.natural(n.unsigned_abs());
        if n < 0 { self.neg(magnitude) } else { magnitude }
    }
}

/// A commutative ring in which every element but zero has an inverse.
pub trait Field: Ring {
    /// The element whose product with `a` is one; `None` for zero.
    fn inverse(&self, a: Self::Element) -> Option<Self::Element>;

    /// The least number of ones with the sum zero, 0 where there is none.
    fn characteristic(&self) -> u64;

    /// `a` over `b`; `None` for `b` zero.
    fn div(&self, a: Self::Element, b: Self::Element) -> Option<Self::Element> {
        Some(self.mul(a, self.inverse(b)?))
    }

    /// Replaces every element by its inverse: one inversion, three products for each element, and as much scratch
    /// memory as the elements take (Montgomery's trick, in eight interleaved chains so that products overlap).
    ///
    /// # Errors
    /// [`ZeroAt`] with the index of the first zero; the elements are unchanged then.
    fn invert_all(&self, elements: &mut [Self::Element]) -> Result<(), ZeroAt> {
        const CHAINS: usize = 8;
        if let Some(index) = elements.iter().position(|&x| x == self.zero()) {
            return Err(ZeroAt { index });
        }
        let mut chains = [self.one(); CHAINS];
        let mut before = Vec::with_capacity(elements.len());
        for (i, &x) in elements.iter().enumerate() {
            before.push(chains[i % CHAINS]);
            chains[i % CHAINS] = self.mul(chains[i % CHAINS], x);
        }
        // The inverse of each chain's product, from one inversion of the product of all.
        let Some(mut inverse) = self.inverse(self.product(&chains)) else {
            return Err(ZeroAt { index: 0 }); // not in a field: a product of elements other than zero is not zero
        };
        for chain in (0..CHAINS).rev() {
            let product = chains[chain];
            chains[chain] = self.mul(inverse, self.product(&chains[..chain]));
            inverse = self.mul(inverse, product);
        }
        for (i, x) in elements.iter_mut().enumerate().rev() {
            let inverse = &mut chains[i % CHAINS];
            let own = *x;
            *x = self.mul(*inverse, before[i]);
            *inverse = self.mul(*inverse, own);
        }
        Ok(())
    }
}

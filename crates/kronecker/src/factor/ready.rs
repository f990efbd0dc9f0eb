//! Factors that have names.

use super::{Factor, hadamard};
use crate::error::FactorError;
use crate::values::Values;

impl<V: Values> Factor<V> {
    /// A matrix of integers that is known to be square and small.
    fn small(values: &V, order: usize, integers: &[i64]) -> Self {
        let norm = super::norm(order, integers);
        let entries = integers.iter().map(|&n| values.integer(n)).collect();
        Self { order, entries: Some(entries), divisor: 1, norm }
    }

    /// Walsh's `[[1, 1], [1, -1]]`.
    #[inline(never)]
    pub fn walsh(values: &V) -> Self {
        Self::small(values, 2, &[1, 1, 1, -1])
    }

    /// Reed-Muller's `[[1, 0], [1, 1]]`, which over GF(2) is its own inverse; over other rings it is the inverse of
    /// [`arithmetic`](Self::arithmetic), whose coefficients give back the function's values.
    #[inline(never)]
    pub fn reed_muller(values: &V) -> Self {
        Self::small(values, 2, &[1, 0, 1, 1])
    }

    /// The arithmetic transform's `[[1, 0], [-1, 1]]`.
    #[inline(never)]
    pub fn arithmetic(values: &V) -> Self {
        Self::small(values, 2, &[1, 0, -1, 1])
    }

    /// The inverse of the arithmetic transform, `[[1, 0], [1, 1]]`.
    #[inline(never)]
    pub fn arithmetic_inverse(values: &V) -> Self {
        Self::reed_muller(values)
    }

    /// A Hadamard matrix, `H H^t = n I` with entries 1 and -1, of order 1, 2, 4, 8, 12, 16, 20, 24, 28 or 32; its first row and
    /// column are 1. Powers of two are Sylvester's Kronecker powers of Walsh's matrix; 12, 20 and 24 are Paley's first
    /// construction over GF(11), GF(19) and GF(23), 28 is his second one over GF(13).
    ///
    /// # Errors
    /// [`FactorError::NoHadamard`] for other orders.
    #[inline(never)]
    pub fn hadamard(values: &V, order: usize) -> Result<Self, FactorError> {
        let entries = hadamard::matrix(order).ok_or(FactorError::NoHadamard { order })?;
        Ok(Self::small(values, order, &entries))
    }

    /// The Fourier matrix of the cyclic group of this order, from 1 to 16: `conj(w)^(r c)` with the primitive root `w`. Its
    /// Kronecker powers for a prime order are the Vilenkin-Chrestenson transform, products of several the Fourier transform
    /// on a product of cyclic groups: `F(r) = sum_c f(c) conj(chi_r(c))` (paper 000).
    ///
    /// Over complex numbers `w = exp(2 pi i / n)` with exact 1, -1, i and -i; modulo a prime it is the field's root.
    ///
    /// # Errors
    /// [`FactorError::Empty`], [`FactorError::TooLarge`]; [`FactorError::NoRoot`] and [`FactorError::NoRealRoot`], with the orders that
    /// exist.
    #[inline(never)]
    pub fn fourier(values: &V, order: usize) -> Result<Self, FactorError> {
        if order == 0 {
            return Err(FactorError::Empty);
        }
        let (limit, sign_limit) = (super::LARGEST_ORDER, super::LARGEST_SIGN_ORDER);
        if order > limit {
            return Err(FactorError::TooLarge { order, limit, sign_limit });
        }
        let n = order as u64;
        let powers = (0..n).map(|t| values.root(n, (n - t) % n)).collect::<Result<Vec<_>, _>>()?;
        let entries = (0..order * order).map(|i| powers[i / order * (i % order) % order]).collect();
        let factor = Self::from_entries(values, order, entries)?;
        // Complex roots are rounded, so that the law holds but is not seen; modulo a prime elimination finds the inverse.
        let complex = values.computation() == crate::values::Computation::Complex;
        Ok(Self { norm: if complex { Some(n) } else { factor.norm }, ..factor })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Complexes;
    use manycore_field::{Goldilocks, Integers, ModularField as _, PrimeField};

    #[test]
    fn fourier_matrices() {
        let complex = Complexes::<f64>::new();
        let four = Factor::fourier(&complex, 4).unwrap();
        let powers = [(1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)].map(|(re, im)| num_complex::Complex { re, im });
        assert_eq!(four.entries().unwrap()[4..8], powers);
        let three = Factor::fourier(&complex, 3).unwrap();
        let inverse = three.inverse(&complex).unwrap();
        assert_eq!((inverse.divisor(), inverse.entry(&complex, 1, 1)), (3, three.entry(&complex, 1, 2)));
        assert_eq!(Factor::fourier(&Integers::<i32>::new(), 2).unwrap(), Factor::walsh(&Integers::new()));
        let error = Factor::fourier(&Integers::<i32>::new(), 3).unwrap_err();
        assert!(error.to_string().contains("the orders are 1 and 2"), "{error}");
        let seven = PrimeField::<u32>::new(7).unwrap();
        let error = Factor::fourier(&seven, 5).unwrap_err();
        assert!(error.to_string().contains("the orders are the divisors of 6"), "{error}");
        assert_eq!(Factor::fourier(&complex, 0).unwrap_err(), FactorError::Empty);
        assert!(matches!(Factor::fourier(&complex, 17), Err(FactorError::TooLarge { order: 17, .. })));
        let five = Factor::fourier(&Goldilocks, 5).unwrap();
        let root = Goldilocks.root_of_unity(5).unwrap();
        assert_eq!(Values::mul(&Goldilocks, five.entry(&Goldilocks, 1, 1), root), 1);
    }
}

//! Kronecker products of factors.

use crate::error::{FactorError, KroneckerError};
use crate::factor::Factor;
use crate::values::Values;

/// The matrix `A_1 (x) A_2 (x) ... (x) A_k`: entry `(r, c)` is the product of the entries `(r_i, c_i)` of the factors, where `r_i`
/// and `c_i` are the digits of `r` and `c`, the first factor's digit the most significant. Without factors it is `[[1]]`.
///
/// Different factors of different orders may stand side by side (mixed transforms), and identities among them (partial
/// transforms). It is a value: [`Kronecker`](crate::Kronecker) applies it.
///
/// ```
/// use manycore_kronecker::{Factor, Integers, KroneckerProduct};
/// let ring = Integers::<i32>::new();
/// let product = KroneckerProduct::new(&ring, vec![Factor::hadamard(&ring, 12)?, Factor::identity(5)?])?;
/// assert_eq!(product.order(), 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KroneckerProduct<V: Values> {
    values: V,
    factors: Vec<Factor<V>>,
    order: usize,
    wrapping: bool,
}

impl<V: Values> KroneckerProduct<V> {
    /// The product of these factors in this order.
    ///
    /// # Errors
    /// [`KroneckerError::Order`] where a vector's bytes would pass the address space.
    #[inline(never)]
    pub fn new(values: &V, factors: Vec<Factor<V>>) -> Result<Self, KroneckerError> {
        let limit = isize::MAX as usize / size_of::<V::Value>();
        let mut order = 1usize;
        for (i, factor) in factors.iter().enumerate() {
            order = order
                .checked_mul(factor.order())
                .filter(|&order| order <= limit)
                .ok_or(KroneckerError::Order { factor: i, order: factor.order() })?;
        }
        Ok(Self { values: values.clone(), factors, order, wrapping: false })
    }

    /// The Kronecker power of one factor.
    ///
    /// # Errors
    /// As [`KroneckerProduct::new`].
    #[inline(never)]
    pub fn power(values: &V, factor: &Factor<V>, exponent: usize) -> Result<Self, KroneckerError> {
        Self::new(values, vec![factor.clone(); exponent])
    }

    /// The product over integers modulo `2^32` or `2^64`: results are never refused, and an inverse rounds at the end of each pass over
    /// memory. Other rings stay as they are.
    #[must_use]
    pub fn wrapping(self) -> Self {
        Self { wrapping: true, ..self }
    }

    /// Whether integers may wrap.
    pub(crate) fn is_wrapping(&self) -> bool {
        self.wrapping
    }

    /// The ring.
    pub fn values(&self) -> &V {
        &self.values
    }

    /// The factors, the one of the most significant digit first.
    pub fn factors(&self) -> &[Factor<V>] {
        &self.factors
    }

    /// The number of rows: the product of the factors' orders.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The transposed matrix, which is that of the transposed factors.
    #[must_use]
    #[inline(never)]
    pub fn transposed(&self) -> Self {
        Self { factors: self.factors.iter().map(Factor::transposed).collect(), ..self.clone() }
    }

    /// The inverse matrix, which is that of the inverse factors; see [`Factor::inverse`].
    ///
    /// Over the integers the inverse transform divides by the product of the factors' divisors at its end, where each result must be
    /// a multiple of it; undivided results must fit the word.
    ///
    /// # Errors
    /// [`KroneckerError::Factor`] with the first factor that has none.
    #[inline(never)]
    pub fn inverse(&self) -> Result<Self, KroneckerError> {
        let invert = |(i, factor): (usize, &Factor<V>)| {
            factor.inverse(&self.values).map_err(|error| KroneckerError::Factor { factor: i, error })
        };
        let factors = self.factors.iter().enumerate().map(invert).collect::<Result<_, _>>()?;
        Ok(Self { factors, ..self.clone() })
    }

    /// What the product of the factors' entries is divided by: the product of the factors' divisors, 1 except for inverses; `None`
    /// past 64 bits.
    #[inline(never)]
    pub fn divisor(&self) -> Option<u64> {
        self.factors.iter().try_fold(1u64, |divisor, factor| divisor.checked_mul(factor.divisor()))
    }

    /// What the product of some factors' entries is divided by, in the ring.
    ///
    /// # Errors
    /// [`KroneckerError::Factor`] with the first factor past whose divisor the ring cannot divide.
    pub(crate) fn divisor_of(&self, factors: &[usize]) -> Result<u64, KroneckerError> {
        let mut all = 1u64;
        for &i in factors {
            let divisor = self.factors[i].divisor();
            let checked = all.checked_mul(divisor).filter(|&all| self.values.divisor(all).is_some());
            let error = FactorError::Divisor { divisor, ring: self.values.name() };
            all = checked.ok_or(KroneckerError::Factor { factor: i, error })?;
        }
        Ok(all)
    }

    /// The matrix without its divisors: [`divisor`](Self::divisor) times this one. Over the integers its results show which ones a division
    /// would round.
    ///
    /// ```
    /// use manycore_kronecker::{Integers, parse};
    /// let inverse = parse(&Integers::<i32>::new(), "walsh^3")?.inverse()?;
    /// assert_eq!((inverse.divisor(), inverse.undivided().divisor()), (Some(8), Some(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline(never)]
    pub fn undivided(&self) -> Self {
        Self { factors: self.factors.iter().map(Factor::undivided).collect(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_field::Integers;

    #[test]
    fn orders_past_the_address_space_are_refused() {
        let ring = Integers::<i32>::new();
        let walsh = Factor::walsh(&ring);
        assert_eq!(KroneckerProduct::power(&ring, &walsh, 60).unwrap().order(), 1 << 60);
        let error = KroneckerProduct::power(&ring, &walsh, 70).unwrap_err();
        assert_eq!(error, KroneckerError::Order { factor: 60, order: 2 });
        assert_eq!(KroneckerProduct::new(&ring, vec![]).unwrap().order(), 1);
    }

    #[test]
    fn the_factor_without_inverse_is_named() {
        let ring = Integers::<i32>::new();
        let singular = Factor::new(&ring, &[[1, 1], [1, 1]]).unwrap();
        let product = KroneckerProduct::new(&ring, vec![Factor::walsh(&ring), singular]).unwrap();
        assert!(matches!(product.inverse(), Err(KroneckerError::Factor { factor: 1, .. })));
    }
}

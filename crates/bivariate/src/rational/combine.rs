//! Numbers from residues modulo primes one after the other (Garner 1959), and fractions from them (Wang 1981).

use manycore_field::crt::rational_reconstruction;
use manycore_field::{Field as _, PrimeField, Ring as _, Semiring as _};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

/// Numbers from zero to below the product of primes, by the residues so far.
#[derive(Debug, Clone)]
pub(super) struct Residues {
    values: Vec<BigUint>,
    product: BigUint,
}

impl Residues {
    /// `count` numbers without residues yet.
    pub(super) fn new(count: usize) -> Self {
        Self { values: vec![BigUint::zero(); count], product: BigUint::one() }
    }

    /// Takes residues modulo a prime that has not been yet.
    pub(super) fn push(&mut self, field: &PrimeField<u64>, residues: &[u64]) {
        // Of distinct primes none divides the product of others.
        let inverse = field.inverse(field.reduce_biguint(&self.product)).unwrap_or(field.one());
        for (value, &residue) in self.values.iter_mut().zip(residues) {
            let difference = field.sub(residue, field.reduce_biguint(value));
            *value += &self.product * field.mul(difference, inverse);
        }
        self.product *= field.modulus();
    }

    /// The bits of the product of the primes, less one.
    pub(super) fn bits(&self) -> u64 {
        self.product.bits() - 1
    }

    /// The integers of least size.
    pub(super) fn integers(&self) -> Vec<BigInt> {
        let least = |value: &BigUint| {
            let value = BigInt::from(value.clone());
            if &value + &value > self.product.clone().into() {
                value - BigInt::from(self.product.clone())
            } else {
                value
            }
        };
        self.values.iter().map(least).collect()
    }

    /// The fractions of numerators and denominators below the square root of half the product, where there are. Numbers of one
    /// result have common denominators, and every fraction is searched as one of those of the numbers before.
    pub(super) fn fractions(&self) -> Option<Vec<BigRational>> {
        let mut denominator = BigUint::one();
        let mut fractions = Vec::with_capacity(self.values.len());
        for value in &self.values {
            let multiple = value * &denominator % &self.product;
            let found = rational_reconstruction(&multiple, &self.product)?;
            let common = BigInt::from(denominator.clone());
            denominator *= found.denom().magnitude();
            fractions.push(found / common);
        }
        Some(fractions)
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::primes::ntt_primes;

    use super::super::polynomial::residue;
    use super::*;

    #[test]
    fn numbers_come_back() {
        let big: BigInt = BigInt::from(3).pow(100);
        let integers = [BigInt::zero(), 1.into(), (-1).into(), big.clone(), -&big];
        let fractions: Vec<BigRational> =
            [(1, 3), (-7, 6), (0, 1), (5, 1)].map(|(n, d)| BigRational::new(&big * n, d.into())).to_vec();
        let (mut first, mut second) = (Residues::new(integers.len()), Residues::new(fractions.len()));
        for p in ntt_primes(62, 12).take(6) {
            let field = PrimeField::<u64>::new(p).unwrap();
            first.push(&field, &integers.each_ref().map(|c| field.reduce_bigint(c)));
            second.push(&field, &fractions.iter().map(|c| residue(&field, c).unwrap()).collect::<Vec<_>>());
        }
        assert_eq!(first.integers(), integers);
        assert_eq!(second.fractions().unwrap(), fractions);
        assert!(first.bits() > 6 * 61);
    }
}

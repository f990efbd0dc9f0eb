//! An integer from its residues, one prime after the other (Garner, "The residue number system", 1959).

use manycore_field::{Field as _, PrimeField, Ring as _, Semiring as _};
use num_bigint::BigInt;

/// The integer of least size that has the residues so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remainders {
    /// From 0 to below the product.
    value: BigInt,
    product: BigInt,
}

impl Remainders {
    pub(super) fn new() -> Self {
        Self { value: BigInt::ZERO, product: BigInt::from(1) }
    }

    /// The product of the primes.
    pub(super) fn product(&self) -> &BigInt {
        &self.product
    }

    /// The integer of least size, the positive one of two.
    pub(super) fn least(&self) -> BigInt {
        if &self.value * 2 > self.product { &self.value - &self.product } else { self.value.clone() }
    }

    /// Takes a residue modulo a prime that has not been yet.
    pub(super) fn push(&mut self, field: &PrimeField<u32>, residue: u32) {
        let difference = field.sub(residue, field.reduce_bigint(&self.value));
        // Of distinct primes none divides the product of others.
        let inverse = field.inverse(field.reduce_bigint(&self.product)).unwrap_or(field.one());
        self.value += &self.product * field.mul(difference, inverse);
        self.product *= field.modulus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::IntegerEntry as _;

    #[test]
    fn integers_come_back_from_residues() {
        let primes = [2_147_483_647, 2_147_483_629, 2_147_483_587].map(|p| PrimeField::<u32>::new(p).unwrap());
        for x in [0i128, 1, -1, 123_456_789_012_345_678_901_234, -(1 << 91), (1 << 91) + 5] {
            let mut remainders = Remainders::new();
            for field in &primes {
                remainders.push(field, x.residue(field));
            }
            assert_eq!(remainders.least(), BigInt::from(x));
        }
    }
}

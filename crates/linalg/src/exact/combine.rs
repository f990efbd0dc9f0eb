//! Many integers from their residues modulo the same primes (Chinese remainder theorem, in Lagrange's form): the sum over primes `p` of
//! `(r (P/p)^-1 mod p) P/p`, modulo the product `P`.

use manycore_field::{Field as _, PrimeField, Semiring as _};
use num_bigint::{BigInt, BigUint, Sign};

use super::IntegerEntry as _;

/// Primes, and what sums of residues are weighed with.
pub(super) struct Combination {
    fields: Vec<PrimeField<u32>>,
    /// The inverse of `P/p` modulo `p`.
    inverses: Vec<u32>,
    /// The words of `P/p`, the lowest first; all have as many.
    cofactors: Vec<Vec<u64>>,
    product: BigUint,
}

impl Combination {
    /// For distinct primes.
    pub(super) fn new(fields: &[PrimeField<u32>]) -> Self {
        let product: BigUint = fields.iter().map(|field| BigUint::from(field.modulus())).product();
        let words = product.iter_u64_digits().count();
        let (mut inverses, mut cofactors) = (Vec::new(), Vec::new());
        for field in fields {
            let cofactor = &product / field.modulus();
            let residue = BigInt::from(cofactor.clone()).residue(field);
            // Of distinct primes none divides the product of others.
            inverses.push(field.inverse(residue).unwrap_or(field.one()));
            let mut digits: Vec<u64> = cofactor.iter_u64_digits().collect();
            digits.resize(words, 0);
            cofactors.push(digits);
        }
        Self { fields: fields.to_vec(), inverses, cofactors, product }
    }

    /// The integer of least size with these residues, one for each prime. Time as of the square of the number of primes.
    pub(super) fn least(&self, residues: impl Iterator<Item = u32>) -> BigInt {
        let mut sum = vec![0u64; self.cofactors.first().map_or(0, Vec::len) + 1];
        for (((field, &inverse), cofactor), residue) in
            self.fields.iter().zip(&self.inverses).zip(&self.cofactors).zip(residues)
        {
            let weight = u128::from(field.mul(residue, inverse));
            let mut carry = 0u128;
            for (sum, &word) in sum.iter_mut().zip(cofactor) {
                // Below 2^64 + 2^95 + 2^64.
                let step = u128::from(*sum) + weight * u128::from(word) + carry;
                *sum = step as u64;
                carry = step >> 64;
            }
            // Fewer than 2^32 summands below P.
            if let Some(top) = sum.last_mut() {
                *top = top.wrapping_add(carry as u64);
            }
        }
        let digits = sum.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        let value = BigUint::new(digits) % &self.product;
        let other = &self.product - &value;
        if other < value { BigInt::from_biguint(Sign::Minus, other) } else { value.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_back_from_residues() {
        for count in [1usize, 2, 3, 4, 9] {
            let primes = [
                2_147_483_647u32,
                2_147_483_629,
                2_147_483_587,
                2_147_483_579,
                2_147_483_563,
                2_147_483_549,
                2_147_483_543,
                2_147_483_497,
                2_147_483_489,
            ];
            let fields: Vec<PrimeField<u32>> =
                primes[..count].iter().map(|&p| PrimeField::<u32>::new(p).unwrap()).collect();
            let combination = Combination::new(&fields);
            let half = BigInt::from(&combination.product / 2u32);
            for x in [BigInt::ZERO, 1.into(), (-1).into(), half.clone(), -&half, &half / 3u32, -(&half / 7u32)] {
                assert_eq!(combination.least(fields.iter().map(|field| x.residue(field))), x, "{count}");
            }
        }
        assert_eq!(Combination::new(&[]).least(std::iter::empty()), BigInt::ZERO);
    }
}

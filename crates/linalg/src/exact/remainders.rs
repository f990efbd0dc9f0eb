//! An integer from its residues: one prime after the other (Garner, "The residue number system", 1959), and all together (Lagrange's
//! form of the Chinese remainder theorem, by a tree of products; von zur Gathen and Gerhard, Modern Computer Algebra, section 10.3).

use manycore_field::{Field as _, PrimeField, Ring as _, Semiring as _};
use num_bigint::{BigInt, BigUint};

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

    /// The integer with these residues, one for each of distinct primes. `O(n^2)` products of words, and products of integers of up to
    /// `n` words.
    pub(super) fn together(fields: &[PrimeField<u32>], residues: &[u32]) -> Self {
        let weight = |(at, (field, &residue)): (usize, (&PrimeField<u32>, &u32))| {
            // The product of the other primes; products of four do not wait for each other.
            let mut parts = [field.one(); 4];
            for others in [&fields[..at], &fields[at + 1..]] {
                let mut fours = others.chunks_exact(4);
                for four in &mut fours {
                    parts.iter_mut().zip(four).for_each(|(part, other)| *part = field.mul(other.modulus(), *part));
                }
                let rest = fours.remainder().iter();
                rest.for_each(|other| parts[0] = field.mul(other.modulus(), parts[0]));
            }
            let product = parts.into_iter().fold(field.one(), |all, part| field.mul(all, part));
            // Of distinct primes none divides the product of others.
            field.mul(residue, field.inverse(product).unwrap_or(field.one()))
        };
        let weights: Vec<u32> = fields.iter().zip(residues).enumerate().map(weight).collect();
        let (sum, product) = summed(fields, &weights);
        // Fewer than `n` times the product.
        Self { value: BigInt::from(sum % &product), product: product.into() }
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

/// The sum over primes of their weights times the product of the others, and the product of all.
fn summed(fields: &[PrimeField<u32>], weights: &[u32]) -> (BigUint, BigUint) {
    match (fields, weights) {
        ([field], [weight]) => (BigUint::from(*weight), BigUint::from(field.modulus())),
        ([_, _, ..], [_, _, ..]) => {
            let half = fields.len() / 2;
            let (left, left_product) = summed(&fields[..half], &weights[..half]);
            let (right, right_product) = summed(&fields[half..], &weights[half..]);
            (left * &right_product + right * &left_product, left_product * right_product)
        }
        _ => (BigUint::ZERO, BigUint::from(1u32)),
    }
}

#[cfg(test)]
mod tests {
    use manycore_verify::SplitMix;

    use super::*;
    use crate::exact::determinant::Primes;
    use crate::exact::{Certainty, IntegerEntry as _};

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

    #[test]
    fn residues_together_give_the_same_as_one_after_the_other() {
        let primes: Vec<PrimeField<u32>> = Primes::new(Certainty::Proved).take(70).collect();
        let mut random = SplitMix::new(5);
        for count in [0, 1, 2, 3, 4, 5, 8, 9, 33, 70] {
            for extreme in [0, 1, 2] {
                let residue = |field: &PrimeField<u32>| match extreme {
                    0 => random.next_word() as u32 % field.modulus(),
                    1 => field.modulus() - 1,
                    _ => 0,
                };
                let residues: Vec<u32> = primes[..count].iter().map(residue).collect();
                let mut expected = Remainders::new();
                primes.iter().zip(&residues).for_each(|(field, &residue)| expected.push(field, residue));
                assert_eq!(Remainders::together(&primes[..count], &residues), expected, "{count}");
            }
        }
    }
}

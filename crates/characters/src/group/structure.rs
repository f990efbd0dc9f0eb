//! The structure of a group up to isomorphism: its prime powers, its invariant factors.

use std::collections::BTreeMap;

use manycore_field::primes;

use super::AbelianGroup;

/// A cyclic factor of prime power order within a factor of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PrimePart {
    pub(super) prime: u64,
    pub(super) power: u64,
    /// The position of the factor in the list.
    pub(super) position: usize,
}

impl AbelianGroup {
    /// The prime powers of all factors: by prime, then by power, then by position.
    pub(super) fn prime_parts(&self) -> Vec<PrimePart> {
        let parts = self.factors.iter().enumerate().flat_map(|(position, &n)| {
            let powers = primes::factorise(n).into_iter();
            powers.map(move |(prime, e)| PrimePart { prime, power: prime.pow(e), position })
        });
        let mut parts: Vec<PrimePart> = parts.collect();
        parts.sort_unstable();
        parts
    }

    /// The orders of the cyclic groups of prime power order whose product the group is, by prime and then ascending: two
    /// groups are isomorphic where these lists are equal.
    ///
    /// ```
    /// use manycore_characters::AbelianGroup;
    /// assert_eq!(AbelianGroup::new(&[12, 4, 6])?.prime_powers(), [2, 4, 4, 3, 3]);
    /// # Ok::<(), manycore_characters::GroupError>(())
    /// ```
    pub fn prime_powers(&self) -> Vec<u64> {
        self.prime_parts().into_iter().map(|part| part.power).collect()
    }

    /// The primary decomposition: for each prime divisor `p` of the order the powers of `p` among
    /// [`prime_powers`](Self::prime_powers), ascending.
    pub fn primary_components(&self) -> BTreeMap<u64, Vec<u64>> {
        let mut components: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for part in self.prime_parts() {
            components.entry(part.prime).or_default().push(part.power);
        }
        components
    }

    /// The list `d_1, ..., d_r` with `d_1 > 1` and each dividing the next whose cyclic groups have the group as product; it
    /// is unique, and the last is the exponent. Empty for the group of one element.
    ///
    /// ```
    /// use manycore_characters::AbelianGroup;
    /// assert_eq!(AbelianGroup::new(&[12, 4, 6])?.invariant_factors(), [2, 12, 12]);
    /// # Ok::<(), manycore_characters::GroupError>(())
    /// ```
    pub fn invariant_factors(&self) -> Vec<u64> {
        let components = self.primary_components();
        let rank = components.values().map(Vec::len).max().unwrap_or(0);
        let mut factors = vec![1u64; rank];
        for powers in components.values() {
            for (factor, power) in factors.iter_mut().rev().zip(powers.iter().rev()) {
                *factor *= power;
            }
        }
        factors
    }

    /// Whether the groups are the same up to the names of their elements.
    pub fn is_isomorphic(&self, other: &Self) -> bool {
        self.order == other.order && self.prime_powers() == other.prime_powers()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(factors: &[u64]) -> AbelianGroup {
        AbelianGroup::new(factors).unwrap()
    }

    #[test]
    fn isomorphism() {
        assert!(group(&[6]).is_isomorphic(&group(&[2, 3])));
        assert!(group(&[12, 2]).is_isomorphic(&group(&[4, 6])));
        assert!(!group(&[4]).is_isomorphic(&group(&[2, 2])));
        assert!(!group(&[4, 4]).is_isomorphic(&group(&[2, 8])));
        assert!(group(&[]).is_isomorphic(&group(&[1, 1])));
        assert!(group(&[1, 5]).is_isomorphic(&group(&[5])));
    }

    #[test]
    fn invariant_factors_divide_each_other_and_give_the_group() {
        for factors in [&[][..], &[1], &[2, 2], &[6, 10, 15], &[8, 9, 25], &[60, 84, 90], &[7, 7, 49]] {
            let of = group(factors);
            let invariant = of.invariant_factors();
            assert!(invariant.windows(2).all(|pair| pair[1].is_multiple_of(pair[0])), "{of}");
            assert!(invariant.first().is_none_or(|&d| d > 1));
            assert_eq!(invariant.last().copied().unwrap_or(1), of.exponent());
            assert!(group(&invariant).is_isomorphic(&of), "{of}");
        }
    }
}

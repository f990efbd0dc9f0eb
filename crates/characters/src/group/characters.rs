//! The characters of a group: exponents, orders, kernels.

use std::collections::BTreeMap;

use manycore_field::primes;
use num_integer::Integer as _;

use super::{AbelianGroup, GroupError};

/// The elements at which a character is 1: a subgroup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterKernel<'a> {
    group: &'a AbelianGroup,
    character: u64,
    order: u64,
}

impl AbelianGroup {
    /// The exponent of a character's value, exactly: `E(w, z) = sum_j w_j z_j (L / n_j) mod L` with the group's exponent `L`,
    /// so that `chi_w(z) = exp(2 pi i E / L)` (paper 000, equations 1 and 2, with equal positions paired).
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn character_exponent(&self, character: u64, element: u64) -> Result<u64, GroupError> {
        let (w, z) = (self.digits(character)?, self.digits(element)?);
        let exponent = u128::from(self.exponent);
        let term = |((&w, &z), &n): ((&u64, &u64), &u64)| {
            u128::from(w) * u128::from(z) % u128::from(n) * u128::from(self.exponent / n)
        };
        Ok(w.iter().zip(&z).zip(&self.factors).map(term).fold(0, |sum, term| (sum + term) % exponent) as u64)
    }

    /// The least `d > 0` with `chi_w^d = 1`: the order of the element of the same index, because characters multiply as
    /// elements add.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn character_order(&self, character: u64) -> Result<u64, GroupError> {
        self.element_order(character)
    }

    /// The kernel of a character.
    ///
    /// ```
    /// use manycore_characters::AbelianGroup;
    /// let group = AbelianGroup::new(&[2, 3])?;
    /// let kernel = group.character_kernel(group.index(&[1, 0])?)?;
    /// assert_eq!(kernel.order(), 3);
    /// assert_eq!(kernel.elements().collect::<Vec<u64>>(), [0, 1, 2]);
    /// # Ok::<(), manycore_characters::GroupError>(())
    /// ```
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn character_kernel(&self, character: u64) -> Result<CharacterKernel<'_>, GroupError> {
        let order = self.order / self.character_order(character)?;
        Ok(CharacterKernel { group: self, character, order })
    }

    /// The number of elements, and so of characters, of each order. Takes a few operations for each pair of divisors of the exponent.
    ///
    /// ```
    /// use manycore_characters::AbelianGroup;
    /// let orders = AbelianGroup::new(&[4, 2])?.order_counts();
    /// assert_eq!(orders.into_iter().collect::<Vec<_>>(), [(1, 1), (2, 3), (4, 4)]);
    /// # Ok::<(), manycore_characters::GroupError>(())
    /// ```
    pub fn order_counts(&self) -> BTreeMap<u64, u64> {
        let mut divisors = vec![1u64];
        for (prime, power) in primes::factorise(self.exponent) {
            let known = divisors.len();
            for e in 1..=power {
                for i in 0..known {
                    divisors.push(divisors[i] * prime.pow(e));
                }
            }
        }
        divisors.sort_unstable();
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        for &d in &divisors {
            // The elements whose order divides d: digit j may be any of gcd(n_j, d).
            let all: u64 = self.factors.iter().map(|n| n.gcd(&d)).product();
            let smaller: u64 =
                counts.iter().filter(|(order, _)| d.is_multiple_of(**order)).map(|(_, count)| count).sum();
            if all > smaller {
                counts.insert(d, all - smaller);
            }
        }
        counts
    }
}

impl CharacterKernel<'_> {
    /// The number of elements: the group's order divided by the character's.
    pub fn order(&self) -> u64 {
        self.order
    }

    /// Whether the character is 1 there; false for an index that no element has.
    pub fn contains(&self, element: u64) -> bool {
        self.group.character_exponent(self.character, element) == Ok(0)
    }

    /// The indices of the elements in ascending order; it goes through the whole group.
    pub fn elements(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.group.order()).filter(|&element| self.contains(element))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_subgroups_of_the_right_order() {
        for factors in [&[6][..], &[4, 2], &[2, 3, 2], &[1], &[9, 3], &[]] {
            let group = AbelianGroup::new(factors).unwrap();
            for w in 0..group.order() {
                let kernel = group.character_kernel(w).unwrap();
                let elements: Vec<u64> = kernel.elements().collect();
                assert_eq!(elements.len() as u64, kernel.order(), "{group} {w}");
                for &a in &elements {
                    assert!(elements.iter().all(|&b| kernel.contains(group.add(a, b).unwrap())));
                }
                assert!(!kernel.contains(group.order()));
            }
        }
    }

    #[test]
    fn orders_of_the_characters() {
        let counts = |factors: &[u64]| -> Vec<(u64, u64)> {
            AbelianGroup::new(factors).unwrap().order_counts().into_iter().collect()
        };
        assert_eq!(counts(&[4, 2]), [(1, 1), (2, 3), (4, 4)]);
        assert_eq!(counts(&[6, 6]), [(1, 1), (2, 3), (3, 8), (6, 24)]);
        assert_eq!(counts(&[12, 4, 2]), [(1, 1), (2, 7), (3, 2), (4, 24), (6, 14), (12, 48)]);
        assert_eq!(counts(&[3, 3, 3, 3]), [(1, 1), (3, 80)]);
        assert_eq!(counts(&[]), [(1, 1)]);
        for factors in [&[12, 10][..], &[8, 4, 6], &[1, 7]] {
            let group = AbelianGroup::new(factors).unwrap();
            let mut seen = BTreeMap::new();
            for w in 0..group.order() {
                *seen.entry(group.character_order(w).unwrap()).or_insert(0) += 1;
            }
            assert_eq!(group.order_counts(), seen, "{group}");
        }
    }

    #[test]
    fn exponents_of_the_largest_factor() {
        let n = u64::MAX;
        let group = AbelianGroup::new(&[n]).unwrap();
        // (-1)(-1) = 1 and (-1) 1 = -1.
        assert_eq!(group.character_exponent(n - 1, n - 1), Ok(1));
        assert_eq!(group.character_exponent(n - 1, 1), Ok(n - 1));
        assert!(group.character_exponent(n, 0).is_err());
    }
}

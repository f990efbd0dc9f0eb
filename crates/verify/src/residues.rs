//! Roots of unity modulo a prime, and runs of residues compared with expected ones.

use manycore_field::ResidueWord;

use crate::modulus::Modulus;
use crate::outcome::{CheckError, reserved};

impl Modulus {
    /// The first `count` powers.
    pub(crate) fn powers(self, base: u64, count: usize) -> Result<Vec<u64>, CheckError> {
        let mut powers = reserved(count)?;
        let mut power = self.reduce(1);
        for _ in 0..count {
            powers.push(power);
            power = self.mul(power, base);
        }
        Ok(powers)
    }

    /// Whether the powers of `root` repeat after `order` of them and not before.
    pub(crate) fn has_order(self, root: u64, order: u64) -> bool {
        let one = self.reduce(1);
        root < self.value()
            && self.power(root, order) == one
            && primes_of(order).iter().all(|prime| self.power(root, order / prime) != one)
    }

    /// Compares a run of residues with what they should be.
    pub(crate) fn compare<W: ResidueWord>(
        self,
        found: &[W],
        expected: impl Fn(usize) -> u64,
        run: usize,
    ) -> Result<(), CheckError> {
        found.iter().enumerate().try_for_each(|(index, &found)| {
            let (found, expected) = (found.as_u64(), expected(index));
            if found == expected {
                return Ok(());
            }
            if found >= self.value() {
                return Err(CheckError::OutOfRange {
                    run,
                    index,
                    found: found.to_string(),
                    expected: self.to_string(),
                });
            }
            Err(CheckError::Value { run, index, found: found.to_string(), expected: expected.to_string() })
        })
    }
}

/// The prime factors of `n > 0`, ascending, each as often as it divides; by trial division.
pub(crate) fn primes_of(mut n: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut divisor = 2;
    while divisor <= n / divisor {
        while n.is_multiple_of(divisor) {
            primes.push(divisor);
            n /= divisor;
        }
        divisor += if divisor == 2 { 1 } else { 2 };
    }
    if n > 1 {
        primes.push(n);
    }
    primes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_follow_each_other() {
        assert_eq!(Modulus::new(7).unwrap().powers(3, 4), Ok(vec![1, 3, 2, 6]));
    }

    #[test]
    fn orders_of_roots() {
        let modulus = Modulus::new(17).unwrap();
        let order = |root| (1..17).find(|&order| modulus.has_order(root, order));
        assert_eq!([1, 16, 4, 2, 3].map(order), [Some(1), Some(2), Some(4), Some(8), Some(16)]);
        assert!(!modulus.has_order(18, 1));
        assert!(primes_of(1).is_empty());
        assert_eq!(primes_of(360), [2, 2, 2, 3, 3, 5]);
        assert_eq!(primes_of(10007 * 10007), [10007, 10007]);
    }
}

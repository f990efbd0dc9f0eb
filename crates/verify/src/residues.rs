//! Arithmetic modulo a prime below 2^64 by products of 128 bits and their remainders.

use crate::outcome::{CheckError, reserved};

/// A modulus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Modulus(pub(crate) u64);

impl Modulus {
    pub(crate) fn add(self, a: u64, b: u64) -> u64 {
        let (sum, carry) = a.overflowing_add(b);
        if carry || sum >= self.0 { sum.wrapping_sub(self.0) } else { sum }
    }

    pub(crate) fn sub(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a.wrapping_sub(b).wrapping_add(self.0) }
    }

    pub(crate) fn mul(self, a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(self.0)) as u64
    }

    pub(crate) fn power(self, base: u64, mut exponent: u64) -> u64 {
        let (mut square, mut power) = (base % self.0, 1 % self.0);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.mul(power, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        power
    }

    /// The inverse of what is not 0 modulo the prime (Fermat).
    pub(crate) fn inverse(self, a: u64) -> u64 {
        self.power(a, self.0 - 2)
    }

    /// The first `count` powers.
    pub(crate) fn powers(self, base: u64, count: usize) -> Result<Vec<u64>, CheckError> {
        let mut powers = reserved(count)?;
        let mut power = 1 % self.0;
        for _ in 0..count {
            powers.push(power);
            power = self.mul(power, base);
        }
        Ok(powers)
    }

    /// Whether the powers of `root` repeat after `order` of them and not before.
    pub(crate) fn has_order(self, root: u64, order: u64) -> bool {
        let one = 1 % self.0;
        root < self.0
            && self.power(root, order) == one
            && primes_of(order).iter().all(|prime| self.power(root, order / prime) != one)
    }

    /// Residues as words.
    ///
    /// # Errors
    /// [`CheckError::Input`] with the first that is none.
    pub(crate) fn input<W: Copy + Into<u64>>(self, values: &[W]) -> Result<(), CheckError> {
        match values.iter().position(|&value| value.into() >= self.0) {
            None => Ok(()),
            Some(index) => {
                Err(CheckError::Input { index, found: values[index].into().to_string(), expected: self.kind() })
            }
        }
    }

    /// Compares a run of residues with what they should be.
    pub(crate) fn compare<W: Copy + Into<u64>>(
        self,
        found: &[W],
        expected: impl Fn(usize) -> u64,
        run: usize,
    ) -> Result<(), CheckError> {
        found.iter().enumerate().try_for_each(|(index, &found)| {
            let (found, expected) = (found.into(), expected(index));
            if found == expected {
                return Ok(());
            }
            if found >= self.0 {
                return Err(CheckError::OutOfRange { run, index, found: found.to_string(), expected: self.kind() });
            }
            Err(CheckError::Value { run, index, found: found.to_string(), expected: expected.to_string() })
        })
    }

    fn kind(self) -> String {
        format!("residue modulo {}", self.0)
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
    use crate::SplitMix;

    #[test]
    fn laws_of_fields() {
        let mut random = SplitMix::new(9);
        for p in [2, 3, 7, 9001, 469_762_049, (1 << 61) - 1, 9_223_372_036_854_775_783, 18_446_744_069_414_584_321] {
            let modulus = Modulus(p);
            for _ in 0..50 {
                let [a, b] = [(); 2].map(|()| random.next_word() % p);
                assert_eq!(u128::from(modulus.add(a, b)), (u128::from(a) + u128::from(b)) % u128::from(p));
                assert_eq!(modulus.add(modulus.sub(a, b), b), a);
                assert!(a == 0 || modulus.mul(a, modulus.inverse(a)) == 1);
                assert_eq!(modulus.power(a, p), a);
            }
        }
        assert_eq!(Modulus(7).powers(3, 4), Ok(vec![1, 3, 2, 6]));
    }

    #[test]
    fn orders_of_roots() {
        let order = |root| (1..17).find(|&order| Modulus(17).has_order(root, order));
        assert_eq!([1, 16, 4, 2, 3].map(order), [Some(1), Some(2), Some(4), Some(8), Some(16)]);
        assert!(!Modulus(17).has_order(18, 1));
        assert!(primes_of(1).is_empty());
        assert_eq!(primes_of(360), [2, 2, 2, 3, 3, 5]);
        assert_eq!(primes_of(10007 * 10007), [10007, 10007]);
    }
}

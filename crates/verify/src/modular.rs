//! Arithmetic modulo primes near 2^61, and sums of values with the weights of a random point.
//!
//! The weights are Kronecker products of pairs, so that a sum takes one product for each value. Checks of integers that did not
//! wrap compare two such sums.

use crate::number::Integer;
use crate::outcome::{CheckError, reserved};

/// The prime `2^61 - deficit`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prime {
    deficit: u64,
}

/// The two largest primes below 2^61.
pub(crate) const PRIMES: [Prime; 2] = [Prime { deficit: 1 }, Prime { deficit: 31 }];

const LOW: u128 = (1 << 61) - 1;

impl Prime {
    pub(crate) const fn value(self) -> u64 {
        (1 << 61) - self.deficit
    }

    pub(crate) fn reduce(self, x: u128) -> u64 {
        let fold = |x: u128| (x & LOW) + (x >> 61) * u128::from(self.deficit);
        // Below 2^72 + 2^61, then below 2^61 + 2^17, which is less than twice the prime.
        let x = fold(fold(x)) as u64;
        if x >= self.value() { x - self.value() } else { x }
    }

    fn product(self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    pub(crate) fn sum(self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) + u128::from(b))
    }

    fn residue(self, x: i64) -> u64 {
        x.rem_euclid(self.value() as i64) as u64
    }
}

/// A Kronecker product of pairs modulo a prime: entry i is the product over j of the pair j's first number where bit j of
/// i is 0 and its second where it is 1. Held as two tables of about the square root of its length.
struct Kronecker {
    prime: Prime,
    low: Vec<u64>,
    high: Vec<u64>,
}

impl Kronecker {
    fn new(prime: Prime, pairs: &[(u64, u64)]) -> Result<Self, CheckError> {
        let table = |pairs: &[(u64, u64)]| {
            let mut table = reserved(1 << pairs.len())?;
            table.push(1);
            for &(zero, one) in pairs {
                for index in 0..table.len() {
                    table.push(prime.product(table[index], one));
                    table[index] = prime.product(table[index], zero);
                }
            }
            Ok(table)
        };
        let (low, high) = pairs.split_at(pairs.len() / 2);
        Ok(Self { prime, low: table(low)?, high: table(high)? })
    }

    fn entry(&self, index: usize) -> u64 {
        let len = self.low.len();
        self.prime.product(self.low[index & (len - 1)], self.high[index / len])
    }

    /// The sum of the values times the entries at `place` of their indices.
    fn dot<T: Integer>(&self, values: &[T], place: impl Fn(usize) -> usize) -> u64 {
        values.iter().enumerate().fold(0, |sum, (index, &value)| {
            let product = u128::from(self.prime.residue(value.into())) * u128::from(self.entry(place(index)));
            self.prime.reduce(product + u128::from(sum))
        })
    }
}

/// The primes that no error of results of this type is a multiple of together: one is past every error of 32-bit results.
pub(crate) fn primes<T: Integer>() -> &'static [Prime] {
    if T::BITS > 32 { &PRIMES } else { &PRIMES[..1] }
}

/// The dot products of runs with the Kronecker product of `pairs`, as many as the logarithm of a run's length, each value
/// with the entry at `place` of its index; added with powers of `step`.
pub(crate) fn weigh<T: Integer>(
    prime: Prime,
    values: &[T],
    pairs: &[(u64, u64)],
    step: u64,
    place: impl Fn(usize) -> usize,
) -> Result<u64, CheckError> {
    let weights = Kronecker::new(prime, pairs)?;
    let combine = |sum, next| prime.sum(prime.product(sum, step), next);
    Ok(values.chunks(1 << pairs.len()).map(|block| weights.dot(block, &place)).fold(0, combine))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix;

    #[test]
    fn primes_are_prime() {
        for prime in PRIMES {
            let p = prime.value();
            let power = |base: u64, mut exponent: u64| {
                let (mut square, mut result) = (base, 1);
                while exponent > 0 {
                    if exponent & 1 == 1 {
                        result = prime.product(result, square);
                    }
                    square = prime.product(square, square);
                    exponent >>= 1;
                }
                result
            };
            // Strong probable primes to these bases below 2^64 are primes.
            for base in [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37] {
                let odd = (p - 1) >> (p - 1).trailing_zeros();
                let start = power(base, odd);
                let squares = std::iter::successors(Some(start), |&x| Some(prime.product(x, x)));
                let reaches = squares.take((p - 1).trailing_zeros() as usize).any(|x| x == p - 1);
                assert!(start == 1 || reaches, "{p} {base}");
            }
        }
    }

    #[test]
    fn reduction_agrees_with_the_remainder() {
        let mut random = SplitMix::new(3);
        for prime in PRIMES {
            let p = u128::from(prime.value());
            for x in [0, 1, p - 1, p, p + 1, 2 * p, u128::MAX, u128::MAX - p] {
                assert_eq!(u128::from(prime.reduce(x)), x % p);
            }
            for _ in 0..1000 {
                let x = random.next_double_word();
                assert_eq!(u128::from(prime.reduce(x)), x % p);
            }
            for x in [0, -1, i64::MIN, i64::MAX] {
                assert_eq!(i128::from(prime.residue(x)), i128::from(x).rem_euclid(p as i128));
            }
        }
    }
}

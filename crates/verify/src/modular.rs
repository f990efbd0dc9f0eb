//! The check of integers that did not wrap: both sides of `y = W x` at a random point, modulo a prime.
//!
//! The product of a row vector r with both sides is `r y = (r W) x`. For r the Kronecker product of pairs `(1, t_j)`,
//! `r W` is the Kronecker product of `(1 + t_j, 1 - t_j)`, so both sides take a number of operations proportional to the
//! length. The difference of the sides is a polynomial in the `t_j`, of degree 1 in each, whose coefficients are the errors
//! of y; one that is not zero vanishes at a random point modulo p with a chance of at most `log2(len) / p` (J. T.
//! Schwartz, R. Zippel). Transforms of a batch are added with powers of one more random number, which adds their number
//! to `log2(len)`. The errors of 64-bit results lie below 2^64, so that none is a multiple of both primes.

use super::{Shape, SplitMix};
use crate::number::Integer;

/// The prime `2^61 - deficit`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prime {
    deficit: u64,
}

/// The two largest primes below 2^61.
pub(super) const PRIMES: [Prime; 2] = [Prime { deficit: 1 }, Prime { deficit: 31 }];

const LOW: u128 = (1 << 61) - 1;

impl Prime {
    pub(super) const fn value(self) -> u64 {
        (1 << 61) - self.deficit
    }

    pub(super) fn reduce(self, x: u128) -> u64 {
        let fold = |x: u128| (x & LOW) + (x >> 61) * u128::from(self.deficit);
        // Below 2^72 + 2^61, then below 2^61 + 2^17, which is less than twice the prime.
        let x = fold(fold(x)) as u64;
        if x >= self.value() { x - self.value() } else { x }
    }

    fn product(self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    pub(super) fn sum(self, a: u64, b: u64) -> u64 {
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
    fn new(prime: Prime, pairs: &[(u64, u64)]) -> Self {
        let table = |pairs: &[(u64, u64)]| {
            let mut table = vec![1];
            for &(zero, one) in pairs {
                let ones: Vec<u64> = table.iter().map(|&entry| prime.product(entry, one)).collect();
                for entry in &mut table {
                    *entry = prime.product(*entry, zero);
                }
                table.extend(ones);
            }
            table
        };
        let (low, high) = pairs.split_at(pairs.len() / 2);
        Self { prime, low: table(low), high: table(high) }
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
pub(super) fn primes<T: Integer>() -> &'static [Prime] {
    if T::BITS > 32 { &PRIMES } else { &PRIMES[..1] }
}

/// The dot products of runs with the Kronecker product of `pairs`, as many as the logarithm of a run's length, each value
/// with the entry at `place` of its index; added with powers of `step`.
pub(super) fn weigh<T: Integer>(
    prime: Prime,
    values: &[T],
    pairs: &[(u64, u64)],
    step: u64,
    place: impl Fn(usize) -> usize,
) -> u64 {
    let weights = Kronecker::new(prime, pairs);
    let combine = |sum, next| prime.sum(prime.product(sum, step), next);
    values.chunks(1 << pairs.len()).map(|block| weights.dot(block, &place)).fold(0, combine)
}

/// Whether `y` can be the transforms of `x` over the integers. A wrong `y` passes with a chance below
/// `(log2(len) + number of transforms) / 2^60` over the choices of `random`.
pub fn check<T: Integer>(x: &[T], y: &[T], shape: Shape, random: &mut SplitMix) -> bool {
    x.len() == y.len() && primes::<T>().iter().all(|&prime| agree(prime, x, y, shape, random))
}

fn agree<T: Integer>(prime: Prime, x: &[T], y: &[T], shape: Shape, random: &mut SplitMix) -> bool {
    let point: Vec<u64> = (0..shape.log_len()).map(|_| prime.reduce(random.next_double_word())).collect();
    let step = prime.reduce(random.next_double_word());
    let rows: Vec<_> = point.iter().map(|&t| (1, t)).collect();
    let columns: Vec<_> = point.iter().map(|&t| (prime.sum(1, t), prime.sum(1, prime.value() - t))).collect();
    let natural = |row| shape.order.natural_index(row, shape.log_len());
    let left = weigh(prime, y, &rows, step, natural);
    let right = weigh(prime, x, &columns, step, |index| index);
    left == right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::cases;

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

    #[test]
    fn true_results_pass_and_wrong_ones_do_not() {
        for seed in 0..3 {
            let mut random = SplitMix::new(seed);
            for (shape, x, y) in cases(|word| word as i64 >> 20) {
                assert!(check(&x, &y, shape, &mut random), "{shape:?}");
                let mut wrong = y.clone();
                wrong[y.len() / 2] ^= 1 << 40;
                assert!(!check(&x, &wrong, shape, &mut random), "{shape:?}");
                // Errors that cancel in the sum, and one that a single prime cannot see.
                wrong = y.clone();
                wrong[0] += 5;
                wrong[y.len() - 1] -= 5;
                assert!(y.len() == 1 || !check(&x, &wrong, shape, &mut random), "{shape:?}");
                wrong = y.clone();
                wrong[0] -= PRIMES[0].value() as i64;
                assert!(!check(&x, &wrong, shape, &mut random), "{shape:?}");
            }
        }
    }

    #[test]
    fn transforms_in_another_order_are_wrong() {
        let mut random = SplitMix::new(0);
        for (shape, x, y) in cases(|word| (word >> 40) as i32) {
            assert!(check(&x, &y, shape, &mut random), "{shape:?}");
            let mut swapped = y.clone();
            swapped.reverse();
            assert!(y == swapped || !check(&x, &swapped, shape, &mut random), "{shape:?}");
        }
    }
}

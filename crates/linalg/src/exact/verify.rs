//! The check of determinants over the integers: their residues modulo large random primes, by a second elimination.

use manycore_field::primes;
use manycore_verify::{Chance, CheckError, Outcome, Passed, SplitMix, matrix};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;

use super::{IntegerEntry, hadamard_bound};
use crate::error::LinalgError;
use crate::matrix::entries;

/// How determinants over the integers are checked, as reports name it.
const METHOD: &str = "second elimination modulo random primes of 61 bits";
/// Primes have bit 60 as their highest.
const LOW: u64 = 1 << 60;
/// The base-2 logarithm of the number of primes from `2^60` to `2^61`, rounded down: there are more than `2^60 / 43`.
const LOG_POOL: f64 = 54.5;

/// Whether `found` is the determinant of a matrix of integers, row after row: it must not be past Hadamard's bound, and have the
/// residues of a second elimination on the host modulo as many random primes as keep the chance of a wrong one below `2^-64`.
///
/// The difference of a wrong one from the determinant is at most twice the bound and has at most `log2(2 bound) / 60` prime
/// divisors of 61 bits, of more than `2^54` such primes.
///
/// # Errors
/// [`LinalgError::Entries`] for a number of entries other than `order^2`; [`LinalgError::Check`] for a wrong determinant.
pub fn check<T: IntegerEntry>(order: usize, words: &[T], found: &BigInt, seed: u64) -> Result<Passed, LinalgError> {
    if entries(order, order)? != words.len() {
        return Err(LinalgError::Entries { given: words.len(), rows: order, columns: order });
    }
    let bound = hadamard_bound(order, words);
    if *found.magnitude() > bound {
        let relation = format!("that the determinant is within Hadamard's bound {bound}");
        return Err(LinalgError::Check(CheckError::Relation { relation }));
    }
    let (each, rounds) = rounds(&bound);
    let mut random = SplitMix::new(seed);
    for _ in 0..rounds {
        let p = loop {
            let candidate = LOW | random.next_word() & (LOW - 1);
            if primes::is_prime(candidate) {
                break candidate;
            }
        };
        residue_is_right(order, words, found, p, &mut random)?;
    }
    Ok(Passed { method: METHOD, chance: Chance::Below { log2: -(rounds as f64) * each } })
}

/// About how many seconds [`check`] takes for such a matrix.
pub fn check_seconds<T: IntegerEntry>(order: usize, words: &[T]) -> f64 {
    let (_, rounds) = rounds(&hadamard_bound(order, words));
    rounds as f64 * matrix::elimination_seconds((1 << 61) - 1, (order, order))
}

/// How many bits of the chance of a wrong determinant each prime takes, and how many primes take it below `2^-64`.
fn rounds(bound: &BigUint) -> (f64, usize) {
    let divisors = (bound.bits() + 1) as f64 / 60.0;
    let each = LOG_POOL - divisors.max(1.0).log2();
    (each, (64.5 / each.max(1.0)).ceil() as usize)
}

fn residue_is_right<T: IntegerEntry>(
    order: usize,
    words: &[T],
    found: &BigInt,
    p: u64,
    random: &mut SplitMix,
) -> Outcome {
    // A floored remainder is below the prime, so that the conversion never fails.
    let residue = |x: &BigInt| ((x % p + p) % p).to_u64().unwrap_or_default();
    let residues: Vec<u64> = words.iter().map(|word| residue(&word.to_integer())).collect();
    matrix::determinant(p, order, &residues, residue(found), random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_determinants_pass_and_others_fail() {
        let words = [i64::MAX, 1, 2, i64::MIN];
        let right = BigInt::from(i64::MAX) * i64::MIN - 2;
        for seed in 0..5 {
            let passed = check(2, &words, &right, seed).unwrap();
            assert!(passed.chance.log2().unwrap() < -64.0);
            for wrong in [&right + 1, -&right, BigInt::ZERO, &right * 4] {
                let error = check(2, &words, &wrong, seed).unwrap_err();
                assert!(matches!(error, LinalgError::Check(error) if error.is_wrong()));
            }
        }
        assert!(check::<i64>(0, &[], &BigInt::from(1), 1).is_ok());
        assert!(matches!(check(2, &words[..3], &right, 1), Err(LinalgError::Entries { .. })));
    }
}

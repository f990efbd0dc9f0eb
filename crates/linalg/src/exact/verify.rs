//! The checks of results over the integers and the rationals: modulo large random primes, by a second computation on the host.

use manycore_field::primes;
use manycore_verify::{Chance, CheckError, Outcome, Passed, SplitMix, matrix};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive as _;

use super::bound::{coefficients_bound, minors_bound, most_bits};
use super::{IntegerEntry, IntegerNullspace, hadamard_bound};
use crate::error::{LinalgError, Shape};
use crate::shape::complete;

/// How results over the integers are checked, as reports name it.
const METHOD: &str = "second computation modulo random primes of 61 bits";
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
#[inline(never)]
pub fn check<T: IntegerEntry>(order: usize, words: &[T], found: &BigInt, seed: u64) -> Result<Passed, LinalgError> {
    complete((order, order), words.len())?;
    let bound = hadamard_bound(order, words);
    if *found.magnitude() > bound {
        let relation = format!("that the determinant is within Hadamard's bound {bound}");
        return Err(LinalgError::Check(CheckError::Relation { relation }));
    }
    let passed = modulo_primes(bound.bits() + 1, seed, |p, random| {
        matrix::determinant(p, order, &residues(words, p), residue(found, p), random)
    })?;
    Ok(passed)
}

/// About how many seconds [`check`] takes for such a matrix.
pub fn check_seconds<T: IntegerEntry>(order: usize, words: &[T]) -> f64 {
    let (_, rounds) = rounds(hadamard_bound(order, words).bits() + 1);
    rounds as f64 * matrix::elimination_seconds((1 << 61) - 1, (order, order))
}

/// The binary logarithm of the factor by which each prime lowers the chance of a wrong result, which is right only modulo divisors of a
/// number of `bits` bits; and the number of primes that lower it below `2^-64`.
fn rounds(bits: u64) -> (f64, usize) {
    let divisors = bits as f64 / 60.0;
    let each = LOG_POOL - divisors.max(1.0).log2();
    (each, (67.0 / each.max(1.0)).ceil() as usize)
}

/// Whether `found` is the rank of a matrix of integers, row after row: it must be that modulo random primes, by a second elimination. A
/// smaller one passes with a chance below `2^-64`, a larger one never.
///
/// # Errors
/// As [`check`].
#[inline(never)]
pub fn check_rank<T: IntegerEntry>(shape: Shape, a: &[T], found: usize, seed: u64) -> Result<Passed, LinalgError> {
    complete(shape, a.len())?;
    let bits = minors_bound(shape.1, a).bits();
    Ok(modulo_primes(bits, seed, |p, random| matrix::rank(p, shape, &residues(a, p), found, random))?)
}

/// Whether vectors of integers are a basis of the nullspace of a matrix, as [`nullspace`](super::nullspace) has them: modulo random
/// primes their number must be that of a second elimination, their rank, and their products with the matrix 0. Others pass with a chance
/// below `2^-64`.
///
/// # Errors
/// As [`check`].
#[inline(never)]
pub fn check_nullspace<T: IntegerEntry>(
    shape: Shape,
    a: &[T],
    found: &IntegerNullspace,
    seed: u64,
) -> Result<Passed, LinalgError> {
    complete(shape, a.len())?;
    let products = most_bits(a) + most_bits(&found.basis) + 64;
    let bits = (minors_bound(shape.1, a).bits() + minors_bound(found.dimension, &found.basis).bits()).max(products);
    let outcome = modulo_primes(bits, seed, |p, random| {
        matrix::nullspace(p, shape, &residues(a, p), &residues(&found.basis, p), random)
    });
    Ok(outcome?)
}

/// Whether fractions are the inverse of a square matrix of integers, both row after row: modulo random primes its products with random
/// vectors must be those of the identity. Another one passes with a chance below `2^-64`.
///
/// # Errors
/// As [`check`].
#[inline(never)]
pub fn check_inverse<T: IntegerEntry>(
    order: usize,
    a: &[T],
    found: &[BigRational],
    seed: u64,
) -> Result<Passed, LinalgError> {
    complete((order, order), a.len())?;
    // The numerators of the products have at most the bits of all denominators of a column, of a numerator and of an entry.
    let column = |of: usize| found.iter().skip(of).step_by(order).map(|x| x.denom().bits()).sum::<u64>();
    let denominators = (0..order.min(found.len())).map(column).max().unwrap_or(0);
    let numerators = found.iter().map(|x| x.numer().bits()).max().unwrap_or(0);
    let outcome = modulo_primes(denominators + numerators + most_bits(a) + 64, seed, |p, random| {
        let quotient = |x: &BigRational| {
            let inverse = BigInt::from(residue(x.denom(), p)).modinv(&BigInt::from(p));
            inverse.map(|inverse| residue(&(x.numer() * inverse), p))
        };
        let relation =
            || CheckError::Relation { relation: "that the denominators are no multiples of a prime".to_owned() };
        let words = found.iter().map(quotient).collect::<Option<Vec<u64>>>().ok_or_else(relation)?;
        matrix::inverse(p, order, &residues(a, p), &words, random)
    });
    Ok(outcome?)
}

/// Whether coefficients are those of the characteristic polynomial of a square matrix of integers, row after row, the constant term first:
/// modulo random primes they must be those of a second computation, from powers of the matrix on vectors. Others pass with a chance
/// below `2^-64`.
///
/// # Errors
/// As [`check`].
#[inline(never)]
pub fn check_characteristic_polynomial<T: IntegerEntry>(
    order: usize,
    a: &[T],
    found: &[BigInt],
    seed: u64,
) -> Result<Passed, LinalgError> {
    complete((order, order), a.len())?;
    let bits = coefficients_bound(order, a).bits().max(most_bits(found)) + 1;
    let outcome = modulo_primes(bits, seed, |p, random| {
        matrix::characteristic_polynomial(p, order, &residues(a, p), &residues(found, p), random)
    });
    Ok(outcome?)
}

/// Whether the system of a matrix and a right side of `right_columns` columns, both row after row, has no solution over the rationals:
/// modulo random primes the rank of both beside each other must be above that of the matrix. A system that has one passes with a chance
/// below `2^-64`.
///
/// # Errors
/// As [`check`].
#[inline(never)]
pub fn check_no_solution<T: IntegerEntry>(
    (rows, columns): Shape,
    a: &[T],
    right_columns: usize,
    b: &[T],
    seed: u64,
) -> Result<Passed, LinalgError> {
    complete((rows, columns), a.len())?;
    complete((rows, right_columns), b.len())?;
    let bits = minors_bound(columns, a).bits() + minors_bound(right_columns, b).bits();
    let outcome = modulo_primes(bits, seed, |p, random| {
        matrix::no_solution(p, (rows, columns, right_columns), &residues(a, p), &residues(b, p), random)
    });
    Ok(outcome?)
}

/// A floored remainder, which is below the prime, so that the conversion never fails.
pub(super) fn residue(x: &BigInt, p: u64) -> u64 {
    ((x % p + p) % p).to_u64().unwrap_or_default()
}

pub(super) fn residues<T: IntegerEntry>(integers: &[T], p: u64) -> Vec<u64> {
    integers.iter().map(|integer| residue(&integer.to_integer(), p)).collect()
}

/// Checks modulo as many random primes of 61 bits as keep the chance of a wrong result below `2^-64`, one of which passes modulo a prime
/// only if that prime divides a number, other than 0, of `bits` bits: at most `bits / 60` primes among more than `2^54` do. A right result
/// may fail modulo such a prime as well, so a failed check is repeated modulo another prime.
pub(super) fn modulo_primes(bits: u64, seed: u64, mut check: impl FnMut(u64, &mut SplitMix) -> Outcome) -> Outcome {
    let (each, rounds) = rounds(bits);
    let mut random = SplitMix::new(seed);
    let mut failed = false;
    let mut passed = 0;
    while passed < rounds {
        let p = loop {
            let candidate = LOW | random.next_word() & (LOW - 1);
            if primes::is_prime(candidate) {
                break candidate;
            }
        };
        match check(p, &mut random) {
            Ok(_) => passed += 1,
            Err(error) if failed || !error.is_wrong() => return Err(error),
            Err(_) => failed = true,
        }
    }
    // The prime that failed may be any of them.
    let log2 = (rounds as f64 + 1.0).log2() - rounds as f64 * each;
    Ok(Passed { method: METHOD, chance: Chance::Below { log2 } })
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

    #[test]
    fn right_results_pass_and_others_fail() {
        let wrong = |outcome: Result<Passed, LinalgError>| matches!(outcome, Err(LinalgError::Check(error)) if error.is_wrong());
        let a = [1i64, 2, 2, 4];
        assert!(check_rank((2, 2), &a, 1, 1).is_ok());
        assert!([0, 2].into_iter().all(|rank| wrong(check_rank((2, 2), &a, rank, 1))));
        let basis = |words: &[i64]| IntegerNullspace { dimension: 1, basis: words.iter().map(|&x| x.into()).collect() };
        assert!(check_nullspace((2, 2), &a, &basis(&[-2, 1]), 1).is_ok());
        assert!(wrong(check_nullspace((2, 2), &a, &basis(&[2, 1]), 1)));
        assert!(wrong(check_nullspace((2, 2), &a, &basis(&[0, 0]), 1)));
        assert!(check_no_solution((2, 2), &a, 1, &[1, 3], 1).is_ok());
        assert!(wrong(check_no_solution((2, 2), &a, 1, &[1, 2], 1)));
        let coefficients = |words: [i64; 3]| words.map(BigInt::from);
        assert!(check_characteristic_polynomial(2, &a, &coefficients([0, -5, 1]), 1).is_ok());
        assert!(wrong(check_characteristic_polynomial(2, &a, &coefficients([1, -5, 1]), 1)));
        let half = BigRational::new(1.into(), 2.into());
        assert!(check_inverse(1, &[2i64], std::slice::from_ref(&half), 1).is_ok());
        assert!(wrong(check_inverse(1, &[3i64], &[half], 1)));
        assert!(matches!(check_rank((2, 3), &a, 1, 1), Err(LinalgError::Entries { .. })));
    }
}

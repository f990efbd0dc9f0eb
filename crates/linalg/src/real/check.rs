//! The check that a determinant of doubles is within its bound: against the exact one, of the integers that the entries are times a power
//! of two, or against a second one of the matrix transposed, its rows and columns in a random order.

use manycore_device::{Device, host_room};
use manycore_verify::{CheckError, Passed, SplitMix};
use num_bigint::BigInt;

use super::{Pivoting, RealDeterminant, RealOptions, Scaled, determinant};
use crate::error::LinalgError;
use crate::exact::{self, Certainty};
use crate::shape::complete;

/// Products of residues that an exact determinant may take: some seconds on one thread.
const MOST_PRODUCTS: f64 = (1u64 << 33) as f64;
/// Bits of the primes of exact determinants.
const PRIME_BITS: f64 = 30.9;
/// How determinants are checked, as reports name it.
const EXACTLY: &str = "the exact determinant is within the bound";
const AGAIN: &str = "the determinant of the transposed matrix in a random order, within both bounds";

/// Whether `found` and the determinant of a matrix of doubles, row after row, differ by the bound at most; of a determinant without
/// bound, by nothing. On the host, from the entries alone.
///
/// Where Chinese remainders take few products, up to about order 300 for entries of about one size, the determinant is computed exactly,
/// by code that shares nothing with that of doubles. Else one of the transposed matrix in a random order, whose pivots and roundings
/// are others, has to be as near as both bounds together allow.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::real::{RealOptions, Scaled, check, determinant};
/// let words = [0.1, 0.7, 0.3, 0.2];
/// let mut found = determinant(&Device::host(), 2, &words, RealOptions::default())?;
/// assert!(check(2, &words, &found, 1).is_ok());
/// found.value = found.value.plus(Scaled::new(1e-12, 0));
/// assert!(check(2, &words, &found, 1).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for a number of entries other than `order^2`; [`LinalgError::NotFinite`]; [`LinalgError::Check`] for a
/// determinant that is not within its bound.
pub fn check(order: usize, words: &[f64], found: &RealDeterminant, seed: u64) -> Result<Passed, LinalgError> {
    complete((order, order), words.len())?;
    if let Some(index) = words.iter().position(|x| !x.is_finite()) {
        return Err(LinalgError::NotFinite { row: index / order, column: index % order, value: words[index] });
    }
    let numbers = [found.value, found.error_bound.unwrap_or(Scaled::ZERO)];
    // The range of exponents that products of `order` doubles, and their errors, can have.
    let range = order as i64 * 2200 + 2200;
    if numbers.iter().any(|x| !x.mantissa.is_finite() || !(-range..=range).contains(&x.exponent)) {
        let relation = format!("that value and bound are products of {order} doubles");
        return Err(LinalgError::Check(CheckError::Relation { relation }));
    }
    let [value, bound] = numbers.map(Dyadic::of);
    let exponents = || words.iter().filter(|x| **x != 0.0).map(|&x| Scaled::new(x, 0).exponent);
    let (least, most) = (exponents().min().unwrap_or(0), exponents().max().unwrap_or(0));
    let n = order as f64;
    let bits = n * ((most - least) as f64 + 54.0 + n.max(1.0).log2() / 2.0);
    let (other, beside, method) = if bits / PRIME_BITS * n * n * n / 3.0 <= MOST_PRODUCTS {
        let low = least - MANTISSA;
        let integers: Vec<BigInt> = words.iter().map(|&x| Dyadic::of(Scaled::new(x, 0)).at(low)).collect();
        let exact = exact::determinant(&Device::host(), order, &integers, Certainty::Proved)?.value;
        (Dyadic { integer: exact, exponent: low * order as i64 }, None, EXACTLY)
    } else {
        let second = again(order, words, seed)?;
        (Dyadic::of(second.value), second.error_bound.map(Dyadic::of), AGAIN)
    };
    let bounds = [Some(bound), beside];
    let all = || [&value, &other].into_iter().chain(bounds.iter().flatten());
    let exponent = all().map(|x| x.exponent).min().unwrap_or(0);
    let difference = value.at(exponent) - other.at(exponent);
    let allowed: BigInt = bounds.iter().flatten().map(|x| x.at(exponent)).sum();
    if difference.magnitude() <= allowed.magnitude() {
        return Ok(Passed::by_second_computation(method));
    }
    let expected = RealDeterminant { value: other.rounded(), error_bound: None };
    let error = CheckError::Value { run: 0, index: 0, found: found.to_string(), expected: expected.to_string() };
    Err(LinalgError::Check(error))
}

/// The determinant of the transposed matrix in a random order of rows and columns, with the sign of the matrix as it is.
fn again(order: usize, words: &[f64], seed: u64) -> Result<RealDeterminant, LinalgError> {
    let mut random = SplitMix::new(seed);
    let mut is_odd = false;
    let mut permutation = || {
        let mut places: Vec<usize> = (0..order).collect();
        for i in (1..order).rev() {
            let j = (random.next_word() % (i as u64 + 1)) as usize;
            is_odd ^= i != j;
            places.swap(i, j);
        }
        places
    };
    let (rows, columns) = (permutation(), permutation());
    host_room(size_of_val(words) as u64)?;
    let turned: Vec<f64> = rows.iter().flat_map(|&i| columns.iter().map(move |&j| words[j * order + i])).collect();
    let by = |pivoting| determinant(&Device::host(), order, &turned, RealOptions { pivoting, bound: true });
    let mut found = match by(Pivoting::Partial) {
        Err(LinalgError::Overflow { .. }) => by(Pivoting::Complete)?,
        other => other?,
    };
    if is_odd {
        found.value.mantissa = -found.value.mantissa;
    }
    Ok(found)
}

/// Bits of a mantissa.
const MANTISSA: i64 = 53;

/// An integer times a power of two.
struct Dyadic {
    integer: BigInt,
    exponent: i64,
}

impl Dyadic {
    fn of(x: Scaled) -> Self {
        // An integer of 53 bits.
        Self {
            integer: BigInt::from((x.mantissa * 2f64.powi(MANTISSA as i32)) as i64),
            exponent: x.exponent - MANTISSA,
        }
    }

    /// As a multiple of `2^exponent`, which is no larger than the own power of two unless the number is 0.
    fn at(&self, exponent: i64) -> BigInt {
        &self.integer << (self.exponent - exponent).max(0)
    }

    /// Rounded towards 0.
    fn rounded(&self) -> Scaled {
        let shift = self.integer.bits().saturating_sub(MANTISSA as u64);
        let top = i64::try_from(&self.integer / (BigInt::from(1) << shift)).unwrap_or(0);
        Scaled::new(top as f64, self.exponent + shift as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(order: usize, spread: u64) -> Vec<f64> {
        let mut random = SplitMix::new(order as u64);
        let mut word = || (random.next_word() >> 11) as f64 * 2f64.powi(-53) - 0.5;
        (0..order * order).map(|e| word() * 2f64.powi((e as u64 * 7 % spread.max(1)) as i32)).collect()
    }

    #[test]
    fn right_determinants_pass_and_others_do_not() {
        for (order, spread) in [(0, 1), (1, 1), (2, 1), (7, 300), (40, 1), (40, 1000)] {
            let words = matrix(order, spread);
            let found = determinant(&Device::host(), order, &words, RealOptions::default()).unwrap();
            assert_eq!(check(order, &words, &found, 1).unwrap().method, EXACTLY);
            let bound = found.error_bound.unwrap();
            let mut moved = found.value.plus(bound.times(2.5));
            moved.mantissa = if bound == Scaled::ZERO { -moved.mantissa } else { moved.mantissa };
            let error = check(order, &words, &RealDeterminant { value: moved, ..found }, 1).unwrap_err();
            assert!(matches!(error, LinalgError::Check(CheckError::Value { .. })), "{error}");
            let tight = RealDeterminant { error_bound: Some(bound.times(1e-9)), ..found };
            assert!(order < 7 || check(order, &words, &tight, 1).is_err(), "{order}");
        }
        let nan = RealDeterminant { value: Scaled::ONE, error_bound: Some(Scaled::new(f64::INFINITY, 0)) };
        assert!(matches!(check(1, &[1.0], &nan, 1), Err(LinalgError::Check(CheckError::Relation { .. }))));
        assert!(matches!(check(1, &[f64::NAN], &nan, 1), Err(LinalgError::NotFinite { row: 0, .. })));
        assert!(matches!(check(2, &[1.0], &nan, 1), Err(LinalgError::Entries { .. })));
    }

    #[test]
    fn second_determinants_have_the_sign_of_the_first() {
        for order in [1, 2, 5, 30] {
            let words = matrix(order, 4);
            let found = determinant(&Device::host(), order, &words, RealOptions::default()).unwrap();
            for seed in 0..8 {
                let second = again(order, &words, seed).unwrap();
                let apart = second.value.plus(Scaled { mantissa: -found.value.mantissa, ..found.value }).abs();
                let allowed = found.error_bound.unwrap().plus(second.error_bound.unwrap()).times(1.000_001);
                assert!(apart.mantissa == 0.0 || apart.plus(allowed.times(-1.0)).mantissa <= 0.0, "{order} {seed}");
            }
        }
    }
}

//! Determinants of matrices of integers.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use manycore_device::{Device, DeviceSet};
use manycore_field::{Field as _, PrimeField, Semiring as _, primes};
use manycore_verify::SplitMix;
use num_bigint::{BigInt, BigUint};

use super::bound::is_enough;
use super::integers::IntegerMatrix;
use super::remainders::Remainders;
use super::{IntegerEntry, hadamard_bound};
use crate::error::LinalgError;
use crate::shape::complete;

/// How certain a determinant over the integers is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Certainty {
    /// Primes up to Hadamard's bound: the result is proved.
    #[default]
    Proved,
    /// Random primes until further ones leave the result unchanged so often that a wrong result would survive with a chance below
    /// `2^-bits`, over the choice of `seed`; never more primes than for [`Certainty::Proved`].
    Probable {
        /// The exponent of the chance.
        bits: u32,
        /// What the primes are drawn from.
        seed: u64,
    },
}

/// A determinant over the integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactDeterminant {
    /// The determinant.
    pub value: BigInt,
    /// The number of primes that it was computed modulo.
    pub primes: usize,
    /// Whether the primes reach Hadamard's bound, so that no other integer is the determinant.
    pub is_proved: bool,
}

/// Primes have 31 bits.
const LOW: u64 = 1 << 30;
/// The number of primes from `2^30` to `2^31`, rounded down.
const POOL: f64 = 5e7;

/// The determinant of a square matrix of integers, row after row, on a device: one modulo each of about `log2(bound) / 31`
/// primes, in `2/3 n^3` operations for order `n`. 1 for order 0, and the entry, with no prime, for order 1.
///
/// The entries are brought to the device once, each in as many words of 64 bits as the largest takes in two's complement, and
/// are reduced there.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::{Certainty, determinant};
/// let a = [i64::MAX, 1, 2, i64::MIN];
/// let found = determinant(&Device::from_env()?, 2, &a, Certainty::Proved)?;
/// assert_eq!(found.value.to_string(), "-85070591730234615856620279821087277058");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for a number of entries other than `order^2`; [`LinalgError::TooLarge`]; [`LinalgError::Device`].
#[inline(never)]
pub fn determinant<T: IntegerEntry>(
    device: &Device,
    order: usize,
    words: &[T],
    certainty: Certainty,
) -> Result<ExactDeterminant, LinalgError> {
    let mut matrix = None;
    combined(order, words, certainty, 1, |fields| residues(&mut matrix, device, fields, order, words))
}

/// [`determinant`] on several devices, which share the primes by their speed: the same result.
///
/// Each device gets the entries once, and what one that fails had to do is done by the others ([`DeviceSet::failures`]). With [`Certainty::Probable`] as many primes are taken at a time as there are devices; of
/// those that turn out not to be needed the residues are dropped.
///
/// ```
/// use manycore_device::{Device, DeviceSet};
/// use manycore_linalg::exact::{Certainty, determinant_on};
/// let set = DeviceSet::equal(vec![Device::host(), Device::host_with(1)?])?;
/// let found = determinant_on(&set, 2, &[3i64, 1, 4, 1], Certainty::Proved)?;
/// assert_eq!(found.value, (-1).into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`determinant`], where all devices fail.
#[inline(never)]
pub fn determinant_on<T: IntegerEntry>(
    set: &DeviceSet,
    order: usize,
    words: &[T],
    certainty: Certainty,
) -> Result<ExactDeterminant, LinalgError> {
    combined(order, words, certainty, set.devices().len(), residues_on(set, order, words))
}

/// Computes determinants modulo primes on several devices.
pub(super) fn residues_on<T: IntegerEntry>(
    set: &DeviceSet,
    order: usize,
    words: &[T],
) -> impl FnMut(&[PrimeField<u32>]) -> Result<Vec<u32>, LinalgError> {
    // A matrix for each device, once it has a prime; a device that the set names twice has one.
    let matrices: Vec<Mutex<Option<IntegerMatrix>>> = set.devices().iter().map(|_| Mutex::default()).collect();
    let first = |device: &Device| set.devices().iter().position(|other| other == device).unwrap_or(0);
    move |fields| {
        let parts = set.share(fields.len(), 1, |device, range| {
            let mut matrix = matrices[first(device)].lock().unwrap_or_else(PoisonError::into_inner);
            residues(&mut matrix, device, &fields[range], order, words)
        })?;
        Ok(parts.into_iter().flat_map(|(_, part)| part).collect())
    }
}

/// The determinants modulo primes, of a matrix that is brought to the device with the first of them.
pub(super) fn residues<T: IntegerEntry>(
    matrix: &mut Option<IntegerMatrix>,
    device: &Device,
    fields: &[PrimeField<u32>],
    order: usize,
    words: &[T],
) -> Result<Vec<u32>, LinalgError> {
    let Some(&first) = fields.first() else { return Ok(Vec::new()) };
    IntegerMatrix::kept(matrix, device, first, (order, order), words)?.determinants(fields)
}

/// The determinant from those modulo primes, which `residues` computes: all that a proof takes at once, or `together` at a time.
pub(super) fn combined<T: IntegerEntry>(
    order: usize,
    words: &[T],
    certainty: Certainty,
    together: usize,
    mut residues: impl FnMut(&[PrimeField<u32>]) -> Result<Vec<u32>, LinalgError>,
) -> Result<ExactDeterminant, LinalgError> {
    complete((order, order), words.len())?;
    if let (1, [entry]) = (order, words) {
        // A long number takes as many primes as a large matrix.
        return Ok(ExactDeterminant { value: entry.to_integer(), primes: 0, is_proved: true });
    }
    let bound = hadamard_bound(order, words);
    let mut remainders = Remainders::new();
    let mut used = 0;
    // The number of successive primes that left the result unchanged.
    let mut stayed = 0;
    let (wanted, together) = match certainty {
        Certainty::Proved => (usize::MAX, usize::MAX),
        Certainty::Probable { bits, .. } => (repetitions(&bound, bits), together),
    };
    let mut drawn = Primes::new(certainty);
    while !is_enough(remainders.product(), &bound) && stayed < wanted {
        // No more than a proof takes.
        let mut product = remainders.product().clone();
        let mut fields = Vec::new();
        while fields.len() < together && !is_enough(&product, &bound) {
            let Some(field) = drawn.next() else { break };
            product *= field.modulus();
            fields.push(field);
        }
        if fields.is_empty() {
            break;
        }
        let found = residues(&fields)?;
        if wanted == usize::MAX && used == 0 {
            remainders = Remainders::together(&fields, &found);
            used = fields.len();
            continue;
        }
        for (field, residue) in fields.iter().zip(found) {
            if stayed == wanted {
                break;
            }
            let before = (wanted < usize::MAX).then(|| remainders.least());
            remainders.push(field, residue);
            used += 1;
            let is_same = |before: BigInt| remainders.least() == before && *before.magnitude() <= bound;
            stayed = if before.is_some_and(is_same) { stayed + 1 } else { 0 };
        }
    }
    let is_proved = is_enough(remainders.product(), &bound);
    Ok(ExactDeterminant { value: remainders.least(), primes: used, is_proved })
}

/// The determinant of a regular matrix of which a divisor is known, such as the common denominator of a solution (Abbott, Bronstein and
/// Mulders, "Fast deterministic computation of determinants of dense matrices", ISSAC 1999): proved, modulo each of about
/// `log2(bound / divisor) / 31` primes, which are few where the divisor is most of it.
///
/// # Errors
/// As [`determinant`].
pub(super) fn determinant_of_multiple<T: IntegerEntry>(
    device: &Device,
    order: usize,
    words: &[T],
    divisor: &BigInt,
) -> Result<BigInt, LinalgError> {
    let bound = hadamard_bound(order, words) / divisor.magnitude();
    let (mut fields, mut inverses, mut product) = (Vec::new(), Vec::new(), BigInt::from(1));
    for field in Primes::new(Certainty::Proved) {
        if is_enough(&product, &bound) {
            break;
        }
        if let Some(inverse) = field.inverse(field.reduce_bigint(divisor)) {
            product *= field.modulus();
            fields.push(field);
            inverses.push(inverse);
        }
    }
    let found = residues(&mut None, device, &fields, order, words)?;
    let quotients: Vec<u32> =
        fields.iter().zip(found.iter().zip(&inverses)).map(|(field, (&x, &inverse))| field.mul(x, inverse)).collect();
    Ok(Remainders::together(&fields, &quotients).least() * divisor)
}

/// The determinant of an array of integers, in any order of memory.
///
/// # Errors
/// As [`determinant`]; [`LinalgError::NotSquare`].
#[cfg(feature = "ndarray")]
#[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
pub fn determinant_of<T: IntegerEntry>(
    device: &Device,
    array: ndarray::ArrayView2<'_, T>,
    certainty: Certainty,
) -> Result<ExactDeterminant, LinalgError> {
    let (rows, columns) = array.dim();
    if rows != columns {
        return Err(LinalgError::NotSquare { operation: "determinant", rows, columns });
    }
    determinant(device, rows, &array.iter().cloned().collect::<Vec<T>>(), certainty)
}

/// The number of successive primes that must leave a result unchanged, so that a wrong one survives with a chance below `2^-bits`.
///
/// A wrong result stays where the prime divides its difference from the determinant, which is not 0, of size at most twice the
/// bound, and so has at most `k = log2(2 bound) / 30` prime divisors of 31 bits: with a chance of at most `k` over the number of
/// such primes that have not been drawn. There are at most as many wrong results as primes up to the bound, `k + 1`.
fn repetitions(bound: &BigUint, bits: u32) -> usize {
    let divisors = (bound.bits() + 1) as f64 / 30.0;
    let each = (POOL - 2.0 * divisors - 64.0).max(1.0).log2() - divisors.max(1.0).log2();
    let all = f64::from(bits) + (divisors + 1.0).log2();
    if each <= 0.0 { usize::MAX } else { (all / each).ceil().max(1.0) as usize }
}

/// Fields of primes of 31 bits, each once.
pub(super) struct Primes {
    /// `None` for the largest primes downwards.
    random: Option<SplitMix>,
    last: u64,
    seen: HashSet<u64>,
}

impl Primes {
    pub(super) fn new(certainty: Certainty) -> Self {
        let random = match certainty {
            Certainty::Proved => None,
            Certainty::Probable { seed, .. } => Some(SplitMix::new(seed)),
        };
        Self { random, last: 2 * LOW, seen: HashSet::new() }
    }
}

impl Iterator for Primes {
    type Item = PrimeField<u32>;

    fn next(&mut self) -> Option<PrimeField<u32>> {
        let prime = match &mut self.random {
            None => primes::previous_prime(self.last)?,
            // Uniform among the primes of the range that have not been drawn.
            Some(random) => loop {
                let candidate = LOW | random.next_word() & (LOW - 1);
                if primes::is_prime(candidate) && self.seen.insert(candidate) {
                    break candidate;
                }
            },
        };
        self.last = prime;
        PrimeField::new(u32::try_from(prime).ok()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_drawn_once() {
        let largest: Vec<u32> = Primes::new(Certainty::Proved).take(3).map(|field| field.modulus()).collect();
        assert_eq!(largest, [2_147_483_647, 2_147_483_629, 2_147_483_587]);
        let drawn: HashSet<u32> =
            Primes::new(Certainty::Probable { bits: 1, seed: 5 }).take(50).map(|field| field.modulus()).collect();
        assert_eq!(drawn.len(), 50);
        assert!(drawn.iter().all(|&p| u64::from(p) >= LOW));
    }

    #[test]
    fn more_certainty_takes_more_repetitions() {
        let bound = BigUint::from(1u32) << 3000u32;
        // 100 divisors among 5e7 primes: 18.9 bits each, and 6.7 bits for the results on the way.
        assert_eq!(repetitions(&bound, 1), 1);
        assert_eq!(repetitions(&bound, 64), 4);
        assert_eq!(repetitions(&bound, 128), 8);
        assert_eq!(repetitions(&BigUint::from(1u32), 20), 1);
    }

    #[test]
    fn determinants_are_those_of_any_divisor() {
        let device = Device::host();
        // -85 (2^31 - 1), of a matrix that is singular modulo the first prime.
        let p = 2_147_483_647i64;
        let a = [5 * p, p, 3 * 5, -14];
        for divisor in [1i64, 5, 17, 85, p, -85 * p] {
            let found = determinant_of_multiple(&device, 2, &a, &divisor.into()).unwrap();
            assert_eq!(found, BigInt::from(-85) * p, "{divisor}");
        }
        assert_eq!(determinant_of_multiple(&device, 1, &[-6i64], &3.into()).unwrap(), BigInt::from(-6));
    }
}

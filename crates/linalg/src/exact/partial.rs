//! Determinants of matrices of integers in parts that are computed apart: residues modulo every so manieth prime of one sequence, put
//! together by Chinese remainders (Garner, "The residue number system", 1959).

use std::collections::HashMap;

use manycore_device::{Device, DeviceSet};
use manycore_field::PrimeField;
use num_bigint::{BigInt, BigUint};

use super::bound::is_enough;
use super::determinant::{Primes, residues, residues_on};
use super::remainders::Remainders;
use super::{Certainty, ExactDeterminant, IntegerEntry, hadamard_bound};
use crate::error::LinalgError;
use crate::shape::complete;

/// A part of a determinant over the integers: its residues modulo some of the primes that prove it.
///
/// The primes are those of 31 bits from the largest downwards, as many as Hadamard's bound requires: the bound alone determines them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeterminantResidues {
    /// Hadamard's bound of the matrix.
    pub bound: BigUint,
    /// The determinant of a matrix of order 1, which is its entry and takes no prime.
    pub entry: Option<BigInt>,
    /// Primes, in the order of their sequence, each with the determinant modulo it.
    pub residues: Vec<(u32, u32)>,
}

/// The number of primes whose residues prove a determinant within this bound: about `log2(bound) / 31`.
pub fn proving_primes(bound: &BigUint) -> usize {
    fields(bound).len()
}

/// The residues of the determinant of a square matrix of integers, row after row, modulo the primes of part `part` of `parts`, both
/// counted from 0: those whose place in the sequence leaves the remainder `part`. Parts may have no prime.
///
/// `2/3 n^3` operations a prime for order `n`, on the device. [`determinant_of_parts`] puts the parts together, which may have been
/// computed on devices of different machines.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::{determinant_of_parts, determinant_residues};
/// let (a, device) = ([i64::MAX, 1, 2, i64::MIN], Device::host());
/// let parts = (0..3).map(|part| determinant_residues(&device, 2, &a, part, 3)).collect::<Result<Vec<_>, _>>()?;
/// let found = determinant_of_parts(&parts)?;
/// assert!(found.is_proved);
/// assert_eq!(found.value.to_string(), "-85070591730234615856620279821087277058");
/// # Ok::<(), manycore_linalg::LinalgError>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for a number of entries other than `order^2`; [`LinalgError::Part`] for a part that is not among `parts`;
/// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
pub fn determinant_residues<T: IntegerEntry>(
    device: &Device,
    order: usize,
    words: &[T],
    part: usize,
    parts: usize,
) -> Result<DeterminantResidues, LinalgError> {
    of_part(order, words, (part, parts), |fields| residues(&mut None, device, fields, order, words))
}

/// [`determinant_residues`] on several devices, which share the primes of the part.
///
/// ```
/// use manycore_device::{Device, DeviceSet};
/// use manycore_linalg::exact::{determinant_residues, determinant_residues_on};
/// let set = DeviceSet::equal(vec![Device::host(), Device::host_with(1)?])?;
/// let a = [i64::MAX, 1, 2, i64::MIN];
/// let found = determinant_residues_on(&set, 2, &a, 1, 2)?;
/// assert_eq!(found, determinant_residues(&Device::host(), 2, &a, 1, 2)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`determinant_residues`], where all devices fail.
pub fn determinant_residues_on<T: IntegerEntry>(
    set: &DeviceSet,
    order: usize,
    words: &[T],
    part: usize,
    parts: usize,
) -> Result<DeterminantResidues, LinalgError> {
    of_part(order, words, (part, parts), residues_on(set, order, words))
}

/// The part whose residues are computed so.
fn of_part<T: IntegerEntry>(
    order: usize,
    words: &[T],
    (part, parts): (usize, usize),
    mut residues: impl FnMut(&[PrimeField<u32>]) -> Result<Vec<u32>, LinalgError>,
) -> Result<DeterminantResidues, LinalgError> {
    complete((order, order), words.len())?;
    if part >= parts {
        return Err(LinalgError::Part { part, parts });
    }
    let bound = hadamard_bound(order, words);
    if let (1, [entry]) = (order, words) {
        return Ok(DeterminantResidues { bound, entry: Some(entry.to_integer()), residues: Vec::new() });
    }
    let own: Vec<PrimeField<u32>> = fields(&bound).into_iter().skip(part).step_by(parts).collect();
    let found = if own.is_empty() { Vec::new() } else { residues(&own)? };
    let residues = own.iter().map(PrimeField::modulus).zip(found).collect();
    Ok(DeterminantResidues { bound, entry: None, residues })
}

/// The determinant from the residues of all parts, in any order; a part may stand there more than once. It is proved: each prime that
/// the bound asks for must have its residue.
///
/// ```
/// use manycore_linalg::exact::{DeterminantResidues, determinant_of_parts};
/// let part = |residues| DeterminantResidues { bound: 10u32.into(), entry: None, residues };
/// let found = determinant_of_parts(&[part(vec![(2_147_483_647, 2_147_483_640)])])?;
/// assert_eq!(found.value, (-7).into());
/// assert!(determinant_of_parts(&[part(vec![])]).is_err());
/// # Ok::<(), manycore_linalg::LinalgError>(())
/// ```
///
/// # Errors
/// [`LinalgError::Parts`] for no parts, parts of different matrices, a missing prime and a residue that is none.
pub fn determinant_of_parts(parts: &[DeterminantResidues]) -> Result<ExactDeterminant, LinalgError> {
    let wrong = |reason: String| LinalgError::Parts { reason };
    let Some(first) = parts.first() else { return Err(wrong("there are none".to_owned())) };
    if let Some(other) = parts.iter().find(|part| part.bound != first.bound || part.entry != first.entry) {
        return Err(wrong(format!("matrices with bounds {} and {} are different", first.bound, other.bound)));
    }
    if let Some(entry) = &first.entry {
        return Ok(ExactDeterminant { value: entry.clone(), primes: 0, is_proved: true });
    }
    let mut residues = HashMap::new();
    for &(prime, residue) in parts.iter().flat_map(|part| &part.residues) {
        if residue >= prime {
            return Err(wrong(format!("{residue} is no residue modulo {prime}")));
        }
        if let Some(other) = residues.insert(prime, residue).filter(|&other| other != residue) {
            return Err(wrong(format!("modulo {prime} one has {other}, another {residue}")));
        }
    }
    let fields = fields(&first.bound);
    let mut own = Vec::with_capacity(fields.len());
    for field in &fields {
        let prime = field.modulus();
        let Some(&residue) = residues.get(&prime) else {
            return Err(wrong(format!("none has the residue modulo {prime}")));
        };
        own.push(residue);
    }
    if residues.len() > fields.len() {
        return Err(wrong(format!("{} primes are more than the bound asks for, {}", residues.len(), fields.len())));
    }
    let value = Remainders::together(&fields, &own).least();
    Ok(ExactDeterminant { value, primes: fields.len(), is_proved: true })
}

/// The fields of the primes that a proof takes.
fn fields(bound: &BigUint) -> Vec<PrimeField<u32>> {
    let mut product = BigInt::from(1);
    let mut drawn = Primes::new(Certainty::Proved);
    let mut fields = Vec::new();
    while !is_enough(&product, bound) {
        let Some(field) = drawn.next() else { break };
        product *= field.modulus();
        fields.push(field);
    }
    fields
}

#[cfg(test)]
mod tests {
    use manycore_testkit::devices;
    use manycore_verify::SplitMix;

    use super::*;
    use crate::exact::determinant;

    #[test]
    fn any_number_of_parts_gives_the_determinant() {
        let mut random = SplitMix::new(1);
        for order in [0usize, 1, 2, 3, 9] {
            for bits in [1, 20, 64] {
                let words: Vec<i64> = (0..order * order).map(|_| random.next_word() as i64 >> (64 - bits)).collect();
                for device in devices() {
                    let expected = determinant(&device, order, &words, Certainty::Proved).unwrap();
                    for count in [1usize, 2, 3, 7, 40] {
                        let part = |part| determinant_residues(&device, order, &words, part, count).unwrap();
                        let mut parts: Vec<_> = (0..count).map(part).collect();
                        assert_eq!(determinant_of_parts(&parts).unwrap(), expected, "order {order}, {count} parts");
                        // The entry of order 1 takes no prime.
                        let primes = if order == 1 { 0 } else { proving_primes(&parts[0].bound) };
                        assert_eq!(primes, expected.primes);
                        parts.reverse();
                        parts.push(parts[0].clone());
                        assert_eq!(determinant_of_parts(&parts).unwrap(), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let host = Device::host();
        let a = [i64::MAX, 1, 2, i64::MIN];
        let part = |part| determinant_residues(&host, 2, &a, part, 2).unwrap();
        let reason = |parts: &[DeterminantResidues]| match determinant_of_parts(parts) {
            Err(LinalgError::Parts { reason }) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(reason(&[]), "there are none");
        assert_eq!(reason(&[part(0)]), "none has the residue modulo 2147483629");
        let mut other = part(1);
        other.bound += 1u32;
        assert!(reason(&[part(0), other]).contains("are different"));
        let mut wrong = part(0);
        wrong.residues[0].1 ^= 1;
        assert!(reason(&[part(0), part(1), wrong]).contains("modulo 2147483647 one has"));
        let mut none = part(0);
        none.residues[0].1 = u32::MAX;
        assert!(reason(&[none, part(1)]).contains("is no residue"));
        let mut more = part(1);
        more.residues.push((7, 3));
        assert!(reason(&[part(0), more]).contains("more than the bound asks for"));
        let error = determinant_residues(&host, 2, &a, 2, 2).unwrap_err();
        assert_eq!(error, LinalgError::Part { part: 2, parts: 2 });
        assert!(matches!(determinant_residues(&host, 2, &a[..3], 0, 1), Err(LinalgError::Entries { .. })));
    }
}

//! Hermite form modulo a multiple of the determinant (Domich, Kannan and Trotter, "Hermite normal form computation using modulo
//! determinant arithmetic", Mathematics of Operations Research 12, 1987; Cohen, A Course in Computational Algebraic Number Theory,
//! algorithm 2.4.8).
//!
//! Of a lattice in `Z^n` that contains `D Z^n` entries count modulo `D` alone, so that none grows. A column is reduced with one row whose
//! entry is the greatest common divisor `g` of the column and the modulus, and what remains contains `(D / g) Z^(n - 1)`.

use manycore_device::checkpoint;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{NumRef, Signed, ToPrimitive};

use crate::error::LinalgError;

/// The Hermite form of the lattice that the rows of `words`, of `order` entries each, span together with `modulus` times each unit vector:
/// `order^2` entries, row after row, upper triangular, above 0 on the diagonal, and each entry above the diagonal from 0 to below that of
/// the diagonal of its column. `modulus` is above 0 and a multiple of the determinant of that lattice, which is the lattice of the rows
/// alone where it is a multiple of its determinant.
///
/// # Errors
/// [`LinalgError::Device`] where the work was cancelled.
pub(super) fn hermite_modulo(
    order: usize,
    mut words: Vec<BigInt>,
    modulus: &BigInt,
) -> Result<Vec<BigInt>, LinalgError> {
    for word in &mut words {
        *word = word.mod_floor(modulus);
    }
    // Products of residues and their sums fit the word.
    match modulus.bits() {
        0..=31 => short::<i64>(order, &words, modulus.clone()),
        32..=62 => short::<i128>(order, &words, modulus.clone()),
        _ => reduced(order, &words, modulus),
    }
}

/// The form of residues as integers of a machine's word.
fn short<T>(order: usize, words: &[BigInt], modulus: BigInt) -> Result<Vec<BigInt>, LinalgError>
where
    T: Integer + Signed + NumRef + Clone + Into<BigInt> + TryFrom<i128>,
{
    let form = reduced::<T>(order, &words_of(words), &words_of(&[modulus])[0])?;
    Ok(form.into_iter().map(Into::into).collect())
}

/// Integers that a machine's word holds.
pub(super) fn words_of<T: TryFrom<i128>>(integers: &[BigInt]) -> Vec<T> {
    let word = |integer: &BigInt| T::try_from(integer.to_i128()?).ok();
    integers.iter().filter_map(word).collect()
}

/// The form of residues.
fn reduced<T: Integer + Signed + NumRef + Clone>(
    order: usize,
    words: &[T],
    modulus: &T,
) -> Result<Vec<T>, LinalgError> {
    let mut rows: Vec<Vec<T>> = words.chunks(order.max(1)).map(<[T]>::to_vec).collect();
    // Missing rows count as 0.
    rows.resize(rows.len().max(order), vec![T::zero(); order]);
    // What the unit vector of each column counts modulo.
    let mut moduli = Vec::with_capacity(order);
    let mut rest = modulus.clone();
    for column in 0..order {
        checkpoint()?;
        moduli.push(rest.clone());
        let common = gather(&mut rows[column..], column, &rest);
        let next = rest / &common;
        let (pivot_row, below) = split(&mut rows, column);
        // Modulo the rest the entry becomes the common divisor.
        let unit = inverse(&(pivot_row[column].clone() / &common), &next);
        for word in &mut pivot_row[column + 1..] {
            *word = if word.is_zero() { T::zero() } else { (unit.clone() * &*word).mod_floor(&next) };
        }
        for row in below {
            let factor = std::mem::replace(&mut row[column], T::zero()) / &common;
            for (word, pivot) in row[column + 1..].iter_mut().zip(&pivot_row[column + 1..]) {
                if factor.is_zero() || pivot.is_zero() {
                    if *word >= next {
                        *word = word.mod_floor(&next);
                    }
                } else {
                    let sum = std::mem::replace(word, T::zero()) - factor.clone() * pivot;
                    *word = sum.mod_floor(&next);
                }
            }
        }
        pivot_row[column] = common;
        rest = next;
    }
    rows.truncate(order);
    reduce_above(&mut rows, &moduli);
    Ok(rows.concat())
}

/// The inverse of a unit.
pub(super) fn inverse<T: Integer + Signed + NumRef + Clone>(unit: &T, modulus: &T) -> T {
    unit.extended_gcd(modulus).x.mod_floor(modulus)
}

/// Row `k`, and those below it.
fn split<T>(rows: &mut [Vec<T>], k: usize) -> (&mut Vec<T>, &mut [Vec<T>]) {
    let (upper, below) = rows.split_at_mut(k + 1);
    (&mut upper[k], below)
}

/// Changes the first row so that the common divisor of its entry in a column and the modulus is that of all rows' entries and the modulus,
/// which is returned: rows are exchanged with it or added to it.
fn gather<T: Integer + Signed + NumRef + Clone>(rows: &mut [Vec<T>], column: usize, modulus: &T) -> T {
    let mut common = rows[0][column].gcd(modulus);
    for other in 1..rows.len() {
        if common.is_one() {
            break;
        }
        let (first, rest) = rows.split_at_mut(other);
        let (first, other) = (&mut first[0], &mut rest[0]);
        let wanted = common.gcd(&other[column]);
        if wanted == common {
            continue;
        }
        if other[column].gcd(modulus) == wanted {
            std::mem::swap(first, other);
        } else {
            // Each prime divisor of the modulus excludes one multiple at most of those modulo it, so that a small one serves.
            let mut sum = first[column].clone();
            let mut multiple = T::zero();
            while sum.gcd(modulus) != wanted {
                sum = (sum + &other[column]).mod_floor(modulus);
                multiple.inc();
            }
            for (word, add) in first[column..].iter_mut().zip(&other[column..]) {
                *word = (multiple.clone() * add + &*word).mod_floor(modulus);
            }
        }
        common = wanted;
    }
    common
}

/// Reduces entries above the diagonal by the rows below, from the last row on; entries of a column count modulo its modulus.
fn reduce_above<T: Integer + Signed + NumRef + Clone>(rows: &mut [Vec<T>], moduli: &[T]) {
    for i in (0..rows.len()).rev() {
        let (row, below) = split(rows, i);
        for (k, other) in (i + 1..).zip(below.iter()) {
            let factor = row[k].div_floor(&other[k]);
            if factor.is_zero() {
                continue;
            }
            for (j, (word, pivot)) in row.iter_mut().zip(other).enumerate().skip(k) {
                if !pivot.is_zero() {
                    *word = std::mem::replace(word, T::zero()) - factor.clone() * pivot;
                    if j > k && (word.is_negative() || *word >= moduli[j]) {
                        *word = word.mod_floor(&moduli[j]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(order: usize, words: &[i64], modulus: i64) -> Vec<i64> {
        let words: Vec<BigInt> = words.iter().map(|&x| x.into()).collect();
        let found = hermite_modulo(order, words.clone(), &modulus.into()).unwrap();
        // Multiples of the words, which grow past one word, and past two.
        for bits in [28u32, 60] {
            let times = |words: &[BigInt]| words.iter().map(|x| x << bits).collect::<Vec<BigInt>>();
            let large =
                hermite_modulo(order, times(&words), &(BigInt::from(modulus) << (bits * order as u32))).unwrap();
            assert_eq!(large, times(&found), "{words:?}");
        }
        found.iter().map(|x| i64::try_from(x).unwrap()).collect()
    }

    #[test]
    fn lattices_of_known_forms() {
        assert_eq!(form(0, &[], 1), [0i64; 0]);
        assert_eq!(form(1, &[-6], 6), [6]);
        assert_eq!(form(1, &[4, 6], 12), [2]);
        // (2, 1), (1, 3): determinant 5, which the unit vectors with 1 in column 0 meet.
        assert_eq!(form(2, &[2, 1, 1, 3], 5), [1, 3, 0, 5]);
        // A multiple of the determinant serves as well.
        assert_eq!(form(2, &[2, 1, 1, 3], 50), [1, 3, 0, 5]);
        assert_eq!(form(2, &[4, 6, 2, 2], 4), [2, 0, 0, 2]);
        // Entries 6, 10 and 15, of which no two have the common divisor 1.
        assert_eq!(form(2, &[6, 0, 10, 0, 15, 0, 0, 30], 900), [1, 0, 0, 30]);
        // Modulo less than the determinant it is the lattice with that multiple of the units.
        assert_eq!(form(2, &[2, 0, 0, 9], 6), [2, 0, 0, 3]);
        // No more than one row, and units that complete it.
        assert_eq!(form(3, &[1, 0, 5, 0, 1, 2], 7), [1, 0, 5, 0, 1, 2, 0, 0, 7]);
    }
}

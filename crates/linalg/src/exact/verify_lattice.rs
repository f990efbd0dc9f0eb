//! The check of Hermite forms without their transforms: the rows of form and matrix span the same lattice.
//!
//! The matrix is `A = V H` for the form's rows `H` that are not 0, and a matrix of integers `V`, which division by the pivots finds or
//! refuses: exactly. The rows of `A` then span those of `H` where the rows of `V` span all vectors of integers: where `det(V)^2 = 1`, modulo
//! random primes; and where `V` has more rows than columns, where it has its full rank modulo each prime that divides all of some minors.

use manycore_device::Device;
use manycore_field::primes;
use manycore_verify::{Chance, Passed, SplitMix, matrix};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, ToPrimitive as _, Zero};

use super::verify::{modulo_primes, residues};
use super::verify_forms::{has_determinant, is_hermite, relation};
use super::{Certainty, HermiteForm, IntegerEntry, determinant, hadamard_bound};
use crate::error::{LinalgError, Shape};
use crate::shape::complete;

/// How forms are checked, as reports name it.
const METHOD: &str = "rows of the matrix as combinations of the form's, which span all";

/// Primes below this are divided out of common divisors.
const SMALL: u64 = 1 << 16;

/// Combinations of rows whose determinants have a common divisor: a larger prime divides all of them by chance with less than `2^-64`.
const MINORS: usize = 8;

/// Whether a form is that of a matrix of integers, row after row, by [`HermiteForm`]'s definition, without a transform: the places and
/// sizes of the entries are compared, every row of the matrix is divided by the form's, and the quotients must span all integers. About
/// `n^3` products for a square matrix, of which few are of long integers. A wrong form passes with a chance below `2^-64`.
///
/// # Errors
/// [`LinalgError::Entries`] for other numbers of entries; [`LinalgError::Check`] for a wrong form; [`LinalgError::Device`] where the host's
/// memory is too small.
#[inline(never)]
pub fn check_hermite_form_alone<T: IntegerEntry>(
    (rows, columns): Shape,
    a: &[T],
    found: &HermiteForm,
    seed: u64,
) -> Result<Passed, LinalgError> {
    complete((rows, columns), a.len())?;
    complete((rows, columns), found.entries.len())?;
    is_hermite(found, (rows, columns))?;
    let quotients = quotients(columns, a, found)?;
    if rows == found.rank() {
        let bits = 2 * hadamard_bound(rows, &quotients).bits() + 2;
        let passed =
            modulo_primes(bits, seed, |p, random| has_determinant(p, rows, &residues(&quotients, p), 1, random))?;
        return Ok(Passed { method: METHOD, ..passed });
    }
    spans((rows, found.rank()), &quotients, seed)?;
    Ok(Passed { method: METHOD, chance: Chance::None })
}

/// The matrix `V` of integers with `A = V H`, of as many rows as the matrix and as many columns as the rank.
fn quotients<T: IntegerEntry>(columns: usize, a: &[T], form: &HermiteForm) -> Result<Vec<BigInt>, LinalgError> {
    let row = |i: usize| &form.entries[i * columns..][..columns];
    let places = |i: usize| (0..columns).filter(|&place| !row(i)[place].is_zero()).collect::<Vec<usize>>();
    let places: Vec<Vec<usize>> = (0..form.rank()).map(places).collect();
    let mut quotients = Vec::with_capacity(form.rank() * form.rows);
    for (number, line) in (1..).zip(a.chunks(columns.max(1))) {
        let wrong = || relation(&format!("that row {number} of the matrix is a sum of multiples of the form's rows"));
        let mut line: Vec<BigInt> = line.iter().map(T::to_integer).collect();
        for (i, &pivot) in form.pivots.iter().enumerate() {
            let (quotient, rest) = line[pivot].div_rem(&row(i)[pivot]);
            if !rest.is_zero() {
                return Err(wrong());
            }
            if !quotient.is_zero() {
                places[i].iter().for_each(|&place| line[place] -= &quotient * &row(i)[place]);
            }
            quotients.push(quotient);
        }
        if !line.iter().all(Zero::is_zero) {
            return Err(wrong());
        }
    }
    Ok(quotients)
}

/// Whether the rows of a matrix, which are more than its columns, span all vectors of integers: exact for matrices whose rows do not, but
/// for a chance below `2^-64` that one whose rows do is refused.
fn spans((rows, columns): Shape, words: &[BigInt], seed: u64) -> Result<(), LinalgError> {
    if columns == 0 {
        return Ok(());
    }
    let mut random = SplitMix::new(seed);
    let mut common = BigInt::ZERO;
    for _ in 0..MINORS {
        let mut mixed = vec![BigInt::ZERO; columns * columns];
        for line in mixed.chunks_mut(columns) {
            for row in words.chunks(columns) {
                let factor = random.next_word() >> 48;
                line.iter_mut().zip(row).for_each(|(sum, word)| *sum += factor * word);
            }
        }
        common = common.gcd(&determinant(&Device::host(), columns, &mixed, Certainty::Proved)?.value);
        let (small, rest) = small_primes(&common);
        if rest.is_one() {
            for p in small {
                matrix::rank(p, (rows, columns), &residues(words, p), columns, &mut random)?;
            }
            return Ok(());
        }
    }
    Err(relation("that the form's rows are sums of multiples of the matrix's rows"))
}

/// Prime divisors of an integer, and the part that they leave of it: 1 where its divisors past [`SMALL`] have a product of a word; none of 0.
pub(super) fn small_primes(integer: &BigInt) -> (Vec<u64>, BigInt) {
    let (mut found, mut rest) = (Vec::new(), integer.magnitude().clone());
    for p in (2..SMALL).filter(|&p| primes::is_prime(p)) {
        if let Some(word) = rest.to_u64() {
            found.extend(primes::factorise(word).into_iter().map(|(prime, _)| prime));
            return (found, u64::from(word > 0).into());
        }
        if (&rest % p).is_zero() {
            found.push(p);
            while (&rest % p).is_zero() {
                rest /= p;
            }
        }
    }
    (found, rest.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_primes_leave_the_large_ones() {
        let large = BigInt::from(1_000_003u64).pow(4);
        assert_eq!(small_primes(&(&large * 360 * 65_521)), (vec![2, 3, 5, 65_521], large));
        assert_eq!(small_primes(&(-72_000_216i64).into()), (vec![2, 3, 1_000_003], 1.into()));
        assert_eq!(small_primes(&1.into()), (vec![], 1.into()));
        assert_eq!(small_primes(&BigInt::ZERO), (vec![], BigInt::ZERO));
    }

    #[test]
    fn rows_span_all_or_a_part() {
        let of = |words: &[i64]| words.iter().map(|&x| x.into()).collect::<Vec<BigInt>>();
        assert!(spans((3, 1), &of(&[6, 10, 15]), 1).is_ok());
        assert!(spans((3, 1), &of(&[6, 10, 14]), 1).is_err());
        assert!(spans((3, 2), &of(&[1, 0, 0, 2, 0, 3]), 1).is_ok());
        assert!(spans((3, 2), &of(&[1, 0, 0, 2, 0, 4]), 1).is_err());
        // A prime that is not small.
        assert!(spans((2, 1), &of(&[1_000_003, 2_000_006]), 1).is_err());
        assert!(spans((2, 1), &of(&[0, 0]), 1).is_err());
        assert!(spans((2, 0), &[], 1).is_ok());
    }
}

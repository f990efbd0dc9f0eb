//! The check of invariant factors without their transforms.
//!
//! Of a regular matrix the product of the factors is the determinant's size, modulo random primes. Primes of the last factor alone are
//! those of a denominator: one of a solution, which is proved, divides the true last factor. For each other prime `p`, of which those of the
//! last factor but one are all, elimination modulo a power of `p` with pivots of least valuation (Dumas, Saunders and Villard, "On efficient
//! sparse integer matrix Smith normal form computations", Journal of Symbolic Computation 32, 2001) finds how often `p` divides each.
//! A number whose factors are unknown serves as a prime until a divisor of it shows. Other matrices have Hermite forms by rows and by columns
//! first, which are checked.

use manycore_device::{Device, checkpoint};
use manycore_verify::{Chance, CheckError, Passed, SplitMix};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{NumRef, One as _, Signed, Zero as _};

use super::modulo::{inverse, words_of};
use super::smith::{transposed, without};
use super::solve::{RationalSolution, solve};
use super::verify::{modulo_primes, residue, residues};
use super::verify_forms::{are_factors, has_determinant, relation};
use super::verify_lattice::{check_hermite_form_alone, small_primes};
use super::{IntegerEntry, hadamard_bound, hermite_form};
use crate::error::{LinalgError, Shape};
use crate::shape::complete;

/// How factors are checked, as reports name it.
const METHOD: &str = "the determinant, denominators of solutions, and elimination modulo powers of primes";

/// Right sides whose solutions have denominators: a prime divides none as often as it can with a chance of one in itself for each.
const SIDES: usize = 70;

/// Whether integers are the invariant factors of a matrix of integers, row after row, without transforms. For a regular matrix of order
/// `n` about `n^3` products of words for each of two primes, and for each prime divisor of the last factor but one; solutions of some
/// systems; for others two Hermite forms first. Wrong factors pass with a chance below `2^-64`.
///
/// # Errors
/// [`LinalgError::Entries`] for another number of entries; [`LinalgError::Check`] for wrong factors; [`LinalgError::Device`] where the
/// host's memory is too small or the work was cancelled.
#[inline(never)]
pub fn check_invariant_factors<T: IntegerEntry>(
    (rows, columns): Shape,
    a: &[T],
    found: &[BigInt],
    seed: u64,
) -> Result<Passed, LinalgError> {
    complete((rows, columns), a.len())?;
    are_factors((rows, columns), found)?;
    let integers: Vec<BigInt> = a.iter().map(T::to_integer).collect();
    if (rows, rows) == (columns, found.len()) {
        return check_regular(rows, &integers, found, seed);
    }
    let host = Device::host();
    let form = hermite_form(&host, (rows, columns), &integers)?;
    let of_rows = check_hermite_form_alone((rows, columns), &integers, &form, seed)?;
    let rank = form.rank();
    if rank != found.len() {
        return Err(CheckError::Length { found: found.len(), expected: rank }.into());
    }
    let turned = transposed(rank, columns, &form.entries[..rank * columns]);
    let core = hermite_form(&host, (columns, rank), &turned)?;
    let of_columns = check_hermite_form_alone((columns, rank), &turned, &core, seed)?;
    let passed = check_regular(rank, &core.entries[..rank * rank], found, seed)?;
    Ok(Passed { chance: passed.chance.or(of_rows.chance).or(of_columns.chance), ..passed })
}

/// The check for as many factors as a square matrix has rows.
fn check_regular(order: usize, a: &[BigInt], found: &[BigInt], seed: u64) -> Result<Passed, LinalgError> {
    let Some((last, others)) = found.split_last() else { return Ok(Passed { method: METHOD, chance: Chance::None }) };
    let product: BigInt = found.iter().product();
    let bits = 2 * hadamard_bound(order, a).bits().max(product.bits()) + 2;
    let passed = modulo_primes(bits, seed, |p, random| {
        has_determinant(p, order, &residues(a, p), residue(&product, p), random)
    })?;
    let shared = others.last().cloned().unwrap_or_else(BigInt::one);
    // The divisors of the last factor that no other has.
    let own = without(last, &shared);
    let mut random = SplitMix::new(seed);
    let mut denominator = BigInt::one();
    for _ in 0..SIDES {
        if (&denominator % &own).is_zero() {
            break;
        }
        let side: Vec<BigInt> = (0..order).map(|_| (random.next_word() >> 32).into()).collect();
        let RationalSolution::Unique(x) = solve(&Device::host(), (order, order), a, &side)? else {
            return Err(relation("that the determinant is the product of the factors"));
        };
        denominator = x.iter().fold(denominator, |common, x| common.lcm(x.denom()));
    }
    if !(&denominator % &own).is_zero() {
        return Err(relation("that the last factor is the common denominator of the inverse"));
    }
    let (small, rest) = small_primes(&shared);
    let mut left: Vec<BigInt> = small.into_iter().map(BigInt::from).collect();
    left.extend((!rest.is_one()).then_some(rest));
    while let Some(prime) = left.pop() {
        if let Err(divisor) = check_local(order, a, found, &prime)? {
            let other = &prime / &divisor;
            // Of a square both are the root.
            left.extend((other != divisor).then_some(other));
            left.push(divisor);
        }
    }
    Ok(Passed { method: METHOD, ..passed })
}

/// A divisor, other than 1 and itself, of a number that was taken for a prime.
type Divisor = BigInt;

/// The exponent of the power of `prime`, which counts as a prime, that divides an integer.
fn valuation(integer: &BigInt, prime: &BigInt) -> Result<usize, Divisor> {
    let (mut rest, mut count) = (integer.clone(), 0);
    loop {
        let (quotient, remainder) = rest.div_rem(prime);
        if !remainder.is_zero() {
            let common = remainder.gcd(prime);
            return if common.is_one() { Ok(count) } else { Err(common) };
        }
        (rest, count) = (quotient, count + 1);
    }
}

/// Whether the factors have the valuations that elimination finds.
fn check_local(
    order: usize,
    a: &[BigInt],
    found: &[BigInt],
    prime: &BigInt,
) -> Result<Result<(), Divisor>, LinalgError> {
    let expected = match found.iter().map(|factor| valuation(factor, prime)).collect::<Result<Vec<usize>, _>>() {
        Ok(expected) => expected,
        Err(divisor) => return Ok(Err(divisor)),
    };
    // One more than the largest exponent also detects larger ones.
    let exponent = 1 + expected.last().copied().unwrap_or(0);
    let modulus: BigInt = num_traits::Pow::pow(prime, exponent);
    let residues: Vec<BigInt> = a.iter().map(|word| word.mod_floor(&modulus)).collect();
    let valuations = match modulus.bits() {
        0..=31 => valuations(order, &words_of::<i64>(&residues), words_of(&[prime.clone(), modulus])),
        32..=62 => valuations(order, &words_of::<i128>(&residues), words_of(&[prime.clone(), modulus])),
        _ => valuations(order, &residues, vec![prime.clone(), modulus]),
    }?;
    match valuations {
        Ok(valuations) if valuations == expected => Ok(Ok(())),
        Ok(_) => Err(relation(&format!("that the factors have the powers of {prime} that elimination finds"))),
        Err(divisor) => Ok(Err(divisor)),
    }
}

/// The valuations of the invariant factors of a square matrix of residues modulo a power of a prime, ascending; that power's exponent for
/// those that it divides. Given are the prime and the power.
fn valuations<T: Integer + Signed + NumRef + Clone + Into<BigInt>>(
    order: usize,
    words: &[T],
    moduli: Vec<T>,
) -> Result<Result<Vec<usize>, Divisor>, LinalgError> {
    let [prime, mut modulus] = <[T; 2]>::try_from(moduli).unwrap_or_else(|_| [T::one(), T::one()]);
    let mut rows: Vec<Vec<T>> = words.chunks(order.max(1)).map(<[T]>::to_vec).collect();
    let (mut found, mut level) = (Vec::with_capacity(order), 0);
    while found.len() < order && !modulus.is_one() {
        checkpoint()?;
        let top = found.len();
        let place = rows[top..].iter().enumerate().find_map(|(i, row)| {
            let column = row[top..].iter().position(|word| !word.is_multiple_of(&prime))?;
            Some((top + i, top + column))
        });
        let Some((row, column)) = place else {
            // All are multiples.
            rows[top..].iter_mut().flatten().for_each(|word| *word = std::mem::replace(word, T::zero()) / &prime);
            modulus = modulus / &prime;
            level += 1;
            continue;
        };
        let common = rows[row][column].gcd(&prime);
        if !common.is_one() {
            return Ok(Err(common.into()));
        }
        rows.swap(top, row);
        rows[top..].iter_mut().for_each(|row| row.swap(top, column));
        let (upper, below) = rows.split_at_mut(top + 1);
        let pivot = &upper[top];
        let unit = inverse(&pivot[top], &modulus);
        for row in below {
            let factor = (std::mem::replace(&mut row[top], T::zero()) * &unit).mod_floor(&modulus);
            if !factor.is_zero() {
                for (word, pivot) in row[top + 1..].iter_mut().zip(&pivot[top + 1..]) {
                    let difference = std::mem::replace(word, T::zero()) - factor.clone() * pivot;
                    *word = difference.mod_floor(&modulus);
                }
            }
        }
        found.push(level);
    }
    found.resize(order, level);
    Ok(Ok(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[i64]) -> Vec<BigInt> {
        words.iter().map(|&x| x.into()).collect()
    }

    fn found(order: usize, words: &[i64], prime: i64, exponent: u32) -> Result<Vec<usize>, Divisor> {
        let power = prime.pow(exponent);
        let words: Vec<i64> = words.iter().map(|x| x.mod_floor(&power)).collect();
        valuations(order, &words, vec![prime, power]).unwrap()
    }

    #[test]
    fn valuations_of_known_matrices() {
        assert_eq!(found(0, &[], 2, 3), Ok(vec![]));
        // The invariant factors 2, 2, 156.
        let a = [2i64, 4, 4, -6, 6, 12, 10, 4, 16];
        assert_eq!(found(3, &a, 2, 4), Ok(vec![1, 1, 2]));
        assert_eq!(found(3, &a, 3, 2), Ok(vec![0, 0, 1]));
        assert_eq!(found(3, &a, 13, 2), Ok(vec![0, 0, 1]));
        // What the power divides has its exponent.
        assert_eq!(found(3, &a, 2, 2), Ok(vec![1, 1, 2]));
        assert_eq!(found(2, &[0, 0, 0, 8], 2, 2), Ok(vec![2, 2]));
        // No prime.
        assert_eq!(found(2, &[3, 0, 0, 1], 15, 2), Err(3.into()));
    }

    #[test]
    fn numbers_of_unknown_factors_serve_as_primes() {
        let (p, q) = (BigInt::from(1_000_003u64).pow(3), BigInt::from(998_244_353u64).pow(2));
        // Diagonal matrices whose last factor but one has no small prime.
        for (first, last) in [(p.clone(), p.clone()), (&p * &q, &p * &q * 5), (q.clone(), &p * &q * &q)] {
            let a = [first.clone(), BigInt::ZERO, BigInt::ZERO, last.clone()];
            assert!(check_invariant_factors((2, 2), &a, &[first.clone(), last.clone()], 1).is_ok());
            let root = BigInt::from(1_000_003u64);
            let others = [
                vec![BigInt::one(), &first * &last],
                vec![&first / 998_244_353u64, &last * 998_244_353u64],
                vec![&first / &root, &last * &root],
            ];
            for other in others.iter().filter(|other| other.iter().product::<BigInt>() == &first * &last) {
                let error = check_invariant_factors((2, 2), &a, other, 1).unwrap_err();
                assert!(matches!(error, LinalgError::Check(error) if error.is_wrong()), "{other:?}");
            }
        }
    }

    #[test]
    fn factors_of_other_matrices_fail() {
        let wrong = |shape, a: &[i64], factors: &[i64]| {
            let outcome = check_invariant_factors(shape, a, &of(factors), 1);
            matches!(outcome, Err(LinalgError::Check(error)) if error.is_wrong())
        };
        let a = [2i64, 4, 4, -6, 6, 12, 10, 4, 16];
        assert!(check_invariant_factors((3, 3), &a, &of(&[2, 2, 156]), 1).is_ok());
        for other in
            [&[1i64, 2, 312][..], &[1, 4, 156], &[2, 2, 312], &[2, 2, 78], &[2, 2], &[1, 1, 624], &[2, 2, -156]]
        {
            assert!(wrong((3, 3), &a, other), "{other:?}");
        }
        // Of lower rank, and wide.
        let a = [2i64, 4, 6, 4, 8, 12];
        assert!(check_invariant_factors((2, 3), &a, &of(&[2]), 1).is_ok());
        assert!(check_invariant_factors((3, 2), &a, &of(&[2, 4]), 1).is_ok());
        for other in [&[1i64][..], &[4], &[2, 2], &[]] {
            assert!(wrong((2, 3), &a, other), "{other:?}");
        }
        assert!(check_invariant_factors((2, 2), &[0i64; 4], &[], 1).is_ok());
        assert!(wrong((2, 2), &[0i64; 4], &[1]));
        assert!(wrong((2, 2), &[1i64, 1, 1, 1], &[1, 1]));
        assert!(check_invariant_factors((0, 3), &[0i64; 0], &[], 1).is_ok());
    }
}

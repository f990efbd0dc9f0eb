//! Solutions of regular systems by lifting modulo powers of a prime (Dixon, "Exact solution of linear equations using p-adic
//! expansions", Numerische Mathematik 40, 1982).
//!
//! With the inverse `C` of `A` modulo `p`, a digit of all unknowns is `x = C r mod p`, and `r` becomes `(r - A x) / p`. What remains
//! stays below `max(|b|, 2 n |A|)`, so it is computed modulo `2^64`, or a power of it, where the division is a product with the
//! inverse of `p`. The digits make fractions with one common denominator long before the bound that Cramer's rule and Hadamard give,
//! where numbers are small: a solution found early is proved by `A x = b`.

use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_verify::SplitMix;
use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, Zero};

use super::bound::{most_bits, sum_of_squares};
use super::fractions::{Fractions, Lifted};
use super::integers::IntegerMatrix;
use super::residual::{Narrow, Residual, Wide};
use super::{IntegerEntry, hadamard_bound};
use crate::error::LinalgError;
use crate::field::dot;
use crate::modular::algebra::residue;

/// Digits before the first trial of fractions; later trials come after a quarter more digits than the one before.
const FIRST_TRIAL: usize = 6;

/// A square matrix of integers that is regular modulo a prime, with its inverse there.
pub(super) struct Lifting<T> {
    field: PrimeField<u32>,
    order: usize,
    matrix: Vec<T>,
    /// The inverse modulo the prime, row after row.
    inverse: Vec<u32>,
    /// Hadamard's bound of the determinant.
    determinant: BigUint,
    /// The sum of squares of each row.
    squares: Vec<BigUint>,
    /// The bits of the largest entry's size.
    bits: u64,
}

impl<T: IntegerEntry> Lifting<T> {
    /// A matrix with its inverse modulo a prime, which the device computes; `None` where there is none, or the words of a device that
    /// failed are none: a random vector is theirs with a chance of `1 / p`.
    ///
    /// # Errors
    /// As [`super::solve`].
    pub(super) fn new(
        device: &Device,
        field: PrimeField<u32>,
        order: usize,
        matrix: Vec<T>,
    ) -> Result<Option<Self>, LinalgError> {
        let (space, residues) = IntegerMatrix::new(device, field, (order, order), &matrix)?.modulo(field)?;
        let inverse = match space.inverse(&residues) {
            Ok(inverse) => space.entries(&inverse)?,
            Err(LinalgError::Singular { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let residues: Vec<u32> = matrix.iter().map(|entry| entry.residue(&field)).collect();
        if !are_inverse(&field, order, &residues, &inverse) {
            return Ok(None);
        }
        Ok(Some(Self::of(field, order, matrix, inverse)))
    }

    fn of(field: PrimeField<u32>, order: usize, matrix: Vec<T>, inverse: Vec<u32>) -> Self {
        let squares = matrix.chunks(order.max(1)).map(|row| sum_of_squares(row.iter())).collect();
        let bits = most_bits(&matrix);
        let determinant = hadamard_bound(order, &matrix);
        Self { field, order, matrix, inverse, determinant, squares, bits }
    }

    /// The prime.
    pub(super) fn field(&self) -> &PrimeField<u32> {
        &self.field
    }

    /// The inverse modulo the prime, row after row.
    pub(super) fn inverse(&self) -> &[u32] {
        &self.inverse
    }

    /// The entries, row after row.
    pub(super) fn matrix(&self) -> &[T] {
        &self.matrix
    }

    /// Bits of the largest size that the determinant can have.
    pub(super) fn determinant_bits(&self) -> u64 {
        self.determinant.bits()
    }

    /// The transposed matrix with the transposed inverse.
    pub(super) fn transposed(&self) -> Self {
        let order = self.order;
        let places = || (0..order * order).map(|e| e % order * order + e / order);
        let matrix = places().map(|at| self.matrix[at].clone()).collect();
        let inverse = places().map(|at| self.inverse[at]).collect();
        Self::of(self.field, order, matrix, inverse)
    }

    /// The solution of `A x = b`, proved. `2 n^2` products of words a digit, of about `2 log2(bound) / 31` digits at most, and a rational
    /// reconstruction; another entry that has another denominator takes one more.
    #[inline(never)]
    pub(super) fn solve(&self, right: &[BigInt]) -> Fractions {
        if self.order == 0 || right.iter().all(Zero::is_zero) {
            return Fractions { numerators: vec![BigInt::ZERO; self.order], denominator: BigUint::one() };
        }
        // What remains is at most max(|b|, 2 n |A|), and its sign takes a bit.
        let growing = self.bits + 1 + u64::from(usize::BITS - self.order.leading_zeros());
        let bits = right.iter().map(BigInt::bits).fold(growing, u64::max) + 1;
        let words = usize::try_from(bits.div_ceil(64)).unwrap_or(usize::MAX);
        if words == 1 {
            self.lift(Narrow::new(&self.field, &self.matrix, right), right)
        } else {
            self.lift(Wide::new(&self.field, &self.matrix, right, words), right)
        }
    }

    fn lift(&self, mut rest: impl Residual, right: &[BigInt]) -> Fractions {
        let (numerator, denominator) = self.bounds(right);
        let p = f64::from(self.field.modulus());
        let bits = (&numerator * &denominator).bits() + 1;
        // A digit more than the bits take, against the rounding of the logarithm.
        let enough = (bits as f64 / p.log2()).ceil() as usize + 2;
        let mut lifted = Lifted::new(self.field.modulus(), self.order);
        let mut residues = vec![0; self.order];
        let mut trial = FIRST_TRIAL;
        loop {
            rest.residues(&self.field, &mut residues);
            let digits: Vec<u32> =
                self.inverse.chunks(self.order).map(|row| dot(&self.field, row, &residues)).collect();
            rest.divide(&digits);
            lifted.push(digits);
            if lifted.len() >= enough {
                break;
            }
            if lifted.len() == trial {
                trial += (trial / 4).max(1);
                let found = lifted.balanced().filter(|found| self.is_solution(found, right));
                if let Some(found) = found {
                    return found;
                }
            }
        }
        // There is one fraction within the bounds, which the solution is by Cramer's rule.
        lifted.within(&numerator, &denominator).unwrap_or_else(|| Fractions::zeros(self.order))
    }

    /// The largest numerator and denominator of a solution by Cramer's rule: determinants with the right side in the place of a
    /// column, at most the product of the norms of the rows with both, and the determinant of the matrix.
    fn bounds(&self, right: &[BigInt]) -> (BigUint, BigUint) {
        let rows = self.squares.iter().zip(right);
        let squares: BigUint = rows.map(|(square, right)| square + right.magnitude() * right.magnitude()).product();
        (squares.sqrt() + 1u32, self.determinant.clone())
    }

    #[inline(never)]
    fn is_solution(&self, x: &Fractions, right: &[BigInt]) -> bool {
        self.matrix.chunks(self.order).zip(right).all(|(row, right)| x.solves(row, right))
    }
}

/// Whether `b a v = v` for a random vector (Freivalds).
fn are_inverse(field: &PrimeField<u32>, order: usize, a: &[u32], b: &[u32]) -> bool {
    let mut random = SplitMix::new(1);
    let vector: Vec<u32> = (0..order).map(|_| residue(field, &mut random)).collect();
    let times =
        |matrix: &[u32], x: &[u32]| -> Vec<u32> { matrix.chunks(order.max(1)).map(|row| dot(field, row, x)).collect() };
    times(b, &times(a, &vector)) == vector
}

#[cfg(test)]
mod tests {
    use manycore_field::ModularField as _;
    use num_rational::BigRational;

    use super::*;

    #[test]
    fn lifting_takes_as_many_digits_as_the_fractions_ask_for() {
        let field = PrimeField::<u32>::new(7).unwrap();
        assert_eq!(field.order(), 7);
        // 3 x = 10^20 + 1 has the inverse 5 of 3 mod 7; the right side takes two words.
        for right in [BigInt::from(10).pow(20) + 1, BigInt::from(-5), BigInt::ZERO, BigInt::from(10).pow(60)] {
            let lifting = Lifting::of(field, 1, vec![3i64], vec![5]);
            let found = lifting.solve(std::slice::from_ref(&right)).in_lowest_terms();
            assert_eq!(found, [BigRational::new(right, BigInt::from(3))]);
        }
    }

    #[test]
    fn words_of_a_device_that_are_no_inverse_are_found() {
        let field = PrimeField::<u32>::new(469_762_049).unwrap();
        // (2 1; 1 1) and (1 -1; -1 2).
        let inverse = [1, 469_762_048, 469_762_048, 2];
        assert!(are_inverse(&field, 2, &[2, 1, 1, 1], &inverse) && are_inverse(&field, 0, &[], &[]));
        for at in 0..4 {
            let mut spoiled = inverse;
            spoiled[at] ^= 1 << 7;
            assert!(!are_inverse(&field, 2, &[2, 1, 1, 1], &spoiled));
        }
    }
}

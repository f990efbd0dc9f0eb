//! Numbers that products are computed in, and the checks of products.

use manycore_field::{Goldilocks, ModularField as _, PrimeField, Reals, ResidueWord};
use manycore_operation::Value;
use manycore_operation::vector::Vector;
use manycore_operation::verify::{CheckError, Outcome, Passed};
use sprs::CsMat;

use crate::reference;
use crate::ring::SparseRing;

/// A ring of an operation: double precision, or residues.
pub(super) trait Numbers: SparseRing {
    /// The modulus of residues.
    fn modulus(&self) -> Option<u64>;

    /// Compares a product with the definition.
    fn check(&self, matrix: &CsMat<Self::Value>, x: &[Self::Value], y: &[Self::Value]) -> Outcome;

    /// A result.
    fn value(y: Vec<Self::Value>) -> Value;
}

impl Numbers for Reals<f64> {
    fn modulus(&self) -> Option<u64> {
        None
    }

    fn check(&self, matrix: &CsMat<f64>, x: &[f64], y: &[f64]) -> Outcome {
        check_reals(matrix, x, y)
    }

    fn value(y: Vec<f64>) -> Value {
        Value::Vector(Vector::F64(y))
    }
}

macro_rules! residues {
    ($($field:ty: $word:ty;)*) => {$(
        impl Numbers for $field {
            fn modulus(&self) -> Option<u64> {
                Some(self.order())
            }

            fn check(&self, matrix: &CsMat<$word>, x: &[$word], y: &[$word]) -> Outcome {
                check_residues(self.order(), matrix, x, y)
            }

            fn value(y: Vec<$word>) -> Value {
                Value::Elements(y.into_iter().map(ResidueWord::as_u64).collect())
            }
        }
    )*};
}

residues! { PrimeField<u32>: u32; PrimeField<u64>: u64; Goldilocks: u64; }

/// Compares residues with those of the definition, by remainders of 128 bits.
fn check_residues<W: ResidueWord>(modulus: u64, matrix: &CsMat<W>, x: &[W], y: &[W]) -> Outcome {
    let term = |(column, value): (usize, &W)| {
        u128::from(value.as_u64()) * u128::from(x[column].as_u64()) % u128::from(modulus)
    };
    // A sum of fewer than 2^64 residues is below 2^128.
    let sums = matrix.outer_iterator().map(|row| row.iter().map(term).sum::<u128>() % u128::from(modulus));
    let expected: Vec<W> = sums.map(|sum| W::from_u64(sum as u64)).collect();
    if y.len() != expected.len() {
        return Err(CheckError::Length { found: y.len(), expected: expected.len() });
    }
    match y.iter().zip(&expected).position(|(found, expected)| found != expected) {
        None => Ok(Passed::by_second_computation("the product entry after entry")),
        Some(index) => {
            let (found, expected) = (format!("{:?}", y[index]), format!("{:?}", expected[index]));
            Err(CheckError::Value { run: 0, index, found, expected })
        }
    }
}

/// Compares numbers with those of the definition: both sums of `k` products are within `k u` of the true one for a sum of
/// 1 of their sizes, rounded up for the terms in `u^2`. Underflow takes the smallest number a product more.
fn check_reals(matrix: &CsMat<f64>, x: &[f64], y: &[f64]) -> Outcome {
    let expected = reference::multiply(&Reals::<f64>::new(), matrix.view(), x, 1);
    if y.len() != expected.len() {
        return Err(CheckError::Length { found: y.len(), expected: expected.len() });
    }
    for (index, ((&found, &expected), row)) in y.iter().zip(&expected).zip(matrix.outer_iterator()).enumerate() {
        let sizes: f64 = row.iter().map(|(column, value)| (value * x[column]).abs()).sum();
        let terms = row.nnz() as f64;
        let bound = 2.5 * terms * (f64::EPSILON / 2.0 * sizes + f64::MIN_POSITIVE * f64::EPSILON);
        // Infinite and missing numbers stand where the definition has them; where products overflow, sums in another order
        // may be the one for the other.
        let same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
        let near = if sizes.is_finite() {
            (found - expected).abs() <= bound
        } else {
            found.is_finite() == expected.is_finite()
        };
        if !(same || near) {
            return Err(CheckError::Bound { run: 0, index, found, expected, bound });
        }
    }
    Ok(Passed::by_second_computation("the product entry after entry, within the rounding of sums"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_products_do_not_pass() {
        let matrix = CsMat::new((2, 2), vec![0, 2, 3], vec![0, 1, 1], vec![1.0, 2.0, f64::NAN]);
        let x = [3.0, 0.1];
        assert!(check_reals(&matrix, &x, &[3.2, f64::NAN]).is_ok());
        assert!(matches!(check_reals(&matrix, &x, &[3.2 + 1e-14, f64::NAN]), Err(CheckError::Bound { index: 0, .. })));
        assert!(check_reals(&matrix, &x, &[f64::NAN, f64::NAN]).is_err());
        assert!(check_reals(&matrix, &x, &[3.2]).is_err());
        let matrix = CsMat::new((1, 2), vec![0, 2], vec![0, 1], vec![3u32, 5]);
        assert!(check_residues(7, &matrix, &[2, 3], &[0]).is_ok());
        assert!(matches!(check_residues(7, &matrix, &[2, 3], &[1]), Err(CheckError::Value { index: 0, .. })));
    }
}

//! Determinants by Salem-Said condensation: a matrix of order `n` becomes one of order `n - 1`, entry by entry and without a
//! division, between two buffers that change places (paper 002, section 7.1, corrected).
//!
//! | file | what |
//! |---|---|
//! | `reference` | Leibniz' formula, Bareiss' elimination, a step of condensation |
//! | `host`, `device` | steps with the host's threads, and in two launches |
//! | `cache` | misses of an ideal cache |

pub mod cache;
mod device;
mod host;
pub mod reference;

use manycore_device::Executor;

use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

/// What condensation found: the pivots of all steps, the first of which belongs to the whole matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condensation<E> {
    /// Of each step the column of its pivot and the pivot. The last is the entry of the matrix of order 1.
    pub pivots: Vec<(usize, E)>,
    /// The order of the matrix. Of a step whose first row is zero there is no pivot, and no further step: there are fewer
    /// pivots than rows, and the determinant is 0.
    pub order: usize,
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// The determinant by Salem-Said condensation, step by step: `n^3 - 3/2 n^2 + n/2` products and sums of residues, and two
    /// launches a step, for order `n`; 1 for order 0. The same bits as [`LinearAlgebra::determinant`], which takes fewer
    /// operations.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn determinant_by_condensation(&self, a: &Matrix<F>) -> Result<F::Element, LinalgError> {
        let Condensation { pivots, order } = self.condense(a)?;
        let field = self.field();
        let Some(((_, last), steps)) = pivots.split_last().filter(|_| pivots.len() == order) else {
            return Ok(if order == 0 { field.one() } else { field.zero() });
        };
        // The step from order n divides by the power n - 2 of its pivot: by the products of the first pivots, of all but the
        // last step, each.
        let (mut first, mut scale) = (field.one(), field.one());
        for &(_, pivot) in &steps[..steps.len().saturating_sub(1)] {
            first = field.mul(first, pivot);
            scale = field.mul(scale, first);
        }
        // Pivots are not 0.
        let inverse = field.inverse(scale).unwrap_or(field.one());
        Ok(field.mul(*last, inverse))
    }

    /// The pivots of condensation, the first entry of each first row that is not zero.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn condense(&self, a: &Matrix<F>) -> Result<Condensation<F::Element>, LinalgError> {
        self.own(a)?;
        let order = a.order("determinant")?;
        let pivots = match self.device().executor() {
            _ if order == 0 => Vec::new(),
            Executor::Host(pool) => host::condense(self.field(), pool, a.buffer.host()?, order)?,
            Executor::OpenCl(cl) => device::condense(self, cl, &a.buffer, order)?,
        };
        Ok(Condensation { pivots, order })
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::{Integers, PrimeField};

    use super::*;

    const A4: [i64; 16] = [0, 2, 1, 3, 1, 0, 4, 2, 3, 5, 0, 1, 2, 1, 6, 0];

    #[test]
    fn the_steps_of_the_worked_example() {
        let field = PrimeField::<u32>::new(101).unwrap();
        let space = LinearAlgebra::new(&Device::host(), field).unwrap();
        let a: Vec<u32> = A4.iter().map(|&x| x as u32).collect();
        let first = reference::step(&field, 4, &a, 1).unwrap();
        assert_eq!(first, [99, 8, 4, 95, 96, 88, 97, 11, 98]);
        let second = reference::step(&field, 3, &first, 0).unwrap();
        assert_eq!(second, [58, 50, 10, 22]);
        assert_eq!(reference::step(&field, 2, &second, 0).unwrap(), [69]);
        let a = space.matrix(4, 4, &a).unwrap();
        let found = space.condense(&a).unwrap();
        assert_eq!(found.pivots, [(1, 2), (0, 99), (0, 58), (0, 69)]);
        assert_eq!(space.determinant_by_condensation(&a).unwrap(), 4);
    }

    #[test]
    fn steps_with_any_pivot_divide_the_determinant_by_a_power() {
        let ring = Integers::<i64>::new();
        let a = [2, 1, 3, 4, 5, 6, 7, 8, 10];
        assert_eq!(reference::step(&ring, 3, &a, 0).unwrap(), [6, 0, 9, -1]);
        assert_eq!(reference::step(&ring, 3, &[0, 0, 3, 4, 5, 6, 7, 8, 10], 2).unwrap(), [-12, -15, -21, -24]);
        for (pivot, &a) in A4.iter().enumerate().take(4).skip(1) {
            let b = reference::step(&ring, 4, &A4, pivot).unwrap();
            assert_eq!(reference::leibniz(&ring, 3, &b), -97 * a * a, "pivot {pivot}");
        }
        assert_eq!(reference::step(&ring, 3, &a, 3), None);
        assert_eq!(reference::step(&ring, 2, &a, 0), None);
    }
}

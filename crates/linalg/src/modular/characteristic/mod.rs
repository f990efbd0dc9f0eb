//! Characteristic polynomials by reduction to Hessenberg form, exact over every prime field: no division by an integer occurs, so
//! that small characteristics need no care (Cohen, A Course in Computational Algebraic Number Theory, algorithm 2.2.9).
//!
//! | file | what |
//! |---|---|
//! | `reference` | the polynomial by its definition, for small orders |
//! | `steps` | the reduction by steps of either form |
//! | `host`, `device` | the steps |
//! | `minimal`, `check` | minimal polynomials, and their check |

mod check;
mod device;
mod host;
mod minimal;
pub mod reference;
mod steps;

use manycore_device::Executor;

pub use check::check_minimal_polynomial;

use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;
use steps::reduce;

impl<F: MatrixField> LinearAlgebra<F> {
    /// A matrix in Hessenberg form, with zeros below the entries under the diagonal, that is similar to a square one: about
    /// `5/3 n^3` products and sums for order `n`, and five launches a column.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn hessenberg(&self, a: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        self.own(a)?;
        let order = a.order("Hessenberg form")?;
        let mut buffer = self.block_of(&a.buffer, Block::whole(order, order))?;
        if order > 2 {
            match self.device().executor() {
                Executor::Host(pool) => {
                    let words = buffer.host_mut()?;
                    let operations = 2 * (order * order * order) as u64;
                    pool.step("hessenberg", size_of_val(words) as u64, operations, || {
                        reduce(host::HostSteps::new(self.field(), pool, words, order), order)
                    })?;
                }
                Executor::OpenCl(cl) => reduce(device::DeviceSteps::new(self, cl, &mut buffer, order)?, order)?,
            }
        }
        Ok(self.of(buffer, order, order))
    }

    /// The characteristic polynomial `det(x I - a)` of a square matrix of order `n`: its `n + 1` coefficients, the constant term
    /// first, the leading one 1. The Hessenberg form is made on the device, the polynomial of it on the host, in `n^3 / 6`
    /// products more.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(101)?)?;
    /// let a = space.matrix(2, 2, &[1, 2, 3, 4])?;
    /// assert_eq!(space.characteristic_polynomial(&a)?, [99, 96, 1]); // x^2 - 5 x - 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn characteristic_polynomial(&self, a: &Matrix<F>) -> Result<Vec<F::Element>, LinalgError> {
        let order = a.order("characteristic polynomial")?;
        let form = self.hessenberg(a)?.buffer.download()?;
        Ok(of_hessenberg(self.field(), order, &form))
    }
}

/// The characteristic polynomial of a matrix in Hessenberg form: with `p_k` that of its first `k` rows and columns,
///
/// ```text
/// p_(k+1) = (x - h[k][k]) p_k - sum over i < k of h[i][k] h[i+1][i] ... h[k][k-1] p_i
/// ```
fn of_hessenberg<F: MatrixField>(field: &F, order: usize, h: &[F::Element]) -> Vec<F::Element> {
    let mut all: Vec<Vec<F::Element>> = vec![vec![field.one()]];
    for k in 0..order {
        let last = &all[k];
        let mut next = vec![field.zero()];
        next.extend_from_slice(last);
        field.sub_scaled_slice(&mut next, h[k * order + k], last);
        let mut below = field.one();
        for i in (0..k).rev() {
            below = field.mul(below, h[(i + 1) * order + i]);
            if below == field.zero() {
                break;
            }
            field.sub_scaled_slice(&mut next, field.mul(h[i * order + k], below), &all[i]);
        }
        all.push(next);
    }
    all.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use manycore_field::PrimeField;

    use super::*;

    #[test]
    fn the_polynomial_of_a_companion_matrix_is_the_one_that_it_was_made_of() {
        let field = PrimeField::<u32>::new(7).unwrap();
        // Ones below the diagonal, the last column the coefficients, negative: x^4 + 6 x^3 + 2 x + 5.
        let companion = [0, 0, 0, 2, 1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 1];
        assert_eq!(of_hessenberg(&field, 4, &companion), [5, 2, 0, 6, 1]);
        assert_eq!(of_hessenberg(&field, 0, &[]), [1]);
        assert_eq!(of_hessenberg(&field, 1, &[3]), [4, 1]);
    }
}

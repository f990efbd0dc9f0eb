//! Method of conjugate gradients (Hestenes and Stiefel, *Methods of conjugate gradients for solving linear systems*, 1952).

use std::ops::ControlFlow;

use manycore_field::Reals;

use super::Outcome;
use super::vectors::{Real, combine, dot};
use crate::error::SparseError;
use crate::kernels::Kernels;
use crate::multiply::SparseProduct;
use crate::ring::SparseRing;

/// When the iteration ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConjugateGradientOptions {
    /// The norm of the residual over that of the right side at which the solution is good enough.
    pub tolerance: f64,
    /// The most iterations, a product each.
    pub most_iterations: usize,
}

impl Default for ConjugateGradientOptions {
    /// A tolerance of `1e-10` and 10,000 iterations.
    fn default() -> Self {
        Self { tolerance: 1e-10, most_iterations: 10_000 }
    }
}

/// A solution, and how it was reached.
#[derive(Debug, Clone, PartialEq)]
pub struct ConjugateGradient<T> {
    /// The solution found.
    pub solution: Vec<T>,
    /// How the iteration ended.
    pub outcome: Outcome,
    /// The norm of the residual that the iteration keeps, over that of the right side: at the beginning, 1, and after
    /// each iteration. Zeros for a right side of zeros.
    pub residuals: Vec<f64>,
    /// The norm of `b - A x` over that of `b`, from a product more at the end. It stays above the last residual of the
    /// iteration where rounding has parted the two.
    pub true_residual: f64,
}

impl<T> ConjugateGradient<T> {
    /// Iterations that were done.
    pub fn iterations(&self) -> usize {
        self.residuals.len() - 1
    }
}

/// Solves `A x = b` for a symmetric positive definite matrix, from `x = 0`, without a preconditioner. In exact
/// arithmetic it ends after `n` iterations; the error falls by `(sqrt(c) - 1) / (sqrt(c) + 1)` an iteration for the
/// condition number `c`. Symmetry is not checked. All vectors stay on the product's device; an iteration is a product,
/// two dot products and three combinations.
///
/// `progress` gets the iteration and its residual, and may end the work.
///
/// ```
/// use std::ops::ControlFlow;
/// use manycore_device::Device;
/// use manycore_field::Reals;
/// use manycore_sparse::{ProductOptions, SparseProduct, conjugate_gradient};
///
/// let matrix = sprs::CsMat::new((2, 2), vec![0, 2, 4], vec![0, 1, 0, 1], vec![4.0, 1.0, 1.0, 3.0]);
/// let product = SparseProduct::new(&Device::host(), Reals::<f64>::new(), matrix.view(), ProductOptions::default())?;
/// let found = conjugate_gradient(&product, &[1.0, 2.0], Default::default(), |_, _| ControlFlow::Continue(()))?;
/// assert!((found.solution[0] - 1.0 / 11.0).abs() < 1e-12 && (found.solution[1] - 7.0 / 11.0).abs() < 1e-12);
/// assert_eq!(found.iterations(), 2);
/// # Ok::<(), manycore_sparse::SparseError>(())
/// ```
///
/// # Errors
/// [`SparseError::NotSquare`]; [`SparseError::Length`] for a right side of another length;
/// [`SparseError::Parameter`] for a tolerance that is negative or NaN; [`SparseError::Device`].
#[inline(never)]
pub fn conjugate_gradient<T: Real>(
    product: &SparseProduct<Reals<T>>,
    b: &[T],
    options: ConjugateGradientOptions,
    mut progress: impl FnMut(usize, f64) -> ControlFlow<()>,
) -> Result<ConjugateGradient<T>, SparseError>
where
    Reals<T>: SparseRing<Value = T, Word = T>,
{
    let (rows, columns) = (product.rows(), product.columns());
    if rows != columns {
        return Err(SparseError::NotSquare { what: "the method of conjugate gradients", rows, columns });
    }
    if b.len() != rows {
        return Err(SparseError::Length { what: "the right side", given: b.len(), expected: rows });
    }
    if options.tolerance.is_nan() || options.tolerance < 0.0 {
        let value = options.tolerance.to_string();
        return Err(SparseError::Parameter { name: "the tolerance", value, expected: "numbers from 0" });
    }
    let device = product.device();
    let kernels = Kernels::default();
    let on = (device, &kernels);
    let right = device.upload(b)?;
    let mut solution = device.zeros::<T>(rows)?;
    let mut residual = device.upload(b)?;
    let mut direction = device.upload(b)?;
    let mut image = device.zeros::<T>(rows)?;
    let mut square = dot(on, &residual, &residual)?;
    let norm = square.sqrt();
    let relative = |square: f64| if norm == 0.0 { 0.0 } else { square.sqrt() / norm };
    let mut residuals = vec![relative(square)];
    let outcome = loop {
        let iteration = residuals.len() - 1;
        if residuals[iteration] <= options.tolerance {
            break Outcome::Converged;
        }
        if iteration == options.most_iterations {
            break Outcome::MostIterations;
        }
        if progress(iteration, residuals[iteration]).is_break() {
            break Outcome::Cancelled;
        }
        product.multiply_buffers(&direction, &mut image, 1)?;
        let curvature = dot(on, &direction, &image)?;
        // Neither for NaN.
        if !(curvature > 0.0 && curvature.is_finite() && square.is_finite()) {
            break Outcome::NotPositiveDefinite { curvature };
        }
        let step = square / curvature;
        combine(on, (step, &direction), (1.0, &mut solution))?;
        combine(on, (-step, &image), (1.0, &mut residual))?;
        let next = dot(on, &residual, &residual)?;
        combine(on, (1.0, &residual), (next / square, &mut direction))?;
        square = next;
        residuals.push(relative(square));
    };
    // b - A x.
    product.multiply_buffers(&solution, &mut image, 1)?;
    combine(on, (1.0, &right), (-1.0, &mut image))?;
    let true_residual = relative(dot(on, &image, &image)?);
    Ok(ConjugateGradient { solution: solution.download()?, outcome, residuals, true_residual })
}

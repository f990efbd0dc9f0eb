//! Checks of results on the host, whatever the device that computed them: by random vectors, or by a second computation that
//! shares no code with the first.

use manycore_verify::{CheckError, Outcome, SplitMix, matrix};

use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

/// Whether a check passes; an error where it could not be made.
fn answer(outcome: &Outcome) -> Result<bool, LinalgError> {
    match outcome {
        Ok(_) => Ok(true),
        Err(error) if error.is_wrong() => Ok(false),
        Err(error) => Err(LinalgError::Check(error.clone())),
    }
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// Whether `c` is `a b`, by Freivalds' check: a right product always passes, a wrong one with a chance below `2^-64` over the
    /// choice of `seed`. `k (l m + m n + l n)` products on the host, with `k` from 2 to 65 by the prime. Also the check of
    /// solutions: `c` the right side, `b` the solution.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(3)?)?;
    /// let (a, b) = (space.random(20, 30, 1)?, space.random(30, 10, 2)?);
    /// let c = space.mul(&a, &b)?;
    /// assert!(space.verify_product(&a, &b, &c, 4)?);
    /// assert!(!space.verify_product(&a, &b, &space.scale(&c, 2)?, 4)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::Check`] for factors that do not fit each other; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn verify_product(&self, a: &Matrix<F>, b: &Matrix<F>, c: &Matrix<F>, seed: u64) -> Result<bool, LinalgError> {
        let shape = (a.rows, a.columns, b.columns);
        if a.columns != b.rows {
            let what = format!("a product of matrices of {} columns and {} rows", a.columns, b.rows);
            return Err(LinalgError::Check(CheckError::Shape { what }));
        }
        if c.shape() != (a.rows, b.columns) {
            return Ok(false);
        }
        let [a, b, c] = [self.entries(a)?, self.entries(b)?, self.entries(c)?];
        answer(&matrix::product(self.field().order(), shape, &a, &b, &c, &mut SplitMix::new(seed)))
    }

    /// Whether `x` is the inverse of `a`: whether `a x` is the identity, as [`LinearAlgebra::verify_product`].
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn verify_inverse(&self, a: &Matrix<F>, x: &Matrix<F>, seed: u64) -> Result<bool, LinalgError> {
        let order = a.order("inverse")?;
        let [a, x] = [self.entries(a)?, self.entries(x)?];
        answer(&matrix::inverse(self.field().order(), order, &a, &x, &mut SplitMix::new(seed)))
    }

    /// Whether the columns of `basis` are a basis of the nullspace of `a`: `a basis` is 0 by Freivalds' check, and a second
    /// elimination gives the ranks.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn verify_nullspace(&self, a: &Matrix<F>, basis: &Matrix<F>, seed: u64) -> Result<bool, LinalgError> {
        let shape = a.shape();
        let [a, basis] = [self.entries(a)?, self.entries(basis)?];
        answer(&matrix::nullspace(self.field().order(), shape, &a, &basis, &mut SplitMix::new(seed)))
    }

    /// Whether `found` is the determinant of `a`, by a second elimination on the host, of the transposed matrix in a random
    /// order of rows and columns: `n^3 / 3` products.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn verify_determinant(&self, a: &Matrix<F>, found: F::Element, seed: u64) -> Result<bool, LinalgError> {
        let order = a.order("determinant")?;
        let a = self.entries(a)?;
        answer(&matrix::determinant(self.field().order(), order, &a, found, &mut SplitMix::new(seed)))
    }

    /// Whether `found` is the rank of `a`, by a second elimination as [`LinearAlgebra::verify_determinant`].
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn verify_rank(&self, a: &Matrix<F>, found: usize, seed: u64) -> Result<bool, LinalgError> {
        let shape = a.shape();
        let a = self.entries(a)?;
        answer(&matrix::rank(self.field().order(), shape, &a, found, &mut SplitMix::new(seed)))
    }

    /// Whether `found` are the coefficients of the characteristic polynomial of `a`, by Krylov's method on the host.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn verify_characteristic_polynomial(
        &self,
        a: &Matrix<F>,
        found: &[F::Element],
        seed: u64,
    ) -> Result<bool, LinalgError> {
        let order = a.order("characteristic polynomial")?;
        let a = self.entries(a)?;
        answer(&matrix::characteristic_polynomial(self.field().order(), order, &a, found, &mut SplitMix::new(seed)))
    }
}

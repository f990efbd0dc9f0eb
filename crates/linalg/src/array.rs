//! Matrices from and to arrays of `ndarray`.

use ndarray::{Array2, ArrayView2};

use crate::algebra::LinearAlgebra;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::matrix::Matrix;

impl<F: MatrixField> LinearAlgebra<F> {
    /// The matrix of an array of canonical residues, in any order of memory.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// use ndarray::array;
    /// let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(7)?)?;
    /// let a = space.matrix_of(array![[1, 2], [3, 4]].t())?;
    /// assert_eq!(space.array(&space.mul(&a, &a)?)?, array![[0, 1], [3, 1]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`LinearAlgebra::matrix`].
    #[inline(never)]
    #[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
    pub fn matrix_of(&self, array: ArrayView2<'_, F::Element>) -> Result<Matrix<F>, LinalgError> {
        let (rows, columns) = array.dim();
        match array.as_slice() {
            Some(words) => self.matrix(rows, columns, words),
            None => self.matrix(rows, columns, &array.iter().copied().collect::<Vec<F::Element>>()),
        }
    }

    /// The entries as an array, row after row.
    ///
    /// # Errors
    /// As [`LinearAlgebra::entries`].
    #[inline(never)]
    pub fn array(&self, a: &Matrix<F>) -> Result<Array2<F::Element>, LinalgError> {
        let given = a.buffer.len();
        Array2::from_shape_vec(a.shape(), self.entries(a)?).map_err(|_| LinalgError::Entries {
            given,
            rows: a.rows,
            columns: a.columns,
        })
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;
    use ndarray::Array2;

    use super::*;

    #[test]
    fn arrays_come_back() {
        let space = LinearAlgebra::new(&Device::host(), PrimeField::<u64>::new(101).unwrap()).unwrap();
        for (rows, columns) in [(0, 0), (0, 3), (3, 0), (2, 5)] {
            let array = Array2::from_shape_fn((rows, columns), |(i, j)| (10 * i + j) as u64);
            assert_eq!(space.array(&space.matrix_of(array.view()).unwrap()).unwrap(), array);
            let back = space.array(&space.matrix_of(array.t()).unwrap()).unwrap();
            assert_eq!(back, array.t());
        }
        let bad = Array2::from_shape_fn((2, 3), |(i, j)| (101 * i * j) as u64);
        let error = space.matrix_of(bad.view()).unwrap_err();
        assert_eq!(error, LinalgError::OutOfRange { row: 1, column: 1, value: 101, modulus: 101 });
    }
}

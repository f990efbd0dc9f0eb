//! Matrices and batches of matrices from and to arrays of `ndarray`.

use std::borrow::Cow;

use manycore_device::DeviceError;
use ndarray::{Array2, Array3, ArrayView2, ArrayView3};

use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::batch::Batch;
use crate::modular::matrix::Matrix;

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

    /// The batch of the square matrices `array[[i, .., ..]]`, in any order of memory.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::{LinearAlgebra, ndarray::array};
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let batch = space.batch_of(array![[[1, 2], [3, 4]], [[1, 0], [0, 3]]].view())?;
    /// assert_eq!(space.determinants(&batch)?.download()?, [5, 3]);
    /// assert_eq!(space.batch_array(&space.inverses(&batch)?)?, array![[[5, 1], [5, 3]], [[1, 0], [0, 5]]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; as [`LinearAlgebra::batch`].
    #[inline(never)]
    #[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
    pub fn batch_of(&self, array: ArrayView3<'_, F::Element>) -> Result<Batch<F>, LinalgError> {
        let (count, rows, columns) = array.dim();
        if rows != columns {
            return Err(LinalgError::NotSquare { operation: "batch", rows, columns });
        }
        let words = array.as_slice().map_or_else(|| Cow::Owned(array.iter().copied().collect()), Cow::Borrowed);
        self.batch(count, rows, &words)
    }

    /// The matrices of a batch as an array, `array[[i, .., ..]]` being the `i`-th.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn batch_array(&self, batch: &Batch<F>) -> Result<Array3<F::Element>, LinalgError> {
        self.own_batch(batch)?;
        let (count, order, given) = (batch.count(), batch.order(), batch.buffer().len());
        let array = Array3::from_shape_vec((count, order, order), batch.buffer().download()?);
        array.map_err(|_| {
            let expected = count.saturating_mul(order).saturating_mul(order);
            DeviceError::Length { what: "a batch", expected, given }.into()
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
    fn batches_come_back() {
        let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(101).unwrap()).unwrap();
        let array = Array3::from_shape_fn((3, 2, 2), |(i, j, k)| (10 * i + 5 * j + k * k + 1) as u32);
        assert_eq!(space.batch_array(&space.batch_of(array.view()).unwrap()).unwrap(), array);
        let turned = array.view().permuted_axes([0, 2, 1]);
        let batch = space.batch_of(turned).unwrap();
        assert_eq!(space.batch_array(&batch).unwrap(), turned);
        let determinants = space.determinants(&space.batch_of(array.view()).unwrap()).unwrap();
        assert_eq!(space.determinants(&batch).unwrap().download(), determinants.download());
        let error = space.batch_of(array.view().permuted_axes([1, 0, 2])).unwrap_err();
        assert_eq!(error, LinalgError::NotSquare { operation: "batch", rows: 3, columns: 2 });
        let mut out = [0; 4];
        let a = space.matrix_of(array.index_axis(ndarray::Axis(0), 1)).unwrap();
        space.entries_into(&a, &mut out).unwrap();
        assert!(out.iter().eq(array.index_axis(ndarray::Axis(0), 1)));
        assert!(space.entries_into(&a, &mut [0; 3]).is_err());
    }

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

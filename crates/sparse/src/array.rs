//! Products of sparse matrices and arrays of `ndarray`.

use std::borrow::Cow;

use ndarray::{Array2, ArrayView2};

use crate::error::SparseError;
use crate::multiply::SparseProduct;
use crate::ring::SparseRing;

impl<R: SparseRing> SparseProduct<R> {
    /// The product `Y = A X` with a dense array of `n` rows, of any strides: an array of `m` rows. The matrix is read once for all
    /// columns.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::Reals;
    /// use manycore_sparse::{ProductOptions, SparseProduct, ndarray::array, sprs::CsMat};
    /// let a = CsMat::new((2, 3), vec![0, 2, 3], vec![0, 2, 1], vec![1.0, 2.0, 3.0]);
    /// let product = SparseProduct::new(&Device::from_env()?, Reals::<f64>::new(), a.view(), ProductOptions::default())?;
    /// let x = array![[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]];
    /// assert_eq!(product.multiply_array(x.view())?, array![[7.0, 70.0], [6.0, 60.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`SparseProduct::multiply_dense`].
    #[inline(never)]
    #[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
    pub fn multiply_array(&self, x: ArrayView2<'_, R::Value>) -> Result<Array2<R::Value>, SparseError> {
        let (rows, width) = x.dim();
        if rows != self.columns() {
            return Err(SparseError::Length { what: "rows of x", given: rows, expected: self.columns() });
        }
        let values = x.as_slice().map_or_else(|| Cow::Owned(x.iter().copied().collect()), Cow::Borrowed);
        let y = self.multiply_dense(&values, width)?;
        let given = y.len();
        let wrong = |_| SparseError::Length { what: "y", given, expected: self.rows().saturating_mul(width) };
        Array2::from_shape_vec((self.rows(), width), y).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::PrimeField;
    use ndarray::{Array2, s};
    use sprs::TriMat;

    use super::*;
    use crate::ProductOptions;

    #[test]
    fn arrays_and_outputs_are_products_of_columns() {
        let mut entries = TriMat::new((5, 4));
        for (i, j, value) in [(0, 1, 3), (0, 3, 5), (2, 0, 7), (4, 2, 11), (4, 3, 1)] {
            entries.add_triplet(i, j, value);
        }
        let matrix = entries.to_csr::<usize>();
        let dense = Array2::from_shape_fn((5, 4), |(i, j)| matrix.get(i, j).copied().unwrap_or(0));
        let wide = Array2::from_shape_fn((4, 6), |(i, j)| ((7 * i + 3 * j) % 13) as u32);
        for device in manycore_testkit::devices() {
            let field = PrimeField::<u32>::new(13).unwrap();
            let product = SparseProduct::new(&device, field, matrix.view(), ProductOptions::default()).unwrap();
            for x in [wide.view(), wide.slice(s![.., ..;2]), wide.slice(s![..;-1, 1..2]), wide.slice(s![.., 3..3])] {
                let expected = dense.dot(&x).mapv(|value| value % 13);
                assert_eq!(product.multiply_array(x).unwrap(), expected);
                let (flat, mut out) = (x.iter().copied().collect::<Vec<_>>(), vec![9; expected.len()]);
                product.multiply_into(&flat, &mut out, x.ncols()).unwrap();
                assert!(out.iter().eq(&expected));
            }
            let error = product.multiply_array(wide.t()).unwrap_err();
            assert_eq!(error, SparseError::Length { what: "rows of x", given: 6, expected: 4 });
            let error = product.multiply_into(&[0; 4], &mut [0; 4], 1).unwrap_err();
            assert_eq!(error, SparseError::Length { what: "y", given: 4, expected: 5 });
            let error = product.multiply_into(&[0; 3], &mut [0; 5], 1).unwrap_err();
            assert_eq!(error, SparseError::Length { what: "x", given: 3, expected: 4 });
        }
    }
}

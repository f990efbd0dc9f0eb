//! Batches of polynomials from and to arrays of `ndarray`.

use std::borrow::Cow;

use ndarray::{Array2, ArrayView2};

use crate::arithmetic::multiply::Batch;
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The polynomials whose coefficients are the rows of an array, of any strides, the constant terms in the first column.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::{PolyRing, ndarray::array};
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.batch_of(array![[1, 1], [2, 3]].view())?; // 1 + x and 2 + 3 x
    /// assert_eq!(ring.array(&ring.mul_batch(&f, &f)?)?, array![[1, 2, 1], [4, 5, 2]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::batch`].
    #[inline(never)]
    #[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
    pub fn batch_of(&self, array: ArrayView2<'_, F::Element>) -> Result<Batch<F>, PolyError> {
        let (count, len) = array.dim();
        let words = array.as_slice().map_or_else(|| Cow::Owned(array.iter().copied().collect()), Cow::Borrowed);
        self.batch(&words, count, len)
    }

    /// The coefficients of a batch as an array: a row for each polynomial.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`]; [`PolyError::Device`].
    #[inline(never)]
    pub fn array(&self, batch: &Batch<F>) -> Result<Array2<F::Element>, PolyError> {
        self.own_batch(batch)?;
        let (count, len, given) = (batch.count(), batch.len(), batch.buffer().len());
        let array = Array2::from_shape_vec((count, len), batch.buffer().download()?);
        array.map_err(|_| PolyError::Batch { given, count, len })
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;
    use ndarray::{Array2, s};

    use super::*;

    #[test]
    fn rows_are_polynomials() {
        let ring = PolyRing::new(&Device::host(), PrimeField::<u64>::new(101).unwrap()).unwrap();
        let all = Array2::from_shape_fn((4, 5), |(i, j)| ((31 * i + 7 * j * j) % 101) as u64);
        for view in [all.view(), all.t(), all.slice(s![..;2, ..;-1]), all.slice(s![1..1, ..]), all.slice(s![.., 5..])] {
            let batch = ring.batch_of(view).unwrap();
            assert_eq!((batch.count(), batch.len()), view.dim());
            assert_eq!(ring.array(&batch).unwrap(), view);
            for (i, row) in view.rows().into_iter().enumerate() {
                let expected = ring.poly(&row.to_vec()).unwrap();
                assert!(ring.equal(&ring.of_batch(&batch, i).unwrap(), &expected).unwrap());
            }
        }
        let bad = Array2::from_elem((2, 2), 101u64);
        assert!(matches!(ring.batch_of(bad.view()), Err(PolyError::OutOfRange(_))));
        let other = PolyRing::new(&Device::host(), PrimeField::<u64>::new(97).unwrap()).unwrap();
        let error = other.array(&ring.batch_of(all.view()).unwrap()).unwrap_err();
        assert!(matches!(error, PolyError::MixedRings { expected: 97, given: 101 }));
    }

    #[test]
    fn outputs_are_filled_with_zeros() {
        let ring = PolyRing::new(&Device::host(), PrimeField::<u32>::new(13).unwrap()).unwrap();
        let f = ring.poly(&[3, 0, 5]).unwrap();
        let mut out = [9; 5];
        assert_eq!((ring.coefficients_into(&f, &mut out).unwrap(), out), (3, [3, 0, 5, 0, 0]));
        assert!(ring.coefficients_into(&f, &mut out[..2]).is_err());
        assert_eq!((ring.coefficients_into(&ring.zero().unwrap(), &mut out).unwrap(), out), (0, [0; 5]));
    }
}

//! Factors from and to arrays of `ndarray`, and transforms along axes of arrays ([`manycore_arrays::in_place_along`]).

use manycore_arrays::{Axes, in_place_along};
use ndarray::{Array2, ArrayRef, ArrayView2, ArrayViewMutD, Axis, Dimension};

use crate::context::Kronecker;
use crate::error::{FactorError, KroneckerError};
use crate::factor::Factor;
use crate::product::KroneckerProduct;
use crate::values::Values;

impl<V: Values> Factor<V> {
    /// The matrix of a square array, of any strides.
    ///
    /// ```
    /// use manycore_kronecker::{Factor, Integers, ndarray::array};
    /// let values = Integers::<i32>::new();
    /// let factor = Factor::from_array(&values, array![[1, 2], [0, 1]].t())?;
    /// assert_eq!(factor.array(&values), array![[1, 0], [2, 1]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Factor::new`].
    #[inline(never)]
    #[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
    pub fn from_array(values: &V, array: ArrayView2<'_, V::Value>) -> Result<Self, FactorError> {
        Self::new(values, &array.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>())
    }

    /// The entries as an array.
    #[inline(never)]
    pub fn array(&self, values: &V) -> Array2<V::Value> {
        Array2::from_shape_fn((self.order(), self.order()), |(row, column)| self.entry(values, row, column))
    }
}

impl Kronecker {
    /// Multiplies the vectors along `axes` of an array or a view, of any dimensions and strides, by the product's matrix, in place.
    /// Axes are a number, several, or `..` for all ([`Axes`]).
    ///
    /// A lane along the axes, the last one listed being the fastest, holds vectors of `product.order()` values, one after the other: of
    /// a product of two factors whose orders are the lengths of two axes, one factor goes along each.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_kronecker::{Factor, Integers, Kronecker, KroneckerProduct, ndarray::array};
    /// let values = Integers::<i32>::new();
    /// let sums = Factor::from_array(&values, array![[1, 0, 0], [1, 1, 0], [1, 1, 1]].view())?;
    /// let product = KroneckerProduct::new(&values, vec![Factor::walsh(&values), sums])?;
    /// let mut x = array![[1, 2, 3], [4, 5, 6]];
    /// Kronecker::new(&Device::from_env()?).forward_along(&product, &mut x, [0, 1])?;
    /// assert_eq!(x, array![[5, 12, 21], [-3, -6, -9]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`KroneckerError::Axes`] for an axis that the array does not have or that is listed twice; [`KroneckerError::Length`] where
    /// the product of the axes' lengths is no multiple of the order; as [`Kronecker::forward`] else, when lanes before a refused one are
    /// transformed.
    pub fn forward_along<V: Values, D: Dimension>(
        &self,
        product: &KroneckerProduct<V>,
        array: &mut ArrayRef<V::Value, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), KroneckerError> {
        self.run_along(product, array.view_mut().into_dyn(), &axes.into())
    }

    /// [`Kronecker::forward_along`] by the inverse matrix; see [`KroneckerProduct::inverse`] for what integers must fit.
    ///
    /// # Errors
    /// As [`Kronecker::forward_along`] and [`KroneckerProduct::inverse`].
    pub fn inverse_along<V: Values, D: Dimension>(
        &self,
        product: &KroneckerProduct<V>,
        array: &mut ArrayRef<V::Value, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), KroneckerError> {
        self.forward_along(&product.inverse()?, array, axes)
    }

    #[inline(never)]
    pub(crate) fn run_along<V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        array: ArrayViewMutD<'_, V::Value>,
        axes: &Axes,
    ) -> Result<(), KroneckerError> {
        let axes = axes.of(array.ndim())?;
        let lane: usize = axes.iter().map(|&axis| array.len_of(Axis(axis))).product();
        let (given, order) = (lane.saturating_mul(V::WORDS), product.order());
        if !lane.is_multiple_of(order) {
            return Err(KroneckerError::Length { given, vector: order * V::WORDS, order });
        }
        in_place_along(self.device(), array, &axes, |lanes| {
            let words: &mut [V::Word] = bytemuck::cast_slice_mut(lanes);
            self.forward(product, words).map_err(|error| match error {
                // Lanes come in no order that would name one.
                KroneckerError::Overflow { bits, .. } => KroneckerError::Overflow { vector: None, bits },
                KroneckerError::Fraction { divisor, .. } => KroneckerError::Fraction { index: None, divisor },
                error => error,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use manycore_arrays::AxesError;
    use manycore_field::{Integers, PrimeField};
    use ndarray::{Array2, Array3, array, s};

    use super::*;

    /// Along two axes, one factor a matrix product from each side: `L X R^t`.
    #[test]
    fn axes_are_products_from_both_sides() {
        let values = PrimeField::<u32>::new(31).unwrap();
        let (left, right) = (array![[1u32, 2, 0], [5, 1, 7], [0, 0, 1]], array![[3u32, 1], [1, 4]]);
        let factors = [&left, &right].map(|array| Factor::from_array(&values, array.view()).unwrap());
        let product = KroneckerProduct::new(&values, factors.to_vec()).unwrap();
        let x = Array3::from_shape_fn((2, 4, 3), |(i, j, k)| ((11 * i + 5 * j + 3 * k * k) % 31) as u32);
        for device in manycore_testkit::devices() {
            let kronecker = Kronecker::new(&device);
            let mut found = x.clone();
            kronecker.forward_along(&product, &mut found.slice_mut(s![.., ..;2, ..]), [2, 0]).unwrap();
            for j in 0..4 {
                let plane = x.slice(s![.., j, ..]).t().to_owned();
                let product: Array2<u32> = left.dot(&plane);
                let product: Array2<u32> = product.dot(&right.t());
                let expected = if j % 2 == 0 { product.mapv(|value| value % 31) } else { plane };
                assert_eq!(found.slice(s![.., j, ..]).t(), expected);
            }
            kronecker.inverse_along(&product, &mut found.slice_mut(s![.., ..;2, ..]), [2, 0]).unwrap();
            assert_eq!(found, x);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let values = Integers::<i64>::new();
        let wide = Array2::<i64>::zeros((2, 3));
        let error = Factor::from_array(&values, wide.view()).unwrap_err();
        assert_eq!(error, FactorError::NotSquare { row: 0, rows: 2, entries: 3 });
        assert_eq!(Factor::from_array(&values, Array2::zeros((0, 0)).view()).unwrap_err(), FactorError::Empty);
        let identity = Factor::<Integers<i64>>::identity(3).unwrap();
        assert_eq!(identity.array(&values), Array2::<i64>::eye(3));
        let product = KroneckerProduct::new(&values, vec![Factor::walsh(&values)]).unwrap();
        let kronecker = Kronecker::new(&manycore_device::Device::host());
        let error = kronecker.forward_along(&product, &mut wide.clone(), 2).unwrap_err();
        assert_eq!(error, KroneckerError::Axes(AxesError::OutOfRange { axis: 2, dimensions: 2 }));
        let error = kronecker.forward_along(&product, &mut wide.clone(), 1).unwrap_err();
        assert_eq!(error, KroneckerError::Length { given: 3, vector: 2, order: 2 });
    }
}

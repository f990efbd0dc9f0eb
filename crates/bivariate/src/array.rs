//! Coefficients of polynomials in two variables from and to arrays of `ndarray`.

use manycore_field::ModularField;
use ndarray::{Array2, ArrayView2};

use crate::error::BivariateError;
use crate::polynomial::Bivariate;

impl<F: ModularField> Bivariate<F> {
    /// The polynomial whose coefficient of `x^i y^j` stands in row `j` and column `i` of an array, of any strides.
    ///
    /// ```
    /// use manycore_bivariate::{Bivariate, ndarray::array};
    /// let field = manycore_field::PrimeField::<u32>::new(7)?;
    /// let f = Bivariate::from_array(&field, array![[1, 4, 0], [0, 0, 1]].view())?;
    /// assert_eq!(f.to_string(), "x^2*y + 4*x + 1");
    /// assert_eq!(f.array(), array![[1, 4, 0], [0, 0, 1]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Bivariate::from_rows`].
    #[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
    pub fn from_array(field: &F, array: ArrayView2<'_, F::Element>) -> Result<Self, BivariateError> {
        Self::from_rows(field, array.rows().into_iter().map(|row| row.to_vec()).collect())
    }

    /// The coefficients, that of `x^i y^j` in row `j` and column `i`; no rows of the polynomial 0.
    pub fn array(&self) -> Array2<F::Element> {
        let columns = self.rows().iter().map(Vec::len).max().unwrap_or(0);
        Array2::from_shape_fn((self.rows().len(), columns), |(j, i)| self.coefficient(i, j))
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::PrimeField;
    use ndarray::array;

    use super::*;

    #[test]
    fn zeros_at_the_ends_are_dropped() {
        let field = PrimeField::<u64>::new(11).unwrap();
        let f = Bivariate::from_array(&field, array![[0, 2, 0], [3, 0, 0], [0, 0, 0]].view()).unwrap();
        assert_eq!(f.array(), array![[0, 2], [3, 0]]);
        let exchanged = Bivariate::from_array(&field, array![[0, 2, 0], [3, 0, 0]].t()).unwrap();
        assert_eq!(exchanged, f.exchanged());
        assert_eq!(Bivariate::from_array(&field, Array2::zeros((0, 4)).view()).unwrap().array().dim(), (0, 0));
        let error = Bivariate::from_array(&field, array![[1, 2], [3, 11]].view()).unwrap_err();
        assert!(matches!(&error, BivariateError::OutOfRange(at) if at.index == 3), "{error}");
    }
}

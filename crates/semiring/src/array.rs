//! Matrices over elements of any type from and to arrays of `ndarray`.

use manycore_device::host_room;
use manycore_expressions::Elements;
use ndarray::{Array2, ArrayView2};

use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::paths::ShortestPaths;

impl<T: Elements> Matrix<T> {
    /// The entries of an array, of any strides, stored row after row (BUF).
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_semiring::ndarray::array;
    /// use manycore_semiring::{Matrix, Products, Semiring};
    /// let arcs = array![[0, 3], [i64::MAX, 0]];
    /// let a = Matrix::from_array(arcs.t())?;
    /// let twice = Semiring::<i64, i64, i64>::min_plus_saturating()?.multiply(&Device::from_env()?, &a, &a)?;
    /// assert_eq!(twice.array()?, arcs.t());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Matrix::stored`], which arrays do not lead to.
    #[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
    pub fn from_array(array: ArrayView2<'_, T>) -> Result<Self, SemiringError> {
        let (rows, columns) = (array.nrows() as u64, array.ncols() as u64);
        match array.as_slice() {
            Some(entries) => Self::stored(rows, columns, entries),
            None => Self::stored(rows, columns, &array.iter().copied().collect::<Vec<T>>()),
        }
    }

    /// All entries as an array, whatever the representation.
    ///
    /// # Errors
    /// [`SemiringError::Device`] where the host has no memory for them; [`SemiringError::Entries`] for a shape that no array has.
    pub fn array(&self) -> Result<Array2<T>, SemiringError> {
        let shape = self.shape();
        let wrong = |given| SemiringError::Entries { shape, given };
        let places = shape.rows.checked_mul(shape.columns).and_then(|count| count.checked_mul(size_of::<T>() as u64));
        host_room(places.ok_or(wrong(0))?)?;
        let dimensions = (shape.rows as usize, shape.columns as usize);
        let entries = self.entries();
        let given = entries.len();
        Array2::from_shape_vec(dimensions, entries).map_err(|_| wrong(given))
    }
}

impl ShortestPaths {
    /// The lengths of all pairs, a row for each vertex that paths begin at; `i64::MAX` where there is no path.
    pub fn lengths(&self) -> Array2<i64> {
        let order = self.order() as usize;
        let length = |(from, to): (usize, usize)| self.length(from as u64, to as u64).unwrap_or(i64::MAX);
        Array2::from_shape_fn((order, order), length)
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_expressions::{Function, Value};
    use ndarray::{Array2, array, s};

    use super::*;
    use crate::Products;

    #[test]
    fn arrays_come_back_in_every_representation() {
        let all = Array2::from_shape_fn((5, 6), |(i, j)| (i as i32, 10.5 * j as f64));
        for view in [all.view(), all.t(), all.slice(s![..;-2, 1..]), all.slice(s![.., 2..2])] {
            assert_eq!(Matrix::from_array(view).unwrap().array().unwrap(), view);
        }
        let rows = Matrix::rows(2, 3, (&[0, 1, 2], &[2, 0], &[5u32, 7]), 9).unwrap();
        assert_eq!(rows.array().unwrap(), array![[9, 9, 5], [7, 9, 9]]);
        let entry = Function::<(u64, u64), u64>::new(|(x, y): (Value<u64>, Value<u64>)| x + y * 10).unwrap();
        assert_eq!(Matrix::function(2, 3, entry.clone()).array().unwrap(), array![[0, 1, 2], [10, 11, 12]]);
        let error = Matrix::function(u64::MAX, 2, entry.clone()).array().unwrap_err();
        assert!(matches!(error, SemiringError::Entries { .. }), "{error}");
        let error = Matrix::function(0, u64::MAX, entry).array().unwrap_err();
        assert!(matches!(error, SemiringError::Entries { given: 0, .. }), "{error}");
    }

    #[test]
    fn distances_are_arrays() {
        let none = i64::MAX;
        let arcs = array![[0, 2, none], [none, 0, 3], [none, none, 0]];
        let paths = Products::new(&Device::host()).shortest_paths(&Matrix::from_array(arcs.view()).unwrap()).unwrap();
        assert_eq!(paths.lengths(), array![[0, 2, 5], [none, 0, 3], [none, none, 0]]);
    }
}

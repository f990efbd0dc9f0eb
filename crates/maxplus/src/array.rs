//! Graphs from arrays of `ndarray`, and stars to arrays.

use manycore_device::host_room;
use ndarray::{Array2, ArrayView2};

use crate::error::MaxPlusError;
use crate::graph::Graph;
use crate::star::Star;
use crate::weight::Weight;

impl<T: Weight> Graph<T> {
    /// The graph of a square array, of any strides: entry `(i, j)` is the weight of the arc from node `j` to node `i`; entries equal
    /// to `absent` are no arcs, as in [`Graph::from_dense`].
    ///
    /// ```
    /// use manycore_maxplus::ndarray::array;
    /// use manycore_maxplus::{Graph, MaxPlus};
    /// let none = f64::NEG_INFINITY;
    /// let arcs = array![[none, none, none], [2.0, none, none], [1.0, 3.0, none]];
    /// let star = MaxPlus::new(&manycore_device::Device::from_env()?).star(&Graph::from_array(arcs.view(), none)?)?;
    /// assert_eq!(star.array()?, array![[0.0, none, none], [2.0, 0.0, none], [5.0, 3.0, 0.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for an array that is not square; as [`Graph::from_dense`].
    #[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
    pub fn from_array(array: ArrayView2<'_, T>, absent: T) -> Result<Self, MaxPlusError> {
        let (rows, columns) = array.dim();
        if rows != columns {
            return Err(MaxPlusError::Length { what: "columns of a square matrix", given: columns, expected: rows });
        }
        match array.as_slice() {
            Some(entries) => Self::from_dense(rows, entries, absent),
            None => Self::from_dense(rows, &array.iter().copied().collect::<Vec<T>>(), absent),
        }
    }
}

impl<T: Weight> Star<T> {
    /// A copy of the entries as an array: a row for each node that paths end at, a column for each of [`Star::columns`];
    /// [`Star::epsilon`] where there is no path.
    ///
    /// # Errors
    /// [`MaxPlusError::Device`] where the host has no memory for it.
    pub fn array(&self) -> Result<Array2<T>, MaxPlusError> {
        host_room(size_of_val(self.entries()) as u64)?;
        let columns = self.columns().len();
        Ok(Array2::from_shape_fn((self.nodes(), columns), |(to, column)| self.entries()[to * columns + column]))
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use ndarray::{Array2, array};

    use super::*;
    use crate::{MaxPlus, StarOptions};

    #[test]
    fn transposed_arrays_are_reversed_graphs() {
        let none = i64::MIN;
        let arcs = array![[none, none, none], [4, none, none], [none, -1, none]];
        let graph = Graph::from_array(arcs.view(), none).unwrap();
        assert_eq!((graph.weight(0, 1), graph.weight(1, 2), graph.arc_count()), (Some(4), Some(-1), 2));
        assert_eq!(Graph::from_array(arcs.t(), none).unwrap(), graph.reversed());
        let max_plus = MaxPlus::new(&Device::host());
        let star = max_plus.star(&graph).unwrap().array().unwrap();
        assert_eq!(star, array![[0, none, none], [4, 0, none], [3, -1, 0]]);
        let part = max_plus.star_columns(&graph, 1.., &StarOptions::new()).unwrap();
        assert_eq!(part.array().unwrap(), star.slice(ndarray::s![.., 1..]));
        assert_eq!(max_plus.star_columns(&graph, ..=0, &StarOptions::new()).unwrap().columns(), 0..1);
        assert!(max_plus.star_columns(&graph, ..=3, &StarOptions::new()).is_err());
        let error = Graph::from_array(Array2::<i64>::zeros((2, 3)).view(), none).unwrap_err();
        assert_eq!(
            error.to_string(),
            Graph::from_array(Array2::<i64>::zeros((2, 3)).view(), 0).unwrap_err().to_string()
        );
        assert!(matches!(error, MaxPlusError::Length { given: 3, expected: 2, .. }));
        let empty = Graph::from_array(Array2::<i64>::zeros((0, 0)).view(), none).unwrap();
        assert_eq!(max_plus.star(&empty).unwrap().array().unwrap().dim(), (0, 0));
    }
}

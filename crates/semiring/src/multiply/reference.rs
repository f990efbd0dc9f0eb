//! The definition: `c[u][v] = fold of i = 0..n in order of sum(s, product(a[u][i], b[i][v]))` from the sum of nothing on (paper
//! 003, formula 1).

use manycore_expressions::Elements;

use super::fit::shape;
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::semiring::Semiring;

impl<A: Elements, B: Elements, S: Elements> Semiring<A, B, S> {
    /// The product by its definition, for comparisons: O(rows inner columns) calls.
    ///
    /// # Errors
    /// [`SemiringError::Shapes`].
    pub fn reference(&self, a: &Matrix<A>, b: &Matrix<B>) -> Result<Matrix<S>, SemiringError> {
        let shape = shape(a.shape(), b.shape())?;
        let mut entries = Vec::new();
        for row in 0..shape.rows {
            for column in 0..shape.columns {
                let pairs = (0..a.shape().columns).filter_map(|i| a.get(row, i).zip(b.get(i, column)));
                entries
                    .push(pairs.fold(self.zero(), |sum, (a, b)| self.sum().call((sum, self.product().call((a, b))))));
            }
        }
        Matrix::stored(shape.rows, shape.columns, &entries)
    }
}

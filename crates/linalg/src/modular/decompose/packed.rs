//! Both factors of `P A = L U` in the memory of the host, in the place of the matrix (Golub and Van Loan, Matrix Computations, section
//! 3.2): the multipliers of a pivot stand below it, where the upper factor has zeros.

use super::lu::Lu;
use super::permutation::Permutation;
use crate::error::{LinalgError, Shape};
use crate::field::MatrixField;

/// `P A = L U` of [`Lu`], packed in the memory of the host: entry `(i, j)` of the words is that of `U` where row `i` has a pivot in column
/// `j` or before it, and the multiplier of `L` where a row above has its pivot in column `j`. Made by
/// [`LinearAlgebra::lu_on`](crate::LinearAlgebra::lu_on).
#[derive(Debug, Clone, PartialEq)]
pub struct PackedLu<F: MatrixField> {
    pub(super) field: F,
    pub(super) shape: Shape,
    pub(super) words: Vec<F::Element>,
    /// The row that each pivot's row was exchanged with.
    pub(super) swaps: Vec<u32>,
    /// The column of each pivot.
    pub(super) columns: Vec<usize>,
    /// Each pivot.
    pub(super) values: Vec<F::Element>,
}

impl<F: MatrixField> PackedLu<F> {
    /// What was made on one device.
    pub(super) fn of(lu: &Lu<F>) -> Result<Self, LinalgError> {
        let (space, rank) = (lu.space(), lu.rank());
        let shape @ (rows, columns) = (lu.lower().rows, lu.upper().columns);
        let mut words = space.entries(lu.upper())?;
        words.resize(rows * columns, space.field().zero());
        let lower = space.entries(lu.lower())?;
        write_multipliers(&mut words, columns, lu.pivots(), &lower, rank);
        let (swaps, values) = lu.exchanges();
        Ok(Self {
            field: space.field().clone(),
            shape,
            words,
            swaps: swaps.to_vec(),
            columns: lu.pivots().to_vec(),
            values: values.to_vec(),
        })
    }

    /// Rows and columns of the matrix.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.columns.len()
    }

    /// The column of the pivot of each row of `U`, ascending.
    pub fn pivots(&self) -> &[usize] {
        &self.columns
    }

    /// `P`: row `k` of `L U` is row `images()[k]` of the matrix.
    pub fn permutation(&self) -> Permutation {
        Permutation::of_swaps(self.shape.0, &self.swaps)
    }

    /// Both factors, row after row.
    pub fn words(&self) -> &[F::Element] {
        &self.words
    }

    /// `L`: as many rows as the matrix, as many columns as the rank; 1 on the diagonal, 0 above it.
    pub fn lower(&self) -> Vec<F::Element> {
        let ((rows, columns), rank) = (self.shape, self.rank());
        let mut lower = vec![self.field.zero(); rows * rank];
        for i in 0..rows {
            for k in 0..i.min(rank) {
                lower[i * rank + k] = self.words[i * columns + self.columns[k]];
            }
            if i < rank {
                lower[i * rank + i] = self.field.one();
            }
        }
        lower
    }

    /// `U`: as many rows as the rank, as many columns as the matrix; in echelon form.
    pub fn upper(&self) -> Vec<F::Element> {
        let (columns, rank) = (self.shape.1, self.rank());
        let mut upper = self.words[..rank * columns].to_vec();
        for (i, row) in upper.chunks_mut(columns.max(1)).enumerate() {
            row[..self.columns[i]].fill(self.field.zero());
        }
        upper
    }

    /// The determinant of a square matrix: the product of the pivots, with the sign of `P`; 0 where it is singular, 1 for order 0.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`].
    pub fn determinant(&self) -> Result<F::Element, LinalgError> {
        let (rows, columns) = self.shape;
        if rows != columns {
            return Err(LinalgError::NotSquare { operation: "determinant", rows, columns });
        }
        if self.rank() < rows {
            return Ok(self.field.zero());
        }
        let product = self.field.product(&self.values);
        Ok(if self.permutation().is_even() { product } else { self.field.neg(product) })
    }
}

/// Writes the multipliers `lower`, rows of `rank` entries, below the pivots in `pivots`, to rows of `columns` entries.
pub(super) fn write_multipliers<E: Copy>(words: &mut [E], columns: usize, pivots: &[usize], lower: &[E], rank: usize) {
    if rank == 0 {
        return;
    }
    for (i, (row, multipliers)) in words.chunks_mut(columns).zip(lower.chunks(rank)).enumerate() {
        for (&column, &multiplier) in pivots.iter().zip(&multipliers[..i.min(rank)]) {
            row[column] = multiplier;
        }
    }
}

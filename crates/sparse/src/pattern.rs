//! Places of the non-zeros of a matrix, in compressed rows with 32-bit indices.

use sprs::{CsMatViewI, SpIndex};

use crate::error::SparseError;
use crate::prefetch::prefetch;

/// Rows between two stages of the prefetch of rows in no order: where a row begins, then the row.
pub(crate) const AHEAD: usize = 8;

/// The places of the non-zeros of an `m x n` matrix: for each row its ascending columns. Stored zeros count as
/// non-zeros.
///
/// Four bytes a non-zero and eight a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    rows: usize,
    columns: usize,
    offsets: Vec<usize>,
    indices: Vec<u32>,
}

/// Checks that indices and the number past the last one have 32 bits.
pub(crate) fn check_sizes(rows: usize, columns: usize) -> Result<(), SparseError> {
    let fits = |size: usize| size < u32::MAX as usize;
    if fits(rows) && fits(columns) { Ok(()) } else { Err(SparseError::TooLarge { rows, columns }) }
}

impl Pattern {
    /// The pattern of a matrix in compressed rows or columns: `O(m + n + non-zeros)`.
    ///
    /// ```
    /// use manycore_sparse::Pattern;
    /// let matrix = sprs::CsMat::new((2, 3), vec![0, 2, 3], vec![0, 2, 1], vec![1.0, 2.0, 3.0]);
    /// let pattern = Pattern::of(matrix.view())?;
    /// assert_eq!((pattern.row(0), pattern.row(1)), (&[0, 2][..], &[1][..]));
    /// assert_eq!(Pattern::of(matrix.to_csc().view())?, pattern);
    /// # Ok::<(), manycore_sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::TooLarge`] for `2^32 - 1` rows or columns and more.
    #[expect(clippy::needless_pass_by_value, reason = "a view, as `sprs` hands it out")]
    pub fn of<N, I: SpIndex, Iptr: SpIndex>(matrix: CsMatViewI<'_, N, I, Iptr>) -> Result<Self, SparseError> {
        check_sizes(matrix.rows(), matrix.cols())?;
        let offsets = matrix.proper_indptr().iter().map(|offset| offset.index()).collect();
        let indices = matrix.indices().iter().map(|index| index.index_unchecked() as u32).collect();
        let outer = Self { rows: matrix.outer_dims(), columns: matrix.inner_dims(), offsets, indices };
        Ok(if matrix.is_csr() { outer } else { outer.transposed() })
    }

    /// A pattern from its parts, each row ascending.
    pub(crate) fn from_parts(rows: usize, columns: usize, offsets: Vec<usize>, indices: Vec<u32>) -> Self {
        // Kernels read as many.
        assert_eq!((offsets.len(), offsets.last()), (rows + 1, Some(&indices.len())));
        Self { rows, columns, offsets, indices }
    }

    /// The number of rows, `m`.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns, `n`.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of non-zeros.
    pub fn non_zeros(&self) -> usize {
        self.indices.len()
    }

    /// Where each row begins among the non-zeros, and their number.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The columns of all non-zeros, row after row.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The ascending columns of a row.
    ///
    /// # Panics
    /// For a row that is not there, as a slice does.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.indices[self.offsets[row]..self.offsets[row + 1]]
    }

    /// Prefetches where a row begins.
    #[inline]
    pub(crate) fn prefetch_offset(&self, row: usize) {
        prefetch(&self.offsets, row);
    }

    /// Prefetches the first columns of a row, whose begin was prefetched before ([`Pattern::prefetch_offset`]).
    #[inline]
    pub(crate) fn prefetch_row(&self, row: usize) {
        prefetch(&self.indices, self.offsets[row]);
    }

    /// Prefetches the rows that follow number `new` in this order.
    #[inline]
    pub(crate) fn prefetch_rows(&self, order: &[u32], new: usize) {
        if let Some(&row) = order.get(new + 2 * AHEAD) {
            self.prefetch_offset(row as usize);
        }
        if let Some(&row) = order.get(new + AHEAD) {
            self.prefetch_row(row as usize);
        }
    }

    /// The rows in order, each with its ascending columns.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.offsets.windows(2).map(|pair| &self.indices[pair[0]..pair[1]])
    }

    /// The pattern of the transposed matrix: for each column its ascending rows. `O(m + n + non-zeros)`, a counting
    /// sort by column.
    #[must_use]
    pub fn transposed(&self) -> Self {
        self.transposed_with(|new| new)
    }

    /// The transposed pattern of the matrix whose row `i` is row `order[i]`.
    pub(crate) fn transposed_in_order(&self, order: &[u32]) -> Self {
        debug_assert_eq!(order.len(), self.rows);
        self.transposed_with(|new| {
            self.prefetch_rows(order, new);
            order[new] as usize
        })
    }

    fn transposed_with(&self, old: impl Fn(usize) -> usize) -> Self {
        let mut offsets = vec![0; self.columns + 1];
        // Half the words stay in the cache twice as often.
        let indices = if u32::try_from(self.indices.len()).is_ok() {
            let mut next: Vec<u32> = vec![0; self.columns + 1];
            self.indices.iter().for_each(|&column| next[column as usize + 1] += 1);
            for column in 0..self.columns {
                next[column + 1] += next[column];
            }
            offsets.iter_mut().zip(&next).for_each(|(offset, &next)| *offset = next as usize);
            self.scatter(old, &mut next, |next| std::mem::replace(next, *next + 1) as usize)
        } else {
            self.indices.iter().for_each(|&column| offsets[column as usize + 1] += 1);
            for column in 0..self.columns {
                offsets[column + 1] += offsets[column];
            }
            self.scatter(old, &mut offsets.clone(), |next| std::mem::replace(next, *next + 1))
        };
        Self { rows: self.columns, columns: self.rows, offsets, indices }
    }

    /// The rows of each column; `take` returns a column's next place and moves on.
    fn scatter<N>(&self, old: impl Fn(usize) -> usize, next: &mut [N], take: impl Fn(&mut N) -> usize) -> Vec<u32> {
        let mut indices = vec![0; self.indices.len()];
        for new in 0..self.rows {
            for &column in self.row(old(new)) {
                indices[take(&mut next[column as usize])] = new as u32;
            }
        }
        indices
    }

    /// Whether a non-zero at `(i, j)` always has one at `(j, i)`: `O(m + non-zeros)`, and less where it is not so. Rows are gone
    /// through from the first on: the non-zeros of a row below the diagonal are, each in its column, the next ones above it.
    pub fn is_symmetric(&self) -> bool {
        if self.rows != self.columns {
            return false;
        }
        // The next non-zero above the diagonal of each row.
        let first = |(row, columns): (usize, &[u32])| {
            self.offsets[row] + columns.partition_point(|&column| column as usize <= row)
        };
        let mut next: Vec<usize> = self.iter().enumerate().map(first).collect();
        for (row, columns) in self.iter().enumerate() {
            for &column in columns.iter().take_while(|&&column| (column as usize) < row) {
                let at = &mut next[column as usize];
                if *at == self.offsets[column as usize + 1] || self.indices[*at] as usize != row {
                    return false;
                }
                *at += 1;
            }
        }
        next.iter().zip(&self.offsets[1..]).all(|(next, end)| next == end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_twice_is_the_same() {
        let pattern = Pattern::from_parts(3, 4, vec![0, 2, 2, 5], vec![1, 3, 0, 1, 2]);
        let transposed = pattern.transposed();
        assert_eq!(transposed.iter().collect::<Vec<_>>(), [&[2][..], &[0, 2], &[2], &[0]]);
        assert_eq!(transposed.transposed(), pattern);
        let reversed = pattern.transposed_in_order(&[2, 1, 0]);
        assert_eq!(reversed.row(1), [0, 2]);
        assert!(!pattern.is_symmetric());
        assert!(Pattern::from_parts(2, 2, vec![0, 1, 2], vec![1, 0]).is_symmetric());
    }

    proptest::proptest! {
        #[test]
        fn symmetric_patterns_are_their_transposed_ones(entries in proptest::collection::btree_set((0u32..7, 0u32..7), 0..20), mirror: bool) {
            let mut rows = vec![std::collections::BTreeSet::new(); 7];
            for (row, column) in entries {
                rows[row as usize].insert(column);
                if mirror {
                    rows[column as usize].insert(row);
                }
            }
            let offsets = (0..=7).map(|row| rows[..row].iter().map(std::collections::BTreeSet::len).sum()).collect();
            let pattern = Pattern::from_parts(7, 7, offsets, rows.into_iter().flatten().collect());
            proptest::prop_assert_eq!(pattern.is_symmetric(), pattern == pattern.transposed());
            proptest::prop_assert!(!mirror || pattern.is_symmetric());
        }
    }

    #[test]
    fn slices_of_matrices_have_their_own_offsets() {
        let matrix = sprs::CsMat::new((3, 3), vec![0, 1, 2, 3], vec![0, 1, 2], vec![1, 2, 3]);
        let pattern = Pattern::of(matrix.slice_outer(1..3)).unwrap();
        assert_eq!((pattern.rows(), pattern.offsets(), pattern.indices()), (2, &[0, 1, 2][..], &[1, 2][..]));
    }

    #[test]
    fn nothing_has_a_pattern() {
        for shape in [(0, 0), (0, 3), (3, 0)] {
            let pattern = Pattern::of(sprs::CsMat::<f64>::zero(shape).view()).unwrap();
            assert_eq!((pattern.rows(), pattern.columns(), pattern.non_zeros()), (shape.0, shape.1, 0));
            assert_eq!(pattern.transposed().transposed(), pattern);
        }
    }
}

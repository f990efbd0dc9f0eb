//! Permutations of rows and of columns, of different types.

use std::fmt;
use std::marker::PhantomData;

use sprs::{CsMatI, CsMatViewI, SpIndex};

use crate::error::SparseError;
use crate::pattern::{AHEAD, Pattern, check_sizes};
use crate::prefetch::prefetch;

/// What a [`RowPermutation`] permutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rows {}

/// What a [`ColumnPermutation`] permutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Columns {}

/// A permutation of the rows of a matrix, and of the vector `y` of `y = A x`.
pub type RowPermutation = Permutation<Rows>;

/// A permutation of the columns of a matrix, and of the vector `x` of `y = A x`.
pub type ColumnPermutation = Permutation<Columns>;

/// A permutation of `0 .. len`, held as the old index of each new one.
///
/// ```
/// use manycore_sparse::ColumnPermutation;
/// let columns = ColumnPermutation::from_new_to_old(vec![2, 0, 1])?;
/// assert_eq!(columns.apply(&['a', 'b', 'c'])?, ['c', 'a', 'b']);
/// assert_eq!(columns.undo(&['c', 'a', 'b'])?, ['a', 'b', 'c']);
/// assert_eq!(columns.then(&columns.inverse())?, ColumnPermutation::identity(3)?);
/// # Ok::<(), manycore_sparse::SparseError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Permutation<A> {
    new_to_old: Vec<u32>,
    of: PhantomData<A>,
}

impl<A> fmt::Debug for Permutation<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Permutation").field(&self.new_to_old).finish()
    }
}

impl<A> Permutation<A> {
    /// The permutation that puts old index `new_to_old[i]` at the new index `i`. `O(len)`.
    ///
    /// # Errors
    /// [`SparseError::Permutation`] with the first entry that is past the end or given before;
    /// [`SparseError::TooLarge`].
    pub fn from_new_to_old(new_to_old: Vec<u32>) -> Result<Self, SparseError> {
        let len = new_to_old.len();
        check_sizes(len, len)?;
        let mut seen = vec![false; len];
        for (place, &index) in new_to_old.iter().enumerate() {
            let is_new = seen.get_mut(index as usize).is_some_and(|seen| !std::mem::replace(seen, true));
            if !is_new {
                return Err(SparseError::Permutation { place, index, len });
            }
        }
        Ok(Self { new_to_old, of: PhantomData })
    }

    /// A permutation that is known to be one.
    pub(crate) fn known(new_to_old: Vec<u32>) -> Self {
        debug_assert!(Self::from_new_to_old(new_to_old.clone()).is_ok());
        Self { new_to_old, of: PhantomData }
    }

    /// The permutation that leaves all in place.
    ///
    /// # Errors
    /// [`SparseError::TooLarge`].
    pub fn identity(len: usize) -> Result<Self, SparseError> {
        check_sizes(len, len)?;
        Ok(Self::known((0..len as u32).collect()))
    }

    /// The number of indices.
    pub fn len(&self) -> usize {
        self.new_to_old.len()
    }

    /// Whether there is no index.
    pub fn is_empty(&self) -> bool {
        self.new_to_old.is_empty()
    }

    /// Whether all is left in place.
    pub fn is_identity(&self) -> bool {
        self.new_to_old.iter().enumerate().all(|(new, &old)| new == old as usize)
    }

    /// The old index of each new one.
    pub fn new_to_old(&self) -> &[u32] {
        &self.new_to_old
    }

    /// The new index of each old one. `O(len)`.
    pub fn old_to_new(&self) -> Vec<u32> {
        let mut old_to_new = vec![0; self.len()];
        for (new, &old) in self.new_to_old.iter().enumerate() {
            old_to_new[old as usize] = new as u32;
        }
        old_to_new
    }

    /// The permutation that undoes this one. `O(len)`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self::known(self.old_to_new())
    }

    /// This permutation, and `next` after it. `O(len)`.
    ///
    /// # Errors
    /// [`SparseError::Length`] for permutations of different lengths.
    pub fn then(&self, next: &Self) -> Result<Self, SparseError> {
        Ok(Self::known(next.apply(&self.new_to_old)?))
    }

    /// A vector in the new order: element `i` is `old[new_to_old[i]]`. `O(len)`.
    ///
    /// # Errors
    /// [`SparseError::Length`].
    pub fn apply<T: Clone>(&self, old: &[T]) -> Result<Vec<T>, SparseError> {
        self.check(old.len())?;
        Ok(self.new_to_old.iter().map(|&index| old[index as usize].clone()).collect())
    }

    /// A vector back in the old order: element `new_to_old[i]` is `new[i]`. `O(len)`.
    ///
    /// # Errors
    /// [`SparseError::Length`].
    pub fn undo<T: Clone>(&self, new: &[T]) -> Result<Vec<T>, SparseError> {
        self.inverse().apply(new)
    }

    fn check(&self, given: usize) -> Result<(), SparseError> {
        if given == self.len() {
            return Ok(());
        }
        Err(SparseError::Length { what: "a vector to permute", given, expected: self.len() })
    }
}

/// A matrix with its rows and columns in a new order: `B[i][j] = A[rows[i]][columns[j]]`.
///
/// From `y = A x` follows `rows(y) = B columns(x)`: permute `x`, multiply by `B`, and take the order of `y` back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reordering {
    /// The rows.
    pub rows: RowPermutation,
    /// The columns.
    pub columns: ColumnPermutation,
}

impl Reordering {
    /// The order that a matrix of `rows` and `columns` has.
    ///
    /// # Errors
    /// [`SparseError::TooLarge`].
    pub fn identity(rows: usize, columns: usize) -> Result<Self, SparseError> {
        Ok(Self { rows: RowPermutation::identity(rows)?, columns: ColumnPermutation::identity(columns)? })
    }

    /// Whether all is left in place.
    pub fn is_identity(&self) -> bool {
        self.rows.is_identity() && self.columns.is_identity()
    }

    /// This order, and `next` after it.
    ///
    /// # Errors
    /// [`SparseError::Length`] for orders of matrices of different sizes.
    pub fn then(&self, next: &Self) -> Result<Self, SparseError> {
        Ok(Self { rows: self.rows.then(&next.rows)?, columns: self.columns.then(&next.columns)? })
    }

    /// The order that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self { rows: self.rows.inverse(), columns: self.columns.inverse() }
    }

    /// The matrix in the new order, in the storage that it has, indices ascending. `O(m + n)`, and `O(k log k)` for
    /// each row (or column) of `k` non-zeros.
    ///
    /// # Errors
    /// [`SparseError::Length`] for a matrix of other sizes.
    #[expect(clippy::needless_pass_by_value, reason = "a view, as `sprs` hands it out")]
    pub fn apply<N: Clone, I: SpIndex, Iptr: SpIndex>(
        &self,
        matrix: CsMatViewI<'_, N, I, Iptr>,
    ) -> Result<CsMatI<N, I, Iptr>, SparseError> {
        self.check(matrix.rows(), matrix.cols())?;
        let (outer, inner) = if matrix.is_csr() {
            (self.rows.new_to_old(), self.columns.old_to_new())
        } else {
            (self.columns.new_to_old(), self.rows.old_to_new())
        };
        let offsets = matrix.proper_indptr();
        let mut new_offsets = Vec::with_capacity(offsets.len());
        let mut indices: Vec<I> = Vec::with_capacity(matrix.nnz());
        let mut data: Vec<N> = Vec::with_capacity(matrix.nnz());
        new_offsets.push(Iptr::from_usize(0));
        let mut entries: Vec<(u32, usize)> = Vec::new();
        for (new, &old) in outer.iter().enumerate() {
            if let Some(&old) = outer.get(new + 2 * AHEAD) {
                prefetch(&offsets, old as usize);
            }
            if let Some(&old) = outer.get(new + AHEAD) {
                let begin = offsets[old as usize].index();
                prefetch(matrix.indices(), begin);
                prefetch(matrix.data(), begin);
            }
            let (begin, end) = (offsets[old as usize].index(), offsets[old as usize + 1].index());
            entries.clear();
            entries.extend((begin..end).map(|at| (inner[matrix.indices()[at].index()], at)));
            entries.sort_unstable();
            indices.extend(entries.iter().map(|&(index, _)| I::from_usize(index as usize)));
            data.extend(entries.iter().map(|&(_, at)| matrix.data()[at].clone()));
            new_offsets.push(Iptr::from_usize(indices.len()));
        }
        let new = if matrix.is_csr() { CsMatI::try_new } else { CsMatI::try_new_csc };
        new(matrix.shape(), new_offsets, indices, data)
            .map_err(|(_, _, _, error)| SparseError::Structure { reason: error.to_string() })
    }

    /// The pattern in the new order. Time as [`apply`](Self::apply).
    ///
    /// # Errors
    /// [`SparseError::Length`] for a pattern of other sizes.
    pub fn apply_to_pattern(&self, pattern: &Pattern) -> Result<Pattern, SparseError> {
        self.check(pattern.rows(), pattern.columns())?;
        let columns = self.columns.old_to_new();
        let mut offsets = vec![0];
        let mut indices = Vec::with_capacity(pattern.non_zeros());
        let rows = self.rows.new_to_old();
        for (new, &old) in rows.iter().enumerate() {
            pattern.prefetch_rows(rows, new);
            let begin = indices.len();
            indices.extend(pattern.row(old as usize).iter().map(|&column| columns[column as usize]));
            indices[begin..].sort_unstable();
            offsets.push(indices.len());
        }
        Ok(Pattern::from_parts(pattern.rows(), pattern.columns(), offsets, indices))
    }

    pub(crate) fn check(&self, rows: usize, columns: usize) -> Result<(), SparseError> {
        for (what, given, expected) in
            [("rows to permute", rows, self.rows.len()), ("columns to permute", columns, self.columns.len())]
        {
            if given != expected {
                return Err(SparseError::Length { what, given, expected });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_permutation_is_refused() {
        let error = |entries: &[u32]| RowPermutation::from_new_to_old(entries.to_vec()).unwrap_err();
        assert_eq!(error(&[0, 2]), SparseError::Permutation { place: 1, index: 2, len: 2 });
        assert_eq!(error(&[1, 0, 1]), SparseError::Permutation { place: 2, index: 1, len: 3 });
        let two = RowPermutation::identity(2).unwrap();
        let length = SparseError::Length { what: "a vector to permute", given: 3, expected: 2 };
        assert_eq!(two.apply(&[1, 2, 3]).unwrap_err(), length);
        assert_eq!(two.undo(&[1, 2, 3]).unwrap_err(), length);
        assert!(RowPermutation::from_new_to_old(vec![]).unwrap().is_empty());
    }

    #[test]
    fn matrices_of_other_sizes_are_refused() {
        let matrix = sprs::CsMat::<f64>::zero((2, 3));
        let error = Reordering::identity(2, 2).unwrap().apply(matrix.view()).unwrap_err();
        assert_eq!(error, SparseError::Length { what: "columns to permute", given: 3, expected: 2 });
        let pattern = Pattern::of(matrix.view()).unwrap();
        let error = Reordering::identity(3, 3).unwrap().apply_to_pattern(&pattern).unwrap_err();
        assert_eq!(error, SparseError::Length { what: "rows to permute", given: 2, expected: 3 });
    }
}

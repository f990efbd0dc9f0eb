//! A matrix in compressed rows with 32-bit column indices.

use std::ops::Range;

use sprs::{CsMatViewI, SpIndex};

use crate::error::SparseError;
use crate::pattern::Pattern;

/// A matrix in compressed rows: the pattern and a value for each non-zero.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CompressedRows<V> {
    pub(crate) pattern: Pattern,
    pub(crate) values: Vec<V>,
}

impl<V: Copy> CompressedRows<V> {
    /// Of a matrix in compressed rows a copy; one in compressed columns is transposed by a counting sort. `O(m + n +
    /// non-zeros)`.
    pub(crate) fn of<I: SpIndex, Iptr: SpIndex>(matrix: CsMatViewI<'_, V, I, Iptr>) -> Result<Self, SparseError> {
        let pattern = Pattern::of(matrix.view())?;
        if matrix.is_csr() {
            return Ok(Self { pattern, values: matrix.data().to_vec() });
        }
        let Some(&first) = matrix.data().first() else { return Ok(Self { pattern, values: Vec::new() }) };
        let mut values = vec![first; matrix.nnz()];
        let mut next = pattern.offsets().to_vec();
        for (row, &value) in matrix.indices().iter().zip(matrix.data()) {
            let at = &mut next[row.index()];
            values[*at] = value;
            *at += 1;
        }
        Ok(Self { pattern, values })
    }
}

impl<V: Copy> CompressedRows<V> {
    /// Some of its rows.
    pub(crate) fn part(&self, rows: Range<usize>) -> Self {
        let offsets = &self.pattern.offsets()[rows.start..=rows.end];
        let (first, last) = (offsets[0], offsets[rows.len()]);
        let own = offsets.iter().map(|offset| offset - first).collect();
        let indices = self.pattern.indices()[first..last].to_vec();
        let pattern = Pattern::from_parts(rows.len(), self.pattern.columns(), own, indices);
        Self { pattern, values: self.values[first..last].to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_storages_give_the_same_rows() {
        let matrix = sprs::CsMat::new((3, 4), vec![0, 2, 2, 4], vec![1, 3, 0, 1], vec![5, 6, 7, 8]);
        let rows = CompressedRows::of(matrix.view()).unwrap();
        assert_eq!(rows.values, [5, 6, 7, 8]);
        assert_eq!(CompressedRows::of(matrix.to_csc().view()).unwrap(), rows);
        assert_eq!(CompressedRows::of(matrix.slice_outer(2..3)).unwrap(), rows.part(2..3));
        assert_eq!((rows.part(0..3), rows.part(1..2).values.len()), (rows.clone(), 0));
        assert!(CompressedRows::of(sprs::CsMat::<i32>::zero((2, 2)).into_csc().view()).unwrap().values.is_empty());
    }
}

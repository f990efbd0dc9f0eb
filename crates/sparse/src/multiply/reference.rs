//! The slow definition of products of a sparse matrix.

use sprs::{CsMatViewI, SpIndex};

use crate::ring::SparseRing;

/// The product `Y = A X` of an `m x n` matrix and `n x k` values, rows one behind the other: `Y[i][j]` is the sum of
/// `A[i][l] X[l][j]` over the non-zeros of row `i`, in the order of the matrix's storage. `k` operations a non-zero.
///
/// # Panics
/// For an `x` of fewer than `n k` values.
pub fn multiply<R: SparseRing, I: SpIndex, Iptr: SpIndex>(
    ring: &R,
    matrix: CsMatViewI<'_, R::Value, I, Iptr>,
    x: &[R::Value],
    k: usize,
) -> Vec<R::Value> {
    let mut y = vec![ring.zero(); matrix.rows() * k];
    for (&value, (row, column)) in matrix {
        let (row, column) = (row.index(), column.index());
        for j in 0..k {
            y[row * k + j] = ring.add(y[row * k + j], ring.mul(value, x[column * k + j]));
        }
    }
    y
}

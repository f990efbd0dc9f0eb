//! Max-plus products of blocks on the host: tiles of sums in vector registers, factors packed side by side (Goto and van de Geijn,
//! "Anatomy of high-performance matrix multiplication", 2008).

use crate::weight::Weight;

/// Rows and columns of a diagonal block, by the bytes of a weight; bits of floating point depend on it, so that it is one for the
/// host and for devices with enough local memory.
pub(super) const fn block<T>() -> usize {
    if size_of::<T>() == 4 { 64 } else { 32 }
}

/// `sums[r][c] = max(sums[r][c], a[k][r] + b[k][c])` over all `k`.
#[inline(always)]
pub(super) fn tile<T: Weight, const R: usize, const W: usize>(a: &[[T; R]], b: &[[T; W]], sums: &mut [[T; W]; R]) {
    let mut held = *sums;
    for (a, b) in a.iter().zip(b) {
        for (sums, &left) in held.iter_mut().zip(a) {
            for (sum, &right) in sums.iter_mut().zip(b) {
                *sum = sum.longer(left.plus(right));
            }
        }
    }
    *sums = held;
}

/// The closure of a square block in place, by pivots in turn (Floyd 1962, Warshall 1962, Carre 1971). Its diagonal is 0 before and
/// after; `true` where a circuit is positive, in which case entries mean nothing.
#[inline(always)]
pub(super) fn close<T: Weight>(block: &mut [T], side: usize) -> bool {
    let mut is_positive = false;
    let mut pivot = vec![T::ZERO; side];
    for k in 0..side {
        pivot.copy_from_slice(&block[k * side..(k + 1) * side]);
        for (i, row) in block.chunks_exact_mut(side).enumerate() {
            // Row and column k stay as they are: entry (k, k) is 0.
            if i != k {
                let left = row[k];
                is_positive |= left.plus(pivot[i]) > T::ZERO;
                for (entry, &right) in row.iter_mut().zip(&pivot) {
                    *entry = entry.longer(left.plus(right));
                }
                row[i] = T::ZERO;
            }
        }
        if is_positive {
            return true;
        }
    }
    false
}

/// A square block packed for [`tile`]: `side / R` groups of rows, in each `side` columns of `R` entries.
#[inline(always)]
pub(super) fn packed<T: Weight, const R: usize>(block: &[T], side: usize) -> Vec<[T; R]> {
    let mut packed = Vec::with_capacity(side * side / R);
    for rows in block.chunks_exact(R * side) {
        packed.extend((0..side).map(|k| std::array::from_fn(|r| rows[r * side + k])));
    }
    packed
}

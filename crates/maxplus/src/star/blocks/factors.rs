//! Data exchanged between the blocks of a star: pivots, factors of rows, and rows of pivots.

use crate::weight::Weight;

/// What a block of pivots gives: blocks within are `side` by `side`, and rows past the last pivot are of none.
pub(super) struct Pivot<T> {
    /// Its star, in rows of as many words as there are pivots.
    pub(super) block: Vec<T>,
    pub(super) factors: Factors<T>,
    /// Its rows at the pivot of their diagonal block.
    pub(super) rows: Vec<T>,
}

/// What rows of pivots are multiplied by, one diagonal block after the other.
pub(super) struct Factors<T> {
    pub(super) order: usize,
    pub(super) side: usize,
    /// The star of each diagonal block.
    pub(super) closed: Vec<T>,
    /// For each diagonal block the columns of all pivots at it, epsilon in its own rows.
    pub(super) columns: Vec<T>,
}

/// Rows of pivots: in the end, and each at the pivot of its diagonal block.
pub(super) struct Panel<T> {
    pub(super) tile: Vec<T>,
    pub(super) at_pivots: Vec<T>,
}

impl<T: Weight> Factors<T> {
    pub(super) fn blocks(&self) -> usize {
        self.order.div_ceil(self.side)
    }

    /// Rows of all diagonal blocks.
    pub(super) fn padded(&self) -> usize {
        self.blocks() * self.side
    }

    pub(super) fn closed(&self, k: usize) -> &[T] {
        &self.closed[k * self.side * self.side..(k + 1) * self.side * self.side]
    }

    pub(super) fn columns(&self, k: usize) -> &[T] {
        &self.columns[k * self.order * self.side..(k + 1) * self.order * self.side]
    }
}

impl<T: Weight> Pivot<T> {
    /// The factors of the transposed problem, in which columns are rows.
    pub(super) fn transposed(&self) -> Factors<T> {
        let Factors { order, side, ref closed, .. } = self.factors;
        let (blocks, square) = (self.factors.blocks(), side * side);
        let turned = |at: usize| closed[at / square * square + at % side * side + at % square / side];
        let closed = (0..blocks * square).map(turned).collect();
        let mut columns = Vec::with_capacity(blocks * order * side);
        for k in 0..blocks {
            for row in 0..order {
                let is_own = row / side == k;
                let entry = |t: usize| if is_own { T::ABSENT } else { self.rows[(k * side + t) * order + row] };
                columns.extend((0..side).map(entry));
            }
        }
        Factors { order, side, closed, columns }
    }
}

/// A matrix whose rows have `width` words, with rows and columns exchanged.
pub(super) fn turned<T: Copy>(words: &[T], width: usize) -> Vec<T> {
    const TILE: usize = 32;
    let height = words.len() / width.max(1);
    let Some(&first) = words.first() else { return Vec::new() };
    let mut turned = vec![first; words.len()];
    for row in (0..height).step_by(TILE) {
        for column in (0..width).step_by(TILE) {
            for i in row..(row + TILE).min(height) {
                for j in column..(column + TILE).min(width) {
                    turned[j * height + i] = words[i * width + j];
                }
            }
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_are_exchanged() {
        assert_eq!(turned(&[1, 2, 3, 4, 5, 6], 3), [1, 4, 2, 5, 3, 6]);
        assert!(turned::<u8>(&[], 0).is_empty());
        let words: Vec<usize> = (0..70 * 45).collect();
        assert_eq!(turned(&turned(&words, 45), 70), words);
    }
}

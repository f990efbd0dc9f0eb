//! Matrices that examples generate, the same on every run.
#![allow(dead_code)] // each example uses some of them

use manycore_sparse::{Pattern, SparseError};
use sprs::CsMatI;

/// A matrix of numbers with 32-bit indices.
pub(crate) type Matrix = CsMatI<f64, u32, usize>;

/// Numbers without a pattern.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 1) * bound as u128) >> 63) as usize
    }
}

/// A square matrix whose row `i` has the columns that `columns(i, ..)` appends, in any order; repeated ones count once.
pub(crate) fn matrix(rows: usize, mut columns: impl FnMut(usize, &mut Vec<u32>)) -> Matrix {
    let (mut offsets, mut indices, mut row_columns) = (vec![0], Vec::new(), Vec::new());
    for row in 0..rows {
        row_columns.clear();
        columns(row, &mut row_columns);
        row_columns.sort_unstable();
        row_columns.dedup();
        indices.extend_from_slice(&row_columns);
        offsets.push(indices.len());
    }
    let values = (0..indices.len()).map(|at| (at % 7) as f64 - 3.0).collect();
    CsMatI::new((rows, rows), offsets, indices, values)
}

/// The five-point Laplacian on a grid of `side` by `side` points.
pub(crate) fn laplacian(side: usize) -> Matrix {
    matrix(side * side, |point, columns| {
        let (y, x) = (point / side, point % side);
        let all = [
            Some(point),
            (y > 0).then(|| point - side),
            (x > 0).then(|| point - 1),
            (x + 1 < side).then(|| point + 1),
            (y + 1 < side).then(|| point + side),
        ];
        columns.extend(all.into_iter().flatten().map(|column| column as u32));
    })
}

/// Rows of `drawn` uniformly drawn columns.
pub(crate) fn uniform(rows: usize, drawn: usize) -> Matrix {
    let mut random = Random(drawn as u64);
    matrix(rows, |_, columns| columns.extend((0..drawn).map(|_| random.below(rows) as u32)))
}

/// The diagonal, and eight more non-zeros a row on average whose rows and columns are drawn with chances that fall as
/// `rank^-0.8`, ranks in random orders.
pub(crate) fn power_law(size: usize) -> Matrix {
    let mut random = Random(8);
    let sums: Vec<f64> = (1..=size)
        .scan(0.0, |sum, rank| {
            *sum += (rank as f64).powf(-0.8);
            Some(*sum)
        })
        .collect();
    let shuffled = |seed: u64| {
        let mut random = Random(seed);
        let mut order: Vec<usize> = (0..size).collect();
        (1..size).rev().for_each(|last| order.swap(last, random.below(last + 1)));
        order
    };
    let (rows, columns) = (shuffled(1), shuffled(2));
    let mut rank = || {
        let drawn = random.below(1 << 40) as f64 / (1u64 << 40) as f64 * sums[size - 1];
        sums.partition_point(|&sum| sum <= drawn).min(size - 1)
    };
    let mut lists: Vec<Vec<u32>> = (0..size).map(|row| vec![row as u32]).collect();
    for _ in 0..8 * size {
        let (row, column) = (rows[rank()], columns[rank()]);
        lists[row].push(column as u32);
    }
    matrix(size, |row, columns| columns.append(&mut lists[row]))
}

/// Blocks of 128 by 128 on the diagonal, eight non-zeros a row in each.
pub(crate) fn blocks(size: usize) -> Matrix {
    let mut random = Random(5);
    matrix(size, |row, columns| columns.extend((0..8).map(|_| (row / 128 * 128 + random.below(128)) as u32)))
}

/// The places of a matrix's non-zeros.
pub(crate) fn pattern(matrix: &Matrix) -> Result<Pattern, SparseError> {
    Pattern::of(matrix.view())
}

//! Matrices that tests share.
#![allow(dead_code)] // each test program uses some of them

use manycore_sparse::Pattern;
use proptest::prelude::*;
use sprs::{CsMat, TriMat};

/// The five-point Laplacian on a grid of `side` by `side` points.
pub(crate) fn laplacian(side: usize) -> CsMat<f64> {
    let mut triplets = TriMat::new((side * side, side * side));
    for point in 0..side * side {
        let (y, x) = (point / side, point % side);
        triplets.add_triplet(point, point, 4.0);
        for neighbour in [
            (y > 0).then(|| point - side),
            (x > 0).then(|| point - 1),
            (x + 1 < side).then_some(point + 1),
            (y + 1 < side).then_some(point + side),
        ]
        .into_iter()
        .flatten()
        {
            triplets.add_triplet(point, neighbour, -1.0);
        }
    }
    triplets.to_csr()
}

/// Words that look random, the same on every run.
pub(crate) fn words(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    })
}

/// `rows` rows of `drawn` columns each, drawn uniformly; repeated ones count once.
pub(crate) fn uniform(rows: usize, columns: usize, drawn: usize, seed: u64) -> CsMat<f64> {
    let mut words = words(seed);
    let mut lists = vec![Vec::new(); rows];
    for list in &mut lists {
        list.extend((0..drawn).filter_map(|_| words.next()).map(|word| word as usize % columns));
    }
    matrix(&lists, columns)
}

/// The matrix with these columns in its rows, in any order and repeated; values count up from 1.
pub(crate) fn matrix(rows: &[Vec<usize>], columns: usize) -> CsMat<f64> {
    let (mut offsets, mut indices) = (vec![0], Vec::new());
    for row in rows {
        let mut row = row.clone();
        row.sort_unstable();
        row.dedup();
        indices.extend(row);
        offsets.push(indices.len());
    }
    let values = (0..indices.len()).map(|i| 1.0 + i as f64).collect();
    CsMat::new((rows.len(), columns), offsets, indices, values)
}

pub(crate) fn pattern(matrix: &CsMat<f64>) -> Pattern {
    Pattern::of(matrix.view()).unwrap()
}

/// Matrices of every shape up to 12 x 12: empty rows and columns, full rows, repeated rows and columns.
pub(crate) fn any_matrix() -> impl Strategy<Value = CsMat<f64>> {
    (0usize..12, 0usize..12).prop_flat_map(|(rows, columns)| {
        let few = prop::collection::vec(0..columns.max(1), 0..4);
        let many = prop::collection::vec(0..columns.max(1), 0..24);
        let row = prop_oneof![Just(Vec::new()), Just((0..columns).collect::<Vec<usize>>()), few, many];
        prop::collection::vec(row, rows).prop_map(move |lists| {
            let lists: Vec<Vec<usize>> =
                lists.into_iter().map(|list| if columns == 0 { Vec::new() } else { list }).collect();
            matrix(&lists, columns)
        })
    })
}

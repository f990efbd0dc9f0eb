//! Patterns of sparse matrices, and the accesses of a sparse matrix-vector product to its vector.

use manycore_model::cache::{Geometry, Layout};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng, rngs::StdRng};

/// Rows as lists of ascending column indices.
pub(crate) type Pattern = Vec<Vec<usize>>;

/// The five-point Laplacian on a grid of `side` by `side` points in natural order.
pub(crate) fn laplacian(side: usize) -> Pattern {
    let neighbours = |point: usize| {
        let (y, x) = (point / side, point % side);
        let mut columns = vec![];
        columns.extend((y > 0).then(|| point - side));
        columns.extend((x > 0).then(|| point - 1));
        columns.push(point);
        columns.extend((x + 1 < side).then_some(point + 1));
        columns.extend((y + 1 < side).then_some(point + side));
        columns
    };
    (0..side * side).map(neighbours).collect()
}

/// `n` rows of `drawn` columns each, drawn uniformly with repetition; repeated ones count once.
pub(crate) fn uniform(n: usize, drawn: usize, seed: u64) -> Pattern {
    let mut random = StdRng::seed_from_u64(seed);
    sorted((0..n).map(|_| (0..drawn).map(|_| random.random_range(0..n)).collect()).collect())
}

/// The diagonal and `drawn` non-zeros a row on average, row and column of each drawn independently with probabilities
/// that fall as `rank^-0.8`; rows and columns have their ranks in random orders. Repeated non-zeros count once.
pub(crate) fn power_law(n: usize, drawn: usize, seed: u64) -> Pattern {
    let mut random = StdRng::seed_from_u64(seed);
    let cumulative: Vec<f64> = (1..=n)
        .scan(0.0, |sum, rank| {
            *sum += (rank as f64).powf(-0.8);
            Some(*sum)
        })
        .collect();
    let total = cumulative[n - 1];
    let (rows, columns) = (permutation(n, &mut random), permutation(n, &mut random));
    let mut rank = || {
        let drawn = random.random::<f64>() * total;
        cumulative.partition_point(|&sum| sum <= drawn).min(n - 1)
    };
    let mut pattern: Pattern = (0..n).map(|row| vec![row]).collect();
    for _ in 0..n * drawn {
        let (row, column) = (rows[rank()], columns[rank()]);
        pattern[row].push(column);
    }
    sorted(pattern)
}

/// Rows and columns each in a random order.
pub(crate) fn shuffled(pattern: &Pattern, seed: u64) -> Pattern {
    let mut random = StdRng::seed_from_u64(seed);
    let columns = permutation(pattern.len(), &mut random);
    let renumbered = pattern.iter().map(|row| row.iter().map(|&column| columns[column]).collect()).collect();
    let mut rows = sorted(renumbered);
    rows.shuffle(&mut random);
    rows
}

pub(crate) fn transposed(pattern: &Pattern) -> Pattern {
    let mut columns = vec![vec![]; pattern.len()];
    for (row, entries) in pattern.iter().enumerate() {
        for &column in entries {
            columns[column].push(row);
        }
    }
    columns
}

/// The accesses to the line-aligned vector `x`, row after row, of the non-zeros that `select(row, column)` keeps.
pub(crate) fn accesses<'p>(
    pattern: &'p Pattern,
    geometry: Geometry,
    select: impl Fn(usize, usize) -> bool + Copy + 'p,
) -> impl Iterator<Item = u64> + 'p {
    let x = Layout::new(geometry).array(pattern.len() as u64);
    pattern.iter().enumerate().flat_map(move |(row, columns)| {
        columns.iter().filter(move |&&column| select(row, column)).map(move |&column| x.at(column as u64))
    })
}

fn permutation(n: usize, random: &mut StdRng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.shuffle(random);
    order
}

fn sorted(mut rows: Pattern) -> Pattern {
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
    }
    rows
}

//! Triangular systems of doubles by substitution, for some right sides at once: rows by fours, in tiles that registers hold.
//! Every unknown loses its products one after the other, in the order of the unknowns before it.

use manycore_device::Team;
use manycore_field::RealSlices;

/// Right sides that are solved at once.
pub(super) const LANES: usize = 32;
/// Rows of a tile.
pub(super) const ROWS: usize = 4;
/// Unknowns whose products are taken from all rows below at a time: with their right sides they stay in the nearest cache.
pub(super) const DEPTH: usize = 64;

/// Right sides, a row for each unknown.
pub(super) type Lanes = [[f64; LANES]];

/// Solves `lower x = right` in place: row `i` of the matrix begins with `i` entries before its diagonal, which is `diagonal`, or of
/// ones where there is none.
pub(super) fn forward<'a>(
    slices: RealSlices,
    lower: impl Fn(usize) -> &'a [f64],
    diagonal: Option<&[f64]>,
    right: &mut Lanes,
) {
    let order = right.len();
    for first in (0..order).step_by(DEPTH) {
        let (own, below) = right[first..].split_at_mut(DEPTH.min(order - first));
        let own_lower = |i: usize| &lower(first + i)[first..];
        substitute(slices, own_lower, diagonal.map(|all| &all[first..]), own);
        subtract(slices, below, |i| &lower(first + own.len() + i)[first..], own);
    }
}

/// [`forward`] row by row.
fn substitute<'a>(slices: RealSlices, lower: impl Fn(usize) -> &'a [f64], diagonal: Option<&[f64]>, right: &mut Lanes) {
    for first in (0..right.len()).step_by(ROWS) {
        let (solved, rest) = right.split_at_mut(first);
        let count = rest.len().min(ROWS);
        subtract(slices, &mut rest[..count], |i| &lower(first + i)[..first], solved);
        for r in 0..count {
            let (above, own) = rest.split_at_mut(r);
            for (line, &factor) in above.iter().zip(&lower(first + r)[first..]) {
                own[0].iter_mut().zip(line).for_each(|(x, &y)| *x -= y * factor);
            }
            if let Some(diagonal) = diagonal {
                own[0].iter_mut().for_each(|x| *x /= diagonal[first + r]);
            }
        }
    }
}

/// `out[i] -= sum over k of row(i)[k] panel[k]` for each row, one product after the other.
pub(super) fn subtract<'a>(slices: RealSlices, out: &mut Lanes, row: impl Fn(usize) -> &'a [f64], panel: &Lanes) {
    for (number, lines) in out.chunks_mut(ROWS).enumerate() {
        let count = lines.len();
        // Rows past the end repeat the last row, and are dropped.
        let factors = std::array::from_fn(|r| row(number * ROWS + r.min(count - 1)));
        if let Ok(tile) = <&mut [[f64; LANES]; ROWS]>::try_from(&mut *lines) {
            slices.sub_tile(tile, factors, panel);
        } else {
            let mut tile = [[0.0; LANES]; ROWS];
            tile[..count].copy_from_slice(lines);
            slices.sub_tile(&mut tile, factors, panel);
            lines.copy_from_slice(&tile[..count]);
        }
    }
}

/// What `of` makes of each block of columns of the inverse of a lower triangular matrix, as [`forward`] computes it: it gets the
/// block's first column and its columns, side by side, from that row on; columns past the last are 0. The entries on and above the
/// diagonal of `lower` are not read.
pub(super) fn inverse_columns<T: Send + Default>(
    team: Team<'_>,
    (order, lower): (usize, &[f64]),
    diagonal: Option<&[f64]>,
    of: impl Fn(usize, &Lanes) -> T + Sync,
) -> Vec<T> {
    let slices = RealSlices::new();
    let mut all: Vec<T> = (0..order.div_ceil(LANES)).map(|_| T::default()).collect();
    let columns = || Vec::with_capacity(order);
    team.each_with(all.iter_mut().enumerate(), columns, |columns, (number, made)| {
        let first = number * LANES;
        columns.clear();
        columns.resize(order - first, [0.0; LANES]);
        (0..LANES.min(order - first)).for_each(|i| columns[i][i] = 1.0);
        forward(slices, |i| &lower[(first + i) * order + first..], diagonal.map(|all| &all[first..]), columns);
        *made = of(first, columns);
    });
    all
}

/// `|X| weights` for the inverse `X` of a lower triangular matrix with ones on its diagonal, computed by [`inverse_columns`]. The bits do
/// not depend on the number of threads.
pub(super) fn inverse_sums(team: Team<'_>, (order, lower): (usize, &[f64]), weights: &[f64]) -> Vec<f64> {
    let parts = inverse_columns(team, (order, lower), None, |first, columns| weighted(columns, &weights[first..]));
    add_parts(order, parts.iter().enumerate().map(|(number, part)| (number * LANES, part.as_slice())))
}

/// For each row the sum of the entries' sizes times weights.
pub(super) fn weighted(rows: &Lanes, weights: &[f64]) -> Vec<f64> {
    rows.iter().map(|line| line.iter().zip(weights).map(|(x, w)| x.abs() * w).sum()).collect()
}

/// The sum of vectors, each from an index on.
pub(super) fn add_parts<'a>(len: usize, parts: impl Iterator<Item = (usize, &'a [f64])>) -> Vec<f64> {
    let mut sums = vec![0.0; len];
    for (first, part) in parts {
        sums[first..].iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ones, and small integers below the diagonal.
    fn lower(order: usize) -> Vec<f64> {
        let entry = |e: usize| match (e / order).cmp(&(e % order)) {
            std::cmp::Ordering::Greater if e.is_multiple_of(3) => (e % 5) as f64 - 2.0,
            std::cmp::Ordering::Equal => 1.0,
            _ => 0.0,
        };
        (0..order * order).map(entry).collect()
    }

    #[test]
    fn solutions_are_those_of_the_definition() {
        for order in [1, 2, 3, 4, 5, 8, 13] {
            let (matrix, diagonal) =
                (lower(order), (0..order).map(|i| 2f64.powi(i as i32 % 3 - 1)).collect::<Vec<_>>());
            for diagonal in [None, Some(diagonal.as_slice())] {
                let x: Vec<[f64; LANES]> =
                    (0..order).map(|i| std::array::from_fn(|c| ((i * 7 + c) % 9) as f64 - 4.0)).collect();
                let times = |i: usize, c: usize| {
                    (0..i).map(|s| matrix[i * order + s] * x[s][c]).sum::<f64>()
                        + diagonal.map_or(1.0, |d| d[i]) * x[i][c]
                };
                let mut found: Vec<[f64; LANES]> = (0..order).map(|i| std::array::from_fn(|c| times(i, c))).collect();
                forward(RealSlices::new(), |i| &matrix[i * order..], diagonal, &mut found);
                assert_eq!(found, x, "{order}");
            }
        }
    }

    #[test]
    fn sums_of_inverses_are_those_of_the_definition() {
        for order in [1, 2, 31, 32, 33, 70] {
            // The inverse of a bidiagonal matrix of ones and minus ones has ones in its lower triangle.
            let matrix: Vec<f64> = (0..order * order)
                .map(|e| f64::from(u8::from(e / order == e % order)) - f64::from(u8::from(e / order == e % order + 1)))
                .collect();
            let weights: Vec<f64> = (0..order).map(|i| (i % 4) as f64).collect();
            let expected: Vec<f64> = (0..order).map(|i| weights[..=i].iter().sum()).collect();
            assert_eq!(inverse_sums(Team::ALONE, (order, &matrix), &weights), expected);
            let double: Vec<f64> = matrix.iter().map(|x| 2.0 * x).collect();
            let of = |first: usize, columns: &Lanes| vec![first as f64, columns[0][0], columns[order - first - 1][0]];
            let found = inverse_columns(Team::ALONE, (order, &double), Some(&vec![2.0; order]), of);
            let number = |i: usize| (LANES * i) as f64;
            assert!(found.iter().enumerate().all(|(i, made)| *made == [number(i), 0.5, 0.5]), "{order}");
        }
    }
}

//! Hadamard matrices of the orders up to 32.
//!
//! Sylvester: Kronecker powers of `[[1, 1], [1, -1]]`. Paley (1933), with the quadratic character `chi` of GF(q): for `q = 3 mod
//! 4` the matrix `I + S` of order `q + 1`, and for `q = 1 mod 4` the matrix `C (x) [[1, 1], [1, -1]] + I (x) [[1, -1], [-1, -1]]`
//! of order `2 (q + 1)`, where `S` and `C` are the matrices `chi(i - j)` bordered by ones, `S` with its first column
//! negated.

/// The entries, row after row, with the first row and column all 1; `None` where no construction here has the order.
pub(super) fn matrix(order: usize) -> Option<Vec<i64>> {
    let mut entries = match order {
        1 | 2 | 4 | 8 | 16 | 32 => sylvester(order),
        12 => first(11),
        20 => first(19),
        24 => first(23),
        28 => second(13),
        _ => return None,
    };
    for column in 0..order {
        let sign = entries[column];
        (0..order).for_each(|row| entries[row * order + column] *= sign);
    }
    for row in entries.chunks_exact_mut(order) {
        let sign = row[0];
        for entry in row {
            *entry *= sign;
        }
    }
    Some(entries)
}

fn sylvester(order: usize) -> Vec<i64> {
    let sign = |i: usize| if ((i / order) & (i % order)).count_ones().is_multiple_of(2) { 1 } else { -1 };
    (0..order * order).map(sign).collect()
}

/// 0, 1 for squares, -1 for the rest, modulo a prime.
fn character(q: usize, x: usize) -> i64 {
    match x % q {
        0 => 0,
        x if (1..q).any(|y| y * y % q == x) => 1,
        _ => -1,
    }
}

/// `chi(i - j)` below a first row of ones and beside a first column of `left`, with 0 in the corner.
fn bordered(q: usize, left: i64) -> Vec<i64> {
    let entry = |row: usize, column: usize| match (row, column) {
        (0, 0) => 0,
        (0, _) => 1,
        (_, 0) => left,
        _ => character(q, row + q - column),
    };
    let order = q + 1;
    (0..order * order).map(|i| entry(i / order, i % order)).collect()
}

fn first(q: usize) -> Vec<i64> {
    let mut entries = bordered(q, -1);
    (0..=q).for_each(|i| entries[i * (q + 1) + i] += 1);
    entries
}

fn second(q: usize) -> Vec<i64> {
    let (half, conference) = (q + 1, bordered(q, 1));
    let order = 2 * half;
    let entry = |row: usize, column: usize| {
        let c = conference[row / 2 * half + column / 2];
        let walsh = [[1, 1], [1, -1]][row % 2][column % 2];
        let diagonal = if row / 2 == column / 2 { [[1, -1], [-1, -1]][row % 2][column % 2] } else { 0 };
        c * walsh + diagonal
    };
    (0..order * order).map(|i| entry(i / order, i % order)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_orthogonal_and_normalised() {
        for order in [1, 2, 4, 8, 12, 16, 20, 24, 28, 32] {
            let h = matrix(order).unwrap();
            assert_eq!(h.len(), order * order);
            assert!(h.iter().all(|entry| entry.abs() == 1), "{order}");
            assert!((0..order).all(|i| h[i] == 1 && h[i * order] == 1), "{order}");
            for (i, j) in (0..order).flat_map(|i| (0..order).map(move |j| (i, j))) {
                let product: i64 = (0..order).map(|k| h[i * order + k] * h[j * order + k]).sum();
                assert_eq!(product, if i == j { order as i64 } else { 0 }, "{order}: rows {i} and {j}");
            }
        }
        for order in [0, 3, 6, 10, 13, 36, 64] {
            assert_eq!(matrix(order), None);
        }
    }
}

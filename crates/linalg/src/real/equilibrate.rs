//! Equilibration of a matrix by powers of two, so that no row or column lies near an end of the range of doubles: scaling to an
//! I-matrix (Olschowka and Neumaier, Linear Algebra and its Applications 240 (1996)), by shortest augmenting paths (the Hungarian
//! method; Duff and Koster, SIAM J. Matrix Anal. Appl. 22 (2001)).
//!
//! Let entry `a[i][j]` that is not 0 have the exponent `e[i][j]`, so that `2^(e - 1) <= |a| < 2^e`. Of all permutations `s` without
//! entries 0 one has the largest sum of `e[i][s(i)]`; linear programming gives integers `r` and `c` with
//!
//! ```text
//! e[i][j] + r[i] + c[j] <= 0   for all entries,   = 0 for j = s(i)
//! ```
//!
//! so that `2^r[i] a[i][j] 2^c[j]` is below 1 everywhere and at least 1/2 once in each row and column: the largest term of the
//! determinant becomes about 1, and what scaling brings below the normal range, where it is rounded, is less than `2^-1021` beside
//! it. A matrix without such a permutation has a determinant of 0.

use manycore_device::Team;

use super::scaled::Scaled;

/// The sizes of entries of matrices that are left as they are: products and quotients of three such numbers are `2^254` or more
/// away from both ends of the range.
pub(super) const ORDINARY: std::ops::RangeInclusive<f64> = LEAST..=MOST;
/// `2^-256`.
const LEAST: f64 = f64::from_bits((1023 - 256) << 52);
/// `2^256`.
const MOST: f64 = f64::from_bits((1023 + 256) << 52);
/// Entries that a thread takes at a time.
const TASK: usize = 1 << 14;

/// Whether all entries are 0 or of ordinary size; infinite ones and those that are no numbers are not.
pub(super) fn is_ordinary(team: Team<'_>, words: &[f64]) -> bool {
    let mut parts = vec![true; words.len().div_ceil(TASK)];
    let tasks = parts.iter_mut().zip(words.chunks(TASK));
    team.each(tasks, |(is, words)| *is = words.iter().all(|x| *x == 0.0 || ORDINARY.contains(&x.abs())));
    parts.into_iter().all(|is| is)
}

/// A matrix whose determinant is that of another one over a power of two.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Equilibrated {
    /// The entries, row after row, below 1 in size and at least 1/2 once in each row and column; those below the normal range are
    /// rounded.
    pub(super) words: Vec<f64>,
    /// The exponent of the power of two.
    pub(super) exponent: i64,
}

impl Equilibrated {
    /// Scales a matrix of finite entries; `None` where the places of entries that are not 0 make every determinant 0. `O(n^3)` for
    /// order `n`, and `O(n^2)` where the largest entries of rows stand in different columns.
    pub(super) fn of(order: usize, words: &[f64]) -> Option<Self> {
        let exponents: Vec<i16> = words.iter().map(|&x| exponent(x)).collect();
        let [rows, columns] = potentials(order, &exponents)?;
        let scaled = |(e, &x): (usize, &f64)| Scaled::new(x, rows[e / order] + columns[e % order]).to_f64();
        let total: i64 = rows.iter().chain(&columns).sum();
        Some(Self { words: words.iter().enumerate().map(scaled).collect(), exponent: -total })
    }
}

/// What has no exponent.
const NONE: i16 = i16::MIN;

/// The exponent of a number, which is in `-1073..=1024`; [`NONE`] of 0.
fn exponent(x: f64) -> i16 {
    if x == 0.0 { NONE } else { Scaled::new(x, 0).exponent as i16 }
}

/// The exponents of rows and of columns for which sums with those of entries are 0 or less, and 0 for a permutation.
fn potentials(order: usize, exponents: &[i16]) -> Option<[Vec<i64>; 2]> {
    let mut matching = Matching::begun(order, exponents)?;
    for row in 0..order {
        if matching.column_of[row].is_none() {
            matching.extend(row)?;
        }
    }
    Some([matching.rows, matching.columns])
}

/// A matching of rows and columns by entries whose sums are 0, where all sums are 0 or less.
struct Matching<'a> {
    order: usize,
    exponents: &'a [i16],
    rows: Vec<i64>,
    columns: Vec<i64>,
    column_of: Vec<Option<usize>>,
    row_of: Vec<Option<usize>>,
}

impl<'a> Matching<'a> {
    /// Scales rows by their largest entries, then columns, and matches what it can one after the other; `None` where a row or a
    /// column has zeros alone.
    fn begun(order: usize, exponents: &'a [i16]) -> Option<Self> {
        let mut rows = Vec::with_capacity(order);
        let mut most = vec![i64::MIN; order];
        for line in exponents.chunks(order) {
            let largest = line.iter().copied().filter(|&e| e != NONE).max()?;
            rows.push(-i64::from(largest));
            for (most, &e) in most.iter_mut().zip(line).filter(|(_, e)| **e != NONE) {
                *most = (*most).max(i64::from(e) - i64::from(largest));
            }
        }
        if most.contains(&i64::MIN) {
            return None;
        }
        let columns: Vec<i64> = most.into_iter().map(|most| -most).collect();
        let mut begun =
            Self { order, exponents, rows, columns, column_of: vec![None; order], row_of: vec![None; order] };
        for row in 0..order {
            let free = (0..order).find(|&j| begun.row_of[j].is_none() && begun.distance(row, j) == Some(0));
            if let Some(column) = free {
                begun.column_of[row] = Some(column);
                begun.row_of[column] = Some(row);
            }
        }
        Some(begun)
    }

    /// The distance of an entry's sum below 0.
    fn distance(&self, row: usize, column: usize) -> Option<i64> {
        let e = self.exponents[row * self.order + column];
        (e != NONE).then(|| -(i64::from(e) + self.rows[row] + self.columns[column]))
    }

    /// Matches one more row along the shortest path to a free column (Dijkstra); `None` where no path leads to one.
    fn extend(&mut self, start: usize) -> Option<()> {
        let order = self.order;
        let mut nearest = vec![i64::MAX; order];
        let mut before = vec![start; order];
        let mut is_reached = vec![false; order];
        let mut reached = Vec::new();
        let (mut row, mut length) = (start, 0);
        let end = loop {
            let mut next: Option<usize> = None;
            for column in (0..order).filter(|&column| !is_reached[column]) {
                if let Some(distance) = self.distance(row, column)
                    && length + distance < nearest[column]
                {
                    nearest[column] = length + distance;
                    before[column] = row;
                }
                if next.is_none_or(|other| nearest[column] < nearest[other]) {
                    next = Some(column);
                }
            }
            let column = next.filter(|&column| nearest[column] < i64::MAX)?;
            is_reached[column] = true;
            reached.push(column);
            length = nearest[column];
            match self.row_of[column] {
                Some(matched) => row = matched,
                None => break column,
            }
        };
        self.rows[start] += length;
        for &column in &reached {
            let change = length - nearest[column];
            self.columns[column] -= change;
            if let Some(row) = self.row_of[column] {
                self.rows[row] += change;
            }
        }
        let mut column = end;
        loop {
            let row = before[column];
            let other = self.column_of[row].replace(column);
            self.row_of[column] = Some(row);
            match other {
                Some(other) => column = other,
                None => return Some(()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The largest sum of exponents over all permutations.
    fn best(order: usize, exponents: &[i16]) -> Option<i64> {
        fn of(order: usize, exponents: &[i16], row: usize, taken: u32) -> Option<i64> {
            if row == order {
                return Some(0);
            }
            let free = (0..order).filter(|&j| taken >> j & 1 == 0 && exponents[row * order + j] != NONE);
            let sums = free.filter_map(|j| {
                Some(i64::from(exponents[row * order + j]) + of(order, exponents, row + 1, taken | 1 << j)?)
            });
            sums.max()
        }
        of(order, exponents, 0, 0)
    }

    #[test]
    fn ordinary_sizes_are_told_from_others() {
        for (x, expected) in [
            (0.0, true),
            (-0.0, true),
            (1.0, true),
            (-LEAST, true),
            (MOST, true),
            (LEAST.next_down(), false),
            (-MOST.next_up(), false),
            (5e-324, false),
            (f64::NAN, false),
            (f64::NEG_INFINITY, false),
        ] {
            assert_eq!(is_ordinary(Team::ALONE, &[1.0, x, 2.0]), expected, "{x}");
        }
        assert!(is_ordinary(Team::ALONE, &[]));
        let mut many = vec![1.0; 3 * TASK];
        assert!(is_ordinary(Team::ALONE, &many));
        many[2 * TASK + 1] = 1e-300;
        assert!(!is_ordinary(Team::ALONE, &many));
    }

    #[test]
    fn known_matrices_are_equilibrated() {
        let tiny = f64::from_bits(1);
        let found = Equilibrated::of(2, &[tiny, 2.0 * tiny, 3.0 * tiny, -tiny]).unwrap();
        assert_eq!(found.exponent, -2 * 1072);
        let largest = found.words.iter().map(|x| x.abs()).fold(0.0, f64::max);
        assert_eq!(largest.to_bits(), 0.75f64.to_bits());
        assert_eq!(Equilibrated::of(1, &[-f64::MAX]).unwrap().exponent, 1024);
        assert_eq!(Equilibrated::of(2, &[1.0, 2.0, 0.0, 0.0]), None);
        assert_eq!(Equilibrated::of(3, &[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0]), None);
        let apart = Equilibrated::of(2, &[1e300, 1e-300, 1e-300, 1e300]).unwrap();
        assert!(apart.words[1] == 0.0 && apart.words[2] == 0.0, "{apart:?}");
    }

    proptest! {
        #[test]
        fn potentials_are_those_of_the_best_permutation(order in 1usize..7, kind in 0u8..3, seed: u64) {
            let mut random = manycore_verify::SplitMix::new(seed);
            let mut entry = || match (kind, random.next_word()) {
                (0, word) => (word % 2098) as i16 - 1073,
                (1, word) => (word % 3) as i16,
                (_, word) if word.is_multiple_of(2) => NONE,
                (_, word) => (word % 100) as i16,
            };
            let exponents: Vec<i16> = (0..order * order).map(|_| entry()).collect();
            let found = potentials(order, &exponents);
            prop_assert_eq!(found.as_ref().map(|all| -all.iter().flatten().sum::<i64>()), best(order, &exponents));
            if let Some([rows, columns]) = found {
                for (e, &own) in exponents.iter().enumerate().filter(|(_, own)| **own != NONE) {
                    prop_assert!(i64::from(own) + rows[e / order] + columns[e % order] <= 0);
                }
            }
        }
    }
}

//! Misses on the vector of a sparse matrix-vector product (chapter 6).

use manycore_model::cache::{Array, Geometry, Layout, LeastRecentlyUsed, Optimal, Simulator};
use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::StdRng};

/// Chooses non-zeros by row and column.
type Class<'c> = &'c dyn Fn(usize, usize) -> bool;
/// Rows as lists of ascending column indices.
type Pattern = Vec<Vec<usize>>;

/// The five-point Laplacian on a grid of `side` by `side` points in natural order.
fn laplacian(side: usize) -> Pattern {
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

/// The line-aligned vector `x` and the accesses to it, row after row, of the non-zeros that `select` keeps.
fn accesses<'p>(
    pattern: &'p Pattern,
    geometry: Geometry,
    select: impl Fn(usize, usize) -> bool + Copy + 'p,
) -> impl Iterator<Item = u64> + 'p {
    let x: Array = Layout::new(geometry).array(pattern.len() as u64);
    pattern.iter().enumerate().flat_map(move |(row, columns)| {
        columns.iter().filter(move |&&column| select(row, column)).map(move |&column| x.at(column as u64))
    })
}

#[test]
fn natural_laplacian_has_compulsory_misses_only() {
    let pattern = laplacian(256);
    for lines in [182, 512, 2048] {
        let geometry = Geometry::with_lines(lines, 8).unwrap();
        let report = Optimal::new(geometry).run(accesses(&pattern, geometry, |_, _| true));
        assert_eq!((report.misses, report.compulsory), (8192, 8192), "{lines} lines");
        assert_eq!(report.accesses, 5 * 65_536 - 4 * 256);
    }
}

/// Rows and columns each in a random order.
fn shuffled(pattern: &Pattern, seed: u64) -> Pattern {
    let mut random = StdRng::seed_from_u64(seed);
    let mut columns: Vec<usize> = (0..pattern.len()).collect();
    columns.shuffle(&mut random);
    let mut rows: Pattern = pattern.iter().map(|row| row.iter().map(|&column| columns[column]).collect()).collect();
    for row in &mut rows {
        row.sort_unstable();
    }
    rows.shuffle(&mut random);
    rows
}

fn transposed(pattern: &Pattern) -> Pattern {
    let mut columns = vec![vec![]; pattern.len()];
    for (row, entries) in pattern.iter().enumerate() {
        for &column in entries {
            columns[column].push(row);
        }
    }
    columns
}

/// A square matrix in the order of Algorithm 7 as far as Proposition 20 needs it: rows by winners, lists of columns by
/// first row, merged by `b`, then refined once by the next row, descending. No row or column may be empty.
struct Ordered {
    pattern: Pattern,
    /// By new column: rows, ascending.
    columns: Pattern,
    /// By new column: the list before merging.
    owner: Vec<usize>,
    /// By new row: the list with most non-zeros, for rows that are first in no column.
    winner: Vec<Option<usize>>,
    b: usize,
}

fn order(pattern: &Pattern, b: usize) -> Ordered {
    let n = pattern.len();
    let columns = transposed(pattern);
    let mut participates = vec![false; n];
    for rows in &columns {
        participates[rows[0]] = true;
    }
    // A participating row is the first one of the columns of exactly one list: it names the list.
    let mut list_of_row = vec![0; n];
    for (list, row) in (0..n).filter(|&row| participates[row]).enumerate() {
        list_of_row[row] = list;
    }
    let owner = |column: usize| list_of_row[columns[column][0]];
    let winner = |row: usize| {
        let mut owners: Vec<usize> = pattern[row].iter().map(|&column| owner(column)).collect();
        owners.sort_unstable();
        let count = |list: usize| owners.iter().filter(|&&other| other == list).count();
        // The last of equals is taken, so the smallest list must come last.
        owners.iter().rev().copied().max_by_key(|&list| count(list)).unwrap()
    };
    let mut gamma: Vec<usize> = (0..n).collect();
    gamma.sort_by_key(|&row| if participates[row] { (0, row) } else { (1 + winner(row), 0) });
    let mut new_row = vec![0; n];
    gamma.iter().enumerate().for_each(|(new, &old)| new_row[old] = new);

    let renumber = |rows: &Vec<usize>| {
        let mut rows: Vec<usize> = rows.iter().map(|&row| new_row[row]).collect();
        rows.sort_unstable();
        rows
    };
    let renumbered: Pattern = columns.iter().map(renumber).collect();
    let mut place: Vec<usize> = (0..n).collect();
    place.sort_by_key(|&column| {
        let list = renumbered[column][0] / b;
        let next = renumbered[column].iter().find(|&&row| row >= (list + 1) * b).copied();
        (list, std::cmp::Reverse(next.unwrap_or(n)), renumbered[column][0])
    });
    let ordered: Pattern = place.iter().map(|&column| renumbered[column].clone()).collect();
    Ordered {
        pattern: transposed(&ordered),
        owner: place.iter().map(|&column| owner(column)).collect(),
        winner: gamma.iter().map(|&row| (!participates[row]).then(|| winner(row))).collect(),
        columns: ordered,
        b,
    }
}

impl Ordered {
    /// First row after those merged into the column's list.
    fn end_of_list(&self, column: usize) -> usize {
        (self.columns[column][0] / self.b + 1) * self.b
    }

    fn alpha(&self, row: usize, column: usize) -> bool {
        row < self.end_of_list(column)
    }

    fn beta(&self, row: usize, column: usize) -> bool {
        let end = self.end_of_list(column);
        self.columns[column].iter().find(|&&other| other >= end) == Some(&row)
    }

    fn delta(&self, row: usize, column: usize) -> bool {
        self.winner[row] == Some(self.owner[column])
    }
}

#[test]
fn vector_of_the_specification() {
    // One round of refinement leaves one list of two columns, which the second round does not change.
    let given = vec![vec![1, 4], vec![0, 5], vec![0, 1], vec![2, 3], vec![1, 2, 5], vec![0, 3, 4]];
    let ordered = order(&given, 2);
    let expected = [vec![0, 2], vec![1, 3], vec![4, 5], vec![2, 3], vec![1, 2, 5], vec![0, 3, 4]];
    assert_eq!(ordered.pattern, expected);
    assert_eq!(ordered.winner, [None, None, None, Some(0), Some(0), Some(0)]);
}

/// Proposition 20 with its corrected constants: 3 n / L + 3 sqrt(n / L) + 2 misses on x for the non-zeros of classes
/// alpha, beta and delta, each class alone and all three in their real order, with Z >= 2 sqrt(n L).
#[test]
fn alpha_beta_and_delta_are_scans() {
    let (side, line_words) = (128_usize, 8_u64);
    let n = (side * side) as u64;
    let natural = laplacian(side);
    let non_zeros: usize = natural.iter().map(Vec::len).sum();
    let root = ((n * line_words) as f64).sqrt();
    let geometry = Geometry::with_lines((2.0 * root / line_words as f64).ceil() as u64, line_words).unwrap();
    let b = (root * n as f64 / non_zeros as f64).round() as usize;
    let bound = 3.0 * (n / line_words) as f64 + 3.0 * ((n / line_words) as f64).sqrt() + 2.0;
    for seed in 0..3 {
        let random = shuffled(&natural, seed);
        let ordered = order(&random, b);
        let classes: [(&str, Class<'_>); 3] = [
            ("alpha", &|row, column| ordered.alpha(row, column)),
            ("beta", &|row, column| ordered.beta(row, column)),
            ("delta", &|row, column| ordered.delta(row, column)),
        ];
        let run = |pattern: &Pattern, select: Class<'_>| {
            Optimal::new(geometry).run(accesses(pattern, geometry, select)).misses
        };
        let mut sum = 0;
        for (name, class) in classes {
            let misses = run(&ordered.pattern, class);
            assert!(misses as f64 <= bound / 3.0 * 1.1, "{name}: {misses} misses are more than one scan's");
            sum += misses;
        }
        let union = run(&ordered.pattern, &|row, column| classes.iter().any(|(_, class)| class(row, column)));
        assert!(sum as f64 <= bound && union as f64 <= bound, "sum {sum}, union {union}, bound {bound}");
        // The classes are the smaller part of all non-zeros; the order helps these too, by half or more.
        let (before, after) = (run(&random, &|_, _| true), run(&ordered.pattern, &|_, _| true));
        assert!(before as f64 > bound && 2 * after < before, "{before} misses become {after}");
        let mut lru = LeastRecentlyUsed::new(geometry);
        assert!(lru.run(accesses(&ordered.pattern, geometry, |_, _| true)).misses >= after);
    }
}

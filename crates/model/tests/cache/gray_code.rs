//! The Gray-code order of a sparse matrix (chapter 6, Algorithm 7 as corrected) and its classes of non-zeros.

use manycore_model::cache::{Geometry, Optimal, Simulator};

use crate::sparse_patterns::{Pattern, accesses, transposed};

/// Chooses non-zeros by row and column.
pub(crate) type Class<'c> = &'c dyn Fn(usize, usize) -> bool;

/// A square matrix in the order of Algorithm 7, corrected, with `t = 0.9`.
pub(crate) struct Ordered {
    pub(crate) pattern: Pattern,
    /// By new column: rows, ascending.
    pub(crate) columns: Pattern,
    /// By new column: the list before merging.
    owner: Vec<Option<usize>>,
    /// By new row: the list with most non-zeros, for rows that are first in no column.
    pub(crate) winner: Vec<Option<usize>>,
    b: usize,
}

/// The list with most of the row's non-zeros, the first one of equals; `None` for an empty row.
fn winner(mut owners: Vec<usize>) -> Option<usize> {
    owners.sort_unstable();
    let runs = owners.chunk_by(|one, other| one == other);
    // The last of equals is taken, so the smallest list must come last.
    runs.rev().max_by_key(|run| run.len()).map(|run| run[0])
}

/// Orders rows and columns of a square matrix by Algorithm 7.
pub(crate) fn order(pattern: &Pattern, b: usize) -> Ordered {
    let n = pattern.len();
    let columns = transposed(pattern);
    let mut participates = vec![false; n];
    for &first in columns.iter().filter_map(|rows| rows.first()) {
        participates[first] = true;
    }
    // A participating row is the first one of the columns of exactly one list: it names the list.
    let mut list_of_row = vec![0; n];
    for (list, row) in (0..n).filter(|&row| participates[row]).enumerate() {
        list_of_row[row] = list;
    }
    let owner = |column: usize| columns[column].first().map(|&row| list_of_row[row]);
    let winners: Vec<Option<usize>> = (0..n)
        .map(|row| {
            let owners = || pattern[row].iter().filter_map(|&column| owner(column)).collect();
            if participates[row] { None } else { winner(owners()) }
        })
        .collect();
    let mut gamma: Vec<usize> = (0..n).collect();
    gamma.sort_by_key(|&row| match winners[row] {
        _ if participates[row] => (0, row),
        Some(list) => (1, list),
        None => (2, 0),
    });
    let mut new_row = vec![0; n];
    gamma.iter().enumerate().for_each(|(new, &old)| new_row[old] = new);

    let renumber = |rows: &Vec<usize>| {
        let mut rows: Vec<usize> = rows.iter().map(|&row| new_row[row]).collect();
        rows.sort_unstable();
        rows
    };
    let columns: Pattern = columns.iter().map(renumber).collect();
    let place = place_columns(&columns, b);
    let owners = place.iter().map(|&column| columns[column].first().map(|&row| list_of_row[gamma[row]])).collect();
    let columns: Pattern = place.iter().map(|&column| columns[column].clone()).collect();
    Ordered {
        pattern: transposed(&columns),
        owner: owners,
        winner: gamma.iter().map(|&row| winners[row]).collect(),
        columns,
        b,
    }
}

/// Steps 1 and 4 to 6 of the algorithm: columns by first row, lists merged by `b`, refined by the rows that follow,
/// descending and ascending in turn, until there are more than `0.9 n` lists.
fn place_columns(columns: &Pattern, b: usize) -> Vec<usize> {
    let n = columns.len();
    let first = |column: usize| columns[column].first().copied().unwrap_or(n);
    let mut place: Vec<usize> = (0..n).collect();
    place.sort_by_key(|&column| first(column));
    // Of each column the rows below those merged into its list; element 0 of the paper's `w` is the list.
    let below: Vec<&[usize]> = (0..n)
        .map(|column| {
            let rows = &columns[column];
            &rows[rows.partition_point(|&row| row < (first(column) / b + 1) * b)..]
        })
        .collect();
    let mut class: Vec<usize> = (0..n).map(|column| first(column) / b).collect();
    for round in 0.. {
        let classes = place.chunk_by(|&one, &other| class[one] == class[other]);
        let refinable = |class: &[usize]| class.len() > 1 && class.iter().any(|&column| below[column].len() > round);
        if 10 * classes.clone().count() > 9 * n || !classes.clone().any(refinable) {
            break;
        }
        let key = |column: usize| below[column].get(round).copied().unwrap_or(n);
        let directed = |column: usize| if round % 2 == 0 { n - key(column) } else { key(column) };
        place.sort_by_key(|&column| (class[column], directed(column)));
        let mut refined = vec![0; n];
        for pair in place.windows(2) {
            let same = class[pair[0]] == class[pair[1]] && key(pair[0]) == key(pair[1]);
            refined[pair[1]] = refined[pair[0]] + usize::from(!same);
        }
        class = refined;
    }
    place
}

impl Ordered {
    /// First row after those merged into the column's list.
    fn end_of_list(&self, column: usize) -> usize {
        self.columns[column].first().map_or(0, |first| (first / self.b + 1) * self.b)
    }

    /// In a row that was merged into the column's list.
    pub(crate) fn alpha(&self, row: usize, column: usize) -> bool {
        row < self.end_of_list(column)
    }

    /// The first after those.
    fn beta(&self, row: usize, column: usize) -> bool {
        let end = self.end_of_list(column);
        self.columns[column].iter().find(|&&other| other >= end) == Some(&row)
    }

    /// In a row whose winner is the column's list before merging.
    fn delta(&self, row: usize, column: usize) -> bool {
        self.winner[row].is_some() && self.winner[row] == self.owner[column]
    }

    pub(crate) fn is_covered(&self, row: usize, column: usize) -> bool {
        self.alpha(row, column) || self.beta(row, column) || self.delta(row, column)
    }

    /// Non-zeros in the three classes.
    pub(crate) fn covered(&self) -> u64 {
        let rows = self.pattern.iter().enumerate();
        rows.map(|(row, columns)| columns.iter().filter(|&&column| self.is_covered(row, column)).count() as u64).sum()
    }

    pub(crate) fn non_zeros(&self) -> u64 {
        self.pattern.iter().map(|row| row.len() as u64).sum()
    }

    /// Optimal misses on a class of non-zeros.
    pub(crate) fn misses(&self, geometry: Geometry, class: Class<'_>) -> u64 {
        Optimal::new(geometry).run(accesses(&self.pattern, geometry, class)).misses
    }

    /// Optimal misses of the classes alpha, beta and delta, each alone.
    pub(crate) fn misses_by_class(&self, geometry: Geometry) -> [u64; 3] {
        let classes: [Class<'_>; 3] = [&|r, c| self.alpha(r, c), &|r, c| self.beta(r, c), &|r, c| self.delta(r, c)];
        classes.map(|class| self.misses(geometry, class))
    }

    /// Columns of each merged list.
    pub(crate) fn widths_of_lists(&self) -> Vec<usize> {
        let ends: Vec<usize> = (0..self.columns.len()).map(|column| self.end_of_list(column)).collect();
        ends.chunk_by(|one, other| one == other).map(<[usize]>::len).collect()
    }
}

//! Order of rows and columns by the binary reflected Gray code: paper 002, section 6.3, Algorithms 6 to 9 as corrected.

use manycore_sort::{Refinement, SortOrder};

use super::room::Room;
use crate::error::SparseError;
use crate::pattern::Pattern;
use crate::permutation::{ColumnPermutation, Reordering, RowPermutation};

/// The owner of an empty column and the winner of a row that has none.
pub(super) const NONE: u32 = u32::MAX;

/// Of each row and column: owner or winner, whether a row participates, counts of lists, the order and the sort by lists, where rows begin
/// in the transposed pattern, twice, begin and end of a tail, and the refinement's order, classes and marks. Of each non-zero its row in
/// the transposed pattern.
const ROOM: Room = Room { line_bytes: 4 + 1 + 4 + 8 + 16 + 12 + 16 + 48, non_zero_bytes: 4 };

/// Parameters of the order by the Gray code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrayOptions {
    /// `L`, the words of `x` on a cache line: 8 for `f64` and lines of 64 bytes.
    pub line_words: usize,
    /// `b`, the rows whose lists of columns are merged; `None` for `max(1, sqrt(n L) / rho)` with `rho` non-zeros a row
    /// on average, which needs the smallest cache (paper 002, Proposition 20).
    pub merged_rows: Option<usize>,
    /// `t`, between 0 and 1: rounds end when there are more than `t n` classes of columns.
    pub enough_classes: f64,
}

impl GrayOptions {
    /// Lines of 8 words, `b` by the formula, `t = 0.9`.
    pub const DEFAULT: Self = Self { line_words: 8, merged_rows: None, enough_classes: 0.9 };

    /// The defaults for lines of `line_bytes` and values of `value_bytes`.
    pub fn for_lines(line_bytes: usize, value_bytes: usize) -> Self {
        Self { line_words: (line_bytes / value_bytes.max(1)).max(1), ..Self::DEFAULT }
    }

    fn merged_rows(&self, pattern: &Pattern) -> Result<usize, SparseError> {
        let wrong = |name, value: String, expected| Err(SparseError::Parameter { name, value, expected });
        if self.line_words == 0 {
            return wrong("the line", "0 words".into(), "one word or more");
        }
        if !(self.enough_classes > 0.0 && self.enough_classes < 1.0) {
            return wrong("t", self.enough_classes.to_string(), "numbers between 0 and 1");
        }
        match self.merged_rows {
            Some(0) => wrong("b", "0".into(), "one row or more"),
            Some(b) => Ok(b),
            None => {
                let rho = pattern.non_zeros() as f64 / pattern.rows() as f64;
                let b = ((pattern.columns() as f64 * self.line_words as f64).sqrt() / rho).round();
                // No row or no non-zero: any number will do.
                Ok(if b.is_finite() && b >= 1.0 { b as usize } else { 1 })
            }
        }
    }
}

impl Default for GrayOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// An order by the Gray code, with what [`NonZeroClasses`](super::NonZeroClasses) needs of it.
///
/// Columns are sorted by their first row; rows that are first in no column go, behind the others, to the list of
/// columns that owns most of their non-zeros; the lists of `b` consecutive rows are merged, and each is sorted by the
/// Gray code of the rows that follow. Every non-zero counts as 1.
#[derive(Debug, Clone, PartialEq)]
pub struct GrayOrder {
    /// The order of rows and columns.
    pub reordering: Reordering,
    /// `b`, as it was given or found.
    pub merged_rows: usize,
    /// Rows that are the first non-zero row of a column; they come first, in their given order.
    pub participating_rows: usize,
    /// Lists of columns after merging.
    pub merged_lists: usize,
    /// Classes of columns at the end, at most `n`.
    pub classes: usize,
    /// Rounds of the Gray sort.
    pub rounds: usize,
    /// For each old column its list before merging, `NONE` for empty ones.
    pub(super) owners: Vec<u32>,
    /// For each old row the list with most of its non-zeros, `NONE` for participating and empty ones.
    pub(super) winners: Vec<u32>,
}

impl GrayOrder {
    /// The order of a pattern of any shape, with empty and repeated rows and columns. `O(m + n + non-zeros)` time, 4
    /// bytes a non-zero and some 50 bytes a row and column of memory.
    ///
    /// # Errors
    /// [`SparseError::Parameter`] for `b` or the line of no word, and `t` that is not between 0 and 1; [`SparseError::Device`] where the
    /// host has no memory for it.
    pub fn new(pattern: &Pattern, options: &GrayOptions) -> Result<Self, SparseError> {
        let b = options.merged_rows(pattern)?;
        ROOM.ask(pattern)?;
        let (owners, participating) = owners(pattern);
        let participating_rows = participating.iter().filter(|&&first| first).count();
        let winners = winners(pattern, &owners, &participating, participating_rows);
        let gamma = row_order(pattern, &participating, &winners, participating_rows);

        // Columns by their new rows. A participating row keeps its place among them, so that the number of a list is
        // the new number of its row.
        let columns = pattern.transposed_in_order(&gamma);
        let first = |column: u32| match owners[column as usize] {
            NONE => pattern.rows(),
            list => list as usize,
        };
        let merged = |column: u32| first(column) / b;
        // Past the rows merged into the column's list; without the list itself, which is element 0 of the paper's `w`. Begin and
        // end stand together: rounds take columns in no order.
        let tails: Vec<(usize, usize)> = (0..pattern.columns() as u32)
            .map(|column| {
                let merged_end = (merged(column) + 1).saturating_mul(b);
                let (begin, end) = (columns.offsets()[column as usize], columns.offsets()[column as usize + 1]);
                let rows = &columns.indices()[begin..end];
                (begin + rows.partition_point(|&row| (row as usize) < merged_end), end)
            })
            .collect();
        let len = |column: u32| tails[column as usize].1 - tails[column as usize].0;

        let mut refinement = Refinement::from_order(columns_by_first(&owners, participating_rows));
        refinement.refine(SortOrder::Ascending, |column| merged(column) as u32, |column| len(column) > 0);
        let merged_lists = refinement.class_count();
        let enough = options.enough_classes * pattern.columns() as f64;
        let mut rounds = 0;
        while refinement.is_active() && refinement.class_count() as f64 <= enough {
            let order = if rounds % 2 == 0 { SortOrder::Descending } else { SortOrder::Ascending };
            let key = |column: u32| {
                let (begin, end) = tails[column as usize];
                if rounds < end - begin { columns.indices()[begin + rounds] } else { pattern.rows() as u32 }
            };
            refinement.refine(order, key, |column| len(column) > rounds + 1);
            rounds += 1;
        }
        let classes = refinement.class_count();
        let columns = ColumnPermutation::known(refinement.into_order());
        let reordering = Reordering { rows: RowPermutation::known(gamma), columns };
        Ok(Self { reordering, merged_rows: b, participating_rows, merged_lists, classes, rounds, owners, winners })
    }
}

/// The list of each column, numbered by its first row among those that are first in a column; and which rows are.
fn owners(pattern: &Pattern) -> (Vec<u32>, Vec<bool>) {
    let mut participating = vec![false; pattern.rows()];
    let mut owners = vec![NONE; pattern.columns()];
    let mut list = 0;
    for (row, participates) in pattern.iter().zip(&mut participating) {
        for &column in row {
            let owner = &mut owners[column as usize];
            if *owner == NONE {
                *owner = list;
                *participates = true;
            }
        }
        list += u32::from(*participates);
    }
    (owners, participating)
}

/// For each row that does not participate the list that owns most of its non-zeros, the smallest of equal ones.
fn winners(pattern: &Pattern, owners: &[u32], participating: &[bool], lists: usize) -> Vec<u32> {
    let mut counts = vec![0u32; lists];
    let mut winner = |row: &[u32]| {
        // The most non-zeros, and of lists with as many the smallest.
        let mut best = (0, NONE);
        for &column in row {
            let list = owners[column as usize];
            let count = &mut counts[list as usize];
            *count += 1;
            if *count > best.0 || (*count == best.0 && list < best.1) {
                best = (*count, list);
            }
        }
        for &column in row {
            counts[owners[column as usize] as usize] = 0;
        }
        best.1
    };
    let rows = pattern.iter().zip(participating);
    rows.map(|(row, &participates)| if participates { NONE } else { winner(row) }).collect()
}

/// Participating rows in their order, then the other rows by their lists, stably, then empty rows: `new to old`.
fn row_order(pattern: &Pattern, participating: &[bool], winners: &[u32], lists: usize) -> Vec<u32> {
    let all = 0..pattern.rows() as u32;
    let mut order = Vec::with_capacity(pattern.rows());
    order.extend(all.clone().filter(|&row| participating[row as usize]));
    order.extend(by_list(all.clone().filter(|&row| winners[row as usize] != NONE), winners, lists));
    order.extend(all.filter(|&row| pattern.row(row as usize).is_empty()));
    order
}

/// Columns by their lists, stably, empty ones last.
fn columns_by_first(owners: &[u32], lists: usize) -> Vec<u32> {
    let all = 0..owners.len() as u32;
    let mut order = by_list(all.clone().filter(|&column| owners[column as usize] != NONE), owners, lists);
    order.extend(all.filter(|&column| owners[column as usize] == NONE));
    order
}

/// Items by the list of each, stably: a counting sort.
fn by_list(items: impl Iterator<Item = u32> + Clone, list_of: &[u32], lists: usize) -> Vec<u32> {
    let mut next = vec![0usize; lists + 1];
    for item in items.clone() {
        next[list_of[item as usize] as usize + 1] += 1;
    }
    for list in 0..lists {
        next[list + 1] += next[list];
    }
    let mut order = vec![0; next[lists]];
    for item in items {
        let at = &mut next[list_of[item as usize] as usize];
        order[*at] = item;
        *at += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::NonZeroClass;

    fn pattern(rows: &[&[u32]], columns: usize) -> Pattern {
        let offsets = (0..=rows.len()).map(|row| rows[..row].iter().map(|row| row.len()).sum()).collect();
        Pattern::from_parts(rows.len(), columns, offsets, rows.concat())
    }

    /// Section 6.7 of the specification.
    #[test]
    fn the_worked_example_is_ordered_as_computed_by_hand() {
        let pattern = pattern(&[&[1, 4], &[0, 5], &[0, 1], &[2, 3], &[1, 2, 5], &[0, 3, 4]], 6);
        let options = GrayOptions { merged_rows: Some(2), ..GrayOptions::DEFAULT };
        let order = GrayOrder::new(&pattern, &options).unwrap();
        assert_eq!((order.participating_rows, order.merged_lists), (3, 2));
        assert_eq!(order.winners, [NONE, NONE, 0, NONE, 0, 0]);
        assert_eq!(order.owners, [1, 0, 2, 2, 0, 1]);
        assert_eq!(order.reordering.rows.new_to_old(), [0, 1, 3, 2, 4, 5]);
        assert_eq!(order.reordering.columns.new_to_old(), [4, 5, 1, 0, 3, 2]);
        assert_eq!((order.classes, order.rounds), (6, 2));
        let ordered = order.reordering.apply_to_pattern(&pattern).unwrap();
        let rows: Vec<String> = ordered
            .iter()
            .map(|row| (0..6).map(|column| if row.contains(&column) { '1' } else { '0' }).collect())
            .collect();
        assert_eq!(rows, ["101000", "010100", "000011", "001100", "011001", "100110"]);
    }

    #[test]
    fn the_classes_of_the_worked_example_are_those_of_their_definitions() {
        let pattern = pattern(&[&[1, 4], &[0, 5], &[0, 1], &[2, 3], &[1, 2, 5], &[0, 3, 4]], 6);
        let options = GrayOptions { merged_rows: Some(2), ..GrayOptions::DEFAULT };
        let order = GrayOrder::new(&pattern, &options).unwrap();
        let classes = order.classify(&pattern).unwrap();
        // New rows 0 and 1 are merged into the first list, 2 and 3 into the second; row 3 (old 2) is below the first.
        let of = |row, column| classes.class(row, column).map(NonZeroClass::letter);
        assert_eq!([of(0, 0), of(1, 1), of(2, 4), of(0, 1)], [Some('α'), Some('α'), Some('α'), None]);
        // Column 2 (old 1, list 0) has rows 0, 3, 4: 3 follows the merged ones, and its winner is list 0.
        assert_eq!([of(3, 2), of(4, 2)], [Some('β'), Some('δ')]);
        // Column 3 (old 0, list 1) has rows 1, 3, 5: no row has list 1 for its winner.
        assert_eq!([of(3, 3), of(5, 3)], [Some('β'), Some('γ')]);
        assert_eq!((classes.alpha, classes.beta, classes.gamma, classes.lambda), (6, 6, 1, 0));
    }

    #[test]
    fn repeated_columns_end_the_rounds() {
        let all: Vec<u32> = (0..4).collect();
        let order = GrayOrder::new(&pattern(&[&all[..]; 4], 4), &GrayOptions::DEFAULT).unwrap();
        assert_eq!((order.classes, order.reordering.columns.is_identity()), (1, true));
    }

    #[test]
    fn parameters_out_of_their_ranges_are_refused() {
        let pattern = pattern(&[&[0]], 1);
        let refused = |options: GrayOptions| match GrayOrder::new(&pattern, &options) {
            Err(SparseError::Parameter { name, .. }) => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(GrayOptions { merged_rows: Some(0), ..GrayOptions::DEFAULT }), "b");
        assert_eq!(refused(GrayOptions { line_words: 0, ..GrayOptions::DEFAULT }), "the line");
        for t in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(refused(GrayOptions { enough_classes: t, ..GrayOptions::DEFAULT }), "t");
        }
        assert!(
            GrayOrder::new(&pattern, &GrayOptions { merged_rows: Some(usize::MAX), ..GrayOptions::DEFAULT }).is_ok()
        );
    }
}

//! Order by the number of non-zeros.

use super::room::Room;
use crate::error::SparseError;
use crate::pattern::Pattern;
use crate::permutation::{ColumnPermutation, Reordering, RowPermutation};

/// A degree and a place of the order of each row and column, and where the places of each degree, of which there are no more than rows
/// or columns, begin.
const ROOM: Room = Room { line_bytes: 4 + 4 + 8, non_zero_bytes: 0 };

/// Rows and columns with most non-zeros first, stably: `O(m + n + non-zeros)`.
pub(super) fn order(pattern: &Pattern) -> Result<Reordering, SparseError> {
    ROOM.ask(pattern)?;
    let rows: Vec<u32> = pattern.iter().map(|row| row.len() as u32).collect();
    let mut columns = vec![0u32; pattern.columns()];
    for &column in pattern.indices() {
        columns[column as usize] += 1;
    }
    Ok(Reordering {
        rows: RowPermutation::known(descending(&rows)),
        columns: ColumnPermutation::known(descending(&columns)),
    })
}

fn descending(degrees: &[u32]) -> Vec<u32> {
    let mut order = ascending(degrees, |degree, most| most - degree);
    order.shrink_to_fit();
    order
}

/// The places of the degrees in the order of `key(degree, largest degree)`, which is at most the largest degree; a
/// stable counting sort (paper 002, Algorithm 1).
pub(super) fn ascending(degrees: &[u32], key: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    let most = degrees.iter().copied().max().unwrap_or(0);
    let mut next = vec![0usize; most as usize + 2];
    for &degree in degrees {
        next[key(degree, most) as usize + 1] += 1;
    }
    for value in 0..=most as usize {
        next[value + 1] += next[value];
    }
    let mut order = vec![0; degrees.len()];
    for (place, &degree) in degrees.iter().enumerate() {
        let at = &mut next[key(degree, most) as usize];
        order[*at] = place as u32;
        *at += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_are_stable() {
        assert_eq!(descending(&[1, 3, 0, 3, 1]), [1, 3, 0, 4, 2]);
        assert_eq!(ascending(&[1, 3, 0, 3, 1], |degree, _| degree), [2, 0, 4, 1, 3]);
        assert!(descending(&[]).is_empty());
    }
}

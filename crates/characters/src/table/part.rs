//! The parts of the tables of the first factors that a tile is made from.

use std::ops::Range;

/// A tile of a table on the way: its rows and columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) rows: Range<u64>,
    pub(crate) columns: Range<u64>,
}

impl Part {
    pub(crate) fn height(&self) -> usize {
        (self.rows.end - self.rows.start) as usize
    }

    pub(crate) fn width(&self) -> usize {
        (self.columns.end - self.columns.start) as usize
    }

    /// What the table of one factor less must have, so that this part can be made from it.
    fn before(&self, q: u64) -> Self {
        let divided = |range: &Range<u64>| range.start / q..(range.end - 1) / q + 1;
        Self { rows: divided(&self.rows), columns: divided(&self.columns) }
    }
}

/// One step: to the table of one more factor.
pub(crate) struct Step {
    /// The factor.
    pub(crate) q: u64,
    pub(crate) from: Part,
    pub(crate) to: Part,
}

/// The parts of the tables of the first factor, of the first two, and so on, that a tile of the last needs.
pub(crate) fn parts(factors: &[u64], last: Part) -> Vec<Part> {
    let mut parts = vec![last];
    for &q in factors.iter().skip(1).rev() {
        let before = parts[parts.len() - 1].before(q);
        parts.push(before);
    }
    parts.reverse();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_needs_its_rows_and_columns_divided() {
        let last = Part { rows: 5..12, columns: 0..24 };
        let found = parts(&[2, 3, 4], last.clone());
        let part = |rows, columns| Part { rows, columns };
        assert_eq!(found, [part(0..1, 0..2), part(1..3, 0..6), last.clone()]);
        assert_eq!(parts(&[7], last.clone()), [last]);
    }
}

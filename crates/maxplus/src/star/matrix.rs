//! A star, or some of its columns, in the end and in the midst of its computation.

use std::ops::Range;

use crate::error::MaxPlusError;
use crate::weight::Weight;

/// Columns of a Kleene star: entry `(i, j)` is the weight of the longest path from node `j` to node `i`, or of the shortest one where
/// [`MaxPlus::shortest`](crate::MaxPlus::shortest) made it; epsilon where there is no path, 0 where both are the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Star<T> {
    nodes: usize,
    columns: Range<usize>,
    entries: Vec<T>,
    epsilon: T,
}

impl<T: Weight> Star<T> {
    pub(crate) fn new(nodes: usize, columns: Range<usize>, entries: Vec<T>) -> Self {
        Self { nodes, columns, entries, epsilon: T::LOWEST }
    }

    /// The star of shortest paths of which this one has the opposite weights.
    pub(crate) fn opposite(mut self) -> Self {
        for entry in &mut self.entries {
            *entry = if *entry == T::LOWEST { T::HIGHEST } else { entry.opposite() };
        }
        self.epsilon = T::HIGHEST;
        self
    }

    /// The number of nodes, and of rows.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The columns: the nodes that paths begin at.
    pub fn columns(&self) -> Range<usize> {
        self.columns.clone()
    }

    /// The entries, row after row of [`Star::columns`]; epsilon is [`Star::epsilon`].
    pub fn entries(&self) -> &[T] {
        &self.entries
    }

    /// The entries by value.
    pub fn into_entries(self) -> Vec<T> {
        self.entries
    }

    /// What stands where there is no path: the least integer or `-inf` of longest paths, the greatest one or `inf` of shortest ones.
    pub fn epsilon(&self) -> T {
        self.epsilon
    }

    /// The weight of the best path to a node from one; `None` where there is none, or no such column.
    pub fn get(&self, to: usize, from: usize) -> Option<T> {
        if to >= self.nodes || !self.columns.contains(&from) {
            return None;
        }
        let entry = self.entries[to * self.columns.len() + from - self.columns.start];
        (entry != self.epsilon).then_some(entry)
    }

    /// The number of entries that are no epsilon.
    pub fn paths(&self) -> usize {
        self.entries.iter().filter(|&&entry| entry != self.epsilon).count()
    }
}

/// Columns of a star in the midst of the computation: row after row by places, epsilon as [`Weight::ABSENT`].
#[derive(Debug)]
pub(super) struct BlockOfColumns<T> {
    /// The place of the node at which each column begins.
    pub(super) places: Vec<u32>,
    pub(super) width: usize,
    pub(super) entries: Vec<T>,
}

/// Columns that there are.
pub(super) fn checked_columns(nodes: usize, columns: Range<usize>) -> Result<Range<usize>, MaxPlusError> {
    if columns.start > columns.end || columns.end > nodes {
        return Err(MaxPlusError::Index { what: "column", index: columns.end.max(columns.start), count: nodes });
    }
    Ok(columns)
}

//! Data as a matrix whose rows are shared among ranks, and its transposition, which is one exchange.

use std::ops::Range;

use bytemuck::Pod;

use crate::error::ClusterError;
use crate::exchange::all_to_all;
use crate::ranks::{Ranks, part};

/// `2^log_len` words as a matrix of `2^ceil(log_len / 2)` rows, of which each rank has some that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slabs {
    rows: usize,
    columns: usize,
    size: usize,
}

impl Slabs {
    /// The rows of `2^log_len` words for `size` ranks.
    ///
    /// # Errors
    /// [`ClusterError::Ranks`] for no rank, for more ranks than columns, and for more words than memory can address.
    pub fn new(log_len: u32, size: usize) -> Result<Self, ClusterError> {
        let columns = 1usize.checked_shl(log_len / 2).filter(|_| log_len < usize::BITS - 4).unwrap_or(0);
        if size == 0 || size > columns {
            return Err(ClusterError::Ranks { ranks: size, what: "columns", parts: columns });
        }
        Ok(Self { rows: 1 << log_len.div_ceil(2), columns, size })
    }

    /// The number of rows, the transforms of columns' length.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The words that a rank has.
    pub fn words(&self, rank: usize) -> Range<usize> {
        let rows = part(self.rows, self.size, rank);
        rows.start * self.columns..rows.end * self.columns
    }

    /// The columns that a rank has between the exchanges.
    pub(crate) fn own_columns(&self, rank: usize) -> Range<usize> {
        part(self.columns, self.size, rank)
    }

    /// Refuses ranks of another number, and a rank with another number of words than its part.
    pub(crate) fn check(&self, ranks: &dyn Ranks, given: usize) -> Result<(), ClusterError> {
        if ranks.size() != self.size {
            return Err(ClusterError::Ranks { ranks: ranks.size(), what: "slabs", parts: self.size });
        }
        let (rank, expected) = (ranks.rank(), self.words(ranks.rank()).len());
        if given == expected { Ok(()) } else { Err(ClusterError::Length { rank, what: "words", expected, given }) }
    }

    /// This rank's columns, one after the other, of the rows of all ranks.
    pub(crate) fn columns_of<T: Pod>(&self, ranks: &dyn Ranks, rows: &[T]) -> Result<Vec<T>, ClusterError> {
        exchange(ranks, rows, (self.rows, self.columns))
    }

    /// This rank's rows, one after the other, of the columns of all ranks.
    pub(crate) fn rows_of<T: Pod>(&self, ranks: &dyn Ranks, columns: &[T]) -> Result<Vec<T>, ClusterError> {
        exchange(ranks, columns, (self.columns, self.rows))
    }
}

/// A rank's part of the transposed matrix of `height` by `width` words, of which it has rows.
fn exchange<T: Pod>(ranks: &dyn Ranks, own: &[T], (height, width): (usize, usize)) -> Result<Vec<T>, ClusterError> {
    let (rank, size) = (ranks.rank(), ranks.size());
    let lines = part(height, size, rank).len();
    let out: Vec<Vec<T>> = (0..size)
        .map(|to| {
            let columns = part(width, size, to);
            // Column by column, as they will stand.
            columns.flat_map(|column| (0..lines).map(move |line| own[line * width + column])).collect()
        })
        .collect();
    let found = all_to_all(ranks, &out)?;
    drop(out);
    let columns = part(width, size, rank).len();
    let mut transposed = crate::exchange::room(columns * height)?;
    for (from, block) in found.iter().enumerate() {
        let lines = part(height, size, from);
        if block.len() != lines.len() * columns {
            let reason = format!("it sent {} words where {} were agreed", block.len(), lines.len() * columns);
            return Err(ClusterError::Lost { rank: from, reason });
        }
        for column in 0..columns {
            transposed[column * height..][lines.clone()].copy_from_slice(&block[column * lines.len()..][..lines.len()]);
        }
    }
    Ok(transposed)
}

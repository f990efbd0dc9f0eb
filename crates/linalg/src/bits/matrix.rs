//! A matrix of bits on a device.

use std::fmt;

use manycore_device::{Buffer, Device};

use crate::block::Block;
use crate::error::LinalgError;
use crate::shape::entries;

/// Bits of a word.
pub(crate) const BITS: usize = u64::BITS as usize;

/// A dense matrix modulo 2, in the memory of one device: rows one behind the other, each of whole words. Entry `(i, j)` is bit
/// `j % 64` of word `j / 64` of row `i`; bits past the last column are 0.
///
/// Rows, columns or both may be 0. Made and computed with by a [`BitAlgebra`](super::BitAlgebra).
pub struct BitMatrix {
    /// `rows * words_per_row(columns)` words.
    pub(super) buffer: Buffer<u64>,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl fmt::Debug for BitMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = (self.rows, self.columns);
        write!(f, "BitMatrix of {rows} rows and {columns} columns on {}", self.device().info().id)
    }
}

impl BitMatrix {
    /// A matrix whose bits past the last column are known to be 0.
    pub(crate) fn of(buffer: Buffer<u64>, rows: usize, columns: usize) -> Self {
        Self { buffer, rows, columns }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The words of a row.
    pub fn words_per_row(&self) -> usize {
        words_per_row(self.columns)
    }

    /// The device whose memory it is in.
    pub fn device(&self) -> &Device {
        self.buffer.device()
    }

    /// Its words, row after row, for kernels of one's own.
    pub fn buffer(&self) -> &Buffer<u64> {
        &self.buffer
    }

    /// Its words as a block.
    pub(super) fn block(&self) -> Block {
        Block::whole(self.rows, self.words_per_row())
    }

    /// Fails unless the matrix is square; returns its order.
    pub(super) fn order(&self, operation: &'static str) -> Result<usize, LinalgError> {
        if self.rows == self.columns {
            Ok(self.rows)
        } else {
            Err(LinalgError::NotSquare { operation, rows: self.rows, columns: self.columns })
        }
    }
}

/// The words that a row of `columns` bits takes.
pub(crate) fn words_per_row(columns: usize) -> usize {
    columns.div_ceil(BITS)
}

/// The words of a matrix.
///
/// # Errors
/// [`LinalgError::TooLarge`] for more entries than can be addressed.
pub(crate) fn word_count(rows: usize, columns: usize) -> Result<usize, LinalgError> {
    entries(rows, columns)?;
    Ok(rows * words_per_row(columns))
}

/// The bits of a row's last word that stand for columns; all where the last word is full or the row has none.
pub(super) fn last_mask(columns: usize) -> u64 {
    u64::MAX >> ((BITS - columns % BITS) % BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_whole_words() {
        assert_eq!([0, 1, 63, 64, 65, 128].map(words_per_row), [0, 1, 1, 1, 2, 2]);
        assert_eq!([0, 1, 63, 64, 65].map(last_mask), [u64::MAX, 1, u64::MAX >> 1, u64::MAX, 1]);
        assert_eq!(word_count(3, 65), Ok(6));
        assert!(matches!(word_count(usize::MAX, 65), Err(LinalgError::TooLarge { .. })));
    }
}

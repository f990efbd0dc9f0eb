//! Blocks of matrices: the places of their entries, and blocks as arguments of launches.

use std::ops::Range;

use manycore_device::{Buffer, DeviceError, Launch, Word};

/// Blocks as arguments of launches: the buffer, the start and the stride, in words.
pub(crate) trait BlockArguments<'a> {
    /// A block that the kernel reads.
    fn input_block<T: Word>(self, a: &'a Buffer<T>, block: Block) -> Self;

    /// A block that the kernel writes.
    fn output_block<T: Word>(self, a: &'a mut Buffer<T>, block: Block) -> Self;
}

impl<'a> BlockArguments<'a> for Launch<'a> {
    fn input_block<T: Word>(self, a: &'a Buffer<T>, block: Block) -> Self {
        self.input(a).value(block.start as u64).value(block.stride as u64)
    }

    fn output_block<T: Word>(self, a: &'a mut Buffer<T>, block: Block) -> Self {
        self.buffer(a).value(block.start as u64).value(block.stride as u64)
    }
}

/// Items of a group.
pub(crate) const GROUP: usize = 256;

/// Where the entries of a block stand in a buffer: entry `(i, j)` at `start + i stride + j`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) start: usize,
    pub(crate) stride: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Block {
    /// A whole matrix.
    pub(crate) fn whole(rows: usize, columns: usize) -> Self {
        Self { start: 0, stride: columns, rows, columns }
    }

    /// Some of its rows and columns, which lie in it.
    pub(crate) fn part(self, rows: Range<usize>, columns: Range<usize>) -> Self {
        Self {
            start: self.start + rows.start * self.stride + columns.start,
            stride: self.stride,
            rows: rows.len(),
            columns: columns.len(),
        }
    }

    /// Whether it has no entries.
    pub(crate) fn is_empty(self) -> bool {
        self.rows == 0 || self.columns == 0
    }

    /// Row `i` within the words of its buffer.
    pub(crate) fn row<T>(self, words: &[T], i: usize) -> &[T] {
        &words[self.start + i * self.stride..][..self.columns]
    }

    /// All rows, to change.
    pub(crate) fn rows_mut<T>(self, words: &mut [T]) -> impl ExactSizeIterator<Item = &mut [T]> + Send
    where
        T: Send,
    {
        // The words from the block's first to its last; the last row may be shorter than the stride.
        let words = if self.is_empty() { &mut [] } else { &mut words[self.start..] };
        let len = words.len().min((self.rows.max(1) - 1) * self.stride + self.columns);
        let columns = self.columns;
        words[..len].chunks_mut(self.stride.max(1)).map(move |row| &mut row[..columns])
    }
}

/// A residue of a buffer.
pub(crate) fn word_at<T: manycore_device::Word>(buffer: &Buffer<T>, index: usize) -> Result<T, DeviceError> {
    let mut word = [T::zeroed()];
    buffer.view(index..=index)?.read_into(&mut word)?;
    Ok(word[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_parts_of_their_buffer() {
        let mut words: Vec<u32> = (0..20).collect(); // 4 rows of 5
        let block = Block::whole(4, 5).part(1..3, 2..5);
        assert_eq!(block, Block { start: 7, stride: 5, rows: 2, columns: 3 });
        assert_eq!((block.row(&words, 0), block.row(&words, 1)), (&[7, 8, 9][..], &[12, 13, 14][..]));
        let corner = block.part(1..2, 1..3);
        assert_eq!(corner.row(&words, 0), [13, 14]);
        let rows: Vec<Vec<u32>> = block.rows_mut(&mut words).map(|row| row.to_vec()).collect();
        assert_eq!(rows, [[7, 8, 9], [12, 13, 14]]);
        let last = Block::whole(4, 5).part(3..4, 4..5);
        assert_eq!(last.rows_mut(&mut words).map(|row| row.to_vec()).collect::<Vec<_>>(), [[19]]);
        for empty in [Block::whole(4, 5).part(4..4, 0..5), Block::whole(4, 5).part(0..4, 5..5), Block::whole(0, 0)] {
            assert!(empty.is_empty());
            assert_eq!(empty.rows_mut(&mut words).len(), 0);
        }
    }
}

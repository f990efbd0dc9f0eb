//! Blocks of matrices, and copies between them.

use std::ops::Range;

use manycore_device::{Buffer, DeviceError, Executor, Launch, Word};

use crate::algebra::LinearAlgebra;
use crate::error::LinalgError;
use crate::field::MatrixField;

// SAFETY: the functions of this file alone launch them, with blocks that lie in their matrices, and columns that do.
manycore_device::kernel! {
    /// Copies of blocks.
    unsafe ENTRIES_COPY in manycore_kernels::linalg::ENTRIES: entries_copy

    /// Blocks of zeros and ones.
    unsafe ENTRIES_UNIT in manycore_kernels::linalg::ENTRIES: entries_unit

    /// Blocks that are moved, and leave zeros and ones.
    unsafe ENTRIES_TAKE in manycore_kernels::linalg::ENTRIES: entries_take

    /// Copies of columns.
    unsafe ENTRIES_PICK in manycore_kernels::linalg::ENTRIES: entries_pick
}

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

impl<F: MatrixField> LinearAlgebra<F> {
    /// Copies a block to another of as many rows and columns.
    pub(crate) fn copy_block(
        &self,
        from: &Buffer<F::Element>,
        source: Block,
        to: &mut Buffer<F::Element>,
        target: Block,
    ) -> Result<(), LinalgError> {
        if source.is_empty() {
            return Ok(());
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                let (from, to) = (from.host()?, to.host_mut()?);
                let bytes = 2 * (source.rows * source.columns * size_of::<F::Element>()) as u64;
                pool.step("entries_copy", bytes, 0, || {
                    for (i, row) in target.rows_mut(to).enumerate() {
                        row.copy_from_slice(source.row(from, i));
                    }
                });
                Ok(())
            }
            Executor::OpenCl(cl) => {
                let group = GROUP.min(cl.info().group_limit);
                let kernel = self.kernel(cl, &ENTRIES_COPY, self.defines().set("GROUP", group))?;
                let count = source.rows * source.columns;
                cl.launch(&kernel)
                    .input_block(from, source)
                    .output_block(to, target)
                    .value(source.rows as u32)
                    .value(source.columns as u32)
                    .items(count, group)
                    .bytes(2 * (count * size_of::<F::Element>()) as u64)
                    .run()?;
                Ok(())
            }
        }
    }

    /// Sets a block to zeros, and to ones from row `row` and column 0 on to the right below.
    pub(crate) fn unit_block(&self, out: &mut Buffer<F::Element>, block: Block, row: usize) -> Result<(), LinalgError> {
        if block.is_empty() {
            return Ok(());
        }
        match self.device().executor() {
            Executor::Host(_) => {
                for (i, words) in block.rows_mut(out.host_mut()?).enumerate() {
                    words.fill(self.field().zero());
                    if let Some(word) = i.checked_sub(row).and_then(|j| words.get_mut(j)) {
                        *word = self.field().one();
                    }
                }
            }
            Executor::OpenCl(cl) => {
                let group = GROUP.min(cl.info().group_limit);
                let kernel = self.kernel(cl, &ENTRIES_UNIT, self.defines().set("GROUP", group))?;
                cl.launch(&kernel)
                    .output_block(out, block)
                    .value(block.rows as u32)
                    .value(block.columns as u32)
                    .value(row as u32)
                    .items(block.rows * block.columns, group)
                    .bytes((block.rows * block.columns * size_of::<F::Element>()) as u64)
                    .run()?;
            }
        }
        Ok(())
    }

    /// Moves a block to a matrix of its own, less 1 in the entries from row `row` and column 0 on to the right below, and leaves 1 in
    /// these and 0 in the others.
    pub(crate) fn take_block(
        &self,
        a: &mut Buffer<F::Element>,
        block: Block,
        row: usize,
    ) -> Result<Buffer<F::Element>, LinalgError> {
        let count = block.rows * block.columns;
        let mut out = self.device().scratch(count)?;
        if count == 0 {
            return Ok(out);
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                let (a, out) = (a.host_mut()?, out.host_mut()?);
                let (zero, one) = (self.field().zero(), self.field().one());
                pool.step("entries_take", 3 * (count * size_of::<F::Element>()) as u64, 0, || {
                    for (i, (words, out)) in block.rows_mut(a).zip(out.chunks_mut(block.columns)).enumerate() {
                        out.copy_from_slice(words);
                        words.fill(zero);
                        if let Some(j) = i.checked_sub(row).filter(|&j| j < block.columns) {
                            words[j] = one;
                            out[j] = self.field().sub(out[j], one);
                        }
                    }
                });
            }
            Executor::OpenCl(cl) => {
                let group = GROUP.min(cl.info().group_limit);
                let kernel = self.kernel(cl, &ENTRIES_TAKE, self.defines().set("GROUP", group))?;
                cl.launch(&kernel)
                    .output_block(a, block)
                    .buffer(&mut out)
                    .value(block.rows as u32)
                    .value(block.columns as u32)
                    .value(row as u32)
                    .value(self.modulus().0)
                    .items(count, group)
                    .bytes(3 * (count * size_of::<F::Element>()) as u64)
                    .run()?;
            }
        }
        Ok(out)
    }

    /// A block as a matrix of its own.
    pub(crate) fn block_of(&self, from: &Buffer<F::Element>, source: Block) -> Result<Buffer<F::Element>, LinalgError> {
        let mut to = self.device().scratch(source.rows * source.columns)?;
        self.copy_block(from, source, &mut to, Block::whole(source.rows, source.columns))?;
        Ok(to)
    }
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// Some columns of a block, each as often as it is named, as a matrix of their own.
    pub(crate) fn pick(
        &self,
        from: &Buffer<F::Element>,
        source: Block,
        columns: &[u32],
    ) -> Result<Buffer<F::Element>, LinalgError> {
        let count = source.rows * columns.len();
        let mut to = self.device().scratch(count)?;
        if count == 0 {
            return Ok(to);
        }
        match self.device().executor() {
            Executor::Host(_) => {
                let (from, to) = (from.host()?, to.host_mut()?);
                for (i, out) in to.chunks_mut(columns.len()).enumerate() {
                    let row = source.row(from, i);
                    out.iter_mut().zip(columns).for_each(|(out, &column)| *out = row[column as usize]);
                }
            }
            Executor::OpenCl(cl) => {
                let group = GROUP.min(cl.info().group_limit);
                let kernel = self.kernel(cl, &ENTRIES_PICK, self.defines().set("GROUP", group))?;
                let picked = self.device().upload(columns)?;
                cl.launch(&kernel)
                    .input_block(from, source)
                    .value(source.columns as u32)
                    .input(&picked)
                    .value(columns.len() as u32)
                    .buffer(&mut to)
                    .value(source.rows as u32)
                    .items(count, group)
                    .bytes(2 * (count * size_of::<F::Element>()) as u64)
                    .run()?;
            }
        }
        Ok(to)
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

//! Copies between blocks of matrices, blocks of zeros and ones, and columns that are picked.

use manycore_device::{Buffer, Executor};

use crate::block::{Block, BlockArguments as _, GROUP};
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

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

impl<F: MatrixField> LinearAlgebra<F> {
    /// The identity of an order.
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn identity(&self, order: usize) -> Result<Matrix<F>, LinalgError> {
        let mut identity = self.scratch(order, order)?;
        self.unit_block(&mut identity.buffer, Block::whole(order, order), 0)?;
        Ok(identity)
    }

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

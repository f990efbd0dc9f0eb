//! The in-place transform: blocks that fit the caches, then columns of blocks, over threads.

use rayon::prelude::*;

use super::blocks::Blocks;
use super::butterfly::Rows;
use super::panels::Panels;
use super::vector::Level;
use crate::scalar::Scalar;

/// The binary logarithm of the bytes of a block, which passes all its stages in the second-level cache; also of a
/// panel.
const LOG_BLOCK_BYTES: u32 = 18;
/// The binary logarithm of the bytes up to which a transform is taken to stay in the last-level cache, where more
/// passes with a radix that fits the registers are faster than panels through a buffer.
const LOG_CACHE_BYTES: u32 = 24;
/// The binary logarithm of the rows of a panel at most: their pages must fit the translation buffers, and rows must
/// be long enough for the hardware to prefetch them.
const LOG_PANEL_ROWS: u32 = 8;
/// The bytes of a task at least, so that its start costs little beside it.
const TASK_BYTES: usize = 1 << 16;
/// The columns of a task at least: whole vectors and whole cache lines at every level and type.
const LINE: usize = 64;

/// Transforms every run of `2^log_len` values of `x` with the vectors of `level`; see [`super::cooley_tukey`].
pub(super) fn transform<T: Scalar>(level: Level, x: &mut [T], log_len: u32, scale: Option<u32>) {
    let log_size = size_of::<T>().ilog2();
    let log_block = log_len.min(LOG_BLOCK_BYTES - log_size);
    let scale_of = |done| if done == log_len { scale } else { None };
    let task_len = (1 << log_block).max(TASK_BYTES >> log_size);
    let block = |x: &mut [T]| level.run(Blocks { x, log_len: log_block, scale: scale_of(log_block) });
    if x.len() <= task_len || rayon::current_num_threads() == 1 {
        block(x);
    } else {
        x.par_chunks_mut(task_len).for_each(block);
    }
    let mut done = log_block;
    while done < log_len {
        let most = if log_len + log_size <= LOG_CACHE_BYTES { level.log_radix() } else { LOG_PANEL_ROWS };
        let log_rows = (log_len - done).div_ceil((log_len - done).div_ceil(most));
        for matrix in x.chunks_exact_mut(1 << (done + log_rows)) {
            columns(level, matrix, log_rows, scale_of(done + log_rows));
        }
        done += log_rows;
    }
}

/// Transforms every column of a matrix of `2^log_rows` rows.
fn columns<T: Scalar>(level: Level, matrix: &mut [T], log_rows: u32, scale: Option<u32>) {
    let stride = matrix.len() >> log_rows;
    let threads = rayon::current_num_threads();
    let tasks = if threads == 1 { 1 } else { (4 * threads).next_power_of_two().min(stride / LINE) };
    let len = stride / tasks;
    let panel_len = 1_usize << (LOG_BLOCK_BYTES - size_of::<T>().ilog2());
    let width = (panel_len >> log_rows).min(len);
    let buffer_len = if log_rows > level.log_radix() { width << log_rows } else { 0 };
    let matrix = Shared(matrix.as_mut_ptr());
    let task = |buffer: &mut Vec<T>, i: usize| {
        let rows = Rows { start: matrix.pointer(), stride };
        level.run(Panels { rows, log_rows, columns: i * len..(i + 1) * len, width, buffer, scale });
    };
    let buffer = || vec![T::default(); buffer_len];
    if tasks == 1 {
        task(&mut buffer(), 0);
    } else {
        (0..tasks).into_par_iter().for_each_init(buffer, task);
    }
}

/// A pointer that tasks share; each writes places of its own.
pub(super) struct Shared<T>(pub(super) *mut T);

impl<T> Shared<T> {
    /// The pointer; a method, so that closures capture the whole.
    pub(super) fn pointer(&self) -> *mut T {
        self.0
    }
}

// SAFETY: the tasks of one pass write disjoint places, none of which another task reads, and the pass ends before the
// borrow that the pointer comes from does.
unsafe impl<T: Send> Sync for Shared<T> {}

//! The in-place transform: blocks that fit the caches, then columns of blocks, over threads.

use std::ops::RangeInclusive;

use manycore_device::Team;

use super::blocks::Blocks;
use super::butterfly::Rows;
use super::kind::Kind;
use super::level::HostVectors;
use super::level::Level;
use super::panels::Panels;
use crate::threads;

/// The binary logarithm of the bytes that are taken to stay in the last-level cache, which the threads share.
const LOG_CACHE_BYTES: u32 = 24;
/// The size of the cache, in bytes.
pub(crate) const CACHE_BYTES: u64 = 1 << LOG_CACHE_BYTES;
/// The binary logarithms of the bytes of a block past that cache: steps of radix 8 above the first-level cache, so that
/// as many steps as possible come before the block leaves the cache.
const LOG_BLOCK_BYTES: [u32; 2] = [23, 20];
/// The binary logarithm of the bytes of a block at least where threads share a transform: it fits the second-level
/// cache.
const LOG_LEAST_BLOCK_BYTES: u32 = 18;
/// The binary logarithms of the bytes of blocks that are worth a choice.
pub(crate) const BLOCK_BYTES: RangeInclusive<u32> = 17..=LOG_CACHE_BYTES;
/// The binary logarithm of the rows of a panel at most: their pages must fit the translation buffers.
pub(crate) const LOG_PANEL_ROWS: u32 = 8;
/// The bytes of a row of a panel at most and at least: long enough to be prefetched.
const ROW_BYTES: [usize; 2] = [1 << 14, 1 << 10];
/// The bytes of a task at least, so that its start costs little beside it.
const TASK_BYTES: usize = 1 << 16;
/// The columns of a task at least: whole vectors and whole cache lines at every level and type.
const LINE: usize = 64;

/// Transforms every run of `2^log_len` values of `x` with the vectors of `level`; see [`super::cooley_tukey`].
pub(super) fn transform<T: HostVectors, B: Kind<T>>(
    level: Level,
    x: &mut [T],
    log_len: u32,
    scale: Option<u32>,
    team: Team<'_>,
) {
    let log_run_bytes = log_len + size_of::<T>().ilog2();
    let log_block_bytes = log_block_bytes(size_of_val(x), log_run_bytes, team.threads());
    in_blocks::<T, B>(level, x, log_len, scale, log_block_bytes, team);
}

/// The transform in blocks of `2^log_block_bytes` bytes, clamped to [`BLOCK_BYTES`].
pub(super) fn in_blocks<T: HostVectors, B: Kind<T>>(
    level: Level,
    x: &mut [T],
    log_len: u32,
    scale: Option<u32>,
    log_block_bytes: u32,
    team: Team<'_>,
) {
    let log_size = size_of::<T>().ilog2();
    let log_block = log_len.min(log_block_bytes.clamp(*BLOCK_BYTES.start(), *BLOCK_BYTES.end()) - log_size);
    let scale_of = |done| if done == log_len { scale } else { None };
    let task_len = (1 << log_block).max(TASK_BYTES >> log_size);
    let block = |x: &mut [T]| {
        let blocks = Blocks { x, log_len: log_block, scale: scale_of(log_block) };
        // SAFETY: the values are borrowed, and the task takes whole blocks that no other task takes.
        unsafe { B::run(level, blocks) }
    };
    // One thread asks for each block while it does the one before.
    if team.is_alone() {
        block(x);
    } else {
        team.each(x.chunks_mut(task_len), block);
    }
    let mut done = log_block;
    while done < log_len {
        let log_rows = (log_len - done).div_ceil((log_len - done).div_ceil(LOG_PANEL_ROWS));
        let matrices = x.chunks_exact_mut(1 << (done + log_rows));
        let (outer, inner) = threads::outer_and_inner(team, matrices.len());
        let most = row_bytes(team.threads(), log_rows) / size_of::<T>();
        let scale = scale_of(done + log_rows);
        outer.each(matrices, |matrix| columns::<T, B>(level, matrix, log_rows, most, scale, inner));
        done += log_rows;
    }
}

/// The binary logarithm of the bytes of a block in runs of `2^log_run_bytes`, `bytes` in all: what a thread's share of
/// the last-level cache holds, but four blocks a thread if the bytes suffice.
fn log_block_bytes(bytes: usize, log_run_bytes: u32, threads: usize) -> u32 {
    if threads == 1 && log_run_bytes <= LOG_CACHE_BYTES {
        return LOG_CACHE_BYTES;
    }
    let log_threads = threads.next_power_of_two().ilog2();
    let [large, small] = LOG_BLOCK_BYTES;
    let cached = if large + log_threads <= LOG_CACHE_BYTES { large } else { small };
    if threads == 1 {
        return cached;
    }
    let even = bytes.checked_ilog2().unwrap_or(0).saturating_sub(log_threads + 2);
    even.clamp(LOG_LEAST_BLOCK_BYTES, cached)
}

/// The bytes of a panel's rows, of which all threads' panels together fit the last-level cache.
pub(crate) fn row_bytes(threads: usize, log_rows: u32) -> usize {
    let [most, least] = ROW_BYTES;
    (((1 << LOG_CACHE_BYTES) / threads.next_power_of_two()) >> log_rows).clamp(least, most)
}

/// Transforms every column of a matrix of `2^log_rows` rows, in panels of at most `most` columns.
fn columns<T: HostVectors, B: Kind<T>>(
    level: Level,
    matrix: &mut [T],
    log_rows: u32,
    most: usize,
    scale: Option<u32>,
    team: Team<'_>,
) {
    let stride = matrix.len() >> log_rows;
    assert!(stride << log_rows == matrix.len() && stride.is_power_of_two() && stride >= LINE, "rows of whole lines");
    let tasks = threads::least_parts(team).next_power_of_two().min(stride / LINE);
    let len = stride / tasks;
    let width = most.min(len);
    let matrix = Shared(matrix.as_mut_ptr());
    let task = |i: usize| {
        let rows = Rows { start: matrix.pointer(), stride };
        let panels = Panels { rows, log_rows, columns: i * len..(i + 1) * len, width, scale };
        // SAFETY: the matrix is borrowed and has whole rows of whole cache lines; each task has columns of its own, a power of
        // two of them, which panels of another power of two cut into whole ones.
        unsafe { B::run(level, panels) }
    };
    team.each(0..tasks, task);
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

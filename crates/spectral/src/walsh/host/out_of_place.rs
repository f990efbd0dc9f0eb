//! The passes of the constant-geometry transform and of reordering, over threads and between two buffers.

use manycore_device::{Lines, Team};

use super::geometry::Pass;
use super::in_place::{self, Shared};
use super::kind::{Kind, WalshKind};
use super::level::HostVectors;
use super::level::Level;
use crate::threads;
use manycore_arrays::orders::Order;

/// The binary logarithm of a group at most: as many rows, and pages, are written side by side.
pub(crate) const LOG_GROUP: u32 = 11;
/// The bytes of a panel, which stays in the first-level cache between its steps.
const PANEL_BYTES: usize = 1 << 15;
/// The bytes of a panel of a run past the last-level cache: longer rows, in the second-level cache.
const LONG_PANEL_BYTES: usize = 1 << 18;
/// The bytes from which on a run is taken to be past the last-level cache.
const LONG_BYTES: usize = 1 << 24;
/// The bytes of a transform from which on its passes are spread over threads.
const PARALLEL_BYTES: usize = 1 << 18;
/// The bytes at least of the runs that a thread takes at a time.
const TASK_BYTES: usize = PARALLEL_BYTES / 4;

/// What is done to every run of `2^log_len` values.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The binary logarithm of a run's length.
    pub(super) log_len: u32,
    /// The order of the result.
    pub(super) order: Order,
    /// Whether to transform, or only to reorder from natural order.
    pub(super) butterflies: bool,
    /// The binary logarithm of the divisor.
    pub(super) scale: Option<u32>,
    /// The threads that do it.
    pub(super) team: Team<'a>,
}

impl Job<'_> {
    /// Does it to every run of `x`, with `scratch` of the same length as the second buffer; the result is in `x`.
    pub(super) fn run<T: HostVectors, B: Kind<T>>(self, level: Level, x: &mut [T], scratch: &mut [T]) {
        let len = 1_usize << self.log_len;
        if self.order == Order::Hadamard {
            if self.butterflies {
                // Twice reversed is natural.
                let dyadic = Self { order: Order::Dyadic, ..self };
                dyadic.run::<T, B>(level, x, scratch);
                Self { butterflies: false, scale: None, ..dyadic }.run::<T, WalshKind>(level, x, scratch);
            }
        } else if self.log_len < 4 * level.log_lanes::<T>() {
            let table: Vec<u32> = (0..len).map(|row| self.order.natural_index(row, self.log_len) as u32).collect();
            self.each(x, scratch, |job, x, scratch| job.by_table::<T, B>(level, &table, x, scratch));
        } else {
            self.each(x, scratch, |job, x, scratch| job.by_passes::<T, B>(level, x, scratch));
        }
    }

    /// Calls `work` for every run, with the job as it is for one: over threads where a run is too short to be spread itself,
    /// or where there are many and what the threads have in hand stays in the last-level cache from pass to pass.
    fn each<T: HostVectors>(self, x: &mut [T], scratch: &mut [T], work: impl Fn(Self, &mut [T], &mut [T]) + Sync) {
        let len = 1_usize << self.log_len;
        let run_bytes = size_of::<T>() << self.log_len;
        let (outer, inner) = if run_bytes < PARALLEL_BYTES {
            (self.team.only_if(size_of_val(x) >= PARALLEL_BYTES), Team::ALONE)
        } else if 2 * run_bytes * self.team.threads() <= LONG_BYTES {
            threads::outer_and_inner(self.team, x.len() / len)
        } else {
            (Team::ALONE, self.team)
        };
        let job = Self { team: inner, ..self };
        let some = len * (TASK_BYTES / size_of::<T>()).div_ceil(len);
        outer.each(x.chunks_mut(some).zip(scratch.chunks_mut(some)), |(x, scratch)| {
            let runs = x.chunks_exact_mut(len).zip(scratch.chunks_exact_mut(len));
            runs.for_each(|(x, scratch)| work(job, x, scratch));
        });
    }

    /// A run too short for passes of whole vectors: the in-place transform and a gather, in cache.
    fn by_table<T: HostVectors, B: Kind<T>>(self, level: Level, table: &[u32], x: &mut [T], scratch: &mut [T]) {
        if self.butterflies {
            in_place::transform::<T, B>(level, x, self.log_len, self.scale, self.team);
        }
        for (to, &from) in scratch.iter_mut().zip(table) {
            *to = x[from as usize];
        }
        x.copy_from_slice(scratch);
    }

    /// An even number of passes, each from one buffer to the other; the last of them also does the squares that
    /// remain, while they are in cache.
    fn by_passes<T: HostVectors, B: Kind<T>>(self, level: Level, x: &mut [T], scratch: &mut [T]) {
        let log_square = 2 * level.log_lanes::<T>();
        let passes = 2 * (self.log_len - log_square).div_ceil(2 * LOG_GROUP);
        let (mut from, mut to) = (x, scratch);
        let mut log_block = self.log_len;
        for pass in 0..passes {
            let log_group = (log_block - log_square).div_ceil(passes - pass);
            self.pass::<T, B>(level, from, to, log_block, log_group, pass + 1 == passes);
            (from, to) = (to, from);
            log_block -= log_group;
        }
    }

    /// One pass over every block of `2^log_block` values.
    fn pass<T: HostVectors, B: Kind<T>>(
        self,
        level: Level,
        from: &[T],
        to: &mut [T],
        log_block: u32,
        log_group: u32,
        last: bool,
    ) {
        let all_groups = 1_usize << (log_block - log_group);
        assert!(from.len() == to.len() && from.len().is_multiple_of(1 << log_block), "whole blocks of 2^{log_block}");
        let log_lanes = level.log_lanes::<T>();
        assert!(log_group >= log_lanes && log_block >= log_group + 2 * log_lanes, "vectors and squares are whole");
        let panel_bytes = if size_of::<T>() << self.log_len < LONG_BYTES { PANEL_BYTES } else { LONG_PANEL_BYTES };
        let width = ((panel_bytes / size_of::<T>()) >> log_group).max(64 / size_of::<T>()).min(all_groups);
        let scale = if last { self.scale } else { None };
        let team = self.team.only_if(size_of_val(from) >= PARALLEL_BYTES);
        // The last pass needs all groups of a block at once; there are many blocks by then.
        let parts = if last { 1 } else { threads::least_parts(team).next_power_of_two().min(all_groups / width) };
        let groups = all_groups / parts;
        let target = Shared(to.as_mut_ptr());
        let task = |buffer: &mut Lines<T>, i: usize| {
            let (block, part) = (i / parts, i % parts);
            let start = block << log_block;
            let pass = Pass {
                from: from[start..].as_ptr(),
                to: target.pointer().wrapping_add(start),
                log_block,
                log_group,
                groups: part * groups..(part + 1) * groups,
                width,
                buffer,
                order: self.order,
                odd: block % 2 == 1,
                butterflies: self.butterflies,
                last,
                scale,
            };
            // SAFETY: both buffers are borrowed and equally long, whole blocks; each task writes rows of its own groups, whole
            // panels of whole vectors, and has a buffer for one panel. The last pass leaves squares, and one task a block.
            unsafe { B::run(level, pass) }
        };
        let buffer = || Lines::<T>::zeroed(width << log_group);
        let tasks = parts * (from.len() >> log_block);
        team.each_with(0..tasks, buffer, task);
    }
}

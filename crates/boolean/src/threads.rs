//! The distribution of the rows and the sums of a step over threads.

use manycore_device::{Device, Executor, Team};

/// Short operations, such as look-ups, that a thread takes at a time: some microseconds.
pub(crate) const TASK: usize = 1 << 12;
/// The parts of a sum for each thread, so that the threads end together.
const PARTS_PER_THREAD: usize = 4;

/// Runs work for which no device was given: by all processors if it is `long`, else by the caller, which then needs no pool.
pub(crate) fn with_host<R>(long: bool, work: impl FnOnce(Team<'_>) -> R) -> R {
    if !long {
        return work(Team::ALONE);
    }
    match Device::host().executor() {
        Executor::Host(pool) => work(pool.team()),
        Executor::OpenCl(_) => work(Team::ALONE),
    }
}

/// The number of items in a part of a sum: at least `least > 0`, since the sums of each part take memory.
pub(crate) fn part_len(team: Team<'_>, items: usize, least: usize) -> usize {
    items.div_ceil(PARTS_PER_THREAD * team.threads()).max(least)
}

/// What `work` makes of each item, in the items' order, whichever threads did it.
pub(crate) fn mapped<I, R>(team: Team<'_>, items: I, work: impl Fn(I::Item) -> R + Sync) -> impl Iterator<Item = R>
where
    I: ExactSizeIterator,
    I::Item: Send,
    R: Send,
{
    let mut slots: Vec<Option<R>> = Vec::new();
    slots.resize_with(items.len(), || None);
    team.each(slots.iter_mut().zip(items), |(slot, item)| *slot = Some(work(item)));
    slots.into_iter().flatten()
}

/// Does `work` with each row of `len` entries and its number, which takes about `cost` operations: with several at a time
/// where they are short.
pub(crate) fn each_row<T: Send>(
    team: Team<'_>,
    out: &mut [T],
    len: usize,
    cost: usize,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    let some = (TASK / cost).max(1);
    team.each(out.chunks_mut(some * len).enumerate(), |(i, rows)| {
        rows.chunks_mut(len).enumerate().for_each(|(j, row)| work(i * some + j, row));
    });
}

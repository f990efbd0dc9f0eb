//! The Haar transform on the host: blocks that fit the first-level cache, over threads; then the Haar transform of the blocks' sums.

use manycore_device::Team;

use crate::number::Number;
use crate::threads;
use crate::walsh::host::level::{HostVectors, Level};
use crate::walsh::host::vector::{Task, Vector};

/// The base-2 logarithm of the values of a block, which passes its levels in the first-level cache.
pub(super) const LOG_BLOCK: u32 = 11;
/// The values of an array from which on it is shared by threads.
pub(super) const SHARED_VALUES: usize = 1 << 18;
/// The values at least that a thread takes at a time, in arrays or blocks that are not shared.
pub(super) const TASK_VALUES: usize = 8 << LOG_BLOCK;

/// Arrays of at most this many bytes are transformed by the calling thread.
pub(super) const SERIAL_BYTES: usize = 512 << 10;

/// The factor of each scale: the half powers of two beside its logarithm.
type Offset = Option<i32>;

fn scaled<T: Number>(value: T, log: u32, offset: Offset) -> T {
    match offset {
        Some(offset) => value.times_root_power(log as i32 + offset),
        None => value,
    }
}

/// The reciprocal.
fn unscaled<T: Number>(value: T, log: u32, offset: Offset) -> T {
    match offset {
        Some(offset) => value.times_root_power(-(log as i32) - offset),
        None => value,
    }
}

/// One level: the sums of pairs, and their differences, scaled.
struct Analyse<'a, T> {
    /// Pairs.
    fine: &'a [T],
    sums: &'a mut [T],
    differences: &'a mut [T],
    log: u32,
    offset: Offset,
}

impl<T: Number> Task for Analyse<'_, T> {
    type Scalar = T;

    // The compiler vectorizes it for the instruction set that it is compiled for.
    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>>(self) {
        let pairs = self.fine.as_chunks::<2>().0.iter().zip(self.sums).zip(self.differences);
        for (([u, v], sum), difference) in pairs {
            (*sum, *difference) = (u.plus(*v), scaled(u.minus(*v), self.log, self.offset));
        }
    }
}

/// One level back.
struct Synthesise<'a, T> {
    sums: &'a [T],
    differences: &'a [T],
    fine: &'a mut [T],
    log: u32,
    offset: Offset,
}

impl<T: Number> Task for Synthesise<'_, T> {
    type Scalar = T;

    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>>(self) {
        let pairs = self.fine.as_chunks_mut::<2>().0.iter_mut().zip(self.sums).zip(self.differences);
        for ((pair, s), d) in pairs {
            let d = unscaled(*d, self.log, self.offset);
            *pair = [s.plus(d).divide_by_power(1), s.minus(d).divide_by_power(1)];
        }
    }
}

/// The spectrum of `x` in standard order, to `y` of the same length, a power of two.
pub(super) fn forward<T: HostVectors>(x: &[T], y: &mut [T], offset: Offset, team: Team<'_>) {
    let mut rest = y;
    let mut levels = Vec::new();
    // y = [total][1][2][4]...: the differences of each level, the finest first.
    while rest.len() > 1 {
        let (coarse, finest) = rest.split_at_mut(rest.len() / 2);
        levels.push(finest);
        rest = coarse;
    }
    let total = analyse(Level::widest(), x, levels, offset, team);
    rest[0] = scaled(total, 0, offset);
}

/// Writes the differences of all levels, the finest first, and returns the total.
fn analyse<T: HostVectors>(level: Level, x: &[T], levels: Vec<&mut [T]>, offset: Offset, team: Team<'_>) -> T {
    if x.len() >= SHARED_VALUES && !team.is_alone() {
        // Parts of whole blocks, each with its part of every level; then the parts' sums.
        let parts = parts(x.len(), team);
        let log_part = (x.len() / parts).ilog2();
        let mut of_parts: Vec<Vec<&mut [T]>> = (0..parts).map(|_| Vec::with_capacity(log_part as usize)).collect();
        let mut above = Vec::new();
        for (depth, level) in levels.into_iter().enumerate() {
            if depth < log_part as usize {
                let len = level.len() / parts;
                of_parts.iter_mut().zip(level.chunks_exact_mut(len)).for_each(|(part, level)| part.push(level));
            } else {
                above.push(level);
            }
        }
        let log_above = above.len() as u32;
        let mut sums = vec![T::default(); parts];
        let works = x.chunks_exact(x.len() / parts).zip(of_parts).zip(&mut sums);
        team.each(works, |((x, levels), sum)| *sum = analyse_alone(level, x, levels, log_above, offset));
        return analyse_alone(level, &sums, above, 0, offset);
    }
    analyse_alone(level, x, levels, 0, offset)
}

/// The parts of whole blocks that threads share an array of `len` values in.
fn parts(len: usize, team: Team<'_>) -> usize {
    threads::least_parts(team).next_power_of_two().min(len >> LOG_BLOCK)
}

/// The analysis by the calling thread, block by block, below `log_above` coarser levels.
fn analyse_alone<T: HostVectors>(
    level: Level,
    x: &[T],
    mut levels: Vec<&mut [T]>,
    log_above: u32,
    offset: Offset,
) -> T {
    let log_len = levels.len() as u32;
    let log_block = log_len.min(LOG_BLOCK);
    let mut room = vec![T::default(); 1 << log_block];
    let mut sums = Vec::with_capacity(x.len() >> log_block);
    for (block, values) in x.chunks_exact(1 << log_block).enumerate() {
        let (mut these, mut next) = room.split_at_mut(1 << log_block >> 1);
        for depth in 0..log_block {
            let len = 1_usize << (log_block - depth - 1);
            let differences = &mut levels[depth as usize][block * len..][..len];
            let log = log_above + log_len - 1 - depth;
            let fine = if depth == 0 { values } else { &next[..2 * len] };
            // SAFETY: the task has slices alone.
            unsafe { level.run(Analyse { fine, sums: &mut these[..len], differences, log, offset }) };
            std::mem::swap(&mut these, &mut next);
        }
        sums.push(if log_block == 0 { values[0] } else { next[0] });
    }
    if let [total] = sums[..] {
        return total;
    }
    let above = levels.split_off(log_block as usize);
    analyse_alone(level, &sums, above, log_above, offset)
}

/// The values of the spectrum `y` in standard order, to `x` of the same length.
pub(super) fn inverse<T: HostVectors>(y: &[T], x: &mut [T], offset: Offset, team: Team<'_>) {
    let mut rest = y;
    let mut levels = Vec::new();
    while rest.len() > 1 {
        let (coarse, finest) = rest.split_at(rest.len() / 2);
        levels.push(finest);
        rest = coarse;
    }
    let total = unscaled(rest[0], 0, offset);
    let level = Level::widest();
    if x.len() < SHARED_VALUES || team.is_alone() {
        synthesise(level, total, &levels, 0, x, offset);
        return;
    }
    let parts = parts(x.len(), team);
    let log_part = (x.len() / parts).ilog2() as usize;
    let mut sums = vec![T::default(); parts];
    synthesise(level, total, &levels[log_part..], 0, &mut sums, offset);
    team.each(x.chunks_exact_mut(x.len() / parts).zip(sums).enumerate(), |(part, (x, sum))| {
        let levels: Vec<&[T]> = levels[..log_part]
            .iter()
            .map(|level| {
                let len = level.len() / parts;
                &level[part * len..][..len]
            })
            .collect();
        synthesise(level, sum, &levels, parts.ilog2(), x, offset);
    });
}

/// Makes the values of a total and the differences of all levels, the finest first, by the calling thread.
fn synthesise<T: HostVectors>(level: Level, total: T, levels: &[&[T]], log_above: u32, x: &mut [T], offset: Offset) {
    let log_len = levels.len() as u32;
    let log_block = log_len.min(LOG_BLOCK);
    let mut sums = vec![total; x.len() >> log_block];
    if log_block < log_len {
        synthesise(level, total, &levels[log_block as usize..], log_above, &mut sums, offset);
    }
    let mut room = vec![T::default(); 1 << log_block];
    for (block, (values, &sum)) in x.chunks_exact_mut(1 << log_block).zip(&sums).enumerate() {
        let (mut these, mut next) = room.split_at_mut(1 << log_block >> 1);
        if log_block == 0 {
            values[0] = sum;
            continue;
        }
        these[0] = sum;
        for depth in (0..log_block).rev() {
            let len = 1_usize << (log_block - depth - 1);
            let differences = &levels[depth as usize][block * len..][..len];
            let log = log_above + log_len - 1 - depth;
            let fine = if depth == 0 { &mut values[..] } else { &mut next[..2 * len] };
            // SAFETY: the task has slices alone.
            unsafe { level.run(Synthesise { sums: &these[..len], differences, fine, log, offset }) };
            std::mem::swap(&mut these, &mut next);
        }
    }
}

/// The transform in place, into the order of [`super::HaarOrder::InPlace`], or back.
pub(super) fn in_place<T: Number>(x: &mut [T], inverse: bool, offset: Offset, team: Team<'_>) {
    in_place_above(x, 0, inverse, offset, team);
}

/// The transform in place below `log_above` coarser levels: blocks, then their first values.
fn in_place_above<T: Number>(x: &mut [T], log_above: u32, inverse: bool, offset: Offset, team: Team<'_>) {
    let log_len = x.len().ilog2();
    let log_block = log_len.min(LOG_BLOCK);
    let top = log_above + log_len - log_block;
    let blocks = |x: &mut [T]| {
        let each = |block: &mut [T]| in_block(block, top, inverse, offset);
        let some = |blocks: &mut [T]| blocks.chunks_exact_mut(1 << log_block).for_each(each);
        team.only_if(x.len() >= SHARED_VALUES).each(x.chunks_mut(TASK_VALUES), some);
    };
    let firsts = |x: &mut [T]| {
        if log_block == log_len {
            x[0] = if inverse { unscaled(x[0], 0, offset) } else { scaled(x[0], 0, offset) };
            return;
        }
        let mut sums: Vec<T> = x.iter().step_by(1 << log_block).copied().collect();
        in_place_above(&mut sums, log_above, inverse, offset, team);
        x.iter_mut().step_by(1 << log_block).zip(sums).for_each(|(value, sum)| *value = sum);
    };
    if inverse {
        firsts(x);
        blocks(x);
    } else {
        blocks(x);
        firsts(x);
    }
}

/// All levels of one block, whose total is left as it is.
fn in_block<T: Number>(x: &mut [T], top: u32, inverse: bool, offset: Offset) {
    let log_len = x.len().ilog2();
    for step in 0..log_len {
        let bit = if inverse { log_len - 1 - step } else { step };
        let log = top + log_len - 1 - bit;
        for pair in x.chunks_exact_mut(2 << bit) {
            let (u, v) = (pair[0], pair[1 << bit]);
            if inverse {
                let v = unscaled(v, log, offset);
                (pair[0], pair[1 << bit]) = (u.plus(v).divide_by_power(1), u.minus(v).divide_by_power(1));
            } else {
                (pair[0], pair[1 << bit]) = (u.plus(v), scaled(u.minus(v), log, offset));
            }
        }
    }
}

//! Counts of even integers by value and the largest with its place, over blocks of rows that come one after the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use manycore_device::{Buffer, Defines, Executor, HostPool, Kernel, OpenCl, Team};

use crate::context::Boolean;
use crate::error::BooleanError;
use crate::function::summary::Histogram;
use crate::groups::{LOCAL_BINS, group_items, tally_groups};
use crate::threads::TASK;

// SAFETY: `Tally::add` alone launches it, with the bins and the list that `Tally::new` makes, and values
// that there are.
manycore_device::kernel! {
    /// Counts even integers by value.
    pub(crate) unsafe TALLY in manycore_kernels::boolean::TALLY: boolean_tally
}

/// Values between `-2 MOST_OFFSET` and `2 MOST_OFFSET` have bins, at most.
const MOST_OFFSET: u64 = 1 << 22;

/// The most values without a bin that are listed.
const OUTSIDE: usize = 4096;

/// The largest absolute value in rows other than 0, and where it is first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Best {
    pub(crate) most: u32,
    pub(crate) row: u32,
    pub(crate) column: u32,
    /// The least number of ones in row and column together of a value other than 0 in these rows.
    pub(crate) branch: Option<u32>,
}

impl Best {
    pub(crate) const NONE: Self = Self { most: 0, row: 0, column: 0, branch: None };

    /// Of what four words on a device say.
    pub(crate) fn of_words(words: &[u32]) -> Self {
        let branch = (words[3] != u32::MAX).then_some(words[3]);
        Self { most: words[0], row: words[1], column: words[2], branch }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        let key = |best: &Self| (best.most, std::cmp::Reverse((best.row, best.column)));
        let better = if key(&other) > key(&self) { other } else { self };
        Self { branch: [self.branch, other.branch].into_iter().flatten().min(), ..better }
    }
}

/// The words that a group of a device keeps of its [`Best`].
pub(crate) const BEST_WORDS: usize = 4;

/// Groups' words, before anything was found.
pub(crate) fn no_best(context: &Boolean, groups: usize) -> Result<Buffer<u32>, BooleanError> {
    Ok(context.device().upload(&[0, u32::MAX, u32::MAX, u32::MAX].repeat(groups))?)
}

/// What was counted.
#[derive(Debug)]
pub(crate) struct Tallied {
    pub(crate) histogram: Histogram,
    pub(crate) best: Best,
    /// Whether the histogram lacks values without a bin, because they were too many.
    pub(crate) incomplete: bool,
    /// Half the largest value that has a bin.
    pub(crate) offset: u64,
}

/// A count under way.
pub(crate) struct Tally<'a> {
    context: &'a Boolean,
    offset: usize,
    counts: Counts<'a>,
}

enum Counts<'a> {
    Host {
        pool: &'a HostPool,
        /// What each part of the values added counts into: they are summed once, at the end.
        parts: Vec<Part>,
    },
    Device(Box<DeviceCounts<'a>>),
}

/// What a device counts into.
struct DeviceCounts<'a> {
    cl: &'a OpenCl,
    kernel: Arc<Kernel>,
    groups: usize,
    bins: Buffer<u32>,
    outside: Buffer<i32>,
    best: Buffer<u32>,
}

/// Sets of bins that neighbouring values are counted in by turns: many are equal, and a count that was just stored is waited for.
const SETS: usize = 4;

/// Half the largest value for which there are several sets: of more, all together are larger than the nearest cache.
const SETS_OFFSET: usize = 1 << 10;

/// The counts of some values on the host.
struct Part {
    /// One set of `2 offset + 1` bins or [`SETS`] of them, one after the other.
    bins: Vec<u64>,
    outside: BTreeMap<i64, u64>,
    best: Best,
}

impl Part {
    fn new(offset: usize) -> Self {
        let sets = if offset <= SETS_OFFSET { SETS } else { 1 };
        Self { bins: vec![0; sets * (2 * offset + 1)], outside: BTreeMap::new(), best: Best::NONE }
    }

    /// Counts a row, of number `row`, from `column` on; after those before it.
    fn row(&mut self, offset: usize, row: u32, column: u32, values: &[i32]) {
        let mut count =
            |bins: &mut [u64], v: i32| match bins.get_mut(((v >> 1) as isize).wrapping_add_unsigned(offset) as usize) {
                Some(count) => *count += 1,
                None => *self.outside.entry(v.into()).or_default() += 1,
            };
        let len = 2 * offset + 1;
        let (first, others) = self.bins.split_at_mut(len);
        if others.is_empty() {
            for &v in values {
                count(first, v);
            }
        } else {
            let (second, others) = others.split_at_mut(len);
            let (third, fourth) = others.split_at_mut(len);
            let (runs, rest) = values.as_chunks::<SETS>();
            for &[a, b, c, d] in runs {
                count(first, a);
                count(second, b);
                count(third, c);
                count(fourth, d);
            }
            for &v in rest {
                count(first, v);
            }
        }
        if row == 0 {
            return;
        }
        let most = values.iter().map(|v| v.unsigned_abs()).max().unwrap_or(0);
        if most > self.best.most {
            let at = values.iter().position(|v| v.unsigned_abs() == most).unwrap_or(0);
            self.best = Best { most, row, column: column + at as u32, ..self.best };
        }
        // Most rows have too many ones to matter.
        if self.best.branch.is_some_and(|branch| branch <= row.count_ones()) {
            return;
        }
        let ones = (0..).zip(values).filter(|(_, v)| **v != 0).map(|(i, _)| (column + i).count_ones()).min();
        self.best.branch = [self.best.branch, ones.map(|ones| ones + row.count_ones())].into_iter().flatten().min();
    }

    /// The counts of all parts.
    fn sum(team: Team<'_>, offset: usize, parts: Vec<Self>) -> Self {
        let mut parts = parts.into_iter();
        let mut sum = parts.next().unwrap_or_else(|| Self::new(offset));
        let others = parts.as_slice();
        team.each(sum.bins.chunks_mut(TASK).enumerate(), |(i, bins)| {
            for other in others {
                bins.iter_mut().zip(&other.bins[i * TASK..]).for_each(|(a, b)| *a += b);
            }
        });
        let (bins, sets) = sum.bins.split_at_mut(2 * offset + 1);
        for other in sets.chunks_exact(bins.len()) {
            bins.iter_mut().zip(other).for_each(|(a, b)| *a += b);
        }
        sum.bins.truncate(2 * offset + 1);
        for other in parts {
            other.outside.into_iter().for_each(|(value, count)| *sum.outside.entry(value).or_default() += count);
            sum.best = sum.best.or(other.best);
        }
        sum
    }
}

/// Values of a piece in which a row is counted: a single row occupies all threads, too.
const PIECE: usize = 1 << 16;

impl<'a> Tally<'a> {
    /// Counts values of absolute value `most` or less.
    pub(crate) fn new(context: &'a Boolean, most: u64) -> Result<Self, BooleanError> {
        let offset = (most / 2).min(MOST_OFFSET) as usize;
        let counts = match context.device().executor() {
            Executor::Host(pool) => Counts::Host { pool, parts: Vec::new() },
            Executor::OpenCl(cl) => {
                let (device, items) = (context.device(), group_items(cl, 256));
                let kernel =
                    context.kernel(cl, &TALLY, Defines::new().set("GROUP", items).set("LOCAL_BINS", LOCAL_BINS))?;
                let groups = tally_groups(cl.info().compute_units);
                Counts::Device(Box::new(DeviceCounts {
                    cl,
                    kernel,
                    groups,
                    bins: device.zeros(2 * offset + 1)?,
                    outside: device.zeros(1 + OUTSIDE)?,
                    best: no_best(context, groups)?,
                }))
            }
        };
        Ok(Self { context, offset, counts })
    }

    /// Counts the first `len` values, rows of `2^log_columns`, the first of them row `first_row`; fewer than `2^32`, and after
    /// rows of lower numbers.
    pub(crate) fn add(
        &mut self,
        values: &Buffer<i32>,
        len: usize,
        log_columns: u32,
        first_row: u32,
    ) -> Result<(), BooleanError> {
        let offset = self.offset;
        match &mut self.counts {
            Counts::Host { pool, parts } => {
                let values = &values.host()?[..len];
                let piece = (1 << log_columns).min(PIECE);
                let team = pool.team();
                // Not fewer values than bins, which take as long to clear and to sum.
                let least = TASK.max(2 * offset);
                let pieces_each = len.div_ceil(piece).div_ceil(2 * team.threads()).max(least.div_ceil(piece));
                let counts = values.chunks(pieces_each * piece);
                parts.resize_with(parts.len().max(counts.len()), || Part::new(offset));
                let work = |(chunk, (part, values)): (usize, (&mut Part, &[i32]))| {
                    for (i, piece_values) in values.chunks(piece).enumerate() {
                        let at = (chunk * pieces_each + i) * piece;
                        let column = at & ((1 << log_columns) - 1);
                        part.row(offset, first_row + (at >> log_columns) as u32, column as u32, piece_values);
                    }
                };
                pool.step("boolean_tally", 4 * len as u64, len as u64, || {
                    team.each(parts.iter_mut().zip(counts).enumerate(), work);
                });
                Ok(())
            }
            Counts::Device(device) => {
                let DeviceCounts { cl, kernel, groups, bins, outside, best } = &mut **device;
                let items = group_items(cl, 256);
                let launch = cl.launch(kernel).input(values).value(len as u64).value(log_columns).value(first_row);
                let launch =
                    launch.value(offset as u32).buffer(bins).value(OUTSIDE as u32).buffer(outside).buffer(best);
                Ok(launch.groups(len.div_ceil(4 * items).min(*groups), items).bytes(4 * len as u64).run()?)
            }
        }
    }

    /// The counts of all that was added: fewer than `2^32` equal values.
    pub(crate) fn finish(self) -> Result<Tallied, BooleanError> {
        let Self { context, offset, counts } = self;
        let (bins, outside, best, incomplete) = match counts {
            Counts::Host { pool, parts } => {
                let counted = (parts.len() * (2 * offset + 1)) as u64;
                let sum = || Part::sum(pool.team(), offset, parts);
                let Part { bins, outside, best } = pool.step("boolean_tally", 8 * counted, counted, sum);
                (bins, outside, best, false)
            }
            Counts::Device(device) => {
                let DeviceCounts { bins, outside, best, .. } = *device;
                context.device().finish()?;
                let bins = bins.download()?.into_iter().map(u64::from).collect();
                let listed = outside.download()?;
                let count = listed[0] as u32 as usize;
                let mut values = BTreeMap::new();
                for &v in &listed[1..=count.min(OUTSIDE)] {
                    *values.entry(i64::from(v)).or_default() += 1;
                }
                let best = best.download()?.chunks_exact(BEST_WORDS).map(Best::of_words).fold(Best::NONE, Best::or);
                (bins, values, best, count > OUTSIDE)
            }
        };
        let mut histogram = Histogram::of_even(&bins, offset);
        if !incomplete {
            histogram.counts.extend(outside);
        }
        Ok(Tallied { histogram, best, incomplete, offset: offset as u64 })
    }
}

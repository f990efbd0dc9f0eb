//! Schedules of many variants of durations at once (Monte Carlo: Van Slyke, "Monte Carlo methods and the PERT problem", 1963): the
//! distribution of the project's length, and how often each task is critical. Exact: every variant is scheduled.

use std::ops::Range;

use manycore_device::{Defines, Device, Executor, OpenCl, host_room};
use manycore_tuning::Planner;

use super::model::{Project, check_duration};
use crate::error::MaxPlusError;

// SAFETY: `on_device` alone launches it, with durations, starts and tails of all tasks in as many variants as its arguments say, and the
// links of a project; the kernel brings the tasks that it reads within those.
manycore_device::kernel! {
    /// The schedules of a block of variants.
    unsafe VARIANTS in manycore_kernels::maxplus::VARIANTS: maxplus_variants
}

/// Draw `index`, from 0, of `SplitMix64` with this seed.
fn draw(seed: u64, index: u64) -> u64 {
    let state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(index.wrapping_add(1)));
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Draw `index`, from 0, of the generator with this seed as a number from 0 to below 1, a multiple of `2^-53`.
fn draw_unit(seed: u64, index: u64) -> f64 {
    (draw(seed, index) >> 11) as f64 / (1u64 << 53) as f64
}

/// Variants of the durations of a project's tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variants {
    tasks: usize,
    count: usize,
    /// Of each task, those of all variants.
    durations: Vec<i64>,
}

impl Variants {
    /// Durations task after task, of each those of all variants.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for another number of durations than tasks times variants; [`MaxPlusError::Task`] for a wrong one.
    pub fn new(tasks: usize, count: usize, durations: Vec<i64>) -> Result<Self, MaxPlusError> {
        let expected = tasks.saturating_mul(count);
        if durations.len() != expected {
            return Err(MaxPlusError::Length { what: "durations of variants", given: durations.len(), expected });
        }
        for (at, &duration) in durations.iter().enumerate() {
            check_duration(at / count, duration)?;
        }
        Ok(Self { tasks, count, durations })
    }

    /// Durations that `duration` makes of each task and of a number from 0 to below 1, drawn evenly and the same for the same seed: an
    /// inverse distribution function gives any distribution.
    ///
    /// # Errors
    /// As [`Variants::new`].
    pub fn drawn(
        tasks: usize,
        count: usize,
        seed: u64,
        duration: impl Fn(usize, f64) -> i64,
    ) -> Result<Self, MaxPlusError> {
        Self::drawn_of(tasks, 0..count as u64, seed, duration)
    }

    /// Variants `range` of those that [`Variants::drawn`] gives for the seed, whatever their number: variant `s` has a generator of its
    /// own (`SplitMix64`: Steele, Lea, Flood 2014), whose seed is draw `s` of that of `seed`, so that ranges computed apart are parts of
    /// one run.
    ///
    /// ```
    /// use manycore_maxplus::project::Variants;
    /// let duration = |_, unit| (10.0 * unit) as i64;
    /// let (all, some) = (Variants::drawn(3, 100, 7, duration)?, Variants::drawn_of(3, 40..60, 7, duration)?);
    /// assert_eq!(some.duration(2, 5), all.duration(2, 45));
    /// # Ok::<(), manycore_maxplus::MaxPlusError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Variants::new`]; [`MaxPlusError::Device`] where memory has no room for the durations.
    pub fn drawn_of(
        tasks: usize,
        range: Range<u64>,
        seed: u64,
        duration: impl Fn(usize, f64) -> i64,
    ) -> Result<Self, MaxPlusError> {
        let count = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
        host_room((tasks.saturating_add(1)).saturating_mul(count).saturating_mul(size_of::<i64>()) as u64)?;
        let states: Vec<u64> = range.map(|variant| draw(seed, variant)).collect();
        let mut durations = Vec::with_capacity(tasks.saturating_mul(count));
        for task in 0..tasks {
            durations.extend(states.iter().map(|&state| duration(task, draw_unit(state, task as u64))));
        }
        Self::new(tasks, count, durations)
    }

    /// The numbers from 0 to below 1 that [`Variants::drawn`] draws for the tasks 0, 1 and so on of variant `variant`, for as many
    /// tasks as `units` has places: for those who make durations of them elsewhere, such as in an array of `NumPy`.
    ///
    /// ```
    /// use manycore_maxplus::project::Variants;
    /// let all = Variants::drawn(3, 100, 7, |_, unit| (10.0 * unit) as i64)?;
    /// let mut units = [0.0; 3];
    /// Variants::draw_units(7, 45, &mut units);
    /// assert_eq!(all.duration(2, 45), Some((10.0 * units[2]) as i64));
    /// # Ok::<(), manycore_maxplus::MaxPlusError>(())
    /// ```
    pub fn draw_units(seed: u64, variant: u64, units: &mut [f64]) {
        let state = draw(seed, variant);
        (0..).zip(units).for_each(|(task, unit)| *unit = draw_unit(state, task));
    }

    /// The duration of a task in a variant; `None` where there is no such task or variant.
    pub fn duration(&self, task: usize, variant: usize) -> Option<i64> {
        let is_inside = task < self.tasks && variant < self.count;
        is_inside.then(|| self.durations[task * self.count + variant])
    }

    /// The number of variants.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// What the schedules of variants give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantsReport {
    lengths: Vec<i64>,
    critical: Vec<u64>,
}

impl VariantsReport {
    /// The report of all variants from those of parts of them, in order, of one project: ranges of [`Variants::drawn_of`] that were
    /// scheduled apart.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_maxplus::project::{Project, Task, Variants, VariantsReport};
    /// let project = Project::new(vec![Task::new("a", 1), Task::new("b", 1)], vec![])?;
    /// let report = |range| {
    ///     let variants = Variants::drawn_of(2, range, 7, |_, unit| (10.0 * unit) as i64)?;
    ///     project.schedule_variants(&Device::host(), &variants)
    /// };
    /// assert_eq!(VariantsReport::of_parts(&[report(0..40)?, report(40..100)?])?, report(0..100)?);
    /// # Ok::<(), manycore_maxplus::MaxPlusError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for parts of different numbers of tasks.
    pub fn of_parts(parts: &[Self]) -> Result<Self, MaxPlusError> {
        let tasks = parts.first().map_or(0, |part| part.critical.len());
        let mut critical = vec![0u64; tasks];
        for part in parts {
            if part.critical.len() != tasks {
                return Err(MaxPlusError::Length {
                    what: "tasks of a part of the variants",
                    given: part.critical.len(),
                    expected: tasks,
                });
            }
            critical.iter_mut().zip(&part.critical).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
        }
        Ok(Self { lengths: parts.iter().flat_map(|part| part.lengths.iter().copied()).collect(), critical })
    }

    /// The report with these lengths, one of each variant, and these numbers of variants in which each task is critical, as they were
    /// computed elsewhere.
    pub fn new(lengths: Vec<i64>, critical: Vec<u64>) -> Self {
        Self { lengths, critical }
    }

    /// The length of the project in each variant.
    pub fn lengths(&self) -> &[i64] {
        &self.lengths
    }

    /// The number of variants in which each task is critical.
    pub fn critical(&self) -> &[u64] {
        &self.critical
    }

    /// The least length that at least this part of the variants, from 0 to 1, does not exceed; `None` without variants.
    pub fn quantile(&self, part: f64) -> Option<i64> {
        let mut sorted = self.lengths.clone();
        sorted.sort_unstable();
        let place = (part.clamp(0.0, 1.0) * sorted.len() as f64).ceil() as usize;
        sorted.get(place.saturating_sub(1)).copied()
    }

    /// The mean length; `None` without variants.
    pub fn mean(&self) -> Option<f64> {
        let sum: i128 = self.lengths.iter().map(|&length| i128::from(length)).sum();
        (!self.lengths.is_empty()).then(|| sum as f64 / self.lengths.len() as f64)
    }
}

/// The links of each task, one side of them, by places.
struct Side {
    offsets: Vec<u64>,
    others: Vec<u32>,
    lags: Vec<i64>,
    kinds: Vec<u32>,
}

/// Tasks in topological order with their links.
struct Ordered {
    order: Vec<u32>,
    releases: Vec<i64>,
    before: Side,
    after: Side,
}

impl Ordered {
    fn new(project: &Project) -> Result<Self, MaxPlusError> {
        let order = project.graph()?.topological_order()?;
        let mut place = vec![0u32; order.len()];
        (0..).zip(&order).for_each(|(at, &task)| place[task as usize] = at);
        let side = |is_before: bool| {
            let mut own: Vec<(u32, u32, i64, u32)> = project
                .links
                .iter()
                .map(|link| {
                    let (first, second) = link.kind.durations();
                    let kind = u32::from(first) | u32::from(second) << 1;
                    let (from, to) = (place[link.from as usize], place[link.to as usize]);
                    if is_before { (to, from, link.lag, kind) } else { (from, to, link.lag, kind) }
                })
                .collect();
            own.sort_unstable();
            let mut offsets = vec![0u64; order.len() + 1];
            for link in &own {
                offsets[link.0 as usize + 1] += 1;
            }
            (0..order.len()).for_each(|task| offsets[task + 1] += offsets[task]);
            Side {
                offsets,
                others: own.iter().map(|link| link.1).collect(),
                lags: own.iter().map(|link| link.2).collect(),
                kinds: own.iter().map(|link| link.3).collect(),
            }
        };
        let (before, after) = (side(true), side(false));
        let releases = order.iter().map(|&task| project.tasks[task as usize].release).collect();
        Ok(Self { order, releases, before, after })
    }
}

/// Variants that a thread schedules at a time: neighbours in memory.
const TOGETHER: usize = 32;

/// Items of a group.
const GROUP: usize = 64;

impl Project {
    /// Schedules every variant of durations, on the host's threads or on an OpenCL device: `O((tasks + links) variants)` steps. Deadlines
    /// do not count.
    ///
    /// # Errors
    /// [`MaxPlusError::Cycle`] where links, maximal lags among them, form a circuit; [`MaxPlusError::Length`] for variants of another
    /// number of tasks; [`MaxPlusError::Device`].
    pub fn schedule_variants(&self, device: &Device, variants: &Variants) -> Result<VariantsReport, MaxPlusError> {
        let tasks = self.tasks.len();
        if variants.tasks != tasks {
            return Err(MaxPlusError::Length { what: "tasks of variants", given: variants.tasks, expected: tasks });
        }
        let ordered = Ordered::new(self)?;
        let mut report = VariantsReport { lengths: vec![0; variants.count], critical: vec![0; tasks] };
        if tasks == 0 || variants.count == 0 {
            return Ok(report);
        }
        match device.executor() {
            Executor::Host(pool) => {
                let mut parts: Vec<(usize, Vec<i64>, Vec<u64>)> =
                    (0..variants.count).step_by(TOGETHER).map(|first| (first, Vec::new(), Vec::new())).collect();
                let steps = (tasks + self.links.len()) as u64 * variants.count as u64;
                pool.step("maxplus_variants", steps * 16, steps, || {
                    pool.team().only_if(steps > 1 << 16).each(&mut parts, |(first, lengths, critical)| {
                        let count = TOGETHER.min(variants.count - *first);
                        (*lengths, *critical) = on_host(&ordered, variants, *first, count);
                    });
                });
                for (first, lengths, critical) in parts {
                    report.lengths[first..first + lengths.len()].copy_from_slice(&lengths);
                    for (&task, count) in ordered.order.iter().zip(critical) {
                        report.critical[task as usize] += count;
                    }
                }
            }
            Executor::OpenCl(cl) => {
                let planner = Planner::new(device);
                // Durations, starts and tails of a variant.
                let bytes = 24 * tasks as u64;
                let fitting =
                    (device.info().memory_bytes / 2 / bytes).min(device.info().largest_allocation_bytes * 3 / bytes);
                let width = (fitting as usize).clamp(1, variants.count);
                for first in (0..variants.count).step_by(width) {
                    let count = width.min(variants.count - first);
                    on_device(&planner, cl, &ordered, variants, (first, count), &mut report)?;
                }
            }
        }
        Ok(report)
    }
}

/// The lengths of some variants, and in how many of them each task, by places, is critical.
fn on_host(ordered: &Ordered, variants: &Variants, first: usize, count: usize) -> (Vec<i64>, Vec<u64>) {
    let tasks = ordered.order.len();
    let durations = |place: usize| {
        let begin = ordered.order[place] as usize * variants.count + first;
        &variants.durations[begin..begin + count]
    };
    let mut starts = vec![0i64; tasks * count];
    let mut lengths = vec![i64::MIN; count];
    for task in 0..tasks {
        let (done, rest) = starts.split_at_mut(task * count);
        let own = &mut rest[..count];
        own.fill(ordered.releases[task]);
        let Side { offsets, others, lags, kinds } = &ordered.before;
        for link in offsets[task] as usize..offsets[task + 1] as usize {
            let other = others[link] as usize;
            let (first, second) = (i64::from(kinds[link] & 1), i64::from(kinds[link] >> 1));
            let before = done[other * count..(other + 1) * count].iter().zip(durations(other));
            for ((start, (other, first_duration)), duration) in own.iter_mut().zip(before).zip(durations(task)) {
                *start = (*start).max(other + lags[link] + first * first_duration - second * duration);
            }
        }
        for ((length, start), duration) in lengths.iter_mut().zip(own).zip(durations(task)) {
            *length = (*length).max(*start + duration);
        }
    }
    let mut critical = vec![0; tasks];
    let mut tails = vec![0i64; tasks * count];
    for task in (0..tasks).rev() {
        let (head, done) = tails.split_at_mut((task + 1) * count);
        let own = &mut head[task * count..];
        own.copy_from_slice(durations(task));
        let Side { offsets, others, lags, kinds } = &ordered.after;
        for link in offsets[task] as usize..offsets[task + 1] as usize {
            let other = others[link] as usize;
            let (first, second) = (i64::from(kinds[link] & 1), i64::from(kinds[link] >> 1));
            let begin = (other - task - 1) * count;
            let after = done[begin..begin + count].iter().zip(durations(other));
            for ((tail, (other, second_duration)), duration) in own.iter_mut().zip(after).zip(durations(task)) {
                *tail = (*tail).max(other + lags[link] + first * duration - second * second_duration);
            }
        }
        let starts = &starts[task * count..(task + 1) * count];
        let is_critical = |((start, tail), length): &((&i64, &i64), &i64)| *start + *tail == **length;
        critical[task] = starts.iter().zip(&*own).zip(&lengths).filter(is_critical).count() as u64;
    }
    (lengths, critical)
}

fn on_device(
    planner: &Planner,
    cl: &OpenCl,
    ordered: &Ordered,
    variants: &Variants,
    (first, count): (usize, usize),
    report: &mut VariantsReport,
) -> Result<(), MaxPlusError> {
    let (device, tasks) = (planner.device(), ordered.order.len());
    let links = ordered.before.others.len();
    let mut own = Vec::with_capacity(tasks * count);
    for &task in &ordered.order {
        let begin = task as usize * variants.count + first;
        own.extend_from_slice(&variants.durations[begin..begin + count]);
    }
    // Buffers have a word at least.
    let some = |words: &[u32]| device.upload(if words.is_empty() { &[0] } else { words });
    let some_lags = |words: &[i64]| device.upload(if words.is_empty() { &[0] } else { words });
    let durations = device.upload(&own)?;
    let releases = device.upload(&ordered.releases)?;
    let mut starts = device.scratch::<i64>(tasks * count)?;
    let mut tails = device.scratch::<i64>(tasks * count)?;
    let mut lengths = device.scratch::<i64>(count)?;
    let mut critical = device.zeros::<u32>(tasks)?;
    let (before, after) = (&ordered.before, &ordered.after);
    let (before_offsets, after_offsets) = (device.upload(&before.offsets)?, device.upload(&after.offsets)?);
    let (before_others, after_others) = (some(&before.others)?, some(&after.others)?);
    let (before_lags, after_lags) = (some_lags(&before.lags)?, some_lags(&after.lags)?);
    let (before_kinds, after_kinds) = (some(&before.kinds)?, some(&after.kinds)?);
    let kernel = planner.kernel(cl, &VARIANTS, Defines::new())?;
    cl.launch(&kernel)
        .input(&durations)
        .input(&releases)
        .input(&before_offsets)
        .input(&before_others)
        .input(&before_lags)
        .input(&before_kinds)
        .input(&after_offsets)
        .input(&after_others)
        .input(&after_lags)
        .input(&after_kinds)
        .buffer(&mut starts)
        .buffer(&mut tails)
        .buffer(&mut lengths)
        .buffer(&mut critical)
        .value(tasks as u64)
        .value(links as u64)
        .value(count as u64)
        .items(count, GROUP.min(kernel.group_limit()))
        .bytes((16 * (2 * tasks + 2 * links) * count) as u64)
        .operations((2 * (tasks + links) * count) as u64)
        .run()?;
    report.lengths[first..first + count].copy_from_slice(&lengths.download()?);
    for (&task, count) in ordered.order.iter().zip(critical.download()?) {
        report.critical[task as usize] += u64::from(count);
    }
    Ok(())
}

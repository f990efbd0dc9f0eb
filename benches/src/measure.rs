//! Groups of repetitions, and their median.
//!
//! A device's clock ticks in about a microsecond and the first launch after an idle time is slower than the next ones.
//! So runs are timed in groups, and the median over groups is reported with the least and greatest one.

use std::time::{Duration, Instant};

use anyhow::Result;

/// The effort of the measurement of one case: its time and its groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// The least duration of a group, in seconds.
    pub group_seconds: f64,
    /// The number of groups, unless the time ends before.
    pub groups: usize,
    /// No further group once a case took so long, in seconds; three are always measured.
    pub case_seconds: f64,
}

/// Seconds of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Times {
    /// The median over the groups.
    pub median: f64,
    /// The fastest group.
    pub minimum: f64,
    /// The slowest group.
    pub maximum: f64,
    /// Runs in all groups together.
    pub repeats: u64,
}

/// The time for which a device is kept busy before it is timed, so that its clock rises.
const WARM_UP: Duration = Duration::from_millis(30);

/// Times a case. `group(repeats)` does that many runs, at most `most_repeats`, and returns their seconds together.
///
/// # Errors
/// Those of `group`.
pub fn measure(effort: Effort, most_repeats: usize, mut group: impl FnMut(usize) -> Result<f64>) -> Result<Times> {
    let repeats = warm(effort, most_repeats, &mut group)?;
    let started = Instant::now();
    let mut each = Vec::with_capacity(effort.groups);
    while goes_on(effort, each.len(), started) {
        each.push(group(repeats)? / repeats as f64);
    }
    Ok(summary(each, repeats))
}

/// Times several programs for the same work, a group of each in turn, so that whatever else the machine does meets all of
/// them alike. The time of a case is the time of each program: together they take as many times longer.
///
/// # Errors
/// Those of the programs.
pub fn in_turns(effort: Effort, programs: &mut [&mut dyn FnMut() -> Result<()>]) -> Result<Vec<Times>> {
    let mut timed: Vec<_> = programs
        .iter_mut()
        .map(|run| {
            move |repeats: usize| -> Result<f64> {
                let started = Instant::now();
                (0..repeats).try_for_each(|_| run())?;
                Ok(started.elapsed().as_secs_f64())
            }
        })
        .collect();
    let repeats: Vec<usize> = timed.iter_mut().map(|group| warm(effort, 1 << 20, group)).collect::<Result<_>>()?;
    let all = Effort { case_seconds: effort.case_seconds * timed.len() as f64, ..effort };
    let mut each = vec![Vec::with_capacity(effort.groups); timed.len()];
    let started = Instant::now();
    let mut rounds = 0;
    while goes_on(all, rounds, started) {
        for ((group, &repeats), each) in timed.iter_mut().zip(&repeats).zip(&mut each) {
            each.push(group(repeats)? / repeats as f64);
        }
        rounds += 1;
    }
    Ok(each.into_iter().zip(repeats).map(|(each, repeats)| summary(each, repeats)).collect())
}

/// Keeps the device busy for a while, and returns the number of runs of a group.
fn warm(effort: Effort, most_repeats: usize, group: &mut impl FnMut(usize) -> Result<f64>) -> Result<usize> {
    let most_repeats = most_repeats.max(1);
    let started = Instant::now();
    let mut estimate = group(1)?;
    while started.elapsed() < WARM_UP {
        let few = most_repeats.min(4);
        estimate = group(few)? / few as f64;
    }
    let wanted = (effort.group_seconds / estimate.max(1e-9)).ceil();
    Ok((wanted.min(1e9) as usize).clamp(1, most_repeats))
}

/// Whether another group is measured after the first `groups`.
fn goes_on(effort: Effort, groups: usize, started: Instant) -> bool {
    groups < 3 || (groups < effort.groups && started.elapsed().as_secs_f64() < effort.case_seconds)
}

/// The median of an even number of groups is the mean of the middle two.
fn summary(mut each: Vec<f64>, repeats: usize) -> Times {
    each.sort_by(f64::total_cmp);
    let count = each.len();
    Times {
        median: f64::midpoint(each[(count - 1) / 2], each[count / 2]),
        minimum: each[0],
        maximum: each[count - 1],
        repeats: (count * repeats) as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::{Effort, in_turns, measure, summary};

    #[test]
    fn the_median_is_the_middle() {
        let odd = summary(vec![3.0, 1.0, 2.0], 4);
        assert_eq!((odd.median, odd.minimum, odd.maximum, odd.repeats), (2.0, 1.0, 3.0, 12));
        assert!((summary(vec![4.0, 1.0, 2.0, 3.0], 1).median - 2.5).abs() < 1e-12);
    }

    #[test]
    fn groups_are_long_and_repeats_bounded() {
        let effort = Effort { group_seconds: 1.0, groups: 5, case_seconds: 10.0 };
        let times = measure(effort, 1000, |repeats| Ok(repeats as f64 * 0.01)).unwrap();
        assert_eq!(times.repeats, 500);
        let times = measure(effort, 8, |repeats| Ok(repeats as f64 * 0.01)).unwrap();
        assert_eq!(times.repeats, 40);
        let slow = Effort { case_seconds: 0.0, ..effort };
        assert_eq!(measure(slow, 8, |_| Ok(20.0)).unwrap().repeats, 3);
    }

    #[test]
    fn programs_take_turns() {
        let effort = Effort { group_seconds: 2e-3, groups: 5, case_seconds: 10.0 };
        let order = std::cell::RefCell::new(Vec::new());
        let sleep = |name, milliseconds| {
            order.borrow_mut().push(name);
            std::thread::sleep(std::time::Duration::from_millis(milliseconds));
            Ok(())
        };
        let times = in_turns(effort, &mut [&mut || sleep('a', 2), &mut || sleep('b', 6)]).unwrap();
        assert!(times[0].median >= 2e-3 && times[1].median >= 6e-3, "{times:?}");
        assert_eq!((times[0].repeats, times[1].repeats), (5, 5));
        let order = order.into_inner();
        assert_eq!(order[order.len() - 10..], ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']);
    }
}

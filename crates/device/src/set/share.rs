//! Sharing of work by measured speed: guided self-scheduling (Polychronopoulos and Kuck, 1987), with ranges by the rate of each device.
//!
//! A device takes a range, and another one when it is done: half of its share of what is left, by the rates that the devices have
//! shown. Ranges of a device that failed go to the others.

use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Seconds of work below which a range is not worth cutting: a launch and a wait take some 20 us.
const LEAST_SECONDS: f64 = 2e-3;
/// The part of its share that a device takes first, among equal ones and among others.
const FIRST_EQUAL: f64 = 0.25;
const FIRST_OTHER: f64 = 1.0 / 64.0;

/// The work that is left, and who does what.
pub(super) struct Shares {
    state: Mutex<State>,
    changed: Condvar,
    granularity: usize,
    first_part: f64,
}

struct State {
    /// What nobody has: the rest of the whole, and what came back.
    left: Vec<Range<usize>>,
    /// Devices at work.
    active: usize,
    is_over: bool,
    devices: Vec<Pace>,
}

/// What is known of a device's speed.
struct Pace {
    weight: f64,
    /// Items a second in its last range: the first one may have built kernels.
    rate: Option<f64>,
    is_lost: bool,
}

fn rate(range: &Range<usize>, seconds: f64) -> f64 {
    range.len() as f64 / seconds.max(1e-9)
}

/// A range that a device does. Dropped without an outcome, as by a panic, it ends the sharing.
pub(super) struct Turn<'a> {
    shares: &'a Shares,
    device: usize,
    pub(super) range: Range<usize>,
    begun: Instant,
    is_told: bool,
}

impl Shares {
    pub(super) fn new(len: usize, granularity: usize, weights: &[f64], is_equal: bool) -> Self {
        let pace = |&weight: &f64| Pace { weight, rate: None, is_lost: false };
        let left = (len > 0).then_some(0..len).into_iter().collect();
        let devices = weights.iter().map(pace).collect();
        Self {
            state: Mutex::new(State { left, active: 0, is_over: false, devices }),
            changed: Condvar::new(),
            granularity: granularity.max(1),
            first_part: if is_equal { FIRST_EQUAL } else { FIRST_OTHER },
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next range of a device; waits while others may give some back. `None` when all is done, or the sharing is over.
    pub(super) fn take(&self, device: usize) -> Option<Turn<'_>> {
        let mut state = self.state();
        loop {
            if state.is_over || state.devices[device].is_lost || state.left.is_empty() && state.active == 0 {
                return None;
            }
            if let Some(range) = state.cut(device, self.granularity, self.first_part) {
                state.active += 1;
                return Some(Turn { shares: self, device, range, begun: Instant::now(), is_told: false });
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the sharing: devices take no further range.
    pub(super) fn end(&self) {
        self.state().is_over = true;
        self.changed.notify_all();
    }

    /// Whether all was done.
    pub(super) fn is_done(&self) -> bool {
        let state = self.state();
        state.left.is_empty() && state.active == 0 && !state.is_over
    }
}

impl State {
    /// A range for a device out of what is left; `None` where there is nothing, or the others are done sooner without it.
    fn cut(&mut self, device: usize, granularity: usize, first_part: f64) -> Option<Range<usize>> {
        let range = self.left.last()?.clone();
        let left: usize = self.left.iter().map(Range::len).sum();
        let lively = || self.devices.iter().filter(|pace| !pace.is_lost);
        let own = &self.devices[device];
        let items = if let Some(rate) = own.rate {
            // Those who have shown nothing yet are at their first range.
            let others: f64 = lively().filter_map(|pace| pace.rate).sum::<f64>() - rate;
            let is_late = granularity.min(range.len()) as f64 / rate > left as f64 / others;
            if is_late && self.active > 0 {
                return None;
            }
            let share = left as f64 * rate / (rate + others);
            (share / 2.0).max(share.min(rate * LEAST_SECONDS))
        } else {
            let weights: f64 = lively().map(|pace| pace.weight).sum();
            left as f64 * own.weight / weights * first_part
        };
        // Cuts lie at multiples of the granularity, since the first begin does.
        let whole = (items / granularity as f64).round().max(1.0) as usize;
        let end = range.start.saturating_add(whole.saturating_mul(granularity)).min(range.end);
        self.left.pop();
        if end < range.end {
            self.left.push(end..range.end);
        }
        Some(range.start..end)
    }
}

impl Turn<'_> {
    /// The range is done.
    pub(super) fn done(mut self) {
        let took = self.begun.elapsed().as_secs_f64();
        self.told(|state, device, range| {
            state.devices[device].rate = Some(rate(&range, took));
        });
    }

    /// The device failed: its range goes to the others, and it gets no further one.
    pub(super) fn failed(mut self) {
        self.told(|state, device, range| {
            state.devices[device].is_lost = true;
            state.left.push(range);
        });
    }

    fn told(&mut self, tell: impl FnOnce(&mut State, usize, Range<usize>)) {
        self.is_told = true;
        let mut state = self.shares.state();
        state.active -= 1;
        tell(&mut state, self.device, self.range.clone());
        drop(state);
        self.shares.changed.notify_all();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_told {
            self.told(|state, _, _| state.is_over = true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges of devices of given rates, whose time is played: the device that is done first takes next. The ranges, and the
    /// end of the last one, in seconds.
    fn play(len: usize, granularity: usize, rates: &[f64], is_equal: bool) -> (Vec<(usize, Range<usize>)>, f64) {
        let shares = Shares::new(len, granularity, &vec![1.0; rates.len()], is_equal);
        let mut busy: Vec<(usize, f64, f64, Range<usize>)> = Vec::new();
        let (mut told, mut now) = (Vec::new(), 0.0);
        let mut idle: Vec<usize> = (0..rates.len()).collect();
        loop {
            idle.retain(|&device| {
                let mut state = shares.state();
                let Some(range) = state.cut(device, shares.granularity, shares.first_part) else { return true };
                state.active += 1;
                busy.push((device, now, now + range.len() as f64 / rates[device], range));
                false
            });
            let Some(next) = (0..busy.len()).min_by(|&a, &b| busy[a].2.total_cmp(&busy[b].2)) else { break };
            let (device, begun, end, range) = busy.swap_remove(next);
            now = end;
            let mut state = shares.state();
            state.active -= 1;
            state.devices[device].rate = Some(rate(&range, end - begun));
            drop(state);
            told.push((device, range));
            idle.push(device);
        }
        assert!(shares.is_done());
        (told, now)
    }

    fn is_whole(mut ranges: Vec<(usize, Range<usize>)>, len: usize) -> bool {
        ranges.sort_by_key(|(_, range)| range.start);
        let mut at = 0;
        ranges.iter().all(|(_, range)| {
            let follows = range.start == at && range.end > at;
            at = range.end;
            follows
        }) && at == len
    }

    #[test]
    fn all_is_done_once_and_at_steps() {
        for len in [0, 1, 2, 63, 64, 65, 1000, 100_001] {
            for granularity in [1, 7, 64] {
                let (ranges, _) = play(len, granularity, &[1e3, 2e3, 5e4], false);
                assert!(ranges.iter().all(|(_, range)| range.start.is_multiple_of(granularity)), "{ranges:?}");
                assert!(is_whole(ranges, len), "{len} by {granularity}");
            }
        }
    }

    #[test]
    fn devices_end_together() {
        // Two equal ones: 1.8 times one from 20 items on, and almost twice with many.
        for (len, least) in [(20, 1.8), (100, 1.9), (1_000_000, 1.98)] {
            let (_, seconds) = play(len, 1, &[1e3, 1e3], true);
            assert!(len as f64 / 1e3 / seconds >= least, "{len}: {seconds}");
        }
        // One ten times as fast as the other: both together are never much slower than it alone.
        for len in [1000, 100_000] {
            let (_, seconds) = play(len, 1, &[1e4, 1e3], false);
            assert!(seconds < len as f64 / 1e4, "{len}: {seconds}");
        }
        // One that is a thousand times slower takes little, and is not waited for much.
        let (ranges, seconds) = play(100_000, 1, &[1e6, 1e3], false);
        let slow: usize = ranges.iter().filter(|(device, _)| *device == 1).map(|(_, range)| range.len()).sum();
        assert!(slow < 1000 && seconds < 1.0, "{slow} {seconds}");
    }

    #[test]
    fn what_a_lost_device_had_is_done_by_others() {
        let shares = Shares::new(100, 1, &[1.0, 1.0], true);
        let first = shares.take(0).unwrap();
        let lost = first.range.clone();
        first.failed();
        assert!(shares.take(0).is_none());
        let mut ranges = Vec::new();
        while let Some(turn) = shares.take(1) {
            ranges.push((1, turn.range.clone()));
            turn.done();
        }
        assert!(ranges.iter().any(|(_, range)| range.start == lost.start));
        assert!(is_whole(ranges, 100) && shares.is_done());
    }

    #[test]
    fn a_turn_without_an_outcome_ends_all() {
        let shares = Shares::new(100, 1, &[1.0, 1.0], true);
        drop(shares.take(0));
        assert!(shares.take(1).is_none() && !shares.is_done());
    }
}

//! Sharing of work by measured speed: guided self-scheduling (Polychronopoulos and Kuck, 1987), with ranges by what each device has
//! shown.
//!
//! A device takes a range, and another one when it is done: half of what lets all devices end together, by the rates that they have
//! shown and by when those at work are done; all of that where a range costs much beside its items (a launch that does not fill the
//! device, copies, waits), which two ranges of different sizes tell. Ranges of a device that failed go to the others.

use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Seconds of work below which a range is not worth cutting: a launch and a wait take some 20 us.
const LEAST_SECONDS: f64 = 2e-3;
/// The part of its share that a device takes first, among equal ones and among others.
const FIRST_EQUAL: f64 = 0.5;
const FIRST_OTHER: f64 = 1.0 / 64.0;
/// Shares are halved as long as this many times what a range costs beside its items is less than the share takes: devices then end
/// within an eighth of it.
const HALVED: f64 = 8.0;

/// The work that is left, and who does what.
pub(super) struct Shares {
    state: Mutex<State>,
    changed: Condvar,
    granularity: usize,
    first_part: f64,
    begun: Instant,
}

struct State {
    /// What nobody has: the rest of the whole, and what came back.
    left: Vec<Range<usize>>,
    /// Devices at work.
    active: usize,
    is_over: bool,
    /// Whether what one device shows holds for all.
    is_equal: bool,
    devices: Vec<Pace>,
}

/// What is known of a device's speed.
struct Pace {
    weight: f64,
    /// Since when it is at a range, in seconds from the beginning, and the items of that.
    turn: Option<(f64, usize)>,
    /// Items and seconds of its ranges so far.
    shown: Vec<Shown>,
    is_lost: bool,
}

#[derive(Clone, Copy)]
struct Shown {
    items: f64,
    seconds: f64,
}

/// Seconds of a range beside its items, and items a second.
#[derive(Clone, Copy)]
struct Speed {
    beside: f64,
    rate: f64,
}

impl Speed {
    fn seconds(self, items: f64) -> f64 {
        self.beside + items / self.rate
    }
}

impl Pace {
    /// By its last range: the first one may have built kernels.
    fn speed(&self, beside: f64) -> Option<Speed> {
        let last = self.shown.last()?;
        // Less than half of the range's time, so that one which is short shows a rate as well.
        let beside = beside.min(last.seconds / 2.0);
        Some(Speed { beside, rate: last.items / (last.seconds - beside).max(1e-9) })
    }
}

/// Seconds that a range takes beside its items, by the shortest and the longest of some; 0 where they are alike.
fn beside(shown: impl Iterator<Item = Shown> + Clone) -> f64 {
    let by_items = |a: &Shown, b: &Shown| a.items.total_cmp(&b.items);
    let (Some(short), Some(long)) = (shown.clone().min_by(by_items), shown.max_by(by_items)) else { return 0.0 };
    if long.items < 1.25 * short.items {
        return 0.0;
    }
    let beside = (short.seconds * long.items - long.seconds * short.items) / (long.items - short.items);
    beside.clamp(0.0, short.seconds.min(long.seconds))
}

/// When all is done by devices of some rates that are free from some times on.
fn end(mut devices: Vec<(f64, f64)>, items: f64) -> f64 {
    devices.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (mut rate, mut done) = (0.0, 0.0);
    for (at, &(own, free)) in devices.iter().enumerate() {
        // Items until this one would be free, were it not for those that are free before.
        rate += own;
        done += own * free;
        let end = (items + done) / rate;
        if devices.get(at + 1).is_none_or(|&(_, next)| end <= next) {
            return end;
        }
    }
    f64::INFINITY
}

/// A range that a device does. Dropped without an outcome, as by a panic, it ends the sharing.
pub(super) struct Turn<'a> {
    shares: &'a Shares,
    device: usize,
    pub(super) range: Range<usize>,
    is_told: bool,
}

impl Shares {
    pub(super) fn new(len: usize, granularity: usize, weights: &[f64], is_equal: bool) -> Self {
        let pace = |&weight: &f64| Pace { weight, turn: None, shown: Vec::new(), is_lost: false };
        let left = (len > 0).then_some(0..len).into_iter().collect();
        let devices = weights.iter().map(pace).collect();
        Self {
            state: Mutex::new(State { left, active: 0, is_over: false, is_equal, devices }),
            changed: Condvar::new(),
            granularity: granularity.max(1),
            first_part: if is_equal { FIRST_EQUAL } else { FIRST_OTHER },
            begun: Instant::now(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// The next range of a device; waits while others may give some back. `None` when all is done, or the sharing is over.
    pub(super) fn take(&self, device: usize) -> Option<Turn<'_>> {
        let mut state = self.state();
        loop {
            if state.is_over || state.devices[device].is_lost || state.left.is_empty() && state.active == 0 {
                return None;
            }
            if let Some(range) = state.cut(device, self.granularity, self.first_part, self.now()) {
                return Some(Turn { shares: self, device, range, is_told: false });
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
    /// What a range of a device takes beside its items. First ranges tell where there are no others.
    fn beside(&self, device: usize) -> f64 {
        let known = |first: usize| {
            let devices = self.devices.iter().enumerate().filter(move |(at, _)| self.is_equal || *at == device);
            devices.flat_map(move |(_, pace)| pace.shown.iter().skip(first).copied())
        };
        if known(1).count() > 1 { beside(known(1)) } else { beside(known(0)) }
    }

    /// A range for a device out of what is left, at a time, with which the device is then at work; `None` where there is nothing, or the
    /// others are done sooner without it.
    fn cut(&mut self, device: usize, granularity: usize, first_part: f64, now: f64) -> Option<Range<usize>> {
        let range = self.left.last()?.clone();
        let left = self.left.iter().map(Range::len).sum::<usize>() as f64;
        let own = &self.devices[device];
        let lively = || self.devices.iter().enumerate().filter(|(_, pace)| !pace.is_lost);
        let items = if let Some(speed) = own.speed(self.beside(device)) {
            // Rates, and when a device is free for the first item of another range. One that has shown nothing counts as its weight says.
            let others: Vec<(f64, f64)> = lively()
                .filter(|(at, _)| *at != device)
                .map(|(at, pace)| {
                    let rate = speed.rate * pace.weight / own.weight;
                    let known = pace.speed(self.beside(at)).unwrap_or(Speed { rate, ..speed });
                    // One that is late by some time is taken to be busy for as long again.
                    let busy =
                        pace.turn.map_or(0.0, |(begun, items)| (begun + known.seconds(items as f64) - now).abs());
                    (known.rate, busy + known.beside)
                })
                .collect();
            let least = (granularity as f64).min(range.len() as f64);
            if self.active > 0 && speed.seconds(least) > end(others.clone(), left) {
                return None;
            }
            let all = end([others, vec![(speed.rate, speed.beside)]].concat(), left);
            let share = ((all - speed.beside) * speed.rate).clamp(0.0, left);
            let is_halved = all > HALVED * speed.beside;
            if is_halved { (share / 2.0).max(share.min(speed.rate * LEAST_SECONDS)) } else { share }
        } else {
            let weights: f64 = lively().map(|(_, pace)| pace.weight).sum();
            left * own.weight / weights * first_part
        };
        // Cuts lie at multiples of the granularity, since the first begin does.
        let whole = (items / granularity as f64).round().max(1.0) as usize;
        let end = range.start.saturating_add(whole.saturating_mul(granularity)).min(range.end);
        self.left.pop();
        if end < range.end {
            self.left.push(end..range.end);
        }
        self.active += 1;
        self.devices[device].turn = Some((now, end - range.start));
        Some(range.start..end)
    }

    /// A device did its range.
    fn done(&mut self, device: usize, now: f64) {
        self.active -= 1;
        let pace = &mut self.devices[device];
        if let Some((begun, items)) = pace.turn.take() {
            pace.shown.push(Shown { items: items as f64, seconds: (now - begun).max(1e-9) });
        }
    }
}

impl Turn<'_> {
    /// The range is done.
    pub(super) fn done(mut self) {
        let now = self.shares.now();
        self.told(|state, device, _| state.done(device, now));
    }

    /// The device failed: its range goes to the others, and it gets no further one.
    pub(super) fn failed(mut self) {
        self.told(|state, device, range| {
            state.active -= 1;
            state.devices[device].is_lost = true;
            state.devices[device].turn = None;
            state.left.push(range);
        });
    }

    fn told(&mut self, tell: impl FnOnce(&mut State, usize, Range<usize>)) {
        self.is_told = true;
        let mut state = self.shares.state();
        tell(&mut state, self.device, self.range.clone());
        drop(state);
        self.shares.changed.notify_all();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_told {
            self.told(|state, _, _| {
                state.active -= 1;
                state.is_over = true;
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges of devices of given rates, whose time is played: the device that is done first takes next. The ranges, and the
    /// end of the last one, in seconds.
    fn play(len: usize, granularity: usize, rates: &[f64], is_equal: bool) -> (Vec<(usize, Range<usize>)>, f64) {
        play_with(len, granularity, rates, is_equal, |items, rate| items / rate)
    }

    /// The same where a range takes a time by its items and the rate.
    fn play_with(
        len: usize,
        granularity: usize,
        rates: &[f64],
        is_equal: bool,
        seconds: impl Fn(f64, f64) -> f64,
    ) -> (Vec<(usize, Range<usize>)>, f64) {
        let shares = Shares::new(len, granularity, &vec![1.0; rates.len()], is_equal);
        let mut busy: Vec<(usize, f64, Range<usize>)> = Vec::new();
        let (mut told, mut now) = (Vec::new(), 0.0);
        let mut idle: Vec<usize> = (0..rates.len()).collect();
        loop {
            idle.retain(|&device| {
                let mut state = shares.state();
                let Some(range) = state.cut(device, shares.granularity, shares.first_part, now) else { return true };
                busy.push((device, now + seconds(range.len() as f64, rates[device]), range));
                false
            });
            let Some(next) = (0..busy.len()).min_by(|&a, &b| busy[a].1.total_cmp(&busy[b].1)) else { break };
            let (device, end, range) = busy.swap_remove(next);
            now = end;
            shares.state().done(device, now);
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
    fn ranges_are_few_where_each_costs_much() {
        // Determinants modulo 1086 primes, 48 us each on a device that takes 4.8 ms at least; two devices, and four.
        let seconds = |items: f64, rate: f64| (1.2e-3 + items / rate).max(4.8e-3);
        for devices in [2, 4, 8] {
            let rates = vec![1.0 / 48e-6; devices];
            let (ranges, took) = play_with(1086, 1, &rates, true, seconds);
            let least = seconds(1086.0 / devices as f64, rates[0]);
            assert!(took < 1.5 * least + 4.8e-3, "{devices}: {took} of {least}, {ranges:?}");
            assert!(ranges.len() <= 5 * devices, "{devices}: {ranges:?}");
        }
    }

    #[test]
    fn a_device_that_is_the_first_to_show_a_rate_does_not_take_all() {
        // The others are still at their first ranges, which take a little longer.
        let (ranges, took) = play(1_000_000, 256, &[1e6, 0.95e6, 0.9e6, 0.9e6], true);
        assert!(ranges.iter().all(|(_, range)| range.len() < 250_000), "{ranges:?}");
        assert!(took < 1.05 / 3.75, "{took}");
    }

    #[test]
    fn a_late_device_is_not_waited_for() {
        // Ten items a second each. The second device stalls in its first range; the first one takes the rest of the work itself.
        let shares = Shares::new(100, 1, &[1.0, 1.0], true);
        let mut state = shares.state();
        let stalled = state.cut(1, 1, FIRST_EQUAL, 0.0).unwrap();
        let (mut now, mut done) = (0.0, 0);
        while let Some(range) = state.cut(0, 1, FIRST_EQUAL, now) {
            now += range.len() as f64 / 10.0;
            done += range.len();
            state.done(0, now);
        }
        // It stops only where the stalled device would be done with all that is left, were it to end when it is thought to.
        assert_eq!(done + stalled.len(), 100);
        // Long after, what is left when another one is lost is taken at once.
        let mut state = Shares::new(100, 1, &[1.0, 1.0, 1.0], true);
        let state = state.state.get_mut().unwrap();
        let first = state.cut(0, 1, 0.1, 0.0).unwrap();
        state.cut(1, 1, 0.9, 0.0).unwrap();
        state.cut(2, 1, 0.9, 0.0).unwrap();
        state.done(0, first.len() as f64 / 10.0);
        state.left.clear();
        state.left.push(0..1);
        assert_eq!(state.cut(0, 1, 0.1, 60.0), Some(0..1));
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

//! Measurements of candidates in turns: each is timed as a user waits for it, and the slow ones drop out.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::timing::Sample;

use crate::choose::{Choice, TuningCost};

/// Candidates that are measured, at most: the best estimates.
const MOST: usize = 64;
/// Candidates with estimates of at most so many times the least are measured: a roofline leaves out latencies and what a
/// compiler makes of a kernel.
const ESTIMATE_RANGE: f64 = 4.0;
/// Turns in which the candidates left are timed, one after the other, so that what disturbs the machine for a while disturbs
/// all of them. Of each the least counts: a disturbance adds to a time and takes nothing from it.
const TURNS: usize = 7;
/// Turns that every candidate gets before it may drop out: one sample may be of a disturbance.
const FEWEST_TURNS: usize = 3;
/// A candidate whose least is so many times that of the best is timed no more.
const HOPELESS: f64 = 1.25;
/// The same after one turn, for runs of so many seconds at least: what disturbs a machine does not last as long.
const HOPELESS_AT_ONCE: f64 = 4.0;
const LONG_SECONDS: f64 = 0.1;
/// Seconds of all samples of a choice after the first turn.
const MOST_SECONDS: f64 = 2.0;
/// Seconds that a sample of a short run takes (`manycore_device::timing`).
const SAMPLE_SECONDS: f64 = 1e-3;

static MEASURING: Mutex<()> = Mutex::new(());

thread_local! {
    /// Measurements under way in this thread: operations choose within operations.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The right to measure: one thread at a time, since measurements at the same time disturb each other.
pub(crate) struct Turn {
    _alone: Option<MutexGuard<'static, ()>>,
}

impl Turn {
    /// Waits for other threads' measurements to end, where this is one.
    pub(crate) fn wait_if(measures: bool) -> Option<Self> {
        measures.then(Self::wait)
    }

    /// Waits for other threads' measurements to end.
    pub(crate) fn wait() -> Self {
        let depth = DEPTH.replace(DEPTH.get() + 1);
        Self { _alone: (depth == 0).then(|| MEASURING.lock().unwrap_or_else(PoisonError::into_inner)) }
    }
}

/// Whether this thread measures.
pub(crate) fn is_measuring() -> bool {
    DEPTH.get() > 0
}

impl Drop for Turn {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// The indices of the candidates to measure, of those that `may_stand` for the best estimate.
pub(crate) fn contenders<P>(choice: &Choice<P>, may_stand: impl Fn(&P) -> bool) -> Vec<usize> {
    let candidates = choice.candidates();
    let stands = |&i: &usize| contends(choice, i) && (i == 0 || may_stand(&candidates[i].parameters));
    (0..candidates.len()).filter(stands).take(MOST).collect()
}

/// Whether the estimate of the candidate with this index leaves it in the running.
pub(crate) fn contends<P>(choice: &Choice<P>, index: usize) -> bool {
    let candidates = choice.candidates();
    let least = candidates.iter().map(|candidate| candidate.estimate.seconds).fold(f64::INFINITY, f64::min);
    candidates[index].estimate.seconds <= ESTIMATE_RANGE * least
}

/// What a measurement of these candidates takes by their estimates.
pub(crate) fn cost<P>(choice: &Choice<P>, contenders: &[usize]) -> TuningCost {
    if contenders.len() < 2 {
        return TuningCost::default();
    }
    // The first turn: a run that builds kernels, one that tells how many make a sample, a sample's warm-up, and the sample.
    let first = |&i: &usize| {
        let seconds = choice.candidates()[i].estimate.seconds;
        2.0 * (seconds + SAMPLE_SECONDS.max(seconds))
    };
    let first: f64 = contenders.iter().map(first).sum();
    TuningCost { candidates: contenders.len(), seconds: first + first.min(MOST_SECONDS) }
}

/// The least seconds of the candidates with these indices, timed by `sample(index, first)`: `None` of a candidate that fails,
/// which is left out: it is no choice on this device.
pub(crate) fn measure(
    contenders: Vec<usize>,
    sample: &mut dyn FnMut(usize, bool) -> Option<Sample>,
) -> Vec<(usize, f64)> {
    let mut times: Vec<(usize, f64)> = contenders.into_iter().map(|i| (i, f64::INFINITY)).collect();
    // The places in `times` of the candidates that are left.
    let mut left: Vec<usize> = (0..times.len()).collect();
    let mut spent = 0.0;
    for turn in 0..TURNS {
        left.retain(|&place| {
            let (i, least) = &mut times[place];
            let Some(found) = sample(*i, turn == 0) else {
                *least = f64::INFINITY;
                return false;
            };
            let is_time = found.seconds.is_finite() && found.seconds > 0.0;
            if is_time {
                spent += if turn == 0 { 0.0 } else { found.spent_seconds };
                *least = least.min(found.seconds);
            }
            is_time
        });
        let best = left.iter().map(|&place| times[place].1).fold(f64::INFINITY, f64::min);
        left.retain(|&place| {
            let seconds = times[place].1;
            let is_slow = turn + 1 >= FEWEST_TURNS && seconds > HOPELESS * best;
            !is_slow && (seconds <= HOPELESS_AT_ONCE * best || seconds <= LONG_SECONDS)
        });
        if left.len() < 2 || spent > MOST_SECONDS {
            break;
        }
    }
    times.retain(|(_, seconds)| seconds.is_finite());
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::{Costed, choose};
    use manycore_model::machine::Class;
    use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};

    /// Candidates of so many operations each.
    struct Operations(Vec<u64>);

    impl Costed for Operations {
        type Size = ();
        type Parameters = usize;
        fn name(&self) -> &'static str {
            "operations"
        }
        fn candidates(&self, (): &(), _: &Machine) -> Vec<usize> {
            (0..self.0.len()).collect()
        }
        fn program(&self, (): &(), &i: &usize, _: &Machine) -> Result<Program, DoesNotFit> {
            let mut program = Program::new();
            program.queue(Kernel::new("k", 1).blocks(Blocks::even(1000, 1, self.0[i], 0, 0)).fused())?;
            Ok(program)
        }
    }

    fn choice(operations: &[u64]) -> Choice<usize> {
        let class = Class {
            name: "a GPU".into(),
            vendor: String::new(),
            processors: 10,
            clock_hz: 1_000_000_000,
            local_bytes: 1 << 14,
            block_threads: 64,
            fp64: true,
        };
        choose(&Operations(operations.to_vec()), &(), &class.gpu()).unwrap()
    }

    #[test]
    fn contenders_are_near_the_best_estimate_and_give_its_bits() {
        let choice = choice(&[1000, 2000, 5000, 3000]);
        let order: Vec<usize> = choice.candidates().iter().map(|candidate| candidate.parameters).collect();
        assert_eq!(order, [0, 1, 3, 2]);
        assert_eq!(contenders(&choice, |_| true), [0, 1, 2]);
        assert_eq!(contenders(&choice, |&parameters| parameters == 3), [0, 2]);
        assert_eq!(contenders(&self::choice(&[1000; 100]), |_| true).len(), MOST);
    }

    #[test]
    fn the_cost_of_one_contender_is_nothing() {
        let choice = choice(&[1000, 2000]);
        assert_eq!(cost(&choice, &[0]), TuningCost::default());
        let two = cost(&choice, &[0, 1]);
        assert!(two.candidates == 2 && two.seconds >= 2.0 * SAMPLE_SECONDS, "{two:?}");
    }

    #[test]
    fn slow_candidates_drop_out_and_failing_ones_are_left_out() {
        let mut calls = [0_usize; 4];
        let measured = measure(vec![0, 1, 2, 3], &mut |i, first| {
            assert_eq!(first, calls[i] == 0);
            calls[i] += 1;
            match i {
                0 => None,
                1 => Some(Sample { seconds: 0.03, spent_seconds: 0.0 }),
                2 => Some(Sample { seconds: 0.01, spent_seconds: 0.0 }),
                _ => Some(Sample { seconds: 0.011 - 0.0002 * calls[3] as f64, spent_seconds: 0.0 }),
            }
        });
        assert_eq!(calls, [1, FEWEST_TURNS, TURNS, TURNS]);
        let seconds = |wanted: usize| measured.iter().find(|(i, _)| *i == wanted).map(|(_, seconds)| *seconds);
        assert_eq!((seconds(0), seconds(1), seconds(2)), (None, Some(0.03), Some(0.01)));
        // The least of 0.0108, 0.0106, ..., 0.0096.
        assert!((seconds(3).unwrap() - 0.0096).abs() < 1e-12);
    }

    #[test]
    fn one_slow_sample_does_not_drop_a_candidate() {
        for disturbed in 0..FEWEST_TURNS - 1 {
            let mut calls = [0_usize; 2];
            let measured = measure(vec![0, 1], &mut |i, _| {
                calls[i] += 1;
                let seconds = match i {
                    0 if calls[0] <= disturbed + 1 => 700e-6,
                    0 => 28e-6,
                    _ => 34e-6,
                };
                Some(Sample { seconds, spent_seconds: 0.0 })
            });
            assert_eq!(measured, [(0, 28e-6), (1, 34e-6)]);
        }
    }

    #[test]
    fn long_runs_far_from_the_best_drop_out_at_once() {
        let mut calls = [0_usize; 2];
        measure(vec![0, 1], &mut |i, _| {
            calls[i] += 1;
            Some(Sample { seconds: if i == 0 { 0.1 } else { 0.5 }, spent_seconds: 0.0 })
        });
        assert_eq!(calls, [1, 1]);
    }

    #[test]
    fn seconds_spent_end_a_measurement() {
        let mut calls = 0;
        let long = Sample { seconds: 1.5, spent_seconds: 1.5 };
        measure(vec![0, 1], &mut |_, _| {
            calls += 1;
            Some(long)
        });
        assert_eq!(calls, 4, "the first turn, and one more");
    }

    #[test]
    fn a_thread_measures_within_its_own_measurement() {
        let outer = Turn::wait();
        drop(Turn::wait());
        assert!(MEASURING.try_lock().is_err());
        drop(outer);
        assert_eq!(DEPTH.get(), 0);
    }
}

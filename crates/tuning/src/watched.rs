//! A choice by estimates under observation: where its first runs take far longer than estimated, the next best candidate gets
//! a trial, and the quicker one stays.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, TryLockError};

use manycore_device::{Device, DeviceError};

use crate::choose::{Choice, Rival};
use crate::known;

/// A choice that takes so many times its estimate gets a rival.
const TOO_LONG: f64 = 3.0;
/// Runs of a candidate before it is judged: one that builds kernels, and one that is timed.
const RUNS: usize = 2;
/// No candidate is settled on.
const OPEN: usize = usize::MAX;

/// The plan of an operation, with the one that takes its place where the estimate was wrong.
///
/// On GPUs the second run of an estimated choice is timed, by the device's clock. If it takes over three times its estimate, the
/// third run takes the next best candidate of those that give the same bits, the fourth is timed, and the quicker one is taken
/// from then on, by later processes as well. A run after that costs one look at a number.
#[derive(Debug)]
pub struct Watched<P> {
    /// The choice, and its rival.
    plans: Vec<P>,
    /// The place of the plan that stays, or [`OPEN`].
    settled: AtomicUsize,
    trial: Mutex<Trial>,
    rival: Option<Rival>,
}

#[derive(Debug, Default)]
struct Trial {
    runs: usize,
    /// Of the choice, once it was timed.
    seconds: f64,
}

impl<P: Clone> Watched<P> {
    /// Watches a choice where the planner found that it may be wrong; else it stays.
    pub fn new(choice: &Choice<P>) -> Self {
        let rival = choice.rival.clone();
        let places = std::iter::once(0).chain(rival.iter().map(|rival| rival.place));
        let plans: Vec<P> = places.map(|place| choice.candidates()[place].parameters.clone()).collect();
        let settled = AtomicUsize::new(if rival.is_some() { OPEN } else { 0 });
        Self { plans, settled, trial: Mutex::default(), rival }
    }

    /// The plan that is taken now.
    pub fn plan(&self) -> &P {
        self.plans.get(self.settled.load(Ordering::Acquire)).unwrap_or(&self.plans[0])
    }

    /// Does the work by the plan whose turn it is. `run` may be called a second time where a rival's run fails, and so leaves its
    /// input as it was.
    ///
    /// # Errors
    /// As `run`, or of the device's clock.
    pub fn run<R, E: From<DeviceError>>(
        &self,
        device: &Device,
        mut run: impl FnMut(&P) -> Result<R, E>,
    ) -> Result<R, E> {
        let (Some(rival), OPEN) = (&self.rival, self.settled.load(Ordering::Acquire)) else { return run(self.plan()) };
        let mut trial = match self.trial.try_lock() {
            Ok(trial) => trial,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another thread is at it.
            Err(TryLockError::WouldBlock) => return run(&self.plans[0]),
        };
        let (place, is_timed) = ((trial.runs / RUNS).min(1), trial.runs % RUNS == RUNS - 1);
        trial.runs += 1;
        let (done, seconds) =
            if is_timed { device.elapsed(|| run(&self.plans[place]))? } else { (run(&self.plans[place]), 0.0) };
        match (place, &done) {
            (0, Ok(_)) if is_timed && seconds <= TOO_LONG * rival.estimated_seconds => self.settle(0),
            (0, Ok(_)) => trial.seconds = seconds,
            (0, Err(_)) => trial.runs = 0,
            (_, Err(_)) => {
                self.settle(0);
                return run(&self.plans[0]);
            }
            (_, Ok(_)) if is_timed => {
                known::keep_trial(rival, [trial.seconds, seconds], device.info());
                self.settle(usize::from(seconds < trial.seconds));
            }
            (_, Ok(_)) => {}
        }
        done
    }

    fn settle(&self, place: usize) {
        self.settled.store(place, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::key::Key;
    use crate::planner::TuningTask;

    /// The choice 0 and its rival 1.
    fn watched(estimated_seconds: f64) -> Watched<usize> {
        let task = TuningTask { key: "watched".into(), sizes: Vec::new(), count: 1, revision: 0 };
        // Without names nothing is written.
        let names = [String::new(), String::new()];
        let rival = Rival { place: 1, estimated_seconds, key: Key::of(&task), revision: 0, names };
        Watched { plans: vec![0, 1], settled: AtomicUsize::new(OPEN), trial: Mutex::default(), rival: Some(rival) }
    }

    /// The plans of so many runs, of which plan 1 is slow or fails where told.
    fn plans(watched: &Watched<usize>, count: usize, fails: bool) -> Vec<usize> {
        let device = Device::host();
        let one = |_| {
            let found = watched.run(&device, |&plan| match plan {
                1 if fails => Err(DeviceError::Threads { reason: "no room".into() }),
                1 => Ok(1),
                _ => {
                    std::thread::sleep(Duration::from_millis(2));
                    Ok(0)
                }
            });
            found.unwrap()
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn a_choice_within_three_times_its_estimate_stays() {
        let watched = watched(1e6);
        assert_eq!(plans(&watched, 4, false), [0, 0, 0, 0]);
        assert_eq!(watched.settled.into_inner(), 0);
    }

    #[test]
    fn a_rival_that_fails_gives_way_at_once() {
        let watched = watched(1e-9);
        assert_eq!(plans(&watched, 5, true), [0, 0, 0, 0, 0]);
        assert_eq!(watched.settled.into_inner(), 0);
    }

    #[test]
    fn a_quicker_rival_takes_the_place_of_a_slow_choice() {
        let watched = watched(1e-9);
        assert_eq!(plans(&watched, 6, false), [0, 0, 1, 1, 1, 1]);
        assert_eq!(*watched.plan(), 1);
    }
}

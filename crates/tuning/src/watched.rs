//! A choice by estimates under observation: where its kernels spill or its first runs take far longer than estimated, the next best
//! candidate gets a trial, and the quicker one stays.

use std::cell::Cell;
use std::sync::{Mutex, OnceLock, TryLockError};

use manycore_device::launched::{self, Launches};
use manycore_device::{Buffer, Device, DeviceError, Word, is_sharing};

use crate::choose::{Choice, Contending};
use crate::known;
use crate::measure;
use crate::trial::{Contender, Next, Trial, Turn};

thread_local! {
    /// Whether this thread is within a run that is observed or timed: operations within an operation then go on with what they have.
    static IS_WATCHING: Cell<bool> = const { Cell::new(false) };
}

/// The plan of an operation, with the ones that may take its place where the estimate was wrong.
///
/// On GPUs the first run of an estimated choice tells what the compiler made of its kernels: spilled registers, local memory, and
/// the largest group. Where that makes the plan dearer than the next best, that one takes its place. The second run is timed, by
/// the device's clock. If it takes over three times its estimate, the next two runs take the next best candidate of those that
/// give the same bits, and the quicker one is taken from then on, by later processes as well. A run after that costs one look at a
/// number. Work that [several devices or lanes share](is_sharing) takes the plan as it is.
#[derive(Debug)]
pub struct Watched<P> {
    first: P,
    /// Once it is known, the plan that stays: another than the first, or that one.
    settled: OnceLock<Option<P>>,
    trial: Mutex<Option<Box<Trial<P>>>>,
}

/// Work that can be done again by another plan; what watches it is compiled once for a type of plans, not for each work.
trait Work<P, E> {
    /// Whether a plan may take the choice's place.
    fn may_take(&self, plan: &P) -> Result<bool, E>;

    /// Does it, and keeps the result.
    fn run(&mut self, plan: &P) -> Result<(), E>;

    /// Copies what the work is done on, before a run of the choice or of another plan; whether it did.
    fn copy(&mut self, is_choice: bool) -> bool;

    /// Takes the copy in its place.
    fn restore(&mut self);
}

/// Work that leaves what it is done on as it was.
struct Pure<May, Run, R> {
    may_take: May,
    run: Run,
    result: Option<R>,
}

impl<P, R, E, May: Fn(&P) -> Result<bool, E>, Run: FnMut(&P) -> Result<R, E>> Work<P, E> for Pure<May, Run, R> {
    fn may_take(&self, plan: &P) -> Result<bool, E> {
        (self.may_take)(plan)
    }

    fn run(&mut self, plan: &P) -> Result<(), E> {
        self.result = Some((self.run)(plan)?);
        Ok(())
    }

    fn copy(&mut self, _: bool) -> bool {
        true
    }

    fn restore(&mut self) {}
}

/// Work that changes a buffer.
struct InPlace<'x, T: Word, May, Run, R> {
    x: &'x mut Buffer<T>,
    copy: Option<Buffer<T>>,
    work: Pure<May, Run, R>,
}

impl<P, T, R, E, May, Run> Work<P, E> for InPlace<'_, T, May, Run, R>
where
    T: Word,
    May: Fn(&P) -> Result<bool, E>,
    Run: FnMut(&P, &mut Buffer<T>) -> Result<R, E>,
{
    fn may_take(&self, plan: &P) -> Result<bool, E> {
        (self.work.may_take)(plan)
    }

    fn run(&mut self, plan: &P) -> Result<(), E> {
        self.work.result = Some((self.work.run)(plan, self.x)?);
        Ok(())
    }

    fn copy(&mut self, is_choice: bool) -> bool {
        let copied = || {
            let mut copy = self.x.device().scratch(self.x.len()).ok()?;
            copy.copy_from(self.x).ok()?;
            Some(copy)
        };
        self.copy = if is_choice { None } else { copied() };
        self.copy.is_some()
    }

    fn restore(&mut self) {
        if let Some(mut copy) = self.copy.take() {
            std::mem::swap(self.x, &mut copy);
        }
    }
}

/// A run under observation.
struct Observed<E> {
    result: Result<(), E>,
    launches: Launches,
}

impl<P: Clone> Watched<P> {
    /// Watches a choice where the planner found that it may be wrong; else it stays.
    pub fn new(choice: &Choice<P>) -> Self {
        let first = choice.best().parameters.clone();
        let Some(watch) = &choice.watch else { return Self::settled(first) };
        let contender = |contending: &Contending| {
            let candidate = &choice.candidates()[contending.place];
            Contender::new(candidate.parameters.clone(), candidate.estimate.clone(), contending)
        };
        let trial = Trial::new(watch.clone(), watch.places.iter().map(contender).collect());
        Self { first, settled: OnceLock::new(), trial: Mutex::new(Some(Box::new(trial))) }
    }

    /// A plan that stays.
    pub fn settled(plan: P) -> Self {
        Self { first: plan, settled: OnceLock::from(None), trial: Mutex::new(None) }
    }

    /// The plan that is taken now: the choice, until another one stays.
    pub fn plan(&self) -> &P {
        self.settled.get().and_then(Option::as_ref).unwrap_or(&self.first)
    }

    /// Whether the choice is what stays, so that nothing is watched any more.
    pub fn keeps_choice(&self) -> bool {
        matches!(self.settled.get(), Some(None))
    }

    /// Does the work by the plan whose turn it is. Another plan than the choice gets its turn once it `may_take` the choice's place
    /// ([`Asked::may_take`](crate::Asked::may_take)). `run` may be called again by another plan where it fails, and so leaves its
    /// input as it was.
    ///
    /// # Errors
    /// As `may_take` and `run`, or of the device's clock.
    pub fn run<R, E: From<DeviceError>>(
        &self,
        device: &Device,
        may_take: impl Fn(&P) -> Result<bool, E>,
        run: impl FnMut(&P) -> Result<R, E>,
    ) -> Result<R, E> {
        let mut work = Pure { may_take, run, result: None };
        self.watch(device, &mut work)?;
        work.result.ok_or_else(|| DeviceError::elsewhere().into())
    }

    /// Does the work by the plan whose turn it is, in place. Where a plan on trial fails after it has begun, `x` is as it was and
    /// the work is done by another plan: a trial works on `x` while there is a copy of it.
    ///
    /// # Errors
    /// As [`Watched::run`].
    pub fn run_in_place<T: Word, R, E: From<DeviceError>>(
        &self,
        x: &mut Buffer<T>,
        may_take: impl Fn(&P) -> Result<bool, E>,
        run: impl FnMut(&P, &mut Buffer<T>) -> Result<R, E>,
    ) -> Result<R, E> {
        let device = x.device().clone();
        let mut work = InPlace { x, copy: None, work: Pure { may_take, run, result: None } };
        self.watch(&device, &mut work)?;
        work.work.result.ok_or_else(|| DeviceError::elsewhere().into())
    }

    fn watch<E: From<DeviceError>>(&self, device: &Device, work: &mut dyn Work<P, E>) -> Result<(), E> {
        // Beside other lanes no time tells anything, and a copy would take memory that was shared out.
        if self.settled.get().is_some() || IS_WATCHING.get() || measure::is_measuring() || is_sharing() {
            return work.run(self.plan());
        }
        let mut guard = match self.trial.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another thread is at it.
            Err(TryLockError::WouldBlock) => return work.run(self.plan()),
        };
        loop {
            let Some(trial) = guard.as_mut() else { return work.run(self.plan()) };
            let (place, turn) = (trial.place(), trial.turn());
            if turn == Turn::Pass {
                let plan = trial.contenders[place].plan.clone();
                trial.passed();
                drop(guard);
                return work.run(&plan);
            }
            // The choice was proved when it was made.
            if place != 0 && turn == Turn::Build && !work.may_take(&trial.contenders[place].plan)? {
                if let Next::Stays(stays) = trial.left_out() {
                    self.settle(stays, device, &mut guard);
                }
                continue;
            }
            let is_copied = work.copy(place == 0);
            if !is_copied && place != 0 && trial.may_take_first() {
                return work.run(&self.first);
            }
            let plan = &trial.contenders[place].plan;
            let watching = Watching::begin();
            let mut observe = || {
                let (result, launches) = launched::observe(|| work.run(plan));
                Observed { result, launches }
            };
            let (Observed { result, launches }, seconds) = match turn {
                Turn::Build | Turn::Pass => (observe(), None),
                Turn::Time => {
                    let (observed, seconds) = device.elapsed(&mut observe)?;
                    (observed, Some(seconds))
                }
            };
            drop(watching);
            let next = match (&result, seconds) {
                (Ok(()), None) => {
                    let machine = trial.watch.machine.clone();
                    if let Some(factor) = trial.built(&launches.kernels, &machine) {
                        let watch = &trial.watch;
                        known::keep_built(device.info(), watch, &trial.contenders[place].name, factor);
                    }
                    Next::Run
                }
                (Ok(()), Some(seconds)) => trial.timed(seconds),
                (Err(_), _) => trial.failed(launches.is_refused),
            };
            let is_another = match next {
                Next::Run => trial.place() != place,
                Next::Stays(stays) => stays != place,
            };
            if let Next::Stays(stays) = next {
                self.settle(stays, device, &mut guard);
            }
            if result.is_ok() || !is_another {
                return result;
            }
            // A plan that failed gives way to another one, on what it found.
            if is_copied {
                work.restore();
            } else if !launches.kernels.is_empty() {
                return result;
            }
        }
    }

    /// Ends the trial, whose lock the caller has: the contender at this place stays.
    fn settle(&self, stays: usize, device: &Device, trial: &mut Option<Box<Trial<P>>>) {
        let Some(ended) = trial.take() else { return };
        known::keep_trial(device.info(), &ended.watch, ended.measured());
        let other = (stays != 0).then(|| ended.contenders[stays].plan.clone());
        // Whoever has the lock of the trial settles it, once.
        let _ = self.settled.set(other);
    }
}

/// Runs `work`, within which no plan is on trial.
pub(crate) fn unwatched<R>(work: impl FnOnce() -> R) -> R {
    let _watching = Watching::begin();
    work()
}

/// A run that is observed or timed; it ends also where it panics.
struct Watching {
    outer: bool,
}

impl Watching {
    fn begin() -> Self {
        Self { outer: IS_WATCHING.replace(true) }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        IS_WATCHING.set(self.outer);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use manycore_device::DeviceSet;
    use manycore_model::Machine;

    use super::*;
    use crate::choose::{Costed, Watch, choose};
    use crate::key::{Key, TuningTask};

    /// Plans of so many operations.
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
        fn program(
            &self,
            (): &(),
            &plan: &usize,
            _: &Machine,
        ) -> Result<manycore_model::Program, manycore_model::DoesNotFit> {
            let blocks = manycore_model::Blocks::even(1, 1, self.0[plan], 0, 0);
            let mut program = manycore_model::Program::new();
            program.queue(manycore_model::Kernel::new("k", 1).blocks(blocks).fused())?;
            Ok(program)
        }
    }

    /// Plans 0, 1 and 2 of ascending operations, under observation as on a GPU; `is_quick` by the estimates.
    fn watched(is_quick: bool) -> Watched<usize> {
        let machine = Device::host().typical_machine();
        // A run takes milliseconds.
        let one = if is_quick { 1 } else { 1 << 50 };
        let mut choice = choose(&Operations(vec![one, one + one / 8 + 1, 3 * one]), &(), &machine).unwrap();
        let task = TuningTask { key: "watched".into(), sizes: Vec::new(), count: 1, revision: 0 };
        // Without names nothing is written.
        let contending = |place| Contending { place, name: String::new(), is_built: false, building_seconds: 0.0 };
        let (key, places) = (Key::of(&task), (0..3).map(contending).collect());
        choice.watch = Some(Watch { key, revision: 0, is_estimated: true, machine, is_deferred: false, places });
        Watched::new(&choice)
    }

    #[allow(clippy::unnecessary_wraps, clippy::trivially_copy_pass_by_ref)] // the form of the parameter
    fn any(_: &usize) -> Result<bool, DeviceError> {
        Ok(true)
    }

    /// The plans of so many runs: plan 0 is slow, and those of `failing` fail.
    fn plans(watched: &Watched<usize>, count: usize, failing: &[usize]) -> Vec<usize> {
        let device = Device::host();
        let one = |_| {
            let found = watched.run(&device, any, |plan| {
                if failing.contains(plan) {
                    return Err(DeviceError::Threads { reason: "no room".into() });
                }
                if *plan == 0 {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Ok(*plan)
            });
            found.unwrap()
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn a_choice_within_its_estimate_stays() {
        let watched = watched(false);
        assert_eq!(plans(&watched, 4, &[]), [0; 4]);
        assert_eq!(watched.settled.get(), Some(&None));
    }

    #[test]
    fn a_quicker_rival_takes_the_place_of_a_slow_choice() {
        let watched = watched(true);
        assert_eq!(plans(&watched, 6, &[]), [0, 0, 1, 1, 1, 1]);
        assert_eq!(*watched.plan(), 1);
    }

    #[test]
    fn work_that_is_shared_is_not_watched() {
        let set = DeviceSet::equal(vec![Device::host(), Device::host()]).unwrap();
        let watched = watched(true);
        let ran = set.share(40, 1, |_, range| Ok::<_, DeviceError>(plans(&watched, range.len(), &[]))).unwrap();
        assert!(ran.iter().all(|(_, plans)| plans.iter().all(|&plan| plan == 0)));
        assert_eq!(watched.settled.get(), None);
        assert_eq!(plans(&watched, 6, &[]), [0, 0, 1, 1, 1, 1]);
    }

    #[test]
    fn a_rival_that_fails_gives_way_at_once() {
        let watched = watched(true);
        assert_eq!(plans(&watched, 5, &[1]), [0; 5]);
        assert_eq!(watched.settled.get(), Some(&None));
    }

    #[test]
    fn a_rival_with_wrong_results_gets_no_run() {
        for (wrong, ran, stays) in [(vec![1], [0, 0, 2, 2, 2], 2), (vec![1, 2], [0; 5], 0)] {
            let (device, watched) = (Device::host(), watched(true));
            let asked = Cell::new(0);
            let may_take = |plan: &usize| {
                asked.set(asked.get() + 1);
                Ok(!wrong.contains(plan))
            };
            let one = |_| {
                let run = |plan: &usize| {
                    if *plan == 0 {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    Ok::<_, DeviceError>(*plan)
                };
                watched.run(&device, may_take, run).unwrap()
            };
            let found: Vec<usize> = (0..5).map(one).collect();
            assert_eq!((found.as_slice(), *watched.plan()), (&ran[..], stays));
            assert!(asked.get() <= 2, "each rival is asked for once");
        }
    }

    #[test]
    fn what_a_failing_rival_wrote_is_undone() {
        let (device, watched) = (Device::host(), watched(true));
        let mut x = device.upload(&[1u32, 2, 3]).unwrap();
        for run in 1..=5 {
            let double = |plan: &usize, x: &mut Buffer<u32>| -> Result<(), DeviceError> {
                if *plan == 0 {
                    std::thread::sleep(Duration::from_millis(2));
                }
                x.host_mut()?.iter_mut().for_each(|value| *value *= 2);
                if *plan == 1 { Err(DeviceError::Threads { reason: "half way".into() }) } else { Ok(()) }
            };
            watched.run_in_place(&mut x, any, double).unwrap();
            assert_eq!(x.download().unwrap(), [1 << run, 2 << run, 3 << run], "run {run}");
        }
    }

    #[test]
    fn errors_of_the_input_are_told_and_no_fault_of_the_plan() {
        let watched = watched(true);
        let failed =
            watched.run(&Device::host(), any, |_| Err::<(), _>(DeviceError::Threads { reason: "input".into() }));
        assert!(failed.is_err() && watched.settled.get().is_none());
        assert_eq!(plans(&watched, 3, &[]), [0, 0, 1]);
    }

    #[test]
    fn work_within_work_is_not_watched() {
        let (outer, inner) = (watched(false), watched(true));
        let device = Device::host();
        for _ in 0..2 {
            let run = |_: &usize| Ok::<_, DeviceError>(plans(&inner, 3, &[]));
            assert_eq!(outer.run(&device, any, run).unwrap(), [0; 3]);
        }
        assert_eq!(inner.settled.get(), None);
        assert_eq!(plans(&inner, 3, &[]), [0, 0, 1]);
    }
}

//! Trials of candidates within a program's own runs: which plan the next run takes, whether it is timed, and which plan stays.

use manycore_model::{BuiltKernel, Estimate, Machine};

use crate::choose::{Contending, EQUAL_ESTIMATES, Watch};

/// A plan by estimate that takes so many times its estimate gets a rival.
const TOO_LONG: f64 = 3.0;
/// A rival that is paid for by more runs gets no trial.
const MOST_RUNS: f64 = 1e9;

/// A candidate that may be taken.
#[derive(Debug, Clone)]
pub(crate) struct Contender<P> {
    pub(crate) plan: P,
    /// Its name in files of choices.
    pub(crate) name: String,
    estimate: Estimate,
    /// Seconds by its estimate, with what its kernels take once they are built where that is known.
    seconds: f64,
    /// Whether `seconds` are those of built kernels.
    is_built: bool,
    /// Whether it ran, so that its kernels are built in this process.
    has_run: bool,
    /// Seconds of a run by the device's clock.
    timed: Option<f64>,
    /// Seconds in which its kernels are built; 0 where they are.
    building_seconds: f64,
}

impl<P> Contender<P> {
    pub(crate) fn new(plan: P, estimate: Estimate, contending: &Contending) -> Self {
        let Contending { name, is_built, building_seconds, .. } = contending.clone();
        Self {
            plan,
            name,
            seconds: estimate.seconds,
            estimate,
            is_built,
            has_run: false,
            timed: None,
            building_seconds,
        }
    }
}

/// What a run of the plan whose turn it is tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// What its kernels are once they are built.
    Build,
    /// How long it takes.
    Time,
    /// Nothing: its rival has to be paid for first.
    Pass,
}

/// How a trial goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Next {
    /// With another run.
    Run,
    /// Not: the contender at this place stays.
    Stays(usize),
}

/// The trial of one choice: the chosen candidate first, then the others by ascending estimates.
///
/// The first run of a plan builds its kernels. Where they spill registers, or leave room for fewer groups than counted, the plan is
/// estimated anew, and the plan with the least seconds is next. Once that one was built, too, it is timed, and the choice against
/// it; the quicker one stays. A choice that stays the best by estimates is timed, and stays if it takes up to three times its
/// estimate. If not, the next best plan is built and timed, and the quicker one stays.
///
/// Building takes tenths of a second. So a rival whose kernels are not built waits until the runs so far have lost as much as its
/// building takes: all together then take at most twice what they would with the better plan from the beginning, whichever that is
/// (the rent or buy problem: Karlin, Manasse, Rudolph, Sleator 1988, *Competitive snoopy caching*).
#[derive(Debug)]
pub(crate) struct Trial<P> {
    pub(crate) contenders: Vec<Contender<P>>,
    /// The contender whose turn it is.
    at: usize,
    /// Whether it is the last one to be timed.
    is_last: bool,
    /// The rival that has to be paid for, and by how many runs.
    waits_for: Option<(usize, u64)>,
    pub(crate) watch: Watch,
}

impl<P> Trial<P> {
    pub(crate) fn new(watch: Watch, contenders: Vec<Contender<P>>) -> Self {
        Self { contenders, at: 0, is_last: false, waits_for: None, watch }
    }

    /// The plan of the next run.
    pub(crate) fn place(&self) -> usize {
        self.at
    }

    /// Whether the choice may be taken: the device does not refuse it.
    pub(crate) fn may_take_first(&self) -> bool {
        self.contenders[0].seconds.is_finite()
    }

    /// What the next run is for.
    pub(crate) fn turn(&self) -> Turn {
        match (self.waits_for, self.contenders[self.at].has_run) {
            (Some(_), _) => Turn::Pass,
            (None, true) => Turn::Time,
            (None, false) => Turn::Build,
        }
    }

    /// Notes a run that told nothing.
    pub(crate) fn passed(&mut self) {
        if let Some((rival, runs)) = self.waits_for {
            self.waits_for = (runs > 1).then(|| (rival, runs - 1));
            if runs <= 1 {
                self.at = rival;
            }
        }
    }

    /// Notes a run that built kernels. The factor by which its plan takes longer than estimated, where that is news.
    pub(crate) fn built(&mut self, launched: &[BuiltKernel], machine: &Machine) -> Option<f64> {
        let own = &mut self.contenders[self.at];
        own.has_run = true;
        if own.is_built {
            return None;
        }
        own.is_built = true;
        own.seconds = own.estimate.seconds_when_built(machine, launched);
        let factor = own.seconds / own.estimate.seconds;
        let is_slower = factor.is_finite() && factor > EQUAL_ESTIMATES;
        if is_slower && !self.is_last && self.watch.is_estimated {
            self.take_least();
        }
        is_slower.then_some(factor)
    }

    /// Notes a run that was timed.
    pub(crate) fn timed(&mut self, seconds: f64) -> Next {
        self.contenders[self.at].timed = Some(seconds);
        let is_deferred = self.watch.is_deferred && self.contenders.get(1).is_some_and(|one| one.seconds.is_finite());
        let rival = if is_deferred { Some(1) } else { self.least_of(|place| place != 0) };
        // What its kernels were built into made it dearer than a rival that has to be built.
        let is_dearer = |rival: usize| EQUAL_ESTIMATES * self.contenders[rival].seconds < self.contenders[0].seconds;
        let is_beaten = is_deferred || self.watch.is_estimated && rival.is_some_and(is_dearer);
        if self.is_last || self.at == 0 && !is_beaten && seconds <= TOO_LONG * self.contenders[0].seconds {
            return Next::Stays(self.quickest());
        }
        self.is_last = true;
        self.at = match (self.at, rival) {
            (0, None) => return Next::Stays(0),
            (0, Some(rival)) => {
                let Contender { seconds: expected, building_seconds, .. } = self.contenders[rival];
                let runs = building_seconds / (seconds - expected).max(0.0);
                if runs >= 1.0 {
                    if runs > MOST_RUNS {
                        return Next::Stays(0);
                    }
                    self.waits_for = Some((rival, runs.ceil() as u64));
                    return Next::Run;
                }
                rival
            }
            // What was built into more than it was estimated to is timed as well.
            _ => 0,
        };
        if self.contenders[self.at].seconds.is_finite() { Next::Run } else { Next::Stays(self.quickest()) }
    }

    /// Notes a run that failed. A device that `is_refusing` to build or launch the plan's kernels leaves it out; where a plan that was
    /// timed has a rival that fails, the first one stays. Other failures say nothing of a plan that has no rival.
    pub(crate) fn failed(&mut self, is_refusing: bool) -> Next {
        if self.is_last {
            return Next::Stays(self.quickest());
        }
        if is_refusing {
            self.contenders[self.at].seconds = f64::INFINITY;
            self.take_least();
            // None is left: the operation itself tells why.
            if self.contenders[self.at].seconds.is_infinite() {
                return Next::Stays(0);
            }
        }
        Next::Run
    }

    /// Notes that the plan whose turn it is may not be taken; the next best one has its turn.
    pub(crate) fn left_out(&mut self) -> Next {
        self.contenders[self.at].seconds = f64::INFINITY;
        if !self.is_last {
            self.take_least();
            return if self.contenders[self.at].seconds.is_finite() { Next::Run } else { Next::Stays(0) };
        }
        match self.least_of(|place| place != 0 && self.contenders[place].timed.is_none()) {
            Some(rival) => {
                self.at = rival;
                Next::Run
            }
            None => Next::Stays(self.quickest()),
        }
    }

    /// Names and seconds of what was timed.
    pub(crate) fn measured(&self) -> Vec<(String, f64)> {
        self.contenders.iter().filter_map(|own| Some((own.name.clone(), own.timed?))).collect()
    }

    /// Gives the turn to the plan with the least seconds by estimates; the one whose turn it is keeps it among equals.
    fn take_least(&mut self) {
        // Built for a run or two, a rival would cost more than it saves.
        let own = self.contenders[self.at].seconds;
        let pays = |place: usize| self.contenders[place].seconds + self.contenders[place].building_seconds < own;
        if let Some(least) = self.least_of(|place| place == self.at || pays(place))
            && own > EQUAL_ESTIMATES * self.contenders[least].seconds
        {
            self.at = least;
        }
    }

    fn least_of(&self, counts: impl Fn(usize) -> bool) -> Option<usize> {
        let seconds = |place: usize| self.contenders[place].seconds;
        (0..self.contenders.len())
            .filter(|&place| counts(place) && seconds(place).is_finite())
            .min_by(|&a, &b| seconds(a).total_cmp(&seconds(b)))
    }

    fn quickest(&self) -> usize {
        let timed = |place: usize| self.contenders[place].timed.unwrap_or(f64::INFINITY);
        (0..self.contenders.len()).min_by(|&a, &b| timed(a).total_cmp(&timed(b))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{Key, TuningTask};

    /// A machine of 1 s for a spilled byte of each of 100 items, either way.
    fn machine() -> Machine {
        let class = manycore_model::machine::Class {
            name: "a GPU".into(),
            vendor: String::new(),
            processors: 1,
            clock_hz: 1,
            local_bytes: 1 << 14,
            block_threads: 256,
            fp64: false,
        };
        let mut machine = class.gpu();
        (machine.bandwidth, machine.segments, machine.caches) = (200.0, Vec::new(), Vec::new());
        machine
    }

    fn trial(seconds: &[f64], is_estimated: bool) -> Trial<usize> {
        let task = TuningTask { key: "trial".into(), sizes: Vec::new(), count: 1, revision: 0 };
        let (key, places) = (Key::of(&task), Vec::new());
        let watch = Watch { key, revision: 0, is_estimated, machine: machine(), is_deferred: false, places };
        let contender = |(plan, &seconds): (usize, &f64)| {
            let contending = Contending { place: plan, name: String::new(), is_built: false, building_seconds: 0.0 };
            Contender::new(plan, Estimate { seconds, ..Estimate::default() }, &contending)
        };
        Trial::new(watch, seconds.iter().enumerate().map(contender).collect())
    }

    /// Runs plans with so many spilled bytes and so many seconds until one stays: the turns, `b` where kernels are built, and the
    /// plan that stays.
    fn turns(mut trial: Trial<usize>, private_bytes: &[u64], seconds: &[f64]) -> (String, usize) {
        let mut told = String::new();
        for _ in 0..100 {
            let place = trial.place();
            match trial.turn() {
                Turn::Build => {
                    told.extend([place.to_string().as_str(), "b "]);
                    let (private_bytes, name) = (private_bytes[place], "k");
                    let built =
                        BuiltKernel { name, groups: 1, group: 100, private_bytes, local_bytes: 0, group_limit: 0 };
                    assert_eq!(trial.built(&[built], &machine()).is_some(), private_bytes > 0);
                }
                Turn::Pass => {
                    told.push_str("- ");
                    trial.passed();
                }
                Turn::Time => {
                    told.extend([place.to_string().as_str(), " "]);
                    if let Next::Stays(place) = trial.timed(seconds[place]) {
                        return (told, place);
                    }
                }
            }
        }
        panic!("no plan stays: {told}");
    }

    #[test]
    fn a_choice_within_three_times_its_estimate_stays() {
        assert_eq!(turns(trial(&[1.0, 2.0], true), &[0, 0], &[2.9, 1.0]), ("0b 0 ".into(), 0));
        assert_eq!(turns(trial(&[1.0], true), &[0], &[9.0]), ("0b 0 ".into(), 0));
    }

    #[test]
    fn a_choice_past_three_times_its_estimate_gets_a_rival() {
        assert_eq!(turns(trial(&[1.0, 2.0, 3.0], true), &[0; 3], &[3.1, 3.0, 1.0]), ("0b 0 1b 1 ".into(), 1));
        assert_eq!(turns(trial(&[1.0, 2.0, 3.0], true), &[0; 3], &[3.1, 4.0, 1.0]), ("0b 0 1b 1 ".into(), 0));
        // Of a choice that ships the estimate may be any.
        assert_eq!(turns(trial(&[2.0, 3.0, 1.0], false), &[0; 3], &[9.0, 4.0, 1.0]), ("0b 0 2b 2 ".into(), 2));
    }

    #[test]
    fn a_rival_that_is_not_built_is_paid_for_first() {
        let building = |seconds: &[f64], building: &[f64], is_deferred| {
            let mut trial = trial(seconds, true);
            trial.watch.is_deferred = is_deferred;
            trial.contenders.iter_mut().zip(building).for_each(|(own, &seconds)| own.building_seconds = seconds);
            trial
        };
        // 7 s a run instead of 2, and 15 s to build: three runs.
        let slow = building(&[1.0, 2.0], &[0.0, 15.0], false);
        assert_eq!(turns(slow, &[0, 0], &[7.0, 2.0]), ("0b 0 - - - 1b 1 ".into(), 1));
        // The better one gave way to what was built.
        let deferred = building(&[3.0, 2.0], &[0.0, 2.0], true);
        assert_eq!(turns(deferred, &[0, 0], &[3.0, 1.0]), ("0b 0 - - 1b 1 ".into(), 1));
        let never = building(&[3.0, 2.0], &[0.0, 2.0], true);
        assert_eq!(turns(never, &[0, 0], &[2.0, 1.0]), ("0b 0 ".into(), 0));
        // What spills keeps its turn while the next best has to be built: 3 s a run for 9 s.
        let spilled = || building(&[1.0, 2.0], &[0.0, 9.0], false);
        assert_eq!(turns(spilled(), &[4, 0], &[5.0, 1.0]), ("0b 0 - - - 1b 1 ".into(), 1));
        assert_eq!(turns(spilled(), &[4, 0], &[5.0, 6.0]), ("0b 0 - - - 1b 1 ".into(), 0));
    }

    #[test]
    fn spills_give_the_turn_to_the_next_best() {
        // 1 + 4 s, then 2 s: both are timed.
        assert_eq!(turns(trial(&[1.0, 2.0, 3.0], true), &[4, 0, 0], &[5.0, 2.0, 1.0]), ("0b 1b 1 0 ".into(), 1));
        // The clock says otherwise.
        assert_eq!(turns(trial(&[1.0, 2.0, 3.0], true), &[4, 0, 0], &[1.5, 2.0, 1.0]), ("0b 1b 1 0 ".into(), 0));
        // All spill, and the second the least.
        assert_eq!(turns(trial(&[1.0, 2.0, 3.0], true), &[9, 3, 8], &[9.0, 5.0, 1.0]), ("0b 1b 2b 1 0 ".into(), 1));
        // With its spills the first is the best still: within three times that, it stays.
        assert_eq!(turns(trial(&[1.0, 9.0], true), &[4, 0], &[14.0, 1.0]), ("0b 0 ".into(), 0));
        // What was measured of a near shape spilled there, too.
        assert_eq!(turns(trial(&[1.0, 2.0], false), &[4, 0], &[5.0, 1.0]), ("0b 0 ".into(), 0));
    }

    #[test]
    fn known_spills_are_not_counted_twice() {
        let mut known = trial(&[5.0, 6.0], true);
        known.contenders[0].is_built = true;
        let built = BuiltKernel { name: "k", groups: 1, group: 100, private_bytes: 4, local_bytes: 0, group_limit: 0 };
        assert_eq!((known.built(&[built], &machine()), known.place(), known.turn()), (None, 0, Turn::Time));
    }

    #[test]
    fn plans_that_the_device_refuses_are_left_out() {
        let mut first = trial(&[1.0, 2.0, 3.0], true);
        assert_eq!((first.failed(true), first.place()), (Next::Run, 1));
        assert_eq!((first.failed(true), first.place()), (Next::Run, 2));
        assert_eq!(first.built(&[], &machine()), None);
        // The choice cannot be timed.
        assert_eq!(first.timed(100.0), Next::Stays(2));
        // Where all fail, the choice tells why.
        let mut all = trial(&[1.0], true);
        assert_eq!(all.failed(true), Next::Stays(0));
        // Other failures are those of the input.
        let mut other = trial(&[1.0, 2.0], true);
        assert_eq!((other.failed(false), other.place(), other.turn()), (Next::Run, 0, Turn::Build));
    }

    #[test]
    fn a_rival_that_may_not_be_taken_gives_way_to_the_next() {
        let mut slow = trial(&[1.0, 2.0, 3.0], true);
        slow.built(&[], &machine());
        assert_eq!((slow.timed(9.0), slow.place()), (Next::Run, 1));
        assert_eq!((slow.left_out(), slow.place()), (Next::Run, 2));
        assert_eq!(slow.left_out(), Next::Stays(0));
        // What spills gives its turn back.
        let mut spilled = trial(&[1.0, 2.0], true);
        let built = BuiltKernel { name: "k", groups: 1, group: 100, private_bytes: 9, local_bytes: 0, group_limit: 0 };
        assert!(spilled.built(&[built], &machine()).is_some());
        assert_eq!((spilled.place(), spilled.left_out(), spilled.place()), (1, Next::Run, 0));
    }

    #[test]
    fn a_rival_that_fails_gives_way() {
        let mut trial = trial(&[1.0, 2.0], true);
        trial.built(&[], &machine());
        assert_eq!((trial.timed(9.0), trial.place()), (Next::Run, 1));
        assert_eq!(trial.failed(false), Next::Stays(0));
    }
}

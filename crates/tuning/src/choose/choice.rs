//! A choice: the candidates of an operation, the chosen one first, and where the choice comes from.

use std::fmt::{self, Display};

use manycore_model::machine::Seconds;
use manycore_model::{DoesNotFit, Estimate, Machine};
use serde::Serialize;

use crate::key::Key;
use crate::proof::Proof;

/// Estimates within 1 % are equal: a roofline tells no more.
pub(crate) const EQUAL_ESTIMATES: f64 = 1.01;

/// One way to do an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<P> {
    /// The algorithm and its parameters.
    pub parameters: P,
    /// The model's estimate.
    pub estimate: Estimate,
    /// Seconds of one run as a user waits for it; `None` where it was not measured.
    pub measured_seconds: Option<f64>,
}

impl<P> Candidate<P> {
    /// The measured seconds, else the estimated ones.
    pub fn seconds(&self) -> f64 {
        self.measured_seconds.unwrap_or(self.estimate.seconds)
    }
}

/// Where a choice comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// There is one candidate.
    Only,
    /// The best estimate.
    Estimated,
    /// The best estimate, with what the kernels of some candidates take that were built earlier on this device, with this driver and
    /// this code: spilled registers, and fewer groups at once.
    Built,
    /// Its kernels are built: the best candidate would take as long to build as it saves in many runs, and takes over once those
    /// were.
    Ready,
    /// Measurements of this process.
    Measured,
    /// Measurements of an earlier process on this device, with this driver and this code.
    Kept,
    /// Measurements that ship with the library.
    Shipped {
        /// The device that was measured.
        device: String,
        /// What it has in common with this device: `device`, `architecture`, `vendor` or `kind`.
        level: &'static str,
        /// The sizes that were measured, where they are others than these.
        at: Option<String>,
    },
}

impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Only => f.write_str("the only candidate"),
            Self::Estimated => f.write_str("estimated"),
            Self::Built => f.write_str("estimated with kernels as they were built"),
            Self::Ready => f.write_str("its kernels are built already"),
            Self::Measured => f.write_str("measured now"),
            Self::Kept => f.write_str("measured earlier on this device"),
            Self::Shipped { device, level, at } => {
                write!(f, "measured on {device}")?;
                if *level != "device" {
                    write!(f, ", of the same {level}")?;
                }
                if let Some(sizes) = at {
                    write!(f, ", at {sizes}")?;
                }
                f.write_str(", shipped with the library")
            }
        }
    }
}

/// What a measurement of a choice would take.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct TuningCost {
    /// Candidates to measure.
    pub candidates: usize,
    /// Seconds of their runs by the estimates. On OpenCL devices kernels are built besides, some tenths of a second each.
    pub seconds: f64,
}

/// The candidates of an operation, the chosen one first.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice<P> {
    /// The operation's name.
    pub operation: &'static str,
    /// The machine's name.
    pub machine: String,
    /// Those that fit; never empty.
    candidates: Vec<Candidate<P>>,
    /// Those that do not fit, with the reason.
    pub refused: Vec<(P, DoesNotFit)>,
    /// Those that gave wrong results on this device, with what was wrong.
    pub disproved: Vec<(P, String)>,
    pub(crate) proof: Option<Proof>,
    origin: Origin,
    pub(crate) tuning_cost: TuningCost,
    /// Seconds of the candidate that is taken where nothing is measured.
    default_seconds: Option<f64>,
    pub(crate) building_seconds: f64,
    /// What gets a trial where the estimate of this choice is wrong.
    pub(crate) watch: Option<Watch>,
}

/// What the trial of a choice takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Watch {
    pub(crate) key: Key,
    pub(crate) revision: u64,
    /// Whether estimates decided, and not a choice that ships.
    pub(crate) is_estimated: bool,
    /// The machine of the estimates.
    pub(crate) machine: Machine,
    /// Whether the second place is of the better one, which gave way to the choice, whose kernels are built.
    pub(crate) is_deferred: bool,
    /// The choice and the candidates that may take its place, by ascending estimates.
    pub(crate) places: Vec<Contending>,
}

/// A candidate of a trial.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contending {
    /// Its place among the candidates.
    pub(crate) place: usize,
    /// Its name in files of choices.
    pub(crate) name: String,
    /// Whether the estimate is that of built kernels.
    pub(crate) is_built: bool,
    /// Seconds in which its kernels are built; 0 where they are.
    pub(crate) building_seconds: f64,
}

/// Orders candidates by their estimates, as [`Choice::estimated`] tells.
fn order<P>(candidates: &mut [Candidate<P>]) {
    let least = candidates.iter().map(|candidate| candidate.estimate.seconds).fold(f64::INFINITY, f64::min);
    let is_alike = |candidate: &Candidate<P>| candidate.estimate.seconds <= EQUAL_ESTIMATES * least;
    // A stable sort: the operation's order decides between equals.
    candidates.sort_by(|a, b| match (is_alike(a), is_alike(b)) {
        (true, true) => a.estimate.launches.cmp(&b.estimate.launches),
        _ => a.estimate.seconds.total_cmp(&b.estimate.seconds),
    });
}

impl<P> Choice<P> {
    /// The choice by estimates. Of estimates within 1 % of the least, the one with the fewest launches is best, then the one that the operation lists
    /// first.
    pub(super) fn estimated(
        operation: &'static str,
        machine: String,
        mut candidates: Vec<Candidate<P>>,
        refused: Vec<(P, DoesNotFit)>,
    ) -> Self {
        order(&mut candidates);
        let origin = if candidates.len() == 1 { Origin::Only } else { Origin::Estimated };
        Self {
            operation,
            machine,
            candidates,
            refused,
            disproved: Vec::new(),
            proof: None,
            origin,
            tuning_cost: TuningCost::default(),
            default_seconds: None,
            building_seconds: 0.0,
            watch: None,
        }
    }

    /// Multiplies the estimated seconds of the candidates with these indices, once their kernels were built, and chooses anew by
    /// estimates among those that `may_stand` for the best one. Nothing changes where there are none.
    pub(crate) fn note_built(&mut self, factors: &[(usize, f64)], may_stand: impl Fn(&P) -> bool) {
        if factors.is_empty() {
            return;
        }
        for &(i, factor) in factors {
            self.candidates[i].estimate.seconds *= factor;
        }
        order(&mut self.candidates);
        let first = self.candidates.iter().position(|candidate| may_stand(&candidate.parameters)).unwrap_or(0);
        self.prefer(first, Origin::Built);
    }

    /// Takes the best of the candidates whose kernels are built, of those that give the bits of the best one, where a run of it takes
    /// less than one of that and its `building` together; whether there is one. The best one then has the second place.
    pub(crate) fn take_built(
        &mut self,
        building: impl Fn(&Candidate<P>) -> f64,
        gives_same_bits: impl Fn(&P) -> bool,
    ) -> bool {
        let own = building(self.best());
        if own == 0.0 {
            return false;
        }
        let others = self.candidates.iter().enumerate().skip(1);
        let built = others.filter(|(_, other)| building(other) == 0.0 && gives_same_bits(&other.parameters));
        let least = built.map(|(i, other)| (i, other.seconds())).min_by(|a, b| a.1.total_cmp(&b.1));
        match least.filter(|&(_, seconds)| seconds < self.best().seconds() + own) {
            Some((i, _)) => {
                self.prefer(i, Origin::Ready);
                true
            }
            None => false,
        }
    }

    /// The chosen candidate.
    pub fn best(&self) -> &Candidate<P> {
        &self.candidates[0]
    }

    /// Every candidate that fits: the chosen one, then those measured by ascending seconds, then the others by ascending
    /// estimates.
    pub fn candidates(&self) -> &[Candidate<P>] {
        &self.candidates
    }

    /// Where the choice comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What is known of the chosen plan's results on the device; `None` on the host, and before its first use.
    pub fn proof(&self) -> Option<&Proof> {
        self.proof.as_ref()
    }

    /// Seconds in which the kernels of the chosen candidate are built by the device's compiler; 0 where its driver has them.
    pub fn building_seconds(&self) -> f64 {
        self.building_seconds
    }

    /// Leaves out the candidates that are `wrong` on the device, with what is. The one that would have been chosen is told where
    /// none is left.
    pub(crate) fn leave_out(&mut self, wrong: impl Fn(&P) -> Option<String>) -> Result<(), (P, String)> {
        let (mut left, mut disproved) = (Vec::new(), Vec::new());
        for candidate in self.candidates.drain(..) {
            match wrong(&candidate.parameters) {
                Some(difference) => disproved.push((candidate.parameters, difference)),
                None => left.push(candidate),
            }
        }
        if left.is_empty() && !disproved.is_empty() {
            return Err(disproved.swap_remove(0));
        }
        (self.candidates, self.disproved) = (left, disproved);
        Ok(())
    }

    /// What a measurement would take; nothing where there is nothing to measure, or where it was measured on this device.
    pub fn tuning_cost(&self) -> TuningCost {
        self.tuning_cost
    }

    /// How many times as long as the chosen candidate the one takes that is chosen where nothing is measured: a choice that
    /// ships, else the best estimate. `None` unless it was measured beside the others, in the mode that measures.
    pub fn default_over_best(&self) -> Option<f64> {
        Some(self.default_seconds? / self.best().measured_seconds?)
    }

    /// The number of candidates that were measured.
    pub fn measured(&self) -> usize {
        self.candidates.iter().filter(|candidate| candidate.measured_seconds.is_some()).count()
    }

    /// The same choice with other parameters.
    pub fn map<Q>(self, tell: impl Fn(P) -> Q) -> Choice<Q> {
        let candidate = |old: Candidate<P>| Candidate {
            parameters: tell(old.parameters),
            estimate: old.estimate,
            measured_seconds: old.measured_seconds,
        };
        Choice {
            operation: self.operation,
            machine: self.machine,
            candidates: self.candidates.into_iter().map(candidate).collect(),
            refused: self.refused.into_iter().map(|(parameters, reason)| (tell(parameters), reason)).collect(),
            disproved: self.disproved.into_iter().map(|(parameters, reason)| (tell(parameters), reason)).collect(),
            proof: self.proof,
            origin: self.origin,
            tuning_cost: self.tuning_cost,
            default_seconds: self.default_seconds,
            building_seconds: self.building_seconds,
            watch: self.watch,
        }
    }

    /// Notes the seconds of the candidate that is taken where nothing is measured.
    pub(crate) fn note_default(&mut self, is_default: impl Fn(&P) -> bool) {
        let mut candidates = self.candidates.iter();
        self.default_seconds =
            candidates.find(|candidate| is_default(&candidate.parameters)).and_then(|found| found.measured_seconds);
    }

    /// Chooses the candidate with this index, which was not measured, from `origin`.
    pub(crate) fn prefer(&mut self, index: usize, origin: Origin) {
        self.candidates[..=index].rotate_right(1);
        self.origin = origin;
    }

    /// Notes seconds of the candidates with these indices and chooses the least of them, from `origin`. Seconds that are not
    /// positive and finite are no measurement. `false`, and nothing changed, where none is left.
    pub(crate) fn note(&mut self, measured: &[(usize, f64)], origin: Origin) -> bool {
        let mut noted = false;
        for &(i, seconds) in measured {
            if seconds.is_finite() && seconds > 0.0 {
                self.candidates[i].measured_seconds = Some(seconds);
                noted = true;
            }
        }
        if noted {
            // Measured ones first: an estimate is not compared with a measurement.
            self.candidates.sort_by(|a, b| {
                let key = |c: &Candidate<P>| (c.measured_seconds.is_none(), c.seconds());
                let ((a_later, a_seconds), (b_later, b_seconds)) = (key(a), key(b));
                a_later.cmp(&b_later).then(a_seconds.total_cmp(&b_seconds))
            });
            self.origin = origin;
        }
        noted
    }
}

impl<P: Display> Display for Choice<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}: {}", self.operation, self.machine, self.origin)?;
        let measured = self.measured() > 0;
        write!(f, "  {:>10}  {:>10}  {:>10}  {:>8}  {:<12}", "estimate", "floor", "theorem 1", "launches", "bound by")?;
        writeln!(f, "{}  parameters", if measured { "    measured" } else { "" })?;
        for (i, candidate) in self.candidates.iter().enumerate() {
            let estimate = &candidate.estimate;
            write!(
                f,
                "{} {:>10}  {:>10}  {:>10}  {:>8}  {:<12}",
                if i == 0 { '*' } else { ' ' },
                Seconds(estimate.seconds),
                Seconds(estimate.floor_seconds),
                Seconds(estimate.theorem_seconds),
                estimate.launches,
                estimate.bound()
            )?;
            match candidate.measured_seconds {
                Some(seconds) => write!(f, "  {:>10}", Seconds(seconds))?,
                None if measured => write!(f, "  {:>10}", "")?,
                None => {}
            }
            writeln!(f, "  {}", candidate.parameters)?;
        }
        for (parameters, reason) in &self.refused {
            writeln!(f, "  does not fit: {parameters}: {reason}")?;
        }
        for (parameters, difference) in &self.disproved {
            writeln!(f, "  gives wrong results: {parameters}: {difference}")?;
        }
        if let Some(proof) = &self.proof {
            writeln!(f, "  the chosen plan: {proof}")?;
        }
        let TuningCost { candidates, seconds } = self.tuning_cost;
        if candidates > 1 {
            writeln!(f, "  tuning would measure {candidates} candidates for about {}", Seconds(seconds))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(seconds: &[f64]) -> Choice<usize> {
        let candidate = |(parameters, &seconds): (usize, &f64)| Candidate {
            parameters,
            estimate: Estimate { seconds, ..Estimate::default() },
            measured_seconds: None,
        };
        Choice::estimated("sums", "a GPU".into(), seconds.iter().enumerate().map(candidate).collect(), Vec::new())
    }

    #[test]
    fn what_is_built_is_taken_where_building_costs_more_than_it_saves() {
        let building =
            |built: &'static [usize]| move |one: &Candidate<usize>| f64::from(!built.contains(&one.parameters));
        let taken = |seconds: &[f64], built: &'static [usize]| {
            let mut choice = choice(seconds);
            let is_deferred = choice.take_built(building(built), |&plan| plan != 3);
            (choice.candidates().iter().map(|one| one.parameters).collect::<Vec<_>>(), is_deferred)
        };
        // Nothing is built, or the best one is.
        assert_eq!(taken(&[1.0, 1.5, 2.5], &[]), (vec![0, 1, 2], false));
        assert_eq!(taken(&[1.0, 1.5, 2.5], &[0, 1]), (vec![0, 1, 2], false));
        // Building takes a second.
        assert_eq!(taken(&[1.0, 1.5, 2.5], &[1, 2]), (vec![1, 0, 2], true));
        assert_eq!(taken(&[1.0, 1.5, 2.5], &[2]), (vec![0, 1, 2], false));
        // Other bits.
        assert_eq!(taken(&[1.0, 3.0, 2.5, 1.5], &[3]), (vec![0, 3, 2, 1], false));
    }

    #[test]
    fn wrong_candidates_are_left_out_and_named() {
        let wrong = |wrong: &'static [usize]| move |plan: &usize| wrong.contains(plan).then(|| format!("word {plan}"));
        let mut some = choice(&[3.0, 1.0, 2.0]);
        assert_eq!(some.leave_out(wrong(&[1])), Ok(()));
        assert_eq!((some.best().parameters, some.candidates().len()), (2, 2));
        assert_eq!(some.disproved, [(1, "word 1".to_owned())]);
        assert!(some.to_string().contains("gives wrong results: 1: word 1\n"), "{some}");
        // The one that would be chosen is told.
        assert_eq!(choice(&[3.0, 1.0, 2.0]).leave_out(wrong(&[0, 1, 2])), Err((1, "word 1".to_owned())));
        let mut none = choice(&[1.0]);
        assert_eq!(none.leave_out(wrong(&[])), Ok(()));
        assert_eq!((none.best().parameters, none.proof()), (0, None));
    }
}

//! Refining a choice by measurements.

use std::collections::{HashMap, HashSet};

use super::{ALIKE, Candidate, Choice, measures};

/// How far a choice may be refined by measurements: which candidates, and for how long.
///
/// A model knows what a kernel counts, not what a compiler makes of it: where that is a lottery, the few candidates that
/// are predicted to be about as fast as the best one are worth a measurement each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refinement {
    /// Candidates are measured that are predicted to take at most so many times the least predicted time,
    pub factor: f64,
    /// the best predicted of each kind first, at most so many.
    pub most: usize,
    /// Seconds that running candidates may take in all. What a candidate's first run takes beyond another, such as building
    /// its kernels, does not count. Where two candidates are predicted to take more, none is measured.
    pub seconds: f64,
}

impl Default for Refinement {
    /// At most 6 candidates within twice the best, for 0.2 seconds.
    fn default() -> Self {
        Self { factor: 2.0, most: 6, seconds: 0.2 }
    }
}

/// What a measurement of one candidate said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Seconds of one run.
    pub seconds: f64,
    /// Seconds that the measurement took, as far as they count.
    pub spent_seconds: f64,
}

/// Turns in which candidates are measured, at most: what disturbs one of them passes.
const TURNS: usize = 24;
/// A candidate that took so much longer than the best one of the same turn, in every turn and at least two, is measured no more.
/// Turns are compared within themselves: a processor that is half as fast for the first few, as threads have not found a core
/// each, leaves nobody out.
const HOPELESS: f64 = 1.3;
const LEAST_TURNS: usize = 2;
/// Runs of each candidate, at least: one that does not count, and one that does.
const LEAST_RUNS: f64 = 2.0;

/// What a quarter of these seconds, at least one, are not above; sorts them.
fn quarter(seconds: &mut [f64]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[(seconds.len() - 1) / 4]
}

impl<P> Choice<P> {
    /// Measures at most `most` candidates in their order, and chooses by what they took; tells how many were measured.
    /// Stops as soon as the best measured time is below the model's floor of every candidate left, and not below its own:
    /// none of them can be faster. Seconds that are not positive and finite are no measurement.
    ///
    /// # Errors
    /// That of the first measurement that failed; what was measured before is kept.
    pub fn refine<E>(&mut self, most: usize, mut measure: impl FnMut(&P) -> Result<f64, E>) -> Result<usize, E> {
        let mut measured = 0;
        let mut outcome = Ok(());
        for i in 0..self.candidates.len().min(most) {
            let least =
                self.candidates[i..].iter().map(|left| left.prediction.floor_seconds).fold(f64::INFINITY, f64::min);
            if self.fastest(0..i).is_some_and(|(best, floors_hold)| floors_hold && best <= least) {
                break;
            }
            match measure(&self.candidates[i].parameters) {
                Ok(seconds) if measures(seconds) => {
                    self.candidates[i].measured_seconds = Some(seconds);
                    measured += 1;
                }
                Ok(_) => {}
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        // A measurement that is worse than expected shall not make an unmeasured candidate the choice.
        self.sort();
        outcome.map(|()| measured)
    }

    /// The least measured seconds of these candidates, and whether they are no less than the model's floor of theirs: one that
    /// is faster says that floors are too high here.
    fn fastest(&self, of: impl IntoIterator<Item = usize>) -> Option<(f64, bool)> {
        let measured = of.into_iter().map(|i| &self.candidates[i]).filter_map(|candidate| {
            candidate.measured_seconds.map(|seconds| (seconds, seconds >= candidate.prediction.floor_seconds))
        });
        measured.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Measures candidates as `how` says, of those that may stand in for the predicted choice by `stands_in(best, other)`,
    /// and chooses by what they took; tells how many were measured.
    ///
    /// Candidates of one `kind` are alike in what a prediction may have wrong, such as the number of their passes: the best
    /// predicted one of each kind comes first, then the second one of each, and so on.
    ///
    /// `sample` measures one candidate, and is told whether it is the first time. Candidates are measured in turns. Of each
    /// candidate's times the one counts that a quarter of them are below: what disturbs a measurement adds to it, but the least of
    /// many is a lucky one where threads come late or not at all. Each is measured in the first turn, as
    /// far as the seconds go; after a turn measuring ends where none could be more than 3 % faster than the best measured
    /// time by the model's floors, unless that is below its own floor. It ends too when the seconds are spent, or when one
    /// candidate is left. Seconds that are not positive and finite are no measurement.
    ///
    /// # Errors
    /// That of the first measurement that failed; what was measured before is kept.
    ///
    /// ```
    /// # use manycore_model::machine::Class;
    /// # use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Program, choose};
    /// use manycore_model::{Refinement, Sample};
    /// # struct Lottery;
    /// # impl Costed for Lottery {
    /// #     type Size = u64;
    /// #     type Parameters = u64;
    /// #     fn name(&self) -> &'static str { "lottery" }
    /// #     fn candidates(&self, _: &u64, _: &Machine) -> Vec<u64> { vec![10, 11, 12, 40] }
    /// #     fn program(&self, n: &u64, &each: &u64, _: &Machine) -> Result<Program, DoesNotFit> {
    /// #         let mut program = Program::new();
    /// #         program.queue(Kernel::new("k", 64).blocks(Blocks::even(*n, 64, 1000 * each, 1, 1)))?;
    /// #         Ok(program)
    /// #     }
    /// # }
    /// # let class = Class { name: "a GPU".into(), vendor: "".into(), processors: 100, clock_hz: 0, local_bytes: 48 << 10, block_threads: 1024, fp64: true };
    /// let mut choice = choose(&Lottery, &(1 << 12), &class.gpu())?; // of 10, 11, 12 and 40
    /// // The compiler made slow code of the one predicted best.
    /// let clock = |each: &u64, _first: bool| Ok::<_, ()>(Sample { seconds: if *each == 10 { 2e-3 } else { 1e-3 }, spent_seconds: 4e-3 });
    /// let measured = choice.refine_within(&Refinement::default(), |_, _| true, |_| 0, clock);
    /// assert_eq!((measured, choice.best().parameters), (Ok(3), 11));
    /// # Ok::<(), manycore_model::NoChoice>(())
    /// ```
    pub fn refine_within<E>(
        &mut self,
        how: &Refinement,
        stands_in: impl Fn(&P, &P) -> bool,
        kind: impl Fn(&P) -> u64,
        mut sample: impl FnMut(&P, bool) -> Result<Sample, E>,
    ) -> Result<usize, E> {
        let most = how.factor * self.least_predicted();
        let predicted = |i: usize| self.candidates[i].prediction.seconds;
        let mut left: Vec<usize> = (0..self.candidates.len()).filter(|&i| predicted(i) <= most).collect();
        let best = self.predicted_best();
        left.sort_by(|&a, &b| (best != Some(a)).cmp(&(best != Some(b))).then(predicted(a).total_cmp(&predicted(b))));
        if let Some(&best) = left.first() {
            left.retain(|&i| stands_in(&self.candidates[best].parameters, &self.candidates[i].parameters));
        }
        let kinds: Vec<u64> = left.iter().map(|&i| kind(&self.candidates[i].parameters)).collect();
        let mut seen = HashMap::new();
        let mut place = |kind: u64| {
            let count = seen.entry(kind).or_insert(0usize);
            *count += 1;
            *count
        };
        let mut places: Vec<(usize, usize)> = left.iter().zip(kinds).map(|(&i, kind)| (place(kind), i)).collect();
        places.sort_by_key(|&(place, _)| place);
        left = places.into_iter().map(|(_, i)| i).take(how.most).collect();
        let worth_it =
            left.get(..2).is_some_and(|two| LEAST_RUNS * two.iter().map(|&i| predicted(i)).sum::<f64>() <= how.seconds);
        if !worth_it {
            return Ok(0);
        }
        let (measured, outcome) = self.turns(how.seconds, &mut left, &mut sample);
        self.sort();
        outcome.map(|()| measured)
    }

    /// Measures the candidates of these indices in turns, until the seconds are spent or there is nothing to decide; tells how
    /// many were measured.
    fn turns<E>(
        &mut self,
        seconds: f64,
        left: &mut Vec<usize>,
        sample: &mut impl FnMut(&P, bool) -> Result<Sample, E>,
    ) -> (usize, Result<(), E>) {
        let (mut spent, mut measured) = (0.0, Vec::new());
        let mut times: HashMap<usize, Vec<f64>> = HashMap::new();
        // Those that were near the best one of some turn.
        let mut near = HashSet::new();
        for turn in 0..TURNS {
            let mut this_turn = Vec::with_capacity(left.len());
            for i in left.clone() {
                let Candidate { parameters, prediction, measured_seconds } = &mut self.candidates[i];
                let first = !measured.contains(&i);
                let before = if first { None } else { *measured_seconds };
                let needed = LEAST_RUNS * before.unwrap_or(prediction.seconds);
                if spent > 0.0 && spent + needed > seconds {
                    return (measured.len(), Ok(()));
                }
                let found = match sample(parameters, first) {
                    Ok(found) => found,
                    Err(error) => return (measured.len(), Err(error)),
                };
                // What was spent has to grow for the seconds to be a bound.
                let counts = measures(found.spent_seconds);
                spent += if counts { found.spent_seconds } else { needed };
                if measures(found.seconds) {
                    this_turn.push((i, found.seconds));
                    let times = times.entry(i).or_default();
                    times.push(found.seconds);
                    *measured_seconds = Some(quarter(times));
                    if first {
                        measured.push(i);
                    }
                }
            }
            let Some((best, floors_hold)) = self.fastest(measured.iter().copied()) else { break };
            let least = this_turn.iter().map(|(_, seconds)| *seconds).fold(f64::INFINITY, f64::min);
            near.extend(this_turn.iter().filter(|(_, seconds)| *seconds <= HOPELESS * least).map(|(i, _)| *i));
            left.retain(|i| measured.contains(i) && (turn + 1 < LEAST_TURNS || near.contains(i)));
            let beatable = |i: usize| {
                let candidate = &self.candidates[i];
                candidate.seconds() > best && !(floors_hold && ALIKE * candidate.prediction.floor_seconds >= best)
            };
            if !left.iter().any(|&i| beatable(i)) {
                break;
            }
        }
        (measured.len(), Ok(()))
    }
}

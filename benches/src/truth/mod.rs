//! The model beside the clock: for every costed operation, each candidate's predicted and measured time.
//!
//! A device is calibrated first, in the same run; then every candidate of a choice is measured as the library would run it.
//! The choice is what the library would do on that device: where it refines its choices by measurements, it does so here,
//! and the sweep says so; the prediction is always the model's. A sweep's verdict is the chosen candidate's measured time
//! over the best one's, and the ratio of predicted to measured time, of the chosen candidate and of the one that is
//! predicted worst.

mod calibrated;
mod groups;
mod microkernels;
mod ntt;
mod products;
mod sboxes;
mod settled;
mod spectral;
mod walsh;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::time::Instant;

use anyhow::Result;
use manycore_device::{Device, DeviceError, DeviceKind};
use manycore_model::{Candidate, Choice, Machine, Source};

use crate::lines::{Line, Point, Sweep};
use crate::walsh::Profile;
use calibrated::calibrated;
use settled::{Moved, Settled};

/// How often each candidate that comes near the best one is measured, in turns; and how often at most, while a sweep takes
/// less than so many seconds: half as many on GPUs, which nobody else disturbs.
const ROUNDS: usize = 4;
const MOST_ROUNDS: usize = 16;
const SWEEP_SECONDS: f64 = 3.0;
/// Candidates that took so many times as long as the best one are not measured again, in the first rounds and later.
const DISTURBED: f64 = 5.0;
const CONTENDS: f64 = 1.5;
/// Where another candidate took less than the choice, so many of those that took least are measured beside it again.
const RIVALS: usize = 3;
/// And so often: an odd number, of which one is the median.
const REMATCHES: usize = 7;
/// The threads of a processor move so many times at most before measurements count wherever they are.
const MOST_MOVES: usize = 100;
/// The device is calibrated so many times at most, four times each.
const MOST_CALIBRATIONS: usize = 6;
/// Candidates predicted to take so many times as long as the best one, and seconds besides, are left out.
const HOPELESS: f64 = 32.0;
const HOPELESS_SECONDS: f64 = 0.1;

/// The device and machine of a run of sweeps.
struct Bench<'a> {
    device: &'a Device,
    machine: Machine,
    threads: Option<u64>,
    profile: Profile,
    filter: Option<&'a str>,
    settled: Settled,
    /// The cases that were swept.
    done: BTreeSet<String>,
}

/// Where sweeps go.
type Emit<'a> = &'a mut dyn FnMut(Line);

/// Sweeps every costed operation on `device` and gives the lines to `emit`.
///
/// # Errors
/// When the device fails.
pub fn run(
    device: &Device,
    threads: Option<u64>,
    profile: Profile,
    filter: Option<&str>,
    mut emit: impl FnMut(Line),
) -> Result<()> {
    if filter.is_some_and(|text| !concerns(text)) {
        return Ok(());
    }
    let sweeps: [fn(&Bench<'_>, Emit<'_>) -> Result<()>; 7] = [
        |bench, mut emit| microkernels::sweep(bench, &mut emit),
        |bench, mut emit| walsh::sweep(bench, &mut emit),
        |bench, mut emit| spectral::sweep(bench, &mut emit),
        |bench, mut emit| ntt::sweep(bench, &mut emit),
        |bench, mut emit| products::sweep(bench, &mut emit),
        |bench, mut emit| groups::sweep(bench, &mut emit),
        |bench, mut emit| sboxes::sweep(bench, &mut emit),
    ];
    let mut machines = Machines { device, calibrated: Vec::new(), calibrations: 0, moves: 0 };
    let mut done = BTreeSet::new();
    for sweep in sweeps {
        // Where the threads move, what was swept counts, and the rest is predicted and measured where they are now.
        loop {
            let (machine, settled) = machines.now()?;
            let bench = Bench { device, machine, threads, profile, filter, settled, done: done.clone() };
            let mut emit = |line: Line| {
                if let Line::Sweep(sweep) = &line {
                    done.insert(sweep.case.clone());
                }
                emit(line);
            };
            match sweep(&bench, &mut emit) {
                Err(error) if error.is::<Moved>() => {}
                outcome => break outcome?,
            }
        }
    }
    Ok(())
}

/// The machines that a device was: one for each way in which its threads lay.
struct Machines<'a> {
    device: &'a Device,
    calibrated: Vec<(Machine, Settled)>,
    calibrations: usize,
    moves: usize,
}

impl Machines<'_> {
    /// The machine that the device is now, calibrated once; after many moves any.
    fn now(&mut self) -> Result<(Machine, Settled)> {
        let now = Settled::now(self.device);
        self.moves += 1;
        let mut restless = self.moves > MOST_MOVES;
        let mut known = self.calibrated.iter().find(|(_, settled)| settled.agrees(&now));
        if known.is_none() && !restless && self.calibrations < MOST_CALIBRATIONS {
            self.calibrations += 1;
            let found = calibrated(self.device)?;
            // The threads may have moved meanwhile, to where they were before.
            self.calibrated.retain(|(_, settled)| !settled.agrees(&found.1));
            self.calibrated.push(found);
            known = self.calibrated.last();
        } else if known.is_none() {
            (restless, known) = (true, self.calibrated.last());
        }
        let (machine, settled) = known.cloned().unwrap_or_else(|| (self.device.machine(), now));
        Ok((machine, if restless { Settled::anywhere() } else { settled }))
    }
}

/// Whether a filter may ask for sweeps: their names begin with `model/`.
pub fn concerns(filter: &str) -> bool {
    filter.starts_with("model")
}

impl Bench<'_> {
    fn gpu(&self) -> bool {
        !matches!(self.device.info().kind, DeviceKind::Host | DeviceKind::Cpu)
    }

    fn wants(&self, case: &str) -> bool {
        self.filter.is_none_or(|text| case.contains(text)) && !self.done.contains(case)
    }

    /// The seconds of one `work`, by the device's clock, on GPUs with launches queued.
    fn seconds(&self, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
        let mut failed = None;
        let seconds = manycore_device::context::seconds(self.device, || {
            if failed.is_none() {
                failed = work().err();
            }
            Ok::<(), DeviceError>(())
        })?;
        failed.map_or(Ok(seconds), Err)
    }

    /// A choice, which may measure candidates: where the machine is the one that it was calibrated as.
    fn chosen<P, E: Into<anyhow::Error>>(&self, choose: impl FnOnce() -> Result<Choice<P>, E>) -> Result<Choice<P>> {
        self.settled.once(|| choose().map_err(Into::into))
    }

    /// So many candidates are measured: building a kernel for a CPU takes about a second.
    fn most(&self) -> usize {
        match (self.device.info().kind, self.profile) {
            (DeviceKind::Host, _) => usize::MAX,
            (DeviceKind::Cpu, Profile::Quick) => 4,
            (DeviceKind::Cpu, _) => 8,
            _ => 24,
        }
    }

    /// A sweep of a choice's candidates, in the order of their predictions: of many only those predicted best, those that
    /// the library measured, and some of the others. `seconds` runs one as the library would.
    fn candidates<P: Display + PartialEq>(
        &self,
        operation: &'static str,
        case: String,
        choice: &Choice<P>,
        mut seconds: impl FnMut(&P) -> Result<f64>,
    ) -> Result<Option<Line>> {
        let mut candidates: Vec<&Candidate<P>> = choice.candidates().iter().collect();
        candidates.sort_by(|a, b| a.prediction.seconds.total_cmp(&b.prediction.seconds));
        if let Some(best) = candidates.first().map(|candidate| candidate.prediction.seconds) {
            candidates.retain(|candidate| candidate.prediction.seconds < (HOPELESS * best).max(HOPELESS_SECONDS));
        }
        let (most, stride) = (self.most(), candidates.len().div_ceil(self.most()).max(1));
        let kept: Vec<&Candidate<P>> = candidates
            .into_iter()
            .enumerate()
            .filter(|(i, candidate)| *i < most / 2 || i.is_multiple_of(stride) || candidate.measured_seconds.is_some())
            .map(|(_, candidate)| candidate)
            .collect();
        let mut points: Vec<Point> = kept.iter().map(|candidate| Point::predicted(candidate)).collect();
        // In rounds, of which each candidate's best counts: what disturbs one of them passes.
        let start = Instant::now();
        let sweep_seconds = if self.gpu() { SWEEP_SECONDS / 2.0 } else { SWEEP_SECONDS };
        let mut best = f64::INFINITY;
        for round in 0..MOST_ROUNDS {
            if round >= ROUNDS && start.elapsed().as_secs_f64() > sweep_seconds {
                break;
            }
            for (candidate, point) in kept.iter().zip(&mut points) {
                let again = if round < ROUNDS { DISTURBED } else { CONTENDS };
                let chosen = candidate.parameters == choice.best().parameters;
                if round == 0 || chosen || point.measured_seconds < again * best {
                    let found = self.settled.measure(|| seconds(&candidate.parameters))?;
                    point.measured_seconds = point.measured_seconds.min(found);
                }
            }
            best = points.iter().map(|point| point.measured_seconds).fold(best, f64::min);
        }
        let chosen = kept.iter().position(|candidate| candidate.parameters == choice.best().parameters).unwrap_or(0);
        let over_best = self.rematch(&kept, &mut points, chosen, &mut seconds)?;
        let refined = choice.measured() > 0;
        Ok(self.line_of(operation, case, points, chosen).map(|mut sweep| {
            (sweep.refined, sweep.considered) = (refined, choice.candidates().len());
            if let Some(over_best) = over_best {
                sweep.chosen_over_best = over_best;
            }
            Line::Sweep(sweep)
        }))
    }

    /// How many times as long as the best of its rivals the chosen candidate takes, at least 1; `None` where it took least
    /// before. The least of many measurements is a lucky one: the choice and its rivals are measured again, side by side and
    /// equally often, and what was measured before does not count here. Of each rival the median of the ratios counts, each of
    /// two measurements of one round: what lasts for a round disturbs both of them.
    fn rematch<P>(
        &self,
        kept: &[&Candidate<P>],
        points: &mut [Point],
        chosen: usize,
        mut seconds: impl FnMut(&P) -> Result<f64>,
    ) -> Result<Option<f64>> {
        let before = points[chosen].measured_seconds;
        let mut rivals: Vec<usize> = (0..points.len()).filter(|&i| points[i].measured_seconds < before).collect();
        rivals.sort_by(|&a, &b| points[a].measured_seconds.total_cmp(&points[b].measured_seconds));
        rivals.truncate(RIVALS);
        if rivals.is_empty() {
            return Ok(None);
        }
        let mut ratios = vec![Vec::with_capacity(REMATCHES); rivals.len()];
        for _ in 0..REMATCHES {
            let mut again = |i: usize| {
                let found = self.settled.measure(|| seconds(&kept[i].parameters))?;
                points[i].measured_seconds = points[i].measured_seconds.min(found);
                anyhow::Ok(found)
            };
            let own = again(chosen)?;
            for (&rival, ratios) in rivals.iter().zip(&mut ratios) {
                ratios.push(own / again(rival)?);
            }
        }
        Ok(Some(over_the_best(ratios)))
    }

    /// A sweep of sizes, which are no choice: all of them are to be predicted well, and the one predicted worst is told.
    fn sizes(&self, operation: &'static str, case: String, points: Vec<Point>) -> Option<Line> {
        let factors: Vec<f64> = points.iter().map(off).collect();
        let worst = (0..points.len()).max_by(|&a, &b| factors[a].total_cmp(&factors[b]))?;
        self.line_of(operation, case, points, worst).map(|mut sweep| {
            (sweep.best, sweep.chosen_over_best) = (worst, 1.0);
            Line::Sweep(sweep)
        })
    }

    /// A sweep of points, of which the library takes one.
    fn line_of(&self, operation: &'static str, case: String, points: Vec<Point>, chosen: usize) -> Option<Sweep> {
        let best = least(&points, |point| point.measured_seconds)?;
        let worst_factor = points.iter().map(off).fold(1.0, f64::max);
        Some(Sweep {
            operation,
            case,
            device: self.device.info().id.clone(),
            threads: self.threads,
            calibrated: matches!(self.machine.source, Source::Measured { .. }),
            handover_seconds: self.settled.handover_seconds(),
            chosen_over_best: points[chosen].measured_seconds / points[best].measured_seconds,
            chosen_factor: off(&points[chosen]),
            worst_factor,
            chosen,
            refined: false,
            best,
            considered: points.len(),
            points,
        })
    }
}

/// How many times as long as the best of its rivals a choice took, at least 1, by its ratios to each of them. Ratios that are no
/// numbers are those of no choice.
fn over_the_best(ratios: Vec<Vec<f64>>) -> f64 {
    let medians = ratios.into_iter().map(|ratios| manycore_model::fit::median(ratios).unwrap_or(f64::INFINITY));
    medians.fold(1.0, f64::max)
}

/// How many times as long as predicted a point took, or the inverse where that is larger.
fn off(point: &Point) -> f64 {
    let ratio = point.predicted_seconds / point.measured_seconds;
    ratio.max(1.0 / ratio)
}

/// The index of the point with the least seconds; `None` where there is no point.
fn least(points: &[Point], seconds: fn(&Point) -> f64) -> Option<usize> {
    points.iter().enumerate().min_by(|a, b| seconds(a.1).total_cmp(&seconds(b.1))).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_judged_by_the_middle_of_its_ratios() {
        let is = |ratios: &[&[f64]], expected: f64| {
            let found = over_the_best(ratios.iter().map(|ratios| ratios.to_vec()).collect());
            assert!(found.total_cmp(&expected).is_eq(), "{found} {expected}");
        };
        // One lucky time of a rival, or an unlucky one of the choice, tells nothing; what most say does.
        is(&[&[1.02, 0.98, 3.0], &[0.5, 0.9, 0.95]], 1.02);
        is(&[&[1.0, 1.0, 1.0], &[1.3, 1.2, 0.7]], 1.2);
        // Of several rivals the best one counts, and a choice is at best as fast as itself.
        is(&[&[0.4, 0.5, 0.6]], 1.0);
        is(&[&[1.0, f64::NAN, 1.0]], f64::INFINITY);
    }
}

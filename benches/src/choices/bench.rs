//! A sweep: every candidate of a choice timed, and the choice beside those that took least.

use std::fmt::Display;
use std::time::Instant;

use anyhow::Result;
use manycore_device::{Device, DeviceError, DeviceKind, timing};
use manycore_model::fit::median;
use manycore_tuning::{Candidate, Choice};

use crate::lines::{Line, Point, Sweep};
use crate::walsh::Profile;

/// Rounds in which the candidates near the best one are measured, in turns; and the most rounds, while a sweep takes less than the seconds
/// below.
const ROUNDS: usize = 2;
const MOST_ROUNDS: usize = 8;
const SWEEP_SECONDS: f64 = 1.5;
/// Factors of the best time beyond which a candidate is not measured again: in the first rounds, and later.
const DISTURBED: f64 = 5.0;
const CONTENDS: f64 = 1.5;
/// Where another candidate took less than the choice: the number of fastest candidates that are measured again beside the choice.
const RIVALS: usize = 3;
/// Measurements of each of these: an odd number, so that the median is one of them.
const REMATCHES: usize = 7;
/// Candidates whose estimate is above this factor times the best one's and above these seconds are left out.
const HOPELESS: f64 = 32.0;
const HOPELESS_SECONDS: f64 = 0.1;
/// Candidates of a sweep on a GPU, where building the kernels of one takes about a second.
const MOST_ON_GPU: usize = 24;

/// A run of sweeps on a device.
pub(super) struct Bench<'a> {
    pub(super) device: &'a Device,
    pub(super) threads: Option<u64>,
    pub(super) profile: Profile,
    pub(super) filter: Option<&'a str>,
}

impl Bench<'_> {
    pub(super) fn gpu(&self) -> bool {
        self.device.info().kind == DeviceKind::Gpu
    }

    pub(super) fn wants(&self, case: &str) -> bool {
        self.filter.is_none_or(|text| case.contains(text))
    }

    /// The seconds of one `work`, of calls in a row as the host enqueues them.
    pub(super) fn seconds(&self, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
        let mut failed = None;
        let seconds = timing::seconds_as_enqueued(self.device, || {
            if failed.is_none() {
                failed = work().err();
            }
            Ok::<(), DeviceError>(())
        })?;
        failed.map_or(Ok(seconds), Err)
    }

    /// A sweep of a choice's candidates, in the order of their estimates: of many only those estimated best and some of the
    /// others. `seconds` measures the wall-clock time of one. `None` where there is one candidate, and nothing to choose.
    pub(super) fn candidates<P: Display + PartialEq>(
        &self,
        operation: &'static str,
        case: String,
        choice: &Choice<P>,
        mut seconds: impl FnMut(&P) -> Result<f64>,
    ) -> Result<Option<Line>> {
        if choice.candidates().len() < 2 {
            return Ok(None);
        }
        let is_chosen = |candidate: &Candidate<P>| candidate.parameters == choice.best().parameters;
        let mut candidates: Vec<&Candidate<P>> = choice.candidates().iter().collect();
        candidates.sort_by(|a, b| a.estimate.seconds.total_cmp(&b.estimate.seconds));
        if let Some(best) = candidates.first().map(|candidate| candidate.estimate.seconds) {
            let limit = (HOPELESS * best).max(HOPELESS_SECONDS);
            candidates.retain(|candidate| candidate.estimate.seconds < limit || is_chosen(candidate));
        }
        let most = if self.gpu() { MOST_ON_GPU } else { usize::MAX };
        let stride = candidates.len().div_ceil(most).max(1);
        let kept: Vec<&Candidate<P>> = candidates
            .into_iter()
            .enumerate()
            .filter(|(i, candidate)| *i < most / 2 || i.is_multiple_of(stride) || is_chosen(candidate))
            .map(|(_, candidate)| candidate)
            .collect();
        let Some(chosen) = kept.iter().position(|candidate| is_chosen(candidate)) else { return Ok(None) };
        let mut points: Vec<Point> = kept.iter().map(|candidate| Point::of(candidate)).collect();
        // In rounds, of which each candidate's best counts: what disturbs one of them passes.
        let start = Instant::now();
        let mut best = f64::INFINITY;
        for round in 0..MOST_ROUNDS {
            if round >= ROUNDS && start.elapsed().as_secs_f64() > SWEEP_SECONDS {
                break;
            }
            for (i, (candidate, point)) in kept.iter().zip(&mut points).enumerate() {
                let again = if round < ROUNDS { DISTURBED } else { CONTENDS };
                if round == 0 || i == chosen || point.measured_seconds < again * best {
                    point.measured_seconds = point.measured_seconds.min(seconds(&candidate.parameters)?);
                }
            }
            best = points.iter().map(|point| point.measured_seconds).fold(best, f64::min);
        }
        let rematch = rematch(&kept, &mut points, chosen, &mut seconds)?;
        let Some(best) = least(&points) else { return Ok(None) };
        let over_best = points[chosen].measured_seconds / points[best].measured_seconds;
        Ok(Some(Line::Sweep(Sweep {
            operation,
            case,
            device: self.device.info().id.clone(),
            threads: self.threads,
            considered: choice.candidates().len(),
            chosen,
            chosen_by: choice.origin().to_string(),
            best,
            chosen_over_best: rematch.unwrap_or(over_best),
            points,
        })))
    }
}

/// The ratio of the chosen candidate's time to that of its best rival, at least 1; `None` where it took least before. The least of many
/// measurements is a lucky one: the choice and its rivals are measured again, side by side and equally often, and what was measured before
/// does not count here. Of each rival the median of the ratios counts, each of two measurements of one round: what lasts for a round
/// disturbs both of them.
fn rematch<P>(
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
            let found = seconds(&kept[i].parameters)?;
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

/// The ratio of a choice's time to that of its best rival, at least 1, from its ratios to each rival. A ratio that is NaN makes the result
/// infinite.
fn over_the_best(ratios: Vec<Vec<f64>>) -> f64 {
    let medians = ratios.into_iter().map(|ratios| median(ratios).unwrap_or(f64::INFINITY));
    medians.fold(1.0, f64::max)
}

/// The index of the point that took least; `None` where there is no point.
fn least(points: &[Point]) -> Option<usize> {
    let indexed = points.iter().enumerate();
    indexed.min_by(|a, b| a.1.measured_seconds.total_cmp(&b.1.measured_seconds)).map(|(i, _)| i)
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
        // One lucky time of a rival, or an unlucky one of the choice, decides nothing; the median does.
        is(&[&[1.02, 0.98, 3.0], &[0.5, 0.9, 0.95]], 1.02);
        is(&[&[1.0, 1.0, 1.0], &[1.3, 1.2, 0.7]], 1.2);
        // The best of several rivals counts, and the ratio is at least 1: the choice is among the candidates.
        is(&[&[0.4, 0.5, 0.6]], 1.0);
        is(&[&[1.0, f64::NAN, 1.0]], f64::INFINITY);
    }
}

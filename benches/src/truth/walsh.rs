//! The Walsh-Hadamard transform: passes of the in-place algorithm, steps a pass of the constant geometry, the host's blocks.

use anyhow::Result;
use manycore_device::Executor;
use manycore_model::Candidate;
use manycore_spectral::{Algorithm, Order, Scalar, Spectral, Walsh, WalshPlan};

use super::Bench;
use crate::lines::{Line, Point};
use crate::walsh::Profile;

/// What is transformed.
struct Case {
    log_len: u32,
    log_batch: u32,
    algorithm: Algorithm,
}

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    // As a new context of the device would choose with this machine, but that nothing measured earlier counts.
    let spectral = Spectral::with_machine(bench.device, bench.machine.clone());
    let spectral = spectral.measuring(Spectral::usual_refinement(bench.device));
    for case in cases(bench) {
        one::<f32>("f32", bench, &spectral, &case, emit)?;
    }
    let double = Case { log_len: if bench.gpu() { 24 } else { 18 }, log_batch: 0, algorithm: Algorithm::CooleyTukey };
    if bench.device.info().fp64 && bench.profile != Profile::Quick {
        one::<f64>("f64", bench, &spectral, &double, emit)?;
    }
    Ok(())
}

fn cases(bench: &Bench<'_>) -> Vec<Case> {
    let in_place = |log_len, log_batch| Case { log_len, log_batch, algorithm: Algorithm::CooleyTukey };
    let geometry = |log_len| Case { log_len, log_batch: 0, algorithm: Algorithm::ConstantGeometry };
    let host = matches!(bench.device.executor(), Executor::Host(_));
    match (bench.gpu(), host, bench.profile) {
        (true, _, _) => {
            let in_place =
                [(14, 0), (16, 0), (17, 0), (18, 0), (20, 0), (22, 0), (24, 0), (26, 0), (28, 0), (15, 12), (18, 8)]
                    .map(|(n, batch)| in_place(n, batch));
            in_place.into_iter().chain([16, 20, 24, 26].map(geometry)).collect()
        }
        (_, true, Profile::Quick) => vec![in_place(16, 0), in_place(20, 0), in_place(23, 0)],
        (_, true, _) => [16, 18, 20, 22, 24, 25].map(|n| in_place(n, 0)).into(),
        (_, _, Profile::Quick) => vec![in_place(16, 0), geometry(16)],
        _ => vec![in_place(12, 6), in_place(16, 0), in_place(20, 0), in_place(22, 0), geometry(16), geometry(20)],
    }
}

/// Measures every candidate that the model gives, and tells the curve in the order of the candidates.
fn one<T: Scalar>(
    element: &str,
    bench: &Bench<'_>,
    spectral: &Spectral,
    case: &Case,
    emit: &mut impl FnMut(Line),
) -> Result<()> {
    let Case { log_len, log_batch, algorithm } = *case;
    let batch = if log_batch == 0 { String::new() } else { format!("x2^{log_batch}") };
    let (order, form) = match algorithm {
        Algorithm::CooleyTukey => (Order::Hadamard, "cooley-tukey"),
        Algorithm::ConstantGeometry => (Order::Dyadic, "constant-geometry"),
    };
    let name = format!("model/walsh/{element}/2^{log_len}{batch}/{form}");
    let len = 1usize << (log_len + log_batch);
    if !bench.wants(&name) || (2 * size_of::<T>() * len) as u64 > bench.device.info().memory_bytes / 2 {
        return Ok(());
    }
    let how = Walsh::new().order(order).algorithm(algorithm).batch(1 << log_len);
    let choice = spectral.explain_walsh::<T>(len, &how)?;
    // Building a kernel for a CPU takes about a second: only the candidates predicted best, and some of the others.
    let host = matches!(bench.device.executor(), Executor::Host(_));
    let most = if bench.gpu() || host {
        usize::MAX
    } else if bench.profile == Profile::Quick {
        4
    } else {
        8
    };
    let stride = choice.candidates().len().div_ceil(most.max(1)).max(1);
    let mut candidates: Vec<&Candidate<WalshPlan>> = choice.candidates().iter().collect();
    // The curve reads best in the order of the predictions.
    candidates.sort_by(|a, b| a.prediction.seconds.total_cmp(&b.prediction.seconds));
    let kept: Vec<&Candidate<WalshPlan>> = candidates
        .into_iter()
        .enumerate()
        .filter(|(i, candidate)| *i < most / 2 || i.is_multiple_of(stride) || candidate.measured_seconds.is_some())
        .map(|(_, candidate)| candidate)
        .collect();
    let mut points: Vec<Point> = kept
        .iter()
        .map(|candidate| Point {
            parameters: candidate.parameters.to_string(),
            predicted_seconds: candidate.prediction.seconds,
            floor_seconds: candidate.prediction.floor_seconds,
            bound_seconds: candidate.prediction.bound_seconds,
            measured_seconds: f64::INFINITY,
        })
        .collect();
    // In rounds, of which each candidate's best counts: what disturbs one of them passes.
    for _ in 0..super::ROUNDS {
        for (candidate, point) in kept.iter().zip(&mut points) {
            let seconds = spectral.time_walsh::<T>(len, &how.clone().by(&candidate.parameters))?;
            point.measured_seconds = point.measured_seconds.min(seconds);
        }
    }
    let chosen = kept.iter().position(|candidate| candidate.parameters == choice.best().parameters).unwrap_or(0);
    let refined = choice.measured() > 0;
    bench.line_of("walsh", name, points, chosen, refined).into_iter().for_each(emit);
    Ok(())
}

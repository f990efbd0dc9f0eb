//! The Walsh-Hadamard transform: passes of the in-place algorithm, steps a pass of the constant geometry, the host's blocks.

use anyhow::Result;
use manycore_device::Executor;
use manycore_spectral::{Algorithm, Order, Scalar, Spectral, Walsh, WalshPlan};

use super::Bench;
use crate::lines::Line;
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
    let choice = bench.chosen(|| spectral.explain_walsh::<T>(len, &how))?;
    let seconds = |plan: &WalshPlan| Ok(spectral.time_walsh::<T>(len, &how.clone().by(plan))?);
    bench.candidates("walsh", name, &choice, seconds)?.into_iter().for_each(emit);
    Ok(())
}

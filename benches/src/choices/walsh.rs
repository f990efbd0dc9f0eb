//! The Walsh-Hadamard transform: passes of the in-place algorithm, steps a pass of the constant geometry, the host's blocks.

use anyhow::Result;
use manycore_spectral::{Algorithm, Order, Scalar, Spectral, Walsh, WalshPlan};

use super::bench::Bench;
use crate::lines::Line;
use crate::walsh::Profile;

/// What is transformed.
struct Case {
    log_len: u32,
    log_batch: u32,
    algorithm: Algorithm,
}

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let spectral = Spectral::new(bench.device);
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
    match (bench.gpu(), bench.profile) {
        (true, _) => {
            let in_place =
                [(14, 0), (16, 0), (17, 0), (18, 0), (20, 0), (22, 0), (24, 0), (26, 0), (28, 0), (15, 12), (18, 8)]
                    .map(|(n, batch)| in_place(n, batch));
            in_place.into_iter().chain([16, 20, 24, 26].map(geometry)).collect()
        }
        (_, Profile::Quick) => vec![in_place(16, 0), in_place(20, 0), in_place(23, 0)],
        _ => [16, 18, 20, 22, 24, 25].map(|n| in_place(n, 0)).into(),
    }
}

/// Measures every candidate that the library considers.
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
    let name = format!("choice/walsh/{element}/2^{log_len}{batch}/{form}");
    let len = 1usize << (log_len + log_batch);
    if !bench.wants(&name) || (2 * size_of::<T>() * len) as u64 > bench.device.info().memory_bytes / 2 {
        return Ok(());
    }
    let how = Walsh::new().wrapping().order(order).algorithm(algorithm).batch(1 << log_len);
    let choice = spectral.explain_walsh::<T>(len, &how)?;
    let mut x = bench.device.zeros::<T>(len)?;
    let seconds = |plan: &WalshPlan| {
        let how = how.clone().by(plan);
        bench.seconds(|| Ok(spectral.walsh(&mut x, &how)?))
    };
    bench.candidates("walsh", name, &choice, seconds)?.into_iter().for_each(emit);
    Ok(())
}

//! The number-theoretic transform: its passes on an OpenCL device.

use anyhow::Result;
use manycore_device::Executor;
use manycore_field::PrimeField;
use manycore_model::Candidate;
use manycore_transform::ntt::cost::Plan;
use manycore_transform::{Kind, Ntt};

use super::Bench;
use crate::lines::{Line, Point};
use crate::walsh::Profile;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let host = matches!(bench.device.executor(), Executor::Host(_));
    let cases: &[(u32, u32)] = match (bench.gpu(), host, bench.profile) {
        (true, ..) => &[
            (12, 0),
            (13, 0),
            (14, 0),
            (15, 0),
            (16, 0),
            (18, 0),
            (20, 0),
            (22, 0),
            (24, 0),
            (26, 0),
            (12, 14),
            (14, 12),
        ],
        (_, true, _) => &[(12, 0), (16, 0), (20, 0)],
        (_, _, Profile::Quick) => &[(12, 0)],
        _ => &[(12, 0), (16, 0)],
    };
    for (name, p) in [("29 bits", 469_762_049), ("31 bits", 2_013_265_921)] {
        let field = PrimeField::<u32>::new(p)?;
        for &(log_len, log_batch) in cases {
            one(bench, &field, name, log_len, log_batch, emit)?;
        }
    }
    Ok(())
}

fn one(
    bench: &Bench<'_>,
    field: &PrimeField<u32>,
    modulus: &str,
    log_len: u32,
    log_batch: u32,
    emit: &mut impl FnMut(Line),
) -> Result<()> {
    let batch = if log_batch == 0 { String::new() } else { format!("x2^{log_batch}") };
    let name = format!("model/ntt/{modulus}/2^{log_len}{batch}");
    if !bench.wants(&name) {
        return Ok(());
    }
    // As a new context of the device would choose with this machine, but that no candidates measured earlier count.
    let ntt = Ntt::with_machine(bench.device, bench.machine.clone(), field, 1 << log_len, Kind::Cyclic)?
        .corrected()
        .measuring(Ntt::<PrimeField<u32>>::usual_refinement(bench.device));
    let len = 1usize << (log_len + log_batch);
    let choice = ntt.explain(len)?;
    // Building a kernel takes time: only the candidates predicted best, and some of the others.
    let most = if bench.gpu() { 24 } else { 3 };
    let stride = choice.candidates().len().div_ceil(most).max(1);
    let mut candidates: Vec<&Candidate<Plan>> = choice.candidates().iter().collect();
    // The curve reads best in the order of the predictions.
    candidates.sort_by(|a, b| a.prediction.seconds.total_cmp(&b.prediction.seconds));
    let mut plans: Vec<&Plan> = Vec::new();
    let mut points: Vec<Point> = Vec::new();
    for (i, candidate) in candidates.into_iter().enumerate() {
        if i >= most / 2 && !i.is_multiple_of(stride) && candidate.measured_seconds.is_none() {
            continue;
        }
        points.push(Point {
            parameters: candidate.parameters.to_string(),
            predicted_seconds: candidate.prediction.seconds,
            floor_seconds: candidate.prediction.floor_seconds,
            bound_seconds: candidate.prediction.bound_seconds,
            measured_seconds: f64::INFINITY,
        });
        plans.push(&candidate.parameters);
    }
    for _ in 0..super::ROUNDS {
        for (point, plan) in points.iter_mut().zip(&plans) {
            point.measured_seconds = point.measured_seconds.min(ntt.time(len, Some(plan))?);
        }
    }
    let chosen = plans.iter().position(|plan| **plan == choice.best().parameters).unwrap_or(0);
    let refined = choice.measured() > 0;
    bench.line_of("ntt", name, points, chosen, refined).into_iter().for_each(emit);
    Ok(())
}

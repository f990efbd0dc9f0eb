//! Three microkernels of known cost in growing sizes: nothing is chosen, the curves are compared.

use anyhow::Result;
use manycore_device::{Executor, Microkernel};

use super::Bench;
use crate::lines::{Line, Point};

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let gpu = bench.gpu();
    let moves = if gpu { 20..=29 } else { 16..=26 };
    let moves: Vec<Microkernel> = moves.map(|log_bytes| Microkernel::Move { log_bytes }).collect();
    let log_items = if gpu { 20 } else { 16 };
    let adds = (0..=6).map(|log| Microkernel::MultiplyAdd { rounds: 1 << log, log_items });
    let few = (log_items - 8..log_items).step_by(2).map(|log_items| Microkernel::MultiplyAdd { rounds: 64, log_items });
    let mut sweeps = vec![
        ("model/microkernels/move", moves),
        ("model/microkernels/multiply-add, rounds", adds.collect()),
        ("model/microkernels/multiply-add, items", few.collect()),
    ];
    if matches!(bench.device.executor(), Executor::OpenCl(_)) {
        let log_words = if gpu { 26 } else { 20 };
        let exchanges = [0, 1, 2, 4, 8, 16].map(|rounds| Microkernel::Exchange { rounds, log_words });
        sweeps.push(("model/microkernels/exchange", exchanges.to_vec()));
    }
    for (case, kernels) in sweeps {
        if !bench.wants(case) {
            continue;
        }
        let mut points = Vec::new();
        for kernel in &kernels {
            let prediction = bench.machine.predict(&kernel.program(bench.device, &bench.machine)?)?;
            points.push(Point {
                parameters: kernel.to_string(),
                predicted_seconds: prediction.seconds,
                floor_seconds: prediction.floor_seconds,
                bound_seconds: prediction.bound_seconds,
                measured_seconds: f64::INFINITY,
                refined_seconds: None,
            });
        }
        // In rounds, of which the best counts: what disturbs one of them passes.
        for _ in 0..super::ROUNDS {
            for (kernel, point) in kernels.iter().zip(&mut points) {
                let found = bench.settled.measure(|| Ok(kernel.measure(bench.device)?))?;
                point.measured_seconds = point.measured_seconds.min(found);
            }
        }
        if let Some(line) = bench.sizes("microkernels", case.to_owned(), points) {
            emit(line);
        }
    }
    Ok(())
}

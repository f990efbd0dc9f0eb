//! Times of orders for uniformly random matrices of five non-zeros a row and rising sizes:
//! `cargo run --release -p manycore-sparse --example order_scaling -- [LEAST] [MOST]` for powers of ten of the non-zeros.
//!
//! 10^8 non-zeros take some 3 GB.

mod common;

use std::time::Instant;

use common::Random;
use manycore_sparse::{GrayOptions, OrderMethod, Pattern, SparseError, reorder};
use sprs::CsMatI;

/// Non-zeros of a row.
const DRAWN: usize = 5;

/// A uniformly random pattern, without the memory of values.
fn uniform(rows: usize) -> Result<Pattern, SparseError> {
    let mut random = Random(1);
    let (mut offsets, mut indices) = (Vec::with_capacity(rows + 1), Vec::with_capacity(rows * DRAWN));
    offsets.push(0);
    for _ in 0..rows {
        let mut row: [u32; DRAWN] = std::array::from_fn(|_| random.below(rows) as u32);
        row.sort_unstable();
        let mut last = None;
        indices.extend(row.into_iter().filter(|&column| last.replace(column) != Some(column)));
        offsets.push(indices.len());
    }
    let values = vec![(); indices.len()];
    let matrix: CsMatI<(), u32, usize> = CsMatI::new((rows, rows), offsets, indices, values);
    Pattern::of(matrix.view())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let power = |at: usize, default: u32| std::env::args().nth(at).map_or(Ok(default), |power| power.parse());
    let (least, most) = (power(1, 5)?, power(2, 7)?);
    println!("| non-zeros | brgc | a non-zero | rcm | a non-zero |\n|---|---|---|---|---|");
    for power in least..=most {
        let pattern = uniform(10usize.pow(power) / DRAWN)?;
        let mut cells = vec![pattern.non_zeros().to_string()];
        for method in [OrderMethod::GrayCode(GrayOptions::DEFAULT), OrderMethod::ReverseCuthillMckee] {
            // Small ones several times; the least time counts.
            let runs = if power < 7 { 5 } else { 2 };
            let mut seconds = f64::INFINITY;
            for _ in 0..runs {
                let start = Instant::now();
                std::hint::black_box(reorder(&pattern, &method)?);
                seconds = seconds.min(start.elapsed().as_secs_f64());
            }
            let nanoseconds = 1e9 * seconds / pattern.non_zeros() as f64;
            cells.extend([format!("{seconds:.3} s"), format!("{nanoseconds:.0} ns")]);
        }
        println!("| {} |", cells.join(" | "));
    }
    Ok(())
}

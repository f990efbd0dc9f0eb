//! Products on one thread of the host beside those of `sprs`, in alternating runs:
//! `cargo run --release -p manycore-sparse --example product_peers -- [RUNS]`.
//!
//! Matrices of five million non-zeros, in the order of a grid and at random columns. Both multiply one `x` into one `y`; medians
//! and least times in milliseconds.

use std::hint::black_box;
use std::time::Instant;

use manycore_device::Device;
use manycore_field::Reals;
use manycore_sparse::{ProductOptions, SparseProduct};
use sprs::CsMat;

/// Numbers without a pattern, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 1) * bound as u128) >> 63) as usize
    }
}

/// Rows of `columns(row)`, repeated ones once.
fn matrix(rows: usize, mut columns: impl FnMut(usize, &mut Vec<usize>)) -> CsMat<f64> {
    let (mut offsets, mut indices, mut row_columns) = (vec![0], Vec::new(), Vec::new());
    for row in 0..rows {
        row_columns.clear();
        columns(row, &mut row_columns);
        row_columns.sort_unstable();
        row_columns.dedup();
        indices.extend_from_slice(&row_columns);
        offsets.push(indices.len());
    }
    let values = (0..indices.len()).map(|at| (at % 7) as f64 - 3.0).collect();
    CsMat::new((rows, rows), offsets, indices, values)
}

/// Median and least of some times in milliseconds.
fn told(mut seconds: Vec<f64>) -> String {
    seconds.sort_by(f64::total_cmp);
    format!("{:7.3} (least {:7.3})", 1e3 * seconds[seconds.len() / 2], 1e3 * seconds[0])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runs = std::env::args().nth(1).map_or(Ok(31), |runs| runs.parse())?;
    let device = Device::host_with(1)?;
    let mut random = Random(1);
    let million = 1_000_000;
    let matrices = [
        (
            "grid, 5 a row",
            matrix(million, |row, columns| {
                let near = [row.checked_sub(1000), row.checked_sub(1), Some(row), Some(row + 1), Some(row + 1000)];
                columns.extend(near.into_iter().flatten().filter(|&column| column < million));
            }),
        ),
        ("random, 5 a row", matrix(million, |_, columns| columns.extend((0..5).map(|_| random.below(million))))),
        (
            "random, 50 a row",
            matrix(million / 10, |_, columns| columns.extend((0..50).map(|_| random.below(million / 10)))),
        ),
        (
            "random, 500 a row",
            matrix(million / 100, |_, columns| {
                columns.extend((0..500).map(|_| random.below(million / 100)));
            }),
        ),
    ];
    for (name, matrix) in &matrices {
        let product = SparseProduct::new(&device, Reals::<f64>::new(), matrix.view(), ProductOptions::default())?;
        let values: Vec<f64> = (0..matrix.cols()).map(|at| 1.0 + (at % 11) as f64).collect();
        let (x, mut y) = (device.upload(&values)?, device.zeros::<f64>(matrix.rows())?);
        let mut other = vec![0.0; matrix.rows()];
        let (mut own, mut peer) = (Vec::new(), Vec::new());
        for _ in 0..runs.max(1) {
            let start = Instant::now();
            product.multiply_buffers(&x, &mut y, 1)?;
            own.push(start.elapsed().as_secs_f64());
            let start = Instant::now();
            other.fill(0.0);
            sprs::prod::mul_acc_mat_vec_csr(matrix.view(), &values, &mut other);
            peer.push(start.elapsed().as_secs_f64());
            black_box(&mut other);
        }
        let same = y.download()? == other;
        println!("{name:18} manycore {}  sprs {}  same bits: {same}", told(own), told(peer));
    }
    Ok(())
}

//! Products on one thread of the host beside those of `sprs`, in alternating runs:
//! `cargo run --release -p manycore-sparse --example product_peers -- [RUNS]`.
//!
//! Matrices of five million non-zeros, in the order of a grid and at random columns. Both multiply one `x` into one `y`; medians
//! and least times in milliseconds.

mod common;

use std::hint::black_box;
use std::time::Instant;

use common::{laplacian, uniform};
use manycore_device::Device;
use manycore_field::Reals;
use manycore_sparse::{ProductOptions, SparseProduct};

/// Median and least of some times in milliseconds.
fn told(mut seconds: Vec<f64>) -> String {
    seconds.sort_by(f64::total_cmp);
    format!("{:7.3} (least {:7.3})", 1e3 * seconds[seconds.len() / 2], 1e3 * seconds[0])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runs = std::env::args().nth(1).map_or(Ok(31), |runs| runs.parse())?;
    let device = Device::host_with(1)?;
    let matrices = [
        ("grid, 5 a row", laplacian(1000)),
        ("random, 5 a row", uniform(1_000_000, 5)),
        ("random, 50 a row", uniform(100_000, 50)),
        ("random, 500 a row", uniform(10_000, 500)),
    ];
    for (name, matrix) in &matrices {
        // With indices of machine words, as `sprs` has them by default.
        let peer_matrix: sprs::CsMat<f64> = matrix.to_other_types();
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
            sprs::prod::mul_acc_mat_vec_csr(peer_matrix.view(), &values, &mut other);
            peer.push(start.elapsed().as_secs_f64());
            black_box(&mut other);
        }
        let same = y.download()? == other;
        println!("{name:18} manycore {}  sprs {}  same bits: {same}", told(own), told(peer));
    }
    Ok(())
}

//! Times of orders and products of generated matrices on the host:
//! `cargo run --release -p manycore-sparse --example sparse_speed -- [SIDE]` for a grid of `SIDE` by `SIDE` points.

use std::hint::black_box;
use std::time::Instant;

use manycore_device::{Device, DeviceError};
use manycore_field::Reals;
use manycore_model::cache::Geometry;
use manycore_sparse::{
    OrderMethod, Pattern, Policy, ProductOptions, SparseError, SparseProduct, misses_within, reorder,
};
use sprs::CsMat;

/// The least of the times of some calls, in seconds.
fn least(mut work: impl FnMut()) -> f64 {
    let times = (0..5).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

/// The five-point Laplacian.
fn laplacian(side: usize) -> CsMat<f64> {
    let n = side * side;
    let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for point in 0..n {
        let (y, x) = (point / side, point % side);
        let neighbours = [
            (y > 0).then(|| point - side),
            (x > 0).then(|| point - 1),
            Some(point),
            (x + 1 < side).then(|| point + 1),
            (y + 1 < side).then(|| point + side),
        ];
        for neighbour in neighbours.into_iter().flatten() {
            indices.push(neighbour);
            values.push(if neighbour == point { 4.0 } else { -1.0 });
        }
        offsets.push(indices.len());
    }
    CsMat::new((n, n), offsets, indices, values)
}

/// Seconds of a product on a device.
fn product(device: &Device, matrix: &CsMat<f64>) -> Result<f64, SparseError> {
    let product = SparseProduct::new(device, Reals::<f64>::new(), matrix.view(), ProductOptions::default())?;
    let x = device.upload(&vec![1.0f64; matrix.cols()])?;
    let mut y = device.zeros::<f64>(matrix.rows())?;
    let mut outcome = Ok(());
    let seconds = least(|| {
        outcome = product.multiply_buffers(&x, &mut y, 1).and_then(|()| Ok(device.finish()?));
    });
    outcome.map(|()| seconds)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let side = std::env::args().nth(1).map_or(Ok(1000), |side| side.parse())?;
    let device = Device::from_env()?;
    let one = Device::host_with(1)?;
    let natural = laplacian(side);
    let pattern = Pattern::of(natural.view())?;
    let random = reorder(&pattern, &OrderMethod::Random { seed: 1 })?.apply(natural.view())?;
    println!("grid of {side} x {side} points, {} non-zeros, {}", natural.nnz(), device.info());
    // A cache of a megabyte with lines of 64 bytes.
    let geometry = Geometry::with_lines(1 << 14, 8)?;
    for (name, matrix) in [("natural", &natural), ("random", &random)] {
        let pattern = Pattern::of(matrix.view())?;
        for method in OrderMethod::ALL {
            let start = Instant::now();
            let order = reorder(&pattern, &method)?;
            let order_seconds = start.elapsed().as_secs_f64();
            let ordered = order.apply(matrix.view())?;
            let apply_seconds = start.elapsed().as_secs_f64() - order_seconds;
            let single = product(&one, &ordered)?;
            let seconds = match product(&device, &ordered) {
                Err(SparseError::Device(DeviceError::Unsupported { .. })) => f64::NAN,
                seconds => seconds?,
            };
            let report = misses_within(&Pattern::of(ordered.view())?, geometry, Policy::LeastRecentlyUsed, 1 << 24)?;
            println!(
                "{name:8} {:7} order {order_seconds:7.3} s, apply {apply_seconds:7.3} s, misses {:9}, product {:8.3} ms, \
                 one thread {:8.3} ms: {:.1} products",
                method.name(),
                report.misses,
                1e3 * seconds,
                1e3 * single,
                (order_seconds + apply_seconds) / single
            );
        }
        let sprs = least(|| {
            let x = vec![1.0; matrix.cols()];
            let mut y = vec![0.0; matrix.rows()];
            sprs::prod::mul_acc_mat_vec_csr(matrix.view(), &x, &mut y);
            black_box(y);
        });
        println!("{name:8} sprs {:.3} ms", 1e3 * sprs);
    }
    Ok(())
}

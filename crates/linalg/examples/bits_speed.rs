//! Times of products, as chosen and by every plan, ranks, echelon forms and inverses modulo 2 on the device of the environment: the
//! best of some runs.
//!
//! `cargo run --release -p manycore-linalg --example bits_speed -- [ORDER...]`

use std::time::Instant;

use manycore_device::Device;
use manycore_linalg::LinalgError;
use manycore_linalg::bits::BitAlgebra;

/// The least milliseconds of some runs.
fn best<T>(device: &Device, mut run: impl FnMut() -> Result<T, LinalgError>) -> Result<f64, LinalgError> {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        let _ = run();
        device.finish()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(1e3 * best)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let orders: Vec<usize> = std::env::args().skip(1).map(|order| order.parse()).collect::<Result<_, _>>()?;
    let orders = if orders.is_empty() { vec![1000, 4096] } else { orders };
    let device = Device::from_env()?;
    println!("{}", device.info());
    let space = BitAlgebra::new(&device);
    for order in orders {
        let (a, b) = (space.random(order, order, 1)?, space.random(order, order, 2)?);
        let product = best(&device, || space.mul(&a, &b))?;
        let rank = best(&device, || space.rank(&a))?;
        let echelon = best(&device, || space.echelon(&a))?;
        // One of four random matrices has an inverse; without one the time is that of finding out.
        let inverse = best(&device, || space.inverse(&a))?;
        println!("{order} mod 2: product {product:.3} ms, rank {rank:.3}, echelon {echelon:.3}, inverse {inverse:.3}");
        for candidate in space.explain_product(order, order, order)?.candidates() {
            let plan = candidate.parameters;
            let measured = best(&device, || space.mul_with(&a, &b, plan))?;
            println!("  {plan}: {measured:.3} ms, estimated {:.3}", 1e3 * candidate.estimate.seconds);
        }
    }
    Ok(())
}

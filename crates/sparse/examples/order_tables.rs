//! Tables 6.2 and 6.3 of paper 002 for generated matrices: misses, times and costs of orders, and what the order by the Gray code
//! does: `cargo run --release -p manycore-sparse --example order_tables -- [LOG2_SIZE]`.
//!
//! Products run on one thread of the host. Their times are medians of runs in turns, so that what disturbs the machine for a
//! while disturbs all orders; times of orders are medians too. Misses on `x` are of caches of a megabyte, least recently used,
//! lines of 64 bytes, sampled above 2^24 non-zeros.

mod common;

use std::time::Instant;

use common::{Matrix, blocks, laplacian, pattern, power_law, uniform};
use manycore_device::{Buffer, Device};
use manycore_field::Reals;
use manycore_model::cache::Geometry;
use manycore_sparse::{
    GrayOptions, GrayOrder, OrderMethod, Pattern, Policy, ProductOptions, SparseProduct, misses_within, reorder,
};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Turns of products, and runs of an order.
const TURNS: usize = 15;
const RUNS: usize = 3;

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// A matrix in one order, ready for products.
struct Ordered {
    name: &'static str,
    misses: u64,
    /// Seconds of the order; 0 for those that were not computed.
    order_seconds: f64,
    product: SparseProduct<Reals<f64>>,
    x: Buffer<f64>,
    y: Buffer<f64>,
    seconds: Vec<f64>,
}

impl Ordered {
    fn new(name: &'static str, device: &Device, matrix: &Matrix, order_seconds: f64) -> Fallible<Self> {
        let geometry = Geometry::with_lines(1 << 14, 8)?;
        let misses = misses_within(&pattern(matrix)?, geometry, Policy::LeastRecentlyUsed, 1 << 24)?.misses;
        let product = SparseProduct::new(device, Reals::<f64>::new(), matrix.view(), ProductOptions::default())?;
        let (x, y) = (device.upload(&vec![1.0; matrix.cols()])?, device.zeros(matrix.rows())?);
        Ok(Self { name, misses, order_seconds, product, x, y, seconds: Vec::new() })
    }

    fn run(&mut self) -> Fallible<()> {
        let start = Instant::now();
        self.product.multiply_buffers(&self.x, &mut self.y, 1)?;
        self.seconds.push(start.elapsed().as_secs_f64());
        Ok(())
    }
}

/// The matrix in the order of a method, and the median seconds of the order.
fn ordered(matrix: &Matrix, method: &OrderMethod) -> Fallible<(Matrix, f64)> {
    let pattern = pattern(matrix)?;
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        std::hint::black_box(reorder(&pattern, method)?);
        seconds.push(start.elapsed().as_secs_f64());
    }
    Ok((reorder(&pattern, method)?.apply(matrix.view())?, median(seconds)))
}

/// Misses, times and costs.
fn table_of_orders(name: &str, device: &Device, given: &Matrix, shuffled: &Matrix) -> Fallible<()> {
    let gray = OrderMethod::GrayCode(GrayOptions::DEFAULT);
    let mut all = vec![Ordered::new("given", device, given, 0.0)?];
    let reordered = ordered(given, &gray)?;
    all.push(Ordered::new("given, brgc", device, &reordered.0, reordered.1)?);
    all.push(Ordered::new("shuffled", device, shuffled, 0.0)?);
    for (name, method) in [("shuffled, brgc", gray), ("shuffled, rcm", OrderMethod::ReverseCuthillMckee)] {
        let reordered = ordered(shuffled, &method)?;
        all.push(Ordered::new(name, device, &reordered.0, reordered.1)?);
    }
    for _ in 0..TURNS {
        all.iter_mut().try_for_each(Ordered::run)?;
    }
    let seconds: Vec<f64> = all.iter().map(|ordered| median(ordered.seconds.clone())).collect();
    for (at, ordered) in all.iter().enumerate() {
        // In products of the matrix as it was before.
        let before = seconds[if at < 2 { 0 } else { 2 }];
        let cost = if ordered.order_seconds > 0.0 {
            format!("{:.0} ms, {:.0} products", 1e3 * ordered.order_seconds, ordered.order_seconds / before)
        } else {
            String::new()
        };
        println!("| {name} | {} | {} | {:.2} ms | {cost} |", ordered.name, ordered.misses, 1e3 * seconds[at]);
    }
    Ok(())
}

/// What the order by the Gray code does.
fn table_of_classes(name: &str, matrix: &Pattern) -> Fallible<()> {
    let found = GrayOrder::new(matrix, &GrayOptions::DEFAULT)?;
    let classes = found.classify(matrix)?;
    let (rows, columns) = (matrix.rows() as f64, matrix.columns() as f64);
    println!(
        "| {name} | {} | {:.2} m | {:.2} n | {:.2} n | {:.2} n | {:.0} % | {} | {:.2} n | {} |",
        found.merged_rows,
        1.0 - found.participating_rows as f64 / rows,
        classes.alpha as f64 / columns,
        classes.beta as f64 / columns,
        classes.delta as f64 / columns,
        100.0 * classes.covered() as f64 / matrix.non_zeros() as f64,
        found.merged_lists,
        found.classes as f64 / columns,
        found.rounds
    );
    Ok(())
}

fn main() -> Fallible<()> {
    let log = std::env::args().nth(1).map_or(Ok(20u32), |log| log.parse())?;
    let size = 1usize << log;
    let device = Device::host_with(1)?;
    let matrices: [(&str, Matrix); 5] = [
        ("Laplacian", laplacian(1 << (log / 2))),
        ("uniform, 5 a row", uniform(size, 5)),
        ("uniform, 16 a row", uniform(size, 16)),
        ("power law, 9 a row", power_law(size)),
        ("blocks", blocks(size)),
    ];
    println!("2^{log} rows, {}", device.info());
    let mut shuffled = Vec::new();
    println!("\n| matrix | order | misses on x | product | cost of the order |\n|---|---|---|---|---|");
    for (name, matrix) in &matrices {
        let other = reorder(&pattern(matrix)?, &OrderMethod::Random { seed: 1 })?.apply(matrix.view())?;
        table_of_orders(name, &device, matrix, &other)?;
        shuffled.push(pattern(&other)?);
    }
    println!("\n| matrix | b | not participating | α | β | δ | in the three | lists | classes | rounds |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for ((name, matrix), shuffled) in matrices.iter().zip(&shuffled) {
        table_of_classes(name, &pattern(matrix)?)?;
        table_of_classes(&format!("{name}, shuffled"), shuffled)?;
    }
    Ok(())
}

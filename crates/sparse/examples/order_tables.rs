//! Tables 6.2 and 6.3 of paper 002 for generated matrices: misses, times and costs of orders, and what the order by the Gray code
//! does: `cargo run --release -p manycore-sparse --example order_tables -- [LOG2_SIZE]`.
//!
//! Products run on one thread of the host. Their times are medians of turns: in each turn every order's matrix is copied for the
//! product, multiplied some times, and dropped. So what disturbs the machine for a while disturbs all orders, and all have the same
//! memory, whose pages may be near or far, where the allocator gives back what was dropped: with glibc, run it under
//! `GLIBC_TUNABLES=glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=4294967296`. Times of orders are medians too.
//! Misses on `x` are of caches of a megabyte, least recently used, lines of 64 bytes, sampled above 2^24 non-zeros.

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

/// Turns of products, products in a turn, and runs of an order.
const TURNS: usize = 7;
const PRODUCTS: usize = 5;
const RUNS: usize = 3;

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// A matrix in one order.
struct Ordered {
    name: &'static str,
    misses: u64,
    /// Seconds of the order; 0 for those that were not computed.
    order_seconds: f64,
    matrix: Matrix,
    seconds: Vec<f64>,
}

impl Ordered {
    fn new(name: &'static str, matrix: Matrix, order_seconds: f64) -> Fallible<Self> {
        let geometry = Geometry::with_lines(1 << 14, 8)?;
        let misses = misses_within(&pattern(&matrix)?, geometry, Policy::LeastRecentlyUsed, 1 << 24)?.misses;
        Ok(Self { name, misses, order_seconds, matrix, seconds: Vec::new() })
    }

    fn run(&mut self, device: &Device, x: &Buffer<f64>, y: &mut Buffer<f64>) -> Fallible<()> {
        let options = ProductOptions::default();
        let product = SparseProduct::new(device, Reals::<f64>::new(), self.matrix.view(), options)?;
        for _ in 0..PRODUCTS {
            let start = Instant::now();
            product.multiply_buffers(x, &mut *y, 1)?;
            self.seconds.push(start.elapsed().as_secs_f64());
        }
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
    let mut all = vec![Ordered::new("given", given.clone(), 0.0)?];
    let (matrix, seconds) = ordered(given, &gray)?;
    all.push(Ordered::new("given, brgc", matrix, seconds)?);
    all.push(Ordered::new("shuffled", shuffled.clone(), 0.0)?);
    for (name, method) in [("shuffled, brgc", gray), ("shuffled, rcm", OrderMethod::ReverseCuthillMckee)] {
        let (matrix, seconds) = ordered(shuffled, &method)?;
        all.push(Ordered::new(name, matrix, seconds)?);
    }
    let (x, mut y) = (device.upload(&vec![1.0; given.cols()])?, device.zeros(given.rows())?);
    for _ in 0..TURNS {
        all.iter_mut().try_for_each(|ordered| ordered.run(device, &x, &mut y))?;
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

//! Times of products on a device by every algorithm: grids in natural, random and restored order, and graphs with
//! power-law rows (R-MAT; Chakrabarti, Zhan, Faloutsos, 2004).
//!
//! `cargo run --release -p manycore-sparse --example device_sparse_speed -- [SIDE] [LOG2_ROWS] [NON_ZEROS]`: a grid of `SIDE` by
//! `SIDE` points, and a graph of `2^LOG2_ROWS` rows. Times are medians of wall-clock times, in milliseconds, with the data on the device.

mod common;

use std::time::Instant;

use common::{Matrix, Random, laplacian, matrix, pattern};
use manycore_device::{Device, Word as _, timing};
use manycore_field::Reals;
use manycore_sparse::{OrderMethod, ProductAlgorithm, ProductOptions, SparseProduct, SparseRing, reorder};
use sprs::CsMatI;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// A graph of `2^log_rows` vertices whose edges fall into quarters with the chances 0.57, 0.19, 0.19 and 0.05.
fn rmat(log_rows: u32, edges: usize) -> Matrix {
    let rows = 1usize << log_rows;
    let mut random = Random(22);
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); rows];
    for _ in 0..edges {
        let (mut row, mut column) = (0usize, 0u32);
        for _ in 0..log_rows {
            let quarter = match random.below(100) {
                0..57 => 0,
                57..76 => 1,
                76..95 => 2,
                _ => 3,
            };
            row = 2 * row + quarter / 2;
            column = 2 * column + (quarter % 2) as u32;
        }
        lists[row].push(column);
    }
    matrix(rows, |row, columns| columns.append(&mut lists[row]))
}

/// Times as the planner chooses, and of every algorithm.
fn times<R: SparseRing>(name: &str, device: &Device, ring: &R, matrix: &CsMatI<R::Value, u32, usize>) -> Fallible<()> {
    let words = R::value_words();
    let x = device.zeros::<R::Word>(matrix.cols() * words)?;
    let mut y = device.zeros::<R::Word>(matrix.rows() * words)?;
    let bytes = matrix.nnz() * (size_of::<R::Value>() + 4) + (matrix.rows() + matrix.cols()) * size_of::<R::Value>();
    println!("{name}, {:?}, {} non-zeros:", R::Word::TYPE, matrix.nnz());
    let rows = [1, 2, 4, 8, 32].map(|lanes| Some(ProductAlgorithm::Rows { lanes }));
    for algorithm in [None].into_iter().chain(rows).chain([Some(ProductAlgorithm::Merge)]) {
        let options = ProductOptions { algorithm, ..ProductOptions::default() };
        let product = SparseProduct::new(device, ring.clone(), matrix.view(), options)?;
        let seconds = timing::seconds_as_enqueued(device, || product.multiply_buffers(&x, &mut y, 1))?;
        let chosen = if algorithm.is_none() { "chosen: " } else { "" };
        let rate = bytes as f64 / seconds / 1e9;
        println!("    {:9.3} ms, {rate:5.0} GB/s of what must move  {chosen}{}", seconds * 1e3, product.plan(1)?);
    }
    Ok(())
}

fn both(name: &str, device: &Device, matrix: &Matrix) -> Fallible<()> {
    times(name, device, &Reals::<f64>::new(), matrix)?;
    let single = CsMatI::new(
        matrix.shape(),
        matrix.proper_indptr().into_owned(),
        matrix.indices().to_vec(),
        matrix.data().iter().map(|&x| x as f32).collect(),
    );
    times(name, device, &Reals::<f32>::new(), &single)
}

fn main() -> Fallible<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |default: usize| arguments.next().map_or(Ok(default), |number| number.parse());
    let (side, log_rows, non_zeros) = (next(1000)?, next(18)?, next(4_000_000)?);
    let device = Device::from_env()?;
    println!("{}", device.info());
    let natural = laplacian(side);
    both("grid, natural order", &device, &natural)?;
    let random = reorder(&pattern(&natural)?, &OrderMethod::Random { seed: 1 })?.apply(natural.view())?;
    drop(natural);
    both("grid, random order", &device, &random)?;
    let start = Instant::now();
    let order = reorder(&pattern(&random)?, &OrderMethod::ReverseCuthillMckee)?;
    println!("reverse Cuthill-McKee: {:.3} s", start.elapsed().as_secs_f64());
    both("grid, reordered", &device, &order.apply(random.view())?)?;
    drop(random);
    both("R-MAT", &device, &rmat(u32::try_from(log_rows)?, non_zeros))
}

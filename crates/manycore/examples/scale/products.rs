//! Products and determinants of matrices modulo a prime, products of doubles, and over operations of one's own.

use manycore::PrimeField;
use manycore::expressions::{Function, Value};
use manycore::linalg::LinearAlgebra;
use manycore::semiring::{Matrix, Semiring};
use manycore::verify::SplitMix;

use crate::measure::{Bench, Bytes, Fallible};

type Number = Value<f32>;

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    let order = 1usize << (bench.log_size / 2);
    let entries = order * order;
    let (p, mut random) = (2_147_483_647u32, SplitMix::new(7));
    let field = PrimeField::<u32>::new(p)?;
    let words: Vec<u32> = (0..entries).map(|_| random.next_word() as u32 % p).collect();
    // Rows of one matrix and columns of the other.
    let grid = |words: usize, bytes: usize| Bytes {
        bus: (words * entries * bytes) as u64,
        exchange: Some(("grid", (2 * entries * bytes) as u64)),
    };
    bench.row(
        &format!("product of {order} modulo {p}"),
        grid(3, 4),
        || (),
        |set, ()| Ok(LinearAlgebra::mul_on(set, &field, (order, order, order), &words, &words)?),
    )?;
    bench.row(
        &format!("determinant of {order} modulo {p}"),
        grid(1, 4),
        || (),
        |set, ()| Ok(LinearAlgebra::determinant_on(set, &field, order, &words)?),
    )?;
    // Sums of so few bits are exact, in any order.
    let words: Vec<f64> = (0..entries).map(|_| (random.next_word() >> 52) as f64 - 2048.0).collect();
    let a = Matrix::stored(order as u64, order as u64, &words)?;
    let plus_times = Semiring::<f64, f64, f64>::plus_times()?;
    bench.row(
        &format!("product of {order} of f64"),
        grid(3, 8),
        || (),
        |set, ()| Ok(plus_times.multiply_on(set, &a, &a)?.into_columns()),
    )?;
    let words: Vec<f32> = words.iter().map(|&word| word as f32 / 256.0).collect();
    let a = Matrix::stored(order as u64, order as u64, &words)?;
    // The greatest of squares of differences: no operation that is known.
    let product = Function::new(|(x, y): (Number, Number)| (x - y) * (x - y))?;
    let sum = Function::new(|(x, y): (Number, Number)| x.max(y))?;
    let farthest = Semiring::<f32, f32, f32>::new(product, sum, f32::NEG_INFINITY)?;
    bench.row(
        &format!("generalized product of {order} of f32"),
        grid(3, 4),
        || (),
        |set, ()| Ok(farthest.multiply_on(set, &a, &a)?.into_columns()),
    )
}

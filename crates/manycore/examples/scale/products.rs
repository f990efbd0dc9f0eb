//! Products of matrices modulo a prime, of doubles, and over operations of one's own.

use manycore::PrimeField;
use manycore::expressions::{Function, Value};
use manycore::linalg::LinearAlgebra;
use manycore::semiring::{Matrix, Semiring};
use manycore::verify::SplitMix;

use crate::measure::{Bench, Fallible};

type Number = Value<f32>;

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    let order = 1usize << (bench.log_size / 2);
    let entries = order * order;
    let (p, mut random) = (2_147_483_647u32, SplitMix::new(7));
    let field = PrimeField::<u32>::new(p)?;
    let words: Vec<u32> = (0..entries).map(|_| random.next_word() as u32 % p).collect();
    let bytes = |word: usize| 3 * (entries * word) as u64;
    bench.row(
        &format!("product of {order} modulo {p}"),
        bytes(4),
        || (),
        |set, ()| Ok(LinearAlgebra::mul_on(set, &field, (order, order, order), &words, &words)?),
    )?;
    // Sums of so few bits are exact, in any order.
    let words: Vec<f64> = (0..entries).map(|_| (random.next_word() >> 52) as f64 - 2048.0).collect();
    let a = Matrix::stored(order as u64, order as u64, &words)?;
    let plus_times = Semiring::<f64, f64, f64>::plus_times()?;
    bench.row(
        &format!("product of {order} of f64"),
        bytes(8),
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
        bytes(4),
        || (),
        |set, ()| Ok(farthest.multiply_on(set, &a, &a)?.into_columns()),
    )
}

//! The checks of Walsh-Hadamard transforms.
//!
//! Integers that did not wrap: both sides of `y = W x` at a random point, modulo a prime. The product of a row vector r with
//! both sides is `r y = (r W) x`. For r the Kronecker product of pairs `(1, t_j)`, `r W` is the Kronecker product of
//! `(1 + t_j, 1 - t_j)`, so both sides take a number of operations proportional to the length. The difference of the sides is a
//! polynomial in the `t_j`, of degree 1 in each, whose coefficients are the errors of y; one that is not zero vanishes at a
//! random point modulo p with a chance of at most `log2(len) / p` (J. T. Schwartz, R. Zippel). Transforms of a batch are added
//! with powers of one more random number, which adds their number to `log2(len)`. The errors of 64-bit results lie below 2^64,
//! so that none is a multiple of both primes.
//!
//! Integers that wrap, and floating-point numbers, are computed again by the plain loop and compared at every place.

use manycore_arrays::orders::{Direction, Order};

use crate::bounded::{Bounded, Tolerance, largest_of, scale_for};
use crate::butterflies::{hadamard_row, transform};
use crate::modular::{Prime, primes, weigh};
use crate::number::{Integer, Real, wrapped};
use crate::outcome::{Chance, CheckError, Outcome, Passed, collected};
use crate::runs::{Runs, compare_integers, largest_in_runs, size};
use crate::{SplitMix, threads};

/// What transforms a result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The length of one transform, a power of two.
    pub len: usize,
    /// The order of the coefficients.
    pub order: Order,
}

impl Shape {
    /// The base-2 logarithm of the length.
    pub fn log_len(self) -> u32 {
        self.len.max(1).ilog2()
    }

    fn runs<X, Y>(self, x: &[X], y: &[Y]) -> Result<Runs, CheckError> {
        Runs::of_powers_of_two(x.len(), y.len(), self.len)
    }
}

/// Checks `y = W x` over the integers (for an inverse `W y = x`, which is the same for results that fit their type): at random
/// points. A wrong result passes with a chance below `(log2(len) + number of transforms) / 2^60` over the choices of `random`.
///
/// # Errors
/// [`CheckError::Relation`], [`CheckError::Length`].
pub fn exact<T: Integer>(x: &[T], y: &[T], direction: Direction, shape: Shape, random: &mut SplitMix) -> Outcome {
    let runs = shape.runs(x, y)?;
    let (values, coefficients) = if direction == Direction::Inverse { (y, x) } else { (x, y) };
    for &prime in primes::<T>() {
        if !agree(prime, values, coefficients, shape, random)? {
            let relation = format!("W times the values at a random point modulo {}", prime.value());
            return Err(CheckError::Relation { relation });
        }
    }
    let chance = Chance::of_degree(shape.log_len() as usize + runs.count, 60);
    Ok(Passed { method: "both sides at a random point modulo primes near 2^61", chance })
}

fn agree<T: Integer>(prime: Prime, x: &[T], y: &[T], shape: Shape, random: &mut SplitMix) -> Result<bool, CheckError> {
    let point: Vec<u64> = (0..shape.log_len()).map(|_| prime.reduce(random.next_double_word())).collect();
    let step = prime.reduce(random.next_double_word());
    let rows: Vec<_> = point.iter().map(|&t| (1, t)).collect();
    let columns: Vec<_> = point.iter().map(|&t| (prime.sum(1, t), prime.sum(1, prime.value() - t))).collect();
    let left = weigh(prime, y, &rows, step, |row| hadamard_row(shape.order, row, shape.log_len()))?;
    Ok(left == weigh(prime, x, &columns, step, |index| index)?)
}

/// Checks every place modulo 2^32 or 2^64 by the plain loop; an inverse divides by the length rounding down, as an arithmetic
/// shift does.
///
/// # Errors
/// [`CheckError::Value`], [`CheckError::Length`], [`CheckError::TooLarge`].
pub fn wrapping<T: Integer>(x: &[T], y: &[T], direction: Direction, shape: Shape) -> Outcome {
    let bits = if direction == Direction::Inverse { shape.log_len() } else { 0 };
    let runs = shape.runs(x, y)?;
    threads::each_run(runs.count, shape.len, |run| {
        let mut z = collected(x[runs.range(run)].iter().map(|&value| value.into()))?;
        transform(&mut z, &|u: i64, v: i64| [u.wrapping_add(v), u.wrapping_sub(v)]);
        let expected = |row| wrapped::<T>(z[hadamard_row(shape.order, row, shape.log_len())]) >> bits;
        compare_integers(&y[runs.range(run)], expected, run)
    })?;
    Ok(Passed::by_second_computation("second computation modulo 2^32 or 2^64, every value"))
}

/// Checks every place by the plain loop in double precision. A coefficient may be off by `n + 2` roundoffs of both types times
/// the sum of its terms' absolute values.
///
/// # Errors
/// [`CheckError::Bound`], [`CheckError::NotFinite`], [`CheckError::Length`], [`CheckError::Input`], [`CheckError::TooLarge`].
pub fn reals<T: Real>(x: &[T], y: &[T], direction: Direction, shape: Shape) -> Outcome {
    let runs = shape.runs(x, y)?;
    let len = shape.len as f64;
    let scale = scale_for(largest_of(x)?, len);
    let divisor = if direction == Direction::Inverse { len } else { 1.0 };
    let depth = f64::from(shape.log_len()) + 2.0;
    let tolerance = Tolerance { depth, operations: 2.0 * len, headroom: divisor, scale };
    threads::each_run(runs.count, shape.len, |run| {
        let mut z = collected(x[runs.range(run)].iter().map(|&value| Bounded::of(value.into() / scale)))?;
        transform(&mut z, &|u: Bounded, v| [u.plus(v), u.minus(v)]);
        y[runs.range(run)].iter().enumerate().try_for_each(|(row, &found)| {
            let right = z[hadamard_row(shape.order, row, shape.log_len())];
            tolerance.check::<T>(found.into(), right.value / divisor, right.size / divisor, (run, row))
        })
    })?;
    Ok(Passed::by_second_computation("second computation in double precision, every value"))
}

/// The first transform with the largest absolute value of a coefficient over the integers, and that value: a sum of absolute values as an
/// upper bound where this is at most `limit`, else computed in 128 bits.
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::TooLarge`].
pub fn largest<T: Integer>(x: &[T], shape: Shape, limit: i128) -> Result<(usize, i128), CheckError> {
    largest_in_runs(x, shape.runs(x, x)?, limit, |z| {
        transform(z, &|u: i128, v: i128| [u + v, u - v]);
        z.iter().map(|&value| size(value, limit)).max().unwrap_or(0)
    })
}

#[cfg(test)]
mod tests;

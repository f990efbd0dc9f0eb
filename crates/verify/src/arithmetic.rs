//! The checks of arithmetic transforms.
//!
//! Integers that did not wrap: with the weight `prod t_j^(w_j)` for coefficient w, the sum of the coefficients is the value at
//! the point t of the function's multilinear extension, the sum of the values x(v) times `prod (t_j if v_j else 1 - t_j)`
//! (the j-th factor turned round where variable j is complemented). Both sides take a number of operations proportional
//! to the length; modulo a prime p near 2^61 and at a random point they differ, for a wrong result, but with a chance of `log2(len) / p`
//! (J. T. Schwartz, R. Zippel), as in [`crate::walsh::exact`].
//!
//! Integers that wrap, and floating-point numbers, are computed again by the plain loop, in double precision for the latter.
//! A coefficient is a tree of additions of depth n, so it is off by at most n u times the sum of the sizes of what is added,
//! which the same loop gives with sums in place of differences.

use manycore_arrays::orders::Direction;

use crate::bit_shape::BitShape;
use crate::bounded::{Bounded, Tolerance, largest_of, scale_for};
use crate::butterflies::{natural, transform};
use crate::modular::{Prime, primes, weigh};
use crate::number::{Integer, Real, wrapped};
use crate::outcome::{Chance, CheckError, Outcome, Passed, collected};
use crate::runs::{compare_integers, largest_in_runs, size};
use crate::{SplitMix, threads};

/// Checks coefficients `y` of the values `x`, or for an inverse values `y` of the coefficients `x`, over the integers: at random
/// points. A wrong result passes with a chance below `(variables + number of transforms) / 2^60` over the choices of `random`.
///
/// # Errors
/// [`CheckError::Relation`], [`CheckError::Length`].
pub fn exact<T: Integer>(x: &[T], y: &[T], direction: Direction, shape: BitShape, random: &mut SplitMix) -> Outcome {
    let runs = shape.runs(x.len(), y.len())?;
    let (values, coefficients) = if direction == Direction::Inverse { (y, x) } else { (x, y) };
    let mut sides = |prime: Prime| -> Result<bool, CheckError> {
        let point: Vec<u64> = (0..shape.variables).map(|_| prime.reduce(random.next_double_word())).collect();
        let step = prime.reduce(random.next_double_word());
        let one_less = |t| prime.sum(1, prime.value() - t);
        let left = weigh(prime, coefficients, &shape.rows(&point, 1), step, |index| index)?;
        Ok(left == weigh(prime, values, &shape.columns(&point, one_less), step, |index| index)?)
    };
    for &prime in primes::<T>() {
        if !sides(prime)? {
            let relation = format!("the polynomial's value at a random point modulo {}", prime.value());
            return Err(CheckError::Relation { relation });
        }
    }
    let chance = Chance::of_degree(shape.variables as usize + runs.count, 60);
    Ok(Passed { method: "both sides at a random point modulo primes near 2^61", chance })
}

/// Checks every place modulo 2^32 or 2^64 by the plain loop.
///
/// # Errors
/// [`CheckError::Value`], [`CheckError::Length`], [`CheckError::TooLarge`].
pub fn wrapping<T: Integer>(x: &[T], y: &[T], direction: Direction, shape: BitShape) -> Outcome {
    let runs = shape.runs(x.len(), y.len())?;
    threads::each_run(runs.count, runs.len, |run| {
        let step = |u: i64, v: i64| match direction {
            Direction::Forward => [u, v.wrapping_sub(u)],
            Direction::Inverse => [u, v.wrapping_add(u)],
        };
        let x = &x[runs.range(run)];
        let z = plain(direction, shape, |index| x[index].into(), step)?;
        compare_integers(&y[runs.range(run)], |index| wrapped::<T>(z[place(direction, shape, index)]), run)
    })?;
    Ok(Passed::by_second_computation("second computation modulo 2^32 or 2^64, every value"))
}

/// Checks every place by the plain loop in double precision. A number may be off by `n + 2` roundoffs of both types times the
/// sum of its terms' absolute values.
///
/// # Errors
/// [`CheckError::Bound`], [`CheckError::NotFinite`], [`CheckError::Length`], [`CheckError::Input`], [`CheckError::TooLarge`].
pub fn reals<T: Real>(x: &[T], y: &[T], direction: Direction, shape: BitShape) -> Outcome {
    let runs = shape.runs(x.len(), y.len())?;
    let len = runs.len as f64;
    let scale = scale_for(largest_of(x)?, len);
    let depth = f64::from(shape.variables) + 2.0;
    let tolerance = Tolerance { depth, operations: 2.0 * len, headroom: 1.0, scale };
    threads::each_run(runs.count, runs.len, |run| {
        let step = |u: Bounded, v: Bounded| match direction {
            Direction::Forward => [u, v.minus(u)],
            Direction::Inverse => [u, v.plus(u)],
        };
        let x = &x[runs.range(run)];
        let z = plain(direction, shape, |index| Bounded::of(x[index].into() / scale), step)?;
        y[runs.range(run)].iter().enumerate().try_for_each(|(index, &found)| {
            let right = z[place(direction, shape, index)];
            tolerance.check::<T>(found.into(), right.value, right.size, (run, index))
        })
    })?;
    Ok(Passed::by_second_computation("second computation in double precision, every value"))
}

/// The first transform with the largest absolute value of a result over the integers, and that value: a sum of absolute values as an upper
/// bound where this is at most `limit`, else computed in 128 bits.
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::TooLarge`].
pub fn largest<T: Integer>(
    x: &[T],
    direction: Direction,
    shape: BitShape,
    limit: i128,
) -> Result<(usize, i128), CheckError> {
    largest_in_runs(x, shape.runs(x.len(), x.len())?, limit, |z| {
        let step = |u: i128, v: i128| match direction {
            Direction::Forward => [u, v - u],
            Direction::Inverse => [u, v + u],
        };
        arrange(z, direction, shape);
        transform(z, &step);
        z.iter().map(|&value| size(value, limit)).max().unwrap_or(0)
    })
}

/// The transform of one run before its numbers are put into their places: `(u, v)` become `step(u, v)`.
fn plain<N: Copy + Send>(
    direction: Direction,
    shape: BitShape,
    x: impl Fn(usize) -> N,
    step: impl Fn(N, N) -> [N; 2] + Sync,
) -> Result<Vec<N>, CheckError> {
    let mut z = collected((0..shape.len()).map(x))?;
    arrange(&mut z, direction, shape);
    transform(&mut z, &step);
    Ok(z)
}

/// Puts the numbers of an input where the plain loop expects them; the map of places is its own inverse.
fn arrange<N>(z: &mut [N], direction: Direction, shape: BitShape) {
    for index in 0..z.len() {
        let source = match direction {
            Direction::Forward => index ^ shape.polarity as usize,
            Direction::Inverse => natural(shape.order, index, shape.variables),
        };
        if source < index {
            z.swap(source, index);
        }
    }
}

/// Where the plain loop has the number that stands at `index` of a result.
fn place(direction: Direction, shape: BitShape, index: usize) -> usize {
    match direction {
        Direction::Forward => natural(shape.order, index, shape.variables),
        Direction::Inverse => index ^ shape.polarity as usize,
    }
}

#[cfg(test)]
mod tests;

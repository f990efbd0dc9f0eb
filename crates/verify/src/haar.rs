//! The check of Haar transforms: computed again, level after level, which is linear in the length.
//!
//! Integers must be equal. A floating-point coefficient is a sum of at most n levels of additions, times a factor that is
//! rounded once, so it is off by at most n + 2 roundoffs times the sum of its terms' absolute values. The bound holds for a value of an
//! inverse, too. The second computation is in double precision.

use manycore_arrays::orders::{Direction, HaarOrder, Normalization};

use crate::bounded::{Bounded, Tolerance, largest_of, scale_for};
use crate::number::{Integer, Real, wrapped};
use crate::outcome::{CheckError, Outcome, Passed, collected, reserved};
use crate::runs::{Runs, compare_integers, largest_in_runs, size};
use crate::threads;

/// What Haar transforms a result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The base-2 logarithm of the length of one transform.
    pub log_len: u32,
    /// The order of the coefficients.
    pub order: HaarOrder,
    /// What they are multiplied by.
    pub normalization: Normalization,
}

impl Shape {
    fn runs<X, Y>(self, x: &[X], y: &[Y]) -> Result<Runs, CheckError> {
        if self.log_len >= usize::BITS {
            return Err(CheckError::Shape { what: format!("runs of 2^{} values", self.log_len) });
        }
        Runs::new(x.len(), y.len(), 1 << self.log_len)
    }

    /// What the coefficient at `index` of the standard order is multiplied by.
    fn factor(self, index: usize) -> f64 {
        let log = f64::from(index.max(1).ilog2());
        match self.normalization {
            Normalization::None => 1.0,
            Normalization::Orthonormal => ((log - f64::from(self.log_len)) / 2.0).exp2(),
            Normalization::EqualEnergy => (log / 2.0).exp2(),
        }
    }

    /// The place of the coefficient at `index` of the standard order: that itself, or in the middle of its values.
    fn place(self, index: usize) -> usize {
        if self.order == HaarOrder::Standard || index == 0 {
            return index;
        }
        let log = index.ilog2();
        (2 * (index - (1 << log)) + 1) << (self.log_len - 1 - log)
    }
}

/// Checks every place over the integers, in 128 bits: the coefficients of the values, in both directions, so that nothing wraps and
/// no half is rounded.
///
/// # Errors
/// [`CheckError::Value`]; [`CheckError::Relation`] for an inverse; [`CheckError::Length`], [`CheckError::TooLarge`].
pub fn exact<T: Integer>(x: &[T], y: &[T], direction: Direction, shape: Shape) -> Outcome {
    let runs = shape.runs(x, y)?;
    threads::each_run(runs.count, runs.len, |run| {
        let (x, y) = (&x[runs.range(run)], &y[runs.range(run)]);
        // Coefficients of the values are compared in both directions.
        let (values, found) = if direction == Direction::Forward { (x, y) } else { (y, x) };
        let wide = collected(values.iter().map(|&value| i128::from(value.into())))?;
        let again = coefficients(wide, shape, |u, v| [u + v, u - v])?;
        let place = found.iter().zip(&again).position(|(&found, &again)| i128::from(found.into()) != again);
        let Some(index) = place else { return Ok(()) };
        let (found, expected) = (i128::from(found[index].into()).to_string(), again[index].to_string());
        Err(if direction == Direction::Forward {
            CheckError::Value { run, index, found, expected }
        } else {
            let relation =
                format!("coefficient {index} of the values of run {run}, which is {expected} and not {found}");
            CheckError::Relation { relation }
        })
    })?;
    Ok(Passed::by_second_computation("second computation of the coefficients in 128 bits, every one"))
}

/// Checks every place modulo 2^32 or 2^64; an inverse halves rounding down, as an arithmetic shift does.
///
/// # Errors
/// [`CheckError::Value`], [`CheckError::Length`], [`CheckError::TooLarge`].
pub fn wrapping<T: Integer>(x: &[T], y: &[T], direction: Direction, shape: Shape) -> Outcome {
    let runs = shape.runs(x, y)?;
    threads::each_run(runs.count, runs.len, |run| {
        let x = collected(x[runs.range(run)].iter().map(|&value| value.into()))?;
        let half = |sum: i64| wrapped::<T>(sum) >> 1;
        let again = match direction {
            Direction::Forward => coefficients(x, shape, |u, v| [u.wrapping_add(v), u.wrapping_sub(v)]),
            Direction::Inverse => {
                let level = |s: i64, d: i64| [half(s.wrapping_add(d)), half(s.wrapping_sub(d))];
                values(&x, shape, |coefficient, _| coefficient, level)
            }
        }?;
        compare_integers(&y[runs.range(run)], |index| wrapped::<T>(again[index]), run)
    })?;
    Ok(Passed::by_second_computation("second computation modulo 2^32 or 2^64, every value"))
}

/// Checks every place in double precision.
///
/// # Errors
/// [`CheckError::Bound`], [`CheckError::NotFinite`], [`CheckError::Length`], [`CheckError::Input`], [`CheckError::TooLarge`].
pub fn reals<T: Real>(x: &[T], y: &[T], direction: Direction, shape: Shape) -> Outcome {
    let runs = shape.runs(x, y)?;
    let len = runs.len as f64;
    // The factors of normalised coefficients are at most the square root of the length.
    let growth = len * len.sqrt();
    let scale = scale_for(largest_of(x)?, growth);
    let depth = f64::from(shape.log_len) + 4.0;
    let tolerance = Tolerance { depth, operations: 4.0 * growth, headroom: 2.0 * len, scale };
    threads::each_run(runs.count, runs.len, |run| {
        let x = collected(x[runs.range(run)].iter().map(|&value| Bounded::of(value.into() / scale)))?;
        let again = match direction {
            Direction::Forward => {
                let mut y = coefficients(x, shape, |u, v| [u.plus(v), u.minus(v)])?;
                for index in 0..y.len() {
                    let place = shape.place(index);
                    y[place] = y[place].times(shape.factor(index));
                }
                y
            }
            Direction::Inverse => {
                let level = |s: Bounded, d| [s.plus(d).times(0.5), s.minus(d).times(0.5)];
                values(&x, shape, |coefficient, index| coefficient.times(1.0 / shape.factor(index)), level)?
            }
        };
        y[runs.range(run)].iter().zip(again).enumerate().try_for_each(|(index, (&found, right))| {
            tolerance.check::<T>(found.into(), right.value, right.size, (run, index))
        })
    })?;
    Ok(Passed::by_second_computation("second computation in double precision, every value"))
}

/// The coefficients of one run, in the order of `shape`, not normalised; `level` gives the sum and the difference of two.
fn coefficients<N: Copy>(mut sums: Vec<N>, shape: Shape, level: impl Fn(N, N) -> [N; 2]) -> Result<Vec<N>, CheckError> {
    let mut y = collected(sums.iter().copied())?;
    while sums.len() > 1 {
        let half = sums.len() / 2;
        for t in 0..half {
            let [sum, difference] = level(sums[2 * t], sums[2 * t + 1]);
            sums[t] = sum;
            y[shape.place(half + t)] = difference;
        }
        sums.truncate(half);
    }
    y[0] = sums[0];
    Ok(y)
}

/// The values of one run of coefficients, each of which `unscaled` takes with its index in the standard order; `level` gives
/// the sums of both halves of a block of a sum and a difference.
fn values<N: Copy>(
    y: &[N],
    shape: Shape,
    unscaled: impl Fn(N, usize) -> N,
    level: impl Fn(N, N) -> [N; 2],
) -> Result<Vec<N>, CheckError> {
    let mut sums = reserved(y.len())?;
    sums.push(unscaled(y[0], 0));
    while sums.len() < y.len() {
        let count = sums.len();
        sums.extend_from_within(..);
        // From the end, so that no sum is overwritten before it is read.
        for t in (0..count).rev() {
            let [first, second] = level(sums[t], unscaled(y[shape.place(count + t)], count + t));
            (sums[2 * t], sums[2 * t + 1]) = (first, second);
        }
    }
    Ok(sums)
}

/// The first transform with the largest absolute value of a coefficient over the integers, and that value: a sum of absolute values as an
/// upper bound where this is at most `limit`, else computed in 128 bits.
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::TooLarge`].
pub fn largest<T: Integer>(x: &[T], shape: Shape, limit: i128) -> Result<(usize, i128), CheckError> {
    largest_in_runs(x, shape.runs(x, x)?, limit, |z| {
        let (mut largest, mut len) = (0, z.len());
        while len > 1 {
            len /= 2;
            for t in 0..len {
                largest = largest.max(size(z[2 * t] - z[2 * t + 1], limit));
                z[t] = z[2 * t] + z[2 * t + 1];
            }
        }
        largest.max(size(z[0], limit))
    })
}

/// Why integers are no spectrum that comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoInverse {
    /// A value of the inverse is this number over the length.
    Fraction {
        /// The value's index in its run.
        index: usize,
        /// It times the length.
        numerator: i128,
    },
    /// Twice the sum of a block, which the inverse halves, is past the type.
    Sum(i128),
    /// The memory of the exact computation is not there.
    TooLarge {
        /// The bytes that could not be had.
        bytes: u128,
    },
}

impl From<CheckError> for NoInverse {
    fn from(error: CheckError) -> Self {
        Self::TooLarge { bytes: if let CheckError::TooLarge { bytes } = error { bytes } else { 0 } }
    }
}

/// Whether the inverse of one run is exact in its type.
///
/// # Errors
/// [`NoInverse`] with the first value that is no integer, or else the largest sum past the type.
pub fn comes_back<T: Integer>(y: &[T], shape: Shape) -> Result<(), NoInverse> {
    // Sums of blocks times the number of blocks: those of both halves of a block twice as often are s + N d and s - N d.
    let (mut sums, mut largest) = (reserved::<i128>(y.len())?, 0);
    sums.push(y[0].into().into());
    while sums.len() < y.len() {
        let count = sums.len();
        sums.extend_from_within(..);
        // From the end, so that no sum is overwritten before it is read.
        for t in (0..count).rev() {
            let difference = i128::from(y[shape.place(count + t)].into()) * count as i128;
            (sums[2 * t], sums[2 * t + 1]) = (sums[t] + difference, sums[t] - difference);
        }
        largest = sums.iter().fold(largest, |largest, sum| largest.max((sum / count as i128).abs()));
    }
    if let Some(index) = sums.iter().position(|sum| sum % y.len() as i128 != 0) {
        return Err(NoInverse::Fraction { index, numerator: sums[index] });
    }
    if largest > T::LARGEST.into() { Err(NoInverse::Sum(largest)) } else { Ok(()) }
}

#[cfg(test)]
mod tests;

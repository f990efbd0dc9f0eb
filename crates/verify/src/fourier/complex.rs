//! The checks of complex transforms and convolutions, with the bounds of the fast algorithms.
//!
//! All entries of a Fourier matrix have the absolute value 1, so that the terms of a coefficient add up to the 1-norm of the
//! function in absolute value, and a transform by the factors of the order is off by at most its depth in roundoffs of that
//! sum at every place. A convolution with a chirp of length M, `2 n <= M <= 4 n`, passes through spectra whose errors reach every
//! place: these are bounded by the 2-norm, so that the sum of the terms becomes the square root of `8 N` times that (N. J.
//! Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition 2002, theorem 24.2, and the inequality of Cauchy and
//! Schwarz). Devices may take that way for cyclic factors with a prime above 61, this check for still larger ones. Devices may also
//! sum p terms of a large prime by the definition, whose roundings add up like a random walk: more than `10 sqrt(p)` of them have
//! a chance below `2 exp(-50)` (N. J. Higham, T. Mary, A new approach to probabilistic rounding error analysis, 2019).
//!
//! In a convolution by spectra, the errors of one factor's spectrum, times the other's spectrum, spread over all places: the bound has the
//! product of both 2-norms.

use manycore_arrays::orders::Direction;

use super::numbers::Complex;
use super::{factors, order_of, second_runs, transform};
use crate::bounded::{Tolerance, largest_of, scale_for};
use crate::complex::{both, pairs, times};
use crate::number::Real;
use crate::outcome::{CheckError, Outcome, Passed, collected};
use crate::residues::primes_of;
use crate::runs::Runs;
use crate::threads;

/// The largest prime for which no device takes a chirp.
const LARGEST_SUM: u64 = 61;

const METHOD: &str = "second computation in double precision, every value";

/// Roundings on the way through transforms of a group, and the growth by its chirps.
struct Depth {
    roundings: f64,
    chirps: f64,
}

impl Depth {
    /// A level of radix p adds p products: p - 1 roundings of sums, and up to 5 of the product, its root and the twiddle.
    fn of(group: &[u64]) -> Self {
        let mut depth = Self { roundings: 4.0, chirps: 1.0 };
        for &order in group {
            let primes = primes_of(order);
            let small = primes.iter().filter(|&&prime| prime <= LARGEST_SUM);
            depth.roundings += small.map(|&prime| prime as f64 + 5.0).sum::<f64>();
            if let Some(&prime) = primes.last().filter(|&&prime| prime > LARGEST_SUM) {
                // Three transforms of radix 2 and of length 8 n at most, and three products; or a sum of the definition, whose
                // terms add up to less than the size by the square root of 8.
                let chirp = 3.0 * (7.0 * (8.0 * order as f64).log2() + 5.0);
                depth.roundings += chirp.max((10.0 * (prime as f64).sqrt() + 5.0) / 8f64.sqrt());
                depth.chirps *= 8.0;
            }
        }
        depth
    }

    /// The sum of the terms of a coefficient, or the bound in its place, for a function with such values.
    fn size(&self, values: &[[f64; 2]]) -> f64 {
        if self.chirps > 1.0 {
            (self.chirps * values.len() as f64).sqrt() * norm(values)
        } else {
            values.iter().map(|[re, im]| re.hypot(*im)).sum()
        }
    }
}

/// The 2-norm, without overflow of the squares.
fn norm(values: &[[f64; 2]]) -> f64 {
    let largest = values.iter().flatten().fold(0.0f64, |largest, part| largest.max(part.abs()));
    let scale = if largest > 0.0 { largest } else { 1.0 };
    scale * values.iter().flatten().map(|part| (part / scale) * (part / scale)).sum::<f64>().sqrt()
}

/// Checks transforms of complex numbers on a group, two words each, the real part first: `F(w)` is the sum of `f(z)` times the
/// conjugate of the character w at z, the inverse that with the characters, divided by the group's order. Both parts of every
/// place are compared.
///
/// # Errors
/// [`CheckError::Bound`], [`CheckError::NotFinite`], [`CheckError::Length`], [`CheckError::TooLarge`]; [`CheckError::Input`];
/// [`CheckError::Shape`]. Indices count complex numbers.
pub fn complex<T: Real>(x: &[T], y: &[T], direction: Direction, group: &[u64]) -> Outcome {
    let [x, y] = both(x, y)?;
    let runs = Runs::new(x.len(), y.len(), order_of(group)?)?;
    let (depth, len, inverse) = (Depth::of(group), runs.len as f64, direction == Direction::Inverse);
    let growth = 2.0 * depth.chirps * if depth.chirps > 1.0 { len * len } else { len };
    let divisor = if inverse { len } else { 1.0 };
    let tolerance = Tolerance {
        depth: depth.roundings,
        operations: 16.0 * depth.chirps * len,
        headroom: 2.0 * divisor * if depth.chirps > 1.0 { growth } else { 1.0 },
        scale: scale_for(largest_of(x.as_flattened())?, growth),
    };
    let numbers = Complex { inverse };
    let factors = factors(&numbers, group, x.len())?;
    threads::each_run(runs.count, runs.len, |run| {
        let values = scaled(&x[runs.range(run)], tolerance.scale)?;
        let size = depth.size(&values) / divisor;
        let z = transform(&numbers, &factors, values)?;
        compare::<T>(&y[runs.range(run)], |index| z[index].map(|part| part / divisor), size, tolerance, run)
    })?;
    Ok(Passed::by_second_computation(METHOD))
}

/// Checks convolutions of complex numbers on a group, `y(z)` the sum of `f(t) g(z - t)`; `g` is one function, or as many as `f`.
///
/// # Errors
/// As [`complex`]; the index of an input counts those of `f` first.
pub fn complex_convolution<T: Real>([f, g]: [&[T]; 2], y: &[T], group: &[u64]) -> Outcome {
    largest_of(f)?;
    largest_of(g).map_err(|error| match error {
        CheckError::Input { index, found, expected } => CheckError::Input { index: index + f.len(), found, expected },
        other => other,
    })?;
    let ([f, y], g) = (both(f, y)?, pairs(g)?);
    let runs = Runs::new(f.len(), y.len(), order_of(group)?)?;
    let second = second_runs(runs, g.len())?;
    let (depth, len) = (Depth::of(group), runs.len as f64);
    let [forward, inverse] = [Complex { inverse: false }, Complex { inverse: true }];
    let there = factors(&forward, group, 2 * f.len())?;
    let back = factors(&inverse, group, f.len())?;
    threads::each_run(runs.count, runs.len, |run| {
        let (f, g) = (&f[runs.range(run)], &g[runs.range(run % second)]);
        let [f_log, g_log] = [log_of(f)?, log_of(g)?];
        let [f, g] = [scaled(f, f_log.exp2())?, scaled(g, g_log.exp2())?];
        // The product of both scales, and what of it is past the range of powers of two.
        let log = (f_log + g_log).clamp(-1000.0, 1000.0);
        let rest = (f_log + g_log - log).exp2();
        let size = depth.chirps * norm(&f) * norm(&g) * rest;
        let mut z = transform(&forward, &there, f)?;
        let other = transform(&forward, &there, g)?;
        z.iter_mut().zip(other).for_each(|(z, other)| *z = times(*z, other));
        let z = transform(&inverse, &back, z)?;
        let largest = f_log.max(g_log).exp2();
        let tolerance = Tolerance {
            depth: 3.0 * depth.roundings + 8.0,
            operations: 16.0 * depth.chirps * len * len * largest.max(1.0),
            headroom: 2.0 * depth.chirps * len * len * (-f_log.min(g_log)).exp2().max(1.0),
            scale: log.exp2(),
        };
        compare::<T>(&y[runs.range(run)], |index| z[index].map(|part| part / len * rest), size, tolerance, run)
    })?;
    Ok(Passed::by_second_computation(METHOD))
}

/// The base-2 logarithm of the largest part, rounded down; 0 for zeros.
fn log_of<T: Real>(values: &[[T; 2]]) -> Result<f64, CheckError> {
    let largest = largest_of(values.as_flattened())?;
    Ok(if largest == 0.0 { 0.0 } else { largest.log2().floor().clamp(-1000.0, 1000.0) })
}

fn scaled<T: Real>(values: &[[T; 2]], scale: f64) -> Result<Vec<[f64; 2]>, CheckError> {
    collected(values.iter().map(|value| value.map(|part| part.into() / scale)))
}

fn compare<T: Real>(
    found: &[[T; 2]],
    expected: impl Fn(usize) -> [f64; 2],
    size: f64,
    tolerance: Tolerance,
    run: usize,
) -> Result<(), CheckError> {
    found.iter().enumerate().try_for_each(|(index, found)| {
        found.iter().zip(expected(index)).try_for_each(|(&found, part)| {
            tolerance.check::<T>(found.into(), part, size, (run, index)) //
        })
    })
}

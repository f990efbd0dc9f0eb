//! Kronecker products of real and complex numbers, in double precision: each number beside the sum of the absolute values of its
//! terms, the entries' absolute values times those of the vector.

use super::{Factor, Product, apply};
use crate::bounded::{Bounded, Tolerance, largest_of, scale_for};
use crate::complex::{BoundedComplex, both};
use crate::number::Real;
use crate::outcome::{CheckError, Outcome, Passed, collected};
use crate::runs::Runs;
use crate::threads;

/// Roundings of a product and its place in a sum, of the entry, and of a complex product: each factor of order q has at most
/// `q + 5` on the way (R. P. Brent, C. Percival, P. Zimmermann, Error bounds on complex floating-point multiplication, 2007,
/// has sqrt 5 for the product).
pub(super) fn depth<E>(factors: &[Factor<E>]) -> f64 {
    let of = |factor: &Factor<E>| if factor.entries.is_some() { factor.order as f64 + 5.0 } else { 0.0 };
    factors.iter().map(of).sum::<f64>() + 4.0
}

fn tolerance<E>(product: &Product<E>, largest: f64, size: impl Fn(&E) -> f64) -> Result<Tolerance, CheckError> {
    let growth = product.growth(size);
    if !growth.is_finite() {
        return Err(CheckError::Shape { what: "a product whose entries multiply past the largest number".into() });
    }
    let operations = 4.0 * growth * (product.factors.len() as f64 + 1.0);
    let headroom = 2.0 * product.divisor as f64;
    Ok(Tolerance { depth: depth(&product.factors), operations, headroom, scale: scale_for(largest, growth) })
}

const METHOD: &str = "second computation in double precision, every value";

/// Checks every place in double precision; the entries are those of the product in its own precision.
///
/// # Errors
/// [`CheckError::Bound`], [`CheckError::NotFinite`], [`CheckError::Length`], [`CheckError::TooLarge`]; [`CheckError::Input`];
/// [`CheckError::Shape`].
pub fn reals<T: Real>(x: &[T], y: &[T], product: &Product<f64>) -> Outcome {
    let runs = Runs::new(x.len(), y.len(), product.order()?)?;
    let tolerance = tolerance(product, largest_of(x)?, |entry| entry.abs())?;
    let dot = |row: &[f64], column: &mut dyn Iterator<Item = Bounded>| {
        row.iter().zip(column).fold(Bounded::default(), |sum, (&entry, value)| sum.plus(value.times(entry)))
    };
    let divisor = product.divisor as f64;
    threads::each_run(runs.count, runs.len, |run| {
        let x = collected(x[runs.range(run)].iter().map(|&value| Bounded::of(value.into() / tolerance.scale)))?;
        let z = apply(x, &product.factors, dot)?;
        y[runs.range(run)].iter().zip(z).enumerate().try_for_each(|(index, (&found, right))| {
            tolerance.check::<T>(found.into(), right.value / divisor, right.size / divisor, (run, index))
        })
    })?;
    Ok(Passed::by_second_computation(METHOD))
}

/// Checks complex numbers, two words each, the real part first; both parts of every place, in double precision.
///
/// # Errors
/// As [`reals`]; indices count complex numbers.
pub fn complex<T: Real>(x: &[T], y: &[T], product: &Product<[f64; 2]>) -> Outcome {
    let [x, y] = both(x, y)?;
    let runs = Runs::new(x.len(), y.len(), product.order()?)?;
    let tolerance = tolerance(product, largest_of(x.as_flattened())?, |[re, im]| re.hypot(*im))?;
    let dot = |row: &[[f64; 2]], column: &mut dyn Iterator<Item = BoundedComplex>| {
        row.iter().zip(column).fold(BoundedComplex::default(), |sum, (&entry, value)| sum.plus(value.times(entry)))
    };
    let divisor = product.divisor as f64;
    threads::each_run(runs.count, runs.len, |run| {
        let x = collected(x[runs.range(run)].iter().map(|value| {
            BoundedComplex::of(value.map(|part| part.into() / tolerance.scale)) //
        }))?;
        let z = apply(x, &product.factors, dot)?;
        y[runs.range(run)].iter().zip(z).enumerate().try_for_each(|(index, (found, right))| {
            found.iter().zip(right.value).try_for_each(|(&found, part)| {
                tolerance.check::<T>(found.into(), part / divisor, right.size / divisor, (run, index))
            })
        })
    })?;
    Ok(Passed::by_second_computation(METHOD))
}

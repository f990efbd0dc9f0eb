//! The checks of Kronecker products of small matrices: computed again, one factor after another, and compared at every place.
//!
//! A step views a vector as `[q][rest]`, multiplies each of the `rest` columns by the matrix of order q, and writes the results
//! as `[rest][q]`. After as many steps as there are factors every digit is back in its place.

mod numbers;

pub use numbers::{complex, reals};

use manycore_field::ResidueWord;

use crate::modulus::Modulus;
use crate::number::{Integer, wrapped};
use crate::outcome::{CheckError, Outcome, Passed, collected, reserved};
use crate::runs::{Runs, compare_integers};
use crate::threads;

/// A factor of a product, the first of the most significant digit.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor<E> {
    /// The rows of the matrix.
    pub order: usize,
    /// The entries, row after row; `None` for the identity.
    pub entries: Option<Vec<E>>,
}

/// A product of factors, divided by a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Product<E> {
    /// The factors; none are the matrix `[1]`.
    pub factors: Vec<Factor<E>>,
    /// What the results are divided by: 1, or the product of the divisors of inverse matrices.
    pub divisor: u64,
}

impl<E> Product<E> {
    /// The order of the product.
    fn order(&self) -> Result<usize, CheckError> {
        let mut order = 1usize;
        for (index, factor) in self.factors.iter().enumerate() {
            let square = factor.order.checked_mul(factor.order);
            let entries = factor.entries.as_ref().map_or(square, |entries| Some(entries.len()));
            order = order.checked_mul(factor.order).filter(|_| entries == square && factor.order > 0).ok_or_else(
                || CheckError::Shape { what: format!("factor {index} of {} rows", factor.order) }, //
            )?;
        }
        if self.divisor == 0 {
            return Err(CheckError::Shape { what: "a product divided by 0".into() });
        }
        Ok(order)
    }

    /// The product of the factors' largest sums of the sizes of a row's entries, each 1 at least.
    fn growth(&self, size: impl Fn(&E) -> f64) -> f64 {
        let rows = |factor: &Factor<E>| {
            let entries = factor.entries.as_deref().unwrap_or_default();
            entries.chunks(factor.order.max(1)).map(|row| row.iter().map(&size).sum()).fold(1.0, f64::max)
        };
        self.factors.iter().map(rows).product()
    }
}

/// The product of the factors times a vector; `dot` is the sum of the products of a row's entries and a column.
fn apply<N: Copy + Send + Sync, E: Sync>(
    mut z: Vec<N>,
    factors: &[Factor<E>],
    dot: impl Fn(&[E], &mut dyn Iterator<Item = N>) -> N + Sync,
) -> Result<Vec<N>, CheckError> {
    let mut next = collected(z.iter().copied())?;
    for &Factor { order, ref entries } in factors {
        let rest = z.len() / order;
        threads::each_chunk(&mut next, order, |column, out| {
            let values = || (0..order).map(|digit| z[digit * rest + column]);
            match entries {
                None => out.iter_mut().zip(values()).for_each(|(out, value)| *out = value),
                Some(entries) => {
                    let rows = entries.chunks_exact(order);
                    out.iter_mut().zip(rows).for_each(|(out, row)| *out = dot(row, &mut values()));
                }
            }
            Ok::<_, CheckError>(())
        })?;
        std::mem::swap(&mut z, &mut next);
    }
    Ok(z)
}

/// Checks every place over the integers, in 128 bits: the product without divisors is each value times the divisor.
///
/// # Errors
/// [`CheckError::Value`], also where 128 bits do not hold the product; [`CheckError::Length`], [`CheckError::TooLarge`];
/// [`CheckError::Shape`].
pub fn exact<T: Integer>(x: &[T], y: &[T], product: &Product<i64>) -> Outcome {
    let runs = Runs::new(x.len(), y.len(), product.order()?)?;
    threads::each_run(runs.count, runs.len, |run| {
        let z = apply(wide(&x[runs.range(run)])?, &product.factors, dot_exactly)?;
        let place = y[runs.range(run)].iter().zip(&z).position(|(&found, &z)| {
            z != i128::from(found.into()).checked_mul(product.divisor.into()) //
        });
        let Some(index) = place else { return Ok(()) };
        let expected = z[index].map_or_else(
            || "past 128 bits".to_owned(),
            |z| match product.divisor {
                1 => z.to_string(),
                divisor => format!("{z}/{divisor}"),
            },
        );
        let found = i128::from(y[runs.range(run)][index].into()).to_string();
        Err(CheckError::Value { run, index, found, expected })
    })?;
    Ok(Passed::by_second_computation("second computation in 128 bits, every value"))
}

/// Integers in 128 bits; `None` for those that 128 bits do not hold.
fn wide<T: Integer>(x: &[T]) -> Result<Vec<Option<i128>>, CheckError> {
    collected(x.iter().map(|&value| Some(i128::from(value.into()))))
}

/// The sum of the products of a row's entries and a column; `None` where a number on the way is past 128 bits.
fn dot_exactly(row: &[i64], column: &mut dyn Iterator<Item = Option<i128>>) -> Option<i128> {
    row.iter().zip(column).try_fold(0i128, |sum, (&entry, value)| sum.checked_add(value?.checked_mul(entry.into())?))
}

/// Checks every place modulo 2^32 or 2^64: the product without divisors, and then one division, rounding down.
///
/// # Errors
/// [`CheckError::Value`], [`CheckError::Length`], [`CheckError::TooLarge`]; [`CheckError::Shape`].
pub fn wrapping<T: Integer>(x: &[T], y: &[T], product: &Product<i64>) -> Outcome {
    let runs = Runs::new(x.len(), y.len(), product.order()?)?;
    let dot = |row: &[i64], column: &mut dyn Iterator<Item = i64>| {
        row.iter().zip(column).fold(0i64, |sum, (&entry, value)| sum.wrapping_add(entry.wrapping_mul(value)))
    };
    threads::each_run(runs.count, runs.len, |run| {
        let x = collected(x[runs.range(run)].iter().map(|&value| value.into()))?;
        let z = apply(x, &product.factors, dot)?;
        let quotient = |z: i64| i128::from(wrapped::<T>(z)).div_euclid(product.divisor.into()) as i64;
        compare_integers(&y[runs.range(run)], |index| quotient(z[index]), run)
    })?;
    Ok(Passed::by_second_computation("second computation modulo 2^32 or 2^64, every value"))
}

/// The first vector with the largest absolute value of a result over the integers before the division, and that value: an upper bound where
/// this is at most `limit`, else computed in 128 bits. `i128::MAX` stands for all that are larger.
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::TooLarge`]; [`CheckError::Shape`].
pub fn largest<T: Integer>(x: &[T], product: &Product<i64>, limit: i128) -> Result<(usize, i128), CheckError> {
    let runs = Runs::new(x.len(), x.len(), product.order()?)?;
    let largest_entry = |factor: &Factor<i64>| {
        let entries = factor.entries.iter().flatten();
        entries.map(|entry| i128::from(*entry).abs()).max().unwrap_or(1).max(1)
    };
    let growth = product.factors.iter().map(largest_entry).fold(1i128, i128::saturating_mul);
    let mut most = (0, 0);
    for run in 0..runs.count {
        let x = &x[runs.range(run)];
        let sum: i128 = x.iter().map(|&value| i128::from(value.into()).abs()).sum();
        let mut size = sum.saturating_mul(growth);
        if size > limit {
            let z = apply(wide(x)?, &product.factors, dot_exactly)?;
            let size_of = |value: &Option<i128>| value.map_or(i128::MAX, |value| crate::runs::size(value, limit));
            size = z.iter().map(size_of).max().unwrap_or(0);
        }
        if size > most.1 {
            most = (run, size);
        }
    }
    Ok(most)
}

/// The index of the first of some integers that a divisor, which is not 0, does not divide.
pub fn first_fraction<T: Integer>(numerators: &[T], divisor: u64) -> Option<usize> {
    numerators.iter().position(|&value| i128::from(value.into()) % i128::from(divisor) != 0)
}

/// Checks every place modulo a prime.
///
/// # Errors
/// [`CheckError::Value`], [`CheckError::OutOfRange`], [`CheckError::Length`], [`CheckError::TooLarge`]; [`CheckError::Input`];
/// [`CheckError::Shape`], also for a modulus that is no prime, and a divisor that is 0 modulo it.
pub fn residues<W: ResidueWord>(x: &[W], y: &[W], product: &Product<u64>, modulus: u64) -> Outcome {
    let runs = Runs::new(x.len(), y.len(), product.order()?)?;
    let field = Modulus::new(modulus)?;
    if product.divisor.is_multiple_of(modulus) {
        return Err(CheckError::Shape { what: format!("a product divided by {} modulo {modulus}", product.divisor) });
    }
    field.check_input(x)?;
    for factor in &product.factors {
        field.check_input(factor.entries.as_deref().unwrap_or_default())?;
    }
    let scale = field.inverse(product.divisor % modulus);
    let dot = |row: &[u64], column: &mut dyn Iterator<Item = u64>| {
        row.iter().zip(column).fold(0, |sum, (&entry, value)| field.add(sum, field.mul(entry, value)))
    };
    threads::each_run(runs.count, runs.len, |run| {
        let x = collected(x[runs.range(run)].iter().map(|value| value.as_u64()))?;
        let z = apply(x, &product.factors, dot)?;
        field.compare(&y[runs.range(run)], |index| field.mul(z[index], scale), run)
    })?;
    Ok(Passed::by_second_computation("second computation modulo the prime, every value"))
}

/// The entries of a factor as other numbers.
///
/// # Errors
/// [`CheckError::TooLarge`].
pub fn entries<V: Copy, E>(entries: &[V], convert: impl Fn(V) -> E) -> Result<Vec<E>, CheckError> {
    let mut list = reserved(entries.len())?;
    list.extend(entries.iter().map(|&entry| convert(entry)));
    Ok(list)
}

#[cfg(test)]
mod tests;

//! The checks of Fourier transforms and convolutions on finite Abelian groups: computed again and compared at every place.
//!
//! On a product of cyclic groups of the orders `n_1` to `n_k`, the first the most significant, the transform is one of each cyclic
//! group after the other. A step views a function as `[n][rest]`, transforms each of the `rest` columns, and writes the results
//! as `[rest][n]`; after k steps every digit is back in its place. A cyclic group of composite order is cut by its prime factors
//! (Cooley-Tukey); a prime order is a sum by the definition, or a convolution with a chirp where sums would take too long
//! (L. I. Bluestein 1970).
//!
//! | file | what |
//! |---|---|
//! | `cyclic` | the transform of one cyclic group, over any numbers |
//! | `numbers` | complex numbers in double precision, and residues, with their convolutions |
//! | `complex` | the checks of complex numbers, and their bounds |

mod complex;
mod cyclic;
mod numbers;

pub use complex::{complex, complex_convolution};

use manycore_arrays::orders::Direction;
use manycore_field::ResidueWord;

use crate::modulus::Modulus;
use crate::outcome::{CheckError, Outcome, Passed, collected};
use crate::runs::Runs;
use crate::threads;
use cyclic::{Cyclic, Numbers};
use numbers::Residues;

/// The order of a group with these cyclic factors.
fn order_of(group: &[u64]) -> Result<usize, CheckError> {
    let order = group.iter().try_fold(1u64, |order, &factor| order.checked_mul(factor));
    let order = order.filter(|&order| order > 0).and_then(|order| usize::try_from(order).ok());
    order.ok_or_else(|| CheckError::Shape { what: format!("a group with {} cyclic factors", group.len()) })
}

/// The transforms of the cyclic factors, for functions of `values` values in all.
fn factors<N: Numbers>(numbers: &N, group: &[u64], values: usize) -> Result<Vec<Cyclic<N>>, CheckError> {
    group.iter().map(|&order| Cyclic::new(numbers, order, values)).collect()
}

/// The transform of one function.
fn transform<N: Numbers>(
    numbers: &N,
    factors: &[Cyclic<N>],
    mut z: Vec<N::Value>,
) -> Result<Vec<N::Value>, CheckError> {
    let mut next = collected(z.iter().copied())?;
    for factor in factors {
        let rest = z.len() / factor.order();
        threads::each_chunk(&mut next, factor.order(), |column, out| {
            factor.transform(numbers, &z[column..], rest, out)
        })?;
        std::mem::swap(&mut z, &mut next);
    }
    Ok(z)
}

/// The field and, for each cyclic factor, its root to the power that a direction has.
fn residues_of(group: &[u64], modulus: u64, root: u64, direction: Direction) -> Result<Residues, CheckError> {
    let exponent = group.iter().copied().fold(1, least_common_multiple);
    let field = Modulus::new(modulus)?;
    if !field.has_order(root, exponent) {
        return Err(CheckError::Shape { what: format!("a root {root} of order {exponent} modulo {modulus}") });
    }
    // The forward transform has the conjugates of the characters.
    let root = if direction == Direction::Forward { field.inverse(root) } else { root };
    Ok(Residues { field, root, exponent })
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x.max(1) * b
}

const METHOD: &str = "second computation modulo the prime, every value";

/// Checks transforms of residues on a group: `F(w)` is the sum of `f(z) root^(-e(w, z))`, where `e(w, z)` is the sum of
/// `w_j z_j L / n_j` and `root` has the order L, the group's exponent; the inverse has `root^e`, divided by the group's order.
///
/// Takes, for each value, as many products as the prime factors of the orders add up to; large primes take about twelve
/// number-theoretic transforms instead.
///
/// # Errors
/// [`CheckError::Value`], [`CheckError::OutOfRange`], [`CheckError::Length`], [`CheckError::TooLarge`]; [`CheckError::Input`];
/// [`CheckError::Shape`] for a root of another order, and a modulus that is no prime.
pub fn residues<W: ResidueWord>(
    x: &[W],
    y: &[W],
    direction: Direction,
    group: &[u64],
    modulus: u64,
    root: u64,
) -> Outcome {
    let runs = Runs::new(x.len(), y.len(), order_of(group)?)?;
    let numbers = residues_of(group, modulus, root, direction)?;
    let field = numbers.field;
    field.check_input(x)?;
    let factors = factors(&numbers, group, x.len())?;
    let scale = if direction == Direction::Inverse { field.inverse(runs.len as u64 % modulus) } else { 1 };
    threads::each_run(runs.count, runs.len, |run| {
        let values = collected(x[runs.range(run)].iter().map(|value| value.as_u64()))?;
        let z = transform(&numbers, &factors, values)?;
        field.compare(&y[runs.range(run)], |index| field.mul(z[index], scale), run)
    })?;
    Ok(Passed::by_second_computation(METHOD))
}

/// Checks convolutions of residues on a group, `y(z)` the sum of `f(t) g(z - t)`; `g` is one function, or as many as `f`.
///
/// # Errors
/// As [`residues`]; the index of an input counts those of `f` first.
pub fn residue_convolution<W: ResidueWord>(
    [f, g]: [&[W]; 2],
    y: &[W],
    group: &[u64],
    modulus: u64,
    root: u64,
) -> Outcome {
    let runs = Runs::new(f.len(), y.len(), order_of(group)?)?;
    let second = second_runs(runs, g.len())?;
    let [forward, inverse] = [Direction::Forward, Direction::Inverse].map(|direction| {
        residues_of(group, modulus, root, direction) //
    });
    let (forward, inverse) = (forward?, inverse?);
    let field = forward.field;
    field.check_input(f)?;
    field.check_input(g)?;
    let there = factors(&forward, group, 2 * f.len())?;
    let back = factors(&inverse, group, f.len())?;
    let scale = field.inverse(runs.len as u64 % modulus);
    let spectrum = |values: &[W]| transform(&forward, &there, collected(values.iter().map(|value| value.as_u64()))?);
    threads::each_run(runs.count, runs.len, |run| {
        let mut z = spectrum(&f[runs.range(run)])?;
        let other = spectrum(&g[runs.range(run % second)])?;
        z.iter_mut().zip(other).for_each(|(z, other)| *z = field.mul(*z, other));
        let z = transform(&inverse, &back, z)?;
        field.compare(&y[runs.range(run)], |index| field.mul(z[index], scale), run)
    })?;
    Ok(Passed::by_second_computation(METHOD))
}

/// The functions of the second operand of a convolution: one, or as many as the first has.
fn second_runs(runs: Runs, values: usize) -> Result<usize, CheckError> {
    match values.checked_div(runs.len) {
        Some(1) if values == runs.len => Ok(1),
        Some(count) if values == count * runs.len && count == runs.count => Ok(count.max(1)),
        _ => Err(CheckError::Shape { what: format!("{values} values as functions of {}", runs.len) }),
    }
}

#[cfg(test)]
mod tests;

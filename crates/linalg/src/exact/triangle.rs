//! Hermite forms of lattices of full rank, modulo numbers that are small for most lattices (after Pernet and Stein, "Fast computation of
//! Hermite normal forms of random integer matrices", Journal of Number Theory 130, 2010).
//!
//! ```text
//! H = [ H'  h ]   H' is the form of the first columns, whose determinant divides that of the matrix D and, for every right side y,
//!     [ 0   d ]   that of the matrix with y in the place of the last column, which is D times the last entry of the solution of A x = y
//! ```
//!
//! The greatest common divisor of both is small for most matrices, and `H'` modulo it takes words. Every row `r` of the lattice has
//! `r D x = 0` modulo `D`, which determines the last column where the last entry of `D x / det(H')` is a unit modulo `d`. For more rows
//! than columns, a vector of the lattice gives its determinant: that of a regular part, divided by the denominator of the vector in its
//! terms.

use manycore_device::Device;
use manycore_verify::SplitMix;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};

use super::determinant::determinant_of_multiple;
use super::lift::Lifting;
use super::modulo::hermite_modulo;
use crate::error::LinalgError;

/// Right sides that are tried. Each leaves a prime of `d` with a chance of one in that prime.
const SIDES: usize = 40;

/// The Hermite form of the lattice that rows of `order` integers span, `order^2` entries: with `part`, a regular matrix of the rows at the
/// places `chosen`. `None` where what is computed contradicts itself, as that of a device that fails does.
///
/// # Errors
/// [`LinalgError::Device`].
pub(super) fn triangle(
    device: &Device,
    order: usize,
    rows: &[BigInt],
    chosen: &[usize],
    part: &Lifting<BigInt>,
) -> Result<Option<Vec<BigInt>>, LinalgError> {
    if order == 0 {
        return Ok(Some(Vec::new()));
    }
    let mut random = SplitMix::new(1);
    let mut draw = |count: usize| -> Vec<BigInt> { (0..count).map(|_| (random.next_word() >> 32).into()).collect() };
    let mut solved = || {
        let x = part.solve(&draw(order));
        (x.numerators, BigInt::from(x.denominator))
    };
    let (mut solution, denominator) = solved();
    let size = determinant_of_multiple(device, order, part.matrix(), &denominator)?.abs();
    if size.is_zero() {
        return Ok(None);
    }
    if rows.len() > order * order {
        let mut sum = vec![BigInt::ZERO; order];
        let others = rows.chunks(order).enumerate().filter(|(row, _)| chosen.binary_search(row).is_err());
        for ((_, row), factor) in others.zip(draw(rows.len() / order)) {
            sum.iter_mut().zip(row).for_each(|(sum, word)| *sum += &factor * word);
        }
        let (modulus, rest) = size.div_rem(&part.transposed().solve(&sum).denominator.into());
        return if rest.is_zero() { hermite_modulo(order, rows.to_vec(), &modulus).map(Some) } else { Ok(None) };
    }
    let scale = |solution: &mut [BigInt], denominator: &BigInt| {
        let (factor, rest) = size.div_rem(denominator);
        for word in solution {
            *word *= &factor;
        }
        rest.is_zero()
    };
    if !scale(&mut solution, &denominator) {
        return Ok(None);
    }
    let first = order - 1;
    let common = size.gcd(&solution[first]);
    let leading = rows.chunks(order).flat_map(|row| row[..first].iter().cloned()).collect();
    let upper = hermite_modulo(first, leading, &common)?;
    let index: BigInt = upper.iter().step_by(order).product();
    let (last, rest) = size.div_rem(&index);
    if !rest.is_zero() {
        return Ok(None);
    }
    // What the last column counts with, and what it shares with the modulus.
    let mut unit = &solution[first] / &index;
    let mut common = unit.gcd(&last);
    for _ in 0..SIDES {
        if common.is_one() {
            break;
        }
        let (mut other, denominator) = solved();
        if !scale(&mut other, &denominator) {
            return Ok(None);
        }
        let step = &other[first] / &index;
        let wanted = common.gcd(&step);
        if wanted == common {
            continue;
        }
        // Each prime excludes one multiple at most of those modulo it.
        let mut multiple = BigInt::ZERO;
        while unit.gcd(&last) != wanted {
            unit += &step;
            multiple += 1;
        }
        solution.iter_mut().zip(&other).for_each(|(word, add)| *word += &multiple * add);
        common = wanted;
    }
    let Some(inverse) = unit.modinv(&last) else { return hermite_modulo(order, rows.to_vec(), &size).map(Some) };
    let mut form = Vec::with_capacity(rows.len());
    for row in upper.chunks(first.max(1)) {
        let terms = row.iter().zip(&solution).filter(|(word, _)| !word.is_zero());
        let (quotient, rest) = terms.map(|(word, x)| word * x).sum::<BigInt>().div_rem(&index);
        if !rest.is_zero() {
            return Ok(None);
        }
        form.extend_from_slice(row);
        form.push((-quotient * &inverse).mod_floor(&last));
    }
    form.resize(rows.len() - 1, BigInt::ZERO);
    form.push(last);
    Ok(Some(form))
}

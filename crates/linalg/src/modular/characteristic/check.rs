//! The check of minimal polynomials on the host: values at the matrix on random vectors, and independent powers.

use manycore_verify::{Chance, CheckError, Outcome, Passed, SplitMix, matrix};

use crate::field::{MatrixField, dot};
use crate::modular::algebra::residue;

/// How minimal polynomials are checked, as reports name it.
const METHOD: &str = "values at the matrix on random vectors, and independent powers";

/// Whether coefficients, the constant term first and the leading one 1, are those of the minimal polynomial of a square matrix, row after
/// row: its value at the matrix must give 0 on random vectors, and the powers of the matrix below its degree be independent, on as many
/// random vectors as that takes. One that is not 0 at the matrix passes with a chance below `2^-64`, one of too large a degree never.
///
/// `k d n^2` products for degree `d`, with `k` from 2 to 65 by the prime, and `d^2 n` for the independence.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_linalg::characteristic::check_minimal_polynomial;
/// use manycore_verify::SplitMix;
/// let field = PrimeField::<u32>::new(101)?;
/// let mut check = |found: &[u32]| check_minimal_polynomial(&field, 2, &[2, 0, 0, 2], found, &mut SplitMix::new(1));
/// assert!(check(&[99, 1]).is_ok()); // x - 2
/// assert!(check(&[4, 97, 1]).is_err()); // (x - 2)^2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CheckError::Relation`], [`CheckError::Length`] and [`CheckError::OutOfRange`] for a wrong polynomial; [`CheckError::Shape`] for
/// another number of entries than the order asks for.
#[inline(never)]
pub fn check_minimal_polynomial<F: MatrixField>(
    field: &F,
    order: usize,
    a: &[F::Element],
    found: &[F::Element],
    random: &mut SplitMix,
) -> Outcome {
    if order.checked_mul(order) != Some(a.len()) {
        return Err(CheckError::Shape { what: format!("a square matrix of {} entries for order {order}", a.len()) });
    }
    if found.is_empty() || found.len() > order + 1 {
        return Err(CheckError::Length { found: found.len(), expected: order + 1 });
    }
    if let Err(error) = field.check(found) {
        return Err(CheckError::Relation { relation: format!("that coefficient {} is a residue", error.index) });
    }
    let degree = found.len() - 1;
    if found[degree] != field.one() {
        return Err(CheckError::Relation { relation: "that the leading coefficient is 1".to_owned() });
    }
    let p = field.order();
    let rounds = (65.0 / (p as f64).log2()).ceil() as usize;
    // Of each power of the matrix its values on the vectors so far.
    let mut powers: Vec<Vec<F::Element>> = vec![Vec::new(); degree];
    // The number of vectors in the test of independence.
    let mut wanted = 1;
    let mut is_independent = degree == 0;
    for round in 0..rounds {
        let mut vector: Vec<F::Element> = (0..order).map(|_| residue(field, random)).collect();
        let mut sum = vec![field.zero(); order];
        for (k, &coefficient) in found.iter().enumerate() {
            sum.iter_mut().zip(&vector).for_each(|(sum, &x)| *sum = field.add(*sum, field.mul(coefficient, x)));
            if k < degree {
                if !is_independent {
                    powers[k].extend_from_slice(&vector);
                }
                vector = a.chunks(order.max(1)).map(|row| dot(field, row, &vector)).collect();
            }
        }
        if let Some(row) = sum.iter().position(|&x| x != field.zero()) {
            let relation = format!("entry {row} of m(a) r = 0 for a random vector r");
            return Err(CheckError::Relation { relation });
        }
        if !is_independent && (round + 1 == wanted || round + 1 == rounds) {
            wanted *= 2;
            let width = (round + 1) * order;
            is_independent = matrix::rank(p, (degree, width), &powers.concat(), degree, random).is_ok();
            if is_independent {
                powers = vec![Vec::new(); degree];
            }
        }
    }
    if is_independent {
        let log2 = -(rounds as f64) * (p as f64).log2();
        return Ok(Passed { method: METHOD, chance: Chance::Below { log2 } });
    }
    let relation = format!("that the powers of the matrix below {degree} are independent");
    Err(CheckError::Relation { relation })
}

//! Products, eliminations and inverses of matrices: tiles and digits; column by column, within local memory, by blocks.

use std::cmp::Ordering;

use anyhow::Result;
use manycore_field::{PrimeField, ResidueWord as _};
use manycore_linalg::{Elimination, EliminationShape, Inversion, LinearAlgebra, MatrixField, ProductPlan};

use super::bench::Bench;
use crate::data;
use crate::lines::Line;
use crate::walsh::Profile;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let orders: &[u32] = match (bench.gpu(), bench.profile) {
        (true, Profile::Quick) => &[6, 8, 10],
        (true, _) => &[5, 6, 7, 8, 9, 10, 11, 12],
        (false, Profile::Quick) => &[6],
        (false, _) => &[5, 6, 7, 8, 9],
    };
    one(bench, "29 bits", PrimeField::<u32>::new(469_762_049)?, orders, emit)?;
    if bench.profile == Profile::Quick {
        return Ok(());
    }
    // The largest prime below 2^62.
    one(bench, "62 bits", PrimeField::<u64>::new((1 << 62) - 57)?, orders, emit)
}

fn one<F: MatrixField>(
    bench: &Bench<'_>,
    modulus: &str,
    field: F,
    orders: &[u32],
    emit: &mut impl FnMut(Line),
) -> Result<()> {
    let p = field.order();
    let space = LinearAlgebra::new(bench.device, field)?;
    let matrix = |order: usize, seed| -> Result<_> {
        let words = data::residues(order * order, p, seed).into_iter().map(F::Element::from_u64);
        Ok(space.matrix(order, order, &words.collect::<Vec<_>>())?)
    };
    for &log in orders {
        let (name, order) = (format!("choice/matrix-mul/{modulus}/2^{log}"), 1 << log);
        if bench.wants(&name) {
            let (a, b) = (matrix(order, 1)?, matrix(order, 2)?);
            let choice = space.explain_product(order, order, order)?;
            let seconds = |plan: &ProductPlan| bench.seconds(|| Ok(space.mul_with(&a, &b, *plan).map(drop)?));
            bench.candidates("matrix-mul", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    for &log in orders {
        let (name, order) = (format!("choice/matrix-det/{modulus}/2^{log}"), 1 << log);
        if bench.wants(&name) {
            let a = matrix(order, 1)?;
            let choice = space.explain_elimination(&EliminationShape::determinant(order))?;
            let seconds = |how: &Elimination| bench.seconds(|| Ok(space.determinant_by(&a, *how).map(drop)?));
            bench.candidates("matrix-det", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    for &log in orders {
        let (name, order) = (format!("choice/matrix-inverse/{modulus}/2^{log}"), 1 << log);
        if bench.wants(&name) {
            // Upper triangular, with ones on the diagonal: it has an inverse.
            let words = data::residues(order * order, p, 1).into_iter().enumerate().map(|(at, word)| {
                F::Element::from_u64(match (at % order).cmp(&(at / order)) {
                    Ordering::Less => 0,
                    Ordering::Equal => 1,
                    Ordering::Greater => word,
                })
            });
            let a = space.matrix(order, order, &words.collect::<Vec<_>>())?;
            let choice = space.explain_inverse(order)?;
            let seconds = |how: &Inversion| bench.seconds(|| Ok(space.inverse_by(&a, *how).map(drop)?));
            bench.candidates("matrix-inverse", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    Ok(())
}

//! Products on the host without transforms: by the definition over threads, and Karatsuba's.

use manycore_device::{HostPool, Team};

use super::{Plan, Shape, karatsuba};
use crate::host::ShortPolynomials;
use crate::poly::PolyField;

/// Products of a batch for each thread, from which on a thread makes each alone.
pub(super) const PRODUCTS_PER_THREAD: usize = 4;
/// The fewest coefficients that a thread makes of a plain product.
pub(super) const LEAST_PART: usize = 256;

/// About how many products of coefficients the definition takes.
pub(super) const fn products(shape: &Shape) -> u64 {
    let short = if shape.n < shape.m { shape.n } else { shape.m };
    (shape.count as u64).saturating_mul(shape.len as u64).saturating_mul(short as u64)
}

/// The products of `shape` into `out`, by a plan of the host over a team.
pub(crate) fn run<F: PolyField>(
    field: &F,
    (pool, team): (&HostPool, Team<'_>),
    plan: &Plan,
    shape: &Shape,
    a: &[F::Element],
    b: &[F::Element],
    out: &mut [F::Element],
) {
    if out.is_empty() {
        return;
    }
    // Who shares the products, and who shares one.
    let (outer, inner) =
        if shape.count >= PRODUCTS_PER_THREAD * team.threads() { (team, Team::ALONE) } else { (Team::ALONE, team) };
    let one = |(index, out): (usize, &mut [F::Element])| {
        let a = &a[index * shape.n..][..shape.n];
        let b = &b[index * shape.m..][..shape.m];
        match plan {
            Plan::Karatsuba { base } => {
                // A square is one factor, given twice.
                let b = if shape.square { a } else { b };
                karatsuba::ranged(field, (a, b), shape.low, out, *base, inner);
            }
            _ => plain(field, a, b, shape.low, out, inner),
        }
    };
    let name = if matches!(plan, Plan::Karatsuba { .. }) { "karatsuba" } else { "product_plain" };
    let (bytes, operations) = (size_of_val(out) as u64 * 3, products(shape));
    pool.step(name, bytes, operations, || outer.each(out.chunks_mut(shape.len).enumerate(), one));
}

fn plain<F: ShortPolynomials>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    low: usize,
    out: &mut [F::Element],
    team: Team<'_>,
) {
    // Several parts for each thread, since those in the middle have the longest sums.
    let part = out.len().div_ceil(8 * team.threads()).next_multiple_of(LEAST_PART);
    let part = if team.is_alone() { out.len() } else { part };
    team.each(out.chunks_mut(part).enumerate(), |(i, out)| field.convolve(a, b, low + i * part, out));
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_field::{Goldilocks, PrimeField};

    fn elements<F: ShortPolynomials>(field: &F, len: usize, salt: u64) -> Vec<F::Element> {
        (0..len).map(|i| crate::arithmetic::linear::reference::random(field, salt, i as u64)).collect()
    }

    fn check<F: PolyField>(field: &F) {
        let device = manycore_device::Device::host();
        let manycore_device::Executor::Host(pool) = device.executor() else { panic!("the host") };
        // Threads, in a batch, in a range that goes past the product.
        let shape = Shape { count: 3, n: 700, m: 650, low: 5, len: 1400, square: false };
        let (a, b) = (elements(field, 2100, 1), elements(field, 1950, 2));
        for plan in [Plan::Plain, Plan::Karatsuba { base: 64 }] {
            let mut out = vec![field.one(); 3 * shape.len];
            run(field, (pool, pool.team()), &plan, &shape, &a, &b, &mut out);
            for (i, out) in out.chunks(shape.len).enumerate() {
                let mut expected = vec![field.zero(); 1349];
                field.convolve(&a[700 * i..][..700], &b[650 * i..][..650], 0, &mut expected);
                expected.resize(shape.low + shape.len, field.zero());
                assert_eq!(out, &expected[5..], "{plan} mod {}", field.order());
            }
        }
    }

    #[test]
    fn every_way_equals_the_definition() {
        check(&PrimeField::<u32>::new(2).unwrap());
        check(&PrimeField::<u32>::new(2_013_265_921).unwrap());
        check(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap());
        check(&Goldilocks);
    }
}

//! Values of polynomials on the host.

use manycore_device::{HostPool, Team};
use manycore_model::Machine;
use manycore_ntt::cost::Operations;

use super::cost::LOG_BLOCK;
use super::reference;
use crate::poly::PolyField;

/// Coefficients up to which Horner's rule is taken alone.
const SHORT: usize = 32;
/// Blocks that a thread takes at a time.
const BLOCKS: usize = 32;

/// The team that shares sums of `products` products of words.
fn team<'a, E>((pool, machine): (&'a HostPool, &Machine), products: usize) -> Team<'a> {
    // A product and a sum of words of 32 bits in a vector; of 64 bits one at a time, with carries.
    let one = if size_of::<E>() == 4 { Operations::int32(2) } else { Operations::scalar(4) };
    let bytes = (products * size_of::<E>()) as u64;
    pool.team().only_if(!one.times(products as u64).suit_one_processor(bytes, machine))
}

pub(super) fn evaluate<F: PolyField>(
    field: &F,
    (pool, machine): (&HostPool, &Machine),
    f: &[F::Element],
    x: F::Element,
) -> F::Element {
    let (bytes, operations) = (size_of_val(f) as u64, f.len() as u64);
    let team = team::<F::Element>((pool, machine), f.len());
    if team.is_alone() {
        return pool.step("evaluate", bytes, operations, || evaluate_here(field, f, x));
    }
    pool.step("evaluate", bytes, operations, || {
        let part = f.len().div_ceil(4 * team.threads());
        let mut values = vec![field.zero(); f.len().div_ceil(part)];
        team.each(f.chunks(part).zip(&mut values), |(part, value)| *value = evaluate_here(field, part, x));
        reference::evaluate(field, &values, field.power(x, part as u64))
    })
}

/// The value on the calling thread.
pub(super) fn evaluate_here<F: PolyField>(field: &F, f: &[F::Element], x: F::Element) -> F::Element {
    if f.len() <= SHORT {
        return reference::evaluate(field, f, x);
    }
    let table = powers(field, x, f.len().min(1 << LOG_BLOCK));
    let values: Vec<F::Element> = f.chunks(table.len()).map(|block| field.dot(block, &table)).collect();
    evaluate_here(field, &values, field.power(x, table.len() as u64))
}

/// The sums of products of each block with each row of a table.
pub(super) fn project<F: PolyField>(
    field: &F,
    (pool, machine): (&HostPool, &Machine),
    f: &[F::Element],
    table: &[F::Element],
    log_block: u32,
    rows: usize,
) -> Vec<F::Element> {
    let mut sums = vec![field.zero(); f.len().div_ceil(1 << log_block) * rows];
    if sums.is_empty() {
        return sums;
    }
    let (bytes, operations) = (size_of_val(f) as u64, f.len() as u64 * rows as u64);
    let one = |(block, sums): (&[F::Element], &mut [F::Element])| {
        for (sum, row) in sums.iter_mut().zip(table.chunks(1 << log_block)) {
            *sum = field.dot(block, row);
        }
    };
    let team = team::<F::Element>((pool, machine), f.len() * rows);
    pool.step("project", bytes, operations, || {
        team.each(f.chunks(BLOCKS << log_block).zip(sums.chunks_mut(BLOCKS * rows)), |(f, sums)| {
            f.chunks(1 << log_block).zip(sums.chunks_mut(rows)).for_each(one);
        });
    });
    sums
}

/// `x^0, ..., x^(count - 1)`.
pub(super) fn powers<F: PolyField>(field: &F, x: F::Element, count: usize) -> Vec<F::Element> {
    std::iter::successors(Some(field.one()), |&power| Some(field.mul(power, x))).take(count).collect()
}

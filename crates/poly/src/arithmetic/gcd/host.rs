//! Greatest common divisors on the host: one on the calling thread, many on all.

use manycore_device::{HostPool, Team};
use manycore_model::Machine;

use super::cost::OnHost;
use super::euclid;
use super::plan::GcdShape;
use crate::poly::PolyField;

/// Pairs that a thread takes at a time.
const PAIRS: usize = 16;

/// The monic greatest common divisor.
pub(super) fn gcd<F: PolyField>(field: &F, pool: &HostPool, a: &[F::Element], b: &[F::Element]) -> Vec<F::Element> {
    let shape = GcdShape { count: 1, n: a.len(), m: b.len() };
    pool.step("gcd_euclid", bytes::<F>(&shape), OnHost::products(&shape), || {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        euclid::monic_gcd(field, &mut a, &mut b);
        a
    })
}

/// The monic greatest common divisors of the pairs of `shape` into rows of `out`, as long as the longer polynomial, and their
/// numbers of coefficients.
pub(super) fn batch<F: PolyField>(
    field: &F,
    (pool, machine): (&HostPool, &Machine),
    shape: &GcdShape,
    a: &[F::Element],
    b: &[F::Element],
    out: &mut [F::Element],
) -> Vec<u32> {
    let mut lens = vec![0; shape.count];
    let row = shape.longest();
    if row == 0 {
        return lens;
    }
    let one = |scratch: &mut (Vec<F::Element>, Vec<F::Element>),
               (first, out, lens): (usize, &mut [F::Element], &mut [u32])| {
        for (i, (out, len)) in out.chunks_mut(row).zip(lens).enumerate() {
            let index = first + i;
            scratch.0.clear();
            scratch.0.extend_from_slice(&a[index * shape.n..][..shape.n]);
            scratch.1.clear();
            scratch.1.extend_from_slice(&b[index * shape.m..][..shape.m]);
            euclid::monic_gcd(field, &mut scratch.0, &mut scratch.1);
            let divisor = &scratch.0;
            out[..divisor.len()].copy_from_slice(divisor);
            out[divisor.len()..].fill(field.zero());
            *len = divisor.len() as u32;
        }
    };
    let alone = OnHost { word_bytes: size_of::<F::Element>() as u32, order: field.order() }.suits_one(shape, machine);
    let team: Team<'_> = pool.team().only_if(!alone);
    pool.step("gcd_euclid", bytes::<F>(shape), OnHost::products(shape), || {
        let parts = out.chunks_mut(PAIRS * row).zip(lens.chunks_mut(PAIRS)).enumerate();
        let parts = parts.map(|(i, (out, lens))| (i * PAIRS, out, lens));
        team.each_with(parts, || (Vec::with_capacity(row), Vec::with_capacity(row)), one);
    });
    lens
}

fn bytes<F: PolyField>(shape: &GcdShape) -> u64 {
    ((shape.n + shape.m + shape.longest()) * shape.count * size_of::<F::Element>()) as u64
}

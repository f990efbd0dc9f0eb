//! The number-theoretic transform on the host: depth first over the remainder tree, over threads.

use manycore_field::{Goldilocks, KernelField, PrimeField};
use rayon::prelude::*;

use super::tables::block_roots;
use super::{Kind, Ntt, NttField, SpectrumOrder, Way};

/// Values up to which a block is transformed level by level, in the caches.
pub(crate) const SERIAL_VALUES: usize = 1 << 12;

/// Fields that the host's transforms know; sealed.
pub trait HostField: KernelField {}

impl HostField for PrimeField<u32> {}
impl HostField for PrimeField<u64> {}
impl HostField for Goldilocks {}

/// Roots of both directions.
#[derive(Debug)]
pub(super) struct Tables<F: NttField> {
    field: F,
    forward: Vec<F::Element>,
    inverse: Vec<F::Element>,
    /// The powers that make a negacyclic transform a cyclic one, and back with the division by the length; empty for
    /// cyclic ones.
    twist: Vec<F::Element>,
    untwist: Vec<F::Element>,
    scale: F::Element,
}

impl<F: NttField> Tables<F> {
    pub(super) fn new(ntt: &Ntt<F>) -> Self {
        let field = ntt.field().clone();
        let log_count = ntt.log_len.saturating_sub(1);
        let roots = |way| block_roots(&field, log_count, |log_order| ntt.root_of(log_order, way));
        let powers = |way, start: F::Element| -> Vec<F::Element> {
            if ntt.kind == Kind::Cyclic {
                return Vec::new();
            }
            let step = ntt.root_of(ntt.log_len + 1, way);
            std::iter::successors(Some(start), |&w| Some(field.mul(w, step))).take(ntt.len()).collect()
        };
        Self {
            forward: roots(Way::Forward),
            inverse: roots(Way::Inverse),
            twist: powers(Way::Forward, field.one()),
            untwist: powers(Way::Inverse, ntt.scale()),
            scale: ntt.scale(),
            field,
        }
    }
}

/// Transforms every run of `2^log_len` canonical residues of `x` in place.
pub(super) fn transform<F: NttField>(
    tables: &Tables<F>,
    x: &mut [F::Element],
    log_len: u32,
    way: Way,
    order: SpectrumOrder,
) {
    let field = &tables.field;
    let one = |run: &mut [F::Element]| {
        let times = |run: &mut [F::Element], factors: &[F::Element]| {
            run.iter_mut().zip(factors).for_each(|(x, w)| *x = field.mul(*x, *w));
        };
        match way {
            Way::Forward => {
                times(run, &tables.twist);
                down(tables, run, 0);
                if order == SpectrumOrder::Natural {
                    reverse(run);
                }
            }
            Way::Inverse => {
                if order == SpectrumOrder::Natural {
                    reverse(run);
                }
                up(tables, run, 0);
                if tables.untwist.is_empty() {
                    for x in run {
                        *x = field.mul(*x, tables.scale);
                    }
                } else {
                    times(run, &tables.untwist);
                }
            }
        }
    };
    if x.len() >> log_len == 1 {
        one(x);
    } else {
        x.par_chunks_exact_mut(1 << log_len).for_each(one);
    }
}

/// Every value to the place whose bits are its own in reversed order.
fn reverse<T>(x: &mut [T]) {
    let bits = x.len().ilog2();
    for i in 0..x.len() {
        let j = if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) };
        if i < j {
            x.swap(i, j);
        }
    }
}

/// Block `block` of the tree, from its root down.
fn down<F: NttField>(tables: &Tables<F>, x: &mut [F::Element], block: usize) {
    if x.len() < 2 {
        return;
    }
    let (field, w) = (&tables.field, tables.forward[block]);
    let (low, high) = x.split_at_mut(x.len() / 2);
    for (u, v) in low.iter_mut().zip(high.iter_mut()) {
        let (a, b) = (*u, field.mul(*v, w));
        (*u, *v) = (field.add(a, b), field.sub(a, b));
    }
    if low.len() >= SERIAL_VALUES {
        rayon::join(|| down(tables, low, 2 * block), || down(tables, high, 2 * block + 1));
    } else {
        down(tables, low, 2 * block);
        down(tables, high, 2 * block + 1);
    }
}

/// The same up to its root.
fn up<F: NttField>(tables: &Tables<F>, x: &mut [F::Element], block: usize) {
    if x.len() < 2 {
        return;
    }
    let (field, w) = (&tables.field, tables.inverse[block]);
    let (low, high) = x.split_at_mut(x.len() / 2);
    if low.len() >= SERIAL_VALUES {
        rayon::join(|| up(tables, low, 2 * block), || up(tables, high, 2 * block + 1));
    } else {
        up(tables, low, 2 * block);
        up(tables, high, 2 * block + 1);
    }
    for (u, v) in low.iter_mut().zip(high.iter_mut()) {
        let (a, b) = (*u, *v);
        (*u, *v) = (field.add(a, b), field.mul(field.sub(a, b), w));
    }
}

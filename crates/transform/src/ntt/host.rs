//! The number-theoretic transform on the host: depth first over the remainder tree, over threads.

use rayon::prelude::*;

use super::tables::{Factor, block_roots, factor};
use super::{Kind, Ntt, Way};

/// Values up to which a block is transformed level by level, in the caches.
pub(crate) const SERIAL_VALUES: usize = 1 << 12;

/// Roots of both directions.
#[derive(Debug)]
pub(super) struct Tables {
    p: u32,
    forward: Vec<Factor>,
    inverse: Vec<Factor>,
    /// The powers that make a negacyclic transform a cyclic one, and back with the division by the length; empty for
    /// cyclic ones.
    twist: Vec<Factor>,
    untwist: Vec<Factor>,
    scale: Factor,
}

impl Tables {
    pub(super) fn new(ntt: &Ntt) -> Self {
        let (field, p) = (ntt.field(), ntt.field().modulus());
        let log_count = ntt.log_len.saturating_sub(1);
        let roots = |way| block_roots(field, log_count, |log_order| ntt.root_of(log_order, way));
        let powers = |way, start: u32| -> Vec<Factor> {
            if ntt.kind == Kind::Cyclic {
                return Vec::new();
            }
            let step = ntt.root_of(ntt.log_len + 1, way);
            let next = |w: &u32| Some(multiply(*w, factor(step, p), p));
            std::iter::successors(Some(start), next).take(ntt.len()).map(|w| factor(w, p)).collect()
        };
        Self {
            p,
            forward: roots(Way::Forward),
            inverse: roots(Way::Inverse),
            twist: powers(Way::Forward, 1 % p),
            untwist: powers(Way::Inverse, ntt.scale()),
            scale: factor(ntt.scale(), p),
        }
    }
}

/// `x w mod p` for any `x`, canonical.
#[inline(always)]
fn multiply(x: u32, [w, quotient]: Factor, p: u32) -> u32 {
    let high = ((u64::from(x) * u64::from(quotient)) >> 32) as u32;
    let residue = x.wrapping_mul(w).wrapping_sub(high.wrapping_mul(p));
    residue.min(residue.wrapping_sub(p))
}

/// Transforms every run of `2^log_len` residues below `p` of `x` in place.
pub(super) fn transform(tables: &Tables, x: &mut [u32], log_len: u32, way: Way) {
    let one = |run: &mut [u32]| {
        let times = |run: &mut [u32], factors: &[Factor]| {
            run.iter_mut().zip(factors).for_each(|(x, w)| *x = multiply(*x, *w, tables.p));
        };
        match way {
            Way::Forward => {
                times(run, &tables.twist);
                down(tables, run, 0);
            }
            Way::Inverse => {
                up(tables, run, 0);
                if tables.untwist.is_empty() {
                    let (w, p) = (tables.scale, tables.p);
                    for x in run {
                        *x = multiply(*x, w, p);
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

/// Block `block` of the tree, from its root down.
fn down(tables: &Tables, x: &mut [u32], block: usize) {
    if x.len() < 2 {
        return;
    }
    let (p, w) = (tables.p, tables.forward[block]);
    let (low, high) = x.split_at_mut(x.len() / 2);
    for (u, v) in low.iter_mut().zip(high.iter_mut()) {
        let (a, b) = (*u, multiply(*v, w, p));
        let (sum, difference) = (a + b, a.wrapping_sub(b));
        *u = sum.min(sum.wrapping_sub(p));
        *v = difference.min(difference.wrapping_add(p));
    }
    if low.len() >= SERIAL_VALUES {
        rayon::join(|| down(tables, low, 2 * block), || down(tables, high, 2 * block + 1));
    } else {
        down(tables, low, 2 * block);
        down(tables, high, 2 * block + 1);
    }
}

/// The same up to its root.
fn up(tables: &Tables, x: &mut [u32], block: usize) {
    if x.len() < 2 {
        return;
    }
    let (p, w) = (tables.p, tables.inverse[block]);
    let (low, high) = x.split_at_mut(x.len() / 2);
    if low.len() >= SERIAL_VALUES {
        rayon::join(|| up(tables, low, 2 * block), || up(tables, high, 2 * block + 1));
    } else {
        up(tables, low, 2 * block);
        up(tables, high, 2 * block + 1);
    }
    for (u, v) in low.iter_mut().zip(high.iter_mut()) {
        let (a, b) = (*u, *v);
        let sum = a + b;
        *u = sum.min(sum.wrapping_sub(p));
        *v = multiply(a.wrapping_sub(b).wrapping_add(p), w, p);
    }
}

//! Powers of roots of unity as the kernels want them.

use manycore_field::{PrimeField, Semiring};
use rayon::prelude::*;

/// A factor and its quotient `floor(w * 2^32 / p)`, side by side as the kernels read them.
pub(super) type Factor = [u32; 2];

/// `w` with its quotient by `p`.
pub(super) fn factor(w: u32, p: u32) -> Factor {
    [w, ((u64::from(w) << 32) / u64::from(p)) as u32]
}

/// The roots of the blocks of the remainder tree: entry `i` is `w^reversed(i)`, for `2^log_count` blocks, where `w` has the
/// order `2^(log_count + 1)`.
///
/// `root(k)` is the root of order `2^k` of the transform, or its inverse.
pub(super) fn block_roots(field: &PrimeField<u32>, log_count: u32, root: impl Fn(u32) -> u32) -> Vec<Factor> {
    let mut roots = vec![1u32];
    for level in 0..log_count {
        let next = root(level + 2);
        let more: Vec<u32> = roots.iter().map(|&w| field.mul(w, next)).collect();
        roots.extend(more);
    }
    roots.into_iter().map(|w| factor(w, field.modulus())).collect()
}

/// The factors that twist the parts of a transform into transforms of their own: value `j` of part `t` is multiplied by
/// `g^j`, `g = base^reversed(t)`, in two steps: `g^(j mod 2^log_items)` by item, the rest by register.
pub(super) struct Twist {
    /// For each part, `2^log_items` factors.
    pub(super) items: Vec<Factor>,
    /// For each part, `2^log_regs` factors.
    pub(super) registers: Vec<Factor>,
}

impl Twist {
    /// For `2^log_parts` parts, each with `2^(log_items + log_regs)` values; register factors are multiplied by `scale`.
    pub(super) fn new(
        field: &PrimeField<u32>,
        base: u32,
        log_parts: u32,
        log_items: u32,
        log_regs: u32,
        scale: u32,
    ) -> Self {
        let p = field.modulus();
        let reversed = |t: usize| if log_parts == 0 { 0 } else { t.reverse_bits() >> (usize::BITS - log_parts) };
        let mut items = vec![[0; 2]; 1 << (log_parts + log_items)];
        let mut registers = vec![[0; 2]; 1 << (log_parts + log_regs)];
        let parts = items.par_chunks_exact_mut(1 << log_items).zip(registers.par_chunks_exact_mut(1 << log_regs));
        parts.enumerate().for_each(|(t, (items, registers))| {
            // Without parts the base itself twists: a negacyclic transform.
            let g = if log_parts == 0 { base } else { field.power(base, reversed(t) as u64) };
            let fill = |to: &mut [Factor], start: u32, step: u32| {
                let mut w = start;
                for factor_of in to {
                    *factor_of = factor(w, p);
                    w = field.mul(w, step);
                }
            };
            fill(items, 1, g);
            fill(registers, scale, field.power(g, 1 << log_items));
        });
        Self { items, registers }
    }
}

//! Powers of roots of unity as the kernels want them.

use manycore_device::Words;
use manycore_field::{Arithmetic, KernelField};
use rayon::prelude::*;

/// The words of constants, side by side as the kernels read them.
#[inline(never)]
pub fn words<F: KernelField>(field: &F, arithmetic: Arithmetic, constants: &[F::Element]) -> Vec<F::Element> {
    let each = arithmetic.factor_words();
    let mut words = vec![field.zero(); each * constants.len()];
    let fill = |(words, constants): (&mut [F::Element], &[F::Element])| {
        for (to, &w) in words.chunks_exact_mut(each).zip(constants) {
            to.copy_from_slice(&field.factor(w, arithmetic)[..each]);
        }
    };
    // The calling thread alone is in no pool, and starts none.
    if rayon::current_thread_index().is_some() {
        words.par_chunks_mut(each << 10).zip(constants.par_chunks(1 << 10)).for_each(fill);
    } else {
        words.chunks_mut(each << 10).zip(constants.chunks(1 << 10)).for_each(fill);
    }
    words
}

/// The roots of the blocks of the remainder tree: entry `i` is `w^reversed(i)`, for `2^log_count` blocks, where `w` has the
/// order `2^(log_count + 1)`.
///
/// `root(k)` is the root of order `2^k` of the transform, or its inverse.
pub(super) fn block_roots<F: KernelField>(
    field: &F,
    log_count: u32,
    root: impl Fn(u32) -> F::Element,
) -> Vec<F::Element> {
    let mut roots = vec![field.one()];
    for level in 0..log_count {
        let next = root(level + 2);
        let more: Vec<F::Element> = roots.iter().map(|&w| field.mul(w, next)).collect();
        roots.extend(more);
    }
    roots
}

/// The words of the roots that kernels take by value, for items of `2^log_regs` values: a factor for every two, at least one.
pub fn root_words(arithmetic: Arithmetic, log_regs: u32) -> usize {
    arithmetic.factor_words() << log_regs.saturating_sub(1)
}

/// The roots of a round's blocks as kernels of `stages` levels take them by value: `2^(log_regs - 1)` factors, of which those past
/// the tree's are 0.
///
/// `root(k)` is the root of order `2^k` of the transform, or its inverse.
pub fn kernel_roots<F: KernelField>(
    field: &F,
    arithmetic: Arithmetic,
    stages: u32,
    log_regs: u32,
    root: impl Fn(u32) -> F::Element,
) -> Words<F::Element> {
    let mut roots = block_roots(field, log_regs.min(stages).saturating_sub(1), root);
    roots.resize(root_words(arithmetic, log_regs) / arithmetic.factor_words(), field.zero());
    Words::new(&words(field, arithmetic, &roots))
}

/// The factors between the rounds of a pass of `stages` levels, each round of `log_regs` of them: value `q` of block `i` is
/// multiplied by `w^(reversed(i) q)`, `w` of the order of the round's tree, so that each block begins a tree of its own. At
/// least one factor.
///
/// `root(k)` is the root of order `2^k` of the transform, or its inverse.
pub fn twiddles<F: KernelField>(
    field: &F,
    stages: u32,
    log_regs: u32,
    root: impl Fn(u32) -> F::Element,
) -> Vec<F::Element> {
    let mut factors = Vec::new();
    let mut left = stages;
    while left > log_regs {
        let (w, length) = (root(left), 1usize << (left - log_regs));
        for i in 0..1u64 << log_regs {
            let step = field.power(w, i.reverse_bits() >> (64 - log_regs));
            factors.extend(std::iter::successors(Some(field.one()), |&x| Some(field.mul(x, step))).take(length));
        }
        left -= log_regs;
    }
    if factors.is_empty() {
        factors.push(field.one());
    }
    factors
}

/// The factors that twist the parts of a transform into transforms of their own: value `j` of part `t` is multiplied by
/// `g^j`, `g = base^reversed(t)`, in two steps: `g^(j mod 2^log_items)` by item, the rest by register. Where there is but one
/// register, a scale is in the items.
pub(super) struct Twist<W> {
    /// For each part, `2^log_items` factors; in steps, those of the lower half of the items' bits, then those of the upper one.
    pub(super) items: Vec<W>,
    /// For each part, `2^log_regs` factors.
    pub(super) registers: Vec<W>,
}

impl<W: Copy + Send + Sync> Twist<W> {
    /// For `2^log_parts` parts, each with `2^(log_items + log_regs)` values; register factors are multiplied by `scale`.
    pub(super) fn new<F: KernelField<Element = W>>(
        field: &F,
        base: W,
        log_parts: u32,
        (log_items, log_regs): (u32, u32),
        (scale, in_steps): (W, bool),
    ) -> Self {
        let reversed = |t: usize| if log_parts == 0 { 0 } else { t.reverse_bits() >> (usize::BITS - log_parts) };
        let log_low = if in_steps { log_items / 2 } else { log_items };
        let (low, high) = (1usize << log_low, if in_steps { 1usize << (log_items - log_low) } else { 0 });
        let mut items = vec![field.zero(); (low + high) << log_parts];
        let mut registers = vec![field.zero(); 1 << (log_parts + log_regs)];
        let parts = items.par_chunks_exact_mut(low + high).zip(registers.par_chunks_exact_mut(1 << log_regs));
        parts.enumerate().for_each(|(t, (items, registers))| {
            // Without parts the base itself twists: a negacyclic transform.
            let g = if log_parts == 0 { base } else { field.power(base, reversed(t) as u64) };
            let fill = |to: &mut [W], start: W, step: W| {
                let mut w = start;
                for constant in to {
                    *constant = w;
                    w = field.mul(w, step);
                }
            };
            let (by_item, by_register) = if log_regs == 0 { (scale, field.one()) } else { (field.one(), scale) };
            let (lows, highs) = items.split_at_mut(low);
            fill(lows, by_item, g);
            fill(highs, field.one(), field.power(g, 1 << log_low));
            fill(registers, by_register, field.power(g, 1 << log_items));
        });
        Self { items, registers }
    }
}

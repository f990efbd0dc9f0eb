//! Karatsuba's products on the host.

use std::borrow::Cow;

use manycore_device::Team;

use crate::host::ShortPolynomials;

/// The fewest coefficients of a factor that another thread makes a product of.
pub(super) const LEAST_SHARED: usize = 128;
/// Parts that each thread of a team should have, so that all end together.
const PARTS_PER_THREAD: usize = 4;

/// The coefficients from `low` on.
pub(super) fn ranged<F: ShortPolynomials>(
    field: &F,
    (a, b): (&[F::Element], &[F::Element]),
    low: usize,
    out: &mut [F::Element],
    base: usize,
    team: Team<'_>,
) {
    let length = (a.len() + b.len()).saturating_sub(1);
    if a.is_empty() || b.is_empty() || low >= length {
        return out.fill(field.zero());
    }
    if low == 0 && out.len() == length {
        return shared(field, (a, b), out, base, team);
    }
    let mut whole = vec![field.zero(); length];
    shared(field, (a, b), &mut whole, base, team);
    let (copied, beyond) = out.split_at_mut(out.len().min(length - low));
    copied.copy_from_slice(&whole[low..low + copied.len()]);
    beyond.fill(field.zero());
}

/// The most levels of Karatsuba's cut that `threads` threads share.
pub(super) const fn shared_levels(threads: usize) -> u32 {
    (PARTS_PER_THREAD * threads).ilog(3) + 1
}

/// The whole product over a team: the parts of the first levels are products of their own.
fn shared<F: ShortPolynomials>(
    field: &F,
    (a, b): (&[F::Element], &[F::Element]),
    out: &mut [F::Element],
    base: usize,
    team: Team<'_>,
) {
    if team.is_alone() {
        return karatsuba(field, a, b, out, base);
    }
    let levels = shared_levels(team.threads());
    let square = std::ptr::eq(a, b);
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut product = Product::new(field, a.into(), (!square).then(|| b.into()), base, levels);
    let mut leaves = Vec::new();
    product.leaves(&mut leaves);
    team.each(leaves, |leaf| {
        let b = leaf.b.as_deref().unwrap_or(&leaf.a);
        karatsuba(field, &leaf.a, b, &mut leaf.product, base);
    });
    product.combine(field, out);
}

/// A product that one thread makes.
struct Leaf<'a, E: Clone> {
    a: Cow<'a, [E]>,
    /// `None` for a square.
    b: Option<Cow<'a, [E]>>,
    product: Vec<E>,
}

/// A product of parts.
enum Product<'a, E: Clone> {
    Leaf(Leaf<'a, E>),
    /// The products of the lower halves, `half` long, of the upper ones, and of both sums.
    Halves {
        half: usize,
        parts: Box<[Self; 3]>,
    },
    /// The products of a factor and parts of its length of a longer one.
    Parts {
        len: usize,
        parts: Vec<Self>,
    },
}

/// A part of a factor, borrowed where the factor is.
fn part<'a, E: Clone>(x: &Cow<'a, [E]>, range: std::ops::Range<usize>) -> Cow<'a, [E]> {
    match x {
        Cow::Borrowed(x) => Cow::Borrowed(&x[range]),
        Cow::Owned(x) => Cow::Owned(x[range].to_vec()),
    }
}

impl<'a, E: Copy + PartialEq> Product<'a, E> {
    /// Of `a` and a `b` that is not shorter, cut at most `levels` times.
    fn new<F: ShortPolynomials<Element = E>>(
        field: &F,
        a: Cow<'a, [E]>,
        b: Option<Cow<'a, [E]>>,
        base: usize,
        levels: u32,
    ) -> Self {
        let (n, m) = (a.len(), b.as_ref().map_or(a.len(), |b| b.len()));
        let half = m.div_ceil(2);
        if levels == 0 || n < base.max(LEAST_SHARED) {
            return Self::Leaf(Leaf { a, b, product: vec![field.zero(); n + m - 1] });
        }
        if let Some(b) = b.as_ref().filter(|_| n <= half) {
            let cut = |start: usize| {
                let b = part(b, start..m.min(start + n));
                let (a, b) = if b.len() < n { (b, a.clone()) } else { (a.clone(), b) };
                Self::new(field, a, Some(b), base, levels - 1)
            };
            return Self::Parts { len: n, parts: (0..m).step_by(n).map(cut).collect() };
        }
        let sum = |x: &Cow<'_, [E]>| -> Cow<'a, [E]> {
            let mut sum = x[..half].to_vec();
            field.add_slice(&mut sum, &x[half..]);
            sum.into()
        };
        let of = |a: Cow<'a, [E]>, b: Option<Cow<'a, [E]>>| Self::new(field, a, b, base, levels - 1);
        let low = of(part(&a, 0..half), b.as_ref().map(|b| part(b, 0..half)));
        let high = of(part(&a, half..n), b.as_ref().map(|b| part(b, half..m)));
        let middle = of(sum(&a), b.as_ref().map(sum));
        Self::Halves { half, parts: Box::new([low, high, middle]) }
    }

    fn leaves<'b>(&'b mut self, to: &mut Vec<&'b mut Leaf<'a, E>>) {
        match self {
            Self::Leaf(leaf) => to.push(leaf),
            Self::Halves { parts, .. } => parts.iter_mut().for_each(|part| part.leaves(to)),
            Self::Parts { parts, .. } => parts.iter_mut().for_each(|part| part.leaves(to)),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Leaf(leaf) => leaf.product.len(),
            Self::Halves { half, parts } => 2 * half + parts[1].len(),
            Self::Parts { len, parts } => (parts.len() - 1) * len + parts.last().map_or(0, Self::len),
        }
    }

    /// The product from the leaves' products, to `out` of its length.
    fn combine<F: ShortPolynomials<Element = E>>(&self, field: &F, out: &mut [E]) {
        match self {
            Self::Leaf(leaf) => out.copy_from_slice(&leaf.product),
            Self::Halves { half, parts } => {
                let [low, high, middle] = &**parts;
                low.combine(field, &mut out[..2 * half - 1]);
                out[2 * half - 1] = field.zero();
                high.combine(field, &mut out[2 * half..]);
                let mut sum = vec![field.zero(); middle.len()];
                middle.combine(field, &mut sum);
                join(field, out, &mut sum, *half);
            }
            Self::Parts { len, parts } => {
                out.fill(field.zero());
                for (i, part) in parts.iter().enumerate() {
                    let mut product = vec![field.zero(); part.len()];
                    part.combine(field, &mut product);
                    field.add_slice(&mut out[i * len..], &product);
                }
            }
        }
    }
}

/// Adds the middle part to the products of lower and upper halves that stand in `out`.
///
/// With `a = a0 + a1 x^h` and `b = b0 + b1 x^h` that part, `a0 b1 + a1 b0`, is `(a0 + a1)(b0 + b1) - a0 b0 - a1 b1`.
fn join<F: ShortPolynomials>(field: &F, out: &mut [F::Element], middle: &mut [F::Element], half: usize) {
    let (low, high) = out.split_at(2 * half);
    field.sub_slice(middle, &low[..2 * half - 1]);
    field.sub_slice(middle, high);
    field.add_slice(&mut out[half..], middle);
}

/// The whole product, `a.len() + b.len() - 1` coefficients, by the calling thread, in memory that is taken once.
fn karatsuba<F: ShortPolynomials>(field: &F, a: &[F::Element], b: &[F::Element], out: &mut [F::Element], base: usize) {
    let cuts = a.len().min(b.len()) >= base.max(2);
    let mut scratch = vec![field.zero(); if cuts { scratch_len(a.len().max(b.len())) } else { 0 }];
    cut(field, (a, b), out, base, &mut scratch);
}

/// Words that a product needs whose longer factor has `m` coefficients. A cut takes fewer than `4 ceil(m / 2)` words
/// for the sums of its halves and their product, and as many as its middle part needs. With `h = ceil(m / 2) <= (m + 1)
/// / 2` and `l(m)` cuts down to one coefficient, `4 h + 4 (h + l(h)) <= 4 (m + l(m))`; parts of a longer factor take `2
/// h + 4 (h + l(h))`, fewer.
fn scratch_len(m: usize) -> usize {
    4 * (m + m.max(1).next_power_of_two().ilog2() as usize + 1)
}

fn cut<F: ShortPolynomials>(
    field: &F,
    (a, b): (&[F::Element], &[F::Element]),
    out: &mut [F::Element],
    base: usize,
    scratch: &mut [F::Element],
) {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let half = b.len().div_ceil(2);
    if a.len() < base.max(2) {
        return field.convolve(a, b, 0, out);
    }
    if a.len() <= half {
        return unbalanced(field, a, b, out, base, scratch);
    }
    let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
    let (low, high) = out.split_at_mut(2 * half);
    cut(field, (a0, b0), &mut low[..2 * half - 1], base, scratch);
    low[2 * half - 1] = field.zero();
    cut(field, (a1, b1), high, base, scratch);
    let sum = |to: &mut [F::Element], x0: &[F::Element], x1: &[F::Element]| {
        to.copy_from_slice(x0);
        field.add_slice(to, x1);
    };
    let (middle, rest) = scratch.split_at_mut(2 * half - 1);
    let (x, rest) = rest.split_at_mut(half);
    sum(x, a0, a1);
    if std::ptr::eq(a, b) {
        cut(field, (x, x), middle, base, rest);
    } else {
        let (y, rest) = rest.split_at_mut(half);
        sum(y, b0, b1);
        cut(field, (x, y), middle, base, rest);
    }
    join(field, out, middle, half);
}

/// `b` is at least twice as long as `a`: products of `a` with parts of its length, which overlap.
fn unbalanced<F: ShortPolynomials>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    out: &mut [F::Element],
    base: usize,
    scratch: &mut [F::Element],
) {
    out.fill(field.zero());
    let (product, rest) = scratch.split_at_mut(2 * a.len() - 1);
    for (i, part) in b.chunks(a.len()).enumerate() {
        let product = &mut product[..a.len() + part.len() - 1];
        cut(field, (a, part), product, base, rest);
        field.add_slice(&mut out[i * a.len()..], product);
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::{Device, Executor};
    use manycore_field::{Goldilocks, PrimeField};

    use super::*;
    use crate::arithmetic::multiply::reference;

    fn check<F: ShortPolynomials>(field: &F) {
        let elements = |len: usize, salt: u64| -> Vec<F::Element> {
            (0..len).map(|i| crate::arithmetic::linear::reference::random(field, salt, i as u64)).collect()
        };
        let device = Device::host_with(3).unwrap();
        let Executor::Host(pool) = device.executor() else { panic!("the host") };
        let short = [(1, 1), (2, 2), (3, 2), (5, 9), (16, 16), (17, 31), (7, 100), (64, 65), (130, 127), (40, 81)];
        // Longer than what threads share: cut to halves, at odd places, to parts, and to parts that are shorter.
        let long = [(128, 128), (257, 256), (300, 500), (128, 700), (511, 130), (260, 901)];
        for (n, m) in short.into_iter().chain(long) {
            let (a, b) = (elements(n, 1), elements(m, 2));
            let (expected, square) = (reference::multiply(field, &a, &b), reference::multiply(field, &a, &a));
            for base in [0, 2, 5, 40] {
                for team in [Team::ALONE, pool.team()] {
                    let mut out = vec![field.one(); n + m - 1];
                    ranged(field, (&a, &b), 0, &mut out, base, team);
                    assert_eq!(out, expected, "{n} by {m} mod {}, base {base}", field.order());
                    let mut out = vec![field.one(); 2 * n - 1];
                    ranged(field, (&a, &a), 0, &mut out, base, team);
                    assert_eq!(out, square, "square of {n}");
                }
            }
        }
    }

    #[test]
    fn products_equal_the_definition() {
        check(&PrimeField::<u32>::new(2).unwrap());
        check(&PrimeField::<u32>::new(2_013_265_921).unwrap());
        check(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap());
        check(&Goldilocks);
    }
}

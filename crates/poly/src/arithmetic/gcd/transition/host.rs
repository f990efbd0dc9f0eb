//! Transitions on the host: Euclid's algorithm on the upper coefficients of a pair, with the identity matrix beside them. Quotients
//! of degree 1 are not divided by ([`ShortPolynomials::cross`]), so that rows are multiples of the true ones until the end.

use super::matrix::Step;
use crate::host::{BLOCK, Crossing, ShortPolynomials};

/// A transition in the host's memory.
#[derive(Debug, PartialEq)]
pub(super) struct Found<E> {
    /// The matrix row by row, `stride` words each entry.
    pub(super) entries: Vec<E>,
    pub(super) stride: usize,
    /// The degrees of the quotients, added.
    pub(super) degree: usize,
    /// The divisors, where they were asked for.
    pub(super) steps: Vec<Step<E>>,
    /// The last divisor's coefficients, the constant term first, where the sequence is followed to its end.
    pub(super) last: Vec<E>,
}

/// A row of the computation: a multiple of a remainder, and what makes it of `a` and `b`. A block of zeros stands before the words, so
/// that whole blocks may be computed, which end where the row does.
struct Row<E> {
    /// Coefficients of the remainder.
    head: Vec<E>,
    degree: usize,
    /// The factors of `a` and `b`, one of each in turn, `length` of them at most not zero.
    sides: Vec<E>,
    length: usize,
    /// What the true remainder is multiplied by.
    scale: E,
}

/// The transition of `a` and `b`, coefficients with the constant term first, `deg a > deg b >= deg a - k`: of at most `2 k + 1`
/// coefficients, or all of the polynomials.
///
/// After quotients whose degrees add up to `i`, the coefficients of a remainder from `deg a - 2 k + i` on are right, and enough for
/// the others.
pub(super) fn transition<F: ShortPolynomials>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    k: usize,
    steps: bool,
) -> Found<F::Element> {
    let (n, least) = (a.len() - 1, a.len() - 1 - k);
    let (mut x, mut y) = (Row::new(field, a, n, k, 0), Row::new(field, b, n, k, 1));
    let (by, mut found, mut scales) = (field.crossing(), Vec::new(), Vec::new());
    loop {
        let drop = n - y.degree;
        if steps {
            found.push(Step { drop, leading: y.head[BLOCK + y.degree] });
            scales.push(y.scale);
        }
        let low = (n + drop).saturating_sub(2 * k);
        x.reduce(field, &by, &y, low);
        let degree = (low.max(least)..y.degree).rev().find(|&i| x.head[BLOCK + i] != field.zero());
        std::mem::swap(&mut x, &mut y);
        match degree {
            Some(degree) => y.degree = degree,
            None => break,
        }
    }
    scales.extend([x.scale, y.scale]);
    // No scale is zero: all are products of leading coefficients.
    let _ = field.invert_all(&mut scales);
    found.iter_mut().zip(&scales).for_each(|(step, &inverse)| step.leading = field.mul(step.leading, inverse));
    let inverses = [scales[scales.len() - 2], scales[scales.len() - 1]];
    let degree = n - x.degree;
    let stride = degree + 1;
    let mut entries = Vec::with_capacity(4 * stride);
    for (row, inverse) in [&x, &y].into_iter().zip(inverses) {
        let start = entries.len();
        for side in 0..2 {
            entries.extend(row.sides[BLOCK + side..].iter().step_by(2).take(stride));
        }
        field.scale_slice(&mut entries[start..], inverse);
    }
    let mut last = if n == k { x.head[BLOCK..=BLOCK + x.degree].to_vec() } else { Vec::new() };
    field.scale_slice(&mut last, inverses[0]);
    Found { entries, stride, degree, steps: found, last }
}

impl<E: Copy> Row<E> {
    /// One of the first two, for coefficients up to `n` and factors up to `k`.
    fn new<F: ShortPolynomials<Element = E>>(field: &F, words: &[E], n: usize, k: usize, side: usize) -> Self {
        let mut head = vec![field.zero(); BLOCK + n + 1];
        head[BLOCK..BLOCK + words.len()].copy_from_slice(words);
        let degree = crate::arithmetic::linear::reference::stripped_len(field, words).saturating_sub(1);
        let mut sides = vec![field.zero(); BLOCK + (2 * (k + 1)).next_multiple_of(BLOCK)];
        sides[BLOCK + side] = field.one();
        Self { head, degree, sides, length: 1, scale: field.one() }
    }

    /// The remainder by `y`, whose degree is lower, in the place of this row: its coefficients from `low` on, to before the degree of
    /// `y`; below them anything.
    fn reduce<F: ShortPolynomials<Element = E>>(&mut self, field: &F, by: &Crossing, y: &Self, low: usize) {
        let (d, gap) = (y.degree, self.degree - y.degree);
        let length = y.length + gap;
        let top = BLOCK + d;
        if gap == 1 {
            // The word before the constant term is a zero.
            let cross = field.cross(by, [self.head[top + 1], self.head[top], y.head[top], y.head[top - 1]]);
            let from = top - (d - low).next_multiple_of(BLOCK);
            let rows = [&y.head[from..top], &y.head[from - 1..top - 1]];
            field.cross_rows(by, &cross, &mut self.head[from..top], rows);
            let end = BLOCK + (2 * length).next_multiple_of(BLOCK);
            let rows = [&y.sides[BLOCK..end], &y.sides[BLOCK - 2..end - 2]];
            field.cross_rows(by, &cross, &mut self.sides[BLOCK..end], rows);
            self.scale = field.mul(self.scale, cross.unit);
        } else if let Some(inverse) = field.inverse(y.head[top]) {
            for shift in (0..=gap).rev() {
                let q = field.mul(self.head[top + shift], inverse);
                if q == field.zero() {
                    continue;
                }
                let from = BLOCK + low.max(shift);
                field.sub_scaled_slice(&mut self.head[from..top + shift], q, &y.head[from - shift..top]);
                let sides = &y.sides[BLOCK..BLOCK + 2 * y.length];
                field.sub_scaled_slice(&mut self.sides[BLOCK + 2 * shift..], q, sides);
            }
        }
        self.length = length;
    }
}

//! Transitions on the host: Euclid's algorithm on the upper coefficients of a pair, with the identity matrix beside them. Quotients
//! of degree 1 are not divided by ([`HostField::cross`]), so that rows are multiples of the true ones until the end.

use super::transition::Step;
use crate::host::HostField;

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

/// A row of the computation: a multiple of a remainder, and what makes it of `a` and `b`. Coefficient `i` is the word `i + 1`, behind
/// a zero.
struct Row<E> {
    head: Vec<E>,
    degree: usize,
    /// The factors of `a` and `b`, `length` of them at most not zero.
    sides: [Vec<E>; 2],
    length: usize,
    /// What the true remainder is multiplied by.
    scale: E,
}

/// The transition of `a` and `b`, coefficients with the constant term first, `deg a > deg b >= deg a - k`: of at most `2 k + 1`
/// coefficients, or all of the polynomials.
///
/// After quotients whose degrees add up to `i`, the coefficients of a remainder from `deg a - 2 k + i` on are right, and enough for
/// the others.
pub(super) fn transition<F: HostField>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    k: usize,
    steps: bool,
) -> Found<F::Element> {
    let (n, least) = (a.len() - 1, a.len() - 1 - k);
    let (mut x, mut y) = (Row::new(field, a, n, k, 0), Row::new(field, b, n, k, 1));
    let (mut found, mut scales) = (Vec::new(), Vec::new());
    loop {
        let drop = n - y.degree;
        if steps {
            found.push(Step { drop, leading: y.head[y.degree + 1] });
            scales.push(y.scale);
        }
        let low = (n + drop).saturating_sub(2 * k);
        x.reduce(field, &y, low);
        let degree = (low.max(least)..y.degree).rev().find(|&i| x.head[i + 1] != field.zero());
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
        for side in &row.sides {
            let start = entries.len();
            entries.extend_from_slice(&side[1..=stride]);
            field.scale_slice(&mut entries[start..], inverse);
        }
    }
    let mut last = if n == k { x.head[1..=x.degree + 1].to_vec() } else { Vec::new() };
    field.scale_slice(&mut last, inverses[0]);
    Found { entries, stride, degree, steps: found, last }
}

impl<E: Copy> Row<E> {
    /// One of the first two, for coefficients up to `n` and factors up to `k`.
    fn new<F: HostField<Element = E>>(field: &F, words: &[E], n: usize, k: usize, side: usize) -> Self {
        let mut head = vec![field.zero(); n + 2];
        head[1..=words.len()].copy_from_slice(words);
        let degree = crate::linear::reference::stripped_len(field, words).saturating_sub(1);
        let mut sides = [vec![field.zero(); k + 2], vec![field.zero(); k + 2]];
        sides[side][1] = field.one();
        Self { head, degree, sides, length: 1, scale: field.one() }
    }

    /// The remainder by `y`, whose degree is lower, in the place of this row: its coefficients from `low` on, to before the degree of
    /// `y`.
    fn reduce<F: HostField<Element = E>>(&mut self, field: &F, y: &Self, low: usize) {
        let (d, gap) = (y.degree, self.degree - y.degree);
        let length = y.length + gap;
        if gap == 1 {
            // The word before the constant term is a zero.
            let by = field.cross([self.head[d + 2], self.head[d + 1], y.head[d + 1], y.head[d]]);
            field.cross_rows(&by, &mut self.head[low + 1..=d], &y.head[low + 1..=d], &y.head[low..d]);
            for (own, other) in self.sides.iter_mut().zip(&y.sides) {
                field.cross_rows(&by, &mut own[1..=length], &other[1..=length], &other[..length]);
            }
            self.scale = field.mul(self.scale, by.unit);
        } else if let Some(inverse) = field.inverse(y.head[d + 1]) {
            for shift in (0..=gap).rev() {
                let q = field.mul(self.head[d + shift + 1], inverse);
                if q == field.zero() {
                    continue;
                }
                let from = low.max(shift);
                field.sub_scaled_slice(&mut self.head[from + 1..=d + shift], q, &y.head[from - shift + 1..=d]);
                for (own, other) in self.sides.iter_mut().zip(&y.sides) {
                    field.sub_scaled_slice(&mut own[shift + 1..=shift + y.length], q, &other[1..=y.length]);
                }
            }
        }
        self.length = length;
    }
}

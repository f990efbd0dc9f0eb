//! Transitions on the host: the steps of the s-step gcd (paper 002, algorithms 22 and 23, corrected), with the identity matrix
//! beside them. A step multiplies crosswise in place of a division, so that one inversion at the end is enough.

use std::cmp::Ordering;

use manycore_field::ModularField;

use super::transition::Step;

/// A transition in the host's memory.
#[derive(Debug, PartialEq)]
pub(super) struct Found<E> {
    /// The matrix row by row, `stride` words each entry.
    pub(super) entries: Vec<E>,
    pub(super) stride: usize,
    /// The degrees of the quotients, added.
    pub(super) degree: usize,
    pub(super) steps: Vec<Step<E>>,
    /// The last divisor's coefficients, the constant term first, those that are known right where the sequence is not followed
    /// to its end: only its upper ones.
    pub(super) first: Vec<E>,
}

/// A row of the computation: a multiple of a remainder, and what makes it of `a` and `b`.
struct Row<E> {
    /// The coefficients, the leading one first, from `offset` on.
    head: Vec<E>,
    offset: usize,
    /// The formal degree.
    degree: isize,
    /// The factors of `a` and `b`, the constant term first, `length` of them at most not zero.
    sides: [Vec<E>; 2],
    length: usize,
    /// What the true remainder is multiplied by.
    scale: E,
}

/// The transition of `a` and `b`, coefficients with the constant term first, `deg a > deg b >= deg a - k`: of at most `2 k + 1`
/// coefficients, or all of the polynomials.
pub(super) fn transition<F: ModularField>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    k: usize,
) -> Found<F::Element> {
    let (zero, one) = (field.zero(), field.one());
    let n = a.len() - 1;
    let least = n as isize - k as isize;
    let row = |words: &[F::Element], degree: usize, side: usize| {
        let mut head: Vec<_> = std::iter::repeat_n(zero, (degree + 1).saturating_sub(words.len())).collect();
        head.extend(words.iter().rev());
        head.resize(n + 1, zero);
        let mut sides = [vec![zero; k + 1], vec![zero; k + 1]];
        sides[side][0] = one;
        Row { head, offset: 0, degree: degree as isize, sides, length: 1, scale: one }
    };
    let mut rows = [row(a, n, 0), row(b, n - 1, 1)];
    let (mut steps, mut scales) = (Vec::new(), Vec::new());
    let mut divisor = 1;
    while rows[0].degree >= least && rows[1].degree >= least {
        let [p, q] = [0, 1].map(|r| rows[r].head[rows[r].offset]);
        // A division ends when its divisor has the higher degree.
        let x = match rows[0].degree.cmp(&rows[1].degree) {
            _ if p == zero => 0,
            _ if q == zero => 1,
            Ordering::Greater => 0,
            Ordering::Less => 1,
            Ordering::Equal => 1 - divisor,
        };
        let y = 1 - x;
        if p != zero && q != zero {
            if steps.is_empty() || divisor != y {
                divisor = y;
                let drop = (n as isize - rows[y].degree) as usize;
                steps.push(Step { drop, leading: if y == 0 { p } else { q } });
                scales.push(rows[y].scale);
            }
            let [first, second] = &mut rows;
            let (x, y, hx, hy) = if x == 0 { (first, second, p, q) } else { (second, first, q, p) };
            x.reduce(field, y, hx, hy, (x.degree + y.degree - 2 * least) as usize);
        }
        rows[x].offset += 1;
        rows[x].degree -= 1;
    }
    let [first, second] = rows;
    let (c, d) = if first.degree < least { (second, first) } else { (first, second) };
    scales.extend([c.scale, d.scale]);
    // No scale is zero: all are products of leading coefficients.
    let _ = field.invert_all(&mut scales);
    steps.iter_mut().zip(&scales).for_each(|(step, &inverse)| step.leading = field.mul(step.leading, inverse));
    let [c_inverse, d_inverse] = [scales[scales.len() - 2], scales[scales.len() - 1]];
    let degree = c.degree as usize;
    let mut entries = Vec::with_capacity(4 * (k + 1));
    for (row, inverse) in [(&c, c_inverse), (&d, d_inverse)] {
        entries.extend(row.sides.iter().flatten().map(|&x| field.mul(x, inverse)));
    }
    let coefficients = c.head[c.offset..].iter().take(degree + 1).rev();
    let first = coefficients.map(|&x| field.mul(x, c_inverse)).collect();
    Found { entries, stride: k + 1, degree: n - degree, steps, first }
}

impl<E: Copy> Row<E> {
    /// `y_0 x - x_0 y`, whose leading coefficient is zero, with the leading coefficients of both; of the heads `last` coefficients
    /// past the first are wanted.
    fn reduce<F: ModularField<Element = E>>(&mut self, field: &F, y: &Self, hx: E, hy: E, last: usize) {
        let combine = |own: &mut E, other: E| *own = field.sub(field.mul(hy, *own), field.mul(hx, other));
        let (own, other) = (&mut self.head[self.offset + 1..], &y.head[y.offset + 1..]);
        let end = own.len().min(last);
        let met = other.len().min(end);
        own[..met].iter_mut().zip(other).for_each(|(own, &other)| combine(own, other));
        own[met..end].iter_mut().for_each(|own| combine(own, field.zero()));
        let shift = (self.degree - y.degree) as usize;
        self.length = self.length.max(y.length + shift);
        for (own, other) in self.sides.iter_mut().zip(&y.sides) {
            own[..shift].iter_mut().for_each(|own| combine(own, field.zero()));
            own[shift..self.length].iter_mut().zip(other).for_each(|(own, &other)| combine(own, other));
        }
        self.scale = field.mul(self.scale, hy);
    }
}

//! Compositions with one kept polynomial modulo another (R. Brent, H. Kung, Fast algorithms for manipulating formal power series,
//! Journal of the ACM 25, 1978, algorithm 2.1), for powers to the order of the field: `h^p = h(x^p)` (J. von zur Gathen, V. Shoup,
//! Computing Frobenius maps and factoring polynomials, 1992).
//!
//! With the powers `g^0, ..., g^(b-1)` kept as rows a composition takes a sum of rows for each `b` coefficients, and a product
//! modulo the polynomial between two of them; with all `n` powers one product of a row and a matrix.

use super::modulus::Modulus;
use super::words::Words;
use crate::error::PolyError;
use crate::factor::power::first_power;
use crate::host::NARROW_WIDTH;
use crate::poly::PolyField;

/// The most words of the rows of a table.
const MOST_WORDS: usize = 1 << 22;

/// `x^p` modulo the polynomial.
pub(super) fn power_of_x<F: PolyField>(
    words: &mut Words<'_, F>,
    m: &mut Modulus<F>,
) -> Result<Vec<F::Element>, PolyError> {
    let p = words.field().order();
    let n = m.degree();
    let mut power = words.zeros(n);
    let (start, squares) = first_power(p.into(), n);
    if n == 1 {
        // x is a constant, which is its own power.
        power[0] = words.field().neg(m.f()[0]);
        return Ok(power);
    }
    power[start] = words.field().one();
    for bit in (0..squares).rev() {
        m.square(words, &mut power)?;
        if p >> bit & 1 == 1 {
            m.times_x(words, &mut power);
        }
    }
    Ok(power)
}

/// How powers to the order of the field come one from the other, by the count of products modulo a polynomial of degree `n`; a sum of
/// as many rows as coefficients has about half their operations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rows {
    /// Kept powers of `x^p`.
    pub(super) count: usize,
    /// Products of the table and of `compositions`.
    pub(super) products: f64,
}

impl Rows {
    /// The rows with which `compositions` take the fewest products, for powers of a polynomial that is `x^shift`, if it is given.
    pub(super) fn fewest(n: usize, compositions: usize, shift: Option<u64>) -> Self {
        let most = (MOST_WORDS / n.max(1)).max(n.isqrt()).clamp(1, n);
        let balanced = (n * compositions).isqrt().clamp(1, most);
        let one = |count: usize| {
            // A shift by one is a row times a factor: of n^2 the operations of a product modulo the polynomial, 2 n.
            let row = shift.map_or(1.0, |by| (by as f64 / (2 * n) as f64).min(1.0));
            let blocks = n.div_ceil(count);
            let products = count as f64 * row + compositions as f64 * ((blocks - 1) as f64 + 0.5);
            Self { count, products }
        };
        let (balanced, whole) = (one(balanced), one(most));
        if whole.products <= balanced.products { whole } else { balanced }
    }
}

/// A polynomial that others are composed with.
pub(super) struct Table<F: PolyField> {
    rows: Vec<F::Element>,
    stride: usize,
    count: usize,
    /// The power behind the rows, where a composition takes it.
    step: Option<Vec<F::Element>>,
}

impl<F: PolyField> Table<F> {
    /// The powers of `g` modulo the polynomial, `count` of them; `shift` says that `g` is `x^shift`.
    pub(super) fn new(
        words: &mut Words<'_, F>,
        m: &mut Modulus<F>,
        g: &[F::Element],
        count: usize,
        shift: Option<u64>,
    ) -> Result<Self, PolyError> {
        let n = m.degree();
        let stride = n.next_multiple_of(NARROW_WIDTH);
        let with_step = count < n;
        let mut rows = words.zeros(count * stride);
        let mut row = words.zeros(n);
        row[0] = words.field().one();
        let by_shifts = shift.filter(|&by| by < 2 * n as u64);
        for k in 0..count + usize::from(with_step) {
            let mut next = words.zeros(n);
            if k == 0 {
                next.copy_from_slice(&row);
            } else if let Some(by) = by_shifts {
                next.copy_from_slice(&row);
                (0..by).for_each(|_| m.times_x(words, &mut next));
            } else if k == 1 {
                next.copy_from_slice(g);
            } else if k % 2 == 0 {
                next.copy_from_slice(&rows[k / 2 * stride..][..n]);
                m.square(words, &mut next)?;
            } else {
                m.multiply(words, &row, g, &mut next)?;
            }
            if k < count {
                rows[k * stride..][..n].copy_from_slice(&next);
            }
            row = next;
        }
        Ok(Self { rows, stride, count, step: with_step.then_some(row) })
    }

    /// `f(g)` modulo the polynomial.
    pub(super) fn compose(
        &self,
        words: &mut Words<'_, F>,
        m: &mut Modulus<F>,
        f: &[F::Element],
    ) -> Result<Vec<F::Element>, PolyError> {
        let mut value = words.zeros(m.degree());
        let mut times = words.zeros(m.degree());
        for (i, block) in f.chunks(self.count).enumerate().rev() {
            if let (Some(step), true) = (&self.step, (i + 1) * self.count < f.len()) {
                m.multiply(words, &value, step, &mut times)?;
                std::mem::swap(&mut value, &mut times);
            }
            words.field().add_rows(block, &self.rows, self.stride, &mut value);
        }
        Ok(value)
    }
}

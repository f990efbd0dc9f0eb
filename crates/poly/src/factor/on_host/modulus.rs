//! Products modulo one monic polynomial of degree `n`: by the powers `x^n, x^(n+1), ...` modulo it where it is short, else by the
//! inverse of its reversal (J. von zur Gathen, J. Gerhard, Modern Computer Algebra, algorithm 9.5).
//!
//! The upper coefficients of a product times the kept powers are added to the lower ones: one sum of rows with one reduction of
//! each coefficient. The inverse takes two products of half the operations each, which fast algorithms serve.

use super::words::Words;
use crate::arithmetic::divide::reversed_inverse;
use crate::error::PolyError;
use crate::host::NARROW_WIDTH;
use crate::poly::PolyField;

/// The largest degree with kept powers: as many words as the nearest cache holds beside the operands.
const MOST_ROWS: usize = 64;

/// A monic polynomial of degree 1 at least, with what products modulo it keep.
pub(super) struct Modulus<F: PolyField> {
    /// All coefficients.
    f: Vec<F::Element>,
    reduction: Reduction<F::Element>,
    /// A whole product, and its quotient.
    product: Vec<F::Element>,
    quotient: Vec<F::Element>,
}

enum Reduction<E> {
    /// Row `i` is `x^(n + i)` modulo the polynomial, for `i < n - 1`, a stride apart.
    Rows { rows: Vec<E>, stride: usize },
    /// The inverse of the reversed polynomial to precision `n - 1`, in reversed order.
    Inverse(Vec<E>),
}

impl<F: PolyField> Modulus<F> {
    pub(super) fn new(words: &Words<'_, F>, f: Vec<F::Element>) -> Result<Self, PolyError> {
        let n = f.len() - 1;
        let reduction = if n <= MOST_ROWS {
            let stride = n.next_multiple_of(NARROW_WIDTH);
            let mut rows = words.zeros((n - 1) * stride);
            let mut row = words.zeros(n);
            row[n - 1] = words.field().one();
            for kept in rows.chunks_mut(stride) {
                times_x(words, &f, &mut row);
                kept[..n].copy_from_slice(&row);
            }
            Reduction::Rows { rows, stride }
        } else {
            // The leading coefficient is 1.
            Reduction::Inverse(reversed_inverse(words.field(), &f, n - 1).ok_or(PolyError::ZeroDivisor)?)
        };
        let (product, quotient) = (words.zeros(2 * n - 1), words.zeros(n - 1));
        Ok(Self { f, reduction, product, quotient })
    }

    pub(super) fn f(&self) -> &[F::Element] {
        &self.f
    }

    pub(super) fn degree(&self) -> usize {
        self.f.len() - 1
    }

    /// `a b` into `out`; all have as many coefficients as the degree. A square is one slice, given twice.
    pub(super) fn multiply(
        &mut self,
        words: &mut Words<'_, F>,
        a: &[F::Element],
        b: &[F::Element],
        out: &mut [F::Element],
    ) -> Result<(), PolyError> {
        words.multiply(a, b, 0, &mut self.product)?;
        self.reduce(words, out)
    }

    /// The square of `a`, in its place.
    pub(super) fn square(&mut self, words: &mut Words<'_, F>, a: &mut [F::Element]) -> Result<(), PolyError> {
        if words.field().order() == 2 {
            // (sum a_i x^i)^2 = sum a_i x^(2 i).
            self.product.fill(words.field().zero());
            self.product.iter_mut().step_by(2).zip(&*a).for_each(|(to, &word)| *to = word);
        } else {
            words.multiply(a, a, 0, &mut self.product)?;
        }
        self.reduce(words, a)
    }

    /// `a x`, in its place.
    pub(super) fn times_x(&self, words: &Words<'_, F>, a: &mut [F::Element]) {
        times_x(words, &self.f, a);
    }

    /// The product that is kept.
    fn reduce(&mut self, words: &mut Words<'_, F>, out: &mut [F::Element]) -> Result<(), PolyError> {
        let n = self.degree();
        let (low, high) = self.product.split_at(n);
        match &self.reduction {
            Reduction::Rows { rows, stride } => {
                out.copy_from_slice(low);
                words.field().add_rows(high, rows, *stride, out);
            }
            Reduction::Inverse(inverse) => {
                words.multiply(high, inverse, n - 2, &mut self.quotient)?;
                words.multiply(&self.quotient, &self.f[..n], 0, out)?;
                let field = words.field();
                field.negate_slice(out);
                field.add_slice(out, low);
            }
        }
        Ok(())
    }
}

/// `a x` modulo a monic polynomial `f`, in its place.
fn times_x<F: PolyField>(words: &Words<'_, F>, f: &[F::Element], a: &mut [F::Element]) {
    let n = a.len();
    let top = a[n - 1];
    a.copy_within(..n - 1, 1);
    a[0] = words.field().zero();
    words.subtract_multiple(a, top, &f[..n]);
}

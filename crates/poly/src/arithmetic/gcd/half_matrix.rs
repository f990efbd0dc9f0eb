//! Matrices of four polynomials: applied to a pair, multiplied, all products of a step in one call of the planner.

use manycore_device::{Buffer, Executor, Word};

use super::half_spectra::{Applied, Spectra};
use super::sums::Sums;
use super::transition::device::{self, Rows};
use super::transition::matrix::{Matrix, Pair};
use crate::arithmetic::multiply::{Factors, Shape};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Which rows are multiplied, in pairs that are added: a hexadecimal digit for each product, the first one lowest; see
/// `transition_arrange`.
struct Pattern {
    left: u32,
    right: u32,
    products: usize,
}

/// What the rows of a pattern are: on each side those of the first source, and of the second.
struct Sources<'a, E: Word> {
    left: [Rows<'a, E>; 2],
    right: [Rows<'a, E>; 2],
}

/// `M (a, b)`: the entries, times a, b, a, b.
const APPLY: Pattern = Pattern { left: 0x3210, right: 0x8080, products: 4 };
/// `(a, b) M`: a, b, a, b times the first column, then the second.
const ROW: Pattern = Pattern { left: 0x8080, right: 0x3120, products: 4 };
/// `S R`: rows of `S` times columns of `R`.
const MULTIPLY: Pattern = Pattern { left: 0x3232_1010, right: 0x3120_3120, products: 8 };

impl<F: PolyField> PolyRing<F> {
    /// `M (a, b)`: the coefficients `low..len`, counted from those that the pair begins with, of two polynomials whose lengths are
    /// at most `len`.
    pub(super) fn apply(
        &self,
        matrix: &Matrix<F>,
        pair: Pair<'_, F>,
        range: (usize, usize),
    ) -> Result<(Poly<F>, Poly<F>), PolyError> {
        Ok(self.apply_and_keep(matrix, pair, range)?.next)
    }

    /// Applies the matrix and returns its spectra, too, where it was applied by spectra.
    pub(super) fn apply_and_keep(
        &self,
        matrix: &Matrix<F>,
        pair: Pair<'_, F>,
        (low, len): (usize, usize),
    ) -> Result<Applied<F>, PolyError> {
        // Higher coefficients of the pair do not count: what they give cancels.
        let cut = |f: &Poly<F>| f.len.saturating_sub(pair.at).min(len);
        let a = Rows { len: cut(pair.a), ..Rows::of_poly(pair.a, pair.at) };
        let b = Rows { len: cut(pair.b), ..Rows::of_poly(pair.b, pair.at) };
        let m = Rows::of_matrix(matrix);
        // The next pair begins where the matrix says, and its second polynomial is the shorter one.
        let checked = |applied: Applied<F>| -> Result<Applied<F>, PolyError> {
            let (own, shorter) = (len - low, len - low - 1);
            self.within("the length of a remainder", applied.next.0.len, own..=own)?;
            self.within("the length of a remainder", applied.next.1.len, 0..=shorter)?;
            Ok(applied)
        };
        let sums = Sums::apply(matrix.degree, a.len.max(b.len), (low, len));
        if let Some(log_len) = self.spectra_route(&sums)? {
            return self.apply_by_spectra(matrix, pair, (low, len), log_len).and_then(checked);
        }
        let shape = sums.shape;
        let (mut c, mut d) = (self.device().scratch(shape.len)?, self.device().scratch(shape.len)?);
        let lengths = self.sums(&APPLY, &shape, &Sources { left: [m, m], right: [a, b] }, (&mut c, &mut d), true)?;
        checked(Applied { next: (self.exact(c, lengths[0]), self.exact(d, lengths[1])), spectra: None })
    }

    /// `(v, w) M`.
    pub(super) fn apply_left(
        &self,
        (v, w): (&Poly<F>, &Poly<F>),
        matrix: &Matrix<F>,
    ) -> Result<(Poly<F>, Poly<F>), PolyError> {
        let (v, w, m) = (Rows::of_poly(v, 0), Rows::of_poly(w, 0), Rows::of_matrix(matrix));
        let n = v.len.max(w.len);
        let shape = Shape { count: ROW.products, ..Shape::full(n, m.len) };
        let (mut c, mut d) = (self.device().scratch(shape.len)?, self.device().scratch(shape.len)?);
        let lengths = self.sums(&ROW, &shape, &Sources { left: [v, w], right: [m, m] }, (&mut c, &mut d), true)?;
        Ok((self.exact(c, lengths[0]), self.exact(d, lengths[1])))
    }

    /// `S R`, with the spectra of `R` where they are known.
    pub(super) fn matrix_product(
        &self,
        s: &Matrix<F>,
        r: &Matrix<F>,
        spectra: Option<&Spectra<F>>,
    ) -> Result<Matrix<F>, PolyError> {
        let (left, right) = (Rows::of_matrix(s), Rows::of_matrix(r));
        let sums = Sums::multiply(s.degree, r.degree, false);
        let known = spectra.filter(|spectra| spectra.hold(sums.log_len()));
        let sums = Sums::multiply(s.degree, r.degree, known.is_some());
        if let Some(log_len) = self.spectra_route(&sums)? {
            return self.product_by_spectra(s, r, known, log_len);
        }
        let shape = sums.shape;
        // The kernel writes the first sum to another buffer than the rest.
        let mut words = self.device().scratch(4 * shape.len)?;
        let (mut first, mut others) = (self.device().scratch(shape.len)?, self.device().scratch(3 * shape.len)?);
        self.sums(
            &MULTIPLY,
            &shape,
            &Sources { left: [left, left], right: [right, right] },
            (&mut first, &mut others),
            false,
        )?;
        words.view_mut(..shape.len)?.copy_from(&first)?;
        words.view_mut(shape.len..)?.copy_from(&others)?;
        Ok(Matrix { words, stride: shape.len, degree: s.degree + r.degree })
    }

    /// Entry `index` of a matrix, row by row.
    pub(super) fn entry(&self, matrix: &Matrix<F>, index: usize) -> Result<Poly<F>, PolyError> {
        let len = matrix.degree + 1;
        let mut words = self.device().scratch(len)?;
        words.view_mut(..)?.copy_from(matrix.words.view(index * matrix.stride..index * matrix.stride + len)?)?;
        self.stripped(words, len)
    }

    /// The products of a pattern, added in pairs: the first sum to `c`, the others to `d`; their lengths without leading zeros,
    /// where they are asked for.
    fn sums(
        &self,
        pattern: &Pattern,
        shape: &Shape,
        sources: &Sources<'_, F::Element>,
        (c, d): (&mut Buffer<F::Element>, &mut Buffer<F::Element>),
        lengths: bool,
    ) -> Result<Vec<usize>, PolyError> {
        let mut a = self.device().scratch(shape.count * shape.n)?;
        self.arrange(sources.left, (pattern.left, shape.count, shape.n), &mut a)?;
        let mut b = self.device().scratch(shape.count * shape.m)?;
        self.arrange(sources.right, (pattern.right, shape.count, shape.m), &mut b)?;
        let mut products = self.device().scratch(shape.count * shape.len)?;
        self.multiply(shape, &Factors { a: &a, b: &b }, &mut products, None)?;
        let pairs = shape.count / 2;
        match self.device().executor() {
            Executor::Host(pool) => {
                let (data, c, d) = (products.host()?, c.host_mut()?, d.host_mut()?);
                let field = self.field();
                let sums = std::iter::once(c).chain(d.chunks_mut(shape.len));
                let bytes = size_of_val(data) as u64 * 3 / 2;
                let work = || {
                    let one = |(pair, sum): (&[F::Element], &mut [F::Element])| {
                        let (first, second) = pair.split_at(shape.len);
                        sum.copy_from_slice(first);
                        field.add_slice(sum, second);
                        if lengths { crate::arithmetic::linear::reference::stripped_len(field, sum) } else { 0 }
                    };
                    data.chunks(2 * shape.len).zip(sums).map(one).collect()
                };
                Ok(pool.step("transition_add", bytes, data.len() as u64 / 2, work))
            }
            Executor::OpenCl(cl) => {
                let found = device::add(self, cl, (&products, shape.len, pairs), (c, d), lengths)?;
                let told = |length| self.within("the length of a sum", length as usize, 0..=shape.len);
                found.into_iter().map(told).collect()
            }
        }
    }

    /// Rows side by side; see `transition_arrange`.
    fn arrange(
        &self,
        sources: [Rows<'_, F::Element>; 2],
        (pattern, count, length): (u32, usize, usize),
        out: &mut Buffer<F::Element>,
    ) -> Result<(), PolyError> {
        let pool = match self.device().executor() {
            Executor::Host(pool) => pool,
            Executor::OpenCl(cl) => return device::arrange(self, cl, sources, (pattern, count, length), out),
        };
        let zero = self.field().zero();
        let out = out.host_mut()?;
        let [first, second] = [sources[0].words.host()?, sources[1].words.host()?];
        pool.step("transition_arrange", 2 * size_of_val(out) as u64, out.len() as u64, || {
            for (i, out) in out.chunks_mut(length.max(1)).enumerate() {
                let digit = pattern >> (4 * i) & 15;
                let (source, words) = if digit & 8 == 0 { (&sources[0], first) } else { (&sources[1], second) };
                let start = source.at + (digit & 7) as usize * source.stride;
                let len = source.len.min(out.len());
                let (copied, beyond) = out.split_at_mut(len);
                copied.copy_from_slice(&words[start..start + len]);
                beyond.fill(zero);
            }
        });
        Ok(())
    }
}

impl<F: PolyField> PolyRing<F> {
    /// `[[0, 1], [1, -q]]`.
    pub(super) fn quotient_matrix(&self, q: &Poly<F>) -> Result<Matrix<F>, PolyError> {
        let stride = q.len;
        let mut words = self.device().zeros(4 * stride)?;
        for entry in [1, 2] {
            words.view_mut(entry * stride..=entry * stride)?.fill(self.field().one())?;
        }
        words.view_mut(3 * stride..)?.copy_from(self.neg(q)?.view()?)?;
        Ok(Matrix { words, stride, degree: stride - 1 })
    }
}

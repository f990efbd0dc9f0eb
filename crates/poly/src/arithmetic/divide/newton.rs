//! Inverses of power series by Newton's iteration (Sieveking 1972; Kung 1974) over fast products.
//!
//! The quotient by `b` follows from the inverse of `b` with its coefficients in reversed order, as a power series. Here all
//! series stand in reversed order themselves, the highest power first: then they are multiplied with the highest coefficients
//! of polynomials as these lie in memory, and nothing is ever reversed.
//!
//! With `f g = 1 + x^k e`, the inverse `g` of `f` to precision `k` becomes `g - x^k (e g)` to precision `2 k`: a middle product
//! and a short one. Precisions are halved from the one wanted down, so that no step computes more than is needed.

use manycore_device::{Buffer, Executor};

use super::span::{Part, Span};
use super::{device, host};
use crate::arithmetic::multiply::Shape;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Coefficients that are computed by the definition before the iteration begins.
pub(super) const HOST_BASE: usize = 32;
/// The same on OpenCL devices, where one launch makes them, a step for each, and a step of the iteration takes several.
pub(super) const DEVICE_BASE: usize = 64;

/// The inverse of a polynomial's reversal as a power series to some precision, in reversed order.
#[derive(Debug)]
pub(crate) struct Series<F: PolyField> {
    /// `precision` words, the constant term last.
    pub(crate) buffer: Buffer<F::Element>,
    pub(crate) precision: usize,
}

/// A step of the iteration for a polynomial of `m` coefficients: from one precision to another, at most twice as high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub(super) m: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Step {
    /// Coefficients of the polynomial that count.
    pub(super) const fn terms(&self) -> usize {
        if self.m < self.to { self.m } else { self.to }
    }

    /// The error `e`, none where the inverse is exact: the coefficients of `f g` from `x^from` on, in reversed order.
    pub(super) fn error(&self) -> Option<Shape> {
        let terms = self.terms();
        let len = (self.to - self.from).min(terms - 1);
        (len > 0).then(|| Shape { count: 1, n: terms, m: self.from, low: terms - 1 - len, len, square: false })
    }

    /// The shape of the correction `e g` of an error of `error_len` coefficients.
    pub(super) fn correction(&self, error_len: usize) -> Shape {
        let len = self.to - self.from;
        Shape { count: 1, n: error_len, m: self.from, low: error_len + self.from - 1 - len, len, square: false }
    }
}

/// The steps to a precision for a polynomial of `m` coefficients, from `known` or, where that is 0, from at most `base`
/// coefficients; and the precision at which they begin.
pub(super) fn steps(m: usize, precision: usize, known: usize, base: usize) -> (usize, Vec<Step>) {
    let mut precisions = Vec::new();
    let mut at = precision;
    while at > known.max(base) {
        precisions.push(at);
        at = at.div_ceil(2);
    }
    let first = if known > 0 { known.min(precision) } else { at };
    // A known precision below the base begins lower.
    while at > first {
        precisions.push(at);
        at = at.div_ceil(2);
    }
    let mut from = first;
    let mut steps = Vec::with_capacity(precisions.len());
    for &to in precisions.iter().rev() {
        steps.push(Step { m, from, to });
        from = to;
    }
    (first, steps)
}

impl<F: PolyField> PolyRing<F> {
    /// Coefficients that are computed by the definition.
    pub(super) fn newton_base(&self) -> usize {
        if self.planner().on_host() { HOST_BASE } else { DEVICE_BASE }
    }

    /// The inverse of the reversal of `b`, whose leading coefficient is not zero, to a precision; `known` is one to another
    /// precision, from which the iteration goes on.
    pub(super) fn invert_reversed(
        &self,
        b: Span<'_, F::Element>,
        precision: usize,
        known: Option<&Series<F>>,
    ) -> Result<Series<F>, PolyError> {
        let mut inverse = self.device().scratch(precision)?;
        if precision == 0 {
            return Ok(Series { buffer: inverse, precision });
        }
        let known_precision = known.map_or(0, |known| known.precision);
        let (first, steps) = steps(b.len, precision, known_precision, self.newton_base());
        match known.filter(|known| known.precision > 0) {
            Some(known) => {
                let from = known.buffer.view(known.precision - first..known.precision)?;
                inverse.view_mut(precision - first..)?.copy_from(from)?;
            }
            None => self.begin_inverse(b, &mut inverse, first)?,
        }
        let longest = steps.iter().map(|step| step.to - step.from).max().unwrap_or(0);
        let mut error = self.device().scratch(longest)?;
        let mut correction = self.device().scratch(longest)?;
        for step in steps {
            let own = precision - step.from;
            let place = precision - step.to..own;
            let Some(shape) = step.error() else {
                inverse.view_mut(place)?.fill(self.field().zero())?;
                continue;
            };
            let top = b.at + b.len - step.terms();
            self.multiply_at(&shape, (b.buffer, top), (&inverse, own), (&mut error, 0), None)?;
            let shape = step.correction(shape.len);
            self.multiply_at(&shape, (&error, 0), (&inverse, own), (&mut correction, 0), None)?;
            let count = place.len();
            self.subtract(&mut inverse, Part { at: place.start, count, total: 0, fold: count }, &correction)?;
        }
        Ok(Series { buffer: inverse, precision })
    }

    /// The first coefficients by the definition, at the end of `inverse`.
    fn begin_inverse(
        &self,
        b: Span<'_, F::Element>,
        inverse: &mut Buffer<F::Element>,
        first: usize,
    ) -> Result<(), PolyError> {
        let at = inverse.len() - first;
        match self.device().executor() {
            Executor::Host(pool) => {
                let (bytes, operations) = ((2 * first * size_of::<F::Element>()) as u64, (first * first / 2) as u64);
                let words = &b.buffer.host()?[b.at..b.at + b.len];
                let series = pool.step("divide_head_inverse", bytes, operations, || {
                    host::reversed_inverse(self.field(), words, first)
                });
                let series = series.ok_or(PolyError::NoUnit)?;
                Ok(inverse.view_mut(at..)?.write(&series)?)
            }
            Executor::OpenCl(cl) => device::head_inverse(self, cl, b, (inverse, at), first, true),
        }
    }

    /// Subtracts `c` from a part of `data`; see [`Part`].
    pub(super) fn subtract(
        &self,
        data: &mut Buffer<F::Element>,
        part: Part,
        c: &Buffer<F::Element>,
    ) -> Result<(), PolyError> {
        match self.device().executor() {
            Executor::Host(pool) => {
                host::subtract(self.field(), pool, &mut data.host_mut()?[part.at..], part, c.host()?);
                Ok(())
            }
            Executor::OpenCl(cl) => device::subtract(self, cl, data, part, c),
        }
    }

    /// The first `n` coefficients of the power series `1 / f`, as a polynomial: `f g = 1` modulo `x^n`.
    ///
    /// By Newton's iteration, `O(M(n))` operations with products of `n` coefficients in `M(n)`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.poly(&[1, 6])?; // 1 - x
    /// assert_eq!(ring.coefficients(&ring.inverse_series(&f, 5)?)?, [1, 1, 1, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::NoUnit`] where the constant term of `f` is zero; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn inverse_series(&self, f: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        if self.coefficient(f, 0)? == self.field().zero() {
            return Err(PolyError::NoUnit);
        }
        if n == 0 {
            return self.zero();
        }
        self.room(n, "a power series")?;
        let len = f.len.min(n);
        // A step of the iteration takes as many products of coefficients by the definition.
        if let Some(words) = f.as_host().filter(|_| n <= 2 * HOST_BASE) {
            let mut reversed = words[..len].to_vec();
            reversed.reverse();
            let mut inverse = host::reversed_inverse(self.field(), &reversed, n).ok_or(PolyError::NoUnit)?;
            inverse.reverse();
            return self.poly(&inverse);
        }
        let mut low = self.device().scratch(len)?;
        low.view_mut(..)?.copy_from(f.buffer.view(..len)?)?;
        let reversed = self.reverse_words(&self.exact(low, len))?;
        let series = self.invert_reversed(Span { buffer: &reversed, at: 0, len }, n, None)?;
        let inverse = self.reverse_words(&self.exact(series.buffer, n))?;
        self.stripped(inverse, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_at_most_double() {
        for precision in 1..300 {
            for known in [0, 1, 5, 31, 32, 33, 64, 299, 400] {
                let (first, steps) = steps(7, precision, known, 32);
                let mut at = first;
                for step in &steps {
                    assert_eq!(step.from, at);
                    assert!(step.to <= 2 * at && step.to > at, "{step:?}");
                    at = step.to;
                }
                assert_eq!(at, precision, "from {known}");
                assert!(known > 0 || first <= 32);
            }
        }
    }

    #[test]
    fn a_divisor_shorter_than_the_step_has_a_short_error() {
        let step = Step { m: 3, from: 8, to: 16 };
        assert_eq!(step.error(), Some(Shape { count: 1, n: 3, m: 8, low: 0, len: 2, square: false }));
        assert_eq!(step.correction(2), Shape { count: 1, n: 2, m: 8, low: 1, len: 8, square: false });
        assert_eq!(Step { m: 1, ..step }.error(), None);
    }
}

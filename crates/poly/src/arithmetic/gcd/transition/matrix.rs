//! Input and output of a transition: a pair, the matrix of its first quotients, its divisors.

use manycore_device::Buffer;

use crate::poly::{Poly, PolyField};

/// A divisor of Euclid's sequence `r_0, r_1, ...` with `r_(i+1) = r_(i-1) mod r_i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step<E> {
    /// The difference of the degree of `r_0` and its degree.
    pub(crate) drop: usize,
    /// Its leading coefficient.
    pub(crate) leading: E,
}

/// A 2x2 matrix of polynomials, the product of `[[0, 1], [1, -q]]` for the first quotients `q` of Euclid's algorithm.
#[derive(Debug)]
pub(crate) struct Matrix<F: PolyField> {
    /// The entries row by row, `stride` words each: their coefficients, the constant term first, then zeros.
    pub(crate) words: Buffer<F::Element>,
    pub(crate) stride: usize,
    /// The degrees of the quotients, added: that of the last entry, and the most of the others.
    pub(crate) degree: usize,
}

/// Two polynomials whose coefficients from `at` on are taken.
pub(crate) struct Pair<'a, F: PolyField> {
    pub(crate) a: &'a Poly<F>,
    pub(crate) b: &'a Poly<F>,
    pub(crate) at: usize,
}

impl<F: PolyField> Copy for Pair<'_, F> {}

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derived one would ask it of the field")]
impl<F: PolyField> Clone for Pair<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: PolyField> Pair<'_, F> {
    /// The degree of the first.
    pub(crate) fn degree(&self) -> usize {
        self.a.len - 1 - self.at
    }

    /// The difference of the first degree and the second; `None` where the second is zero.
    pub(crate) fn gap(&self) -> Option<usize> {
        (self.b.len > self.at).then(|| self.a.len - self.b.len)
    }
}

/// What a transition answers.
pub(crate) struct Transition<F: PolyField> {
    /// The matrix of the quotients.
    pub(crate) matrix: Matrix<F>,
    /// The divisors, where they were asked for.
    pub(crate) steps: Vec<Step<F::Element>>,
    /// The greatest common divisor, where the transition went to the end of the sequence.
    pub(crate) last: Option<Poly<F>>,
}

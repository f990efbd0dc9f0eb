//! Transitions of Euclid's algorithm: the base of the half-gcd recursion, as a primitive of the host and of devices.

use manycore_device::{Buffer, DeviceKind, Executor};

use super::cost::HOST_BASES;
use super::transition_device as device;
use super::transition_host as host;
use crate::error::PolyError;
use crate::poly::Poly;
use crate::ring::{PolyField, PolyRing};

/// A divisor of Euclid's sequence `r_0, r_1, ...` with `r_(i+1) = r_(i-1) mod r_i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step<E> {
    /// How far its degree is below that of `r_0`.
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

    /// How far the degree of the second is below that of the first; `None` where the second is zero.
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

impl<F: PolyField> PolyRing<F> {
    /// The quotients of Euclid's algorithm whose degrees add up to at most `k`, as many as there are, for a pair with
    /// `deg a > deg b` and `k` of at most `deg a`, at most [`PolyRing::longest_transition`]: they depend on the upper `2 k + 1`
    /// coefficients alone. `None` where the first quotient has a higher degree, or `b` is zero. With `k = deg a` the sequence
    /// ends. `O(k^2)` products; one launch, and two words are read back.
    pub(crate) fn transition(
        &self,
        pair: Pair<'_, F>,
        k: usize,
        steps: bool,
    ) -> Result<Option<Transition<F>>, PolyError> {
        if pair.gap().is_none_or(|gap| gap > k) {
            return Ok(None);
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                let (a, b) = (pair.a.host()?, pair.b.host()?);
                let n = pair.degree();
                let (top, low) = (a.len(), pair.at + n.saturating_sub(2 * k));
                let (a, b) = (&a[low..top], &b[low.min(b.len())..]);
                let operations = (4 * k * k) as u64;
                let found = pool.step("gcd_transition", size_of_val(a) as u64, operations, || {
                    host::transition(self.field(), a, b, k, steps)
                });
                let stride = found.stride;
                let mut words = self.device().scratch(4 * stride)?;
                words.write(&found.entries)?;
                let last =
                    if n == k { Some(self.exact(self.device().upload(&found.last)?, found.last.len())) } else { None };
                Ok(Some(Transition {
                    matrix: Matrix { words, stride, degree: found.degree },
                    steps: found.steps,
                    last,
                }))
            }
            Executor::OpenCl(cl) => Ok(Some(device::transition(self, cl, pair, k, steps)?)),
        }
    }

    /// The largest `k` of a transition.
    pub(crate) fn longest_transition(&self) -> Result<usize, PolyError> {
        match self.device().executor() {
            Executor::Host(_) => Ok(usize::MAX),
            Executor::OpenCl(cl) => Ok(1 << device::log_most::<F>(cl)?),
        }
    }

    /// The degree up to which a half-gcd is a transition.
    pub(crate) fn half_gcd_base(&self) -> Result<usize, PolyError> {
        match self.device().executor() {
            Executor::Host(_) => Ok(HOST_BASE),
            Executor::OpenCl(cl) if cl.info().kind == DeviceKind::Gpu => self.longest_transition(),
            Executor::OpenCl(_) => Ok(self.longest_transition()?.min(HOST_BASE)),
        }
    }
}

/// The usual degree of a transition on the host.
const HOST_BASE: usize = HOST_BASES[0];

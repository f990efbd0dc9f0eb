//! Transitions of Euclid's algorithm: the base of the half-gcd recursion, as a primitive of the host and of devices.
//!
//! | file | what |
//! |---|---|
//! | `matrix` | what a transition takes and answers |
//! | `host`, `device` | transitions there |

pub(super) mod device;
mod host;
pub(crate) mod matrix;

use manycore_device::{DeviceKind, Executor};

use matrix::{Matrix, Pair, Transition};

use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// The degrees up to which a half-gcd may be a transition on the host: shorter transitions take no longer than the calls of the
/// products that replace them, which no estimate counts.
pub(in crate::arithmetic::gcd) const HOST_BASES: [usize; 3] = [128, 256, 512];
/// The usual degree of a transition on the host.
const HOST_BASE: usize = HOST_BASES[0];

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

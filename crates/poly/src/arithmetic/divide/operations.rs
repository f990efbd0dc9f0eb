//! Division as operations of the ring: the input is checked, a plan chosen, the algorithm called.

use manycore_device::{Buffer, Executor};

use super::plan::{DivisionPlan, Size};
use super::span::Span;
use super::{Divisor, device, host};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// What is wanted of a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Quotient,
    Remainder,
    Both,
}

impl<F: PolyField> PolyRing<F> {
    /// Quotient and remainder, by the algorithm that the planner chooses ([`PolyRing::explain_division`]): `a = b q + r` with
    /// the degree of `r` below that of `b`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (a, b) = (ring.poly(&[1, 2, 3, 4, 5, 6, 7, 8])?, ring.poly(&[3, 1, 4, 1])?);
    /// let (q, r) = ring.div_rem(&a, &b)?;
    /// assert_eq!(ring.coefficients(&q)?, [1525, 8615, 98, 8976, 8]);
    /// assert_eq!(ring.coefficients(&r)?, [4427, 8636, 2996]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`]; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn div_rem(&self, a: &Poly<F>, b: &Poly<F>) -> Result<(Poly<F>, Poly<F>), PolyError> {
        self.divided(a, b, None, Wanted::Both, None)
    }

    /// Quotient and remainder in the way of `plan`, one of [`PolyRing::explain_division`]'s or of one's own.
    ///
    /// # Errors
    /// As [`PolyRing::div_rem`]; [`PolyError::Division`] for a way that the device does not have.
    #[inline(never)]
    pub fn div_rem_by(&self, a: &Poly<F>, b: &Poly<F>, plan: &DivisionPlan) -> Result<(Poly<F>, Poly<F>), PolyError> {
        self.divided(a, b, None, Wanted::Both, Some(plan))
    }

    /// The quotient of [`PolyRing::div_rem`].
    ///
    /// # Errors
    /// As [`PolyRing::div_rem`].
    #[inline(never)]
    pub fn div(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Poly<F>, PolyError> {
        Ok(self.divided(a, b, None, Wanted::Quotient, None)?.0)
    }

    /// The remainder of [`PolyRing::div_rem`].
    ///
    /// # Errors
    /// As [`PolyRing::div_rem`].
    #[inline(never)]
    pub fn rem(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Poly<F>, PolyError> {
        Ok(self.divided(a, b, None, Wanted::Remainder, None)?.1)
    }

    /// The quotient of a division that has no remainder.
    ///
    /// # Errors
    /// [`PolyError::NotExact`] where there is one; as [`PolyRing::div_rem`].
    #[inline(never)]
    pub fn div_exact(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Poly<F>, PolyError> {
        let (q, r) = self.div_rem(a, b)?;
        r.degree().map_or(Ok(q), |degree| Err(PolyError::NotExact { degree }))
    }

    /// The quotient by a factor that a step before found: another one is the fault of a device, not of what was given.
    pub(crate) fn cofactor(&self, f: &Poly<F>, factor: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.div_exact(f, factor).map_err(|error| match error {
            PolyError::NotExact { .. } | PolyError::ZeroDivisor => {
                PolyError::NoFactor { degree: factor.degree().unwrap_or(0), of: f.degree().unwrap_or(0) }
            }
            error => error,
        })
    }

    /// Quotient and remainder by a kept divisor, whose inverse is computed once.
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn div_rem_with(&self, a: &Poly<F>, divisor: &Divisor<F>) -> Result<(Poly<F>, Poly<F>), PolyError> {
        self.divided(a, divisor.poly(), Some(divisor), Wanted::Both, None)
    }

    /// The quotient by a kept divisor.
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn div_with(&self, a: &Poly<F>, divisor: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        Ok(self.divided(a, divisor.poly(), Some(divisor), Wanted::Quotient, None)?.0)
    }

    /// The remainder by a kept divisor.
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn rem_with(&self, a: &Poly<F>, divisor: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        Ok(self.divided(a, divisor.poly(), Some(divisor), Wanted::Remainder, None)?.1)
    }

    /// Quotient and remainder; what is not wanted is the zero polynomial.
    pub(super) fn divided(
        &self,
        a: &Poly<F>,
        b: &Poly<F>,
        kept: Option<&Divisor<F>>,
        wanted: Wanted,
        plan: Option<&DivisionPlan>,
    ) -> Result<(Poly<F>, Poly<F>), PolyError> {
        self.own(a)?;
        self.own(b)?;
        if b.len == 0 {
            return Err(PolyError::ZeroDivisor);
        }
        if a.len < b.len {
            let r = if wanted == Wanted::Quotient { self.zero()? } else { self.copy(a)? };
            return Ok((self.zero()?, r));
        }
        let len = a.len - b.len + 1;
        // A quotient of `len` coefficients depends on the highest `len` coefficients of both operands.
        let drop = if wanted == Wanted::Quotient { b.len.saturating_sub(len) } else { 0 };
        let size = Size { n: a.len - drop, m: b.len - drop, kept: kept.is_some() };
        let own = Span { buffer: &b.buffer, at: drop, len: size.m };
        let by = |plan: &DivisionPlan| -> Result<[Buffer<F::Element>; 2], PolyError> {
            let (mut work, mut q) = (self.device().scratch(size.n)?, self.device().scratch(len)?);
            work.view_mut(..)?.copy_from(a.buffer.view(drop..a.len)?)?;
            self.divide_formal((&mut work, size.n), own, kept, &mut q, wanted != Wanted::Quotient, plan)?;
            Ok([work, q])
        };
        let [work, q] = match plan {
            Some(plan) => by(plan)?,
            None => self.by_division_plan(size, by)?,
        };
        // The leading coefficients' quotient is not zero.
        let q = self.exact(q, len);
        if wanted == Wanted::Quotient {
            return Ok((q, self.zero()?));
        }
        let d = b.len - 1;
        if size.n > 2 * d {
            // A short remainder does not keep the dividend's memory.
            let mut low = self.device().scratch(d)?;
            if d > 0 {
                low.view_mut(..)?.copy_from(work.view(..d)?)?;
            }
            return Ok((q, self.stripped(low, d)?));
        }
        Ok((q, self.stripped(work, d)?))
    }

    /// Divides the `n` words of `a` by `b`, whose leading coefficient is not zero, `1 <= b.len <= n`: `n - b.len + 1` words of
    /// `q` become the quotient and, where it is wanted, the lowest `b.len - 1` words of `a` the remainder.
    pub(super) fn divide_formal(
        &self,
        (a, n): (&mut Buffer<F::Element>, usize),
        b: Span<'_, F::Element>,
        kept: Option<&Divisor<F>>,
        q: &mut Buffer<F::Element>,
        wants_remainder: bool,
        plan: &DivisionPlan,
    ) -> Result<(), PolyError> {
        let len = n + 1 - b.len;
        let refused = |reason: String| PolyError::Division {
            algorithm: plan.algorithm(),
            device: self.device().info().label(),
            reason,
        };
        match (plan, self.device().executor()) {
            (DivisionPlan::Plain { head: 0 }, _) => Err(refused("a head has at least one coefficient".to_owned())),
            (DivisionPlan::Newton { block: 0 }, _) => Err(refused("a block has at least one coefficient".to_owned())),
            (&DivisionPlan::Plain { head }, Executor::Host(pool)) => {
                let (a, words, q) = (a.host_mut()?, &b.buffer.host()?[b.at..b.at + b.len], q.host_mut()?);
                let (bytes, operations) = (2 * size_of_val(a) as u64, (len * b.len) as u64);
                let head = head.min(len);
                pool.step("divide_plain", bytes, operations, || {
                    let divisor = host::HostDivisor::new(self.field(), words, head);
                    let divisor = divisor.ok_or(PolyError::ZeroDivisor)?;
                    divisor.divide(&mut a[..n], &mut q[..len], &mut host::Scratch::default());
                    Ok(())
                })
            }
            (&DivisionPlan::SHead { s, group, each }, Executor::OpenCl(cl)) => {
                match device::fault::<F>(cl, (s, group, each))? {
                    Some(reason) => Err(refused(reason)),
                    None => device::by_heads(self, cl, (s, group, each), (a, n), b, q),
                }
            }
            (&DivisionPlan::Newton { block }, _) => {
                let block = block.min(len);
                let computed;
                let inverse = match kept {
                    Some(divisor) => {
                        computed = divisor.inverse(self, block)?;
                        &*computed
                    }
                    None => &self.invert_reversed(b, block, None)?,
                };
                self.divide_by_blocks((a, n), b, inverse, block, q, wants_remainder)
            }
            (DivisionPlan::Plain { .. }, Executor::OpenCl(_)) => Err(refused("it is for the host".to_owned())),
            (DivisionPlan::SHead { .. }, Executor::Host(_)) => Err(refused("it is for OpenCL devices".to_owned())),
        }
    }
}

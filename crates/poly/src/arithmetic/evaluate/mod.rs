//! The value of a polynomial at one point.
//!
//! Coefficients are cut into blocks of `B`. With the powers `x^0, ..., x^(B-1)` in a table, the value of a block is a sum of
//! products, and blocks do not wait for each other; Horner's rule in `x^B` puts their values together. So it takes `n`
//! products that are added and about `B + n / B` that wait for each other, with `B` near the root of `n`.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | Horner's rule: specification and oracle |
//! | `host` | sums of products with vectors and threads |
//! | `device` | the same on OpenCL devices |
//! | [`cost`] | what a size of the blocks counts |

pub mod cost;
mod device;
mod host;
pub mod reference;

use manycore_device::{Device, Executor};
use manycore_field::ResidueWord as _;
use manycore_tuning::{Asked, Choice, Operation, Proof, proof};

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;
use cost::{Blocking, Evaluation, Place};

impl<F: PolyField> PolyRing<F> {
    /// `f(x)`. The device sums blocks; about the square root of the coefficients comes back to the host.
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] for a point that is no residue; [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn evaluate(&self, f: &Poly<F>, x: F::Element) -> Result<F::Element, PolyError> {
        self.own(f)?;
        self.field().check(&[x])?;
        let field = self.field();
        if let Executor::Host(pool) = self.device().executor() {
            return Ok(host::evaluate(field, (pool, self.machine()), f.host()?, x));
        }
        if f.is_zero() {
            return Ok(field.zero());
        }
        let ask = |&n: &usize| self.ask_evaluation(n);
        self.blockings.0.run(self.device(), f.len(), ask, |blocking| self.value_by_blocks(f, x, *blocking))
    }

    /// [`PolyRing::evaluate`] by blocks of this size whatever the planner would choose: the same value by every size.
    ///
    /// # Errors
    /// As [`PolyRing::evaluate`].
    #[inline(never)]
    pub fn evaluate_by(&self, f: &Poly<F>, x: F::Element, blocking: Blocking) -> Result<F::Element, PolyError> {
        self.own(f)?;
        self.field().check(&[x])?;
        if f.is_zero() { Ok(self.field().zero()) } else { self.value_by_blocks(f, x, blocking) }
    }

    /// `f(x)` by blocks of this size.
    fn value_by_blocks(&self, f: &Poly<F>, x: F::Element, blocking: Blocking) -> Result<F::Element, PolyError> {
        let (field, log_block) = (self.field(), blocking.log_block);
        let table = host::powers(field, x, 1 << log_block);
        let values = self.project(f, &table, log_block, 1)?;
        let step = table.last().map_or(x, |&last| field.mul(last, x));
        Ok(host::evaluate_here(field, &values, step))
    }

    /// The choice that is taken for the value of a polynomial of `n` coefficients on this ring's device: every size of
    /// blocks with its estimate, the chosen one first, and the origin of the choice. Where the device is to be measured
    /// ([`Device::tuned`]) and such a length was not yet, the sizes are measured now.
    ///
    /// # Errors
    /// [`PolyError::NoChoice`] where none suits the device.
    #[inline(never)]
    pub fn explain_evaluate(&self, n: usize) -> Result<Choice<Blocking>, PolyError> {
        self.planner().choice(&self.evaluations(), &n)
    }

    /// Asks for the blocks of a polynomial of `n` coefficients.
    #[allow(clippy::unnecessary_wraps)] // the form that plans ask for
    fn ask_evaluation(&self, n: usize) -> Result<Asked<'_, Blocking, PolyError>, PolyError> {
        Ok(self.planner().ask(self.evaluations(), n))
    }

    fn evaluations(&self) -> Evaluations<'_, F> {
        let place = match self.device().executor() {
            Executor::Host(_) => Place::Host,
            Executor::OpenCl(cl) => {
                Place::Device { group_limit: cl.info().group_limit, host: Box::new(Device::host().machine()) }
            }
        };
        let costs = Evaluation { arithmetic: self.arithmetic(), sum_terms: self.sum_terms(), place };
        Evaluations { ring: self, costs }
    }

    /// The sums of products of each block of `2^log_block` coefficients with each of `rows` rows of a table, a block's sums
    /// side by side, on the host.
    pub(crate) fn project(
        &self,
        f: &Poly<F>,
        table: &[F::Element],
        log_block: u32,
        rows: usize,
    ) -> Result<Vec<F::Element>, PolyError> {
        match self.device().executor() {
            Executor::Host(pool) => {
                Ok(host::project(self.field(), (pool, self.machine()), f.host()?, table, log_block, rows))
            }
            Executor::OpenCl(cl) => device::project(self, cl, f, table, log_block, rows),
        }
    }
}

/// Evaluations on a ring's device.
struct Evaluations<'a, F: PolyField> {
    ring: &'a PolyRing<F>,
    costs: Evaluation,
}

impl<F: PolyField> Operation for Evaluations<'_, F> {
    type Costs = Evaluation;
    type Trial = Poly<F>;
    type Error = PolyError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Evaluation {
        &self.costs
    }

    fn family(&self, _: &usize) -> String {
        format!("evaluation, {}", self.ring.arithmetic())
    }

    fn sizes(&self, _: &usize) -> Vec<usize> {
        Vec::new()
    }

    /// Lengths with the same power of two take the same blocks.
    fn arrays(&self, &n: &usize) -> usize {
        n
    }

    /// The host has one size of blocks.
    fn is_empty(&self, &n: &usize) -> bool {
        n == 0 || self.ring.planner().on_host()
    }

    fn trial(&self, &n: &usize) -> Result<Poly<F>, PolyError> {
        Ok(self.ring.exact(self.ring.device().zeros(n)?, n))
    }

    fn try_plan(&self, _: &usize, f: &mut Poly<F>, &blocking: &Blocking) -> Result<(), PolyError> {
        self.ring.value_by_blocks(f, self.ring.field().one(), blocking).map(drop)
    }

    fn proof(&self, &n: &usize, &blocking: &Blocking) -> Result<Proof, PolyError> {
        if !proof::is_small(n as u64, n as u64) {
            return Ok(Proof::TooLarge);
        }
        let order = F::Element::from_u64(self.ring.field().order());
        let words = proof::known_residues(order, n, 1);
        let x = proof::known_residues(order, 9, 2)[8];
        let host = self.ring.proving()?;
        let expected = host.evaluate(&host.poly(&words)?, x)?;
        let f = self.ring.exact(self.ring.device().upload(&words)?, n);
        Ok(Proof::of_values(&self.ring.value_by_blocks(&f, x, blocking)?, &expected))
    }
}

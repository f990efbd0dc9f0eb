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
//! | [`cost`] | the size of the blocks |

pub mod cost;
mod device;
mod host;
pub mod reference;

use manycore_device::Executor;
use manycore_model::{Choice, choose};

use crate::error::PolyError;
use crate::poly::Poly;
use crate::ring::{PolyField, PolyRing};
use cost::Blocking;

impl<F: PolyField> PolyRing<F> {
    /// `f(x)`. The device sums blocks; about the square root of the coefficients comes back to the host.
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] for a point that is no residue; [`PolyError::MixedRings`] and [`PolyError::Device`].
    pub fn evaluate(&self, f: &Poly<F>, x: F::Element) -> Result<F::Element, PolyError> {
        self.own(f)?;
        self.field().check(&[x])?;
        let field = self.field();
        if let (Executor::Host(pool), Some(f)) = (self.device().executor(), f.as_host()) {
            return Ok(host::evaluate(field, pool, f, x));
        }
        if f.is_zero() {
            return Ok(field.zero());
        }
        let log_block = self.explain_evaluate(f.len())?.best().parameters.log_block;
        let table = powers(field, x, 1 << log_block);
        let values = self.project(f, &table, log_block, 1)?;
        let step = table.last().map_or(x, |&last| field.mul(last, x));
        Ok(host::evaluate_here(field, &values, step))
    }

    /// What the model says of every size of blocks for the value of a polynomial of `n` coefficients on this ring's device.
    ///
    /// # Errors
    /// [`PolyError::NoChoice`] where none suits the device.
    pub fn explain_evaluate(&self, n: usize) -> Result<Choice<Blocking>, PolyError> {
        let operation = cost::Evaluation {
            on_host: matches!(self.device().executor(), Executor::Host(_)),
            arithmetic: self.arithmetic(),
        };
        Ok(choose(&operation, &n, self.machine())?)
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
                Ok(host::project(self.field(), pool, f.as_host().unwrap_or_default(), table, log_block, rows))
            }
            Executor::OpenCl(cl) => device::project(self, cl, f, table, log_block, rows),
        }
    }
}

/// `x^0, ..., x^(count - 1)`.
fn powers<F: PolyField>(field: &F, x: F::Element, count: usize) -> Vec<F::Element> {
    std::iter::successors(Some(field.one()), |&power| Some(field.mul(power, x))).take(count).collect()
}

//! The choice of a plan, and the measured seconds of a transform.

use manycore_device::{Executor, Limits, timing};
use manycore_tuning::{Choice, choose};

use super::cost::{self, Plan};
use super::{Ntt, NttError, NttField, Way};

impl<F: NttField> Ntt<F> {
    /// The choice that is taken for `len` values (whole transforms) on this device: every candidate with its estimate,
    /// the chosen one first, and the origin of the choice. Where the device is to be measured
    /// ([`Device::tuned`](manycore_device::Device::tuned)) and this shape was not yet, its candidates are measured now.
    ///
    /// # Errors
    /// As [`Ntt::forward`].
    #[inline(never)]
    pub fn explain(&self, len: usize) -> Result<Choice<Plan>, NttError> {
        let arrays = self.arrays(len)?;
        match self.device().executor() {
            // Nothing is done, and nothing to measure.
            Executor::OpenCl(cl) if arrays.count > 0 && arrays.log_len > 0 => self.unproved_choice(cl, &arrays),
            _ => self.estimates(len),
        }
    }

    /// What the model estimates of every plan for `len` values, the best first; nothing is measured, read or kept.
    ///
    /// # Errors
    /// As [`Ntt::explain`].
    #[inline(never)]
    pub fn estimates(&self, len: usize) -> Result<Choice<Plan>, NttError> {
        let (arrays, machine) = (self.arrays(len)?, self.planner.machine());
        Ok(match self.device().executor() {
            Executor::Host(_) => choose(&cost::OnHost { order: self.field.order() }, &arrays, machine)?,
            Executor::OpenCl(cl) => choose(&cost::OnDevice { limits: Limits::of(cl)? }, &arrays, machine)?,
        })
    }

    /// The seconds that a forward transform of `len` zeros takes by the device's clock, in the way of `plan` if given: the
    /// median of several runs, after one that builds kernels and tables, on GPUs with launches queued
    /// ([`timing::seconds`]).
    ///
    /// # Errors
    /// As [`Ntt::forward`].
    #[inline(never)]
    pub fn time(&self, len: usize, plan: Option<&Plan>) -> Result<f64, NttError> {
        let mut x = self.device().zeros::<F::Element>(len)?;
        timing::seconds(self.device(), || self.run((&mut x).into(), Way::Forward, plan))
    }

    /// The seconds of the same transform with the gaps between launches that a host leaves that enqueues one after the
    /// other ([`timing::seconds_as_enqueued`]).
    ///
    /// # Errors
    /// As [`Ntt::time`].
    #[inline(never)]
    pub fn time_as_enqueued(&self, len: usize, plan: Option<&Plan>) -> Result<f64, NttError> {
        let mut x = self.device().zeros::<F::Element>(len)?;
        timing::seconds_as_enqueued(self.device(), || self.run((&mut x).into(), Way::Forward, plan))
    }
}

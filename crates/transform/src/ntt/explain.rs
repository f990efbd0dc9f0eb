//! What the model says of a transform, and the seconds that it takes.

use manycore_device::{Executor, context};
use manycore_model::Choice;

use super::cost::{self, Plan};
use super::{Ntt, NttError, NttField, Way, device};

impl<F: NttField> Ntt<F> {
    /// What the model says of every way in which `len` values (whole transforms) could be transformed on this device, the
    /// one that is taken first, with what was measured where choices are refined; its text tells by how much prices are
    /// corrected.
    ///
    /// # Errors
    /// As [`Ntt::forward`].
    pub fn explain(&self, len: usize) -> Result<Choice<Plan>, NttError> {
        let arrays = self.arrays(len)?;
        match self.device().executor() {
            Executor::Host(_) => {
                let costed = cost::OnHost { order: self.field.order() };
                Ok(manycore_model::choose(&costed, &arrays, self.context.machine())?)
            }
            Executor::OpenCl(cl) => Ok(device::choice(self, cl, &arrays)?.0),
        }
    }

    /// The seconds that a forward transform of `len` zeros takes by the device's clock, in the way of `plan` if given: the
    /// median of several runs, after one that builds kernels and tables.
    ///
    /// # Errors
    /// As [`Ntt::forward`].
    pub fn time(&self, len: usize, plan: Option<&Plan>) -> Result<f64, NttError> {
        let mut x = self.device().zeros::<F::Element>(len)?;
        context::seconds(self.device(), || self.run(&mut x, Way::Forward, plan))
    }

    /// The same where the launches are already queued when the device comes to them: what the device itself takes.
    ///
    /// # Errors
    /// As [`Ntt::time`].
    pub fn queued_time(&self, len: usize, plan: Option<&Plan>) -> Result<f64, NttError> {
        let mut x = self.device().zeros::<F::Element>(len)?;
        context::queued_seconds(self.device(), || self.run(&mut x, Way::Forward, plan))
    }
}

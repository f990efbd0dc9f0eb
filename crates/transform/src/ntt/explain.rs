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
    /// median of several runs, after one that builds kernels and tables, on GPUs with launches queued
    /// ([`context::seconds`]).
    ///
    /// # Errors
    /// As [`Ntt::forward`].
    pub fn time(&self, len: usize, plan: Option<&Plan>) -> Result<f64, NttError> {
        let mut x = self.device().zeros::<F::Element>(len)?;
        context::seconds(self.device(), || self.run(&mut x, Way::Forward, plan))
    }

    /// The same with the gaps between launches that a host leaves that enqueues one after the other.
    ///
    /// # Errors
    /// As [`Ntt::time`].
    pub fn time_as_enqueued(&self, len: usize, plan: Option<&Plan>) -> Result<f64, NttError> {
        let mut x = self.device().zeros::<F::Element>(len)?;
        context::seconds_as_enqueued(self.device(), || self.run(&mut x, Way::Forward, plan))
    }
}

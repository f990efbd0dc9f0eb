//! What the model says of a transform, and the seconds that it takes.

use manycore_device::context::Task;
use manycore_device::{Buffer, Executor};
use manycore_model::{Choice, choose};

use super::cost::{Arrays, HostPlan};
use super::{SpectralError, Walsh, WalshPlan, device};
use crate::context::Spectral;
use crate::scalar::Scalar;

impl Spectral {
    /// The model's choice on the host, refined as the context refines; and whether that was the last word.
    pub(super) fn host_choice<T: Scalar>(
        &self,
        arrays: &Arrays,
        how: &Walsh,
    ) -> Result<(Choice<HostPlan>, bool), SpectralError> {
        let operation = how.on_host();
        let mut choice = choose(&operation, arrays, self.machine())?;
        let task = Task {
            key: format!("{} {operation:?} 2^{} {:?}", how.butterfly.names()[0], arrays.log_len, arrays.element),
            kernels: &[],
            count: arrays.count,
            choice: &mut choice,
            // Blocks of every size add in the same order: the lowest index bit first.
            stands_in: |_: &HostPlan, _: &HostPlan| true,
            kind: |_| 0,
        };
        let mut zeros: Option<Buffer<T>> = None;
        let last_word = self.context().refine(task, |plan: &HostPlan| {
            let x = match &mut zeros {
                Some(x) => x,
                none => none.insert(self.device().zeros(arrays.values() as usize)?),
            };
            self.walsh(x, &how.clone().by(&WalshPlan::Host(*plan)))
        });
        Ok((choice, last_word))
    }

    /// What the model says of every way in which [`Spectral::walsh`] could transform `len` values on this context's device,
    /// the one that it takes first. Where the context refines its choices ([`Spectral::measuring`]), what was measured is
    /// told beside it, and a shape that was not seen before is measured now.
    ///
    /// # Errors
    /// [`SpectralError::NotPowerOfTwo`] and [`SpectralError::Batch`] for lengths; [`SpectralError::NoChoice`] where none suits the
    /// device; [`SpectralError::Device`] when the device cannot be opened.
    pub fn explain_walsh<T: Scalar>(&self, len: usize, how: &Walsh) -> Result<Choice<WalshPlan>, SpectralError> {
        let log_len = how.log_len(len)?;
        let arrays = Arrays { count: len >> log_len, log_len, element: T::TYPE };
        Ok(match self.device().executor() {
            Executor::Host(_) => self.host_choice::<T>(&arrays, how)?.0.map(WalshPlan::Host),
            Executor::OpenCl(cl) => device::choice::<T>(self, cl, &arrays, how)?.0.map(WalshPlan::Device),
        })
    }

    /// Measures at most `most` candidates of [`Spectral::explain_walsh`], the first ones, on `len` zeros, and chooses by what
    /// they took: the median of several runs by the device's clock. Stops where the model's floor shows that no other can be
    /// faster. Tells how many were measured.
    ///
    /// # Errors
    /// As [`Spectral::walsh`].
    pub fn measure_walsh<T: Scalar>(
        &self,
        len: usize,
        how: &Walsh,
        choice: &mut Choice<WalshPlan>,
        most: usize,
    ) -> Result<usize, SpectralError> {
        choice.refine(most, |plan| self.time_walsh::<T>(len, &how.clone().by(plan)))
    }

    /// The seconds that a transform of `len` zeros takes, by the device's clock: the median of several runs, after one that
    /// builds kernels and wakes threads.
    ///
    /// # Errors
    /// As [`Spectral::walsh`].
    pub fn time_walsh<T: Scalar>(&self, len: usize, how: &Walsh) -> Result<f64, SpectralError> {
        let mut x = self.device().zeros::<T>(len)?;
        manycore_device::context::seconds(self.device(), || self.walsh(&mut x, how))
    }
}

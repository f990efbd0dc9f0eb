//! The choice of a plan, and the measured seconds of a transform.

use manycore_arrays::blocks::Blocks;
use manycore_device::{Buffer, Executor, timing};
use manycore_tuning::Choice;

use super::cost::Arrays;
use super::device;
use super::how::{Walsh, WalshPlan};
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::scalar::Scalar;

impl Spectral {
    /// The choice that [`Spectral::walsh`] takes for `len` values on this context's device: every candidate with its
    /// estimate, the chosen one first, and the origin of the choice. Where the device is to be measured
    /// ([`Device::tuned`](manycore_device::Device::tuned)) and this shape was not yet, its candidates are measured now.
    ///
    /// # Errors
    /// [`SpectralError::NotPowerOfTwo`] and [`SpectralError::Batch`] for lengths; [`SpectralError::NoChoice`] where no
    /// candidate fits the device; [`SpectralError::Device`] when the device cannot be opened.
    #[inline(never)]
    pub fn explain_walsh<T: Scalar>(&self, len: usize, how: &Walsh) -> Result<Choice<WalshPlan>, SpectralError> {
        let log_len = how.log_len(len)?;
        let arrays = Arrays { count: len >> log_len, log_len, element: T::TYPE };
        Ok(match self.device().executor() {
            Executor::Host(_) => self.host_choice::<T>(&arrays, how)?.map(WalshPlan::Host),
            Executor::OpenCl(cl) => {
                let on_host = |x: &mut Buffer<T>| Spectral::new(x.device()).transform(x.into(), how);
                let transforms = device::transforms(self, cl, &arrays, how, on_host)?;
                self.planner().choice(&transforms, &arrays)?.map(WalshPlan::Device)
            }
        })
    }

    /// The blocks in which [`Spectral::walsh`] takes `len` values of a slice through this context's device, as it is now and under the
    /// caller's [`Control`](manycore_device::Control); `None` where they go there as one: where they fit, and on the host.
    ///
    /// ```
    /// use manycore_device::{Control, Device};
    /// use manycore_spectral::{Spectral, Walsh};
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let control = Control::new().with_limit_bytes(1 << 20);
    /// match control.run(|| spectral.walsh_blocks::<i32>(1 << 30, &Walsh::new()))? {
    ///     Some(blocks) => println!("{blocks}"), // in blocks of 2^... columns of 2^... words and of rows of 2^...
    ///     None => println!("at once"),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Spectral::explain_walsh`] for lengths; [`SpectralError::Device`] where the device has no room for the smallest blocks.
    #[inline(never)]
    pub fn walsh_blocks<T: Scalar>(&self, len: usize, how: &Walsh) -> Result<Option<Blocks>, SpectralError> {
        self.blocks_of::<T>(len, how.log_len(len)?)
    }

    /// The seconds of a transform of `len` zeros by the device's clock, launches queued: the median of several runs,
    /// after one that builds kernels and wakes threads.
    ///
    /// # Errors
    /// As [`Spectral::walsh`].
    #[inline(never)]
    pub fn time_walsh<T: Scalar>(&self, len: usize, how: &Walsh) -> Result<f64, SpectralError> {
        let mut x = self.device().zeros::<T>(len)?;
        timing::seconds(self.device(), || self.transform((&mut x).into(), how))
    }
}

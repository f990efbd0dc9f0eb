//! Several devices as one.

use std::ops::Range;

use crate::control::{Control, shared};
use crate::device::Device;
use crate::error::DeviceError;

/// Several devices that share independent work, such as the batches of a transform.
///
/// ```
/// use manycore_device::{Device, DeviceSet};
/// let set = DeviceSet::new(vec![Device::host(), Device::host_with(1)?], &[3.0, 1.0])?;
/// assert_eq!(set.partition(100, 8), [0..72, 72..100]);
/// # Ok::<(), manycore_device::DeviceError>(())
/// ```
#[derive(Debug, Clone)]
pub struct DeviceSet {
    devices: Vec<Device>,
    weights: Vec<f64>,
}

impl DeviceSet {
    /// Devices with their shares of the work, which need not sum to 1.
    ///
    /// # Errors
    /// [`DeviceError::Length`] for no device, or for another number of weights or one that is not positive and finite.
    pub fn new(devices: Vec<Device>, weights: &[f64]) -> Result<Self, DeviceError> {
        let good = weights.iter().filter(|w| w.is_finite() && **w > 0.0).count();
        if devices.is_empty() || good != devices.len() || weights.len() != devices.len() {
            let expected = devices.len().max(1);
            let given = if weights.len() == devices.len() { good } else { weights.len() };
            return Err(DeviceError::Length { what: "positive weights of a device set", expected, given });
        }
        Ok(Self { devices, weights: weights.to_vec() })
    }

    /// Devices with equal shares.
    ///
    /// # Errors
    /// [`DeviceError::Length`] for no device.
    pub fn equal(devices: Vec<Device>) -> Result<Self, DeviceError> {
        let weights = vec![1.0; devices.len()];
        Self::new(devices, &weights)
    }

    /// The devices.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// `0..len` cut into one range a device, by weight, at multiples of `granularity` (0 counts as 1) or at the end;
    /// ranges may be empty.
    pub fn partition(&self, len: usize, granularity: usize) -> Vec<Range<usize>> {
        let granularity = granularity.max(1);
        let total: f64 = self.weights.iter().sum();
        let mut passed = 0.0;
        let mut start = 0;
        let last = self.devices.len() - 1;
        self.weights
            .iter()
            .enumerate()
            .map(|(i, weight)| {
                passed += weight;
                let cut = (len as f64 * (passed / total) / granularity as f64).round() as usize;
                let end = if i == last { len } else { cut.saturating_mul(granularity).clamp(start, len) };
                let range = start..end;
                start = end;
                range
            })
            .collect()
    }

    /// Runs `work` once for each device with its range, on one thread each under the caller's [`Control`], and collects the results in the devices'
    /// order.
    ///
    /// # Errors
    /// The error of the first device, in their order, whose work failed; [`DeviceError::Length`], before any work, for
    /// another number of ranges than devices; [`DeviceError::Threads`] when the system gives no thread.
    ///
    /// # Panics
    /// When `work` panicked, with its panic, after the others have ended.
    pub fn run<R: Send, E: Send + From<DeviceError>>(
        &self,
        ranges: &[Range<usize>],
        work: impl Fn(&Device, Range<usize>) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        if ranges.len() != self.devices.len() {
            let (expected, given) = (self.devices.len(), ranges.len());
            return Err(DeviceError::Length { what: "ranges of a device set", expected, given }.into());
        }
        let (work, control) = (&work, &Control::current());
        std::thread::scope(|scope| {
            let running: Vec<_> = self
                .devices
                .iter()
                .zip(ranges)
                .map(|(device, range)| {
                    std::thread::Builder::new()
                        .spawn_scoped(scope, move || shared(control.clone(), || work(device, range.clone())))
                })
                .collect();
            running
                .into_iter()
                .map(|thread| match thread {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                    Err(error) => Err(DeviceError::Threads { reason: error.to_string() }.into()),
                })
                .collect()
        })
    }
}

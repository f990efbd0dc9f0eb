//! Transforms shared by several devices.

use manycore_device::DeviceSet;

use super::how::Walsh;
use crate::error::SpectralError;
use crate::scalar::Scalar;
use crate::{blocks, exact};

/// Transforms each run of [`Walsh::batch`] values of `data`, or all of it, which lies on the host, by several devices.
///
/// Runs go to whichever device is free, some at a time. Where there are few of them, or no room for one, each is transformed in two
/// passes over blocks of its rows and columns, so that all devices do each: then every word crosses the buses twice each way instead
/// of once. On each device three lanes upload, compute and download at the same time. A device that fails is named by
/// [`DeviceSet::failures`], and others do its work. Integers come out the same as by one device, to the bit.
///
/// ```
/// use manycore_device::{Device, DeviceSet};
/// use manycore_spectral::{Walsh, walsh::walsh_over};
/// let devices = DeviceSet::equal(Device::all())?;
/// let mut data = vec![1i32; 64];
/// walsh_over(&devices, &mut data, &Walsh::new().batch(16))?;
/// assert_eq!((data[0], data[1], data[16]), (16, 0, 16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Spectral::walsh`](crate::Spectral::walsh) for lengths and integers; the error of a device where all failed; of memory where no device has
/// room for the smallest blocks, of `2^ceil(n / 2)` of the `2^n` values of a run, with the bytes needed. What `data` holds after an
/// error of devices is unspecified.
#[inline(never)]
pub fn walsh_over<T: Scalar>(devices: &DeviceSet, data: &mut [T], how: &Walsh) -> Result<(), SpectralError> {
    let log_len = how.log_len(data.len())?;
    exact::of_slice(data, how.sums(log_len), |data| blocks::over(devices, data, log_len, how))
}

//! A batch of transforms shared by several devices.

use manycore_device::DeviceSet;

use super::{SpectralError, Walsh};
use crate::context::Spectral;
use crate::scalar::Scalar;

/// Transforms each run of [`Walsh::batch`] values of `data`, which lies on the host: each device takes whole runs by its
/// weight, all at the same time. Without a batch length there is one run, and the first device with a share takes it.
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
/// As [`Spectral::walsh`]; on an error `data` is as it was.
#[inline(never)]
pub fn walsh_over<T: Scalar>(devices: &DeviceSet, data: &mut [T], how: &Walsh) -> Result<(), SpectralError> {
    let len = 1usize << how.log_len(data.len())?;
    let ranges = devices.partition(data.len(), len);
    let how = how.clone().batch(len);
    let shared: &[T] = data;
    let results = devices.run(&ranges, |device, range| {
        if range.is_empty() { Ok(Vec::new()) } else { Spectral::new(device).walsh_of(&shared[range], &how) }
    })?;
    for (range, result) in ranges.into_iter().zip(results) {
        data[range].copy_from_slice(&result);
    }
    Ok(())
}

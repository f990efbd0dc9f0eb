//! Figures of a batch of S-boxes on several devices, which share the S-boxes.

use manycore_device::{Device, DeviceSet, Lanes};

use super::sboxes::{Outputs, SBoxes, Values};
use super::{Boolean, BooleanError, Figure};

/// S-boxes that a device takes at least: a group each, more than there are compute units.
const GRANULARITY: usize = 256;
/// Queues of a device: outputs of some S-boxes go to it while others are computed.
const LANES: usize = 2;

impl SBoxes<'_> {
    /// The S-boxes of the host from `start` to before `end`; all of a batch in a buffer, which is on one device.
    fn part(self, start: usize, end: usize) -> Self {
        let values = match self.values {
            Values::List(list) => Values::List(&list[start..end]),
            Values::Flat(bits, outputs) => {
                let range = start << bits.input..end << bits.input;
                let outputs = match outputs {
                    Outputs::Bytes(values) => Outputs::Bytes(&values[range]),
                    Outputs::Words(values) => Outputs::Words(&values[range]),
                    Outputs::ByteBuffer(_) | Outputs::WordBuffer(_) => outputs,
                };
                Values::Flat(bits, outputs)
            }
        };
        Self { values }
    }

    /// The device that has the outputs, where one has.
    fn device(&self) -> Option<&Device> {
        match &self.values {
            Values::Flat(_, Outputs::ByteBuffer(values)) => Some(values.device()),
            Values::Flat(_, Outputs::WordBuffer(values)) => Some(values.device()),
            _ => None,
        }
    }
}

fn figures_over(set: &DeviceSet, sboxes: SBoxes<'_>, figure: Figure) -> Result<Vec<u32>, BooleanError> {
    if let Some(device) = sboxes.device() {
        return Boolean::new(device).figures(sboxes, figure);
    }
    let lanes = Lanes::new(set, LANES, |lane| Ok::<_, BooleanError>(Boolean::new(lane)))?;
    let parts = lanes.share(sboxes.len(), GRANULARITY, |boolean, range| {
        boolean.figures(sboxes.part(range.start, range.end), figure)
    })?;
    Ok(parts.into_iter().flat_map(|(_, part)| part).collect())
}

/// [`Boolean::linearities`] by several devices, which share the S-boxes by measured speed: the same numbers. A device that fails
/// is named by [`DeviceSet::failures`], and others do its part. Outputs in a buffer are worked on where they are.
///
/// ```
/// use manycore_boolean::{SBox, SBoxes, linearities_over};
/// use manycore_device::{Device, DeviceSet, Lanes};
/// let set = DeviceSet::equal(Device::all())?;
/// let cube = [0u8, 1, 3, 4, 5, 6, 7, 2]; // x^3 in GF(2^3)
/// assert_eq!(linearities_over(&set, SBoxes::new(3, 3, &cube.repeat(1000))?)?, vec![4; 1000]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Boolean::linearities`], where all devices failed.
pub fn linearities_over<'a>(set: &DeviceSet, sboxes: impl Into<SBoxes<'a>>) -> Result<Vec<u32>, BooleanError> {
    figures_over(set, sboxes.into(), Figure::Linearity)
}

/// [`Boolean::nonlinearities`] by several devices, as [`linearities_over`].
///
/// # Errors
/// As [`linearities_over`].
pub fn nonlinearities_over<'a>(set: &DeviceSet, sboxes: impl Into<SBoxes<'a>>) -> Result<Vec<u32>, BooleanError> {
    let sboxes = sboxes.into();
    Ok(super::nonlinearities(sboxes, linearities_over(set, sboxes)?))
}

/// [`Boolean::uniformities`] by several devices, as [`linearities_over`].
///
/// # Errors
/// As [`linearities_over`].
pub fn uniformities_over<'a>(set: &DeviceSet, sboxes: impl Into<SBoxes<'a>>) -> Result<Vec<u32>, BooleanError> {
    figures_over(set, sboxes.into(), Figure::Uniformity)
}

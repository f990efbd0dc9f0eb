//! Labels of devices in reports.

use manycore::Device;
use manycore::files::shown;

/// A device, or several, with a label.
pub(crate) trait Labelled {
    /// Its label in reports: `opencl:0 (NAME)`.
    fn label(&self) -> String;
}

impl Labelled for Device {
    fn label(&self) -> String {
        shown(&self.info().label())
    }
}

/// The label of a device, or of several, in reports.
pub(crate) fn label(device: &impl Labelled) -> String {
    device.label()
}

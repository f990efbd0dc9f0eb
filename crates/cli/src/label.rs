//! What reports call what computes.

use manycore::Device;
use manycore::files::shown;

/// What computes: a device, or several.
pub(crate) trait Labelled {
    /// What reports call it: `opencl:0 (NAME)`.
    fn label(&self) -> String;
}

impl Labelled for Device {
    fn label(&self) -> String {
        shown(&self.info().label())
    }
}

/// What reports call a device, or several.
pub(crate) fn label(device: &impl Labelled) -> String {
    device.label()
}

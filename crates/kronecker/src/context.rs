//! The context of all transforms on one device.

use std::fmt;

use manycore_device::{Context, Device};
use manycore_model::Machine;

/// What does Kronecker transforms on one device: keeps built kernels.
///
/// See [`Kronecker::forward`] and [`Kronecker::transform`].
pub struct Kronecker {
    context: Context,
}

impl fmt::Debug for Kronecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kronecker").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Kronecker {
    /// A context of `device`, that chooses by the device's machine: the calibrated one if there is one. Kernels are built
    /// when they are first needed.
    pub fn new(device: &Device) -> Self {
        Self::with_machine(device, device.machine())
    }

    /// The same, choosing as if the device were `machine`.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self { context: Context::with_machine(device, machine) }
    }

    /// The device that it computes on.
    pub fn device(&self) -> &Device {
        self.context.device()
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        self.context.machine()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn on_host(&self) -> bool {
        self.context.on_host()
    }
}

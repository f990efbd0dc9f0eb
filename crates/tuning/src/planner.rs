//! The planner: the device of an operation, and the machine that it is planned for.

use std::sync::Arc;

use manycore_device::{Cache, Defines, Device, DeviceError, Executor, Kernel, KernelSpec, OpenCl, TuningMode};
use manycore_model::Machine;

/// The device of an operation, the machine that it plans for, and the kernels built so far: the base of the contexts of all
/// operations.
#[derive(Debug)]
pub struct Planner {
    device: Device,
    machine: Machine,
    /// Whether the machine is the device's own.
    pub(crate) is_own: bool,
    mode: TuningMode,
    kernels: Cache<(usize, Defines), Kernel>,
}

impl Planner {
    /// A planner for `device` by its machine (the calibrated one where there is one) and its mode ([`Device::tuning`]).
    pub fn new(device: &Device) -> Self {
        Self { is_own: true, mode: device.tuning(), ..Self::with_machine(device, device.machine()) }
    }

    /// A planner that plans for `machine` by estimates alone; it measures, reads and keeps nothing.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self { device: device.clone(), machine, is_own: false, mode: TuningMode::Estimate, kernels: Cache::default() }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The machine that it plans for.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// How it chooses.
    pub fn mode(&self) -> TuningMode {
        self.mode
    }

    /// Whether the device is the host.
    pub fn on_host(&self) -> bool {
        matches!(self.device.executor(), Executor::Host(_))
    }

    /// A kernel with these defines: built at its first use, then kept.
    ///
    /// # Errors
    /// [`DeviceError`] where it does not build.
    pub fn kernel(&self, cl: &OpenCl, spec: &'static KernelSpec, defines: Defines) -> Result<Arc<Kernel>, DeviceError> {
        // Two units may have entries of the same name.
        self.kernels.get((std::ptr::from_ref(spec).addr(), defines), |(_, defines)| cl.kernel(spec, defines))
    }
}

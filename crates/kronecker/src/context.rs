//! The context of all transforms on one device.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::{Defines, Device, DeviceError, Executor, Kernel, KernelSpec, OpenCl};
use manycore_model::Machine;

/// What does Kronecker transforms on one device: keeps built kernels.
///
/// See [`Kronecker::forward`] and [`Kronecker::transform`].
pub struct Kronecker {
    device: Device,
    machine: Machine,
    kernels: Mutex<HashMap<(usize, Defines), Arc<Kernel>>>,
}

impl fmt::Debug for Kronecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kronecker").field("device", &self.device).finish_non_exhaustive()
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
        Self { device: device.clone(), machine, kernels: Mutex::default() }
    }

    /// The device that it computes on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    pub(crate) fn on_host(&self) -> bool {
        matches!(self.device.executor(), Executor::Host(_))
    }

    pub(crate) fn kernel(
        &self,
        cl: &OpenCl,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<Arc<Kernel>, DeviceError> {
        // Two units have an entry of the same name.
        let key = (std::ptr::from_ref(spec).addr(), defines);
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kernels.get(&key) {
            return Ok(Arc::clone(kernel));
        }
        let kernel = Arc::new(cl.kernel(spec, &key.1)?);
        kernels.insert(key, Arc::clone(&kernel));
        Ok(kernel)
    }
}

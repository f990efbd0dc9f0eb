//! The context of spectral transforms.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::{Defines, Device, DeviceError, Kernel, KernelSpec, OpenCl};

/// Spectral transforms on one device; keeps the kernels that it has built.
#[derive(Debug)]
pub struct Spectral {
    device: Device,
    kernels: Mutex<HashMap<(&'static str, Defines), Arc<Kernel>>>,
}

impl Spectral {
    /// A context for `device`. Kernels are built when they are first needed.
    pub fn new(device: &Device) -> Self {
        Self { device: device.clone(), kernels: Mutex::default() }
    }

    /// The device that it computes on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn kernel(
        &self,
        cl: &OpenCl,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<Arc<Kernel>, DeviceError> {
        let key = (spec.entry, defines);
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kernels.get(&key) {
            return Ok(Arc::clone(kernel));
        }
        let kernel = Arc::new(cl.kernel(spec, &key.1)?);
        kernels.insert(key, Arc::clone(&kernel));
        Ok(kernel)
    }
}

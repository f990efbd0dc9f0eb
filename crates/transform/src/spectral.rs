//! The context of spectral transforms.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::{Defines, Device, DeviceError, Kernel, KernelSpec, OpenCl};
use manycore_model::Machine;

use crate::walsh::cost::{Arrays, OnDevice, OnHost, Pass};

/// Choices by operation and arrays.
type Kept<O, C> = HashMap<(O, Arrays), C>;

/// Spectral transforms on one device; keeps the kernels that it has built and the choices that it has made.
#[derive(Debug)]
pub struct Spectral {
    device: Device,
    machine: Machine,
    kernels: Mutex<HashMap<(&'static str, Defines), Arc<Kernel>>>,
    passes: Mutex<Kept<OnDevice, Arc<[Pass]>>>,
    host_blocks: Mutex<Kept<OnHost, u32>>,
}

impl Spectral {
    /// A context for `device`, that chooses by the device's machine: the calibrated one if there is one. Kernels are built
    /// when they are first needed.
    pub fn new(device: &Device) -> Self {
        Self::with_machine(device, device.machine())
    }

    /// A context that chooses as if the device were `machine`.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self {
            device: device.clone(),
            machine,
            kernels: Mutex::default(),
            passes: Mutex::default(),
            host_blocks: Mutex::default(),
        }
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        &self.machine
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

    /// The passes kept for a transform, or those that `choose` gives.
    pub(crate) fn passes<E>(
        &self,
        key: (OnDevice, Arrays),
        choose: impl FnOnce() -> Result<Vec<Pass>, E>,
    ) -> Result<Arc<[Pass]>, E> {
        let mut passes = self.passes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = passes.get(&key) {
            return Ok(Arc::clone(kept));
        }
        let chosen: Arc<[Pass]> = choose()?.into();
        passes.insert(key, Arc::clone(&chosen));
        Ok(chosen)
    }

    /// The block size kept for a transform on the host, or that which `choose` gives.
    pub(crate) fn host_blocks<E>(
        &self,
        key: (OnHost, Arrays),
        choose: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let mut blocks = self.host_blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&kept) = blocks.get(&key) {
            return Ok(kept);
        }
        let chosen = choose()?;
        blocks.insert(key, chosen);
        Ok(chosen)
    }
}

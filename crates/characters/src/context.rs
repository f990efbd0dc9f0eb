//! The context of all tables on one device.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::{Buffer, Defines, Device, DeviceError, Executor, Kernel, KernelSpec, OpenCl};
use manycore_model::Machine;

use crate::values::Values;

/// What makes character tables on one device: keeps built kernels, and roots and digits of the groups used last.
///
/// See [`Characters::table`].
pub struct Characters {
    device: Device,
    machine: Machine,
    kernels: Mutex<HashMap<(usize, Defines), Arc<Kernel>>>,
    kept: Mutex<HashMap<Key, Arc<dyn Any + Send + Sync>>>,
}

/// So many groups' roots and digits are kept; one more, and all are let go.
const MOST_KEPT: usize = 32;

/// What kept things belong to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    what: TypeId,
    values: String,
    factors: Vec<u64>,
    step: u64,
    columns: Range<u64>,
}

impl Key {
    pub(crate) fn new<K: 'static, V: Values>(values: &V, factors: &[u64], step: u64, columns: Range<u64>) -> Self {
        Self { what: TypeId::of::<(K, V)>(), values: values.name(), factors: factors.to_vec(), step, columns }
    }
}

impl fmt::Debug for Characters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Characters").field("device", &self.device).finish_non_exhaustive()
    }
}

impl Characters {
    /// A context of `device`, that chooses by the device's machine: the calibrated one if there is one. Kernels are built
    /// when they are first needed.
    pub fn new(device: &Device) -> Self {
        Self::with_machine(device, device.machine())
    }

    /// The same, choosing as if the device were `machine`.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self { device: device.clone(), machine, kernels: Mutex::default(), kept: Mutex::default() }
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

    /// One word, for arguments that a kernel does not read.
    pub(crate) fn nothing<V: Values>(&self) -> Result<Arc<Buffer<V::Word>>, DeviceError> {
        let key = Key { what: TypeId::of::<V::Word>(), values: String::new(), factors: vec![], step: 0, columns: 0..0 };
        self.kept(key, || Ok((self.device.zeros(1)?, true)))
    }

    /// What is kept under `key`, or what `make` gives, kept where it says so.
    pub(crate) fn kept<T: Any + Send + Sync, E>(
        &self,
        key: Key,
        make: impl FnOnce() -> Result<(T, bool), E>,
    ) -> Result<Arc<T>, E> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Ok(kept)) = lock().get(&key).map(|kept| Arc::clone(kept).downcast::<T>()) {
            return Ok(kept);
        }
        let (made, keep) = make()?;
        let made = Arc::new(made);
        if keep {
            let mut kept = lock();
            if kept.len() >= MOST_KEPT {
                kept.clear();
            }
            kept.insert(key, Arc::<T>::clone(&made));
        }
        Ok(made)
    }
}

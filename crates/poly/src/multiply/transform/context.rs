//! What all parts of a [`TransformProduct`](super::TransformProduct) share: the device, built kernels, memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::{Buffer, Defines, Device, DeviceError, Executor, Kernel, KernelSpec, OpenCl, Word};
use manycore_model::Machine;

/// Things that are made at first use and kept.
#[derive(Debug)]
pub(super) struct Kept<K, V>(Mutex<HashMap<K, Arc<V>>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Hash + Eq, V> Kept<K, V> {
    /// What is kept under `key`, or what `make` gives, which then is.
    pub(super) fn get<E>(&self, key: K, make: impl FnOnce(&K) -> Result<V, E>) -> Result<Arc<V>, E> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = kept.get(&key) {
            return Ok(Arc::clone(value));
        }
        let value = Arc::new(make(&key)?);
        kept.insert(key, Arc::clone(&value));
        Ok(value)
    }
}

/// The device and what was built for it.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) device: Device,
    pub(super) machine: Machine,
    /// Whether the prices of transforms are corrected where `Ntt::new` corrects them, and what that measures is kept.
    pub(super) corrected: bool,
    kernels: Kept<(usize, Defines), Kernel>,
}

impl Context {
    pub(super) fn new(device: &Device, machine: Machine) -> Self {
        Self { device: device.clone(), machine, corrected: false, kernels: Kept::default() }
    }

    /// The same with corrected prices.
    pub(super) fn corrected(self) -> Self {
        Self { corrected: true, ..self }
    }

    /// A kernel, built at first use.
    pub(super) fn kernel(
        &self,
        cl: &OpenCl,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<Arc<Kernel>, DeviceError> {
        self.kernels.get((std::ptr::from_ref(spec).addr(), defines), |(_, defines)| cl.kernel(spec, defines))
    }
}

/// Buffers for intermediate results, kept for the next product on the host, where fresh memory costs a fault a page; other
/// devices keep their own.
#[derive(Debug)]
pub(super) struct Scratch<W: Word> {
    device: Device,
    kept: Mutex<Vec<Buffer<W>>>,
}

impl<W: Word> Scratch<W> {
    /// Buffers kept at most: two for each of five primes and those of the one at work.
    const MOST: usize = 12;

    pub(super) fn new(device: &Device) -> Self {
        Self { device: device.clone(), kept: Mutex::default() }
    }

    /// A buffer of `len` words of unspecified content.
    pub(super) fn take(&self, len: usize) -> Result<Buffer<W>, DeviceError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.iter().rposition(|buffer| buffer.len() == len) {
            Some(i) => Ok(kept.remove(i)),
            None => self.device.scratch(len),
        }
    }

    /// Gives a buffer back for the next product.
    pub(super) fn give(&self, buffer: Buffer<W>) {
        if let Executor::OpenCl(_) = self.device.executor() {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= Self::MOST {
            kept.remove(0);
        }
        kept.push(buffer);
    }
}

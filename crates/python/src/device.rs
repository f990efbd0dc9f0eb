//! Devices, and the contexts that each one keeps: kernels are built and plans are chosen once in a process.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use manycore::boolean::Boolean;
use manycore::characters::Characters;
use manycore::kronecker::Kronecker;
use manycore::linalg::bits::BitAlgebra;
use manycore::poly::integer::IntegerProduct;
use manycore::semiring::Products;
use manycore::sort::Sorter;
use manycore::{Device, Fourier, Spectral};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::OrRaise as _;

/// Contexts by their type and by what they are of.
type Kept = HashMap<(TypeId, String), Arc<dyn Any + Send + Sync>>;

/// Contexts that are kept at once: with the next one, all begin anew.
const MOST_KEPT: usize = 64;

/// A device with its contexts.
pub(crate) struct Session {
    pub(crate) device: Device,
    spectral: OnceLock<Spectral>,
    fourier: OnceLock<Fourier>,
    kronecker: OnceLock<Kronecker>,
    characters: OnceLock<Characters>,
    boolean: OnceLock<Boolean>,
    products: OnceLock<Products>,
    sorter: OnceLock<Sorter>,
    bits: OnceLock<BitAlgebra>,
    integers: OnceLock<IntegerProduct>,
    kept: Mutex<Kept>,
}

impl Session {
    fn new(device: Device) -> Arc<Self> {
        Arc::new(Self {
            device,
            spectral: OnceLock::new(),
            fourier: OnceLock::new(),
            kronecker: OnceLock::new(),
            characters: OnceLock::new(),
            boolean: OnceLock::new(),
            products: OnceLock::new(),
            sorter: OnceLock::new(),
            bits: OnceLock::new(),
            integers: OnceLock::new(),
            kept: Mutex::default(),
        })
    }

    pub(crate) fn spectral(&self) -> &Spectral {
        self.spectral.get_or_init(|| Spectral::new(&self.device))
    }

    pub(crate) fn fourier(&self) -> &Fourier {
        self.fourier.get_or_init(|| Fourier::new(&self.device))
    }

    pub(crate) fn kronecker(&self) -> &Kronecker {
        self.kronecker.get_or_init(|| Kronecker::new(&self.device))
    }

    pub(crate) fn characters(&self) -> &Characters {
        self.characters.get_or_init(|| Characters::new(&self.device))
    }

    pub(crate) fn boolean(&self) -> &Boolean {
        self.boolean.get_or_init(|| Boolean::new(&self.device))
    }

    pub(crate) fn products(&self) -> &Products {
        self.products.get_or_init(|| Products::new(&self.device))
    }

    pub(crate) fn sorter(&self) -> &Sorter {
        self.sorter.get_or_init(|| Sorter::new(&self.device))
    }

    pub(crate) fn bits(&self) -> &BitAlgebra {
        self.bits.get_or_init(|| BitAlgebra::new(&self.device))
    }

    /// A context of a type that has parameters, by what it is of: made once, then kept.
    pub(crate) fn kept<T: Any + Send + Sync, E>(
        &self,
        of: String,
        make: impl FnOnce(&Device) -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let key = (TypeId::of::<T>(), of);
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key).cloned().and_then(|known| known.downcast::<T>().ok()) {
            return Ok(known);
        }
        let made = Arc::new(make(&self.device)?);
        let mut kept = lock();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, made.clone());
        Ok(made)
    }

    pub(crate) fn integers(&self) -> &IntegerProduct {
        self.integers.get_or_init(|| IntegerProduct::new(&self.device))
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("device", &self.device).finish_non_exhaustive()
    }
}

/// The sessions of this process by what was asked for.
fn sessions() -> &'static Mutex<HashMap<String, Arc<Session>>> {
    static SESSIONS: OnceLock<Mutex<HashMap<String, Arc<Session>>>> = OnceLock::new();
    SESSIONS.get_or_init(Mutex::default)
}

/// A device, which computes: the host, or one of OpenCL.
#[pyclass(frozen, name = "Device", module = "manycore")]
#[derive(Debug, Clone)]
pub(crate) struct PyDevice(pub(crate) Arc<Session>);

#[pymethods]
impl PyDevice {
    /// `Device("auto")`, `Device("host")`, `Device("host:2")`, `Device("opencl:0")`, or a part of a device's name.
    #[new]
    #[pyo3(signature = (device = "auto"))]
    pub(crate) fn new(py: Python<'_>, device: &str) -> PyResult<Self> {
        let known = |name: &str| sessions().lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if let Some(session) = known(device) {
            return Ok(Self(session));
        }
        // A driver's start takes tenths of a second.
        let found =
            py.detach(|| if device == "auto" { Device::from_env() } else { Device::select(device) }).or_raise()?;
        let mut sessions = sessions().lock().unwrap_or_else(PoisonError::into_inner);
        // Two names of one device share its contexts.
        let session = sessions.values().find(|session| session.device.same_as(&found).is_ok()).cloned();
        let session = session.unwrap_or_else(|| Session::new(found));
        Ok(Self(sessions.entry(device.to_owned()).or_insert(session).clone()))
    }

    /// The device's name.
    #[getter]
    fn name(&self) -> String {
        self.0.device.info().name.clone()
    }

    /// What `Device(..)` takes: `"host"`, or `"opencl:"` and a number.
    #[getter]
    fn id(&self) -> String {
        self.0.device.info().id.clone()
    }

    /// `"host"`, `"OpenCL CPU"`, `"OpenCL GPU"` or `"OpenCL accelerator"`.
    #[getter]
    fn kind(&self) -> String {
        self.0.device.info().kind.to_string()
    }

    /// The bytes of its memory.
    #[getter]
    fn memory_bytes(&self) -> u64 {
        self.0.device.info().memory_bytes
    }

    fn __repr__(&self) -> String {
        let info = self.0.device.info();
        format!("<manycore.Device {}: {}>", info.id, info.name)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.device.same_as(&other.0.device).is_ok()
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// A device is pickled as its identifier.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.id(),))
    }
}

/// The identifier and the name of each device that is present: what `Device(..)` takes, the host first.
#[pyfunction]
pub(crate) fn device_names(py: Python<'_>) -> Vec<(String, String)> {
    let all = py.detach(Device::all);
    all.iter().map(|device| (device.info().id.clone(), device.info().name.clone())).collect()
}

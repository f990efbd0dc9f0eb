//! Several devices as one: sets of them, and what calls take that share their work among devices.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use manycore::DeviceSet;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::device::{PyDevice, Session};
use crate::errors::OrRaise as _;

/// Devices that share the work of a call.
#[pyclass(frozen, name = "DeviceSet", module = "manycore")]
#[derive(Debug, Clone)]
pub(crate) struct PyDeviceSet {
    set: DeviceSet,
    sessions: Vec<PyDevice>,
    /// What the set was made of: text that makes it again.
    text: String,
}

/// The sets of this process that texts name: all calls with one text have the same set, and so the same failures.
fn sets() -> &'static Mutex<HashMap<String, PyDeviceSet>> {
    static SETS: OnceLock<Mutex<HashMap<String, PyDeviceSet>>> = OnceLock::new();
    SETS.get_or_init(Mutex::default)
}

impl PyDeviceSet {
    fn of(sessions: Vec<PyDevice>, text: String) -> PyResult<Self> {
        if sessions.is_empty() {
            return Err(PyValueError::new_err("a set of no devices"));
        }
        let devices = sessions.iter().map(|session| session.0.device.clone()).collect();
        Ok(Self { set: DeviceSet::equal(devices).or_raise()?, sessions, text })
    }

    /// The set that a text names.
    fn named(py: Python<'_>, text: &str) -> PyResult<Self> {
        if let Some(known) = sets().lock().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(known.clone());
        }
        let sessions: Vec<PyDevice> = if text.trim().eq_ignore_ascii_case("gpus") {
            let found = py.detach(|| DeviceSet::select(text)).or_raise()?;
            let ids = found.devices().iter().map(|device| device.info().id.clone());
            ids.map(|id| PyDevice::new(py, &id)).collect::<PyResult<_>>()?
        } else {
            let device = |name: &str| match name.trim() {
                "" => Err(PyValueError::new_err(format!("the devices {text:?}: a name is empty"))),
                name => PyDevice::new(py, name),
            };
            text.split(',').map(device).collect::<PyResult<_>>()?
        };
        let made = Self::of(sessions, text.to_owned())?;
        let mut sets = sets().lock().unwrap_or_else(PoisonError::into_inner);
        Ok(sets.entry(text.to_owned()).or_insert(made).clone())
    }
}

#[pymethods]
impl PyDeviceSet {
    /// `DeviceSet("opencl:0,opencl:1")`, `DeviceSet("gpus")`, or a list of devices and their names.
    #[new]
    fn new(py: Python<'_>, devices: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = devices.extract::<String>() {
            return Self::named(py, &text);
        }
        let mut sessions = Vec::new();
        for (place, item) in devices.try_iter()?.enumerate() {
            let item = item?;
            sessions.push(match (item.cast::<PyDevice>(), item.extract::<String>()) {
                (Ok(device), _) => device.get().clone(),
                (_, Ok(name)) => PyDevice::new(py, &name)?,
                _ => {
                    let reason = format!("device {place} of the set is {}: a Device or a name", item.repr()?);
                    return Err(PyTypeError::new_err(reason));
                }
            });
        }
        let ids: Vec<String> = sessions.iter().map(|session| session.0.device.info().id.clone()).collect();
        Self::of(sessions, ids.join(","))
    }

    /// The devices.
    #[getter]
    fn devices(&self) -> Vec<PyDevice> {
        self.sessions.clone()
    }

    /// The devices that failed at work which others then did, in all calls so far with this set: each with its error.
    #[getter]
    fn failures(&self) -> Vec<(String, String)> {
        self.set.failures().into_iter().map(|failure| (failure.device, failure.reason)).collect()
    }

    fn __len__(&self) -> usize {
        self.sessions.len()
    }

    fn __repr__(&self) -> String {
        format!("<manycore.DeviceSet {}>", self.text)
    }

    fn __eq__(&self, other: &Self) -> bool {
        let same = |(a, b): (&PyDevice, &PyDevice)| a.0.device.same_as(&b.0.device).is_ok();
        self.sessions.len() == other.sessions.len() && self.sessions.iter().zip(&other.sessions).all(same)
    }

    fn __hash__(&self) -> usize {
        self.sessions.iter().fold(self.sessions.len(), |hash, one| hash.rotate_left(5) ^ Arc::as_ptr(&one.0) as usize)
    }

    /// A set is pickled as the text that names it.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.text.clone(),))
    }
}

/// What a call runs on that can share its work: one device, or several.
pub(crate) enum Devices {
    One(Arc<Session>),
    Several(DeviceSet),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Devices {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(device) = object.cast::<PyDevice>() {
            return Ok(Self::One(Arc::clone(&device.get().0)));
        }
        Ok(Self::Several(object.cast::<PyDeviceSet>()?.get().set.clone()))
    }
}

//! Erasure codes, and files as parts of them.

use manycore::ErasureCode;
use manycore::codes::{join, split};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::work::run;

/// A code of `data` parts and `parity` parts, any `data` of which give all.
#[pyclass(frozen, name = "ErasureCode", module = "manycore._native")]
pub(crate) struct PyErasureCode(ErasureCode);

#[pymethods]
impl PyErasureCode {
    #[new]
    fn new(py: Python<'_>, device: &PyDevice, data: usize, parity: usize) -> PyResult<Self> {
        Ok(Self(run(py, || ErasureCode::new(&device.0.device, data, parity))?.or_raise()?))
    }

    /// The parity parts of data parts that lie behind each other.
    fn encode<'py>(&self, py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let parity = run(py, || self.0.encode(data))?.or_raise()?;
        Ok(PyBytes::new(py, &parity))
    }

    /// The parts `wanted`, behind each other, from those that are present.
    fn recover<'py>(
        &self,
        py: Python<'py>,
        present: Vec<(usize, Vec<u8>)>,
        wanted: Vec<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let parts: Vec<(usize, &[u8])> = present.iter().map(|(part, bytes)| (*part, bytes.as_slice())).collect();
        let found = run(py, || self.0.recover(&parts, &wanted))?.or_raise()?;
        Ok(PyBytes::new(py, &found))
    }
}

/// The bytes of the parts of a file, each with a header that names its place.
#[pyfunction]
pub(crate) fn split_parts<'py>(
    py: Python<'py>,
    device: &PyDevice,
    file: &[u8],
    data: usize,
    parity: usize,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let parts = run(py, || split(&device.0.device, file, data, parity))?.or_raise()?;
    Ok(parts.iter().map(|part| PyBytes::new(py, part)).collect())
}

/// The file of parts, each with a name for messages.
#[pyfunction]
pub(crate) fn join_parts<'py>(
    py: Python<'py>,
    device: &PyDevice,
    parts: Vec<(String, Vec<u8>)>,
) -> PyResult<Bound<'py, PyBytes>> {
    let joined = run(py, || join(&device.0.device, &parts))?.or_raise()?;
    Ok(PyBytes::new(py, &joined.file))
}

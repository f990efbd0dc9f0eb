//! Boolean functions and S-boxes.

use manycore::boolean::{
    Boolean, BooleanError, HexOrder, SBoxes, linearities_over, nonlinearities_over, uniformities_over,
};
use manycore::{Anf, SBox, TruthTable};
use numpy::IntoPyArray as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{by_type, of_type, owned, owned_matrix, reading, wrong_type};
use crate::device::PyDevice;
use crate::devices::Devices;
use crate::errors::OrRaise as _;
use crate::work::run;

/// A Boolean function by its truth table.
#[pyclass(frozen, name = "BooleanFunction", module = "manycore._native")]
#[derive(Debug, Clone)]
pub(crate) struct PyFunction(TruthTable);

#[pymethods]
impl PyFunction {
    /// From values 0 and 1 in an array of bytes.
    #[staticmethod]
    fn from_values(values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let array = of_type::<u8>(values).ok_or_else(|| wrong_type(values, "uint8"))?;
        let access = reading(&array)?;
        Ok(Self(TruthTable::from_values(access.as_slice()?).or_raise()?))
    }

    /// From hexadecimal digits, as Sage writes them, or in the order of the values.
    #[staticmethod]
    fn from_hex(text: &str, listing: bool) -> PyResult<Self> {
        let order = if listing { HexOrder::Listing } else { HexOrder::Integer };
        Ok(Self(TruthTable::from_hex(TruthTable::hex_variables(text).or_raise()?, text, order).or_raise()?))
    }

    /// From an algebraic normal form.
    #[staticmethod]
    #[pyo3(signature = (text, variables))]
    fn from_anf(text: &str, variables: Option<u32>) -> PyResult<Self> {
        Ok(Self(Anf::parse(text, variables).or_raise()?.truth_table()))
    }

    #[getter]
    fn variables(&self) -> u32 {
        self.0.variables()
    }

    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        owned(py, self.0.values().map(u8::from).collect())
    }

    fn hex(&self, listing: bool) -> String {
        self.0.to_hex(if listing { HexOrder::Listing } else { HexOrder::Integer })
    }

    fn anf(&self) -> String {
        self.0.anf().to_string()
    }

    fn weight(&self) -> u64 {
        self.0.weight()
    }

    fn degree(&self) -> u32 {
        self.0.anf().degree()
    }

    fn add(&self, other: &Self) -> PyResult<Self> {
        Ok(Self(self.0.add(&other.0).or_raise()?))
    }

    fn multiply(&self, other: &Self) -> PyResult<Self> {
        Ok(Self(self.0.multiply(&other.0).or_raise()?))
    }

    fn complement(&self) -> Self {
        Self(self.0.complement())
    }

    fn derivative(&self, a: u64) -> PyResult<Self> {
        Ok(Self(self.0.derivative(a).or_raise()?))
    }

    fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn walsh<'py>(&self, py: Python<'py>, device: &PyDevice) -> PyResult<Bound<'py, PyAny>> {
        let boolean = device.0.boolean();
        let spectrum = run(py, || boolean.walsh(&boolean.upload(&self.0)?)?.download())?.or_raise()?;
        Ok(owned(py, spectrum))
    }

    fn autocorrelation<'py>(&self, py: Python<'py>, device: &PyDevice) -> PyResult<Bound<'py, PyAny>> {
        let boolean = device.0.boolean();
        let spectrum = run(py, || {
            let walsh = boolean.walsh(&boolean.upload(&self.0)?)?;
            boolean.autocorrelation(&walsh)?.download()
        })?;
        Ok(owned(py, spectrum.or_raise()?))
    }

    /// All properties that the library knows, by name.
    fn properties<'py>(&self, py: Python<'py>, device: &PyDevice) -> PyResult<Bound<'py, PyDict>> {
        let boolean = device.0.boolean();
        let found = run(py, || boolean.properties(&self.0))?.or_raise()?;
        let all = PyDict::new(py);
        let (walsh, autocorrelation) = (&found.walsh, &found.autocorrelation);
        all.set_item("variables", found.variables)?;
        all.set_item("weight", found.weight)?;
        all.set_item("degree", found.degree)?;
        all.set_item("terms", found.terms)?;
        all.set_item("is_balanced", walsh.is_balanced())?;
        all.set_item("linearity", walsh.linearity())?;
        all.set_item("nonlinearity", walsh.nonlinearity())?;
        all.set_item("correlation_immunity", walsh.correlation_immunity())?;
        all.set_item("resiliency_order", walsh.resiliency())?;
        all.set_item("is_bent", walsh.is_bent())?;
        all.set_item("is_plateaued", walsh.plateaued().is_some())?;
        all.set_item("absolute_indicator", autocorrelation.absolute_indicator())?;
        all.set_item("sum_of_squares", autocorrelation.sum_of_squares())?;
        all.set_item("propagation_order", autocorrelation.propagation_order())?;
        all.set_item("strict_avalanche", autocorrelation.strict_avalanche())?;
        all.set_item("linear_structures", autocorrelation.linear_structures())?;
        Ok(all)
    }
}

/// An S-box.
#[pyclass(frozen, name = "SBox", module = "manycore._native")]
#[derive(Debug, Clone)]
pub(crate) struct PySBox(SBox);

/// How often each value occurs.
type Counts = Vec<(i64, u64)>;

/// The rows of a table of `columns` columns as an array.
fn table<T: numpy::Element>(
    py: Python<'_>,
    columns: usize,
    entries: Result<Vec<T>, BooleanError>,
) -> PyResult<Bound<'_, PyAny>> {
    let entries = entries.or_raise()?;
    owned_matrix(py, entries.len() / columns, columns, entries)
}

#[pymethods]
impl PySBox {
    #[new]
    #[pyo3(signature = (values, output_bits))]
    fn new(values: Vec<u16>, output_bits: Option<u32>) -> PyResult<Self> {
        Ok(Self(match output_bits {
            Some(bits) => SBox::new(bits, values).or_raise()?,
            None => SBox::from_values(values).or_raise()?,
        }))
    }

    #[getter]
    fn input_bits(&self) -> u32 {
        self.0.input_bits()
    }

    #[getter]
    fn output_bits(&self) -> u32 {
        self.0.output_bits()
    }

    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.0.values().to_vec().into_pyarray(py).into_any()
    }

    fn is_permutation(&self) -> bool {
        self.0.is_permutation()
    }

    fn is_balanced(&self) -> bool {
        self.0.is_balanced()
    }

    fn inverse(&self) -> PyResult<Self> {
        Ok(Self(self.0.inverse().or_raise()?))
    }

    fn fixed_points(&self) -> Vec<u16> {
        self.0.fixed_points().collect()
    }

    fn component(&self, mask: u16) -> PyResult<PyFunction> {
        Ok(PyFunction(self.0.component(mask).or_raise()?))
    }

    fn degree(&self) -> u32 {
        self.0.degree()
    }

    fn component_degrees(&self) -> Vec<(u32, u64)> {
        self.0.component_degrees().into_iter().collect()
    }

    /// The linear approximation table in the form `sum_x (-1)^(a x + b S(x))`, input masks as rows.
    fn linear_table<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        from: usize,
        to: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let boolean: &Boolean = device.0.boolean();
        let entries = run(py, || Ok(boolean.linear_table(&self.0, from..to)?.download()?))?;
        table(py, self.0.outputs(), entries)
    }

    fn difference_table<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        from: usize,
        to: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let boolean: &Boolean = device.0.boolean();
        let entries = run(py, || Ok(boolean.difference_table(&self.0, from..to)?.download()?))?;
        table(py, self.0.outputs(), entries)
    }

    fn boomerang_table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let entries = run(py, || self.0.boomerang_table())?.or_raise()?;
        owned_matrix(py, self.0.inputs(), self.0.outputs(), entries)
    }

    fn boomerang_uniformity(&self, py: Python<'_>) -> PyResult<u32> {
        run(py, || self.0.boomerang_uniformity())?.or_raise()
    }

    /// Linearity, nonlinearity, linear branch number and the histogram of the linear approximation table.
    fn linear_summary(&self, py: Python<'_>, device: &PyDevice) -> PyResult<(u64, u64, u32, Counts)> {
        let found = run(py, || device.0.boolean().linear_summary(&self.0))?.or_raise()?;
        let histogram = found.histogram.counts.iter().map(|(&value, &count)| (value, count)).collect();
        Ok((found.linearity, found.nonlinearity(), found.branch_number, histogram))
    }

    /// Differential uniformity, differential branch number and the histogram of the difference distribution table.
    fn difference_summary(&self, py: Python<'_>, device: &PyDevice) -> PyResult<(u64, u32, Counts)> {
        let found = run(py, || device.0.boolean().difference_summary(&self.0))?.or_raise()?;
        let histogram = found.histogram.counts.iter().map(|(&value, &count)| (value, count)).collect();
        Ok((found.uniformity, found.branch_number, histogram))
    }

    /// The linearity of each component function but the one of mask 0.
    fn component_linearities<'py>(&self, py: Python<'py>, device: &PyDevice) -> PyResult<Bound<'py, PyAny>> {
        let found = run(py, || device.0.boolean().component_linearities(&self.0))?.or_raise()?;
        Ok(owned(py, found))
    }

    /// The masks of the component functions of the largest linearity.
    fn worst_components(&self, py: Python<'_>, device: &PyDevice) -> PyResult<Vec<u16>> {
        run(py, || device.0.boolean().worst_components(&self.0))?.or_raise()
    }

    fn explain(&self, py: Python<'_>, device: &PyDevice, operation: &str) -> PyResult<String> {
        let boolean = device.0.boolean();
        match operation {
            "linear" => Ok(run(py, || boolean.explain_linear(&self.0))?.or_raise()?.to_string()),
            "difference" => Ok(run(py, || boolean.explain_differences(&self.0))?.or_raise()?.to_string()),
            other => Err(PyValueError::new_err(format!("no operation {other:?}: \"linear\" or \"difference\""))),
        }
    }
}

/// A figure of each S-box of a batch, whose outputs lie behind each other: its linearity, nonlinearity or differential uniformity.
#[pyfunction]
pub(crate) fn sbox_figures<'py>(
    py: Python<'py>,
    devices: Devices,
    outputs: &Bound<'py, PyAny>,
    input_bits: u32,
    output_bits: u32,
    figure: &str,
) -> PyResult<Bound<'py, PyAny>> {
    by_type!(outputs, [u8, u16], "uint8 and uint16", |outputs| {
        let sboxes = SBoxes::new(input_bits, output_bits, outputs).or_raise()?;
        let found = run(py, || match (&devices, figure) {
            (Devices::One(session), "linearity") => session.boolean().linearities(sboxes),
            (Devices::One(session), "nonlinearity") => session.boolean().nonlinearities(sboxes),
            (Devices::One(session), _) => session.boolean().uniformities(sboxes),
            (Devices::Several(set), "linearity") => linearities_over(set, sboxes),
            (Devices::Several(set), "nonlinearity") => nonlinearities_over(set, sboxes),
            (Devices::Several(set), _) => uniformities_over(set, sboxes),
        })?;
        Ok(owned(py, found.or_raise()?))
    })
}

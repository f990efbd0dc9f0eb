//! Every declared operation by its name: input as the bytes of files, options as JSON, results as objects of Python.

use manycore::Device;
use manycore::device::{DeviceSet, ErrorKind};
use manycore::operation::vector::Vector;
use manycore::operation::{Answer, Given, OperationError, Polynomial, Value, json};
use manycore::operations;
use manycore::verify::SplitMix;
use num_bigint::BigInt;
use num_rational::BigRational;
use numpy::{PyArray1, PyArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::devices::Devices;
use crate::errors::of_kind;
use crate::work::run;

/// The declarations of all operations, as a list in JSON.
#[pyfunction]
pub(crate) fn declarations() -> String {
    operations::json()
}

/// An input: what messages call it, and its bytes.
type Input = (String, Vec<u8>);

/// The result of an operation, the modulus of its residues, the algorithm, what else is known of it, and the files beside it.
type Called = (Py<PyAny>, Option<u64>, Option<&'static str>, Py<PyAny>, Py<PyDict>);

/// Calls the operation of a name with options in JSON.
#[pyfunction]
pub(crate) fn call_operation(
    py: Python<'_>,
    device: Devices,
    name: &str,
    options: &str,
    inputs: Vec<Input>,
    verify: bool,
    seed: Option<u64>,
) -> PyResult<Called> {
    let unknown = || PyValueError::new_err(format!("{name:?} is no operation: manycore.operations.names() has all"));
    let operation = operations::named(name).ok_or_else(unknown)?;
    let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
    let raised = |error: OperationError| raised(&error, &names);
    let arguments = operation.declaration().arguments_of_text(options).map_err(raised)?;
    let set = match device {
        Devices::One(session) => DeviceSet::from(Device::clone(&session.device)),
        Devices::Several(set) => set,
    };
    let given = inputs.into_iter().fold(Given::new(), |given, (name, bytes)| given.with(name, bytes));
    let seed = seed.or(operation.declaration().seed).unwrap_or_else(SplitMix::fresh_seed);
    let answer = run(py, move || given.call(operation, &arguments, &set, (seed, verify)))?.map_err(raised)?;
    let beside = PyDict::new(py);
    for (name, bytes) in &answer.files {
        beside.set_item(name, PyBytes::new(py, bytes))?;
    }
    let parameters = loaded(py, &json::text(&answer.told()))?;
    let Answer { value, modulus, algorithm, .. } = answer;
    Ok((object(py, value)?, modulus, algorithm, parameters, beside.unbind()))
}

/// The exception of an error of an operation.
fn raised(error: &OperationError, names: &[String]) -> PyErr {
    let kind = if error.is_of_size() { ErrorKind::Memory } else { error.kind() };
    of_kind(kind, error.told(names))
}

/// What a text of JSON is in Python.
fn loaded(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}

fn array<T: numpy::Element>(py: Python<'_>, values: Vec<T>) -> Py<PyAny> {
    PyArray1::from_vec(py, values).into_any().unbind()
}

/// A list of entries as rows of `columns` columns.
fn rows<'py, T: Clone + IntoPyObject<'py>>(py: Python<'py>, entries: &[T], columns: usize) -> PyResult<Py<PyAny>> {
    let rows = entries.chunks(columns.max(1)).map(|row| PyList::new(py, row.to_vec())).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, rows)?.into_any().unbind())
}

/// A result as an object: lists and matrices of residues and numbers are arrays of NumPy, integers of any size integers, fractions
/// `Fraction`s.
fn object(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::Number(value) | Value::Element(value) => value.into_pyobject(py)?.into_any().unbind(),
        Value::Integer(value) => value.into_pyobject(py)?.into_any().unbind(),
        Value::Polynomial(Polynomial { coefficients: words, .. }) | Value::Elements(words) | Value::Words(words) => {
            array(py, words)
        }
        Value::Bits(bits) => array(py, bits),
        Value::Vector(Vector::I32(values)) => array(py, values),
        Value::Vector(Vector::I64(values)) => array(py, values),
        Value::Vector(Vector::F32(values)) => array(py, values),
        Value::Vector(Vector::F64(values)) => array(py, values),
        Value::Polynomials(parts) => {
            let all = PyDict::new(py);
            for (name, words) in parts {
                all.set_item(name, array(py, words))?;
            }
            all.into_any().unbind()
        }
        Value::Factors(leading, factors) => {
            let factors: Vec<_> = factors.into_iter().map(|(words, times)| (array(py, words), times)).collect();
            (leading, factors).into_pyobject(py)?.into_any().unbind()
        }
        Value::Matrix { rows, columns, entries } => {
            PyArray1::from_vec(py, entries).reshape([rows, columns])?.into_any().unbind()
        }
        Value::Integers { columns, entries, .. } => rows::<BigInt>(py, &entries, columns)?,
        Value::Fractions { columns, entries } => rows::<BigRational>(py, &entries, columns)?,
        Value::Rationals(entries) | Value::RationalPolynomial(Polynomial { coefficients: entries, .. }) => {
            PyList::new(py, entries)?.into_any().unbind()
        }
        Value::Parts(parts) => {
            let all = PyDict::new(py);
            for part in parts {
                let entries = match part.columns {
                    Some(columns) => rows::<BigInt>(py, &part.entries, columns)?,
                    None => PyList::new(py, part.entries)?.into_any().unbind(),
                };
                all.set_item(part.key, entries)?;
            }
            all.into_any().unbind()
        }
        Value::Table { columns, entries } => {
            let rows = entries.len().checked_div(columns).unwrap_or(0);
            PyArray1::from_vec(py, entries).reshape([rows, columns])?.into_any().unbind()
        }
        value @ (Value::Bounded(_) | Value::Streamed(_) | Value::Left(_)) => loaded(py, &json::text(&value))?,
        Value::Shown { json, .. } => loaded(py, &json.to_string())?,
        Value::Page(page) => page.into_pyobject(py)?.into_any().unbind(),
        Value::None => py.None(),
    })
}

//! Transforms of contiguous arrays in place, each run of `len` values by itself: here the spectral ones.

pub(crate) mod groups;
pub(crate) mod kronecker;
pub(crate) mod modular;

use manycore::boolean::TruthTable;
use manycore::spectral::arithmetic::arithmetic_over;
use manycore::spectral::reed_muller::reed_muller_over;
use manycore::spectral::walsh::walsh_over;
use manycore::spectral::{BitOrder, Direction, HaarOrder, Normalization, Order};
use manycore::{Arithmetic, Haar, ReedMuller, Walsh};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{in_place, of_type, owned, reading, wrong_type};
use crate::device::PyDevice;
use crate::devices::Devices;
use crate::errors::OrRaise as _;
use crate::work::run;

const NUMBERS: &str = "int32, int64, float32 and float64";

/// A word as one of the values that it can name.
pub(crate) fn parsed<T: std::str::FromStr<Err: std::error::Error + 'static>>(word: &str) -> PyResult<T> {
    word.parse::<T>().map_err(|error| PyValueError::new_err(error.to_string()))
}

fn direction(inverse: bool) -> Direction {
    if inverse { Direction::Inverse } else { Direction::Forward }
}

/// What a transform is besides its order: an inverse or not, and whether integers may wrap.
type Form = (bool, bool);

/// The Walsh-Hadamard transform.
#[pyfunction]
pub(crate) fn walsh(
    py: Python<'_>,
    devices: Devices,
    x: &Bound<'_, PyAny>,
    len: usize,
    order: &str,
    form: Form,
) -> PyResult<()> {
    let (inverse, wrapping) = form;
    let how = Walsh::new().order(parsed::<Order>(order)?).direction(direction(inverse)).batch(len);
    let how = if wrapping { how.wrapping() } else { how };
    in_place!(py, x, [i32, i64, f32, f64], NUMBERS, |x| {
        match &devices {
            Devices::One(session) => session.spectral().walsh(x, &how),
            Devices::Several(set) => walsh_over(set, x, &how),
        }
    })
}

/// The Reed-Muller transform of bits, which are integers 0 and 1.
#[pyfunction]
pub(crate) fn reed_muller(
    py: Python<'_>,
    devices: Devices,
    x: &Bound<'_, PyAny>,
    len: usize,
    order: &str,
    inverse: bool,
    polarity: u64,
) -> PyResult<()> {
    let how =
        ReedMuller::new().order(parsed::<BitOrder>(order)?).direction(direction(inverse)).polarity(polarity).batch(len);
    in_place!(py, x, [u8, u32, i32, u64, i64], "uint8, int32, uint32, int64 and uint64", |x| {
        match &devices {
            Devices::One(session) => session.spectral().reed_muller(x, &how),
            Devices::Several(set) => reed_muller_over(set, x, &how),
        }
    })
}

/// The arithmetic transform.
#[pyfunction]
pub(crate) fn arithmetic(
    py: Python<'_>,
    devices: Devices,
    x: &Bound<'_, PyAny>,
    len: usize,
    order: &str,
    form: Form,
    polarity: u64,
) -> PyResult<()> {
    let (inverse, wrapping) = form;
    let how =
        Arithmetic::new().order(parsed::<BitOrder>(order)?).direction(direction(inverse)).polarity(polarity).batch(len);
    let how = if wrapping { how.wrapping() } else { how };
    in_place!(py, x, [i32, i64, f32, f64], NUMBERS, |x| {
        match &devices {
            Devices::One(session) => session.spectral().arithmetic(x, &how),
            Devices::Several(set) => arithmetic_over(set, x, &how),
        }
    })
}

/// The Haar transform.
#[pyfunction]
pub(crate) fn haar(
    py: Python<'_>,
    device: &PyDevice,
    x: &Bound<'_, PyAny>,
    len: usize,
    order: &str,
    form: Form,
    normalization: &str,
) -> PyResult<()> {
    let (inverse, wrapping) = form;
    let how = Haar::new()
        .order(parsed::<HaarOrder>(order)?)
        .normalization(parsed::<Normalization>(normalization)?)
        .direction(direction(inverse))
        .batch(len);
    let how = if wrapping { how.wrapping() } else { how };
    let spectral = device.0.spectral();
    in_place!(py, x, [i32, i64, f32, f64], NUMBERS, |x| spectral.haar(x, &how))
}

/// The numbers of terms of a function's Reed-Muller forms in all polarities.
#[pyfunction]
pub(crate) fn polarity_terms<'py>(py: Python<'py>, values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let array = of_type::<u8>(values).ok_or_else(|| wrong_type(values, "uint8"))?;
    let access = reading(&array)?;
    let f = TruthTable::from_values(access.as_slice()?).or_raise()?;
    let found = run(py, || manycore::spectral::polarity::reed_muller(f.words(), f.variables()))?.or_raise()?;
    Ok(owned(py, found.terms().to_vec()))
}

/// Why a Walsh-Hadamard transform of `values` values in runs of `len` takes its plan.
#[pyfunction]
pub(crate) fn explain_walsh(
    py: Python<'_>,
    device: &PyDevice,
    element: &str,
    values: usize,
    len: usize,
    order: &str,
) -> PyResult<String> {
    let how = Walsh::new().order(parsed::<Order>(order)?).batch(len);
    let spectral = device.0.spectral();
    let choice = run(py, || match element {
        "int32" => spectral.explain_walsh::<i32>(values, &how),
        "int64" => spectral.explain_walsh::<i64>(values, &how),
        "float32" => spectral.explain_walsh::<f32>(values, &how),
        _ => spectral.explain_walsh::<f64>(values, &how),
    })?;
    Ok(choice.or_raise()?.to_string())
}

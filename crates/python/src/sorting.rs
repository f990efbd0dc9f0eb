//! Sorts of arrays.

use manycore::sort::{SortOrder, Sorter};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arrays::{by_type, in_place, owned};
use crate::device::PyDevice;
use crate::devices::Devices;
use crate::errors::OrRaise as _;
use crate::work::run;

const KEYS: &str = "integers of 8 to 64 bits, float32 and float64";

fn order(descending: bool) -> SortOrder {
    if descending { SortOrder::Descending } else { SortOrder::Ascending }
}

/// Sorts each line of `len` keys of an array in place.
#[pyfunction]
pub(crate) fn sort(
    py: Python<'_>,
    devices: Devices,
    keys: &Bound<'_, PyAny>,
    len: usize,
    descending: bool,
) -> PyResult<()> {
    in_place!(py, keys, [u32, i32, u64, i64, f32, f64, u8, i8, u16, i16], KEYS, |keys| {
        let session = match &devices {
            Devices::One(session) => session,
            Devices::Several(set) => {
                let sorter = Sorter::over(set)?;
                return keys.chunks_mut(len.max(1)).try_for_each(|line| sorter.sort(line, order(descending)));
            }
        };
        let sorter = session.sorter();
        if len == 0 || keys.len() <= len {
            return sorter.sort(keys, order(descending));
        }
        let offsets: Vec<usize> = (0..=keys.len()).step_by(len).collect();
        sorter.sort_segments(keys, &offsets, order(descending))
    })
}

/// The indices that sort each line of `len` keys of an array; equal keys stay in order.
#[pyfunction]
pub(crate) fn argsort<'py>(
    py: Python<'py>,
    device: &PyDevice,
    keys: &Bound<'py, PyAny>,
    len: usize,
    descending: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let sorter = device.0.sorter();
    by_type!(keys, [u32, i32, u64, i64, f32, f64, u8, i8, u16, i16], KEYS, |keys| {
        let lines = keys.chunks(len.max(1));
        let places =
            run(py, || lines.map(|line| sorter.argsort(line, order(descending))).collect::<Result<Vec<_>, _>>())?;
        Ok(owned(py, places.or_raise()?.concat()))
    })
}

/// The first `count` of the sorted array.
#[pyfunction]
pub(crate) fn first<'py>(
    py: Python<'py>,
    device: &PyDevice,
    keys: &Bound<'py, PyAny>,
    count: usize,
    descending: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let sorter = device.0.sorter();
    by_type!(keys, [u32, i32, u64, i64, f32, f64, u8, i8, u16, i16], KEYS, |keys| {
        let found = run(py, || sorter.first(keys, count, order(descending)))?.or_raise()?;
        Ok(owned(py, found))
    })
}

/// The indices that sort byte strings.
#[pyfunction]
pub(crate) fn argsort_bytes(py: Python<'_>, strings: Vec<Vec<u8>>, descending: bool) -> PyResult<Bound<'_, PyAny>> {
    Ok(owned(py, run(py, || manycore::sort::argsort_bytes(&strings, order(descending)))?.or_raise()?))
}

/// Why a sort of so many keys takes its plan.
#[pyfunction]
pub(crate) fn explain_sort(py: Python<'_>, device: &PyDevice, element: &str, keys: usize) -> PyResult<String> {
    let sorter = device.0.sorter();
    macro_rules! of {
        ($($name:literal: $type:ty),*) => {
            match element {
                $($name => run(py, || sorter.explain::<$type, u32>(keys, false))?.or_raise()?.to_string(),)*
                other => return Err(PyTypeError::new_err(format!("keys of type {other}: {KEYS}"))),
            }
        };
    }
    Ok(of!(
        "uint8": u8, "int8": i8, "uint16": u16, "int16": i16, "uint32": u32, "int32": i32, "uint64": u64, "int64": i64,
        "float32": f32, "float64": f64
    ))
}

//! Arrays of NumPy: dispatch by the type of their elements, slices of their memory, residues of their integers.

use manycore::field::ResidueWord;
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods as _, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The array with elements of this type, or nothing where they are of another one.
pub(crate) fn of_type<'py, T: Element>(array: &Bound<'py, PyAny>) -> Option<Bound<'py, PyArrayDyn<T>>> {
    array.cast::<PyArrayDyn<T>>().ok().cloned()
}

/// Read access to an array; an error where it is written elsewhere.
pub(crate) fn reading<'py, T: Element>(array: &Bound<'py, PyArrayDyn<T>>) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    array.try_readonly().map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Write access to an array; an error where it is read-only or used elsewhere.
pub(crate) fn writing<'py, T: Element>(array: &Bound<'py, PyArrayDyn<T>>) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The exception for elements of a type that an operation does not take.
pub(crate) fn wrong_type(array: &Bound<'_, PyAny>, taken: &str) -> PyErr {
    let given = array.getattr("dtype").map_or_else(|_| array.get_type().to_string(), |dtype| dtype.to_string());
    PyTypeError::new_err(format!("elements of type {given}: this operation takes {taken}"))
}

/// Does `$work` with `$x` as the memory of `$array`, whose elements have one of the types, changed in place, while other threads
/// of Python go on; gives the result of `$work`.
macro_rules! in_place {
    ($py:expr, $array:expr, [$($type:ty),*], $taken:expr, |$x:ident| $work:expr) => {{
        $(
            if let Some(array) = $crate::arrays::of_type::<$type>($array) {
                let mut access = $crate::arrays::writing(&array)?;
                let $x = access.as_slice_mut()?;
                return $crate::errors::OrRaise::or_raise($crate::work::run($py, || $work)?);
            }
        )*
        Err($crate::arrays::wrong_type($array, $taken))
    }};
}

/// Does `$work` with `$x` as the memory of `$array`, whose elements have one of the types; gives the result of `$work`, a Python
/// result.
macro_rules! by_type {
    ($array:expr, [$($type:ty),*], $taken:expr, |$x:ident| $work:expr) => {{
        $(
            if let Some(array) = $crate::arrays::of_type::<$type>($array) {
                let access = $crate::arrays::reading(&array)?;
                let $x = access.as_slice()?;
                return $work;
            }
        )*
        Err($crate::arrays::wrong_type($array, $taken))
    }};
}

pub(crate) use {by_type, in_place};

/// The residues modulo `p` of an array of integers, negative ones as well, in the words of a field.
pub(crate) fn residues<W: ResidueWord>(p: u64, array: &Bound<'_, PyAny>) -> PyResult<Vec<W>> {
    macro_rules! read {
        ($($type:ty),*) => {
            $(
                if let Some(array) = of_type::<$type>(array) {
                    let access = reading(&array)?;
                    let of = |x: $type| W::from_u64(i128::from(x).rem_euclid(i128::from(p)) as u64);
                    return Ok(access.as_slice()?.iter().map(|&x| of(x)).collect());
                }
            )*
        };
    }
    // Unsigned words, which results have, are mostly below the modulus.
    if let Some(array) = of_type::<u64>(array) {
        let access = reading(&array)?;
        return Ok(access.as_slice()?.iter().map(|&x| W::from_u64(if x < p { x } else { x % p })).collect());
    }
    if let Some(array) = of_type::<u32>(array) {
        let access = reading(&array)?;
        let of = |x: u32| if u64::from(x) < p { u64::from(x) } else { u64::from(x) % p };
        return Ok(access.as_slice()?.iter().map(|&x| W::from_u64(of(x))).collect());
    }
    read!(i64, i32, u8, i8, u16, i16);
    Err(wrong_type(array, "integers"))
}

/// A vector as an array that owns it, without a copy.
pub(crate) fn owned<T: Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyAny> {
    PyArray1::from_vec(py, values).into_any()
}

/// A vector as a two-dimensional array that owns it, without a copy.
pub(crate) fn owned_matrix<T: Element>(
    py: Python<'_>,
    rows: usize,
    columns: usize,
    values: Vec<T>,
) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyArray1::from_vec(py, values).reshape([rows, columns])?.into_any())
}

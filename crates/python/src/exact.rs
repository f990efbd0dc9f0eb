//! Dense matrices of integers and of `f64`: exact results, and determinants with a proved bound.

use manycore::linalg::exact::{self, Certainty, DeterminantResidues, RationalSolution};
use manycore::linalg::real::{self, Pivoting, RealOptions};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{of_type, reading, wrong_type};
use crate::device::PyDevice;
use crate::devices::Devices;
use crate::errors::OrRaise as _;
use crate::work::run;

/// Entries row after row.
pub(crate) enum Entries {
    Short(Vec<i64>),
    Long(Vec<BigInt>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Entries {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let object = object.to_owned();
        if let Some(array) = of_type::<i64>(&object) {
            return Ok(Self::Short(reading(&array)?.as_slice()?.to_vec()));
        }
        Ok(Self::Long(object.extract()?))
    }
}

/// Does `$work` with `$entries` as a slice of whatever integers they are.
macro_rules! with_entries {
    ($entries:expr, |$words:ident| $work:expr) => {
        match &$entries {
            Entries::Short($words) => $work,
            Entries::Long($words) => $work,
        }
    };
}

/// The determinant, and whether it is proved.
#[pyfunction]
#[pyo3(signature = (devices, order, entries, bits, seed))]
pub(crate) fn integer_determinant(
    py: Python<'_>,
    devices: Devices,
    order: usize,
    entries: Entries,
    bits: Option<u32>,
    seed: u64,
) -> PyResult<(BigInt, bool)> {
    let certainty = bits.map_or(Certainty::Proved, |bits| Certainty::Probable { bits, seed });
    let found = run(py, || {
        with_entries!(entries, |words| match &devices {
            Devices::One(session) => exact::determinant(&session.device, order, words, certainty),
            Devices::Several(set) => exact::determinant_on(set, order, words, certainty),
        })
    })?;
    let found = found.or_raise()?;
    Ok((found.value, found.is_proved))
}

/// Hadamard's bound, the entry of a matrix of order 1, and primes with the determinant modulo each.
type Residues = (BigUint, Option<BigInt>, Vec<(u32, u32)>);

/// The residues of a determinant modulo the primes of part `part` of `parts`.
#[pyfunction]
pub(crate) fn determinant_residues(
    py: Python<'_>,
    device: &PyDevice,
    order: usize,
    entries: Entries,
    part: usize,
    parts: usize,
) -> PyResult<Residues> {
    let device = &device.0.device;
    let found =
        run(py, || with_entries!(entries, |words| exact::determinant_residues(device, order, words, part, parts)))?;
    let DeterminantResidues { bound, entry, residues } = found.or_raise()?;
    Ok((bound, entry, residues))
}

/// The determinant from the residues of all parts.
#[pyfunction]
pub(crate) fn determinant_of_parts(py: Python<'_>, parts: Vec<Residues>) -> PyResult<BigInt> {
    let part = |(bound, entry, residues)| DeterminantResidues { bound, entry, residues };
    let parts: Vec<DeterminantResidues> = parts.into_iter().map(part).collect();
    Ok(run(py, || exact::determinant_of_parts(&parts))?.or_raise()?.value)
}

#[pyfunction]
pub(crate) fn integer_rank(
    py: Python<'_>,
    device: &PyDevice,
    shape: (usize, usize),
    entries: Entries,
) -> PyResult<usize> {
    run(py, || with_entries!(entries, |words| exact::rank(&device.0.device, shape, words)))?.or_raise()
}

/// The basis of the nullspace as columns, row after row, and the number of columns.
#[pyfunction]
pub(crate) fn integer_nullspace(
    py: Python<'_>,
    device: &PyDevice,
    shape: (usize, usize),
    entries: Entries,
) -> PyResult<(Vec<BigInt>, usize)> {
    let found = run(py, || with_entries!(entries, |words| exact::nullspace(&device.0.device, shape, words)))?;
    let found = found.or_raise()?;
    Ok((found.basis, found.dimension))
}

#[pyfunction]
pub(crate) fn integer_inverse(
    py: Python<'_>,
    device: &PyDevice,
    order: usize,
    entries: Entries,
) -> PyResult<Vec<BigRational>> {
    run(py, || with_entries!(entries, |words| exact::inverse(&device.0.device, order, words)))?.or_raise()
}

#[pyfunction]
pub(crate) fn integer_characteristic_polynomial(
    py: Python<'_>,
    device: &PyDevice,
    order: usize,
    entries: Entries,
) -> PyResult<Vec<BigInt>> {
    run(py, || with_entries!(entries, |words| exact::characteristic_polynomial(&device.0.device, order, words)))?
        .or_raise()
}

#[pyfunction]
pub(crate) fn integer_minimal_polynomial(
    py: Python<'_>,
    device: &PyDevice,
    order: usize,
    entries: Entries,
) -> PyResult<Vec<BigInt>> {
    run(py, || with_entries!(entries, |words| exact::minimal_polynomial(&device.0.device, order, words)))?.or_raise()
}

/// The entries of a Hermite form, the columns of its pivots, and the entries of the transform where it is asked for.
type Hermite = (Vec<BigInt>, Vec<usize>, Option<Vec<BigInt>>);

#[pyfunction]
pub(crate) fn integer_hermite_form(
    py: Python<'_>,
    device: &PyDevice,
    shape: (usize, usize),
    entries: Entries,
    transform: bool,
) -> PyResult<Hermite> {
    let device = &device.0.device;
    if transform {
        let found =
            run(py, || with_entries!(entries, |words| exact::hermite_form_with_transform(device, shape, words)))?;
        let (form, transform) = found.or_raise()?;
        return Ok((form.entries, form.pivots, Some(transform)));
    }
    let form = run(py, || with_entries!(entries, |words| exact::hermite_form(device, shape, words)))?.or_raise()?;
    Ok((form.entries, form.pivots, None))
}

#[pyfunction]
pub(crate) fn integer_invariant_factors(
    py: Python<'_>,
    device: &PyDevice,
    shape: (usize, usize),
    entries: Entries,
) -> PyResult<Vec<BigInt>> {
    run(py, || with_entries!(entries, |words| exact::invariant_factors(&device.0.device, shape, words)))?.or_raise()
}

/// The invariant factors, and the entries of the left and of the right transform.
#[pyfunction]
pub(crate) fn integer_smith_form(
    py: Python<'_>,
    device: &PyDevice,
    shape: (usize, usize),
    entries: Entries,
) -> PyResult<(Vec<BigInt>, Vec<BigInt>, Vec<BigInt>)> {
    let found = run(py, || with_entries!(entries, |words| exact::smith_form(&device.0.device, shape, words)))?;
    let found = found.or_raise()?;
    Ok((found.factors, found.left, found.right))
}

/// The solutions of `A X = B`: nothing where there is none, else one and the dimension of the others.
#[pyfunction]
pub(crate) fn integer_solve(
    py: Python<'_>,
    device: &PyDevice,
    shape: (usize, usize),
    entries: Entries,
    right_columns: usize,
    right: Entries,
) -> PyResult<Option<(Vec<BigRational>, usize)>> {
    let device = &device.0.device;
    let long = |entries: Entries| match entries {
        Entries::Short(words) => words.into_iter().map(BigInt::from).collect(),
        Entries::Long(words) => words,
    };
    let found = run(py, || match (entries, right) {
        (Entries::Short(a), Entries::Short(b)) => exact::solve_columns(device, shape, &a, right_columns, &b),
        (a, b) => exact::solve_columns(device, shape, &long(a), right_columns, &long(b)),
    })?;
    Ok(match found.or_raise()? {
        RationalSolution::Unique(x) => Some((x, 0)),
        RationalSolution::Affine { point, dimension } => Some((point, dimension)),
        RationalSolution::None => None,
    })
}

/// A real determinant: its value, the logarithm of its size, its sign and the bound of its error over its size.
#[pyfunction]
pub(crate) fn real_determinant(
    py: Python<'_>,
    device: &PyDevice,
    order: usize,
    entries: &Bound<'_, PyAny>,
    pivoting: &str,
) -> PyResult<(f64, f64, i8, Option<f64>)> {
    let pivoting = match pivoting {
        "partial" => Pivoting::Partial,
        "complete" => Pivoting::Complete,
        "first" => Pivoting::First,
        "closest-to-one" => Pivoting::ClosestToOne,
        other => {
            return Err(PyValueError::new_err(format!(
                "the pivoting {other:?}: \"partial\", \"complete\", \"first\" or \"closest-to-one\""
            )));
        }
    };
    let array = of_type::<f64>(entries).ok_or_else(|| wrong_type(entries, "float64"))?;
    let access = reading(&array)?;
    let words = access.as_slice()?;
    let options = RealOptions { pivoting, bound: true };
    let found = run(py, || real::determinant(&device.0.device, order, words, options))?.or_raise()?;
    Ok((found.value.to_f64(), found.log_abs(), found.value.signum(), found.relative_error_bound()))
}

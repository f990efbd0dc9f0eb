//! Fourier transforms, convolutions and correlations on finite Abelian groups.

use manycore::characters::{AbelianGroup, Complexes, Residues};
use manycore::field::ModularField as _;
use manycore::fourier::Numbers;
use manycore::{Goldilocks, PrimeField};
use num_complex::{Complex32, Complex64};
use numpy::Element;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::modular::over_field;
use crate::arrays::{of_type, owned, reading, writing, wrong_type};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::fields::short_field;
use crate::work::run;

/// The Fourier transform of functions on a finite Abelian group: of complex numbers, or of residues where there is a modulus;
/// gives the plan in words.
#[pyfunction]
#[pyo3(signature = (device, x, len, factors, inverse, modulus))]
pub(crate) fn fourier(
    py: Python<'_>,
    device: &PyDevice,
    x: &Bound<'_, PyAny>,
    len: u64,
    factors: Vec<u64>,
    inverse: bool,
    modulus: Option<u64>,
) -> PyResult<String> {
    let group = AbelianGroup::new(&factors).or_raise()?;
    if group.order() != len {
        let order = group.order();
        return Err(PyValueError::new_err(format!("{len} values along the axis, and a group of order {order}")));
    }
    let fourier = device.0.fourier();
    let direction = if inverse { manycore::fourier::Direction::Inverse } else { manycore::fourier::Direction::Forward };
    if let Some(modulus) = modulus {
        return over_field!(py, modulus, x, |field, x| {
            fourier.transform(&group, &Residues::new(field), direction, x, None).map(|plan| plan.to_string()).or_raise()
        });
    }
    if let Some(array) = of_type::<Complex64>(x) {
        let mut access = writing(&array)?;
        let x = access.as_slice_mut()?;
        let transform = || fourier.transform(&group, &Complexes::<f64>::new(), direction, x, None);
        return Ok(run(py, transform)?.or_raise()?.to_string());
    }
    let array =
        of_type::<Complex32>(x).ok_or_else(|| wrong_type(x, "complex64 and complex128, or integers and a modulus"))?;
    let mut access = writing(&array)?;
    let x = access.as_slice_mut()?;
    let transform = || fourier.transform(&group, &Complexes::<f32>::new(), direction, x, None);
    Ok(run(py, transform)?.or_raise()?.to_string())
}

/// The convolutions of functions on a finite Abelian group, or their correlations: of complex numbers, or of residues where there is
/// a modulus; one second function for all first ones, or one for each.
#[pyfunction]
#[pyo3(signature = (device, f, g, factors, correlates, modulus))]
pub(crate) fn convolve<'py>(
    py: Python<'py>,
    device: &PyDevice,
    f: &Bound<'py, PyAny>,
    g: &Bound<'py, PyAny>,
    factors: Vec<u64>,
    correlates: bool,
    modulus: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    struct Of<'a, 'py> {
        py: Python<'py>,
        device: &'a PyDevice,
        functions: [&'a Bound<'py, PyAny>; 2],
        group: AbelianGroup,
        correlates: bool,
    }
    impl<'py> Of<'_, 'py> {
        fn over<N: Numbers<Value: Element>>(&self, numbers: &N) -> PyResult<Bound<'py, PyAny>> {
            let typed = |array| of_type::<N::Value>(array).ok_or_else(|| wrong_type(array, "both functions alike"));
            let (f, g) = (typed(self.functions[0])?, typed(self.functions[1])?);
            let (f, g) = (reading(&f)?, reading(&g)?);
            let (f, g) = (f.as_slice()?, g.as_slice()?);
            let (fourier, group, correlates) = (self.device.0.fourier(), &self.group, self.correlates);
            let found = run(self.py, || {
                let (f, g) = (fourier.upload(numbers, f)?, fourier.upload(numbers, g)?);
                let found = if correlates {
                    fourier.correlate(group, numbers, &f, &g)?
                } else {
                    fourier.convolve(group, numbers, &f, &g)?
                };
                fourier.download(numbers, &found)
            })?;
            Ok(owned(self.py, found.or_raise()?))
        }
    }
    let of = Of { py, device, functions: [f, g], group: AbelianGroup::new(&factors).or_raise()?, correlates };
    match modulus {
        Some(modulus) if modulus == Goldilocks::MODULUS => of.over(&Residues::new(Goldilocks)),
        Some(modulus) if modulus < PrimeField::<u32>::LIMIT => of.over(&Residues::new(short_field(modulus)?)),
        Some(modulus) => of.over(&Residues::new(PrimeField::<u64>::new(modulus).or_raise()?)),
        None if of_type::<Complex32>(f).is_some() => of.over(&Complexes::<f32>::new()),
        None => of.over(&Complexes::<f64>::new()),
    }
}

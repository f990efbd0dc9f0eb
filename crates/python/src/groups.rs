//! Finite Abelian groups and their character tables.

use manycore::characters::{Complexes, Exponents, Residues, Tile, Values};
use manycore::{AbelianGroup, Goldilocks, PrimeField};
use num_complex::{Complex32, Complex64};
use numpy::Element;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::owned_matrix;
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::fields::short_field;
use crate::work::run;

/// A finite Abelian group, a product of cyclic groups.
#[pyclass(frozen, name = "AbelianGroup", module = "manycore._native")]
#[derive(Debug, Clone)]
pub(crate) struct PyGroup(pub(crate) AbelianGroup);

#[pymethods]
impl PyGroup {
    #[new]
    fn new(factors: Vec<u64>) -> PyResult<Self> {
        Ok(Self(AbelianGroup::new(&factors).or_raise()?))
    }

    #[getter]
    fn factors(&self) -> Vec<u64> {
        self.0.factors().to_vec()
    }

    #[getter]
    fn order(&self) -> u64 {
        self.0.order()
    }

    #[getter]
    fn exponent(&self) -> u64 {
        self.0.exponent()
    }

    fn invariant_factors(&self) -> Vec<u64> {
        self.0.invariant_factors()
    }

    fn is_isomorphic(&self, other: &Self) -> bool {
        self.0.is_isomorphic(&other.0)
    }

    fn digits(&self, index: u64) -> PyResult<Vec<u64>> {
        self.0.digits(index).or_raise()
    }

    fn index(&self, digits: Vec<u64>) -> PyResult<u64> {
        self.0.index(&digits).or_raise()
    }

    fn element_order(&self, element: u64) -> PyResult<u64> {
        self.0.element_order(element).or_raise()
    }

    fn add(&self, a: u64, b: u64) -> PyResult<u64> {
        self.0.add(a, b).or_raise()
    }

    fn negate(&self, a: u64) -> PyResult<u64> {
        self.0.negate(a).or_raise()
    }

    fn character_exponent(&self, character: u64, element: u64) -> PyResult<u64> {
        self.0.character_exponent(character, element).or_raise()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    /// A part of the table of characters: the values of the characters `rows` at the elements `columns`.
    #[pyo3(signature = (device, values, rows, columns, modulus))]
    fn table<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        values: &str,
        rows: (u64, u64),
        columns: (u64, u64),
        modulus: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tile = Tile::whole().rows(rows.0..rows.1).columns(columns.0..columns.1);
        let shape = ((rows.1.saturating_sub(rows.0)) as usize, (columns.1.saturating_sub(columns.0)) as usize);
        match (values, modulus) {
            ("complex128", None) => self.made::<_, Complex64>(py, device, &Complexes::<f64>::new(), &tile, shape),
            ("complex64", None) => self.made::<_, Complex32>(py, device, &Complexes::<f32>::new(), &tile, shape),
            ("exponents", None) => self.made::<_, u32>(py, device, &Exponents::<u32>::new(), &tile, shape),
            ("residues", Some(p)) if p == Goldilocks::MODULUS => {
                self.made::<_, u64>(py, device, &Residues::new(Goldilocks), &tile, shape)
            }
            ("residues", Some(p)) if p < PrimeField::<u32>::LIMIT => {
                self.made::<_, u32>(py, device, &Residues::new(short_field(p)?), &tile, shape)
            }
            ("residues", Some(p)) => {
                let field = PrimeField::<u64>::new(p).or_raise()?;
                self.made::<_, u64>(py, device, &Residues::new(field), &tile, shape)
            }
            (other, _) => Err(PyValueError::new_err(format!(
                "values {other:?}: \"complex128\", \"complex64\", \"exponents\", or residues by modulus=p"
            ))),
        }
    }
}

impl PyGroup {
    fn made<'py, V: Values, T: Element + bytemuck::Pod>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        values: &V,
        tile: &Tile,
        (rows, columns): (usize, usize),
    ) -> PyResult<Bound<'py, PyAny>> {
        let characters = device.0.characters();
        let entries = run(py, || characters.table(&self.0, values, tile)?.download())?.or_raise()?;
        // A complex number of the library is two words, as NumPy's is.
        owned_matrix::<T>(py, rows, columns, bytemuck::cast_vec(entries))
    }
}

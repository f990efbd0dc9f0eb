//! Batches of small square matrices over prime fields: all determinants or inverses at once.

use manycore::LinearAlgebra;
use pyo3::prelude::*;

use crate::arrays::{owned, residues};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::fields::{Field, WithField, with_field};
use crate::work::run;

struct Batch<'a, 'py> {
    py: Python<'py>,
    device: &'a PyDevice,
    count: usize,
    order: usize,
    entries: &'a Bound<'py, PyAny>,
    inverts: bool,
}

impl<'py> WithField for Batch<'_, 'py> {
    type Output = Bound<'py, PyAny>;

    fn run<F: Field>(self, field: F) -> PyResult<Self::Output> {
        let entries = residues::<F::Element>(field.order(), self.entries)?;
        let (count, order, inverts) = (self.count, self.order, self.inverts);
        let space = LinearAlgebra::new(&self.device.0.device, field).or_raise()?;
        let found = run(self.py, || {
            let batch = space.batch(count, order, &entries)?;
            let found = if inverts {
                space.inverses(&batch)?.buffer().download()
            } else {
                space.determinants(&batch)?.download()
            };
            Ok::<_, manycore::LinalgError>(found?)
        })?;
        Ok(owned(self.py, found.or_raise()?))
    }
}

/// The determinants of `count` matrices of an order, whose entries lie matrix after matrix, or all entries of their inverses.
#[pyfunction]
pub(crate) fn matrix_batch<'py>(
    py: Python<'py>,
    device: &PyDevice,
    modulus: u64,
    shape: (usize, usize),
    entries: &Bound<'py, PyAny>,
    inverts: bool,
) -> PyResult<Bound<'py, PyAny>> {
    with_field(modulus, Batch { py, device, count: shape.0, order: shape.1, entries, inverts })
}

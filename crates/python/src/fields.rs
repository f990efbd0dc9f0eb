//! The field that a modulus names.

use manycore::field::{ModularField, ResidueWord};
use manycore::{BivariateField, Goldilocks, MatrixField, NotPrime, PrimeField};
use numpy::Element;
use pyo3::PyResult;

use crate::errors::{OrRaise as _, exception};

/// A prime field that all operations of the package take.
pub(crate) trait Field: BivariateField + MatrixField<Element: Element + ResidueWord> {}

impl<F: BivariateField + MatrixField<Element: Element + ResidueWord>> Field for F {}

/// A prime field with words of 32 bits.
pub(crate) fn short_field(modulus: u64) -> PyResult<PrimeField<u32>> {
    match u32::try_from(modulus) {
        Ok(modulus) => PrimeField::<u32>::new(modulus).or_raise(),
        Err(_) => Err(exception(&NotPrime::TooLarge { n: modulus, limit: PrimeField::<u32>::LIMIT })),
    }
}

/// Something to do over a field whose type depends on the modulus.
pub(crate) trait WithField {
    /// What it gives.
    type Output;

    /// Does it.
    fn run<F: Field>(self, field: F) -> PyResult<Self::Output>;
}

/// Does it over the field with the shortest words that hold the residues.
pub(crate) fn with_field<W: WithField>(modulus: u64, work: W) -> PyResult<W::Output> {
    if modulus == Goldilocks.order() {
        return work.run(Goldilocks);
    }
    if modulus < PrimeField::<u32>::LIMIT {
        return work.run(short_field(modulus)?);
    }
    work.run(PrimeField::<u64>::new(modulus).or_raise()?)
}

//! Products of integers of any size.

use manycore::poly::integer::{BigInt, IntegerAlgorithm};
use pyo3::prelude::*;

use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::work::run;

/// The product of two integers.
#[pyfunction]
pub(crate) fn integer_product(py: Python<'_>, device: &PyDevice, a: BigInt, b: BigInt) -> PyResult<BigInt> {
    let integers = device.0.integers();
    run(py, || integers.mul_signed(&a, &b))?.or_raise()
}

/// The square of an integer.
#[pyfunction]
pub(crate) fn integer_square(py: Python<'_>, device: &PyDevice, a: BigInt) -> PyResult<BigInt> {
    let integers = device.0.integers();
    Ok(run(py, || integers.square(a.magnitude()))?.or_raise()?.into())
}

/// The algorithm of a product of integers of so many bits, in words.
#[pyfunction]
pub(crate) fn explain_integer_product(py: Python<'_>, device: &PyDevice, bits: (u64, u64)) -> PyResult<&'static str> {
    let integers = device.0.integers();
    Ok(match run(py, || integers.algorithm(bits.0, bits.1))?.or_raise()? {
        IntegerAlgorithm::Words => "word by word, or by Karatsuba's products, on one thread of the host",
        _ => "three products of polynomials modulo primes, and carries",
    })
}

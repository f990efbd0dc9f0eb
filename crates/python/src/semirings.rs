//! Products of matrices over semirings.

use manycore::expressions::{Elements, Integer, Number};
use manycore::semiring::{Bounded, Matrix, Semiring, SemiringError};
use numpy::Element;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{of_type, owned_matrix, reading, wrong_type};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::work::run;

/// The semirings by name.
const NAMES: &str = "\"plus-times\", \"max-plus\", \"min-plus\", \"max-min\", \"min-max\", \"max-times\", or \"or-and\" and \"xor-and\" of integers";

fn of_numbers<T: Number + Bounded>(name: &str) -> Option<Result<Semiring<T, T, T>, SemiringError>> {
    Some(match name {
        "plus-times" => Semiring::plus_times(),
        "max-plus" => Semiring::max_plus(),
        "min-plus" => Semiring::min_plus(),
        "max-min" => Semiring::max_min(),
        "min-max" => Semiring::min_max(),
        "max-times" => Semiring::max_times(),
        _ => return None,
    })
}

fn of_integers<T: Integer + Bounded>(name: &str) -> Option<Result<Semiring<T, T, T>, SemiringError>> {
    Some(match name {
        "max-plus" => Semiring::max_plus_saturating(),
        "min-plus" => Semiring::min_plus_saturating(),
        "or-and" => Semiring::or_and(),
        "xor-and" => Semiring::xor_and(),
        other => return of_numbers(other),
    })
}

/// Two operands of one product.
struct Operands<'a, 'py> {
    device: &'a PyDevice,
    a: &'a Bound<'py, PyAny>,
    b: &'a Bound<'py, PyAny>,
    shape: (u64, u64, u64),
}

impl<'py> Operands<'_, 'py> {
    /// Their product, if their elements are of this type.
    fn product<T: Element + Elements>(
        &self,
        py: Python<'py>,
        semiring: Option<Result<Semiring<T, T, T>, SemiringError>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (Some(a), Some(b)) = (of_type::<T>(self.a), of_type::<T>(self.b)) else { return Ok(None) };
        let semiring = semiring.ok_or_else(|| PyValueError::new_err(format!("no semiring of this name: {NAMES}")))?;
        let semiring = semiring.or_raise()?;
        let (rows, inner, columns) = self.shape;
        let (a, b) = (reading(&a)?, reading(&b)?);
        let a = Matrix::stored(rows, inner, a.as_slice()?).or_raise()?;
        let b = Matrix::stored(inner, columns, b.as_slice()?).or_raise()?;
        let products = self.device.0.products();
        let entries = run(py, || {
            let product = products.multiply(&semiring, &products.upload(&a)?, &products.upload(&b)?)?;
            Ok::<_, SemiringError>(product.download()?.entries())
        })?;
        owned_matrix(py, rows as usize, columns as usize, entries.or_raise()?).map(Some)
    }
}

/// The product of matrices over a semiring of the library.
#[pyfunction]
pub(crate) fn semiring_product<'py>(
    py: Python<'py>,
    device: &PyDevice,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    shape: (u64, u64, u64),
    semiring: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let operands = Operands { device, a, b, shape };
    macro_rules! try_each {
        ($($type:ty: $of:ident),*) => {
            $(if let Some(product) = operands.product::<$type>(py, $of(semiring))? {
                return Ok(product);
            })*
        };
    }
    try_each!(f64: of_numbers, f32: of_numbers, i64: of_integers, i32: of_integers);
    Err(wrong_type(a, "int32, int64, float32 and float64, both factors alike"))
}

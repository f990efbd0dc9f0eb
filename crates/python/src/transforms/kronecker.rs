//! Kronecker products of small matrices, whose factors are texts or arrays.

use manycore::field::{Integers, Reals};
use manycore::kronecker::{Complexes, Factor, KroneckerProduct, Values};
use manycore::{Goldilocks, PrimeField};
use num_complex::{Complex32, Complex64};
use numpy::{Element, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{of_type, reading, writing, wrong_type};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::fields::short_field;
use crate::work::run;

/// Applies a Kronecker product of small matrices to vectors: each part is the text of a product, or a matrix of the vectors' type.
#[pyfunction]
#[pyo3(signature = (device, x, len, product, form, modulus))]
pub(crate) fn kronecker(
    py: Python<'_>,
    device: &PyDevice,
    x: &Bound<'_, PyAny>,
    len: usize,
    product: Vec<Bound<'_, PyAny>>,
    form: (String, bool),
    modulus: Option<u64>,
) -> PyResult<()> {
    let (direction, wrapping) = form;
    /// Reads the product over its values and applies it.
    macro_rules! apply {
        ($values:expr, $x:expr) => {{
            let of = kronecker_product(&$values, &product)?;
            if of.order() != len {
                let order = of.order();
                let message = format!("{len} values along the axis, and a product of order {order}");
                return Err(PyValueError::new_err(message));
            }
            let of = if wrapping { of.wrapping() } else { of };
            applied(py, device, &of, &direction, $x)
        }};
    }
    if let Some(modulus) = modulus {
        if let Some(array) = of_type::<u32>(x) {
            let mut access = writing(&array)?;
            return apply!(short_field(modulus)?, access.as_slice_mut()?);
        }
        let array = of_type::<u64>(x).ok_or_else(|| wrong_type(x, "uint32 and uint64"))?;
        let mut access = writing(&array)?;
        return if modulus == Goldilocks::MODULUS {
            apply!(Goldilocks, access.as_slice_mut()?)
        } else {
            apply!(PrimeField::<u64>::new(modulus).or_raise()?, access.as_slice_mut()?)
        };
    }
    macro_rules! numbers {
        ($($type:ty: $values:expr),*) => {
            $(
                if let Some(array) = of_type::<$type>(x) {
                    let mut access = writing(&array)?;
                    return apply!($values, access.as_slice_mut()?);
                }
            )*
        };
    }
    numbers!(
        f64: Reals::<f64>::new(),
        f32: Reals::<f32>::new(),
        i64: Integers::<i64>::new(),
        i32: Integers::<i32>::new(),
        Complex64: Complexes::<f64>::new(),
        Complex32: Complexes::<f32>::new()
    );
    Err(wrong_type(x, "int32, int64, float32, float64, complex64 and complex128, or integers and a modulus"))
}

/// The product of parts that are texts or square arrays.
fn kronecker_product<V: Values<Value: Element>>(
    values: &V,
    parts: &[Bound<'_, PyAny>],
) -> PyResult<KroneckerProduct<V>> {
    let mut factors = Vec::new();
    for part in parts {
        if let Ok(text) = part.extract::<String>() {
            factors.extend_from_slice(manycore::kronecker::parse(values, &text).or_raise()?.factors());
            continue;
        }
        let array = of_type::<V::Value>(part).ok_or_else(|| wrong_type(part, "a factor of the vectors' type"))?;
        let access = reading(&array)?;
        let rows = array.shape().first().copied().unwrap_or(0);
        let width = access.as_slice()?.len() / rows.max(1);
        let rows: Vec<&[V::Value]> = access.as_slice()?.chunks(width.max(1)).collect();
        factors.push(Factor::new(values, &rows).or_raise()?);
    }
    KroneckerProduct::new(values, factors).or_raise()
}

fn applied<'a, V: Values>(
    py: Python<'_>,
    device: &PyDevice,
    product: &KroneckerProduct<V>,
    direction: &str,
    x: impl Into<manycore::InPlace<'a, V::Word>> + Send,
) -> PyResult<()> {
    let kronecker = device.0.kronecker();
    let done = run(py, || match direction {
        "forward" => Ok(kronecker.forward(product, x)),
        "inverse" => Ok(kronecker.inverse(product, x)),
        "transpose" => Ok(kronecker.transpose(product, x)),
        other => Err(other),
    })?;
    match done {
        Ok(done) => done.or_raise(),
        Err(other) => {
            Err(PyValueError::new_err(format!("the direction {other:?}: \"forward\", \"inverse\" or \"transpose\"")))
        }
    }
}

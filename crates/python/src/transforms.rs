//! Transforms of contiguous arrays in place: each run of `len` values by itself.

use manycore::boolean::TruthTable;
use manycore::characters::{AbelianGroup, Complexes, Residues};
use manycore::field::{Integers, ModularField as _, Reals, ResidueWord as _};
use manycore::fourier::Numbers;
use manycore::kronecker::{Factor, KroneckerProduct, Values as KroneckerValues};
use manycore::spectral::{BitOrder, Direction, HaarOrder, Normalization, Order};
use manycore::transform::Kind;
use manycore::{Arithmetic, Goldilocks, Haar, Ntt, PrimeField, ReedMuller, SpectrumOrder, Walsh};
use num_complex::{Complex32, Complex64};
use numpy::{Element, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{in_place, of_type, owned, reading, writing, wrong_type};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::fields::{Field, WithField, short_field, with_field};
use crate::work::run;

const NUMBERS: &str = "int32, int64, float32 and float64";

/// A word as one of the values that it can name.
pub(crate) fn parsed<T: std::str::FromStr<Err: std::error::Error + 'static>>(word: &str) -> PyResult<T> {
    word.parse::<T>().or_raise()
}

fn direction(inverse: bool) -> Direction {
    if inverse { Direction::Inverse } else { Direction::Forward }
}

/// The Walsh-Hadamard transform.
#[pyfunction]
pub(crate) fn walsh(
    py: Python<'_>,
    device: &PyDevice,
    x: &Bound<'_, PyAny>,
    len: usize,
    order: &str,
    inverse: bool,
) -> PyResult<()> {
    let how = Walsh::new().order(parsed::<Order>(order)?).direction(direction(inverse)).batch(len);
    let spectral = device.0.spectral();
    in_place!(py, x, [i32, i64, f32, f64], NUMBERS, |x| spectral.walsh(x, &how))
}

/// The Reed-Muller transform of bits, which are integers 0 and 1.
#[pyfunction]
pub(crate) fn reed_muller(
    py: Python<'_>,
    device: &PyDevice,
    x: &Bound<'_, PyAny>,
    len: usize,
    order: &str,
    inverse: bool,
    polarity: u64,
) -> PyResult<()> {
    let how =
        ReedMuller::new().order(parsed::<BitOrder>(order)?).direction(direction(inverse)).polarity(polarity).batch(len);
    let spectral = device.0.spectral();
    in_place!(py, x, [u8, u32, i32, u64, i64], "uint8, int32, uint32, int64 and uint64", |x| {
        spectral.reed_muller(x, &how)
    })
}

/// The arithmetic transform.
#[pyfunction]
pub(crate) fn arithmetic(
    py: Python<'_>,
    device: &PyDevice,
    x: &Bound<'_, PyAny>,
    len: usize,
    order: &str,
    inverse: bool,
    polarity: u64,
) -> PyResult<()> {
    let how =
        Arithmetic::new().order(parsed::<BitOrder>(order)?).direction(direction(inverse)).polarity(polarity).batch(len);
    let spectral = device.0.spectral();
    in_place!(py, x, [i32, i64, f32, f64], NUMBERS, |x| spectral.arithmetic(x, &how))
}

/// The Haar transform.
#[pyfunction]
pub(crate) fn haar(
    py: Python<'_>,
    device: &PyDevice,
    x: &Bound<'_, PyAny>,
    len: usize,
    order: &str,
    inverse: bool,
    normalization: &str,
) -> PyResult<()> {
    let how = Haar::new()
        .order(parsed::<HaarOrder>(order)?)
        .normalization(parsed::<Normalization>(normalization)?)
        .direction(direction(inverse))
        .batch(len);
    let spectral = device.0.spectral();
    in_place!(py, x, [i32, i64, f32, f64], NUMBERS, |x| spectral.haar(x, &how))
}

/// The numbers of terms of a function's Reed-Muller forms in all polarities.
#[pyfunction]
pub(crate) fn polarity_terms<'py>(py: Python<'py>, values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let array = of_type::<u8>(values).ok_or_else(|| wrong_type(values, "uint8"))?;
    let access = reading(&array)?;
    let f = TruthTable::from_values(access.as_slice()?).or_raise()?;
    let found = run(py, || manycore::spectral::polarity::reed_muller(f.words(), f.variables()))?.or_raise()?;
    Ok(owned(py, found.terms().to_vec()))
}

/// Does `$work` with the field of a modulus and the array's memory in the field's words.
macro_rules! over_field {
    ($py:expr, $modulus:expr, $array:expr, |$field:ident, $x:ident| $work:expr) => {{
        let modulus: u64 = $modulus;
        if let Some(array) = of_type::<u32>($array) {
            let $field = short_field(modulus)?;
            let mut access = writing(&array)?;
            let $x = access.as_slice_mut()?;
            $field.check($x).or_raise()?;
            run($py, || $work)?
        } else if let Some(array) = of_type::<u64>($array) {
            let mut access = writing(&array)?;
            let $x = access.as_slice_mut()?;
            if modulus == Goldilocks::MODULUS {
                let $field = Goldilocks;
                $field.check($x).or_raise()?;
                run($py, || $work)?
            } else {
                let $field = PrimeField::<u64>::new(modulus).or_raise()?;
                $field.check($x).or_raise()?;
                run($py, || $work)?
            }
        } else {
            Err(wrong_type($array, "uint32 and uint64"))
        }
    }};
}

/// The bytes of a word that holds residues modulo a prime: 4, or 8.
#[pyfunction]
pub(crate) fn residue_bytes(modulus: u64) -> PyResult<usize> {
    if modulus < PrimeField::<u32>::LIMIT {
        short_field(modulus)?;
        return Ok(size_of::<u32>());
    }
    if modulus != Goldilocks::MODULUS {
        PrimeField::<u64>::new(modulus).or_raise()?;
    }
    Ok(size_of::<u64>())
}

/// The residues modulo `modulus` of integers, in the words of [`residue_bytes`].
#[pyfunction]
pub(crate) fn residues<'py>(py: Python<'py>, modulus: u64, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if residue_bytes(modulus)? == size_of::<u32>() {
        Ok(owned(py, crate::arrays::residues::<u32>(modulus, x)?))
    } else {
        Ok(owned(py, crate::arrays::residues::<u64>(modulus, x)?))
    }
}

/// The number-theoretic transform of residues; gives the root of unity.
#[pyfunction]
pub(crate) fn ntt(
    py: Python<'_>,
    device: &PyDevice,
    x: &Bound<'_, PyAny>,
    len: usize,
    modulus: u64,
    form: (bool, bool, bool),
) -> PyResult<u64> {
    let (inverse, negacyclic, bit_reversed) = form;
    let kind = if negacyclic { Kind::Negacyclic } else { Kind::Cyclic };
    let order = if bit_reversed { SpectrumOrder::BitReversed } else { SpectrumOrder::Natural };
    over_field!(py, modulus, x, |field, x| {
        let of = format!("modulo {modulus}, {len}, {kind:?}, {order:?}");
        let make = |device: &_| Ntt::new(device, &field, len, kind).map(|ntt| ntt.with_order(order));
        device
            .0
            .kept(of, make)
            .and_then(|ntt| {
                if inverse { ntt.inverse(x) } else { ntt.forward(x) }?;
                Ok(ntt.root().as_u64())
            })
            .or_raise()
    })
}

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

/// Applies a Kronecker product of small matrices to vectors: each part is the text of a product, or a matrix of the vectors' type.
#[pyfunction]
#[pyo3(signature = (device, x, len, product, direction, modulus))]
pub(crate) fn kronecker(
    py: Python<'_>,
    device: &PyDevice,
    x: &Bound<'_, PyAny>,
    len: usize,
    product: Vec<Bound<'_, PyAny>>,
    direction: &str,
    modulus: Option<u64>,
) -> PyResult<()> {
    /// Reads the product over its values and applies it.
    macro_rules! apply {
        ($values:expr, $x:expr) => {{
            let of = kronecker_product(&$values, &product)?;
            if of.order() != len {
                let order = of.order();
                let message = format!("{len} values along the axis, and a product of order {order}");
                return Err(PyValueError::new_err(message));
            }
            applied(py, device, &of, direction, $x)
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
        Complex64: manycore::kronecker::Complexes::<f64>::new(),
        Complex32: manycore::kronecker::Complexes::<f32>::new()
    );
    Err(wrong_type(x, "int32, int64, float32, float64, complex64 and complex128, or integers and a modulus"))
}

/// The product of parts that are texts or square arrays.
fn kronecker_product<V: KroneckerValues<Value: Element>>(
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

fn applied<'a, V: KroneckerValues>(
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

/// Why a Walsh-Hadamard transform of `values` values in runs of `len` takes its plan.
#[pyfunction]
pub(crate) fn explain_walsh(
    py: Python<'_>,
    device: &PyDevice,
    element: &str,
    values: usize,
    len: usize,
    order: &str,
) -> PyResult<String> {
    let how = Walsh::new().order(parsed::<Order>(order)?).batch(len);
    let spectral = device.0.spectral();
    let choice = run(py, || match element {
        "int32" => spectral.explain_walsh::<i32>(values, &how),
        "int64" => spectral.explain_walsh::<i64>(values, &how),
        "float32" => spectral.explain_walsh::<f32>(values, &how),
        _ => spectral.explain_walsh::<f64>(values, &how),
    })?;
    Ok(choice.or_raise()?.to_string())
}

/// Why a number-theoretic transform of `values` residues in runs of `len` takes its plan.
#[pyfunction]
pub(crate) fn explain_ntt(
    py: Python<'_>,
    device: &PyDevice,
    modulus: u64,
    values: usize,
    len: usize,
) -> PyResult<String> {
    struct Explain<'a> {
        device: &'a PyDevice,
        values: usize,
        len: usize,
    }
    impl WithField for Explain<'_> {
        type Output = String;

        fn run<F: Field>(self, field: F) -> PyResult<String> {
            let ntt = Ntt::new(&self.device.0.device, &field, self.len, Kind::Cyclic).or_raise()?;
            Ok(ntt.explain(self.values).or_raise()?.to_string())
        }
    }
    run(py, || with_field(modulus, Explain { device, values, len }))?
}

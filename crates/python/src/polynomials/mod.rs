//! Polynomials over prime fields.

mod objects;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use self::objects::{Binary, Make, Object, Polynomial, Ring, Short, Tree, Unary};
use crate::device::PyDevice;
use crate::fields::with_field;
use crate::work::run;

/// The ring of polynomials modulo a prime, on one device.
#[pyclass(frozen, name = "PolyRing", module = "manycore._native")]
pub(crate) struct PyRing(Box<dyn Ring>);

#[pymethods]
impl PyRing {
    #[new]
    fn new(py: Python<'_>, device: &PyDevice, modulus: u64) -> PyResult<Self> {
        run(py, || with_field(modulus, Make(device)))?.map(Self)
    }

    fn poly(&self, coefficients: &Bound<'_, PyAny>) -> PyResult<PyPoly> {
        self.0.poly(coefficients).map(PyPoly)
    }

    fn constant(&self, value: u64) -> PyResult<PyPoly> {
        self.0.constant(value).map(PyPoly)
    }

    /// The polynomial of a text, as `x^2 + 3*x + 1`.
    fn parse(&self, text: &str) -> PyResult<PyPoly> {
        self.0.parse(text).map(PyPoly)
    }

    /// The remainders modulo coprime polynomials.
    fn remainders(&self, py: Python<'_>, f: &PyPoly, moduli: Vec<Bound<'_, PyPoly>>) -> PyResult<Vec<PyPoly>> {
        let moduli: Vec<&dyn Polynomial> = moduli.iter().map(|poly| &*poly.get().0).collect();
        Ok(run(py, || self.0.remainders(&*f.0, &moduli))??.into_iter().map(PyPoly).collect())
    }

    fn random(&self, py: Python<'_>, len: usize, seed: u64) -> PyResult<PyPoly> {
        run(py, || self.0.random(len, seed))?.map(PyPoly)
    }

    fn tree(&self, py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<PyTree> {
        self.0.tree(py, points).map(PyTree)
    }

    fn chinese_remainder(
        &self,
        remainders: Vec<Bound<'_, PyPoly>>,
        moduli: Vec<Bound<'_, PyPoly>>,
    ) -> PyResult<PyPoly> {
        let remainders: Vec<&dyn Polynomial> = remainders.iter().map(|poly| &*poly.get().0).collect();
        let moduli: Vec<&dyn Polynomial> = moduli.iter().map(|poly| &*poly.get().0).collect();
        self.0.chinese_remainder(&remainders, &moduli).map(PyPoly)
    }

    fn explain(&self, py: Python<'_>, operation: &str, n: usize, m: usize) -> PyResult<String> {
        run(py, || self.0.explain(operation, n, m))?
    }
}

/// A subproduct tree.
#[pyclass(frozen, name = "SubproductTree", module = "manycore._native")]
pub(crate) struct PyTree(Box<dyn Tree>);

#[pymethods]
impl PyTree {
    fn evaluate<'py>(&self, py: Python<'py>, f: &PyPoly) -> PyResult<Bound<'py, PyAny>> {
        self.0.evaluate(py, &*f.0)
    }

    fn interpolate(&self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<PyPoly> {
        self.0.interpolate(py, values).map(PyPoly)
    }

    fn product(&self, py: Python<'_>) -> PyResult<PyPoly> {
        run(py, || self.0.product())?.map(PyPoly)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// A polynomial.
#[pyclass(frozen, name = "Poly", module = "manycore._native")]
pub(crate) struct PyPoly(Object);

fn wrapped(powers: Vec<(Object, usize)>) -> Vec<(PyPoly, usize)> {
    powers.into_iter().map(|(poly, number)| (PyPoly(poly), number)).collect()
}

impl PyPoly {
    fn binary(&self, py: Python<'_>, operation: Binary, other: &Self) -> PyResult<Self> {
        run(py, || self.0.binary(operation, &*other.0))?.map(Self)
    }

    fn unary(&self, py: Python<'_>, operation: Unary) -> PyResult<Self> {
        run(py, || self.0.unary(operation))?.map(Self)
    }
}

#[pymethods]
impl PyPoly {
    fn binary_by_name(&self, py: Python<'_>, operation: &str, other: &Self) -> PyResult<Self> {
        let operation = match operation {
            "add" => Binary::Add,
            "sub" => Binary::Sub,
            "mul" => Binary::Mul,
            "div" => Binary::Div,
            "rem" => Binary::Rem,
            "div_exact" => Binary::DivExact,
            "gcd" => Binary::Gcd,
            "inverse_mod" => Binary::InverseMod,
            "compose" => Binary::Compose,
            other => return Err(PyValueError::new_err(format!("no operation {other:?}"))),
        };
        self.binary(py, operation, other)
    }

    #[pyo3(signature = (operation, number = 0))]
    fn unary_by_name(&self, py: Python<'_>, operation: &str, number: u64) -> PyResult<Self> {
        let size = number as usize;
        let operation = match operation {
            "neg" => Unary::Neg,
            "square" => Unary::Square,
            "monic" => Unary::Monic,
            "derivative" => Unary::Derivative,
            "scale" => Unary::Scale(number),
            "shift_up" => Unary::ShiftUp(size),
            "shift_down" => Unary::ShiftDown(size),
            "truncate" => Unary::Truncate(size),
            "reverse" => Unary::Reverse(size),
            "inverse_series" => Unary::InverseSeries(size),
            "squarefree_part" => Unary::SquarefreePart,
            "integral" => Unary::Integral,
            "pow" => Unary::Pow(number),
            "taylor_shift" => Unary::TaylorShift(number),
            "log_series" => Unary::LogSeries(size),
            "exp_series" => Unary::ExpSeries(size),
            "sqrt_series" => Unary::SqrtSeries(size),
            "inverse_sqrt_series" => Unary::InverseSqrtSeries(size),
            "reversion" => Unary::Reversion(size),
            other => return Err(PyValueError::new_err(format!("no operation {other:?}"))),
        };
        self.unary(py, operation)
    }

    fn divmod(&self, py: Python<'_>, other: &Self) -> PyResult<(Self, Self)> {
        let (quotient, remainder) = run(py, || self.0.div_rem(&*other.0))??;
        Ok((Self(quotient), Self(remainder)))
    }

    fn xgcd(&self, py: Python<'_>, other: &Self) -> PyResult<(Self, Self, Self)> {
        let (gcd, s, t) = run(py, || self.0.xgcd(&*other.0))??;
        Ok((Self(gcd), Self(s), Self(t)))
    }

    fn resultant(&self, py: Python<'_>, other: &Self) -> PyResult<u64> {
        run(py, || self.0.resultant(&*other.0))?
    }

    fn subresultants(&self, py: Python<'_>, other: &Self) -> PyResult<Vec<Self>> {
        Ok(run(py, || self.0.subresultants(&*other.0))??.into_iter().map(Self).collect())
    }

    fn discriminant(&self, py: Python<'_>) -> PyResult<u64> {
        run(py, || self.0.discriminant())?
    }

    fn equal(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        run(py, || self.0.equal(&*other.0))?
    }

    fn mul_short(&self, py: Python<'_>, other: &Self, n: usize) -> PyResult<Self> {
        run(py, || self.0.short(Short::Mul, &*other.0, n))?.map(Self)
    }

    fn div_series(&self, py: Python<'_>, other: &Self, n: usize) -> PyResult<Self> {
        run(py, || self.0.short(Short::Div, &*other.0, n))?.map(Self)
    }

    fn compose_short(&self, py: Python<'_>, other: &Self, n: usize) -> PyResult<Self> {
        run(py, || self.0.short(Short::Compose, &*other.0, n))?.map(Self)
    }

    fn pow_short(&self, py: Python<'_>, exponent: u64, n: usize) -> PyResult<Self> {
        run(py, || self.0.short_power(exponent, n))?.map(Self)
    }

    fn pow_series(&self, py: Python<'_>, exponent: u64, n: usize) -> PyResult<Self> {
        run(py, || self.0.series_power(exponent, n))?.map(Self)
    }

    fn mul_middle(&self, py: Python<'_>, other: &Self, from: usize, to: usize) -> PyResult<Self> {
        run(py, || self.0.middle_product(&*other.0, from, to))?.map(Self)
    }

    fn pow_mod(&self, py: Python<'_>, exponent: u128, modulus: &Self) -> PyResult<Self> {
        run(py, || self.0.power_mod(exponent, &*modulus.0))?.map(Self)
    }

    fn compose_mod(&self, py: Python<'_>, inner: &Self, modulus: &Self) -> PyResult<Self> {
        run(py, || self.0.compose_mod(&*inner.0, &*modulus.0))?.map(Self)
    }

    fn evaluate(&self, py: Python<'_>, x: u64) -> PyResult<u64> {
        run(py, || self.0.evaluate(x))?
    }

    fn evaluate_many<'py>(&self, py: Python<'py>, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.0.evaluate_many(py, points)
    }

    fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.coefficients(py)
    }

    fn coefficient(&self, index: usize) -> PyResult<u64> {
        self.0.coefficient(index)
    }

    fn factor(&self, py: Python<'_>) -> PyResult<(u64, Vec<(Self, usize)>)> {
        let (leading, factors) = run(py, || self.0.factor())??;
        Ok((leading, wrapped(factors)))
    }

    fn squarefree(&self, py: Python<'_>) -> PyResult<Vec<(Self, usize)>> {
        run(py, || self.0.squarefree())?.map(wrapped)
    }

    fn distinct_degree(&self, py: Python<'_>) -> PyResult<Vec<(Self, usize)>> {
        run(py, || self.0.distinct_degree())?.map(wrapped)
    }

    fn roots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.roots(py)
    }

    fn is_irreducible(&self, py: Python<'_>) -> PyResult<bool> {
        run(py, || self.0.is_irreducible())?
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

//! Polynomials over prime fields as trait objects: the field's type is known inside [`Of`] and its like alone.

use std::any::Any;
use std::sync::Arc;

use manycore::field::ResidueWord as _;
use manycore::poly::{Operation, SubproductTree};
use manycore::{Poly, PolyError, PolyRing};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{self, owned};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::fields::{Field, WithField};
use crate::work::run;

/// An operation of two polynomials that gives one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    DivExact,
    Gcd,
    InverseMod,
    Compose,
}

/// An operation of two power series, modulo `x^n`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Short {
    Mul,
    Div,
    Compose,
}

/// An operation of one polynomial and perhaps a number that gives a polynomial.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unary {
    Neg,
    Square,
    Monic,
    Derivative,
    Scale(u64),
    ShiftUp(usize),
    ShiftDown(usize),
    Truncate(usize),
    Reverse(usize),
    InverseSeries(usize),
    SquarefreePart,
    Integral,
    Pow(u64),
    TaylorShift(u64),
    LogSeries(usize),
    ExpSeries(usize),
    SqrtSeries(usize),
    InverseSqrtSeries(usize),
    Reversion(usize),
}

pub(super) type Object = Box<dyn Polynomial>;

/// A polynomial over some field.
pub(super) trait Polynomial: Send + Sync {
    fn any(&self) -> &dyn Any;
    fn binary(&self, operation: Binary, other: &dyn Polynomial) -> PyResult<Object>;
    fn unary(&self, operation: Unary) -> PyResult<Object>;
    fn div_rem(&self, other: &dyn Polynomial) -> PyResult<(Object, Object)>;
    fn xgcd(&self, other: &dyn Polynomial) -> PyResult<(Object, Object, Object)>;
    fn resultant(&self, other: &dyn Polynomial) -> PyResult<u64>;
    fn subresultants(&self, other: &dyn Polynomial) -> PyResult<Vec<Object>>;
    fn discriminant(&self) -> PyResult<u64>;
    fn equal(&self, other: &dyn Polynomial) -> PyResult<bool>;
    fn short(&self, operation: Short, other: &dyn Polynomial, n: usize) -> PyResult<Object>;
    fn short_power(&self, exponent: u64, n: usize) -> PyResult<Object>;
    fn series_power(&self, exponent: u64, n: usize) -> PyResult<Object>;
    fn middle_product(&self, other: &dyn Polynomial, from: usize, to: usize) -> PyResult<Object>;
    fn power_mod(&self, exponent: u128, modulus: &dyn Polynomial) -> PyResult<Object>;
    fn compose_mod(&self, inner: &dyn Polynomial, modulus: &dyn Polynomial) -> PyResult<Object>;
    fn evaluate(&self, x: u64) -> PyResult<u64>;
    fn evaluate_many<'py>(&self, py: Python<'py>, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>;
    fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn coefficient(&self, index: usize) -> PyResult<u64>;
    fn factor(&self) -> PyResult<(u64, Vec<(Object, usize)>)>;
    fn squarefree(&self) -> PyResult<Vec<(Object, usize)>>;
    fn distinct_degree(&self) -> PyResult<Vec<(Object, usize)>>;
    fn roots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn is_irreducible(&self) -> PyResult<bool>;
    fn len(&self) -> usize;
}

/// A polynomial with its ring.
struct Of<F: Field> {
    ring: Arc<PolyRing<F>>,
    poly: Poly<F>,
}

impl<F: Field> Of<F> {
    /// The other polynomial, if it is over a field of the same type; whether it is of the same ring, the library checks.
    fn other(other: &dyn Polynomial) -> PyResult<&Poly<F>> {
        let other = other.any().downcast_ref::<Self>();
        other.map(|other| &other.poly).ok_or_else(|| PyValueError::new_err("polynomials of different rings"))
    }

    fn wrap(&self, poly: Result<Poly<F>, PolyError>) -> PyResult<Object> {
        Ok(self.object(poly.or_raise()?))
    }

    fn object(&self, poly: Poly<F>) -> Object {
        Box::new(Self { ring: Arc::clone(&self.ring), poly })
    }

    fn powers(&self, powers: Result<Vec<(Poly<F>, usize)>, PolyError>) -> PyResult<Vec<(Object, usize)>> {
        Ok(powers.or_raise()?.into_iter().map(|(poly, number)| (self.object(poly), number)).collect())
    }

    fn element(&self, x: u64) -> F::Element {
        F::Element::from_u64(x % self.ring.field().order())
    }
}

impl<F: Field> Polynomial for Of<F> {
    fn any(&self) -> &dyn Any {
        self
    }

    fn binary(&self, operation: Binary, other: &dyn Polynomial) -> PyResult<Object> {
        let (ring, f, g) = (&self.ring, &self.poly, Self::other(other)?);
        self.wrap(match operation {
            Binary::Add => ring.add(f, g),
            Binary::Sub => ring.sub(f, g),
            Binary::Mul => ring.mul(f, g),
            Binary::Div => ring.div(f, g),
            Binary::Rem => ring.rem(f, g),
            Binary::DivExact => ring.div_exact(f, g),
            Binary::Gcd => ring.gcd(f, g),
            Binary::InverseMod => ring.inverse_mod(f, g),
            Binary::Compose => ring.compose(f, g),
        })
    }

    fn unary(&self, operation: Unary) -> PyResult<Object> {
        let (ring, f) = (&self.ring, &self.poly);
        self.wrap(match operation {
            Unary::Neg => ring.neg(f),
            Unary::Square => ring.square(f),
            Unary::Monic => ring.monic(f),
            Unary::Derivative => ring.derivative(f),
            Unary::Scale(by) => ring.scale(f, self.element(by)),
            Unary::ShiftUp(by) => ring.shift_up(f, by),
            Unary::ShiftDown(by) => ring.shift_down(f, by),
            Unary::Truncate(len) => ring.truncate(f, len),
            Unary::Reverse(degree) => ring.reverse(f, degree),
            Unary::InverseSeries(len) => ring.inverse_series(f, len),
            Unary::SquarefreePart => ring.squarefree_part(f),
            Unary::Integral => ring.integral(f),
            Unary::Pow(exponent) => ring.pow(f, exponent),
            Unary::TaylorShift(by) => ring.taylor_shift(f, self.element(by)),
            Unary::LogSeries(len) => ring.log_series(f, len),
            Unary::ExpSeries(len) => ring.exp_series(f, len),
            Unary::SqrtSeries(len) => ring.sqrt_series(f, len),
            Unary::InverseSqrtSeries(len) => ring.inverse_sqrt_series(f, len),
            Unary::Reversion(len) => ring.reversion(f, len),
        })
    }

    fn div_rem(&self, other: &dyn Polynomial) -> PyResult<(Object, Object)> {
        let (quotient, remainder) = self.ring.div_rem(&self.poly, Self::other(other)?).or_raise()?;
        Ok((self.object(quotient), self.object(remainder)))
    }

    fn xgcd(&self, other: &dyn Polynomial) -> PyResult<(Object, Object, Object)> {
        let found = self.ring.xgcd(&self.poly, Self::other(other)?).or_raise()?;
        Ok((self.object(found.gcd), self.object(found.s), self.object(found.t)))
    }

    fn resultant(&self, other: &dyn Polynomial) -> PyResult<u64> {
        Ok(self.ring.resultant(&self.poly, Self::other(other)?).or_raise()?.as_u64())
    }

    fn subresultants(&self, other: &dyn Polynomial) -> PyResult<Vec<Object>> {
        let all = self.ring.subresultants(&self.poly, Self::other(other)?).or_raise()?;
        Ok(all.into_iter().map(|poly| self.object(poly)).collect())
    }

    fn discriminant(&self) -> PyResult<u64> {
        Ok(self.ring.discriminant(&self.poly).or_raise()?.as_u64())
    }

    fn equal(&self, other: &dyn Polynomial) -> PyResult<bool> {
        match other.any().downcast_ref::<Self>() {
            Some(other) if other.ring.field().order() == self.ring.field().order() => {
                self.ring.equal(&self.poly, &other.poly).or_raise()
            }
            _ => Ok(false),
        }
    }

    fn short(&self, operation: Short, other: &dyn Polynomial, n: usize) -> PyResult<Object> {
        let (ring, f, g) = (&self.ring, &self.poly, Self::other(other)?);
        self.wrap(match operation {
            Short::Mul => ring.mul_short(f, g, n),
            Short::Div => ring.div_series(f, g, n),
            Short::Compose => ring.compose_short(f, g, n),
        })
    }

    fn short_power(&self, exponent: u64, n: usize) -> PyResult<Object> {
        self.wrap(self.ring.pow_short(&self.poly, exponent, n))
    }

    fn series_power(&self, exponent: u64, n: usize) -> PyResult<Object> {
        self.wrap(self.ring.pow_series(&self.poly, self.element(exponent), n))
    }

    fn middle_product(&self, other: &dyn Polynomial, from: usize, to: usize) -> PyResult<Object> {
        self.wrap(self.ring.mul_middle(&self.poly, Self::other(other)?, from..to))
    }

    fn power_mod(&self, exponent: u128, modulus: &dyn Polynomial) -> PyResult<Object> {
        let modulus = self.ring.copy(Self::other(modulus)?).or_raise()?;
        let divisor = self.ring.divisor(modulus).or_raise()?;
        self.wrap(self.ring.pow_mod(&self.poly, exponent, &divisor))
    }

    fn compose_mod(&self, inner: &dyn Polynomial, modulus: &dyn Polynomial) -> PyResult<Object> {
        let modulus = self.ring.copy(Self::other(modulus)?).or_raise()?;
        let divisor = self.ring.divisor(modulus).or_raise()?;
        self.wrap(self.ring.compose_mod(&self.poly, Self::other(inner)?, &divisor))
    }

    fn evaluate(&self, x: u64) -> PyResult<u64> {
        Ok(self.ring.evaluate(&self.poly, self.element(x)).or_raise()?.as_u64())
    }

    fn evaluate_many<'py>(&self, py: Python<'py>, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let points = arrays::residues::<F::Element>(self.ring.field().order(), points)?;
        Ok(owned(py, run(py, || self.ring.evaluate_many(&self.poly, &points))?.or_raise()?))
    }

    fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(owned(py, run(py, || self.ring.coefficients(&self.poly))?.or_raise()?))
    }

    fn coefficient(&self, index: usize) -> PyResult<u64> {
        Ok(self.ring.coefficient(&self.poly, index).or_raise()?.as_u64())
    }

    fn factor(&self) -> PyResult<(u64, Vec<(Object, usize)>)> {
        let found = self.ring.factor(&self.poly).or_raise()?;
        Ok((found.leading.as_u64(), self.powers(Ok(found.factors))?))
    }

    fn squarefree(&self) -> PyResult<Vec<(Object, usize)>> {
        self.powers(self.ring.squarefree(&self.poly))
    }

    fn distinct_degree(&self) -> PyResult<Vec<(Object, usize)>> {
        self.powers(self.ring.distinct_degree(&self.poly))
    }

    fn roots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(owned(py, run(py, || self.ring.roots(&self.poly))?.or_raise()?))
    }

    fn is_irreducible(&self) -> PyResult<bool> {
        self.ring.is_irreducible(&self.poly).or_raise()
    }

    fn len(&self) -> usize {
        self.poly.len()
    }
}

/// A subproduct tree over some field.
pub(super) trait Tree: Send + Sync {
    fn evaluate<'py>(&self, py: Python<'py>, f: &dyn Polynomial) -> PyResult<Bound<'py, PyAny>>;
    fn interpolate(&self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<Object>;
    fn product(&self) -> PyResult<Object>;
    fn len(&self) -> usize;
}

struct TreeOf<F: Field> {
    ring: Arc<PolyRing<F>>,
    tree: SubproductTree<F>,
}

impl<F: Field> TreeOf<F> {
    fn object(&self, poly: Poly<F>) -> Object {
        Box::new(Of { ring: Arc::clone(&self.ring), poly })
    }
}

impl<F: Field> Tree for TreeOf<F> {
    fn evaluate<'py>(&self, py: Python<'py>, f: &dyn Polynomial) -> PyResult<Bound<'py, PyAny>> {
        let f = f.any().downcast_ref::<Of<F>>();
        let f = f.ok_or_else(|| PyValueError::new_err("a polynomial of another ring"))?;
        let values = run(py, || Ok::<_, PolyError>(self.ring.evaluate_at(&f.poly, &self.tree)?.download()?))?;
        Ok(owned(py, values.or_raise()?))
    }

    fn interpolate(&self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<Object> {
        let values = arrays::residues::<F::Element>(self.ring.field().order(), values)?;
        let found = run(py, || {
            let values = self.ring.device().upload(&values)?;
            self.ring.interpolate(&self.tree, &values)
        })?;
        Ok(self.object(found.or_raise()?))
    }

    fn product(&self) -> PyResult<Object> {
        Ok(self.object(self.ring.tree_product(&self.tree).or_raise()?))
    }

    fn len(&self) -> usize {
        self.tree.len()
    }
}

/// A ring of polynomials over some field.
pub(super) trait Ring: Send + Sync {
    fn poly(&self, coefficients: &Bound<'_, PyAny>) -> PyResult<Object>;
    fn constant(&self, value: u64) -> PyResult<Object>;
    fn parse(&self, text: &str) -> PyResult<Object>;
    fn remainders(&self, f: &dyn Polynomial, moduli: &[&dyn Polynomial]) -> PyResult<Vec<Object>>;
    fn random(&self, len: usize, seed: u64) -> PyResult<Object>;
    fn tree(&self, py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Box<dyn Tree>>;
    fn chinese_remainder(&self, remainders: &[&dyn Polynomial], moduli: &[&dyn Polynomial]) -> PyResult<Object>;
    fn explain(&self, operation: &str, n: usize, m: usize) -> PyResult<String>;
}

struct RingOf<F: Field>(Arc<PolyRing<F>>);

impl<F: Field> RingOf<F> {
    fn object(&self, poly: Poly<F>) -> Object {
        Box::new(Of { ring: Arc::clone(&self.0), poly })
    }

    fn copies(&self, polys: &[&dyn Polynomial]) -> PyResult<Vec<Poly<F>>> {
        let copy = |poly: &&dyn Polynomial| {
            let poly = poly.any().downcast_ref::<Of<F>>();
            let poly = poly.ok_or_else(|| PyValueError::new_err("a polynomial of another ring"))?;
            self.0.copy(&poly.poly).or_raise()
        };
        polys.iter().map(copy).collect()
    }
}

impl<F: Field> Ring for RingOf<F> {
    fn poly(&self, coefficients: &Bound<'_, PyAny>) -> PyResult<Object> {
        let coefficients = arrays::residues::<F::Element>(self.0.field().order(), coefficients)?;
        Ok(self.object(self.0.poly(&coefficients).or_raise()?))
    }

    fn constant(&self, value: u64) -> PyResult<Object> {
        let value = F::Element::from_u64(value % self.0.field().order());
        Ok(self.object(self.0.poly(&[value]).or_raise()?))
    }

    fn parse(&self, text: &str) -> PyResult<Object> {
        Ok(self.object(self.0.parse(text).or_raise()?))
    }

    fn remainders(&self, f: &dyn Polynomial, moduli: &[&dyn Polynomial]) -> PyResult<Vec<Object>> {
        let (f, moduli) = (Of::other(f)?, self.0.moduli(self.copies(moduli)?).or_raise()?);
        let found = self.0.remainders(f, &moduli).or_raise()?;
        Ok(found.into_iter().map(|poly| self.object(poly)).collect())
    }

    fn random(&self, len: usize, seed: u64) -> PyResult<Object> {
        Ok(self.object(self.0.random(len, seed).or_raise()?))
    }

    fn tree(&self, py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Box<dyn Tree>> {
        let points = arrays::residues::<F::Element>(self.0.field().order(), points)?;
        let tree = run(py, || self.0.tree(&points))?.or_raise()?;
        Ok(Box::new(TreeOf { ring: Arc::clone(&self.0), tree }))
    }

    fn chinese_remainder(&self, remainders: &[&dyn Polynomial], moduli: &[&dyn Polynomial]) -> PyResult<Object> {
        let moduli = self.0.moduli(self.copies(moduli)?).or_raise()?;
        let found = self.0.chinese_remainder(&self.copies(remainders)?, &moduli);
        Ok(self.object(found.or_raise()?))
    }

    fn explain(&self, operation: &str, n: usize, m: usize) -> PyResult<String> {
        let ring = &self.0;
        Ok(match operation {
            "mul" => ring.explain(Operation::Multiply { n, m }).or_raise()?.to_string(),
            "square" => ring.explain(Operation::Square { n }).or_raise()?.to_string(),
            "divmod" => ring.explain_division(n, m).or_raise()?.to_string(),
            "gcd" => ring.explain_gcd(n, m).or_raise()?.to_string(),
            "evaluate" => ring.explain_evaluate(n).or_raise()?.to_string(),
            other => {
                return Err(PyValueError::new_err(format!(
                    "no operation {other:?} of polynomials: \"mul\", \"square\", \"divmod\", \"gcd\" or \"evaluate\""
                )));
            }
        })
    }
}

/// Makes the ring of a modulus.
pub(super) struct Make<'a>(pub(super) &'a PyDevice);

impl WithField for Make<'_> {
    type Output = Box<dyn Ring>;

    fn run<F: Field>(self, field: F) -> PyResult<Self::Output> {
        Ok(Box::new(RingOf(Arc::new(PolyRing::new(&self.0.0.device, field).or_raise()?))))
    }
}

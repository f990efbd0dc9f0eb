//! Systems of two polynomials in two variables, over prime fields and over the rationals.

use manycore::bivariate::{RationalBivariate, RationalChain, RationalRing, Variable};
use manycore::field::ResidueWord;
use manycore::{Bivariate, BivariateRing};
use num_rational::BigRational;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::fields::{Field, WithField, with_field};
use crate::work::run;

/// Two polynomials as text, in two variables.
struct System<'a> {
    device: &'a PyDevice,
    f: &'a str,
    g: &'a str,
    variables: [&'a str; 2],
}

impl System<'_> {
    fn read<F: Field>(&self, field: &F) -> PyResult<[Bivariate<F>; 2]> {
        let read = |text| Bivariate::parse_in(field, text, self.variables).or_raise();
        Ok([read(self.f)?, read(self.g)?])
    }

    fn read_rational(&self) -> PyResult<[RationalBivariate; 2]> {
        let read = |text| RationalBivariate::parse_in(text, self.variables).or_raise();
        Ok([read(self.f)?, read(self.g)?])
    }
}

fn variable(eliminated: &str, variables: [&str; 2]) -> PyResult<Variable> {
    match variables.iter().position(|&variable| variable == eliminated) {
        Some(0) => Ok(Variable::X),
        Some(_) => Ok(Variable::Y),
        None => Err(PyValueError::new_err(format!(
            "the variable {eliminated:?}, where the system has {:?} and {:?}",
            variables[0], variables[1]
        ))),
    }
}

/// What solving gives: points, curves, and chains of `T` and `H`; polynomials in two variables as rows of coefficients.
type Solved<E> = (Vec<[E; 2]>, Vec<Vec<Vec<E>>>, Vec<(Vec<E>, Vec<Vec<E>>)>);

struct Solve<'a>(System<'a>);

impl WithField for Solve<'_> {
    type Output = Solved<u64>;

    fn run<F: Field>(self, field: F) -> PyResult<Self::Output> {
        let [f, g] = self.0.read(&field)?;
        let ring = BivariateRing::new(&self.0.device.0.device, field).or_raise()?;
        let found = ring.solve(&f, &g).or_raise()?;
        let words = |words: &[F::Element]| words.iter().map(|x| x.as_u64()).collect::<Vec<u64>>();
        let rows = |poly: &Bivariate<F>| poly.rows().iter().map(|row| words(row)).collect::<Vec<_>>();
        let decomposition = &found.decomposition;
        Ok((
            found.points.iter().map(|point| point.map(ResidueWord::as_u64)).collect(),
            decomposition.curves.iter().map(rows).collect(),
            decomposition.chains.iter().map(|chain| (words(&chain.t), rows(&chain.h))).collect(),
        ))
    }
}

/// The common zeros modulo a prime.
#[pyfunction]
pub(crate) fn solve_system(
    py: Python<'_>,
    device: &PyDevice,
    f: &str,
    g: &str,
    variables: (String, String),
    modulus: u64,
) -> PyResult<Solved<u64>> {
    let variables = [variables.0.as_str(), variables.1.as_str()];
    run(py, || with_field(modulus, Solve(System { device, f, g, variables })))?
}

/// The common zeros with rational coordinates, and the decomposition over the rationals.
#[pyfunction]
pub(crate) fn solve_rational_system(
    py: Python<'_>,
    device: &PyDevice,
    f: &str,
    g: &str,
    variables: (String, String),
) -> PyResult<Solved<BigRational>> {
    let variables = [variables.0.as_str(), variables.1.as_str()];
    let [f, g] = System { device, f, g, variables }.read_rational()?;
    let found = run(py, || RationalRing::new(&device.0.device).solve(&f, &g))?.or_raise()?;
    let decomposition = found.decomposition;
    let chain = |chain: RationalChain| (chain.t.into_iter().map(BigRational::from).collect(), chain.h.rows().to_vec());
    Ok((
        found.points,
        decomposition.curves.iter().map(|curve| curve.rows().to_vec()).collect(),
        decomposition.chains.into_iter().map(chain).collect(),
    ))
}

struct Resultant<'a> {
    system: System<'a>,
    eliminated: Variable,
}

impl WithField for Resultant<'_> {
    type Output = Vec<u64>;

    fn run<F: Field>(self, field: F) -> PyResult<Self::Output> {
        let [f, g] = self.system.read(&field)?;
        let ring = BivariateRing::new(&self.system.device.0.device, field).or_raise()?;
        let found = ring.resultant(&f, &g, self.eliminated).or_raise()?;
        Ok(found.into_iter().map(ResidueWord::as_u64).collect())
    }
}

/// The resultant modulo a prime: its coefficients, the constant term first.
#[pyfunction]
pub(crate) fn system_resultant(
    py: Python<'_>,
    device: &PyDevice,
    f: &str,
    g: &str,
    variables: (String, String),
    eliminated: &str,
    modulus: u64,
) -> PyResult<Vec<u64>> {
    let variables = [variables.0.as_str(), variables.1.as_str()];
    let eliminated = variable(eliminated, variables)?;
    run(py, || with_field(modulus, Resultant { system: System { device, f, g, variables }, eliminated }))?
}

/// The resultant over the rationals.
#[pyfunction]
pub(crate) fn rational_system_resultant(
    py: Python<'_>,
    device: &PyDevice,
    f: &str,
    g: &str,
    variables: (String, String),
    eliminated: &str,
) -> PyResult<Vec<BigRational>> {
    let variables = [variables.0.as_str(), variables.1.as_str()];
    let eliminated = variable(eliminated, variables)?;
    let [f, g] = System { device, f, g, variables }.read_rational()?;
    run(py, || RationalRing::new(&device.0.device).resultant(&f, &g, eliminated))?.or_raise()
}

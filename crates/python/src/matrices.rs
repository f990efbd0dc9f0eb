//! Dense matrices over prime fields. The field's type is known inside [`Of`] alone; Python holds trait objects.

use std::any::Any;
use std::sync::Arc;

use manycore::field::ResidueWord as _;
use manycore::linalg::{LinalgError, Solution};
use manycore::{LinearAlgebra, Matrix};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{owned, owned_matrix, residues};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::fields::{Field, WithField, with_field};
use crate::work::run;

type Object = Box<dyn Dense>;

/// An operation of two matrices that gives one.
#[derive(Debug, Clone, Copy)]
enum Binary {
    Add,
    Sub,
    Mul,
}

/// The solutions of a system: none, or one and a basis of the differences.
type Solved = Option<(Object, Option<Object>)>;

/// The orders of the rows and the columns, and both factors.
type Factors = (Vec<usize>, Vec<usize>, Object, Object);

/// A matrix over some field.
trait Dense: Send + Sync {
    fn any(&self) -> &dyn Any;
    fn shape(&self) -> (usize, usize);
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn binary(&self, operation: Binary, other: &dyn Dense) -> PyResult<Object>;
    fn scale(&self, by: u64) -> PyResult<Object>;
    fn transpose(&self) -> PyResult<Object>;
    fn power(&self, exponent: u64) -> PyResult<Object>;
    fn inverse(&self) -> PyResult<Object>;
    fn nullspace(&self) -> PyResult<Object>;
    fn echelon(&self) -> PyResult<(Object, Vec<usize>)>;
    fn solve(&self, right: &dyn Dense) -> PyResult<Solved>;
    fn rank(&self) -> PyResult<usize>;
    fn determinant(&self) -> PyResult<u64>;
    fn characteristic<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn minimal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn left_nullspace(&self) -> PyResult<Object>;
    fn column_space(&self) -> PyResult<Object>;
    fn lu(&self) -> PyResult<(Vec<usize>, Object, Object)>;
    fn pluq(&self) -> PyResult<Factors>;
    fn equal(&self, other: &dyn Dense) -> PyResult<bool>;
}

struct Of<F: Field> {
    space: Arc<LinearAlgebra<F>>,
    matrix: Matrix<F>,
}

impl<F: Field> Of<F> {
    fn other(other: &dyn Dense) -> PyResult<&Matrix<F>> {
        let other = other.any().downcast_ref::<Self>();
        other.map(|other| &other.matrix).ok_or_else(|| PyValueError::new_err("matrices over different fields"))
    }

    fn object(&self, matrix: Matrix<F>) -> Object {
        Box::new(Self { space: Arc::clone(&self.space), matrix })
    }

    fn wrap(&self, matrix: Result<Matrix<F>, LinalgError>) -> PyResult<Object> {
        Ok(self.object(matrix.or_raise()?))
    }
}

impl<F: Field> Dense for Of<F> {
    fn any(&self) -> &dyn Any {
        self
    }

    fn shape(&self) -> (usize, usize) {
        self.matrix.shape()
    }

    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (rows, columns) = self.matrix.shape();
        let entries = run(py, || self.space.entries(&self.matrix))?.or_raise()?;
        owned_matrix(py, rows, columns, entries)
    }

    fn binary(&self, operation: Binary, other: &dyn Dense) -> PyResult<Object> {
        let (space, a, b) = (&self.space, &self.matrix, Self::other(other)?);
        self.wrap(match operation {
            Binary::Add => space.add(a, b),
            Binary::Sub => space.sub(a, b),
            Binary::Mul => space.mul(a, b),
        })
    }

    fn scale(&self, by: u64) -> PyResult<Object> {
        let by = F::Element::from_u64(by % self.space.field().order());
        self.wrap(self.space.scale(&self.matrix, by))
    }

    fn transpose(&self) -> PyResult<Object> {
        self.wrap(self.space.transpose(&self.matrix))
    }

    fn power(&self, exponent: u64) -> PyResult<Object> {
        self.wrap(self.space.power(&self.matrix, exponent))
    }

    fn inverse(&self) -> PyResult<Object> {
        self.wrap(self.space.inverse(&self.matrix))
    }

    fn nullspace(&self) -> PyResult<Object> {
        self.wrap(self.space.nullspace(&self.matrix))
    }

    fn echelon(&self) -> PyResult<(Object, Vec<usize>)> {
        let (matrix, pivots) = self.space.echelon(&self.matrix).or_raise()?.into_parts();
        Ok((self.object(matrix), pivots))
    }

    fn solve(&self, right: &dyn Dense) -> PyResult<Solved> {
        Ok(match self.space.solve(&self.matrix, Self::other(right)?).or_raise()? {
            Solution::Unique(x) => Some((self.object(x), None)),
            Solution::Affine { point, directions } => Some((self.object(point), Some(self.object(directions)))),
            Solution::None => None,
        })
    }

    fn rank(&self) -> PyResult<usize> {
        self.space.rank(&self.matrix).or_raise()
    }

    fn determinant(&self) -> PyResult<u64> {
        Ok(self.space.determinant(&self.matrix).or_raise()?.as_u64())
    }

    fn characteristic<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(owned(py, run(py, || self.space.characteristic_polynomial(&self.matrix))?.or_raise()?))
    }

    fn minimal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(owned(py, run(py, || self.space.minimal_polynomial(&self.matrix))?.or_raise()?))
    }

    fn left_nullspace(&self) -> PyResult<Object> {
        self.wrap(self.space.left_nullspace(&self.matrix))
    }

    fn column_space(&self) -> PyResult<Object> {
        self.wrap(self.space.column_space(&self.matrix))
    }

    fn lu(&self) -> PyResult<(Vec<usize>, Object, Object)> {
        let (permutation, lower, upper) = self.space.lu(&self.matrix).or_raise()?.into_parts();
        Ok((permutation.images().to_vec(), self.object(lower), self.object(upper)))
    }

    fn pluq(&self) -> PyResult<Factors> {
        let (rows, columns, lower, upper) = self.space.pluq(&self.matrix).or_raise()?.into_parts();
        Ok((rows.images().to_vec(), columns.images().to_vec(), self.object(lower), self.object(upper)))
    }

    fn equal(&self, other: &dyn Dense) -> PyResult<bool> {
        match other.any().downcast_ref::<Self>() {
            Some(other)
                if other.space.field().order() == self.space.field().order() && other.shape() == self.shape() =>
            {
                self.space.equal(&self.matrix, &other.matrix).or_raise()
            }
            _ => Ok(false),
        }
    }
}

/// Matrices over some field.
trait Space: Send + Sync {
    fn matrix(&self, rows: usize, columns: usize, entries: &Bound<'_, PyAny>) -> PyResult<Object>;
    fn identity(&self, order: usize) -> PyResult<Object>;
    fn random(&self, rows: usize, columns: usize, seed: u64) -> PyResult<Object>;
    fn explain(&self, operation: &str, rows: usize, inner: usize, columns: usize) -> PyResult<String>;
}

struct SpaceOf<F: Field>(Arc<LinearAlgebra<F>>);

impl<F: Field> SpaceOf<F> {
    fn wrap(&self, matrix: Result<Matrix<F>, LinalgError>) -> PyResult<Object> {
        Ok(Box::new(Of { space: Arc::clone(&self.0), matrix: matrix.or_raise()? }))
    }
}

impl<F: Field> Space for SpaceOf<F> {
    fn matrix(&self, rows: usize, columns: usize, entries: &Bound<'_, PyAny>) -> PyResult<Object> {
        let entries = residues::<F::Element>(self.0.field().order(), entries)?;
        self.wrap(self.0.matrix(rows, columns, &entries))
    }

    fn identity(&self, order: usize) -> PyResult<Object> {
        self.wrap(self.0.identity(order))
    }

    fn random(&self, rows: usize, columns: usize, seed: u64) -> PyResult<Object> {
        self.wrap(self.0.random(rows, columns, seed))
    }

    fn explain(&self, operation: &str, rows: usize, inner: usize, columns: usize) -> PyResult<String> {
        use manycore::linalg::EliminationShape as Shape;
        let space = &self.0;
        Ok(match operation {
            "matmul" => space.explain_product(rows, inner, columns).or_raise()?.to_string(),
            "det" => space.explain_elimination(&Shape::determinant(rows)).or_raise()?.to_string(),
            "rank" => space.explain_elimination(&Shape::rank(rows, columns)).or_raise()?.to_string(),
            "rref" => space.explain_elimination(&Shape::echelon(rows, columns)).or_raise()?.to_string(),
            "inv" => space.explain_inverse(rows).or_raise()?.to_string(),
            other => {
                return Err(PyValueError::new_err(format!(
                    "no operation {other:?} of matrices: \"matmul\", \"det\", \"rank\", \"rref\" or \"inv\""
                )));
            }
        })
    }
}

struct Make<'a>(&'a PyDevice);

impl WithField for Make<'_> {
    type Output = Box<dyn Space>;

    fn run<F: Field>(self, field: F) -> PyResult<Self::Output> {
        Ok(Box::new(SpaceOf(Arc::new(LinearAlgebra::new(&self.0.0.device, field).or_raise()?))))
    }
}

/// Matrices modulo a prime, on one device.
#[pyclass(frozen, name = "MatrixSpace", module = "manycore._native")]
pub(crate) struct PySpace(Box<dyn Space>);

#[pymethods]
impl PySpace {
    #[new]
    fn new(py: Python<'_>, device: &PyDevice, modulus: u64) -> PyResult<Self> {
        run(py, || with_field(modulus, Make(device)))?.map(Self)
    }

    fn matrix(&self, rows: usize, columns: usize, entries: &Bound<'_, PyAny>) -> PyResult<PyMatrix> {
        self.0.matrix(rows, columns, entries).map(PyMatrix)
    }

    fn identity(&self, order: usize) -> PyResult<PyMatrix> {
        self.0.identity(order).map(PyMatrix)
    }

    fn random(&self, py: Python<'_>, rows: usize, columns: usize, seed: u64) -> PyResult<PyMatrix> {
        run(py, || self.0.random(rows, columns, seed))?.map(PyMatrix)
    }

    fn explain(&self, py: Python<'_>, operation: &str, rows: usize, inner: usize, columns: usize) -> PyResult<String> {
        run(py, || self.0.explain(operation, rows, inner, columns))?
    }
}

/// A matrix.
#[pyclass(frozen, name = "Matrix", module = "manycore._native")]
pub(crate) struct PyMatrix(Object);

#[pymethods]
impl PyMatrix {
    #[getter]
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }

    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.entries(py)
    }

    fn add(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        run(py, || self.0.binary(Binary::Add, &*other.0))?.map(Self)
    }

    fn sub(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        run(py, || self.0.binary(Binary::Sub, &*other.0))?.map(Self)
    }

    fn mul(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        run(py, || self.0.binary(Binary::Mul, &*other.0))?.map(Self)
    }

    fn scale(&self, py: Python<'_>, by: u64) -> PyResult<Self> {
        run(py, || self.0.scale(by))?.map(Self)
    }

    fn transpose(&self, py: Python<'_>) -> PyResult<Self> {
        run(py, || self.0.transpose())?.map(Self)
    }

    fn power(&self, py: Python<'_>, exponent: u64) -> PyResult<Self> {
        run(py, || self.0.power(exponent))?.map(Self)
    }

    fn inverse(&self, py: Python<'_>) -> PyResult<Self> {
        run(py, || self.0.inverse())?.map(Self)
    }

    fn nullspace(&self, py: Python<'_>) -> PyResult<Self> {
        run(py, || self.0.nullspace())?.map(Self)
    }

    fn echelon(&self, py: Python<'_>) -> PyResult<(Self, Vec<usize>)> {
        let (matrix, pivots) = run(py, || self.0.echelon())??;
        Ok((Self(matrix), pivots))
    }

    fn solve(&self, py: Python<'_>, right: &Self) -> PyResult<Option<(Self, Option<Self>)>> {
        let found = run(py, || self.0.solve(&*right.0))??;
        Ok(found.map(|(point, directions)| (Self(point), directions.map(Self))))
    }

    fn rank(&self, py: Python<'_>) -> PyResult<usize> {
        run(py, || self.0.rank())?
    }

    fn determinant(&self, py: Python<'_>) -> PyResult<u64> {
        run(py, || self.0.determinant())?
    }

    fn characteristic_polynomial<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.characteristic(py)
    }

    fn minimal_polynomial<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.minimal(py)
    }

    fn left_nullspace(&self, py: Python<'_>) -> PyResult<Self> {
        run(py, || self.0.left_nullspace())?.map(Self)
    }

    fn column_space(&self, py: Python<'_>) -> PyResult<Self> {
        run(py, || self.0.column_space())?.map(Self)
    }

    fn lu(&self, py: Python<'_>) -> PyResult<(Vec<usize>, Self, Self)> {
        let (rows, lower, upper) = run(py, || self.0.lu())??;
        Ok((rows, Self(lower), Self(upper)))
    }

    fn pluq(&self, py: Python<'_>) -> PyResult<(Vec<usize>, Vec<usize>, Self, Self)> {
        let (rows, columns, lower, upper) = run(py, || self.0.pluq())??;
        Ok((rows, columns, Self(lower), Self(upper)))
    }

    fn equal(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        run(py, || self.0.equal(&*other.0))?
    }
}

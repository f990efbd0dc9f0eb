//! Sparse matrices: products, systems, ranks, orders, misses of caches.

use std::any::Any;
use std::ops::ControlFlow;

use manycore::field::Reals;
use manycore::model::cache::Geometry;
use manycore::sparse::{
    Complexes, ConjugateGradientOptions, OrderMethod, Outcome, PageRankOptions, Pattern, Policy, ProductOptions,
    SparseError, SparseProduct, SparseRing, conjugate_gradient, misses as count_misses, reorder,
};
use manycore::{Goldilocks, PrimeField};
use num_complex::{Complex32, Complex64};
use numpy::Element;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sprs::{CsMatI, CsMatViewI};

use crate::arrays::{of_type, owned, reading, wrong_type};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::fields::short_field;
use crate::work::run;

/// A matrix in compressed rows, ready to be multiplied.
trait Product: Send + Sync {
    fn multiply<'py>(&self, py: Python<'py>, x: &Bound<'py, PyAny>, width: usize) -> PyResult<Bound<'py, PyAny>>;
    fn explain(&self, width: usize) -> PyResult<String>;
    fn solve<'py>(&self, py: Python<'py>, b: &Bound<'py, PyAny>, options: (f64, usize)) -> PyResult<Solved<'py>>;
}

/// A solution, the norms of the residuals of the iterations, that of the residual itself, and how the iteration ended.
type Solved<'py> = (Bound<'py, PyAny>, Vec<f64>, f64, &'static str);

impl<R: SparseRing<Value: Element> + Send + Sync> Product for SparseProduct<R> {
    fn multiply<'py>(&self, py: Python<'py>, x: &Bound<'py, PyAny>, width: usize) -> PyResult<Bound<'py, PyAny>> {
        let array = of_type::<R::Value>(x).ok_or_else(|| wrong_type(x, "elements of the matrix's type"))?;
        let access = reading(&array)?;
        let x = access.as_slice()?;
        Ok(owned(py, run(py, || self.multiply_dense(x, width))?.or_raise()?))
    }

    fn explain(&self, width: usize) -> PyResult<String> {
        Ok(Self::explain(self, width).or_raise()?.to_string())
    }

    fn solve<'py>(&self, py: Python<'py>, b: &Bound<'py, PyAny>, options: (f64, usize)) -> PyResult<Solved<'py>> {
        macro_rules! of_type_of_numbers {
            ($($type:ty),*) => {
                $(
                    if let Some(product) = (self as &dyn Any).downcast_ref::<SparseProduct<Reals<$type>>>() {
                        let array = of_type::<$type>(b).ok_or_else(|| wrong_type(b, stringify!($type)))?;
                        let access = reading(&array)?;
                        let b = access.as_slice()?;
                        let (tolerance, most_iterations) = options;
                        let options = ConjugateGradientOptions { tolerance, most_iterations };
                        let found = run(py, || {
                            conjugate_gradient(product, b, options, |_, _| ControlFlow::Continue(()))
                        })?;
                        let found = found.or_raise()?;
                        let outcome = ending(found.outcome);
                        return Ok((owned(py, found.solution), found.residuals, found.true_residual, outcome));
                    }
                )*
            };
        }
        of_type_of_numbers!(f64, f32);
        Err(PyTypeError::new_err("the method of conjugate gradients is of matrices of float32 and float64"))
    }
}

/// How an iteration ended, in a word.
fn ending(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Converged => "converged",
        Outcome::MostIterations => "most iterations",
        Outcome::NotPositiveDefinite { .. } => "not positive definite",
        _ => "cancelled",
    }
}

/// A structure in compressed rows, in the form of `scipy.sparse.csr_array`.
fn structure(offsets: &Bound<'_, PyAny>, indices: &Bound<'_, PyAny>) -> PyResult<(Vec<i64>, Vec<i64>)> {
    let words = |array: &Bound<'_, PyAny>| -> PyResult<Vec<i64>> {
        if let Some(array) = of_type::<i32>(array) {
            return Ok(reading(&array)?.as_slice()?.iter().map(|&x| i64::from(x)).collect());
        }
        let array = of_type::<i64>(array).ok_or_else(|| wrong_type(array, "int32 and int64"))?;
        Ok(reading(&array)?.as_slice()?.to_vec())
    };
    Ok((words(offsets)?, words(indices)?))
}

fn matrix<N>(shape: (usize, usize), offsets: Vec<i64>, indices: Vec<i64>, values: Vec<N>) -> PyResult<CsMatI<N, i64>> {
    CsMatI::try_new(shape, offsets, indices, values)
        .map_err(|(_, _, _, error)| PyValueError::new_err(format!("the compressed rows: {error}")))
}

/// A sparse matrix on a device.
#[pyclass(frozen, name = "SparseMatrix", module = "manycore._native")]
pub(crate) struct PySparse(Box<dyn Product>);

#[pymethods]
impl PySparse {
    #[new]
    #[pyo3(signature = (device, shape, offsets, indices, values, modulus))]
    fn new(
        device: &PyDevice,
        shape: (usize, usize),
        offsets: &Bound<'_, PyAny>,
        indices: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        modulus: Option<u64>,
    ) -> PyResult<Self> {
        let (offsets, indices) = structure(offsets, indices)?;
        macro_rules! over {
            ($ring:expr, $array:expr) => {{
                let values = reading(&$array)?.as_slice()?.to_vec();
                let matrix = matrix(shape, offsets, indices, values)?;
                return Self::of(device, $ring, matrix.view()).or_raise();
            }};
        }
        if let Some(p) = modulus {
            if let Some(array) = of_type::<u32>(values) {
                over!(short_field(p)?, array);
            }
            let array = of_type::<u64>(values).ok_or_else(|| wrong_type(values, "uint32 and uint64"))?;
            if p == Goldilocks::MODULUS {
                over!(Goldilocks, array);
            }
            over!(PrimeField::<u64>::new(p).or_raise()?, array);
        }
        if let Some(array) = of_type::<f64>(values) {
            over!(Reals::<f64>::new(), array);
        }
        if let Some(array) = of_type::<f32>(values) {
            over!(Reals::<f32>::new(), array);
        }
        if let Some(array) = of_type::<Complex64>(values) {
            over!(Complexes::<f64>::new(), array);
        }
        if let Some(array) = of_type::<Complex32>(values) {
            over!(Complexes::<f32>::new(), array);
        }
        Err(wrong_type(values, "float32, float64, complex64 and complex128, or residues and a modulus"))
    }

    fn multiply<'py>(&self, py: Python<'py>, x: &Bound<'py, PyAny>, width: usize) -> PyResult<Bound<'py, PyAny>> {
        self.0.multiply(py, x, width)
    }

    fn explain(&self, py: Python<'_>, width: usize) -> PyResult<String> {
        run(py, || self.0.explain(width))?
    }

    /// The solution of a system by the method of conjugate gradients.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        b: &Bound<'py, PyAny>,
        tolerance: f64,
        most_iterations: usize,
    ) -> PyResult<Solved<'py>> {
        self.0.solve(py, b, (tolerance, most_iterations))
    }
}

impl PySparse {
    fn of<R: SparseRing<Value: Element> + Send + Sync + 'static>(
        device: &PyDevice,
        ring: R,
        matrix: CsMatViewI<'_, R::Value, i64>,
    ) -> Result<Self, SparseError> {
        let product = SparseProduct::new(&device.0.device, ring, matrix, ProductOptions::default())?;
        Ok(Self(Box::new(product)))
    }
}

/// The ranks of the pages of a graph, a bound of the sum of their errors, and the number of iterations.
#[pyfunction]
pub(crate) fn page_rank<'py>(
    py: Python<'py>,
    device: &PyDevice,
    shape: (usize, usize),
    offsets: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    options: (f64, f64, usize),
) -> PyResult<(Bound<'py, PyAny>, f64, usize)> {
    let (offsets, indices) = structure(offsets, indices)?;
    let array = of_type::<f64>(weights).ok_or_else(|| wrong_type(weights, "float64"))?;
    let graph = matrix(shape, offsets, indices, reading(&array)?.as_slice()?.to_vec())?;
    let (damping, tolerance, most_iterations) = options;
    let options = PageRankOptions { damping, tolerance, most_iterations };
    let found = run(py, || {
        manycore::sparse::page_rank(&device.0.device, graph.view(), options, |_, _| ControlFlow::Continue(()))
    })?;
    let found = found.or_raise()?;
    Ok((owned(py, found.ranks), found.error_bound, found.changes.len()))
}

fn pattern(shape: (usize, usize), offsets: &Bound<'_, PyAny>, indices: &Bound<'_, PyAny>) -> PyResult<Pattern> {
    let (offsets, indices) = structure(offsets, indices)?;
    let units = vec![(); indices.len()];
    Pattern::of(matrix(shape, offsets, indices, units)?.view()).or_raise()
}

/// The rows and columns of a matrix in the order of a method: old numbers by new ones.
#[pyfunction]
pub(crate) fn sparse_order<'py>(
    py: Python<'py>,
    shape: (usize, usize),
    offsets: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    method: &str,
    seed: u64,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let method = match method {
        "random" => Some(OrderMethod::Random { seed }),
        name => OrderMethod::ALL.into_iter().find(|method| method.name() == name),
    };
    let method = method.ok_or_else(|| {
        let names: Vec<_> = OrderMethod::ALL.iter().map(OrderMethod::name).collect();
        PyValueError::new_err(format!("no such method: {}", names.join(", ")))
    })?;
    let pattern = pattern(shape, offsets, indices)?;
    let found = run(py, || reorder(&pattern, &method))?.or_raise()?;
    Ok((owned(py, found.rows.new_to_old().to_vec()), owned(py, found.columns.new_to_old().to_vec())))
}

/// Accesses, misses and compulsory misses of the vector in a product by the matrix, on a cache of this many words in lines.
#[pyfunction]
pub(crate) fn sparse_misses(
    py: Python<'_>,
    shape: (usize, usize),
    offsets: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    cache: (u64, u64),
    policy: &str,
) -> PyResult<(u64, u64, u64)> {
    let policy = match policy {
        "optimal" => Policy::Optimal,
        "lru" => Policy::LeastRecentlyUsed,
        other => return Err(PyValueError::new_err(format!("the policy {other:?}: \"optimal\" or \"lru\""))),
    };
    let geometry = Geometry::new(cache.0, cache.1).or_raise()?;
    let pattern = pattern(shape, offsets, indices)?;
    let report = run(py, || count_misses(&pattern, geometry, policy))?;
    Ok((report.accesses, report.misses, report.compulsory))
}

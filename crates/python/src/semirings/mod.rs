//! Semirings by name or written in Python: products of matrices and Kleene stars.

mod traced;

use manycore::expressions::{Elements, Function, Integer, Laws, Number};
use manycore::semiring::{Bounded, DeviceMatrix, Matrix, Products, Semiring, SemiringError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use self::traced::{Node, Scalar, function};
use crate::arrays::{of_type, owned_matrix, reading, wrong_type};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::work::run;

/// The semirings by name.
const NAMES: &str = "\"plus-times\", \"max-plus\", \"min-plus\", \"max-min\", \"min-max\", \"max-times\", or \"or-and\" and \"xor-and\" of integers";

const TYPES: &str = "\"int32\", \"int64\", \"uint32\", \"uint64\", \"float32\" or \"float64\"";

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

/// A semiring of numbers of some type, which [`Of`] alone knows.
trait Algebra: Send + Sync {
    fn multiply<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        factors: [&Bound<'py, PyAny>; 2],
        shape: (u64, u64, u64),
    ) -> PyResult<Bound<'py, PyAny>>;
    fn multiply_with_places<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        factors: [&Bound<'py, PyAny>; 2],
        shape: (u64, u64, u64),
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;
    fn star<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        a: &Bound<'py, PyAny>,
        order: u64,
        one: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>>;
    fn explain(&self, py: Python<'_>, device: &PyDevice, shape: (u64, u64, u64)) -> PyResult<String>;
    fn violations(&self, one: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>>;
    fn opencl(&self) -> String;
}

/// A semiring, and the numbers that its laws are tried on where they are given.
struct Of<T>(Semiring<T, T, T>, Option<Vec<T>>);

impl<T: Scalar + Elements> Of<T> {
    /// What `make` makes of two factors, which are on the device then.
    fn made<R: Send>(
        py: Python<'_>,
        device: &PyDevice,
        factors: [&Bound<'_, PyAny>; 2],
        (rows, inner, columns): (u64, u64, u64),
        make: impl FnOnce(&Products, &DeviceMatrix<T>, &DeviceMatrix<T>) -> Result<R, SemiringError> + Send,
    ) -> PyResult<R> {
        let typed = |array| of_type::<T>(array).ok_or_else(|| wrong_type(array, T::SCALAR.name()));
        let (a, b) = (typed(factors[0])?, typed(factors[1])?);
        let (a, b) = (reading(&a)?, reading(&b)?);
        let (a, b) = (a.as_slice()?, b.as_slice()?);
        let products = device.0.products();
        let found = run(py, || {
            let upload = |rows, columns, entries| products.upload(&Matrix::stored(rows, columns, entries)?);
            make(products, &upload(rows, inner, a)?, &upload(inner, columns, b)?)
        })?;
        found.or_raise()
    }
}

/// The star of a matrix of an order, or nothing where its powers go on.
fn star<T: Scalar + Elements>(
    products: &Products,
    semiring: &Semiring<T, T, T>,
    a: &[T],
    order: u64,
    one: T,
) -> Result<Option<Vec<T>>, SemiringError> {
    let mut unit = vec![semiring.zero(); a.len()];
    unit.iter_mut().step_by(order as usize + 1).for_each(|entry| *entry = one);
    let upload = |entries: &[T]| products.upload(&Matrix::stored(order, order, entries)?);
    let (unit, a) = (upload(&unit)?, upload(a)?);
    // With s the sum of the powers below 2^k and p the power 2^k, s + s p is that of the powers below 2^(k + 1).
    let mut sum = products.zip(semiring.sum(), &unit, &a)?;
    let mut power = products.multiply(semiring, &a, &unit)?;
    let mut powers = 2;
    while powers < order {
        power = products.multiply(semiring, &power, &power)?;
        sum = products.zip(semiring.sum(), &sum, &products.multiply(semiring, &sum, &power)?)?;
        powers *= 2;
    }
    let next = products.zip(semiring.sum(), &unit, &products.multiply(semiring, &a, &sum)?)?;
    let (sum, next) = (sum.download()?.entries(), next.download()?.entries());
    let is_fixed = sum.iter().zip(&next).all(|(&sum, &next)| sum.is_near(next, order as usize));
    Ok(is_fixed.then_some(sum))
}

impl<T: Scalar + Elements> Algebra for Of<T> {
    fn multiply<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        factors: [&Bound<'py, PyAny>; 2],
        shape: (u64, u64, u64),
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rows, _, columns) = shape;
        let entries = Self::made(py, device, factors, shape, |products, a, b| {
            Ok(products.multiply(&self.0, a, b)?.download()?.entries())
        })?;
        owned_matrix(py, rows as usize, columns as usize, entries)
    }

    fn multiply_with_places<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        factors: [&Bound<'py, PyAny>; 2],
        shape: (u64, u64, u64),
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (rows, columns) = (shape.0 as usize, shape.2 as usize);
        let found = Self::made(py, device, factors, shape, |products, a, b| {
            Ok(products.multiply_with_places(&self.0, a, b)?.download()?.entries())
        })?;
        let (entries, places): (Vec<T>, Vec<u32>) = found.into_iter().unzip();
        Ok((owned_matrix(py, rows, columns, entries)?, owned_matrix(py, rows, columns, places)?))
    }

    fn star<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        a: &Bound<'py, PyAny>,
        order: u64,
        one: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = of_type::<T>(a).ok_or_else(|| wrong_type(a, T::SCALAR.name()))?;
        let (access, one) = (reading(&array)?, T::of_python(one)?);
        let a = access.as_slice()?;
        let products = device.0.products();
        match run(py, || star(products, &self.0, a, order, one))?.or_raise()? {
            Some(entries) => owned_matrix(py, order as usize, order as usize, entries),
            None => Err(PyValueError::new_err(format!(
                "no star: the sum of the powers of the matrix below {} is not kept by another step",
                order.next_power_of_two().max(2)
            ))),
        }
    }

    fn explain(&self, py: Python<'_>, device: &PyDevice, shape: (u64, u64, u64)) -> PyResult<String> {
        let (rows, inner, columns) = shape;
        let products = device.0.products();
        let choice = run(py, || {
            let zeros = |rows: u64, columns: u64| {
                products.upload(&Matrix::stored(rows, columns, &vec![self.0.zero(); (rows * columns) as usize])?)
            };
            products.explain(&self.0, &zeros(rows, inner)?, &zeros(inner, columns)?)
        })?;
        Ok(choice.or_raise()?.to_string())
    }

    fn violations(&self, one: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        let (zero, product, sum) = (self.0.zero(), self.0.product(), self.0.sum());
        let mut elements = vec![zero];
        let one = one.map(|one| T::of_python(one)).transpose()?;
        elements.extend(one);
        let laws = match &self.1 {
            Some(given) => Laws::of(given.iter().copied().chain(elements).collect()),
            None => Laws::new(&elements),
        };
        let mut tried = vec![
            ("the sum", laws.commutative(sum)),
            ("the product", laws.associative(product)),
            ("the product", laws.absorbing(product, zero)),
            ("the product and the sum", laws.distributive(sum, product)),
        ];
        if let Some(one) = one {
            tried.push(("the product", laws.identity(product, one)));
        }
        let violations = tried.into_iter().filter_map(|(of, law)| Some(format!("{of}: {}", law.err()?)));
        Ok(violations.collect())
    }

    fn opencl(&self) -> String {
        let text = |name, function: &Function<(T, T), T>| function.program().opencl(name);
        format!("{}\n{}", text("times", self.0.product()), text("plus", self.0.sum()))
    }
}

/// A semiring.
#[pyclass(frozen, name = "Semiring", module = "manycore._native")]
pub(crate) struct PySemiring(Box<dyn Algebra>);

#[pymethods]
impl PySemiring {
    /// The semiring of two functions that were written on symbols, of numbers of a type, whose laws are tried on `elements` alone
    /// where there are any.
    #[new]
    #[pyo3(signature = (element, plus, times, zero, elements))]
    fn new(
        element: &str,
        plus: Vec<Node<'_>>,
        times: Vec<Node<'_>>,
        zero: &Bound<'_, PyAny>,
        elements: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<Self> {
        macro_rules! of {
            ($($name:literal: $type:ty),*) => {
                match element {
                    $($name => {
                        let (plus, times) = (function::<$type>("plus", &plus)?, function::<$type>("times", &times)?);
                        let zero = <$type>::of_python(zero)?;
                        let elements: Option<Vec<$type>> = match &elements {
                            Some(elements) => Some(elements.iter().map(Scalar::of_python).collect::<PyResult<_>>()?),
                            None => None,
                        };
                        let laws = match &elements {
                            Some(elements) => Laws::of(elements.iter().copied().chain([zero]).collect()),
                            None => Laws::new(&[zero]),
                        };
                        Box::new(Of(Semiring::of_elements(times, plus, zero, &laws).or_raise()?, elements))
                    })*
                    other => return Err(PyValueError::new_err(format!("numbers of type {other:?}: {TYPES}"))),
                }
            };
        }
        let made: Box<dyn Algebra> =
            of!("int32": i32, "int64": i64, "uint32": u32, "uint64": u64, "float32": f32, "float64": f64);
        Ok(Self(made))
    }

    /// The semiring of a name, of numbers of a type.
    #[staticmethod]
    fn named(name: &str, element: &str) -> PyResult<Self> {
        macro_rules! of {
            ($($element:literal: $type:ty, $of:ident;)*) => {
                match element {
                    $($element => {
                        let semiring: Option<Result<Semiring<$type, $type, $type>, SemiringError>> = $of(name);
                        let unknown = || PyValueError::new_err(format!("no semiring {name:?} of {element}: {NAMES}"));
                        Box::new(Of(semiring.ok_or_else(unknown)?.or_raise()?, None))
                    })*
                    other => return Err(PyValueError::new_err(format!("numbers of type {other:?}: {TYPES}"))),
                }
            };
        }
        let made: Box<dyn Algebra> = of! {
            "int32": i32, of_integers; "int64": i64, of_integers; "uint32": u32, of_integers; "uint64": u64, of_integers;
            "float32": f32, of_numbers; "float64": f64, of_numbers;
        };
        Ok(Self(made))
    }

    fn multiply<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        shape: (u64, u64, u64),
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.multiply(py, device, [a, b], shape)
    }

    /// The product, and the inner index of the term that each entry is.
    fn multiply_with_places<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        shape: (u64, u64, u64),
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        self.0.multiply_with_places(py, device, [a, b], shape)
    }

    fn star<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        a: &Bound<'py, PyAny>,
        order: u64,
        one: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.star(py, device, a, order, one)
    }

    fn explain(&self, py: Python<'_>, device: &PyDevice, shape: (u64, u64, u64)) -> PyResult<String> {
        self.0.explain(py, device, shape)
    }

    /// The laws that do not hold, each with elements that show it.
    #[pyo3(signature = (one))]
    fn violations(&self, one: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        self.0.violations(one)
    }

    /// The text of both functions as kernels have them.
    fn opencl(&self) -> String {
        self.0.opencl()
    }
}

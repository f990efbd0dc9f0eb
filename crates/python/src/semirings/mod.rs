//! Semirings by name or written in Python: products of matrices and Kleene stars.

mod traced;

use manycore::expressions::{Elements, Function, Laws, Real, Value};
use manycore::semiring::{Bounded, Checked, CheckedSemiring, DeviceMatrix, Matrix, Products, Semiring, SemiringError};
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

fn of_reals<T: Real + Bounded>(name: &str, _: bool) -> Option<Result<Of<T>, SemiringError>> {
    let semiring = match name {
        "plus-times" => Semiring::plus_times(),
        "max-plus" => Semiring::max_plus(),
        "min-plus" => Semiring::min_plus(),
        "max-min" => Semiring::max_min(),
        "min-max" => Semiring::min_max(),
        "max-times" => Semiring::max_times(),
        _ => return None,
    };
    Some(semiring.map(Of::new))
}

/// The semiring of integers of a name: exact, or modulo `2^bits`.
fn of_integers<T: Checked>(name: &str, wraps: bool) -> Option<Result<Of<T>, SemiringError>> {
    let exact = match name {
        _ if wraps => None,
        "plus-times" => Some(CheckedSemiring::plus_times()),
        "max-plus" => Some(CheckedSemiring::max_plus()),
        "min-plus" => Some(CheckedSemiring::min_plus()),
        "max-times" => Some(CheckedSemiring::max_times()),
        _ => None,
    };
    let semiring = match name {
        "plus-times" => Semiring::wrapping_plus_times(),
        "max-plus" if wraps => Semiring::wrapping_max_plus(),
        "min-plus" if wraps => Semiring::wrapping_min_plus(),
        "max-plus" => Semiring::max_plus_saturating(),
        "min-plus" => Semiring::min_plus_saturating(),
        "max-times" => Semiring::wrapping_max_times(),
        "max-min" => Semiring::max_min(),
        "min-max" => Semiring::min_max(),
        "or-and" => Semiring::or_and(),
        "xor-and" => Semiring::xor_and(),
        _ => return None,
    };
    let of = || {
        let exact = match exact.transpose()? {
            Some(exact) => Some(operations(exact, name == "plus-times")?),
            None => None,
        };
        Ok(Of { exact, ..Of::new(semiring?) })
    };
    Some(of())
}

type OnDevice<T> = DeviceMatrix<T>;
/// An operation on two matrices on a device.
type Operation<T, R> =
    Box<dyn Fn(&Products, &OnDevice<T>, &OnDevice<T>) -> Result<OnDevice<R>, SemiringError> + Send + Sync>;

/// Operations that refuse what the type does not hold.
struct Exact<T> {
    multiply: Operation<T, T>,
    multiply_with_places: Operation<T, (T, u32)>,
    /// Where sums of two entries may pass the type.
    past: Option<Function<(T, T), u8>>,
}

fn operations<T: Checked>(semiring: CheckedSemiring<T>, adds: bool) -> Result<Exact<T>, SemiringError> {
    let past = Function::<(T, T), u8>::new(|(a, b): (Value<T>, Value<T>)| {
        a.saturating_add(b).differs(a + b).select(1u8, 0u8)
    })?;
    let placing = semiring.clone();
    Ok(Exact {
        multiply: Box::new(move |products, a, b| products.multiply_checked(&semiring, a, b)),
        multiply_with_places: Box::new(move |products, a, b| products.multiply_checked_with_places(&placing, a, b)),
        past: adds.then_some(past),
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

/// A semiring.
struct Of<T> {
    semiring: Semiring<T, T, T>,
    /// The numbers that its laws are tried on, where they are given.
    elements: Option<Vec<T>>,
    /// Its operations, where those of the semiring may pass the type.
    exact: Option<Exact<T>>,
}

impl<T: Elements> Of<T> {
    fn new(semiring: Semiring<T, T, T>) -> Self {
        Self { semiring, elements: None, exact: None }
    }

    fn product(&self, products: &Products, a: &OnDevice<T>, b: &OnDevice<T>) -> Result<OnDevice<T>, SemiringError> {
        match &self.exact {
            Some(exact) => (exact.multiply)(products, a, b),
            None => products.multiply(&self.semiring, a, b),
        }
    }

    fn sum(&self, products: &Products, a: &OnDevice<T>, b: &OnDevice<T>) -> Result<OnDevice<T>, SemiringError> {
        if let Some(past) = self.exact.as_ref().and_then(|exact| exact.past.as_ref()) {
            let past = products.zip(past, a, b)?.download()?;
            let columns = past.shape().columns.max(1);
            if let Some(at) = past.entries().iter().position(|&is_past| is_past != 0) {
                let (row, column) = (at as u64 / columns + 1, at as u64 % columns + 1);
                return Err(SemiringError::Overflow { row, column });
            }
        }
        products.zip(self.semiring.sum(), a, b)
    }
}

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
    of: &Of<T>,
    a: &[T],
    order: u64,
    one: T,
) -> Result<Option<Vec<T>>, SemiringError> {
    let mut unit = vec![of.semiring.zero(); a.len()];
    unit.iter_mut().step_by(order as usize + 1).for_each(|entry| *entry = one);
    let upload = |entries: &[T]| products.upload(&Matrix::stored(order, order, entries)?);
    let (unit, a) = (upload(&unit)?, upload(a)?);
    // With s the sum of the powers below 2^k and p the power 2^k, s + s p is that of the powers below 2^(k + 1).
    let mut sum = of.sum(products, &unit, &a)?;
    let mut power = of.product(products, &a, &unit)?;
    let mut powers = 2;
    while powers < order {
        power = of.product(products, &power, &power)?;
        sum = of.sum(products, &sum, &of.product(products, &sum, &power)?)?;
        powers *= 2;
    }
    let next = of.sum(products, &unit, &of.product(products, &a, &sum)?)?;
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
            Ok(self.product(products, a, b)?.download()?.entries())
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
            let made = match &self.exact {
                Some(exact) => (exact.multiply_with_places)(products, a, b),
                None => products.multiply_with_places(&self.semiring, a, b),
            };
            Ok(made?.download()?.entries())
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
        match run(py, || star(products, self, a, order, one))?.or_raise()? {
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
                products.upload(&Matrix::stored(rows, columns, &vec![self.semiring.zero(); (rows * columns) as usize])?)
            };
            products.explain(&self.semiring, &zeros(rows, inner)?, &zeros(inner, columns)?)
        })?;
        Ok(choice.or_raise()?.to_string())
    }

    fn violations(&self, one: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        let (zero, product, sum) = (self.semiring.zero(), self.semiring.product(), self.semiring.sum());
        let mut elements = vec![zero];
        let one = one.map(|one| T::of_python(one)).transpose()?;
        elements.extend(one);
        let laws = match &self.elements {
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
        format!("{}\n{}", text("times", self.semiring.product()), text("plus", self.semiring.sum()))
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
                        Box::new(Of { elements, ..Of::new(Semiring::of_elements(times, plus, zero, &laws).or_raise()?) })
                    })*
                    other => return Err(PyValueError::new_err(format!("numbers of type {other:?}: {TYPES}"))),
                }
            };
        }
        let made: Box<dyn Algebra> =
            of!("int32": i32, "int64": i64, "uint32": u32, "uint64": u64, "float32": f32, "float64": f64);
        Ok(Self(made))
    }

    /// The semiring of a name, of numbers of a type, of integers modulo `2^bits` where `wrapping`.
    #[staticmethod]
    #[pyo3(signature = (name, element, wrapping))]
    fn named(name: &str, element: &str, wrapping: bool) -> PyResult<Self> {
        macro_rules! of {
            ($($element:literal: $type:ty, $of:ident;)*) => {
                match element {
                    $($element => {
                        let semiring: Option<Result<Of<$type>, SemiringError>> = $of(name, wrapping);
                        let unknown = || PyValueError::new_err(format!("no semiring {name:?} of {element}: {NAMES}"));
                        Box::new(semiring.ok_or_else(unknown)?.or_raise()?)
                    })*
                    other => return Err(PyValueError::new_err(format!("numbers of type {other:?}: {TYPES}"))),
                }
            };
        }
        let made: Box<dyn Algebra> = of! {
            "int32": i32, of_integers; "int64": i64, of_integers; "uint32": u32, of_integers; "uint64": u64, of_integers;
            "float32": f32, of_reals; "float64": f64, of_reals;
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

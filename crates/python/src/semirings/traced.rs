//! Functions of two numbers that Python wrote on symbols, as expressions of the library: each recorded operation is done once more
//! on the library's values.

use manycore::expressions::{Function, Value};
use manycore::semiring::Bounded;
use numpy::Element;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// An operation on the values before it: its name, their places, and the number of a constant.
pub(super) type Node<'py> = (String, Vec<usize>, Option<Bound<'py, PyAny>>);

/// A type of numbers that semirings of Python's have.
pub(super) trait Scalar: Element + Bounded {
    /// The number that Python gives.
    fn of_python(number: &Bound<'_, PyAny>) -> PyResult<Self>;

    /// An operation that integers alone have, or floating-point numbers alone; `None` where the type lacks it.
    fn special(operation: &str, a: Value<Self>, b: Value<Self>) -> Option<Value<Self>>;

    /// Whether two sums of up to `terms` numbers are the same but for rounding.
    fn is_near(self, other: Self, terms: usize) -> bool;
}

macro_rules! integers {
    ($($word:ty),*) => {$(
        impl Scalar for $word {
            fn of_python(number: &Bound<'_, PyAny>) -> PyResult<Self> {
                number.extract()
            }

            fn special(operation: &str, a: Value<Self>, b: Value<Self>) -> Option<Value<Self>> {
                Some(match operation {
                    "and" => a & b,
                    "or" => a | b,
                    "xor" => a ^ b,
                    "not" => !a,
                    "shl" => a << b,
                    "shr" => a >> b,
                    "saturating_add" => a.saturating_add(b),
                    "saturating_sub" => a.saturating_sub(b),
                    "bit_count" => a.count_ones(),
                    _ => return None,
                })
            }

            fn is_near(self, other: Self, _: usize) -> bool {
                self == other
            }
        }
    )*};
}

macro_rules! reals {
    ($($word:ty),*) => {$(
        impl Scalar for $word {
            fn of_python(number: &Bound<'_, PyAny>) -> PyResult<Self> {
                number.extract()
            }

            fn special(operation: &str, a: Value<Self>, _: Value<Self>) -> Option<Value<Self>> {
                Some(match operation {
                    "floor" => a.floor(),
                    "ceil" => a.ceil(),
                    "trunc" => a.trunc(),
                    "rint" => a.round_ties_even(),
                    "sqrt" => a.sqrt(),
                    _ => return None,
                })
            }

            fn is_near(self, other: Self, terms: usize) -> bool {
                let bound = 4.0 * terms as $word * <$word>::EPSILON * self.abs().max(other.abs());
                self.to_bits() == other.to_bits() || (self - other).abs() <= bound
            }
        }
    )*};
}

integers!(i32, i64, u32, u64);
reals!(f32, f64);

/// A value that was made so far.
#[derive(Clone, Copy)]
enum Made<T> {
    Number(Value<T>),
    Truth(Value<bool>),
}

/// The function of two numbers that these operations are; the last one is its result.
pub(super) fn function<T: Scalar>(name: &str, nodes: &[Node<'_>]) -> PyResult<Function<(T, T), T>> {
    let mut wrong = None;
    let found = Function::new(|(a, b): (Value<T>, Value<T>)| match replayed(name, nodes, a, b) {
        Ok(result) => result,
        Err(error) => {
            wrong = Some(error);
            a
        }
    });
    match (wrong, found) {
        (Some(error), _) => Err(error),
        (None, found) => found.map_err(|error| PyValueError::new_err(format!("{name}: {error}"))),
    }
}

/// The result of operations on `a` and `b`, which are the values 0 and 1.
fn replayed<T: Scalar>(name: &str, nodes: &[Node<'_>], a: Value<T>, b: Value<T>) -> PyResult<Value<T>> {
    let mut made = vec![Made::Number(a), Made::Number(b)];
    for (operation, places, constant) in nodes {
        let unknown = || PyTypeError::new_err(format!("{name}: {operation:?} of numbers of type {}", T::SCALAR.name()));
        let operands: Option<Vec<Made<T>>> = places.iter().map(|&place| made.get(place).copied()).collect();
        let operands = operands.ok_or_else(unknown)?;
        let next = match (&operands[..], constant) {
            ([], Some(number)) => Made::Number(T::of_python(number)?.into()),
            (operands, _) => applied(operation, operands).ok_or_else(unknown)?,
        };
        made.push(next);
    }
    match made.last() {
        Some(Made::Number(result)) => Ok(*result),
        _ => Err(PyTypeError::new_err(format!("{name} gives a truth value: where(condition, 1, 0) is a number"))),
    }
}

/// An operation on values; `None` where values of these types have none of this name.
fn applied<T: Scalar>(operation: &str, operands: &[Made<T>]) -> Option<Made<T>> {
    use Made::{Number, Truth};
    Some(match (operation, operands) {
        ("result", &[result]) => result,
        ("neg", &[Number(a)]) => Number(-a),
        ("abs", &[Number(a)]) => Number(a.abs()),
        ("not", &[Truth(a)]) => Truth(!a),
        ("add", &[Number(a), Number(b)]) => Number(a + b),
        ("sub", &[Number(a), Number(b)]) => Number(a - b),
        ("mul", &[Number(a), Number(b)]) => Number(a * b),
        ("div", &[Number(a), Number(b)]) => Number(a / b),
        ("rem", &[Number(a), Number(b)]) => Number(a % b),
        ("min", &[Number(a), Number(b)]) => Number(a.min(b)),
        ("max", &[Number(a), Number(b)]) => Number(a.max(b)),
        ("lt", &[Number(a), Number(b)]) => Truth(a.lt(b)),
        ("le", &[Number(a), Number(b)]) => Truth(a.le(b)),
        ("eq", &[Number(a), Number(b)]) => Truth(a.equals(b)),
        ("ne", &[Number(a), Number(b)]) => Truth(a.differs(b)),
        ("and", &[Truth(a), Truth(b)]) => Truth(a & b),
        ("or", &[Truth(a), Truth(b)]) => Truth(a | b),
        ("xor", &[Truth(a), Truth(b)]) => Truth(a ^ b),
        ("where", &[Truth(condition), Number(a), Number(b)]) => Number(condition.select(a, b)),
        (operation, &[Number(a)]) => Number(T::special(operation, a, a)?),
        (operation, &[Number(a), Number(b)]) => Number(T::special(operation, a, b)?),
        _ => return None,
    })
}

//! Programs as computations, and once more by plain loops.

use manycore::expressions::{Function as Written, Value};
use manycore::semiring::plan::Shape;
use manycore::semiring::{Computation, Matrix, Reduction, SemiringError, Term};
use manycore::verify::{CheckError, Outcome, Passed};

use super::expression::{Arithmetic, Comparison, Function};
use super::text::{Fold, Lines, Statement, What};
use crate::commands::semiring::check::Plain;
use crate::commands::semiring::product::{self, Kind, NumberType};

/// A type of entries that programs have.
pub(super) trait Number: Plain {
    /// The semiring of a kind.
    fn semiring(kind: Kind, wraps: bool) -> Result<manycore::semiring::Semiring<Self, Self, Self>, SemiringError>;
    /// `a + b`, `a - b`, `a * b` or `a / b`; integers wrap around, and do not divide.
    fn binary(operator: char, a: Self, b: Self) -> Self;
    /// Its size.
    fn size(self) -> Self;
    /// A row or a column.
    fn of_place(place: u64) -> Self;
}

macro_rules! numbers {
    ($($word:ty, $semiring:expr, ($add:expr, $subtract:expr, $multiply:expr, $divide:expr), $size:expr;)*) => {$(
        impl Number for $word {
            fn semiring(kind: Kind, wraps: bool) -> Result<manycore::semiring::Semiring<Self, Self, Self>, SemiringError> {
                let of: fn(Kind, bool) -> _ = $semiring;
                of(kind, wraps)
            }

            fn binary(operator: char, a: Self, b: Self) -> Self {
                let of: fn(Self, Self) -> Self = match operator {
                    '+' => $add,
                    '-' => $subtract,
                    '*' => $multiply,
                    _ => $divide,
                };
                of(a, b)
            }

            fn size(self) -> Self {
                let of: fn(Self) -> Self = $size;
                of(self)
            }

            fn of_place(place: u64) -> Self {
                place as Self
            }
        }
    )*};
}

numbers! {
    i32, product::integers, (i32::wrapping_add, i32::wrapping_sub, i32::wrapping_mul, |a, _| a), i32::wrapping_abs;
    i64, product::integers, (i64::wrapping_add, i64::wrapping_sub, i64::wrapping_mul, |a, _| a), i64::wrapping_abs;
    f32, |kind, _| product::numbers(kind), (|a, b| a + b, |a, b| a - b, |a, b| a * b, |a, b| a / b), f32::abs;
    f64, |kind, _| product::numbers(kind), (|a, b| a + b, |a, b| a - b, |a, b| a * b, |a, b| a / b), f64::abs;
}

impl NumberType {
    /// Whether its numbers divide.
    pub(super) fn divides(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// Numbers of a type, at a place.
pub(super) struct At<T> {
    pub(super) a: T,
    pub(super) b: T,
    pub(super) place: (u64, u64),
}

impl<T: Number> Arithmetic for At<T> {
    type Value = T;

    fn number(&self, text: &str) -> Option<T> {
        if text == "inf" { Some(T::GREATEST) } else { T::parse(text) }
    }

    fn variable(&self, name: char) -> T {
        match name {
            'a' => self.a,
            'b' => self.b,
            'x' => T::of_place(self.place.0),
            _ => T::of_place(self.place.1),
        }
    }

    fn negative(&self, a: T) -> T {
        // Of numbers also the sign of zero.
        T::binary('*', a, T::binary('-', T::ZERO, T::of_place(1)))
    }

    fn binary(&self, operator: char, a: T, b: T) -> T {
        T::binary(operator, a, b)
    }

    fn call(&self, function: Function, a: T, b: T) -> T {
        match function {
            Function::Min => T::sum(Kind::MinPlus, a, b),
            Function::Max => T::sum(Kind::MaxPlus, a, b),
            Function::Abs => a.size(),
        }
    }

    fn select(&self, comparison: Comparison, [a, b, yes, no]: [T; 4]) -> T {
        let holds = match comparison {
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Equal => a == b,
            Comparison::Different => a != b,
        };
        if holds { yes } else { no }
    }
}

/// Values of functions that are being written.
struct Symbols<T> {
    a: Value<T>,
    b: Value<T>,
    place: (Value<u64>, Value<u64>),
}

impl<T: Number> Arithmetic for Symbols<T> {
    type Value = Value<T>;

    fn number(&self, text: &str) -> Option<Value<T>> {
        At { a: T::ZERO, b: T::ZERO, place: (0, 0) }.number(text).map(Value::from)
    }

    fn variable(&self, name: char) -> Value<T> {
        match name {
            'a' => self.a,
            'b' => self.b,
            'x' => self.place.0.to::<T>(),
            _ => self.place.1.to::<T>(),
        }
    }

    fn negative(&self, a: Value<T>) -> Value<T> {
        a * Value::from(T::binary('-', T::ZERO, T::of_place(1)))
    }

    fn binary(&self, operator: char, a: Value<T>, b: Value<T>) -> Value<T> {
        match operator {
            '+' => a + b,
            '-' => a - b,
            '*' => a * b,
            _ => a / b,
        }
    }

    fn call(&self, function: Function, a: Value<T>, b: Value<T>) -> Value<T> {
        match function {
            Function::Min => a.min(b),
            Function::Max => a.max(b),
            Function::Abs => a.abs(),
        }
    }

    fn select(&self, comparison: Comparison, [a, b, yes, no]: [Value<T>; 4]) -> Value<T> {
        let holds = match comparison {
            Comparison::Less => a.lt(b),
            Comparison::LessOrEqual => a.le(b),
            Comparison::Equal => a.equals(b),
            Comparison::Different => a.differs(b),
        };
        holds.select(yes, no)
    }
}

fn reduction<T: Number>(fold: Fold) -> Result<Reduction<T>, SemiringError> {
    match fold {
        Fold::Sum => Reduction::plus(),
        Fold::Max => Reduction::max(),
        Fold::Min => Reduction::min(),
    }
}

/// The computation of a program, with its outputs by name; `matrices` are those of its statements, in order.
#[allow(clippy::type_complexity)] // names with terms
pub(super) fn computation<T: Number>(
    statements: &[Statement],
    matrices: &[Matrix<T>],
    wraps: bool,
) -> Result<(Computation, Vec<(String, Term<T>)>), SemiringError> {
    type Place = (Value<u64>, Value<u64>);
    let mut computation = Computation::new();
    let (mut terms, mut outputs): (Vec<Term<T>>, _) = (Vec::new(), Vec::new());
    let mut matrices = matrices.iter();
    for Statement { name, what, .. } in statements {
        let zero = || Value::from(T::ZERO);
        let term = match what {
            What::Matrix(_) => match matrices.next() {
                Some(matrix) => computation.matrix(name, matrix.clone()),
                None => continue,
            },
            What::Function([rows, columns], expression) => {
                let entry = Written::<(u64, u64), T>::new(|place: Place| {
                    expression.value(&Symbols { a: zero(), b: zero(), place })
                })?;
                computation.matrix(name, Matrix::function(*rows, *columns, entry))
            }
            What::Product(kind, a, b) => {
                computation.product(name, &T::semiring(*kind, wraps)?, terms[*a], terms[*b])?
            }
            What::Map(operands, expression) => match operands[..] {
                [a] => {
                    let function = Written::<((u64, u64), T), T>::new(|(place, a): (Place, Value<T>)| {
                        expression.value(&Symbols { a, b: a, place })
                    })?;
                    computation.map_at(name, &function, terms[a])?
                }
                [a, b, ..] => {
                    // The first with its place, then both.
                    let pair = Written::<(T, T), (T, T)>::new(|(a, b): (Value<T>, Value<T>)| (a, b))?;
                    let both = computation.zip(&format!("{name}, both"), &pair, terms[a], terms[b])?;
                    let function =
                        Written::<((u64, u64), (T, T)), T>::new(|(place, (a, b)): (Place, (Value<T>, Value<T>))| {
                            expression.value(&Symbols { a, b, place })
                        })?;
                    computation.map_at(name, &function, both)?
                }
                [] => continue,
            },
            What::Transpose(a) => computation.transpose(name, terms[*a])?,
            What::Reduce(fold, Lines::Rows, a) => computation.reduce_rows(name, &reduction(*fold)?, terms[*a])?,
            What::Reduce(fold, Lines::Columns, a) => computation.reduce_columns(name, &reduction(*fold)?, terms[*a])?,
            What::Output(a) => {
                let output = computation.output(&format!("output {name}"), terms[*a])?;
                outputs.push((name.clone(), output));
                output
            }
        };
        terms.push(term);
    }
    Ok((computation, outputs))
}

/// A matrix as its rows.
type Rows<T> = (Shape, Vec<T>);

/// Compares every entry of the outputs with what plain loops give.
pub(super) fn check<T: Number>(
    statements: &[Statement],
    matrices: &[Matrix<T>],
    wraps: bool,
    found: &[(String, Matrix<T>)],
) -> Outcome {
    let mut all: Vec<Rows<T>> = Vec::new();
    let (mut matrices, mut outputs) = (matrices.iter(), found.iter());
    for statement in statements {
        let made = match &statement.what {
            What::Matrix(_) => matrices.next().map_or_else(
                || (Shape { rows: 0, columns: 0 }, Vec::new()),
                |matrix| (matrix.shape(), matrix.entries()),
            ),
            What::Function([rows, columns], expression) => {
                each((*rows, *columns), |x, y| expression.value(&At { a: T::ZERO, b: T::ZERO, place: (x, y) }))
            }
            What::Product(kind, a, b) => {
                let ((left, a), (right, b)) = (&all[*a], &all[*b]);
                let zero = T::semiring(*kind, wraps).map_or(T::ZERO, |semiring| semiring.zero());
                each((left.rows, right.columns), |x, y| {
                    let of = |i: u64| {
                        let (a, b) = (a[(y * left.columns + i) as usize], b[(i * right.columns + x) as usize]);
                        T::product(*kind, wraps, a, b)
                    };
                    (0..left.columns).fold(zero, |sum, i| T::sum(*kind, sum, of(i)))
                })
            }
            What::Map(operands, expression) => {
                let (shape, a) = &all[operands[0]];
                let (_, b) = &all[operands[operands.len() - 1]];
                each((shape.rows, shape.columns), |x, y| {
                    let at = (y * shape.columns + x) as usize;
                    expression.value(&At { a: a[at], b: b[at], place: (x, y) })
                })
            }
            What::Transpose(a) => {
                let (shape, a) = &all[*a];
                each((shape.columns, shape.rows), |x, y| a[(x * shape.columns + y) as usize])
            }
            What::Reduce(fold, lines, a) => {
                let (shape, a) = &all[*a];
                let (kind, zero) = match fold {
                    Fold::Sum => (Kind::PlusTimes, T::ZERO),
                    Fold::Max => (Kind::MaxPlus, T::LEAST),
                    Fold::Min => (Kind::MinPlus, T::GREATEST),
                };
                let entry = |x: u64, y: u64| a[(y * shape.columns + x) as usize];
                match lines {
                    Lines::Rows => each((shape.rows, 1), |_, y| {
                        (0..shape.columns).fold(zero, |sum, x| T::sum(kind, sum, entry(x, y)))
                    }),
                    Lines::Columns => each((1, shape.columns), |x, _| {
                        (0..shape.rows).fold(zero, |sum, y| T::sum(kind, sum, entry(x, y)))
                    }),
                }
            }
            What::Output(a) => {
                let run = found.len() - outputs.len();
                let expected = &all[*a].1;
                let made = outputs.next().map(|(_, matrix)| matrix.entries()).unwrap_or_default();
                if made.len() != expected.len() {
                    return Err(CheckError::Length { found: made.len(), expected: expected.len() });
                }
                if let Some(index) = (0..made.len()).find(|&index| !made[index].is_same(expected[index])) {
                    let (found, expected) = (made[index].text(), expected[index].text());
                    return Err(CheckError::Value { run, index, found, expected });
                }
                (Shape { rows: 0, columns: 0 }, Vec::new())
            }
        };
        all.push(made);
    }
    Ok(Passed::by_second_computation("second computation by plain loops"))
}

/// Entries row after row.
fn each<T>((rows, columns): (u64, u64), of: impl Fn(u64, u64) -> T) -> Rows<T> {
    let entries = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))).map(|(x, y)| of(x, y)).collect();
    (Shape { rows, columns }, entries)
}

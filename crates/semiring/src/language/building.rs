//! Programs as computations: on words where those are exact, else on integers with whether they passed their type.

use manycore_expressions::{Function as Written, Value};

use super::flags::{self, Flags};
use super::forms::{Forms, Values};
use super::numbers::Numeric;
use super::ranges;
use super::text::{Statement, What};
use super::words::Words;
use crate::checked::Checked;
use crate::computation::{Computation, Results, Term};
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::operations::exact::Domain;
use crate::operations::kind::{Kind, checked};
use crate::semiring::Semiring;

/// A computation with its outputs by name.
pub struct Made<T> {
    pub(crate) computation: Computation,
    pub(crate) outputs: Vec<(String, Output<T>)>,
}

/// A matrix of a computation.
pub(crate) enum Output<T> {
    Words(Term<T>),
    Flags(Term<(T, bool)>),
}

impl<T> Output<T> {
    fn words(self) -> Option<Term<T>> {
        match self {
            Self::Words(term) => Some(term),
            Self::Flags(_) => None,
        }
    }
}

impl<T> Clone for Output<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Output<T> {}

/// The entries of an output.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputEntries<T> {
    /// Its name.
    pub name: String,
    /// The columns of its matrix.
    pub columns: u64,
    /// Its entries, row after row; `None` of those that passed their type, or are made of such.
    pub entries: Vec<Option<T>>,
}

impl<T: Numeric> Made<T> {
    /// The entries of the outputs.
    pub(crate) fn found(&self, results: &Results) -> Result<Vec<OutputEntries<T>>, SemiringError> {
        let found = |(name, output): &(String, Output<T>)| {
            let name = name.clone();
            Ok(match output {
                Output::Words(term) => {
                    let matrix = results.matrix(*term)?;
                    let entries = matrix.entries().into_iter().map(Some).collect();
                    OutputEntries { name, columns: matrix.shape().columns, entries }
                }
                Output::Flags(term) => {
                    let matrix = results.matrix(*term)?;
                    let entry = |(entry, is_past): (T, bool)| (!is_past).then_some(entry);
                    OutputEntries {
                        name,
                        columns: matrix.shape().columns,
                        entries: matrix.entries().into_iter().map(entry).collect(),
                    }
                }
            })
        };
        self.outputs.iter().map(found).collect()
    }
}

type Place = (Value<u64>, Value<u64>);
type Both<F, T> = (Values<F, T>, Values<F, T>);

/// What a statement makes of its operands; `matrix` is that of a file.
fn step<T: Numeric, F: Forms<T>>(
    forms: &F,
    computation: &mut Computation,
    (at, Statement { name, what, .. }): (usize, &Statement),
    operands: &[Term<F::Element>],
    matrix: Option<&Matrix<T>>,
) -> Result<Term<F::Element>, SemiringError> {
    let operand = |place: usize| {
        let name = name.clone();
        // A statement has the operands of its form.
        operands.get(place).copied().ok_or(SemiringError::Unbound { node: name })
    };
    match what {
        What::Matrix(_) => {
            let matrix = matrix.ok_or_else(|| SemiringError::Unbound { node: name.clone() })?;
            forms.given(computation, name, matrix.clone())
        }
        What::Function([rows, columns], expression) => {
            let entry = Written::<(u64, u64), F::Element>::new(|place: Place| {
                forms.value(expression, place, forms.zero(), forms.zero())
            })?;
            Ok(computation.matrix(name, Matrix::function(*rows, *columns, entry)))
        }
        What::Product(kind, ..) => forms.product(computation, name, (at, *kind), (operand(0)?, operand(1)?)),
        What::Map(of, expression) if of.len() < 2 => {
            let function =
                Written::<((u64, u64), F::Element), F::Element>::new(|(place, a): (Place, Values<F, T>)| {
                    forms.value(expression, place, a, a)
                })?;
            computation.map_at(name, &function, operand(0)?)
        }
        What::Map(_, expression) => {
            // The first with its place, then both.
            let pair = Written::<(F::Element, F::Element), (F::Element, F::Element)>::new(|(a, b): Both<F, T>| (a, b))?;
            let both = computation.zip(&format!("{name}, both"), &pair, operand(0)?, operand(1)?)?;
            let function = Written::<((u64, u64), (F::Element, F::Element)), F::Element>::new(
                |(place, (a, b)): (Place, Both<F, T>)| forms.value(expression, place, a, b),
            )?;
            computation.map_at(name, &function, both)
        }
        What::Transpose(_) => computation.transpose(name, operand(0)?),
        What::Reduce(fold, lines, _) => forms.reduce(computation, name, (*fold, *lines), operand(0)?),
        What::Output(_) => computation.output(&format!("output {name}"), operand(0)?),
    }
}

/// The computation on words of the type as they are.
fn on_words<T: Numeric>(statements: &[Statement], matrices: &[Matrix<T>]) -> Result<Made<T>, SemiringError> {
    let semiring = |_: usize, kind: Kind| T::on_words(kind);
    let forms = Words { semiring: &semiring, ends: None };
    let mut computation = Computation::new();
    let (mut terms, mut outputs): (Vec<Term<T>>, _) = (Vec::new(), Vec::new());
    let mut matrices = matrices.iter();
    for (at, statement) in statements.iter().enumerate() {
        let operands: Vec<Term<T>> = statement.what.operands().into_iter().map(|of| terms[of]).collect();
        let matrix = if matches!(statement.what, What::Matrix(_)) { matrices.next() } else { None };
        let term = step(&forms, &mut computation, (at, statement), &operands, matrix)?;
        if matches!(statement.what, What::Output(_)) {
            outputs.push((statement.name.clone(), Output::Words(term)));
        }
        terms.push(term);
    }
    Ok(Made { computation, outputs })
}

/// The computation of exact integers: of each statement on words where by the ranges of entries nothing overflows.
fn of_integers<T: Numeric + Checked>(
    statements: &[Statement],
    matrices: &[Matrix<T>],
    domain: &Domain,
) -> Result<Made<T>, SemiringError> {
    if domain.wraps {
        return on_words(statements, matrices);
    }
    let known = ranges::of(statements, matrices, domain)?;
    let semiring = |at: usize, kind: Kind| -> Result<Semiring<T, T, T>, SemiringError> {
        let What::Product(_, a, b) = statements[at].what else { return T::on_words(kind) };
        let words = checked(kind)?.on_words(known[a].range, known[b].range, known[a].shape.columns)?;
        words.map_or_else(|| T::on_words(kind), Ok)
    };
    let words = Words { semiring: &semiring, ends: domain.is_infinite.then_some((T::LEAST, T::GREATEST)) };
    let flags = Flags { domain };
    let mut computation = Computation::new();
    let (mut terms, mut outputs): (Vec<Output<T>>, _) = (Vec::new(), Vec::new());
    let mut matrices = matrices.iter();
    for (at, statement) in statements.iter().enumerate() {
        let operands: Vec<Output<T>> = statement.what.operands().into_iter().map(|of| terms[of]).collect();
        let matrix = if matches!(statement.what, What::Matrix(_)) { matrices.next() } else { None };
        let on_words: Option<Vec<Term<T>>> = operands.iter().map(|of| of.words()).collect();
        let term = if let Some(operands) = on_words.filter(|_| known[at].range.is_some()) {
            Output::Words(step(&words, &mut computation, (at, statement), &operands, matrix)?)
        } else {
            let mut flagged = Vec::new();
            for (of, operand) in statement.what.operands().into_iter().zip(operands) {
                flagged.push(match operand {
                    Output::Flags(term) => term,
                    Output::Words(term) => flags::flagged(&mut computation, &statements[of].name, term)?,
                });
            }
            Output::Flags(step(&flags, &mut computation, (at, statement), &flagged, matrix)?)
        };
        if matches!(statement.what, What::Output(_)) {
            outputs.push((statement.name.clone(), term));
        }
        terms.push(term);
    }
    Ok(Made { computation, outputs })
}

/// A type of entries of programs.
pub trait Number: Numeric {
    /// The computation of a program; `matrices` are those of its statements, in order.
    ///
    /// # Errors
    /// [`SemiringError::Program`] for shapes that do not fit; [`SemiringError::Unbound`] for a matrix that is missing.
    fn computation(
        statements: &[Statement],
        matrices: &[Matrix<Self>],
        domain: &Domain,
    ) -> Result<Made<Self>, SemiringError>;
}

macro_rules! numbers {
    ($($word:ty: $computation:expr;)*) => {$(
        impl Number for $word {
            fn computation(
                statements: &[Statement],
                matrices: &[Matrix<Self>],
                domain: &Domain,
            ) -> Result<Made<Self>, SemiringError> {
                $computation(statements, matrices, domain)
            }
        }
    )*};
}

numbers! {
    i32: of_integers; i64: of_integers;
    f32: |statements, matrices, _| on_words(statements, matrices); f64: |statements, matrices, _| on_words(statements, matrices);
}

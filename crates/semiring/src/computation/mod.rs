//! Computations: programs whose nodes are bound to matrices, semirings and functions, and that run by a plan (paper 003, section
//! IV).
//!
//! | file | what |
//! |---|---|
//! | `nodes` | what is known of nodes |
//! | `given` | matrices that are given, without their types |
//! | `factors` | matrices that products alone read: function matrices and lists that functions make |
//! | `listed` | results that are lists of entries, as functions of those that are given |
//! | `lazy` | results that are computed where they are read, as functions of column and row |
//! | `fastest` | the plan of the fewest seconds |
//! | `settled` | plans as they are run, and which nodes are needed whole |
//! | `run` | runs of a plan: whole, in blocks of rows, on several devices |
//! | `execution` | execution node by node, for a block of rows |
//! | `results` | results of nodes while a plan runs, and outputs |
//! | `explain` | the plan as text and as a graph |

mod execution;
mod explain;
mod factors;
mod fastest;
mod given;
mod lazy;
mod listed;
mod nodes;
mod results;
mod run;
mod settled;

use std::sync::Arc;

use manycore_expressions::{Elements, Function, Value};

pub use explain::{Explanation, PlanStep};
pub use nodes::{Computation, Term};
pub use results::Results;

use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::plan::{Node, Plan, Program, Shape};
use crate::semiring::Semiring;
use given::Give;
use nodes::{Bound, Compose, ComposeLists, Composed, Known, LeavesOut, operand};

/// The most terms of a product that may be computed where it is read.
const MOST_TERMS: u64 = 32;
type V64 = Value<u64>;

impl Computation {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The graph without what its nodes compute.
    pub fn program(&self) -> &Program {
        &self.program
    }

    fn push<T: Elements>(
        &mut self,
        node: Node,
        bound: Bound,
        compose: Option<Composed>,
    ) -> Result<Term<T>, SemiringError> {
        let mut kinds = Vec::new();
        T::types(&mut kinds);
        let stored = Function::<(u64, u64), T>::new(|(x, y): (V64, V64)| {
            let (columns, first) = (V64::from(0u64).read::<u64>(0), V64::from(1u64).read::<u64>(0));
            T::reads((y - first) * columns + x, &mut 1)
        })?;
        let (stored, shift): (_, Compose) = (stored.shared(), Arc::new(lazy::shifted::<T>));
        let lists = None;
        self.nodes.push(Known { bound, kinds, stored, compose, lists, shift, is_turned: false });
        Ok(Term::of(node))
    }

    /// A matrix that is given. Of a function no entry is moved to the device or read there.
    pub fn matrix<T: Elements>(&mut self, name: &str, matrix: Matrix<T>) -> Term<T> {
        let shape = matrix.shape();
        let (access, moved) = match matrix.stored_entries() {
            Some(entries) => (1, entries),
            None => (0, 0),
        };
        let node = self.program.given_at(name, shape, access, moved);
        self.place(node, Some(Arc::new(matrix)))
    }

    /// A place for a matrix that is bound later ([`Computation::bind`]).
    pub fn unbound<T: Elements>(&mut self, name: &str, shape: Shape) -> Term<T> {
        let node = self.program.given(name, shape);
        self.place(node, None)
    }

    fn place<T: Elements>(&mut self, node: Node, matrix: Option<Arc<dyn Give>>) -> Term<T> {
        match self.push(node, Bound::Given(matrix), None) {
            Ok(term) => self.with_lists(term, listed::given::<T>()),
            // Its entry uses values of its own alone, and tables of one type each.
            Err(_) => unreachable!("a function of its own arguments"),
        }
    }

    fn with_lists<T>(&mut self, term: Term<T>, lists: ComposeLists) -> Term<T> {
        self.nodes[term.node.index()].lists = Some(lists);
        term
    }

    /// Binds a matrix to its place, over what was bound there before.
    ///
    /// # Errors
    /// [`SemiringError::Bound`] with both shapes, or where the node is no place for a matrix.
    pub fn bind<T: Elements>(&mut self, term: Term<T>, matrix: Matrix<T>) -> Result<(), SemiringError> {
        let expected = self.shape(term)?;
        let given = matrix.shape();
        let name = self.program.name(term.node).to_owned();
        match &mut self.nodes[term.node.index()].bound {
            Bound::Given(place) if expected == given => *place = Some(Arc::new(matrix)),
            _ => return Err(SemiringError::Bound { node: name, expected, given }),
        }
        Ok(())
    }

    /// Rows and columns of a result.
    ///
    /// # Errors
    /// [`SemiringError::Program`] for a term of another computation.
    pub fn shape<T>(&self, term: Term<T>) -> Result<Shape, SemiringError> {
        Ok(self.program.shape(term.node)?)
    }

    /// The generalized product of two results. Missing entries of a matrix that is given as lists are left out where products with
    /// them are zero, and read like others where they are not.
    ///
    /// # Errors
    /// [`SemiringError::Program`] for shapes that do not fit, with the node's name.
    pub fn product<A: Elements, B: Elements, S: Elements>(
        &mut self,
        name: &str,
        semiring: &Semiring<A, B, S>,
        a: Term<A>,
        b: Term<B>,
    ) -> Result<Term<S>, SemiringError> {
        let rule = semiring.clone();
        let leaves_out: LeavesOut = Arc::new(move |left, right| {
            if left.is_some_and(|bits| !rule.leaves_out_left(A::take_bits(&mut bits.iter().copied()))) {
                return Err(SemiringError::Absent { side: "left" });
            }
            if right.is_some_and(|bits| !rule.leaves_out_right(B::take_bits(&mut bits.iter().copied()))) {
                return Err(SemiringError::Absent { side: "right" });
            }
            Ok(())
        });
        let node = self.program.product(name, a.node, b.node, self.sparsity(&leaves_out, a.node, b.node))?;
        let inner = self.program.shape(a.node)?.columns;
        let (step, zero) = (semiring.step().clone(), semiring.zero());
        let compose = Composed::new(inner, Some(semiring.step().program()), move |operands| {
            let (a, b) = (operand::<A>(operands, 0)?, operand::<B>(operands, 1)?);
            let first = a.program().tables().len() as u16;
            let entry = Function::<(u64, u64), S>::new(|(x, y): (V64, V64)| {
                let zero = constant(zero);
                (0..inner).fold(zero, |sum, i| {
                    let i = V64::from(i);
                    step.of((sum, a.of((i, y)), b.of_from((x, i), first)))
                })
            })?;
            Ok(entry.shared())
        });
        let is_factor = |node: Node| matches!(self.nodes[node.index()].bound, Bound::Factor(..));
        let compose = (inner <= MOST_TERMS && !is_factor(a.node) && !is_factor(b.node)).then_some(compose);
        self.push(node, Bound::Product(Arc::new(semiring.algebra().clone()), leaves_out), compose)
    }

    /// A function of each entry.
    ///
    /// # Errors
    /// [`SemiringError::Program`]; [`SemiringError::Tables`] where the function reads tables.
    pub fn map<A: Elements, R: Elements>(
        &mut self,
        name: &str,
        function: &Function<A, R>,
        a: Term<A>,
    ) -> Result<Term<R>, SemiringError> {
        let function = without_tables(function)?;
        let node = self.program.elements(name, &[a.node])?;
        let lists = listed::map(function.clone());
        let of_entries = function.shared();
        let compose = Composed::new(1, Some(&of_entries), move |operands| {
            let a = operand::<A>(operands, 0)?;
            Ok(Function::<(u64, u64), R>::new(|at: (V64, V64)| function.of(a.of(at)))?.shared())
        });
        let term = self.push(node, Bound::Elements, Some(compose))?;
        Ok(self.with_lists(term, lists))
    }

    /// A function of each entry and of its column and row.
    ///
    /// # Errors
    /// As [`Computation::map`].
    pub fn map_at<A: Elements, R: Elements>(
        &mut self,
        name: &str,
        function: &Function<((u64, u64), A), R>,
        a: Term<A>,
    ) -> Result<Term<R>, SemiringError> {
        let function = without_tables(function)?;
        let node = self.program.elements(name, &[a.node])?;
        let lists = listed::map_at(function.clone());
        let of_entries = function.shared();
        let compose = Composed::new(1, Some(&of_entries), move |operands| {
            let a = operand::<A>(operands, 0)?;
            Ok(Function::<(u64, u64), R>::new(|at: (V64, V64)| function.of((at, a.of(at))))?.shared())
        });
        let term = self.push(node, Bound::Elements, Some(compose))?;
        Ok(self.with_lists(term, lists))
    }

    /// A function of the entries of two matrices at one place.
    ///
    /// # Errors
    /// As [`Computation::map`].
    pub fn zip<A: Elements, B: Elements, R: Elements>(
        &mut self,
        name: &str,
        function: &Function<(A, B), R>,
        a: Term<A>,
        b: Term<B>,
    ) -> Result<Term<R>, SemiringError> {
        let function = without_tables(function)?;
        let node = self.program.elements(name, &[a.node, b.node])?;
        let lists = listed::zip(function.clone());
        let of_entries = function.shared();
        let compose = Composed::new(1, Some(&of_entries), move |operands| {
            let (a, b) = (operand::<A>(operands, 0)?, operand::<B>(operands, 1)?);
            let first = a.program().tables().len() as u16;
            let entry = Function::<(u64, u64), R>::new(|at: (V64, V64)| function.of((a.of(at), b.of_from(at, first))))?;
            Ok(entry.shared())
        });
        let term = self.push(node, Bound::Elements, Some(compose))?;
        Ok(self.with_lists(term, lists))
    }

    /// The transpose.
    ///
    /// # Errors
    /// [`SemiringError::Program`].
    pub fn transpose<A: Elements>(&mut self, name: &str, a: Term<A>) -> Result<Term<A>, SemiringError> {
        let node = self.program.transpose(name, a.node)?;
        let compose = Composed::new(1, None, move |operands| {
            let a = operand::<A>(operands, 0)?;
            Ok(Function::<(u64, u64), A>::new(|(x, y): (V64, V64)| a.of((y, x)))?.shared())
        });
        let term = self.push(node, Bound::Elements, Some(compose))?;
        self.nodes[term.node.index()].is_turned = true;
        Ok(self.with_lists(term, listed::transpose()))
    }

    /// A result that the user gets.
    ///
    /// # Errors
    /// [`SemiringError::Program`].
    pub fn output<T: Elements>(&mut self, name: &str, of: Term<T>) -> Result<Term<T>, SemiringError> {
        let node = self.program.output(name, of.node)?;
        self.push(node, Bound::Output, None)
    }

    /// The plan with the fewest accesses to memory, in which products of more than 32 terms are stored.
    ///
    /// # Errors
    /// [`SemiringError::Program`] where the cost of every plan passes 2^128.
    pub fn cheapest(&self) -> Result<Plan, SemiringError> {
        Ok(self.program.cheapest(true)?)
    }
}

fn without_tables<I: Elements, O: Elements>(function: &Function<I, O>) -> Result<Function<I, O>, SemiringError> {
    if !function.program().tables().is_empty() {
        return Err(SemiringError::Tables { operation: "function" });
    }
    Ok(function.clone())
}

/// An element as values of the function that is being written.
fn constant<T: Elements>(element: T) -> T::Values {
    let mut bits = Vec::new();
    element.put_bits(&mut bits);
    T::constants(&mut bits.into_iter())
}

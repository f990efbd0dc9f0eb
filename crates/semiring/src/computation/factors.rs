//! Matrices that products alone read: functions of their places and of the product's (paper 003, formula 5), and lists of entries
//! that functions make.

use std::sync::Arc;

use manycore_expressions::{Elements, Function, Program as Expression, ScalarType, Value};

use super::nodes::{Bound, Computation, Made, Term};
use crate::error::SemiringError;
use crate::factor::{AtResult, Lists};
use crate::operand::MadeLists;
use crate::plan::{Node, Representation, Shape};
use crate::reduce::Reduction;

impl Computation {
    /// A matrix that depends on the entry of the product that reads it: a function of
    /// `((column, row), (row of the product, column of the product))`, which may read the entries of the nodes `reads`, row after
    /// row, as tables: one for each scalar, in their order. Those nodes are stored. Nothing of the matrix itself is.
    ///
    /// # Errors
    /// [`SemiringError::Table`] where the function reads what it has not; [`SemiringError::Program`].
    pub fn function_matrix<T: Elements>(
        &mut self,
        name: &str,
        shape: Shape,
        entry: &Function<AtResult, T>,
        reads: &[Node],
    ) -> Result<Term<T>, SemiringError> {
        self.tables(&[entry.program()], reads)?;
        let node = self.program.made(name, Representation::Function, shape, reads)?;
        self.factor(node, Made::AtResult(entry.shared()), None)
    }

    /// The right factor of products by lists of the entries of each column that functions make: how many there are, and row and
    /// value of each, by column and number; and what the missing ones are. The functions may read nodes as those of
    /// [`Computation::function_matrix`].
    ///
    /// # Errors
    /// As [`Computation::function_matrix`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_expressions::{Function, Value};
    /// use manycore_semiring::plan::Shape;
    /// use manycore_semiring::{Computation, Matrix, Products, Semiring};
    ///
    /// // Compare and swap: each column takes the lesser or the greater one of a pair (paper 003, formulas 3 and 4).
    /// type At = (Value<u64>, Value<u64>);
    /// let mut computation = Computation::new();
    /// let v = computation.matrix("v", Matrix::stored(1, 4, &[3u32, 1, 5, 9])?);
    /// let one = Function::<u64, u64>::new(|_: Value<u64>| Value::from(1))?;
    /// let row = Function::<(u64, u64), u64>::new(|(x, _): At| {
    ///     let (other, is_first) = (x ^ 1, (x & 1).equals(0));
    ///     let is_less = x.read::<u32>(0).lt(other.read::<u32>(0)) | (x.read::<u32>(0).equals(other.read::<u32>(0)) & x.lt(other));
    ///     (is_less ^ is_first).select(other, x)
    /// })?;
    /// let value = Function::<(u64, u64), u32>::new(|_: At| Value::from(1))?;
    /// let shape = Shape { rows: 4, columns: 4 };
    /// let swap = computation.lists_by_columns("swap", shape, (one, row, value), 0, &[v.node()])?;
    /// let swapped = computation.product("swapped", &Semiring::<u32, u32, u32>::wrapping_plus_times()?, v, swap)?;
    /// let out = computation.output("out", swapped)?;
    /// let results = computation.run(&Products::new(&Device::from_env()?), &computation.cheapest()?)?;
    /// assert_eq!(results.matrix(out)?.entries(), [1, 3, 5, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lists_by_columns<T: Elements>(
        &mut self,
        name: &str,
        shape: Shape,
        lists: Lists<T>,
        absent: T,
        reads: &[Node],
    ) -> Result<Term<T>, SemiringError> {
        self.lists(name, shape, (lists, Representation::Columns), absent, reads)
    }

    /// The left factor of products by lists of the entries of each row, as [`Computation::lists_by_columns`].
    ///
    /// # Errors
    /// As [`Computation::function_matrix`].
    pub fn lists_by_rows<T: Elements>(
        &mut self,
        name: &str,
        shape: Shape,
        lists: Lists<T>,
        absent: T,
        reads: &[Node],
    ) -> Result<Term<T>, SemiringError> {
        self.lists(name, shape, (lists, Representation::Rows), absent, reads)
    }

    fn lists<T: Elements>(
        &mut self,
        name: &str,
        shape: Shape,
        ((size, index, value), representation): (Lists<T>, Representation),
        absent: T,
        reads: &[Node],
    ) -> Result<Term<T>, SemiringError> {
        let entry = Function::<(u64, u64), (u64, T)>::new(|at: (Value<u64>, Value<u64>)| (index.of(at), value.of(at)))?;
        let tables = self.tables(&[size.program(), entry.program()], reads)?;
        let node = self.program.made(name, representation, shape, reads)?;
        let is_by_rows = representation == Representation::Rows;
        let lists = MadeLists { is_by_rows, size: size.shared(), entry: entry.shared(), tables };
        let mut bits = Vec::new();
        absent.put_bits(&mut bits);
        self.factor(node, Made::Lists(Arc::new(lists)), Some(bits))
    }

    /// The types of the tables that nodes are, where programs read those of that type.
    fn tables(&self, programs: &[&Expression], reads: &[Node]) -> Result<Vec<ScalarType>, SemiringError> {
        let mut kinds = Vec::new();
        for &read in reads {
            self.program.shape(read)?;
            kinds.extend_from_slice(&self.nodes[read.index()].kinds);
        }
        for program in programs {
            for (number, expected) in program.tables().iter().enumerate() {
                let given = kinds.get(number).map(|kind: &ScalarType| kind.memory());
                if program.reads_table(number as u16) && given != Some(expected.memory()) {
                    let given = given.map_or("none", |given| given.name());
                    return Err(SemiringError::Table { number, expected: expected.name(), given });
                }
            }
        }
        Ok(kinds)
    }

    fn factor<T: Elements>(
        &mut self,
        node: Node,
        made: Made,
        absent: Option<Vec<u64>>,
    ) -> Result<Term<T>, SemiringError> {
        let term = self.push(node, Bound::Factor(Arc::new(made), absent), None)?;
        // Entries at any place may be read.
        self.nodes[term.node.index()].is_turned = true;
        Ok(term)
    }

    /// The sum of each row: a column.
    ///
    /// # Errors
    /// [`SemiringError::Program`].
    pub fn reduce_rows<S: Elements>(
        &mut self,
        name: &str,
        reduction: &Reduction<S>,
        a: Term<S>,
    ) -> Result<Term<S>, SemiringError> {
        let nothing = self.matrix(&format!("{name}, its places"), Reduction::<S>::nothing(self.shape(a)?.columns, 1)?);
        self.product(name, reduction.of_rows(), a, nothing)
    }

    /// The sum of each column: a row.
    ///
    /// # Errors
    /// [`SemiringError::Program`].
    pub fn reduce_columns<S: Elements>(
        &mut self,
        name: &str,
        reduction: &Reduction<S>,
        a: Term<S>,
    ) -> Result<Term<S>, SemiringError> {
        let nothing = self.matrix(&format!("{name}, its places"), Reduction::<S>::nothing(1, self.shape(a)?.rows)?);
        self.product(name, reduction.of_columns(), nothing, a)
    }
}

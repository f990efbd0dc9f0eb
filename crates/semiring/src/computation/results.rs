//! Results of nodes while a plan runs, and the outputs of a computation.

use std::collections::HashMap;
use std::rc::Rc;

use manycore_expressions::{Columns, Elements, Memory, Owned, Words};

use super::given::Held;
use super::nodes::Term;
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::operand::{ListWords, Operand};
use crate::plan::{Node, Shape};

/// A node's result while a plan runs.
pub(super) struct Stored {
    pub(super) kept: Kept,
    /// Columns and the first row, for entries that read it.
    pub(super) place: Memory,
    /// All entries of what is given as lists or as a function, once something reads them.
    pub(super) dense: Option<Vec<Memory>>,
    pub(super) first_row: u64,
    pub(super) is_whole: bool,
}

pub(super) enum Kept {
    Given(Box<dyn Held>),
    Made(Rc<Vec<Memory>>),
}

impl Stored {
    pub(super) fn operand(&self) -> Operand<'_> {
        match &self.kept {
            Kept::Given(held) => held.operand(),
            Kept::Made(memory) => Operand::Stored(memory.iter().map(Memory::words).collect()),
        }
    }

    /// Rows or columns of what is kept as lists.
    pub(super) fn lists(&self, is_by_rows: bool) -> Option<ListWords<'_>> {
        match self.operand() {
            Operand::Lists { rows, columns } => Some(if is_by_rows { rows } else { columns }),
            _ => None,
        }
    }

    /// All entries, where they are stored.
    pub(super) fn entries(&self) -> Vec<Words<'_>> {
        match (&self.dense, self.operand()) {
            (Some(dense), _) => dense.iter().map(Memory::words).collect(),
            (None, Operand::Stored(words)) => words,
            (None, _) => Vec::new(),
        }
    }
}

/// The outputs of a computation, on the host.
#[derive(Debug)]
pub struct Results {
    pub(super) outputs: HashMap<Node, (Shape, Vec<Owned>)>,
    pub(super) seconds: Vec<(Node, f64)>,
    pub(super) names: Vec<String>,
}

impl Results {
    /// An output.
    ///
    /// # Errors
    /// [`SemiringError::NoOutput`] for a term that is none.
    pub fn matrix<T: Elements>(&self, output: Term<T>) -> Result<Matrix<T>, SemiringError> {
        let found = self.outputs.get(&output.node()).and_then(|(shape, scalars)| {
            let len = scalars.first().map_or(0, |column| column.column().len());
            Columns::of_scalars(scalars.clone(), len).map(|columns| Matrix::of_columns(*shape, columns))
        });
        let name = || self.names.get(output.node().index()).cloned().unwrap_or_default();
        found.ok_or_else(|| SemiringError::NoOutput { node: name() })
    }

    /// The seconds that each node took which ran, in their order, where that was asked for ([`Computation::run_timed`](super::Computation::run_timed)).
    pub fn seconds(&self) -> &[(Node, f64)] {
        &self.seconds
    }
}

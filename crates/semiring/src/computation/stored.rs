//! Results of nodes while a plan runs.

use std::rc::Rc;

use manycore_expressions::{Memory, Words};

use super::given::Held;
use crate::operand::{ListWords, Operand};

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

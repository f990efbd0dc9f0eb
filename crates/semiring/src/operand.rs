//! Dense operands without their types: stored in columns, or a function of column and row that is computed where it is read.

use std::sync::Arc;

use manycore_expressions::{Program, ScalarType, Words};

/// A dense matrix as a product reads it.
#[derive(Debug, Clone)]
pub(crate) enum Operand<'a> {
    /// A column of words for each scalar, entries row after row.
    Stored(Vec<Words<'a>>),
    /// A function of column and row, with the tables that it reads.
    Computed(Arc<Program>, Vec<Words<'a>>),
}

/// What an operand is, without its data: what a kernel's text depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    Stored,
    Computed(Arc<Program>),
}

impl Operand<'_> {
    pub(crate) fn form(&self) -> Form {
        match self {
            Self::Stored(_) => Form::Stored,
            Self::Computed(program, _) => Form::Computed(Arc::clone(program)),
        }
    }
}

impl Form {
    /// Operations for an entry.
    pub(crate) fn operations(&self) -> u64 {
        match self {
            Self::Stored => 0,
            Self::Computed(program) => program.operations() as u64,
        }
    }

    /// The types of the tables that it reads.
    pub(crate) fn tables(&self) -> &[ScalarType] {
        match self {
            Self::Stored => &[],
            Self::Computed(program) => program.tables(),
        }
    }
}

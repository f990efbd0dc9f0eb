//! Operands without their types: stored in columns, a function of column and row that is computed where it is read, or lists of
//! the entries of rows and of columns.

use std::sync::Arc;

use manycore_expressions::{Program, ScalarType, Words};

/// The entries of each row, or of each column, by ascending indices.
#[derive(Debug, Clone)]
pub(crate) struct ListWords<'a> {
    /// One more than lines.
    pub(crate) offsets: Words<'a>,
    pub(crate) indices: Words<'a>,
    pub(crate) entries: Vec<Words<'a>>,
}

/// A matrix as a product reads it.
#[derive(Debug, Clone)]
pub(crate) enum Operand<'a> {
    /// A column of words for each scalar, entries row after row.
    Stored(Vec<Words<'a>>),
    /// A function of column and row, with the tables that it reads.
    Computed(Arc<Program>, Vec<Words<'a>>),
    /// Its rows and its columns; products leave out what they do not hold.
    Lists { rows: ListWords<'a>, columns: ListWords<'a> },
}

/// What an operand is, without its data: what a kernel's text depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    Stored,
    Computed(Arc<Program>),
    Lists,
}

impl Operand<'_> {
    pub(crate) fn form(&self) -> Form {
        match self {
            Self::Stored(_) => Form::Stored,
            Self::Computed(program, _) => Form::Computed(Arc::clone(program)),
            Self::Lists { .. } => Form::Lists,
        }
    }
}

impl Form {
    /// Operations for an entry.
    pub(crate) fn operations(&self) -> u64 {
        match self {
            Self::Stored | Self::Lists => 0,
            Self::Computed(program) => program.operations() as u64,
        }
    }

    /// The types of the tables that it reads.
    pub(crate) fn tables(&self) -> &[ScalarType] {
        match self {
            Self::Stored | Self::Lists => &[],
            Self::Computed(program) => program.tables(),
        }
    }
}

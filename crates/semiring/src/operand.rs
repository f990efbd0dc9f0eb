//! Operands without their types: stored in columns, a function of column and row that is computed where it is read, lists of the
//! entries of rows and of columns, a function of places in the operand and in the product, or lists that functions make.

use std::sync::Arc;

use manycore_expressions::{Program, ScalarType, Words};

/// The entries of each row, or of each column, by ascending indices.
#[derive(Debug, Clone)]
pub struct ListWords<'a> {
    /// One more than lines.
    pub(crate) offsets: Words<'a>,
    pub(crate) indices: Words<'a>,
    pub(crate) entries: Vec<Words<'a>>,
}

/// Lists of entries that functions make.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MadeLists {
    /// Whether lines are rows.
    pub(crate) is_by_rows: bool,
    /// The number of entries of a line.
    pub(crate) size: Arc<Program>,
    /// The index and the scalars of an entry, by its line and its number in it.
    pub(crate) entry: Arc<Program>,
    /// The types of the tables that both read.
    pub(crate) tables: Vec<ScalarType>,
}

/// A matrix as a product reads it.
#[derive(Debug, Clone)]
pub enum Operand<'a> {
    /// A column of words for each scalar, entries row after row.
    Stored(Vec<Words<'a>>),
    /// A function of column and row, with the tables that it reads.
    Computed(Arc<Program>, Vec<Words<'a>>),
    /// Its rows and its columns; products leave out what they do not hold.
    Lists { rows: ListWords<'a>, columns: ListWords<'a> },
    /// A function of its column and row and of the row and column of the product's entry, with its tables and the first row of
    /// the product.
    AtResult(Arc<Program>, Vec<Words<'a>>, u64),
    /// With its tables and the first of its rows, where lines are rows.
    Made(Arc<MadeLists>, Vec<Words<'a>>, u64),
}

/// What an operand is, without its data: what a kernel's text depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    Stored,
    Computed(Arc<Program>),
    Lists,
    AtResult(Arc<Program>, Vec<ScalarType>),
    Made(Arc<MadeLists>),
}

impl<'a> Operand<'a> {
    pub(crate) fn form(&self) -> Form {
        match self {
            Self::Stored(_) => Form::Stored,
            Self::Computed(program, _) => Form::Computed(Arc::clone(program)),
            Self::Lists { .. } => Form::Lists,
            Self::AtResult(program, tables, _) => {
                Form::AtResult(Arc::clone(program), tables.iter().map(|table| ScalarType::Word(table.word())).collect())
            }
            Self::Made(lists, ..) => Form::Made(Arc::clone(lists)),
        }
    }

    /// The tables that its functions read.
    pub(crate) fn tables(&self) -> &[Words<'a>] {
        match self {
            Self::Computed(_, tables) | Self::AtResult(_, tables, _) | Self::Made(_, tables, _) => tables,
            Self::Stored(_) | Self::Lists { .. } => &[],
        }
    }
}

impl Form {
    /// Operations for an entry.
    pub(crate) fn operations(&self) -> u64 {
        self.programs().map(|program| program.operations() as u64).sum()
    }

    /// Its functions.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &Program> {
        let programs: [Option<&Arc<Program>>; 2] = match self {
            Self::Stored | Self::Lists => [None, None],
            Self::Computed(program) | Self::AtResult(program, _) => [Some(program), None],
            Self::Made(lists) => [Some(&lists.size), Some(&lists.entry)],
        };
        programs.into_iter().flatten().map(|program| &**program)
    }

    /// The types of the tables that it reads.
    pub(crate) fn tables(&self) -> &[ScalarType] {
        match self {
            Self::Stored | Self::Lists => &[],
            Self::Computed(program) => program.tables(),
            Self::AtResult(_, tables) => tables,
            Self::Made(lists) => &lists.tables,
        }
    }
}

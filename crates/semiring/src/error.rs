//! Errors of semirings, matrices and products.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_expressions::{ExpressionError, Violation};
use manycore_tuning::NoChoice;

use crate::multiply::plan::ProductPlan;
use crate::plan::{PlanError, Representation, Shape};

/// What can be wrong with a semiring, a matrix or a product.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SemiringError {
    /// A law that a sum needs and does not keep.
    #[error("the sum needs a law: {0}")]
    Law(#[from] Violation),
    /// Another number of entries than rows times columns.
    #[error("{given} entries are given for a matrix of {shape}")]
    Entries {
        /// Rows and columns.
        shape: Shape,
        /// The entries that were given.
        given: usize,
    },
    /// Offsets or indices of a sparse matrix that are out of order or range.
    #[error("{line} {at}: {what}")]
    Sparse {
        /// `row` or `column`.
        line: &'static str,
        /// The number of the row or column, from 1.
        at: u64,
        /// What is wrong.
        what: String,
    },
    /// Matrices whose shapes do not fit.
    #[error("the product of {left} by {right}: the first has not as many columns as the second rows")]
    Shapes {
        /// The shape of the first.
        left: Shape,
        /// The shape of the second.
        right: Shape,
    },
    /// An integer that its type does not hold.
    #[error("row {row}, column {column} of the product: its type does not hold the exact integer")]
    Overflow {
        /// The row, from 1.
        row: u64,
        /// The column, from 1.
        column: u64,
    },
    /// Parts of matrices, below each other, that do not fit.
    #[error(
        "{count} products of parts of {left} and of {right}: rows are no multiple of {count}, or the first has not as many columns as a part of the second rows"
    )]
    Batch {
        /// The number of products.
        count: u64,
        /// The shape of the first matrices together.
        left: Shape,
        /// The shape of the second ones together.
        right: Shape,
    },
    /// Matrices of which each entry is to meet that of the other.
    #[error("a function of the entries of matrices of {left} and of {right}: the shapes differ")]
    SameShape {
        /// The shape of the first.
        left: Shape,
        /// The shape of the second.
        right: Shape,
    },
    /// A sparse operand whose missing entries count.
    #[error("the {side} operand has missing entries, and products with them are not zero: give it dense")]
    Absent {
        /// `left` or `right`.
        side: &'static str,
    },
    /// A matrix whose entries are to be read by functions, and are not stored.
    #[error("entries that functions read are stored, and those of a matrix kept as {representation:?} are not")]
    Unstored {
        /// What the matrix is kept as.
        representation: Representation,
    },
    /// A table that a function reads, and that it has not, or of another type.
    #[error("a function reads table {number} of {expected}, and the one it has is {given}")]
    Table {
        /// The number of the table, from 0.
        number: usize,
        /// The type that the function reads.
        expected: &'static str,
        /// The type of the table, or `none`.
        given: &'static str,
    },
    /// Lists of entries by the wrong lines.
    #[error(
        "lists of entries that functions make are by rows in the first factor and by columns in the second, not by {lines} in the {side} one"
    )]
    Lines {
        /// `rows` or `columns`.
        lines: &'static str,
        /// `first` or `second`.
        side: &'static str,
    },
    /// An operation of a semiring that reads tables.
    #[error("the {operation} of a semiring reads a table: entries of matrices may, sums and products have none")]
    Tables {
        /// `product` or `sum`.
        operation: &'static str,
    },
    /// A plan that the device does not take.
    #[error("{device} does not take the plan: {plan}")]
    Plan {
        /// The plan.
        plan: ProductPlan,
        /// The device's name.
        device: String,
    },
    /// Memory of a device that does not hold the smallest block of a product.
    #[error("a row, a column and their product take {wanted_bytes} bytes of a device, and may take {limit_bytes}")]
    Memory {
        /// Bytes of the smallest block.
        wanted_bytes: u64,
        /// Bytes that it may take.
        limit_bytes: u64,
    },
    /// Rows that a matrix has not.
    #[error("rows {} to before {} of a matrix of {shape}", .rows.start, .rows.end)]
    Rows {
        /// The rows, from 0.
        rows: std::ops::Range<u64>,
        /// The matrix's shape.
        shape: Shape,
    },
    /// A program or a plan.
    #[error(transparent)]
    Program(#[from] PlanError),
    /// A plan of another program.
    #[error("the plan is of another program than the computation's")]
    OtherPlan,
    /// A place without a matrix.
    #[error("{node}: no matrix is bound to it")]
    Unbound {
        /// The node's name.
        node: String,
    },
    /// A matrix that does not fit its place, or a node that is no place of a matrix.
    #[error("{node}: a matrix of {given} is bound where {expected} is its shape, or where none is given")]
    Bound {
        /// The node's name.
        node: String,
        /// The shape of the place.
        expected: Shape,
        /// The shape of the matrix.
        given: Shape,
    },
    /// A result that is none of the computation's outputs.
    #[error("{node}: no output of the computation")]
    NoOutput {
        /// The node's name.
        node: String,
    },
    /// A cycle that is shorter than nothing.
    #[error("a cycle through vertex {vertex} is shorter than nothing: there is no shortest path")]
    Cycle {
        /// A vertex of the cycle, from 0.
        vertex: u64,
    },
    /// No plan suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// A function of elements.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// The device failed, or has not the memory.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl LibraryError for SemiringError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoChoice(_) => ErrorKind::NoChoice,
            Self::Memory { .. } => ErrorKind::Memory,
            Self::Overflow { .. } => ErrorKind::Overflow,
            Self::Expression(_) => ErrorKind::Device,
            Self::Plan { .. } | Self::OtherPlan => ErrorKind::Plan,
            Self::Shapes { .. }
            | Self::SameShape { .. }
            | Self::Batch { .. }
            | Self::Entries { .. }
            | Self::Sparse { .. }
            | Self::Rows { .. }
            | Self::Lines { .. } => ErrorKind::Shape,
            Self::Device(error) => error.kind(),
            _ => ErrorKind::Value,
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        match self {
            Self::Device(error) => Some(error),
            _ => None,
        }
    }
}

//! Errors of programs and plans.

use super::shape::Shape;

/// What can be wrong with a program or a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Matrices whose shapes do not fit.
    #[error("{node}: {left} and {right} do not fit")]
    Shapes {
        /// The operation's name.
        node: String,
        /// The shape of the first operand.
        left: Shape,
        /// The shape of the other one.
        right: Shape,
    },
    /// An operand of another program.
    #[error("{node}: an operand is of another program")]
    Foreign {
        /// The operation's name.
        node: String,
    },
    /// An operation on elements without an operand.
    #[error("{node}: an operation on elements without an operand")]
    NoOperand {
        /// The operation's name.
        node: String,
    },
    /// A matrix that products alone read, of another node, or lists by the wrong lines.
    #[error(
        "{node} reads {operand}, which products alone read: lists by rows as their first factor, by columns as their second"
    )]
    Factor {
        /// The node that reads it.
        node: String,
        /// What it reads.
        operand: String,
    },
    /// An output where a result is needed.
    #[error("{node}: an output is no operand")]
    Output {
        /// The operation's name.
        node: String,
    },
    /// Another number of representations than there are nodes.
    #[error("{given} representations are given for {expected} nodes")]
    Representations {
        /// The nodes.
        expected: usize,
        /// The representations.
        given: usize,
    },
    /// A product that an output reads, and that is not stored.
    #[error("{node}: what is given, an output, or a product that an output reads is stored")]
    NotStored {
        /// The node's name.
        node: String,
    },
    /// A dense product as lists of entries.
    #[error("{node}: only operations on elements are lists of entries")]
    Sparse {
        /// The node's name.
        node: String,
    },
    /// A cost past 2^128.
    #[error("the cost of {node} passes 2^128 accesses")]
    Cost {
        /// The node's name.
        node: String,
    },
}

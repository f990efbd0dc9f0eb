//! Errors of functions and of their arguments.

use manycore_device::DeviceError;

/// What can be wrong with a function, or with what it is given.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpressionError {
    /// A value of another function, or one from outside of any function, was used within this one.
    #[error("a value of another function is used in this one: values live only within the closure that gets them")]
    Foreign,
    /// A table is read as words of two types.
    #[error("table {number} is read as {first} and as {second}")]
    Table {
        /// The table's number, from 0.
        number: usize,
        /// The type's name at its first use.
        first: &'static str,
        /// Another one.
        second: &'static str,
    },
    /// A text of OpenCL C that is no expression of its arguments.
    #[error("{text:?} is no single expression of OpenCL C whose places have arguments")]
    Snippet {
        /// The text.
        text: &'static str,
    },
    /// Other arguments than the function has.
    #[error("the function has {expected} {what}, {given} were given")]
    Count {
        /// `inputs`, `outputs` or `tables`.
        what: &'static str,
        /// The expected number.
        expected: usize,
        /// The given number.
        given: usize,
    },
    /// An argument of another type.
    #[error("{what} {number} of the function is of {expected}, {given} was given")]
    Type {
        /// `input`, `output` or `table`.
        what: &'static str,
        /// Its number, from 0.
        number: usize,
        /// The type's name.
        expected: &'static str,
        /// The name of the type that was given.
        given: &'static str,
    },
    /// An argument of another length.
    #[error("{what} {number} has {given} elements, output 0 has {expected}")]
    Length {
        /// `input` or `output`.
        what: &'static str,
        /// Its number, from 0.
        number: usize,
        /// Elements of the first output.
        expected: usize,
        /// Elements that were given.
        given: usize,
    },
    /// The device failed, lacks something, or holds none of the memory.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

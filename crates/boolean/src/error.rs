//! Errors of functions, S-boxes and computations with them.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_files::counted;
use manycore_spectral::SpectralError;
use manycore_tuning::NoChoice;

/// Why something is no truth table, no normal form or no S-box. Positions in texts are counted from 1, indices from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// There is no memory for the table, or for the text that it is read from.
    #[error("out of memory: {bytes} bytes for {what}")]
    OutOfMemory {
        /// The bytes that were asked for, at least.
        bytes: u64,
        /// What they were for.
        what: &'static str,
    },
    /// More variables than tables have.
    #[error("{}: a table has at most {limit}", counted(*variables, "variable"))]
    TooManyVariables {
        /// The number asked for.
        variables: u32,
        /// The most possible.
        limit: u32,
    },
    /// A number of values that is no power of two.
    #[error("{}: a function of n variables has 2^n", counted(*len, "value"))]
    NotPowerOfTwo {
        /// The number of values.
        len: u64,
    },
    /// A value other than 0 and 1.
    #[error("f({index}) is {value}: values are 0 and 1")]
    Value {
        /// Its index.
        index: u64,
        /// The value.
        value: u64,
    },
    /// An index past the table.
    #[error("number {} of the list is {index}: indices are below {len}", place + 1)]
    Index {
        /// Its place in what was given.
        place: u64,
        /// The index.
        index: u64,
        /// The table's length.
        len: u64,
    },
    /// A character that is no digit.
    #[error("character {position}, \"{found}\": expected a digit of base {radix}")]
    Digit {
        /// Its position.
        position: u64,
        /// The character.
        found: char,
        /// The base.
        radix: u32,
    },
    /// Another number of digits or words than the table has.
    #[error("{given} {what}: a function of {variables} variables has {expected}")]
    Length {
        /// What they are.
        what: &'static str,
        /// How many came.
        given: u64,
        /// How many are needed.
        expected: u64,
        /// The number of variables.
        variables: u32,
    },
    /// Ones past the last value.
    #[error("ones stand past the last value of a function of {variables} variables")]
    UnusedBits {
        /// The number of variables.
        variables: u32,
    },
    /// Two functions of different numbers of variables.
    #[error("functions of {left} and of {right} variables")]
    Variables {
        /// The number of variables of the first function.
        left: u32,
        /// The number of variables of the second function.
        right: u32,
    },
    /// A text that is no normal form.
    #[error("character {position}, {found}: expected {expected}")]
    Syntax {
        /// Where.
        position: u64,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// A variable that the function does not have.
    #[error("character {position}: {variable} is no variable of the function, which has x1 to x{last}")]
    Variable {
        /// Where.
        position: u64,
        /// The variable.
        variable: String,
        /// The number of variables.
        last: u32,
    },
    /// Too many variables for one number a value.
    #[error("{variables} variables: with one number for each value there are at most {limit}")]
    Unpacked {
        /// The number of variables.
        variables: u32,
        /// The most possible.
        limit: u32,
    },
    /// Input or output bits that S-boxes do not have.
    #[error("{bits} {what} bits: S-boxes have 1 to {limit}")]
    Bits {
        /// `input` or `output`.
        what: &'static str,
        /// The number asked for.
        bits: u32,
        /// The most possible.
        limit: u32,
    },
    /// An output of an S-box that does not fit its bits.
    #[error("S({index}) is {output}: outputs are below {limit}")]
    Output {
        /// Its index.
        index: u64,
        /// The output.
        output: u64,
        /// One past the largest.
        limit: u64,
    },
    /// A text that is no output.
    #[error("S({index}) is \"{found}\": expected a number below 65536")]
    Number {
        /// Its index.
        index: u64,
        /// The text.
        found: String,
    },
    /// A number of outputs that is no power of two.
    #[error("{}: an S-box of m input bits has 2^m, with m from 1 to 16", counted(*given, "output"))]
    Outputs {
        /// How many came.
        given: u64,
    },
    /// Rows of an array that do not lie one after the other in memory.
    #[cfg(feature = "ndarray")]
    #[error("the rows of the array do not lie one after the other in memory: `as_standard_layout` copies them so")]
    Strides,
    /// A number of outputs that S-boxes of equal shape do not have together.
    #[error("{}: each S-box of the batch has {inputs}", counted(*given, "output"))]
    Batch {
        /// How many came.
        given: u64,
        /// Those of each S-box.
        inputs: u64,
    },
    /// Two inputs with one output, where a permutation is needed.
    #[error("inputs {first} and {second} both have the output {output}: the S-box is no permutation")]
    NoPermutation {
        /// The lower input.
        first: u64,
        /// The higher input.
        second: u64,
        /// Their output.
        output: u64,
    },
    /// An S-box with other numbers of input and output bits, where a permutation is needed.
    #[error("{input_bits} input bits and {output_bits} output bits: the S-box is no permutation")]
    NotSquare {
        /// The input bits.
        input_bits: u32,
        /// The output bits.
        output_bits: u32,
    },
}

/// Why something was not computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BooleanError {
    /// The function or the S-box is none.
    #[error(transparent)]
    Table(#[from] TableError),
    /// More variables than the operation takes.
    #[error("{what} of {variables} variables: at most {limit} are possible")]
    TooManyVariables {
        /// The operation.
        what: &'static str,
        /// The number of variables.
        variables: u32,
        /// The most possible.
        limit: u32,
    },
    /// Rows that the table does not have.
    #[error(
        "no rows {start}..{end}: the table has rows 0..{rows}, of which START..END has those from START to before END"
    )]
    Rows {
        /// The first.
        start: usize,
        /// One past the last.
        end: usize,
        /// The table's rows.
        rows: usize,
    },
    /// An autocorrelation of an autocorrelation.
    #[error("an autocorrelation is computed from a Walsh spectrum, and this is an autocorrelation")]
    NotWalsh,
    /// No way to do it suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// The transform failed.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// The device failed, or an object is on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl LibraryError for TableError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::OutOfMemory { .. } => ErrorKind::Memory,
            _ => ErrorKind::Value,
        }
    }
}

impl LibraryError for BooleanError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TooManyVariables { .. } | Self::Rows { .. } => ErrorKind::Shape,
            Self::NotWalsh => ErrorKind::Check,
            Self::NoChoice(_) => ErrorKind::NoChoice,
            Self::Table(error) => error.kind(),
            Self::Spectral(error) => error.kind(),
            Self::Device(error) => error.kind(),
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        match self {
            Self::Table(error) => error.device_error(),
            Self::Spectral(error) => error.device_error(),
            Self::Device(error) => Some(error),
            _ => None,
        }
    }
}

//! Errors of factors, products and transforms, and of their texts.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_field::NoRoot;
use manycore_tuning::NoChoice;
use thiserror::Error;

/// Why a matrix is no factor, or a factor has no inverse.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FactorError {
    /// A matrix without rows, or an identity of order 0.
    #[error("a factor of order 0: the least order is 1")]
    Empty,
    /// A row that is not as long as there are rows.
    #[error("row {row} has {entries} entries in a matrix of {rows} rows: factors are square")]
    NotSquare {
        /// The row, from 0.
        row: usize,
        /// The matrix's rows.
        rows: usize,
        /// The row's entries.
        entries: usize,
    },
    /// A matrix of too many rows.
    #[error(
        "a matrix of order {order}: factors have at most {limit} rows, or {sign_limit} where all entries are 0, 1 and -1"
    )]
    TooLarge {
        /// The matrix's order.
        order: usize,
        /// The largest order of any matrix.
        limit: usize,
        /// The largest order of a matrix of zeros and signs.
        sign_limit: usize,
    },
    /// An entry that is no element of the ring.
    #[error("entry {value} in row {row}, column {column} is none of the {ring}")]
    Entry {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// The entry.
        value: String,
        /// The ring's name.
        ring: String,
    },
    /// No Hadamard matrix of that order is built.
    #[error("no Hadamard matrix of order {order}: the orders are 1, 2, 4, 8, 12, 16, 20, 24, 28 and 32")]
    NoHadamard {
        /// The order asked for.
        order: usize,
    },
    /// The field has no roots of unity of the order.
    #[error(transparent)]
    NoRoot(#[from] NoRoot),
    /// A root that is not real.
    #[error(
        "no root of unity of order {order} among the {ring}: the orders are 1 and 2; complex numbers have all orders"
    )]
    NoRealRoot {
        /// The order asked for.
        order: u64,
        /// The ring's name.
        ring: String,
    },
    /// The matrix has no inverse.
    #[error("the matrix has no inverse: column {column} depends on those before it")]
    Singular {
        /// The first column without a pivot.
        column: usize,
    },
    /// The inverse's divisor is 0 in the ring, or does not fit its word.
    #[error("the inverse is a matrix divided by {divisor}, which the {ring} cannot do")]
    Divisor {
        /// The divisor.
        divisor: u64,
        /// The ring's name.
        ring: String,
    },
    /// The inverse over the integers, as integers over a divisor, does not fit the word.
    #[error("the inverse over the integers has the number {value}, which does not fit {ring}")]
    InverseTooLarge {
        /// An entry or the divisor.
        value: String,
        /// The ring's name.
        ring: String,
    },
}

/// Why a transform was not done.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum KroneckerError {
    /// Axes that an array does not have.
    #[cfg(feature = "ndarray")]
    #[error(transparent)]
    Axes(#[from] manycore_arrays::AxesError),
    /// More values than addresses.
    #[error("the product of the factors' orders passes the address space at factor {factor}, of order {order}")]
    Order {
        /// The first factor, from 0, with which the product is too large.
        factor: usize,
        /// Its order.
        order: usize,
    },
    /// More vectors than addresses.
    #[error("{batch} vectors of order {order} are more than memory can address")]
    Batch {
        /// The vectors.
        batch: usize,
        /// The order.
        order: usize,
    },
    /// A factor that cannot be used or inverted.
    #[error("factor {factor}: {error}")]
    Factor {
        /// The factor, from 0.
        factor: usize,
        /// What is wrong with it.
        error: FactorError,
    },
    /// A result is past the type of integers.
    #[error(
        "{}: its product, undivided, passes integers of {bits} bits; take wider ones or real numbers, or `wrapping` to compute modulo \
         2^{bits}",
        numbered("vector", *vector)
    )]
    Overflow {
        /// The vector, from 0; `None` of lanes of an array.
        vector: Option<usize>,
        /// The bits of the type.
        bits: u32,
    },
    /// A result of an inverse is no integer.
    #[error(
        "{} of the result is no integer: its numerator is no multiple of {divisor}; take real numbers, or `wrapping` to round",
        numbered("value", *index)
    )]
    Fraction {
        /// The first such value, from 0; `None` of lanes of an array, and past `2^32 - 2` on an OpenCL device.
        index: Option<usize>,
        /// The divisor.
        divisor: u64,
    },
    /// A buffer whose length is no whole number of vectors.
    #[error("{given} words are no whole number of vectors of {vector} words (order {order})")]
    Length {
        /// The buffer's words.
        given: usize,
        /// Words of a vector.
        vector: usize,
        /// The transform's order.
        order: usize,
    },
    /// A buffer of another number of vectors than a transform was planned for.
    #[error("{given} words for a transform that was planned for {expected}")]
    Planned {
        /// The words that the transform was planned for.
        expected: usize,
        /// The buffer's words.
        given: usize,
    },
    /// A plan that was made for another product or another kind of device.
    #[error("the plan is not one for this product on this device")]
    Plan,
    /// No candidate fits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// The device failed, or the buffer is on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

fn numbered(what: &str, number: Option<usize>) -> String {
    number.map_or_else(|| format!("a {what}"), |number| format!("{what} {number}"))
}

/// The names of factors in texts.
const NAMES: &str = "walsh, rm, arith, arith-inverse, h and an order, dft and an order, id or id and an order";

/// What is wrong with the text of a product.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// Nothing stands before, after or between the signs `x`.
    #[error("a factor is missing at place {place} of the product")]
    Missing {
        /// Which factor, from 1.
        place: usize,
    },
    /// No factor has this name.
    #[error("no factor is called {name:?}: there are {}", NAMES)]
    Unknown {
        /// The name.
        name: String,
    },
    /// A number that is missing or none.
    #[error("{text:?}: {what} must be a number from 1 to {limit}")]
    Number {
        /// What stands there.
        text: String,
        /// What the number would be.
        what: &'static str,
        /// The largest one.
        limit: usize,
    },
    /// A named factor that there is not.
    #[error("{name}: {error}")]
    Factor {
        /// The factor's name.
        name: String,
        /// What is wrong with it.
        error: FactorError,
    },
    /// A product that is too large.
    #[error(transparent)]
    Product(#[from] KroneckerError),
}

impl LibraryError for FactorError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Singular { .. } => ErrorKind::NoInverse,
            _ => ErrorKind::Value,
        }
    }
}

impl LibraryError for KroneckerError {
    fn kind(&self) -> ErrorKind {
        match self {
            #[cfg(feature = "ndarray")]
            Self::Axes(_) => ErrorKind::Shape,
            Self::Order { .. } | Self::Batch { .. } | Self::Length { .. } => ErrorKind::Shape,
            Self::Factor { .. } | Self::Fraction { .. } => ErrorKind::Value,
            Self::Overflow { .. } => ErrorKind::Overflow,
            Self::Planned { .. } | Self::Plan => ErrorKind::Plan,
            Self::NoChoice(_) => ErrorKind::NoChoice,
            Self::Device(error) => error.kind(),
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        match self {
            Self::Device(error) => Some(error),
            _ => None,
        }
    }
}

impl LibraryError for ParseError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Value
    }
}

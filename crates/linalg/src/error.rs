//! Errors of operations on matrices.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_field::Arithmetic;
use manycore_tuning::NoChoice;
use manycore_verify::CheckError;

use crate::bits::plan::BitProductPlan;
use crate::modular::multiply::plan::ProductPlan;
use crate::real::options::RealPlan;

/// Rows and columns of a matrix.
pub type Shape = (usize, usize);

/// Why an operation on matrices was not done. Every variant carries the numbers that it is about.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinalgError {
    /// An entry that is no residue of the modulus.
    #[error("entry ({row}, {column}) is {value}, which is no residue mod {modulus}")]
    OutOfRange {
        /// The entry's row, from 0.
        row: usize,
        /// The entry's column, from 0.
        column: usize,
        /// The entry.
        value: u64,
        /// The modulus.
        modulus: u64,
    },
    /// A floating-point entry that is infinite or no number.
    #[error("entry ({row}, {column}) is {value}, which is not finite")]
    NotFinite {
        /// The entry's row, from 0.
        row: usize,
        /// The entry's column, from 0.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// A computation in double precision whose numbers are out of range.
    #[error("numbers are out of range in step {step}")]
    Overflow {
        /// The step of the elimination, from 0.
        step: usize,
    },
    /// Entries that are not as many as a matrix has.
    #[error("{given} entries do not make {rows} rows of {columns}")]
    Entries {
        /// The number of entries.
        given: usize,
        /// The rows asked for.
        rows: usize,
        /// The columns asked for.
        columns: usize,
    },
    /// A matrix with more rows, columns or entries than memory can be addressed for.
    #[error("a matrix of {rows} rows and {columns} columns is too large")]
    TooLarge {
        /// The rows.
        rows: usize,
        /// The columns.
        columns: usize,
    },
    /// Memory of a device that does not hold the smallest blocks of an operation.
    #[error("{operation} takes {wanted_bytes} bytes of a device in the smallest blocks, and may take {limit_bytes}")]
    Memory {
        /// The operation.
        operation: &'static str,
        /// Bytes of the smallest blocks.
        wanted_bytes: u64,
        /// Bytes that it may take.
        limit_bytes: u64,
    },
    /// A matrix that is not square, for an operation on square ones.
    #[error("{operation} of a matrix of {rows} rows and {columns} columns, which is not square")]
    NotSquare {
        /// The operation.
        operation: &'static str,
        /// The rows.
        rows: usize,
        /// The columns.
        columns: usize,
    },
    /// Two matrices whose shapes do not fit an operation.
    #[error("{operation} of matrices of {} by {} and {} by {} entries", left.0, left.1, right.0, right.1)]
    Shapes {
        /// The operation.
        operation: &'static str,
        /// Rows and columns of the first.
        left: Shape,
        /// Rows and columns of the second.
        right: Shape,
    },
    /// A matrix over another field.
    #[error("a matrix mod {given} is used with matrices mod {expected}")]
    MixedFields {
        /// The modulus of the context.
        expected: u64,
        /// The matrix's modulus.
        given: u64,
    },
    /// A matrix without inverse.
    #[error("the matrix has no inverse: its rank is {rank}, its order {order}")]
    Singular {
        /// The rank.
        rank: usize,
        /// The order.
        order: usize,
    },
    /// A matrix of a batch without inverse.
    #[error("matrix {index} of the batch has no inverse; its order is {order}")]
    SingularMember {
        /// Its index, the first of such.
        index: usize,
        /// The order.
        order: usize,
    },
    /// An arithmetic's range does not hold the prime.
    #[error("{arithmetic} do not hold residues modulo {p}")]
    Arithmetic {
        /// The arithmetic.
        arithmetic: Arithmetic,
        /// The modulus.
        p: u64,
    },
    /// A plan of products that is none of the device's.
    #[error("products by {plan} are not made on {device}")]
    Plan {
        /// The plan.
        plan: ProductPlan,
        /// The device's name.
        device: String,
    },
    /// A plan of products of matrices of bits that is none of the device's.
    #[error("products of matrices of bits by {plan} are not made on {device}")]
    BitPlan {
        /// The plan.
        plan: BitProductPlan,
        /// The device's name.
        device: String,
    },
    /// A plan of elimination of doubles that the device cannot run for a matrix of the order.
    #[error("a matrix of order {order} is not eliminated by {plan} on {device}")]
    RealPlan {
        /// The plan.
        plan: RealPlan,
        /// The order.
        order: usize,
        /// The device's name.
        device: String,
    },
    /// A part of a result that is not among its parts.
    #[error("part {part} is none of {parts}, which count from 0")]
    Part {
        /// The part.
        part: usize,
        /// The number of parts.
        parts: usize,
    },
    /// Parts that make no result.
    #[error("the parts make no determinant: {reason}")]
    Parts {
        /// What does not fit.
        reason: String,
    },
    /// No candidate suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// A device that gave pivots which are none: it, or a transfer from it, failed without a word.
    #[error("{device} gave a pivot in row {row} and column {column}, where there is none")]
    Pivot {
        /// The device's name.
        device: String,
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// A device whose work-groups waited for each other in vain: it, or a transfer to it, failed without a word.
    #[error("work-groups of {device} waited for each other in vain")]
    Stalled {
        /// The device's name.
        device: String,
    },
    /// A result that no prime proved, of more than can fail to: the device, or a transfer to it, failed without a word.
    #[error("{device} computed nothing that could be proved")]
    Unproved {
        /// The device's label.
        device: String,
    },
    /// The check of a result could not be made.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The device failed, or a matrix is on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl LibraryError for LinalgError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::OutOfRange { .. }
            | Self::NotFinite { .. }
            | Self::MixedFields { .. }
            | Self::Arithmetic { .. }
            | Self::Part { .. }
            | Self::Parts { .. } => ErrorKind::Value,
            Self::Overflow { .. } => ErrorKind::Overflow,
            Self::Entries { .. } | Self::TooLarge { .. } | Self::NotSquare { .. } | Self::Shapes { .. } => {
                ErrorKind::Shape
            }
            Self::Singular { .. } | Self::SingularMember { .. } => ErrorKind::NoInverse,
            Self::Plan { .. } | Self::BitPlan { .. } | Self::RealPlan { .. } => ErrorKind::Plan,
            Self::Memory { .. } => ErrorKind::Memory,
            Self::NoChoice(_) => ErrorKind::NoChoice,
            Self::Check(_) => ErrorKind::Check,
            Self::Pivot { .. } | Self::Stalled { .. } | Self::Unproved { .. } => ErrorKind::Device,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_numbers_and_kinds() {
        let shapes = LinalgError::Shapes { operation: "product", left: (2, 3), right: (4, 5) };
        assert_eq!(shapes.to_string(), "product of matrices of 2 by 3 and 4 by 5 entries");
        assert_eq!(shapes.kind(), ErrorKind::Shape);
        let singular = LinalgError::Singular { rank: 3, order: 4 };
        assert_eq!(singular.to_string(), "the matrix has no inverse: its rank is 3, its order 4");
        assert_eq!(singular.kind(), ErrorKind::NoInverse);
        let entry = LinalgError::OutOfRange { row: 1, column: 2, value: 9, modulus: 7 };
        assert_eq!(entry.to_string(), "entry (1, 2) is 9, which is no residue mod 7");
        assert_eq!(entry.kind(), ErrorKind::Value);
    }
}

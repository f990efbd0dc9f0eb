//! Errors of moduli, residues and slices.

use manycore_device::{ErrorKind, LibraryError};
use thiserror::Error;

/// A number that is not the modulus of a prime field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum NotPrime {
    /// The number is 0.
    #[error("the modulus is 0, and must be a prime")]
    Zero,
    /// The number is 1.
    #[error("the modulus is 1, and must be a prime: mod 1 there is no element but zero")]
    One,
    /// The number is even and not 2.
    #[error("the modulus {n} is even, and must be a prime")]
    Even {
        /// The number.
        n: u64,
    },
    /// The number has a divisor.
    #[error("the modulus {n} is not prime: it is {factor} times {}", n / factor)]
    Composite {
        /// The number.
        n: u64,
        /// Its least prime divisor.
        factor: u64,
    },
    /// The number is beyond what the word holds with one bit to spare.
    #[error("the modulus {n} is too large: it must be below {limit} for residues in words of {bits} bits", bits = 64 - limit.leading_zeros())]
    TooLarge {
        /// The number.
        n: u64,
        /// The bound that it must be below.
        limit: u64,
    },
}

/// A word that is not a residue of the modulus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("element {index} is {value}, and must be below the modulus {modulus}")]
pub struct OutOfRange {
    /// Where it stands in the slice.
    pub index: usize,
    /// The word.
    pub value: u64,
    /// The modulus.
    pub modulus: u64,
}

/// A zero where every element must have an inverse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("element {index} is zero, which has no inverse")]
pub struct ZeroAt {
    /// The index of the first zero.
    pub index: usize,
}

/// An order that no root of unity has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error(
    "no root of unity mod {modulus} has order {order}: the orders are the divisors of {}, \
     the powers of two among them end at 2^{two_adicity}, and the largest divisor of {order} among them is {largest}",
    modulus - 1
)]
pub struct NoRoot {
    /// The order asked for.
    pub order: u64,
    /// The modulus.
    pub modulus: u64,
    /// The greatest common divisor of the order and the modulus less one: the largest order that there is among the
    /// divisors of the order asked for.
    pub largest: u64,
    /// The exponent of two in the modulus less one.
    pub two_adicity: u32,
}

/// Two slices that must be equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("slices of {left} and {right} elements must be equally long")]
pub struct LengthMismatch {
    /// The length of the first.
    pub left: usize,
    /// The length of the other.
    pub right: usize,
}

impl LibraryError for NotPrime {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Value
    }
}

impl LibraryError for OutOfRange {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Value
    }
}

impl LibraryError for NoRoot {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Value
    }
}

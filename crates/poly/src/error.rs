//! Errors of operations on polynomials.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_field::{Arithmetic, OutOfRange};
use manycore_ntt::NttError;
use manycore_tuning::NoChoice;

use crate::arithmetic::divide::plan::DivisionAlgorithm;
use crate::arithmetic::gcd::plan::GcdAlgorithm;
use crate::arithmetic::multiply::plan::Algorithm;
use crate::arithmetic::multiply::transform::error::ProductError;

/// Why an operation on polynomials was not done. Every variant carries the numbers that it is about.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolyError {
    /// A word that is no residue of the ring's modulus.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A text that is no polynomial.
    #[error("character {position}, {found}: expected {expected}")]
    Text {
        /// Where, from 1.
        position: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// Polynomials over different fields.
    #[error("a polynomial mod {given} is used in the ring of polynomials mod {expected}")]
    MixedRings {
        /// The ring's modulus.
        expected: u64,
        /// The other polynomial's modulus.
        given: u64,
    },
    /// An arithmetic's range does not hold the prime.
    #[error("{arithmetic} do not hold residues modulo {p}")]
    Arithmetic {
        /// The arithmetic.
        arithmetic: Arithmetic,
        /// The modulus.
        p: u64,
    },
    /// A length that no memory holds.
    #[error("{what} has more coefficients than memory can be addressed for")]
    TooLong {
        /// What would be so long.
        what: &'static str,
    },
    /// A reversal that would drop coefficients.
    #[error("a polynomial of {len} coefficients cannot be reversed as one of degree at most {degree}")]
    Degree {
        /// The polynomial's number of coefficients.
        len: usize,
        /// The formal degree asked for.
        degree: usize,
    },
    /// A formal degree below a polynomial's own.
    #[error("a polynomial of {len} coefficients does not count as one of degree {degree}")]
    FormalDegree {
        /// The polynomial's number of coefficients.
        len: usize,
        /// The formal degree asked for.
        degree: usize,
    },
    /// Coefficients that do not make whole polynomials of a batch, or batches of different sizes.
    #[error("{given} coefficients do not make {count} polynomials of {len}")]
    Batch {
        /// The number of coefficients.
        given: usize,
        /// The number of polynomials.
        count: usize,
        /// Coefficients of each.
        len: usize,
    },
    /// The first and last coefficient of a product that are not a range.
    #[error("coefficients {start}..{end} of a product are no range")]
    Range {
        /// The first.
        start: usize,
        /// One past the last.
        end: usize,
    },
    /// A division by the zero polynomial.
    #[error("division by the zero polynomial")]
    ZeroDivisor,
    /// A division by the zero polynomial in a batch.
    #[error("polynomial {index} of the divisors is zero")]
    ZeroDivisorAt {
        /// Its index in the batch.
        index: usize,
    },
    /// A quotient that was to be exact has a remainder.
    #[error("the quotient is not exact: the remainder has degree {degree}")]
    NotExact {
        /// The remainder's degree.
        degree: usize,
    },
    /// A polynomial that has no inverse: it and the modulus have a common factor.
    #[error("the polynomial has no inverse: its greatest common divisor with the modulus is {}", shown(gcd))]
    NotInvertible {
        /// The greatest common divisor, monic, the constant term first; no coefficients for the zero polynomial.
        gcd: Vec<u64>,
    },
    /// A power series without constant term, which has no inverse.
    #[error("the power series has no inverse: its constant term is zero")]
    NoUnit,
    /// A power series whose constant term is not the one that an operation needs.
    #[error("{operation} needs the constant term {expected}, and it is {given}")]
    ConstantTerm {
        /// The operation.
        operation: &'static str,
        /// The constant term needed.
        expected: u64,
        /// The constant term.
        given: u64,
    },
    /// More coefficients than the characteristic lets an operation compute.
    #[error("{operation} to {n} coefficients divides by the integers below {n}, and {p} is zero modulo {p}")]
    Characteristic {
        /// The operation.
        operation: &'static str,
        /// The coefficients asked for.
        n: usize,
        /// The modulus.
        p: u64,
    },
    /// An operation that divides by 2, modulo 2.
    #[error("{operation} divides by 2, which is zero modulo 2")]
    CharacteristicTwo {
        /// The operation.
        operation: &'static str,
    },
    /// A power series that is no square.
    #[error("the power series has no square root: its lowest term is {coefficient} x^{power} modulo {p}")]
    NoSquareRoot {
        /// Its lowest coefficient other than zero.
        coefficient: u64,
        /// The power of x that it stands at.
        power: usize,
        /// The modulus.
        p: u64,
    },
    /// A power series without compositional inverse.
    #[error("the power series has no compositional inverse: its coefficient of x is zero")]
    NoReversion,
    /// Moduli of Chinese remainders that have a common factor.
    #[error("modulus {index} has a common factor with another one")]
    NotCoprime {
        /// The index of one.
        index: usize,
    },
    /// Remainders that are not as many as moduli.
    #[error("{remainders} remainders for {moduli} moduli")]
    Remainders {
        /// The number of moduli.
        moduli: usize,
        /// The number of remainders.
        remainders: usize,
    },
    /// Interpolation at points two of which are equal.
    #[error("points {} and {} are equal", first + 1, second + 1)]
    RepeatedPoint {
        /// The index of one, from 0, where the message counts from 1.
        first: usize,
        /// The index of the other, from 0.
        second: usize,
    },
    /// A subinverse tree of another subproduct tree.
    #[error("a subinverse tree of {given} levels for a subproduct tree that has {levels} below its root")]
    Inverses {
        /// The levels of the subinverse tree.
        given: usize,
        /// The levels of the subproduct tree.
        levels: usize,
    },
    /// Values that are not as many as points.
    #[error("{values} values for {points} points")]
    Values {
        /// The number of points.
        points: usize,
        /// The number of values.
        values: usize,
    },
    /// The zero polynomial, which is no product of irreducible polynomials.
    #[error("the zero polynomial has no factorization")]
    ZeroHasNoFactors,
    /// The zero polynomial, whose roots are not listed.
    #[error("every element of the field is a root of the zero polynomial")]
    EveryElementIsRoot,
    /// A polynomial with a factor that is there more than once, where there must be none.
    #[error("the polynomial is not squarefree: it and its derivative have a common factor of degree {degree}")]
    NotSquarefree {
        /// The degree of the greatest common divisor with the derivative.
        degree: usize,
    },
    /// A polynomial with an irreducible factor of another degree than it was said to have.
    #[error("not all irreducible factors have degree {degree}")]
    NotEqualDegree {
        /// The degree that all were to have.
        degree: usize,
    },
    /// An algorithm that does not serve this product on this device.
    #[error("products by {algorithm} on {device}: {reason}")]
    Algorithm {
        /// The algorithm.
        algorithm: Algorithm,
        /// The device's name.
        device: String,
        /// Why not.
        reason: String,
    },
    /// An algorithm that does not serve a division on this device.
    #[error("division by {algorithm} on {device}: {reason}")]
    Division {
        /// The algorithm.
        algorithm: DivisionAlgorithm,
        /// The device's name.
        device: String,
        /// Why not.
        reason: String,
    },
    /// An algorithm that does not serve these polynomials on this device.
    #[error("greatest common divisors by {algorithm} on {device}: {reason}")]
    Gcd {
        /// The algorithm.
        algorithm: GcdAlgorithm,
        /// The device's name.
        device: String,
        /// Why not.
        reason: String,
    },
    /// The two-phase algorithm's rows do not fit the device.
    #[error(
        "the rows between the two phases of {n} by {m} coefficients with x = {x} need {wanted_bytes} bytes; \
         {device} allocates at most {limit_bytes}"
    )]
    Rows {
        /// Coefficients of the longer factor.
        n: usize,
        /// Coefficients of the shorter factor.
        m: usize,
        /// Coefficients of the shorter factor for each row.
        x: usize,
        /// `ceil(m / x) (n + x - 1)` words.
        wanted_bytes: u64,
        /// The largest allocation.
        limit_bytes: u64,
        /// The device's name.
        device: String,
    },
    /// A number from a device that cannot be: the device, or a transfer to or from it, failed without a word.
    #[error("{device} gave {value} for {what}, which must be from {least} to {most}")]
    Spoiled {
        /// The device's name.
        device: String,
        /// What the number is.
        what: &'static str,
        /// The number.
        value: usize,
        /// The least one that can be.
        least: usize,
        /// The largest one that can be.
        most: usize,
    },
    /// A polynomial that was not split into factors of equal degree, although each draw splits such a product with a chance
    /// of 4/9 or more: it is none, as where a device failed without a word.
    #[error("{draws} draws did not split a polynomial of degree {degree} into factors of degree {of_each}")]
    NotSplit {
        /// The degree of the polynomial.
        degree: usize,
        /// The degree that all its irreducible factors were to have.
        of_each: usize,
        /// The draws.
        draws: u32,
    },
    /// A polynomial that a step found as a factor and that is none: a device, or a transfer, failed without a word.
    #[error("a polynomial of degree {degree} was found as a factor of one of degree {of}, and does not divide it")]
    NoFactor {
        /// Its degree; 0 for the zero polynomial too.
        degree: usize,
        /// The degree of the polynomial that it was to divide.
        of: usize,
    },
    /// No way to do it suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// A product by number-theoretic transforms was not done.
    #[error("products by transforms: {0}")]
    Transform(ProductError),
    /// The check of a product could not be made.
    #[error(transparent)]
    Check(manycore_verify::CheckError),
    /// The device failed, or a polynomial is on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// A polynomial in words, the terms past the first few left out.
fn shown(coefficients: &[u64]) -> String {
    const MOST_TERMS: usize = 8;
    let term = |(power, &c): (usize, &u64)| match (power, c) {
        (0, c) => c.to_string(),
        (1, 1) => "x".to_owned(),
        (1, c) => format!("{c} x"),
        (power, 1) => format!("x^{power}"),
        (power, c) => format!("{c} x^{power}"),
    };
    let mut terms: Vec<String> = coefficients.iter().enumerate().rev().filter(|(_, c)| **c != 0).map(term).collect();
    if terms.len() > MOST_TERMS {
        terms.truncate(MOST_TERMS);
        terms.push("...".to_owned());
    }
    if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
}

impl From<ProductError> for PolyError {
    fn from(error: ProductError) -> Self {
        match error {
            ProductError::Device(error) | ProductError::Transform(NttError::Device(error)) => Self::Device(error),
            error => Self::Transform(error),
        }
    }
}

impl From<NttError> for PolyError {
    fn from(error: NttError) -> Self {
        ProductError::from(error).into()
    }
}

impl LibraryError for PolyError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::OutOfRange(_)
            | Self::Text { .. }
            | Self::MixedRings { .. }
            | Self::NotExact { .. }
            | Self::ConstantTerm { .. }
            | Self::Characteristic { .. }
            | Self::CharacteristicTwo { .. }
            | Self::NotCoprime { .. }
            | Self::RepeatedPoint { .. }
            | Self::NotSquarefree { .. }
            | Self::NotEqualDegree { .. } => ErrorKind::Value,
            Self::TooLong { .. }
            | Self::Degree { .. }
            | Self::FormalDegree { .. }
            | Self::Batch { .. }
            | Self::Range { .. }
            | Self::Remainders { .. }
            | Self::Inverses { .. }
            | Self::Values { .. }
            | Self::Rows { .. } => ErrorKind::Shape,
            Self::ZeroDivisor | Self::ZeroDivisorAt { .. } | Self::NotInvertible { .. } | Self::NoUnit => {
                ErrorKind::NoInverse
            }
            Self::NoSquareRoot { .. } | Self::NoReversion | Self::ZeroHasNoFactors | Self::EveryElementIsRoot => {
                ErrorKind::NoAnswer
            }
            Self::Arithmetic { .. } | Self::Algorithm { .. } | Self::Division { .. } | Self::Gcd { .. } => {
                ErrorKind::Plan
            }
            Self::Spoiled { .. } | Self::NotSplit { .. } | Self::NoFactor { .. } => ErrorKind::Device,
            Self::NoChoice(_) => ErrorKind::NoChoice,
            Self::Check(_) => ErrorKind::Check,
            Self::Transform(error) => error.kind(),
            Self::Device(error) => error.kind(),
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        match self {
            Self::Transform(error) => error.device_error(),
            Self::Device(error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spoiled_numbers_are_told_with_their_range() {
        let (device, what) = ("opencl:0".to_owned(), "the degree of a transition");
        let error = PolyError::Spoiled { device, what, value: 9, least: 1, most: 4 };
        assert_eq!(error.to_string(), "opencl:0 gave 9 for the degree of a transition, which must be from 1 to 4");
    }

    #[test]
    fn polynomials_in_errors_are_short() {
        assert_eq!((shown(&[]), shown(&[0, 0]), shown(&[5])), ("0".into(), "0".into(), "5".into()));
        assert_eq!(shown(&[3, 1, 0, 2, 1]), "x^4 + 2 x^3 + x + 3");
        assert_eq!(shown(&[2; 10]), "2 x^9 + 2 x^8 + 2 x^7 + 2 x^6 + 2 x^5 + 2 x^4 + 2 x^3 + 2 x^2 + ...");
        let error = PolyError::NotInvertible { gcd: vec![1, 1] };
        assert!(error.to_string().ends_with("with the modulus is x + 1"), "{error}");
    }
}

//! Why an operation on bivariate polynomials was not done.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_field::OutOfRange;
use manycore_ntt::NttError;
use manycore_poly::PolyError;

/// Text that is no polynomial in two variables: the place and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {reason}")]
pub struct ParseError {
    /// The character's place in the text, from 1; one past the last character where the text ends too early.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

/// Why an operation on bivariate polynomials was not done. Every variant carries the numbers that it is about.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BivariateError {
    /// Text that is no polynomial.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A word that is no residue of the modulus.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A check that would compare nothing: no answer, and no success.
    #[error("not checked: {reason}")]
    NotChecked {
        /// Why not.
        reason: &'static str,
    },
    /// Polynomials over different fields.
    #[error("a polynomial mod {given} is used in the ring of polynomials mod {expected}")]
    MixedFields {
        /// The ring's modulus.
        expected: u64,
        /// The other polynomial's modulus.
        given: u64,
    },
    /// A degree that is not computed with.
    #[error("{variable} to the power {degree}, where powers up to {limit} are taken")]
    Degree {
        /// The variable.
        variable: char,
        /// The power.
        degree: usize,
        /// The highest one.
        limit: usize,
    },
    /// More coefficients than are stored: all those of the rectangle of both degrees count.
    #[error("degrees {degree_x} in x and {degree_y} in y make more than {limit} coefficients")]
    TooLarge {
        /// The degree in `x`.
        degree_x: usize,
        /// The degree in `y`.
        degree_y: usize,
        /// The most coefficients.
        limit: usize,
    },
    /// A part of the primes that there is not.
    #[error("part {part}, from 0, of {parts} parts")]
    Part {
        /// Its number, from 0.
        part: usize,
        /// The number of parts.
        parts: usize,
    },
    /// Residues that are not all those of one resultant, each once.
    #[error("residues of a resultant: {reason}")]
    Parts {
        /// What is wrong with them.
        reason: &'static str,
    },
    /// Two zero polynomials, whose common zeros are the whole plane.
    #[error("both polynomials are zero: every point is a solution")]
    WholePlane,
    /// A subresultant that there is not.
    #[error("subresultant {index} of polynomials of the degrees {m} and {n}: there are those below {}", m.min(n))]
    Index {
        /// The subresultant's index.
        index: usize,
        /// The first polynomial's degree in the eliminated variable.
        m: usize,
        /// The other polynomial's.
        n: usize,
    },
    /// A resultant of a degree that no memory holds.
    #[error(
        "the resultant has a degree of up to {bound}, and subresultants as many words again: more than memory holds"
    )]
    Bound {
        /// The bound of its degree.
        bound: usize,
    },
    /// Points that no linear form over the field separates, or none of many tried forms.
    #[error("no form x + c*y with c mod {modulus} tells apart {points} points")]
    NoForm {
        /// The number of points, with multiplicities in `y`.
        points: usize,
        /// The modulus.
        modulus: u64,
    },
    /// Images modulo primes that fit no result over the rationals: the device or the memory is broken.
    #[error("images modulo {primes} primes fit no result over the rationals: the computation went wrong")]
    NotReconstructed {
        /// The number of primes taken.
        primes: usize,
    },
    /// A step that is exact in every case had a remainder: the device or the memory is broken.
    #[error("{what} is not exact: the computation went wrong")]
    Inconsistent {
        /// The step.
        what: &'static str,
    },
    /// Univariate polynomials.
    #[error(transparent)]
    Poly(#[from] PolyError),
    /// Transforms.
    #[error(transparent)]
    Ntt(#[from] NttError),
    /// The device failed, or has not the memory.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl LibraryError for BivariateError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Parse(_)
            | Self::OutOfRange(_)
            | Self::MixedFields { .. }
            | Self::WholePlane
            | Self::NoForm { .. }
            | Self::Part { .. }
            | Self::Parts { .. } => ErrorKind::Value,
            Self::Degree { .. } | Self::TooLarge { .. } | Self::Index { .. } | Self::Bound { .. } => ErrorKind::Shape,
            Self::NotReconstructed { .. } | Self::Inconsistent { .. } => ErrorKind::Device,
            Self::NotChecked { .. } => ErrorKind::Check,
            Self::Poly(error) => error.kind(),
            Self::Ntt(error) => error.kind(),
            Self::Device(error) => error.kind(),
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        match self {
            Self::Poly(error) => error.device_error(),
            Self::Ntt(error) => error.device_error(),
            Self::Device(error) => Some(error),
            _ => None,
        }
    }
}

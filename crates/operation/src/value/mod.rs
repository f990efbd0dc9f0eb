//! Results: numbers, polynomials, matrices and parts of them, as text, JSON, or in the language of Sage or PARI/GP.

mod json;
mod language;
mod text;

use std::io::{self, Write};

use manycore_files::{Format, write_npy_matrix};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde::Serialize;

use crate::left;
use crate::streamed::Streamed;
use crate::vector::Vector;

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A residue, or a number of something.
    Number(u64),
    /// An element of a prime field.
    Element(u64),
    /// An integer of any size.
    Integer(BigInt),
    /// A polynomial modulo a prime.
    Polynomial(Polynomial<u64>),
    /// A polynomial over the rationals.
    RationalPolynomial(Polynomial<BigRational>),
    /// Elements of a prime field.
    Elements(Vec<u64>),
    /// Polynomials modulo a prime, each with its name.
    Polynomials(Vec<(&'static str, Vec<u64>)>),
    /// A leading coefficient, and monic polynomials with their multiplicities.
    Factors(u64, Vec<(Vec<u64>, usize)>),
    /// A matrix of residues, row after row.
    Matrix {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// `rows * columns` entries.
        entries: Vec<u64>,
    },
    /// A matrix of integers of any size, row after row.
    Integers {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// `rows * columns` entries.
        entries: Vec<BigInt>,
    },
    /// A matrix of fractions in lowest terms, row after row.
    Fractions {
        /// Its columns.
        columns: usize,
        /// Its entries.
        entries: Vec<BigRational>,
    },
    /// Integers or fractions.
    Rationals(Vec<BigRational>),
    /// Lists and matrices, one behind the other.
    Parts(Vec<Part>),
    /// A number of any exponent, with a bound of its error.
    Bounded(Bounded),
    /// Numbers of one of the types of vectors.
    Vector(Vector),
    /// Numbers in a file without a name, because memory does not hold them.
    Left(left::Written),
    /// Values 0 and 1.
    Bits(Vec<u8>),
    /// Words of 64 values 0 and 1, hexadecimal in texts.
    Words(Vec<u64>),
    /// What has a text and a JSON form of its own, such as a list of facts.
    Shown {
        /// Its text, with the ends of its lines.
        text: String,
        /// The value as JSON.
        json: serde_json::Value,
    },
    /// A table of small integers, row after row, such as counts.
    Table {
        /// Its columns.
        columns: usize,
        /// Its entries.
        entries: Vec<i32>,
    },
    /// What writes itself, piece by piece.
    Streamed(Streamed),
    /// A page of HTML.
    Page(String),
    /// That there is none, such as no solution.
    None,
}

/// A polynomial in one variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polynomial<C> {
    /// The name of the variable.
    pub variable: String,
    /// Its coefficients, the constant term first; none of zero.
    pub coefficients: Vec<C>,
}

impl<C> Polynomial<C> {
    /// One in `x`.
    pub fn in_x(coefficients: Vec<C>) -> Self {
        Self { variable: "x".to_owned(), coefficients }
    }
}

/// A part of a result: a list or a matrix of integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its name in texts.
    pub name: &'static str,
    /// Its name in JSON.
    pub key: &'static str,
    /// The columns of a matrix, row after row; `None` of a list.
    pub columns: Option<usize>,
    /// Its integers.
    pub entries: Vec<BigInt>,
}

/// A number `mantissa 2^exponent` with a bound of its error.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bounded {
    /// Its text, with the digits that are known.
    #[serde(skip)]
    pub text: String,
    /// 1, 0 or -1; 0 of what is no number.
    pub sign: i8,
    /// The size of the mantissa.
    pub mantissa: f64,
    /// The exponent of two.
    pub exponent2: i64,
    /// The natural logarithm of the size.
    #[serde(serialize_with = "json::real")]
    pub log_abs: f64,
    /// The true number differs by at most so much; `None` where no bound is known.
    pub error_bound: Option<Bound>,
}

/// A bound of an error, `mantissa 2^exponent2`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bound {
    /// The mantissa.
    #[serde(serialize_with = "json::real")]
    pub mantissa: f64,
    /// The exponent of two.
    pub exponent2: i64,
}

impl Value {
    /// One of several polynomials instead of all.
    #[must_use]
    pub fn only(self, wanted: Option<&str>) -> Self {
        match (self, wanted) {
            (Self::Polynomials(parts), Some(wanted)) => {
                let part = parts.into_iter().find(|(name, _)| *name == wanted);
                Self::Polynomial(Polynomial::in_x(part.map_or(Vec::new(), |(_, words)| words)))
            }
            (value, _) => value,
        }
    }

    /// Writes it as a `.npy` array.
    ///
    /// # Errors
    /// Those of `out`; [`io::ErrorKind::InvalidData`] of what no array holds.
    pub fn write_array(&self, out: &mut dyn Write) -> io::Result<()> {
        let no_array = |why| Err(io::Error::new(io::ErrorKind::InvalidData, why));
        match self {
            Self::Polynomial(Polynomial { coefficients: words, .. }) | Self::Elements(words) | Self::Words(words) => {
                Format::Npy.write(out, words)
            }
            Self::Bits(bits) => Format::Npy.write(out, bits),
            Self::Left(written) => written.write(Format::Npy, out),
            Self::Vector(Vector::I32(values)) => Format::Npy.write(out, values),
            Self::Vector(Vector::I64(values)) => Format::Npy.write(out, values),
            Self::Vector(Vector::F32(values)) => Format::Npy.write(out, values),
            Self::Vector(Vector::F64(values)) => Format::Npy.write(out, values),
            Self::Matrix { rows, columns, entries } => write_npy_matrix(out, *rows, *columns, entries),
            Self::Streamed(streamed) => streamed.write_array(out),
            Self::None => no_array("there is no solution, which no array tells: write text or JSON"),
            Self::Fractions { .. }
            | Self::Integers { .. }
            | Self::Rationals(_)
            | Self::RationalPolynomial(_)
            | Self::Parts(_) => no_array("numbers of any size, which no array holds: write text or JSON"),
            Self::Number(_)
            | Self::Element(_)
            | Self::Integer(_)
            | Self::Polynomials(_)
            | Self::Factors(..)
            | Self::Bounded(_)
            | Self::Shown { .. }
            | Self::Table { .. }
            | Self::Page(_) => no_array("no list or matrix of numbers, which no array holds: write text or JSON"),
        }
    }
}

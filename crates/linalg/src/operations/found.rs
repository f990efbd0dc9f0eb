//! Results over a field, as words of it, and what they become.

use manycore_field::ResidueWord;
use manycore_operation::{Part, Polynomial, Value};
use num_bigint::BigInt;

use crate::bits::{BitAlgebra, BitMatrix};
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::decompose::Permutation;
use crate::modular::matrix::Matrix;

/// A result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found<T> {
    /// A number of something.
    Count(usize),
    /// An element of the field.
    Element(T),
    /// The coefficients of a polynomial, the constant term first.
    Polynomial(Vec<T>),
    /// A matrix, row after row.
    Matrix(Entries<T>),
    /// A solution, and the dimension of all of them.
    Point(Entries<T>, usize),
    /// Lists of places and factors.
    Parts(Vec<Piece<T>>),
    /// There is no result.
    None,
}

/// A matrix of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entries<T> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) words: Vec<T>,
}

/// A part of a decomposition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<T> {
    /// Rows or columns of the matrix, with their name.
    Places(&'static str, Vec<usize>),
    /// A factor, with its names in texts and in JSON.
    Factor([&'static str; 2], Entries<T>),
}

pub(super) const LOWER: [&str; 2] = ["L", "lower"];
pub(super) const UPPER: [&str; 2] = ["U", "upper"];

impl<T: ResidueWord> Entries<T> {
    /// Of a matrix on a device.
    pub(super) fn of<F: MatrixField<Element = T>>(
        space: &LinearAlgebra<F>,
        a: &Matrix<F>,
    ) -> Result<Self, LinalgError> {
        Ok(Self { rows: a.rows(), columns: a.columns(), words: space.entries(a)? })
    }

    /// Of a matrix of bits.
    pub(super) fn of_bits(space: &BitAlgebra, a: &BitMatrix) -> Result<Self, LinalgError> {
        Ok(Self { rows: a.rows(), columns: a.columns(), words: space.residues(a)? })
    }
}

impl<T: ResidueWord> Piece<T> {
    pub(super) fn places(name: &'static str, order: &Permutation) -> Self {
        Self::Places(name, order.images().to_vec())
    }

    fn part(self) -> Part {
        match self {
            Self::Places(name, places) => {
                Part { name, key: name, columns: None, entries: places.into_iter().map(BigInt::from).collect() }
            }
            Self::Factor([name, key], Entries { columns, words, .. }) => {
                let entries = words.into_iter().map(|word| word.as_u64().into()).collect();
                Part { name, key, columns: Some(columns), entries }
            }
        }
    }
}

impl<T: ResidueWord> Found<T> {
    /// The words of a matrix, a polynomial or an element; none of others.
    pub(super) fn words(&self) -> &[T] {
        match self {
            Self::Element(element) => std::slice::from_ref(element),
            Self::Polynomial(words) | Self::Matrix(Entries { words, .. }) | Self::Point(Entries { words, .. }, _) => {
                words
            }
            Self::Count(_) | Self::Parts(_) | Self::None => &[],
        }
    }

    /// The places of a part; none where there is no such part.
    pub(super) fn places(&self, wanted: &str) -> &[usize] {
        let Self::Parts(pieces) = self else { return &[] };
        let of = |piece| {
            if let &Piece::Places(name, ref places) = piece { (name == wanted).then_some(&places[..]) } else { None }
        };
        pieces.iter().find_map(of).unwrap_or_default()
    }

    /// The words of a factor, by its name in JSON; none where there is no such factor.
    pub(super) fn factor(&self, wanted: [&str; 2]) -> &[T] {
        let Self::Parts(pieces) = self else { return &[] };
        let of = |piece| {
            if let &Piece::Factor(name, ref factor) = piece {
                (name == wanted).then_some(&factor.words[..])
            } else {
                None
            }
        };
        pieces.iter().find_map(of).unwrap_or_default()
    }

    /// As it is written.
    pub(super) fn value(self) -> Value {
        let residues = |words: Vec<T>| words.into_iter().map(T::as_u64).collect();
        match self {
            Self::Count(count) => Value::Number(count as u64),
            Self::Element(element) => Value::Number(element.as_u64()),
            Self::Polynomial(words) => Value::Polynomial(Polynomial::in_x(residues(words))),
            Self::Matrix(Entries { rows, columns, words }) | Self::Point(Entries { rows, columns, words }, _) => {
                Value::Matrix { rows, columns, entries: residues(words) }
            }
            Self::Parts(pieces) => Value::Parts(pieces.into_iter().map(Piece::part).collect()),
            Self::None => Value::None,
        }
    }
}

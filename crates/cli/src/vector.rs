//! Vectors of the number types that the program computes with.

use std::fmt;

use clap::ValueEnum;
use manycore::Scalar;
use manycore::files::{NpyNumber, Numeral};

/// A number type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)] // the names say it
pub enum NumberType {
    I32,
    I64,
    F32,
    F64,
}

impl NumberType {
    /// The bytes of a number.
    pub(crate) const fn bytes(self) -> u64 {
        match self {
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }
}

impl fmt::Display for NumberType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        })
    }
}

/// What the input and output of vectors need of a number type.
pub trait Element: Scalar + NpyNumber + Numeral {
    /// The type as a value.
    const NUMBER_TYPE: NumberType;

    /// Whether it is neither infinite nor no number.
    fn is_finite(self) -> bool;

    /// A vector of this type.
    fn vector(values: Vec<Self>) -> Vector;
}

/// An integer type.
pub trait Integer: Element + manycore::verify::Integer {}

/// A floating-point type.
pub trait Real: Element + manycore::verify::Real {}

macro_rules! integer {
    ($type:ident, $name:ident) => {
        impl Element for $type {
            const NUMBER_TYPE: NumberType = NumberType::$name;

            fn is_finite(self) -> bool {
                true
            }

            fn vector(values: Vec<Self>) -> Vector {
                Vector::$name(values)
            }
        }

        impl Integer for $type {}
    };
}

macro_rules! real {
    ($type:ident, $name:ident) => {
        impl Element for $type {
            const NUMBER_TYPE: NumberType = NumberType::$name;

            fn is_finite(self) -> bool {
                <$type>::is_finite(self)
            }

            fn vector(values: Vec<Self>) -> Vector {
                Vector::$name(values)
            }
        }

        impl Real for $type {}
    };
}

integer!(i32, I32);
integer!(i64, I64);
real!(f32, F32);
real!(f64, F64);

/// A vector of one of the number types.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the names say it
pub enum Vector {
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

impl Vector {
    /// The number of its values.
    pub fn len(&self) -> usize {
        match self {
            Self::I32(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
        }
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of its values.
    pub fn number_type(&self) -> NumberType {
        match self {
            Self::I32(_) => NumberType::I32,
            Self::I64(_) => NumberType::I64,
            Self::F32(_) => NumberType::F32,
            Self::F64(_) => NumberType::F64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_know_their_type() {
        let vector = f32::vector(vec![1.0, 2.0]);
        assert_eq!((vector.len(), vector.number_type(), vector.is_empty()), (2, NumberType::F32, false));
        assert_eq!(NumberType::I64.to_string(), "i64");
    }
}

//! Vectors of the number types that operations compute with, from texts and arrays.

mod read;

use std::fmt;

use manycore_device::Word;
use manycore_files::memory::probe;
use manycore_files::{NpyNumber, Numeral, OutOfMemory};
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use crate::json::{JsonInteger, JsonReal};

/// A number type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum NumberType {
    I32,
    I64,
    F32,
    F64,
}

impl NumberType {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::I32, Self::I64, Self::F32, Self::F64];

    /// Their names as the words of an option.
    pub const WORDS: &'static [(&'static str, &'static str)] = &[("i32", ""), ("i64", ""), ("f32", ""), ("f64", "")];

    /// The type of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|number_type| number_type.name() == name)
    }

    /// Its name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The bytes of a number.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }
}

impl fmt::Display for NumberType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Evaluates an expression with a number type by its name in Rust.
///
/// ```
/// use manycore_operation::{vector::NumberType, with_number_type};
/// let bytes = |of: NumberType| with_number_type!(of, T => size_of::<T>());
/// assert_eq!((bytes(NumberType::F32), bytes(NumberType::I64)), (4, 8));
/// ```
#[macro_export]
macro_rules! with_number_type {
    ($number_type:expr, $T:ident => $work:expr) => {{
        use $crate::vector::NumberType;
        match $number_type {
            NumberType::I32 => {
                type $T = i32;
                $work
            }
            NumberType::I64 => {
                type $T = i64;
                $work
            }
            NumberType::F32 => {
                type $T = f32;
                $work
            }
            NumberType::F64 => {
                type $T = f64;
                $work
            }
        }
    }};
}

/// What the input and output of vectors need of a number type.
pub trait Element: Word + NpyNumber + Numeral {
    /// The type as a value.
    const NUMBER_TYPE: NumberType;

    /// Whether it is neither infinite nor no number.
    fn is_finite(self) -> bool;

    /// A vector of this type.
    fn vector(values: Vec<Self>) -> Vector;
}

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
    /// Refuses values with which nothing can be computed: there must be memory for them on a device, and for their result.
    ///
    /// # Errors
    /// [`OutOfMemory`], with the file.
    pub fn room_for_results(&self, file: &str) -> Result<(), OutOfMemory> {
        let bytes = self.len() as u64 * self.number_type().bytes();
        probe(2 * bytes, || format!("the results of {file}"))
    }

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

impl Serialize for Vector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        match self {
            Self::I32(values) => values.iter().try_for_each(|value| list.serialize_element(value))?,
            Self::I64(values) => {
                values.iter().try_for_each(|&value| list.serialize_element(&JsonInteger(value.into())))?;
            }
            Self::F32(values) => values.iter().try_for_each(|&value| list.serialize_element(&JsonReal(value)))?,
            Self::F64(values) => values.iter().try_for_each(|&value| list.serialize_element(&JsonReal(value)))?,
        }
        list.end()
    }
}

/// Numbers in the type that their file has.
#[derive(Debug, Clone, PartialEq)]
pub enum Numbers {
    /// Of one of the types of vectors.
    Vector(Vector),
    /// Unsigned integers of 64 bits.
    Unsigned(Vec<u64>),
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

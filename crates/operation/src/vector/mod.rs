//! Vectors of the number types that operations compute with, from texts and arrays.

mod text;

use std::fmt;

use manycore_device::Word;
use manycore_files::memory::probe;
use manycore_files::{Array, FileError, Kind, NotFinite, NpyNumber, Numeral, OutOfMemory, Source};
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
    /// Reads a vector of the type wanted, of no values too. Without one, integers become i64 and a text with fractions f64; an array of
    /// floating-point numbers keeps its type.
    ///
    /// # Errors
    /// What is wrong in the file, and where.
    pub fn read(source: Source<'_>, wanted: Option<NumberType>, not_finite: NotFinite) -> Result<Self, FileError> {
        match source {
            Source::Text(text) => text::vector(&text, wanted, not_finite),
            Source::Array(array) => array_of(array, wanted, not_finite),
        }
    }

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

impl Numbers {
    /// Reads numbers in the type that their file has, of no values too: as [`Vector::read`], but unsigned integers of 64 bits stay such.
    ///
    /// # Errors
    /// As [`Vector::read`].
    pub fn read(source: Source<'_>, not_finite: NotFinite) -> Result<Self, FileError> {
        match source {
            Source::Text(text) => text::own(&text, not_finite),
            Source::Array(array) if array.kind() == Kind::U64 => array.numbers(not_finite).map(Self::Unsigned),
            Source::Array(array) => array_of(array, None, not_finite).map(Self::Vector),
        }
    }
}

/// Reads an array in the type wanted; without one, in its own, and integers as i64.
fn array_of(array: Array<'_>, wanted: Option<NumberType>, not_finite: NotFinite) -> Result<Vector, FileError> {
    let own = match array.kind() {
        Kind::F32 => NumberType::F32,
        Kind::F64 => NumberType::F64,
        Kind::Integers | Kind::U64 => NumberType::I64,
    };
    Ok(match wanted.unwrap_or(own) {
        NumberType::I32 => Vector::I32(array.numbers(not_finite)?),
        NumberType::I64 => Vector::I64(array.numbers(not_finite)?),
        NumberType::F32 => Vector::F32(array.numbers(not_finite)?),
        NumberType::F64 => Vector::F64(array.numbers(not_finite)?),
    })
}

#[cfg(test)]
mod tests {
    use manycore_files::write_npy;

    use super::*;

    #[test]
    fn vectors_know_their_type() {
        let vector = f32::vector(vec![1.0, 2.0]);
        assert_eq!((vector.len(), vector.number_type(), vector.is_empty()), (2, NumberType::F32, false));
        assert_eq!(NumberType::I64.to_string(), "i64");
    }

    #[test]
    fn arrays_keep_their_type() {
        fn read<T: NpyNumber>(values: &[T], wanted: Option<NumberType>) -> Result<Vector, String> {
            let mut bytes = Vec::new();
            write_npy(&mut bytes, values).unwrap();
            Vector::read(Source::new("x.npy", &bytes[..]).unwrap(), wanted, NotFinite::Refused)
                .map_err(|error| error.to_string())
        }
        assert_eq!(read(&[1i32, -1], None), Ok(Vector::I64(vec![1, -1])));
        assert_eq!(read(&[1u64, 255], None), Ok(Vector::I64(vec![1, 255])));
        assert_eq!(read(&[1.5f32], None), Ok(Vector::F32(vec![1.5])));
        assert_eq!(read(&[-0.1f64], None), Ok(Vector::F64(vec![-0.1])));
        assert_eq!(read::<i64>(&[], None), Ok(Vector::I64(vec![])));
        let halves = [2.0f64, 0.5];
        assert_eq!(read(&halves, Some(NumberType::F32)), Ok(Vector::F32(vec![2.0, 0.5])));
        assert_eq!(read(&halves, Some(NumberType::I64)), Err("x.npy: value 2: 0.5 is no i64".into()));
        assert_eq!(read(&[u64::MAX], None), Err("x.npy: value 1: 18446744073709551615 is no i64".into()));
    }
}

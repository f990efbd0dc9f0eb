//! The types of values: the words of buffers, and truth values, which no buffer holds.

use manycore_device::{Word, WordType};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// True or false.
    Bool,
    /// A word.
    Word(WordType),
}

impl ScalarType {
    /// The type's name in OpenCL C.
    pub fn opencl_name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Word(word) => word.opencl_name(),
        }
    }

    /// The type's name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Word(word) => word.name(),
        }
    }

    /// Bits of a word; 1 for truth values.
    pub fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::Word(word) => 8 * word.bytes() as u32,
        }
    }

    /// The type of words in which its values stand in memory: bytes, 0 or 1, for truth values.
    pub fn memory(self) -> WordType {
        match self {
            Self::Bool => WordType::U8,
            Self::Word(word) => word,
        }
    }

    /// Whether it is an integer below 0 of which there are values.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::Word(WordType::I8 | WordType::I16 | WordType::I32 | WordType::I64))
    }

    /// Whether it is `f32` or `f64`.
    pub fn is_floating(self) -> bool {
        matches!(self, Self::Word(word) if word.is_floating())
    }

    /// Whether it is an integer of any size and sign.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::Word(word) if !word.is_floating())
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A type of values in expressions: `bool`, integers of 8 to 64 bits, `f32` and `f64`.
pub trait Scalar: sealed::Sealed + Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The type as a value.
    const SCALAR: ScalarType;

    /// The value's bits, in the low bits of a word.
    fn to_bits(self) -> u64;

    /// The value with these bits.
    fn from_bits(bits: u64) -> Self;
}

/// A type of numbers: every [`Scalar`] but `bool`, and at the same time a word of buffers.
pub trait Number: Scalar + Word {}

/// A type of integers.
pub trait Integer: Number {}

/// A type of floating-point numbers.
pub trait Real: Number {}

impl sealed::Sealed for bool {}

impl Scalar for bool {
    const SCALAR: ScalarType = ScalarType::Bool;

    fn to_bits(self) -> u64 {
        self.into()
    }

    fn from_bits(bits: u64) -> Self {
        bits & 1 == 1
    }
}

macro_rules! integers {
    ($($word:ty, $unsigned:ty;)*) => {$(
        impl sealed::Sealed for $word {}
        impl Scalar for $word {
            const SCALAR: ScalarType = ScalarType::Word(<$word as Word>::TYPE);

            fn to_bits(self) -> u64 {
                self as $unsigned as u64
            }

            fn from_bits(bits: u64) -> Self {
                bits as $unsigned as $word
            }
        }
        impl Number for $word {}
        impl Integer for $word {}
    )*};
}

integers! { u8, u8; u16, u16; u32, u32; u64, u64; i8, u8; i16, u16; i32, u32; i64, u64; }

macro_rules! reals {
    ($($word:ty, $bits:ty;)*) => {$(
        impl sealed::Sealed for $word {}
        impl Scalar for $word {
            const SCALAR: ScalarType = ScalarType::Word(<$word as Word>::TYPE);

            fn to_bits(self) -> u64 {
                <$word>::to_bits(self).into()
            }

            fn from_bits(bits: u64) -> Self {
                <$word>::from_bits(bits as $bits)
            }
        }
        impl Number for $word {}
        impl Real for $word {}
    )*};
}

reals! { f32, u32; f64, u64; }

//! The element types that buffers hold.

use std::fmt::Debug;

/// A machine word that stands in buffers: the same bits in Rust and in OpenCL C.
///
/// Implemented for the integers of 8 to 64 bits, `f32` and `f64`, and for no other type: kernels read buffers by the type
/// that [`Word::TYPE`] names.
///
/// ```compile_fail,E0277
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// #[repr(transparent)]
/// struct Half(u16);
/// // SAFETY: as the u16 that it is.
/// unsafe impl bytemuck::Zeroable for Half {}
/// unsafe impl bytemuck::Pod for Half {}
///
/// // A word of two bytes that kernels would read as eight.
/// impl manycore_device::Word for Half {
///     const TYPE: manycore_device::WordType = manycore_device::WordType::U64;
/// }
/// ```
pub trait Word: sealed::Sealed + bytemuck::Pod + Debug + PartialEq + Send + Sync {
    /// Its type as a value, for signatures and messages.
    const TYPE: WordType;
}

mod sealed {
    pub trait Sealed {}
}

/// A word's type as a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it
pub enum WordType {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
}

impl WordType {
    /// The type's name in OpenCL C.
    pub const fn opencl_name(self) -> &'static str {
        match self {
            Self::U8 => "uchar",
            Self::I8 => "char",
            Self::U16 => "ushort",
            Self::I16 => "short",
            Self::U32 => "uint",
            Self::I32 => "int",
            Self::U64 => "ulong",
            Self::I64 => "long",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }

    /// The type with this name in OpenCL C.
    ///
    /// ```
    /// use manycore_device::WordType;
    /// assert_eq!(WordType::of_opencl("ulong"), Some(WordType::U64));
    /// assert_eq!(WordType::of_opencl("ulong2"), None);
    /// ```
    pub fn of_opencl(name: &str) -> Option<Self> {
        use WordType::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        [U8, I8, U16, I16, U32, I32, U64, I64, F32, F64].into_iter().find(|word| word.opencl_name() == name)
    }

    /// The type's name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Bytes of one value.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Whether it is a floating-point type.
    pub const fn is_floating(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

macro_rules! words {
    ($($type:ty => $name:ident),* $(,)?) => {
        $(
            impl sealed::Sealed for $type {}

            impl Word for $type {
                const TYPE: WordType = WordType::$name;
            }
        )*
    };
}

words! {
    u8 => U8, i8 => I8, u16 => U16, i16 => I16, u32 => U32, i32 => I32, u64 => U64, i64 => I64, f32 => F32, f64 => F64,
}

//! Kinds of arithmetic.

use serde::{Deserialize, Serialize};

/// A kind of arithmetic, by the rate at which devices do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Operation {
    /// 32-bit integer multiply-add.
    Int32,
    /// 64-bit integer multiply-add.
    Int64,
    /// Single-precision multiply-add.
    F32,
    /// Double-precision multiply-add.
    F64,
    /// An operation on one number that vectors do not do: on the host a look-up in the nearest cache, with its address.
    /// Items of other devices compute one by one, and do these as fast as 32-bit integers.
    Scalar,
}

impl Operation {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Int32, Self::Int64, Self::F32, Self::F64, Self::Scalar];

    /// Its name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Scalar => "scalar",
        }
    }
}

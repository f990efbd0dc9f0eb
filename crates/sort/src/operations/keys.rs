//! The types of numbers that are sorted.

use std::cmp::Ordering;

use manycore_operation::Value;
use manycore_operation::files::{NpyNumber, Numeral};
use manycore_operation::vector::{NumberType, Vector};

use crate::key::Key;

/// A number type that is sorted.
pub(super) trait SortKey: Key + Numeral + NpyNumber {
    /// The type whose sort is estimated: of as many bits.
    const ESTIMATED: NumberType;

    /// The order: of floating point the total one of IEEE 754.
    fn order(&self, other: &Self) -> Ordering;

    /// Another word for each key.
    fn bits(self) -> u64;

    /// Keys as a result.
    fn value(keys: Vec<Self>) -> Value;
}

macro_rules! sort_keys {
    ($($key:ty: $estimated:ident, $order:expr, $bits:expr, $value:expr;)*) => {$(
        impl SortKey for $key {
            const ESTIMATED: NumberType = NumberType::$estimated;

            fn order(&self, other: &Self) -> Ordering {
                $order(self, other)
            }

            fn bits(self) -> u64 {
                let bits: fn(Self) -> u64 = $bits;
                bits(self)
            }

            fn value(keys: Vec<Self>) -> Value {
                $value(keys)
            }
        }
    )*};
}

sort_keys! {
    i32: I32, i32::cmp, |key| key.cast_unsigned().into(), |keys| Value::Vector(Vector::I32(keys));
    i64: I64, i64::cmp, i64::cast_unsigned, |keys| Value::Vector(Vector::I64(keys));
    u64: I64, u64::cmp, |key| key, Value::Elements;
    f32: F32, f32::total_cmp, |key| key.to_bits().into(), |keys| Value::Vector(Vector::F32(keys));
    f64: F64, f64::total_cmp, f64::to_bits, |keys| Value::Vector(Vector::F64(keys));
}

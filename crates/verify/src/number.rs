//! Properties of number types, for checks.

use std::fmt::Debug;

/// An integer type of transforms.
pub trait Integer: Copy + Send + Sync + PartialEq + Debug + Default + Into<i64> + 'static {
    /// Its largest value.
    const LARGEST: i64;
    /// Its bits.
    const BITS: u32;
}

/// A floating-point type of transforms.
pub trait Real: Copy + Send + Sync + PartialEq + Debug + Default + Into<f64> + 'static {
    /// Its unit roundoff: half the distance from 1 to the next number.
    const ROUNDOFF: f64;
    /// Its smallest positive normal number.
    const SMALLEST: f64;
    /// Its largest number.
    const LARGEST: f64;
}

/// An integer wrapped to the range of type `T`.
pub(crate) fn wrapped<T: Integer>(value: i64) -> i64 {
    let above = i64::BITS - T::BITS;
    value << above >> above
}

macro_rules! integers {
    ($($type:ident)*) => { $(
        impl Integer for $type {
            const LARGEST: i64 = $type::MAX as i64;
            const BITS: u32 = $type::BITS;
        }
    )* };
}

macro_rules! reals {
    ($($type:ident)*) => { $(
        impl Real for $type {
            const ROUNDOFF: f64 = $type::EPSILON as f64 / 2.0;
            const SMALLEST: f64 = $type::MIN_POSITIVE as f64;
            const LARGEST: f64 = $type::MAX as f64;
        }
    )* };
}

integers!(i32 i64);
reals!(f32 f64);

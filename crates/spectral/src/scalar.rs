//! The number types that the integer and real spectral transforms accept.

use crate::walsh::host::once::HostTransforms;

/// A number type of the Walsh-Hadamard, arithmetic and Haar transforms: [`i32`], [`i64`], [`f32`] or [`f64`].
///
/// Spectra of integers are exact: those that the type does not hold are refused, unless they may be
/// [wrapping](crate::Walsh::wrapping), modulo 2^32 or 2^64 (two's complement). Floating-point numbers round as usual; every
/// level of SIMD gives the same bits because each coefficient is the same tree of additions and subtractions.
///
/// The trait is sealed: the vector code of the host and the kernels of the devices know these four types only.
pub trait Scalar: HostTransforms {
    /// The Rust name of the type, such as `"i32"`.
    const NAME: &'static str;
}

macro_rules! scalars {
    ($($type:ty)*) => {$(
        impl Scalar for $type {
            const NAME: &'static str = stringify!($type);
        }
    )*};
}

scalars!(i32 i64 f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!([i32::NAME, i64::NAME, f32::NAME, f64::NAME], ["i32", "i64", "f32", "f64"]);
    }
}

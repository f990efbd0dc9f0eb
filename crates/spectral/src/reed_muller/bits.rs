//! The words whose bits are Boolean functions side by side.

use manycore_device::Word;

/// A word of which every bit is a value of a Boolean function of its own: [`u8`], [`u32`], [`i32`], [`u64`] or [`i64`].
/// The values 0 and 1 are one function.
///
/// The trait is sealed: the kernels of the devices know these types only.
pub trait Bits: Word + Copy + Default + PartialEq + Eq + std::fmt::Debug + sealed::Sealed + 'static {
    /// The base-2 logarithm of its bits.
    const LOG_BITS: u32;

    /// The exclusive or of the bits.
    #[must_use]
    fn exclusive_or(self, other: Self) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! bits {
    ($($type:ty)*) => {$(
        impl sealed::Sealed for $type {}

        impl Bits for $type {
            const LOG_BITS: u32 = <$type>::BITS.ilog2();

            #[inline(always)]
            fn exclusive_or(self, other: Self) -> Self {
                self ^ other
            }
        }
    )*};
}

bits!(u8 u32 i32 u64 i64);

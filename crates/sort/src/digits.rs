//! Unsigned words whose digits are sorted by, and how bits of keys become such in the order of the keys.

use manycore_device::Word;

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// How bits of a key become an unsigned word in the same order: `x ^ other`, or `x ^ other ^ difference` where the sign bit is set.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flip<W> {
    pub(crate) other: W,
    pub(crate) difference: W,
}

/// An unsigned word whose digits are sorted by.
#[doc(hidden)]
pub trait Digits: Word + Ord + sealed::Sealed {
    /// Its bits.
    const BITS: u32;
    /// All bits.
    const ONES: Self;

    /// The word in the order of the keys.
    fn image(self, flip: Flip<Self>) -> Self;

    /// The key with this image.
    fn key_of(self, flip: Flip<Self>) -> Self {
        let plain = Self::of_u64(self.to_u64() ^ flip.other.to_u64());
        if plain.image(flip) == self { plain } else { Self::of_u64(plain.to_u64() ^ flip.difference.to_u64()) }
    }

    /// `(self - least) >> shift`, its lowest bits.
    fn digit(self, least: Self, shift: u32) -> u32;

    fn to_u64(self) -> u64;

    fn of_u64(value: u64) -> Self;
}

impl<W: Digits> Flip<W> {
    /// The reversed order.
    pub(crate) fn reversed(self) -> Self {
        Self { other: W::of_u64(self.other.to_u64() ^ W::ONES.to_u64()), ..self }
    }
}

macro_rules! digits {
    ($($word:ty, $signed:ty;)*) => {$(
        impl sealed::Sealed for $word {}

        impl Digits for $word {
            const BITS: u32 = <$word>::BITS;
            const ONES: Self = <$word>::MAX;

            #[inline]
            fn image(self, flip: Flip<Self>) -> Self {
                // All bits where the sign bit is set.
                let sign = (self as $signed >> (<$word>::BITS - 1)) as $word;
                self ^ flip.other ^ (sign & flip.difference)
            }

            #[inline]
            #[allow(clippy::cast_possible_truncation)] // the digits that are asked for have fewer bits
            fn digit(self, least: Self, shift: u32) -> u32 {
                (self.wrapping_sub(least) >> shift) as u32
            }

            #[inline]
            fn to_u64(self) -> u64 {
                u64::from(self)
            }

            #[inline]
            #[allow(clippy::cast_possible_truncation)] // of numbers of this word
            fn of_u64(value: u64) -> Self {
                value as Self
            }
        }
    )*};
}

digits! {
    u8, i8;
    u16, i16;
    u32, i32;
    u64, i64;
}

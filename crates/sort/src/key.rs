//! Keys of sorts: integers by value and floating numbers by the total order of IEEE 754, as unsigned words in the same order.

use manycore_device::Word;

mod sealed {
    pub trait Sealed {}
}

/// A key of a sort: an integer of 8 to 64 bits, by its value, or a floating number, by the total order of IEEE 754-2008, section
/// 5.10: `-NaN < -infinity < ... < -0.0 < 0.0 < ... < infinity < NaN`.
pub trait Key: Word + sealed::Sealed {
    /// The unsigned word with as many bits.
    #[doc(hidden)]
    type Bits: crate::radix::Radix;

    /// What makes an unsigned word in the order of the keys.
    #[doc(hidden)]
    const FLIP: Flip<Self::Bits>;
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
    /// The same order backwards.
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

        impl Key for $word {
            type Bits = $word;
            const FLIP: Flip<$word> = Flip { other: 0, difference: 0 };
        }
    )*};
}

macro_rules! keys {
    ($($key:ty, $bits:ty, $flip:expr;)*) => {$(
        impl sealed::Sealed for $key {}

        impl Key for $key {
            type Bits = $bits;
            const FLIP: Flip<$bits> = $flip;
        }
    )*};
}

digits! {
    u8, i8;
    u16, i16;
    u32, i32;
    u64, i64;
}

keys! {
    i8, u8, Flip { other: 1 << 7, difference: 0 };
    i16, u16, Flip { other: 1 << 15, difference: 0 };
    i32, u32, Flip { other: 1 << 31, difference: 0 };
    i64, u64, Flip { other: 1 << 63, difference: 0 };
    f32, u32, Flip { other: 1 << 31, difference: u32::MAX >> 1 };
    f64, u64, Flip { other: 1 << 63, difference: u64::MAX >> 1 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_in_the_order_of_keys() {
        let image = |x: f32| x.to_bits().image(f32::FLIP);
        let ordered = [-f32::NAN, f32::NEG_INFINITY, -1.5, -1e-40, -0.0, 0.0, 1e-40, 1.5, f32::INFINITY, f32::NAN];
        assert!(ordered.windows(2).all(|pair| image(pair[0]) < image(pair[1])));
        assert!(ordered.iter().all(|x| image(*x).key_of(f32::FLIP) == x.to_bits()));
        let image = |x: i16| (x as u16).image(i16::FLIP);
        assert_eq!([image(i16::MIN), image(-1), image(0), image(i16::MAX)], [0, 0x7fff, 0x8000, 0xffff]);
        let back = |x: i16| (x as u16).image(i16::FLIP.reversed());
        assert_eq!([back(i16::MIN), back(-1), back(0), back(i16::MAX)], [0xffff, 0x8000, 0x7fff, 0]);
        for bits in 0..=u8::MAX {
            for flip in [u8::FLIP, i8::FLIP, u8::FLIP.reversed(), i8::FLIP.reversed()] {
                assert_eq!(bits.image(flip).key_of(flip), bits);
            }
        }
    }
}

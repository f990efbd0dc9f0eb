//! Keys of sorts: integers by value and floating numbers by the total order of IEEE 754, as unsigned words in the same order.

use manycore_device::Word;

use crate::digits::{Flip, sealed};
use crate::radix::words::Radix;
use crate::sort_order::SortOrder;

/// A key of a sort: an integer of 8 to 64 bits, by its value, or a floating number, by the total order of IEEE 754-2008, section
/// 5.10: `-NaN < -infinity < ... < -0.0 < 0.0 < ... < infinity < NaN`.
pub trait Key: Word + sealed::Sealed {
    /// The unsigned word with as many bits.
    #[doc(hidden)]
    type Bits: Radix;

    /// What makes an unsigned word in the order of the keys.
    #[doc(hidden)]
    const FLIP: Flip<Self::Bits>;
}

macro_rules! keys {
    ($($key:ty, $bits:ty, $flip:expr;)*) => {$(
        impl Key for $key {
            type Bits = $bits;
            const FLIP: Flip<$bits> = $flip;
        }
    )*};
}

impl sealed::Sealed for i8 {}
impl sealed::Sealed for i16 {}
impl sealed::Sealed for i32 {}
impl sealed::Sealed for i64 {}
impl sealed::Sealed for f32 {}
impl sealed::Sealed for f64 {}

keys! {
    u8, u8, Flip { other: 0, difference: 0 };
    u16, u16, Flip { other: 0, difference: 0 };
    u32, u32, Flip { other: 0, difference: 0 };
    u64, u64, Flip { other: 0, difference: 0 };
    i8, u8, Flip { other: 1 << 7, difference: 0 };
    i16, u16, Flip { other: 1 << 15, difference: 0 };
    i32, u32, Flip { other: 1 << 31, difference: 0 };
    i64, u64, Flip { other: 1 << 63, difference: 0 };
    f32, u32, Flip { other: 1 << 31, difference: u32::MAX >> 1 };
    f64, u64, Flip { other: 1 << 63, difference: u64::MAX >> 1 };
}

/// What makes words in this order of keys.
pub(crate) fn flip<K: Key>(order: SortOrder) -> Flip<K::Bits> {
    match order {
        SortOrder::Ascending => K::FLIP,
        SortOrder::Descending => K::FLIP.reversed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::Digits;

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

//! The arithmetic of the number types that the integer and real spectral transforms accept.

use std::fmt::Debug;

use crate::Word;

/// The sums, differences and scalings of a [`Scalar`](crate::Scalar): [`i32`], [`i64`], [`f32`] or [`f64`].
pub trait Number: Word + Copy + Send + Sync + PartialEq + Debug + Default + 'static {
    /// The sum, wrapping for integers.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The difference, wrapping for integers.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// `self / 2^log`, the scaling of an inverse transform of `2^log` values.
    ///
    /// Floating-point numbers are multiplied by `2^-log`, which is exact unless the result is subnormal.
    /// Integers are shifted right arithmetically (rounding down). The division is exact whenever the transformed
    /// values are a genuine spectrum of integers that did not wrap: each is then a multiple of `2^log`.
    /// A `log` of the type's width or more gives 0 for numbers that are not negative and -1 for negative integers.
    #[must_use]
    fn divide_by_power(self, log: u32) -> Self;

    /// `self * 2^(half / 2)` for floating-point numbers, rounded once for a factor that is rounded itself where `half` is odd;
    /// integers stay as they are.
    #[must_use]
    fn times_root_power(self, half: i32) -> Self;
}

macro_rules! integer {
    ($type:ty) => {
        impl Number for $type {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn divide_by_power(self, log: u32) -> Self {
                self >> log.min(Self::BITS - 1)
            }

            #[inline(always)]
            fn times_root_power(self, _: i32) -> Self {
                self
            }
        }
    };
}

macro_rules! float {
    ($type:ty, $root:expr) => {
        impl Number for $type {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            #[inline(always)]
            fn divide_by_power(self, log: u32) -> Self {
                self * <$type>::powi(0.5, log as i32)
            }

            #[inline(always)]
            fn times_root_power(self, half: i32) -> Self {
                let power = <$type>::powi(2.0, half >> 1);
                self * if half & 1 == 1 { power * $root } else { power }
            }
        }
    };
}

integer!(i32);
integer!(i64);
float!(f32, std::f32::consts::SQRT_2);
float!(f64, std::f64::consts::SQRT_2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_shift() {
        assert_eq!(i32::MAX.plus(1), i32::MIN);
        assert_eq!(i64::MIN.minus(1), i64::MAX);
        assert_eq!((-24_i32).divide_by_power(3), -3);
        assert_eq!((1_i64 << 62).divide_by_power(62), 1);
        assert_eq!((-5_i32).divide_by_power(40), -1);
        assert_eq!(5_i64.divide_by_power(64), 0);
    }

    #[test]
    #[allow(clippy::float_cmp)] // the results are exact
    fn floats_scale_by_powers_of_two() {
        assert_eq!(3.0_f32.divide_by_power(2), 0.75);
        assert_eq!((-6.0_f64).divide_by_power(1), -3.0);
        assert!(f64::MAX.divide_by_power(1000) > 0.0);
        assert_eq!(1.0_f32.divide_by_power(0), 1.0);
    }
}

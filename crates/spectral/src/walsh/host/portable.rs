//! Vectors as arrays, which the compiler turns into whatever the target has (SSE2, NEON, or scalars).

use super::vector::{Vector, Words};
use crate::number::Number;

/// An array of `N` lanes, `N` a power of two.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Lanes<T, const N: usize>([T; N]);

impl<T: Number, const N: usize> Lanes<T, N> {
    /// At most four lanes, written out: the loop of `std::array::from_fn` takes the compiler several times as long.
    #[inline(always)]
    fn of(lane: impl Fn(usize) -> T) -> Self {
        const { assert!(N <= 4) };
        let mut all = [lane(0); N];
        if N > 1 {
            all[1] = lane(1);
        }
        if N > 2 {
            all[2] = lane(2);
            all[3] = lane(3);
        }
        Self(all)
    }
}

impl<T: Number, const N: usize> Vector for Lanes<T, N> {
    type Scalar = T;
    type Factor = u32;
    const LOG_LANES: u32 = N.ilog2();
    const LOG_RADIX: u32 = 3;

    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller vouches for `N` readable scalars.
        unsafe { from.cast::<Self>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller vouches for `N` writable scalars.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self::of(|i| self.0[i].plus(other.0[i]))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self::of(|i| self.0[i].minus(other.0[i]))
    }

    #[inline(always)]
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
        let stride = 1 << LOG_STRIDE;
        Self::of(|i| {
            let (a, b) = (self.0[i & !stride], self.0[i | stride]);
            if i & stride == 0 { a.plus(b) } else { a.minus(b) }
        })
    }

    #[inline(always)]
    fn exchange<const LOG_STRIDE: u32>(self, other: Self) -> (Self, Self) {
        let stride = 1 << LOG_STRIDE;
        let low = Self::of(|i| if i & stride == 0 { self.0[i] } else { other.0[i & !stride] });
        let high = Self::of(|i| if i & stride == 0 { self.0[i | stride] } else { other.0[i] });
        (low, high)
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        Self::of(|i| self.0[N - 1 - i])
    }

    #[inline(always)]
    unsafe fn factor(log: u32) -> u32 {
        log
    }

    #[inline(always)]
    fn scaled(self, factor: u32) -> Self {
        Self::of(|i| self.0[i].divide_by_power(factor))
    }
}

impl Words for Lanes<i64, 2> {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self::of(|i| self.0[i] ^ other.0[i])
    }

    #[inline(always)]
    fn xor_shifted<const SHIFT: u32>(self, mask: i64) -> Self {
        Self::of(|i| self.0[i] ^ ((self.0[i] & mask) << SHIFT))
    }
}

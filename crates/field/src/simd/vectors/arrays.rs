//! Portable vectors: arrays of `2^LOG` lanes, without instructions of a set.
//!
//! With debug assertions, as in tests, their operations are functions of their own: inlined into the loops of every arithmetic, which
//! tests compile for wide arrays, too, they took most of the time of that compilation.

use super::{Doubles, WideWords, Words};

/// A function that is inlined, but for debug assertions.
macro_rules! inlined {
    ($($function:item)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline(never))]
        $function
    )*};
}

/// An array of lanes, and what all of them share: a word of `$memory` holds the bits of one.
macro_rules! array {
    ($(#[$doc:meta])* $name:ident is $vector:ident of $lane:ty, in $memory:ty $(, type $multiplier:ident)?;
     each { $($method:ident($x:ident, $y:ident) = $result:expr;)* }
     $($own:item)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<const LOG: u32, const N: usize>([$lane; N]);

        impl<const LOG: u32, const N: usize> $name<LOG, N> {
            #[inline(always)]
            fn each(result: impl Fn(usize) -> $lane) -> Self {
                Self(std::array::from_fn(result))
            }
        }

        impl<const LOG: u32, const N: usize> $vector for $name<LOG, N> {
            $(type $multiplier = Self;)?
            const LOG_LANES: u32 = {
                assert!(N == 1 << LOG);
                LOG
            };

            inlined! {
                unsafe fn load(from: *const $memory) -> Self {
                    // SAFETY: the caller vouches for the words.
                    Self(unsafe { from.cast::<[$lane; N]>().read_unaligned() })
                }

                unsafe fn store(self, to: *mut $memory) {
                    // SAFETY: the caller vouches for the words.
                    unsafe { to.cast::<[$lane; N]>().write_unaligned(self.0) }
                }

                unsafe fn splat(lane: $lane) -> Self {
                    Self([lane; N])
                }

                fn transpose(rows: &mut [Self]) {
                    for i in 0..rows.len().min(N) {
                        for j in 0..i {
                            (rows[i].0[j], rows[j].0[i]) = (rows[j].0[i], rows[i].0[j]);
                        }
                    }
                }

                $(fn $method(self, other: Self) -> Self {
                    Self::each(|i| {
                        let ($x, $y) = (self.0[i], other.0[i]);
                        $result
                    })
                })*

                $($own)*
            }
        }
    };
}

array! {
    /// Words of 32 bits.
    Lanes32 is Words of u32, in u32, type Multiplier;
    each {
        plus(x, y) = x.wrapping_add(y);
        minus(x, y) = x.wrapping_sub(y);
        least(x, y) = x.min(y);
        low_product(x, y) = x.wrapping_mul(y);
        high_product(x, y) = ((u64::from(x) * u64::from(y)) >> 32) as u32;
    }

    unsafe fn splat_multiplier(word: u32) -> Self {
        Self([word; N])
    }

    fn multiplier(self) -> Self {
        self
    }
}

array! {
    /// Words of 64 bits.
    Lanes64 is WideWords of u64, in u64;
    each {
        plus(x, y) = x.wrapping_add(y);
        minus(x, y) = x.wrapping_sub(y);
        half_product(x, y) = u64::from(x as u32) * u64::from(y as u32);
        low_product(x, y) = x.wrapping_mul(y);
        below(x, y) = u64::from(x as u32) | y << 32;
        less(x, y) = x.min(x.wrapping_sub(y));
    }

    unsafe fn splat_half(half: u32) -> Self {
        Self([half.into(); N])
    }

    fn remainder(self, w: Self, q: Self, p: Self) -> Self {
        Self::each(|i| self.0[i].wrapping_mul(w.0[i]).wrapping_sub(q.0[i].wrapping_mul(p.0[i])))
    }

    fn high_in_low(self) -> Self {
        self.high_half()
    }

    fn high_half(self) -> Self {
        Self(self.0.map(|x| x >> 32))
    }

    fn low_half(self) -> Self {
        Self(self.0.map(|x| u64::from(x as u32)))
    }

    fn compared(self) -> Self {
        self
    }

    fn plus_where_above(self, x: Self, y: Self, more: Self) -> Self {
        Self::each(|i| self.0[i].wrapping_add(if x.0[i] > y.0[i] { more.0[i] } else { 0 }))
    }

    fn minus_where_above(self, x: Self, y: Self, less: Self) -> Self {
        Self::each(|i| self.0[i].wrapping_sub(if x.0[i] > y.0[i] { less.0[i] } else { 0 }))
    }
}

array! {
    /// Numbers of double precision.
    LanesF64 is Doubles of f64, in u64;
    each {
        plus(x, y) = x + y;
        minus(x, y) = x - y;
        times(x, y) = x * y;
        not_negative(x, y) = if x < 0.0 { x + y } else { x };
        bits_or(x, y) = f64::from_bits(x.to_bits() | y.to_bits());
        bits_xor(x, y) = f64::from_bits(x.to_bits() ^ y.to_bits());
    }

    fn times_plus(self, other: Self, plus: Self) -> Self {
        Self::each(|i| self.0[i].mul_add(other.0[i], plus.0[i]))
    }

    fn times_minus(self, other: Self, minus: Self) -> Self {
        Self::each(|i| self.0[i].mul_add(other.0[i], -minus.0[i]))
    }

    fn minus_times(self, x: Self, y: Self) -> Self {
        Self::each(|i| (-x.0[i]).mul_add(y.0[i], self.0[i]))
    }
}

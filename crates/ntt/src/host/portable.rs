//! Vectors that any processor imitates.
//!
//! The loops of every arithmetic are compiled for the widest of them in tests alone, where their operations are functions of their own:
//! inlined into those loops they took most of the time that the tests' compilation did.

use super::floating::Doubles;
use super::word32::Words;
use super::word64::WideWords;

/// See [`Residues::LOG_ROWS`](super::residues::Residues::LOG_ROWS).
const fn log_rows(log_lanes: u32) -> u32 {
    match log_lanes {
        0 => 0,
        4 => 4,
        _ => 3,
    }
}

/// `2^LOG` words of 32 bits, as an array.
#[derive(Clone, Copy)]
pub(super) struct Lanes32<const LOG: u32, const N: usize>([u32; N]);

impl<const LOG: u32, const N: usize> Lanes32<LOG, N> {
    #[inline(always)]
    fn map(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<const LOG: u32, const N: usize> Words for Lanes32<LOG, N> {
    type Multiplier = Self;
    const LOG_LANES: u32 = LOG;
    const LOG_ROWS: u32 = log_rows(LOG);

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller vouches for the words.
        Self(unsafe { from.cast::<[u32; N]>().read_unaligned() })
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller vouches for the words.
        unsafe { to.cast::<[u32; N]>().write_unaligned(self.0) }
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn splat(word: u32) -> Self {
        Self([word; N])
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn splat_multiplier(word: u32) -> Self {
        Self([word; N])
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn multiplier(self) -> Self {
        self
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn plus(self, other: Self) -> Self {
        self.map(other, u32::wrapping_add)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn minus(self, other: Self) -> Self {
        self.map(other, u32::wrapping_sub)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn least(self, other: Self) -> Self {
        self.map(other, u32::min)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn low_product(self, other: Self) -> Self {
        self.map(other, u32::wrapping_mul)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn high_product(self, by: Self) -> Self {
        self.map(by, |x, y| ((u64::from(x) * u64::from(y)) >> 32) as u32)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn transpose(rows: &mut [Self]) {
        for i in 0..rows.len().min(N) {
            for j in 0..i {
                (rows[i].0[j], rows[j].0[i]) = (rows[j].0[i], rows[i].0[j]);
            }
        }
    }
}

/// `2^LOG` words of 64 bits, as an array.
#[derive(Clone, Copy)]
pub(super) struct Lanes64<const LOG: u32, const N: usize>([u64; N]);

impl<const LOG: u32, const N: usize> Lanes64<LOG, N> {
    #[inline(always)]
    fn map(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<const LOG: u32, const N: usize> WideWords for Lanes64<LOG, N> {
    const LOG_LANES: u32 = LOG;
    const LOG_ROWS: u32 = log_rows(LOG);

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller vouches for the words.
        Self(unsafe { from.cast::<[u64; N]>().read_unaligned() })
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller vouches for the words.
        unsafe { to.cast::<[u64; N]>().write_unaligned(self.0) }
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn splat(word: u64) -> Self {
        Self([word; N])
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn splat_half(half: u32) -> Self {
        Self([half.into(); N])
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn plus(self, other: Self) -> Self {
        self.map(other, u64::wrapping_add)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn minus(self, other: Self) -> Self {
        self.map(other, u64::wrapping_sub)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn half_product(self, other: Self) -> Self {
        self.map(other, |x, y| u64::from(x as u32) * u64::from(y as u32))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn low_product(self, other: Self) -> Self {
        self.map(other, u64::wrapping_mul)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn remainder(self, w: Self, q: Self, p: Self) -> Self {
        self.map(w, u64::wrapping_mul).minus(q.map(p, u64::wrapping_mul))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn high_in_low(self) -> Self {
        self.high_half()
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn high_half(self) -> Self {
        Self(self.0.map(|x| x >> 32))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn low_half(self) -> Self {
        Self(self.0.map(|x| u64::from(x as u32)))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn below(self, high: Self) -> Self {
        self.map(high, |low, high| u64::from(low as u32) | high << 32)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn less(self, m: Self) -> Self {
        self.map(m, |x, m| x.min(x.wrapping_sub(m)))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn compared(self) -> Self {
        self
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn plus_where_above(self, x: Self, y: Self, more: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].wrapping_add(if x.0[i] > y.0[i] { more.0[i] } else { 0 })))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn minus_where_above(self, x: Self, y: Self, less: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].wrapping_sub(if x.0[i] > y.0[i] { less.0[i] } else { 0 })))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn transpose(rows: &mut [Self]) {
        for i in 0..rows.len().min(N) {
            for j in 0..i {
                (rows[i].0[j], rows[j].0[i]) = (rows[j].0[i], rows[i].0[j]);
            }
        }
    }
}

/// `2^LOG` numbers of double precision, as an array.
#[derive(Clone, Copy)]
pub(super) struct LanesF64<const LOG: u32, const N: usize>([f64; N]);

impl<const LOG: u32, const N: usize> LanesF64<LOG, N> {
    #[inline(always)]
    fn map(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline(always)]
    fn fused(x: Self, y: Self, plus: Self) -> Self {
        Self(std::array::from_fn(|i| x.0[i].mul_add(y.0[i], plus.0[i])))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn negative(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl<const LOG: u32, const N: usize> Doubles for LanesF64<LOG, N> {
    const LOG_LANES: u32 = LOG;
    const LOG_ROWS: u32 = log_rows(LOG);

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller vouches for the words.
        Self(unsafe { from.cast::<[u64; N]>().read_unaligned() }.map(f64::from_bits))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller vouches for the words.
        unsafe { to.cast::<[u64; N]>().write_unaligned(self.0.map(f64::to_bits)) }
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    unsafe fn splat(x: f64) -> Self {
        Self([x; N])
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn plus(self, other: Self) -> Self {
        self.map(other, |x, y| x + y)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn minus(self, other: Self) -> Self {
        self.map(other, |x, y| x - y)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn times(self, other: Self) -> Self {
        self.map(other, |x, y| x * y)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn times_plus(self, other: Self, plus: Self) -> Self {
        Self::fused(self, other, plus)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn times_minus(self, other: Self, minus: Self) -> Self {
        Self::fused(self, other, minus.negative())
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn minus_times(self, x: Self, y: Self) -> Self {
        Self::fused(x.negative(), y, self)
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn not_negative(self, p: Self) -> Self {
        self.map(p, |x, p| if x < 0.0 { x + p } else { x })
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn bits_or(self, other: Self) -> Self {
        self.map(other, |x, y| f64::from_bits(x.to_bits() | y.to_bits()))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn bits_xor(self, other: Self) -> Self {
        self.map(other, |x, y| f64::from_bits(x.to_bits() ^ y.to_bits()))
    }

    #[cfg_attr(not(test), inline(always))]
    #[cfg_attr(test, inline(never))]
    fn transpose(rows: &mut [Self]) {
        for i in 0..rows.len().min(N) {
            for j in 0..i {
                (rows[i].0[j], rows[j].0[i]) = (rows[j].0[i], rows[i].0[j]);
            }
        }
    }
}

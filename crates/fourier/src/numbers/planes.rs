//! Complex numbers in planes of real and imaginary parts, computed with in vectors of either.

use std::marker::PhantomData;

use manycore_characters::Values;
use num_complex::Complex;

use super::engine::{Engine, MOST_BLOCK};

/// A vector of real numbers.
///
/// Values come from [`load`](Self::load) and [`all`](Self::all), which are unsafe where the instruction set is missing; the
/// other operations are safe because a value exists.
pub(super) trait Real: Copy + Send + Sync {
    /// A real number.
    type Part: Copy;
    /// Numbers of a vector.
    const LANES: usize;

    /// # Safety
    /// The instruction set is there and `LANES` numbers are readable.
    unsafe fn load(at: *const Self::Part) -> Self;
    /// # Safety
    /// `LANES` numbers are writable.
    unsafe fn store(self, at: *mut Self::Part);
    /// # Safety
    /// The instruction set is there.
    unsafe fn all(x: Self::Part) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// `self * b + c`, rounded once where the processor can.
    fn times_plus(self, b: Self, c: Self) -> Self;
    /// `c - self * b`.
    fn times_from(self, b: Self, c: Self) -> Self;
    fn negative(self) -> Self;
    fn reversed(self) -> Self;

    /// Rows that are turned into columns at once.
    const BLOCK: usize;
    /// Reads `LANES` pairs.
    ///
    /// # Safety
    /// The instruction set is there and `LANES` pairs are readable.
    unsafe fn read(from: *const [Self::Part; 2]) -> (Self, Self);
    /// # Safety
    /// `LANES` pairs are writable.
    unsafe fn write(to: *mut [Self::Part; 2], pairs: (Self, Self));
    /// # Safety
    /// As [`Engine::read_columns`].
    unsafe fn read_columns(from: *const [Self::Part; 2], apart: usize) -> [(Self, Self); MOST_BLOCK];
    /// # Safety
    /// As [`Engine::write_columns`].
    unsafe fn write_columns(to: *mut [Self::Part; 2], apart: usize, rows: [(Self, Self); MOST_BLOCK]);
}

macro_rules! scalar {
    ($part:ty) => {
        impl Real for $part {
            type Part = $part;
            const LANES: usize = 1;

            #[inline(always)]
            unsafe fn load(at: *const $part) -> Self {
                // SAFETY: the caller vouches for the number.
                unsafe { *at }
            }
            #[inline(always)]
            unsafe fn store(self, at: *mut $part) {
                // SAFETY: the caller vouches for the number.
                unsafe { *at = self }
            }
            #[inline(always)]
            unsafe fn all(x: $part) -> Self {
                x
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn times_plus(self, b: Self, c: Self) -> Self {
                self * b + c
            }
            #[inline(always)]
            fn times_from(self, b: Self, c: Self) -> Self {
                c - self * b
            }
            #[inline(always)]
            fn negative(self) -> Self {
                -self
            }
            #[inline(always)]
            fn reversed(self) -> Self {
                self
            }

            const BLOCK: usize = 1;

            #[inline(always)]
            unsafe fn read(from: *const [$part; 2]) -> (Self, Self) {
                // SAFETY: the caller vouches for the pair.
                let [re, im] = unsafe { *from };
                (re, im)
            }
            #[inline(always)]
            unsafe fn write(to: *mut [$part; 2], (re, im): (Self, Self)) {
                // SAFETY: the caller vouches for the pair.
                unsafe { *to = [re, im] }
            }
            #[inline(always)]
            unsafe fn read_columns(from: *const [$part; 2], _: usize) -> [(Self, Self); MOST_BLOCK] {
                // SAFETY: the caller vouches for the pair.
                [unsafe { Self::read(from) }; MOST_BLOCK]
            }
            #[inline(always)]
            unsafe fn write_columns(to: *mut [$part; 2], _: usize, rows: [(Self, Self); MOST_BLOCK]) {
                // SAFETY: the caller vouches for the pair.
                unsafe { Self::write(to, rows[0]) }
            }
        }
    };
}

scalar!(f32);
scalar!(f64);

/// Complex numbers in vectors of real and imaginary parts.
#[derive(Debug)]
pub(super) struct Planes<V>(PhantomData<V>);

impl<V> Clone for Planes<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Planes<V> {}

impl<V> Planes<V> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<V: Real, N: Values<Word = V::Part, Value = Complex<V::Part>>> Engine<N> for Planes<V> {
    type Number = (V, V);
    const LANES: usize = V::LANES;
    const BLOCK: usize = V::BLOCK;

    #[inline(always)]
    unsafe fn read(self, from: *const Complex<V::Part>) -> (V, V) {
        // SAFETY: as the caller says.
        unsafe { V::read(from.cast()) }
    }

    #[inline(always)]
    unsafe fn write(self, to: *mut Complex<V::Part>, x: (V, V)) {
        // SAFETY: as the caller says.
        unsafe { V::write(to.cast(), x) }
    }

    #[inline(always)]
    unsafe fn read_columns(self, from: *const Complex<V::Part>, apart: usize) -> [(V, V); MOST_BLOCK] {
        // SAFETY: as the caller says.
        unsafe { V::read_columns(from.cast(), apart) }
    }

    #[inline(always)]
    unsafe fn write_columns(self, to: *mut Complex<V::Part>, apart: usize, rows: [(V, V); MOST_BLOCK]) {
        // SAFETY: as the caller says.
        unsafe { V::write_columns(to.cast(), apart, rows) }
    }

    #[inline(always)]
    fn reversed(self, x: (V, V)) -> (V, V) {
        (x.0.reversed(), x.1.reversed())
    }

    #[inline(always)]
    fn conjugated(self, x: (V, V)) -> (V, V) {
        (x.0, x.1.negative())
    }

    #[inline(always)]
    unsafe fn load(self, at: *const V::Part, plane: usize) -> (V, V) {
        // SAFETY: the caller vouches for both planes.
        unsafe { (V::load(at), V::load(at.add(plane))) }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut V::Part, plane: usize, (re, im): (V, V)) {
        // SAFETY: the caller vouches for both planes.
        unsafe {
            re.store(at);
            im.store(at.add(plane));
        }
    }

    #[inline(always)]
    unsafe fn all(self, Complex { re, im }: Complex<V::Part>) -> (V, V) {
        // SAFETY: the caller has the instruction set.
        unsafe { (V::all(re), V::all(im)) }
    }

    #[inline(always)]
    unsafe fn constant(self, at: *const Complex<V::Part>) -> (V, V) {
        // Part after part: a pair would go through integer registers.
        let part = at.cast::<V::Part>();
        // SAFETY: the caller vouches for the instruction set and the pair.
        unsafe { (V::all(*part), V::all(*part.add(1))) }
    }

    #[inline(always)]
    fn plus(self, a: (V, V), b: (V, V)) -> (V, V) {
        (a.0.plus(b.0), a.1.plus(b.1))
    }

    #[inline(always)]
    fn minus(self, a: (V, V), b: (V, V)) -> (V, V) {
        (a.0.minus(b.0), a.1.minus(b.1))
    }

    #[inline(always)]
    fn times(self, x: (V, V), w: (V, V)) -> (V, V) {
        (x.1.times_from(w.1, x.0.times(w.0)), x.1.times_plus(w.0, x.0.times(w.1)))
    }

    #[inline(always)]
    fn plus_times(self, sum: (V, V), x: (V, V), w: (V, V)) -> (V, V) {
        let re = x.1.times_from(w.1, x.0.times_plus(w.0, sum.0));
        (re, x.1.times_plus(w.0, x.0.times_plus(w.1, sum.1)))
    }

    #[inline(always)]
    fn quarter(self, x: (V, V), _: Complex<V::Part>) -> (V, V) {
        Self::turned_pair(x)
    }

    #[inline(always)]
    fn eighth(self, x: (V, V), Complex { re: half, .. }: Complex<V::Part>) -> (V, V) {
        // (1 - i) / sqrt 2. The numbers exist, so the instruction set does.
        // SAFETY: as said.
        let half = unsafe { V::all(half) };
        (x.0.plus(x.1).times(half), x.1.minus(x.0).times(half))
    }

    #[inline(always)]
    fn sine(self, x: (V, V), Complex { re: s, .. }: Complex<V::Part>) -> (V, V) {
        // SAFETY: the numbers exist, so the instruction set does.
        let s = unsafe { V::all(s) };
        (x.0.times(s), x.1.times(s))
    }

    #[inline(always)]
    fn plus_cosine(self, sum: (V, V), x: (V, V), Complex { re: c, .. }: Complex<V::Part>) -> (V, V) {
        // SAFETY: the numbers exist, so the instruction set does.
        let c = unsafe { V::all(c) };
        (x.0.times_plus(c, sum.0), x.1.times_plus(c, sum.1))
    }

    #[inline(always)]
    fn plus_sine(self, sum: (V, V), x: (V, V), s: Complex<V::Part>) -> (V, V) {
        <Self as Engine<N>>::plus_cosine(self, sum, x, s)
    }

    #[inline(always)]
    fn minus_sine(self, sum: (V, V), x: (V, V), Complex { re: s, .. }: Complex<V::Part>) -> (V, V) {
        // SAFETY: the numbers exist, so the instruction set does.
        let s = unsafe { V::all(s) };
        (x.0.times_from(s, sum.0), x.1.times_from(s, sum.1))
    }

    #[inline(always)]
    fn turned(self, x: (V, V)) -> (V, V) {
        Self::turned_pair(x)
    }
}

impl<V: Real> Planes<V> {
    /// `-i x`.
    #[inline(always)]
    fn turned_pair(x: (V, V)) -> (V, V) {
        (x.1, x.0.negative())
    }
}

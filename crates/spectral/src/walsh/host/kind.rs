//! The butterflies of the transforms that share the passes: vectors that do another butterfly than sum and difference.

use super::level::HostVectors;
use super::level::Level;
use super::vector::{Task, Vector, WordTask, Words};
use crate::number::Number;
use crate::packed::word::{LOW_HALVES, reed_muller_word};

/// A transform that is a Kronecker power of a matrix of two rows: its butterfly on vectors of `T`.
pub(crate) trait Kind<T: HostVectors> {
    /// Runs a task with the vectors of `level` under this butterfly.
    ///
    /// # Safety
    /// What the fields of the task say of its memory is true.
    unsafe fn run<K: Task<Scalar = T>>(level: Level, task: K);
}

/// Walsh-Hadamard: `(u + v, u - v)`.
#[derive(Debug)]
pub(crate) struct WalshKind;

impl<T: HostVectors> Kind<T> for WalshKind {
    #[inline(always)]
    unsafe fn run<K: Task<Scalar = T>>(level: Level, task: K) {
        // SAFETY: the caller's promise.
        unsafe { level.run(task) }
    }
}

/// Arithmetic: `(u, v - u)`, and its inverse `(u, u + v)`.
#[derive(Debug)]
pub(crate) struct ArithmeticKind<const INVERSE: bool>;

impl<T: HostVectors, const INVERSE: bool> Kind<T> for ArithmeticKind<INVERSE> {
    #[inline(always)]
    unsafe fn run<K: Task<Scalar = T>>(level: Level, task: K) {
        // SAFETY: the caller's promise.
        unsafe { level.run(OfArithmetic::<K, INVERSE>(task)) }
    }
}

/// Reed-Muller on words of 64 bits: `(u, u xor v)`; values of `2^UNIT` bits, of which a word holds several.
#[derive(Debug)]
pub(crate) struct ReedMullerKind<const UNIT: u32>;

impl<const UNIT: u32> Kind<i64> for ReedMullerKind<UNIT> {
    #[inline(always)]
    unsafe fn run<K: Task<Scalar = i64>>(level: Level, task: K) {
        // SAFETY: the caller's promise.
        unsafe { level.run_words(OfReedMuller::<K, UNIT>(task)) }
    }
}

/// A task that sees its vectors as [`Arithmetic`].
struct OfArithmetic<K, const INVERSE: bool>(K);

impl<K: Task, const INVERSE: bool> Task for OfArithmetic<K, INVERSE> {
    type Scalar = K::Scalar;

    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = K::Scalar>>(self) {
        // SAFETY: the caller vouches for the instruction set and the memory.
        unsafe { self.0.run::<Arithmetic<V, INVERSE>>() }
    }
}

/// A task that sees its vectors as [`ReedMuller`].
struct OfReedMuller<K, const UNIT: u32>(K);

impl<K: Task<Scalar = i64>, const UNIT: u32> WordTask for OfReedMuller<K, UNIT> {
    #[inline(always)]
    unsafe fn run<V: Words>(self) {
        // SAFETY: the caller vouches for the instruction set and the memory.
        unsafe { self.0.run::<ReedMuller<V, UNIT>>() }
    }
}

/// What a vector under another butterfly leaves as it is. No divisor: these transforms' inverses have none.
macro_rules! as_the_vector_itself {
    () => {
        type Scalar = V::Scalar;
        type Factor = ();
        const LOG_LANES: u32 = V::LOG_LANES;
        const LOG_RADIX: u32 = V::LOG_RADIX;
        const SCALES: bool = false;
        const MOVES: bool = false;
        const AVX2: bool = V::AVX2;
        const AVX512: bool = V::AVX512;

        #[inline(always)]
        unsafe fn load(from: *const V::Scalar) -> Self {
            // SAFETY: the caller's promises are those of the vector.
            Self(unsafe { V::load(from) })
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut V::Scalar) {
            // SAFETY: the caller's promises are those of the vector.
            unsafe { self.0.store(to) }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Self(self.0.plus(other.0))
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            Self(self.0.minus(other.0))
        }

        #[inline(always)]
        fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
            // Either half of each pair in all its lanes; then the pair's results, each in its place.
            let (low, high) = self.exchange::<LOG_STRIDE>(self);
            let (first, second) = low.butterfly(high);
            first.exchange::<LOG_STRIDE>(second).0
        }

        #[inline(always)]
        fn exchange<const LOG_STRIDE: u32>(self, other: Self) -> (Self, Self) {
            let (a, b) = self.0.exchange::<LOG_STRIDE>(other.0);
            (Self(a), Self(b))
        }

        #[inline(always)]
        fn reversed(self) -> Self {
            Self(self.0.reversed())
        }

        #[inline(always)]
        unsafe fn factor(_: u32) {}

        #[inline(always)]
        fn scaled(self, (): ()) -> Self {
            self
        }
    };
}

/// A vector under the arithmetic butterfly.
#[derive(Clone, Copy)]
struct Arithmetic<V, const INVERSE: bool>(V);

impl<V: Vector, const INVERSE: bool> Vector for Arithmetic<V, INVERSE> {
    as_the_vector_itself!();

    #[inline(always)]
    fn butterfly(self, other: Self) -> (Self, Self) {
        (self, if INVERSE { self.plus(other) } else { other.minus(self) })
    }

    #[inline(always)]
    fn scalar_butterfly(u: V::Scalar, v: V::Scalar) -> (V::Scalar, V::Scalar) {
        (u, if INVERSE { u.plus(v) } else { v.minus(u) })
    }
}

/// A vector of words under the Reed-Muller butterfly.
#[derive(Clone, Copy)]
struct ReedMuller<V, const UNIT: u32>(V);

impl<V: Words, const UNIT: u32> Vector for ReedMuller<V, UNIT> {
    as_the_vector_itself!();

    #[inline(always)]
    fn butterfly(self, other: Self) -> (Self, Self) {
        (self, Self(self.0.xor(other.0)))
    }

    #[inline(always)]
    fn scalar_butterfly(u: i64, v: i64) -> (i64, i64) {
        (u, u ^ v)
    }

    #[inline(always)]
    fn entering(self) -> Self {
        let mut word = self.0;
        if UNIT < 1 {
            word = word.xor_shifted::<1>(LOW_HALVES[0].cast_signed());
        }
        if UNIT < 2 {
            word = word.xor_shifted::<2>(LOW_HALVES[1].cast_signed());
        }
        if UNIT < 3 {
            word = word.xor_shifted::<4>(LOW_HALVES[2].cast_signed());
        }
        if UNIT < 4 {
            word = word.xor_shifted::<8>(LOW_HALVES[3].cast_signed());
        }
        if UNIT < 5 {
            word = word.xor_shifted::<16>(LOW_HALVES[4].cast_signed());
        }
        if UNIT < 6 {
            word = word.xor_shifted::<32>(LOW_HALVES[5].cast_signed());
        }
        Self(word)
    }

    #[inline(always)]
    fn scalar_entering(value: i64) -> i64 {
        reed_muller_word(value.cast_unsigned(), UNIT, 6).cast_signed()
    }
}

//! Vectors of words and of numbers of double precision: what modular arithmetic needs of them.
//!
//! Values come from `load` and `splat`, which are unsafe where the instruction set is missing; the other operations are safe because
//! a value exists. All of them are inlined, so that they are compiled for the instruction set of the caller.
//!
//! | file | what |
//! |---|---|
//! | `instructions` | the methods that are an instruction each, and what follows from them: written once |
//! | `avx2`, `avx512` | the instructions of a set, and what it does in its own way |
//! | `arrays` | vectors that any processor imitates |

#![expect(clippy::return_self_not_must_use, reason = "results are operands, which nobody forgets")]

mod arrays;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod instructions;

pub use arrays::{Lanes32, Lanes64, LanesF64};
#[cfg(target_arch = "x86_64")]
pub use avx2::{F64x4, U32x8, U64x4};
#[cfg(target_arch = "x86_64")]
pub use avx512::{F64x8, U32x16, U64x8};

/// A vector of 32-bit words.
pub trait Words: Copy {
    /// What the high words of products are taken by.
    type Multiplier: Copy;
    /// The binary logarithm of the words.
    const LOG_LANES: u32;

    /// Reads the words, at any alignment.
    ///
    /// # Safety
    /// The instruction set is available and the vector's words are readable.
    unsafe fn load(from: *const u32) -> Self;

    /// Writes the words, at any alignment.
    ///
    /// # Safety
    /// The vector's words are writable.
    unsafe fn store(self, to: *mut u32);

    /// The same word in all lanes.
    ///
    /// # Safety
    /// The instruction set is available.
    unsafe fn splat(word: u32) -> Self;

    /// The same multiplier for all lanes.
    ///
    /// # Safety
    /// The instruction set is available.
    unsafe fn splat_multiplier(word: u32) -> Self::Multiplier;

    /// A multiplier for each lane.
    fn multiplier(self) -> Self::Multiplier;

    /// The wrapping sums.
    fn plus(self, other: Self) -> Self;

    /// The wrapping differences.
    fn minus(self, other: Self) -> Self;

    /// The smaller words, unsigned.
    fn least(self, other: Self) -> Self;

    /// The low words of the products.
    fn low_product(self, other: Self) -> Self;

    /// The high words of the products.
    fn high_product(self, by: Self::Multiplier) -> Self;

    /// Lane `j` of row `i` to lane `i` of row `j`, for as many rows as a vector has lanes.
    fn transpose(rows: &mut [Self]);
}

/// A vector of 32-bit words which is also one of half as many 64-bit words ("pairs"): the even word of a pair is its low half.
pub trait Pairs: Words {
    /// The 32-bit words: 16 at most.
    const LANES: usize = 1 << Self::LOG_LANES;

    /// Reads the first `count` words, and 0 for the others.
    ///
    /// # Safety
    /// The instruction set is available, `count` is at most `LANES`, and `count` words from `from` on are readable.
    unsafe fn load_part(from: *const u32, count: usize) -> Self;

    /// Writes the first `count` words.
    ///
    /// # Safety
    /// `count` is at most `LANES`, and `count` words from `to` on are writable.
    unsafe fn store_part(self, to: *mut u32, count: usize);

    /// The products of the even words, as pairs.
    fn even_product(self, other: Self) -> Self;

    /// The products of the even words, which have signs, as pairs that have.
    fn even_signed_product(self, other: Self) -> Self;

    /// The odd words in the places of the even ones; the odd places hold anything.
    #[inline(always)]
    fn odd(self) -> Self {
        self.high_half()
    }

    /// The pairs shifted right by 32 bits.
    fn high_half(self) -> Self;

    /// The pairs without their high words.
    fn low_half(self) -> Self;

    /// The wrapping sums of pairs.
    fn pair_plus(self, other: Self) -> Self;

    /// The wrapping differences of pairs.
    fn pair_minus(self, other: Self) -> Self;

    /// The high words of the pairs of `even` in the even places, those of `odd` in the odd ones.
    fn high_words(even: Self, odd: Self) -> Self;

    /// The high words of the pairs of `first`, then those of `second`.
    fn all_high_words(first: Self, second: Self) -> Self;

    /// The sum of the pairs.
    #[inline(always)]
    fn sum_of_pairs(self) -> u128 {
        const { assert!(Self::LOG_LANES <= 4) };
        let mut pairs = [0u64; 8];
        // SAFETY: the array has eight pairs.
        unsafe { self.store(pairs.as_mut_ptr().cast()) };
        pairs.iter().map(|&pair| u128::from(pair)).sum()
    }
}

/// A vector of 64-bit words.
pub trait WideWords: Copy {
    /// The binary logarithm of the words.
    const LOG_LANES: u32;

    /// Reads the words, at any alignment.
    ///
    /// # Safety
    /// The instruction set is available and the vector's words are readable.
    unsafe fn load(from: *const u64) -> Self;

    /// Writes the words, at any alignment.
    ///
    /// # Safety
    /// The vector's words are writable.
    unsafe fn store(self, to: *mut u64);

    /// The same word in all lanes.
    ///
    /// # Safety
    /// The instruction set is available.
    unsafe fn splat(word: u64) -> Self;

    /// Both halves of every word, for [`half_product`](Self::half_product): the compiler would take a word whose high half
    /// it has forgotten to be 0 for a factor of 64 bits.
    ///
    /// # Safety
    /// The instruction set is available.
    unsafe fn splat_half(half: u32) -> Self;

    /// The wrapping sums.
    fn plus(self, other: Self) -> Self;

    /// The wrapping differences.
    fn minus(self, other: Self) -> Self;

    /// The products of the low halves.
    fn half_product(self, other: Self) -> Self;

    /// The high halves in the place of the low ones; the high ones hold anything.
    fn high_in_low(self) -> Self;

    /// Shifted right by 32 bits.
    fn high_half(self) -> Self;

    /// The low halves.
    fn low_half(self) -> Self;

    /// The low halves of `self` below the low halves of `high`.
    fn below(self, high: Self) -> Self;

    /// `self - m`, and `self` where that is negative, for `self < 2 m` and `m <= 2^63`.
    fn less(self, m: Self) -> Self;

    /// The form in which words are compared, and back from it. It differs from the word by a constant, so that words in this
    /// form and not are added to and subtracted from it.
    fn compared(self) -> Self;

    /// `self + more` where `x` is above `y`, both in the form for that.
    fn plus_where_above(self, x: Self, y: Self, more: Self) -> Self;

    /// `self - less` where `x` is above `y`, both in the form for that.
    fn minus_where_above(self, x: Self, y: Self, less: Self) -> Self;

    /// `self other`, modulo `2^64`.
    fn low_product(self, other: Self) -> Self;

    /// `self w - q p`, modulo `2^64`.
    fn remainder(self, w: Self, q: Self, p: Self) -> Self;

    /// Lane `j` of row `i` to lane `i` of row `j`, for as many rows as a vector has lanes.
    fn transpose(rows: &mut [Self]);
}

/// A vector of numbers of double precision, whose bits are words of 64 bits in memory.
pub trait Doubles: Copy {
    /// The binary logarithm of the numbers.
    const LOG_LANES: u32;

    /// Reads the numbers, at any alignment.
    ///
    /// # Safety
    /// The instruction set is available and the vector's words are readable.
    unsafe fn load(from: *const u64) -> Self;

    /// Writes the numbers, at any alignment.
    ///
    /// # Safety
    /// The vector's words are writable.
    unsafe fn store(self, to: *mut u64);

    /// The same number in all lanes.
    ///
    /// # Safety
    /// The instruction set is available.
    unsafe fn splat(x: f64) -> Self;

    /// `self + other`.
    fn plus(self, other: Self) -> Self;

    /// `self - other`.
    fn minus(self, other: Self) -> Self;

    /// `self other`.
    fn times(self, other: Self) -> Self;

    /// `self other + plus`, rounded once.
    fn times_plus(self, other: Self, plus: Self) -> Self;

    /// `self other - minus`, rounded once.
    fn times_minus(self, other: Self, minus: Self) -> Self;

    /// `self - x y`, rounded once.
    fn minus_times(self, x: Self, y: Self) -> Self;

    /// `self + p` where `self` is below 0, else `self`.
    fn not_negative(self, p: Self) -> Self;

    /// The bits of both.
    fn bits_or(self, other: Self) -> Self;

    /// The bits of one of both only.
    fn bits_xor(self, other: Self) -> Self;

    /// Lane `j` of row `i` to lane `i` of row `j`, for as many rows as a vector has lanes.
    fn transpose(rows: &mut [Self]);
}

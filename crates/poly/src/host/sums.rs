//! Sums of products of residues in 32-bit words, as vectors hold them: in 64-bit words with a fold now and then, or in 32-bit
//! words where all products together fit one.
//!
//! A folded wide sum lies in `[-2^32 p, 0)`. With `p < 2^31` as many as `2^32 / p` products fit before the next folding: the sum
//! stays below `2^32 p < 2^63`, and where it is not negative the fold takes `2^32 p` off, which is a choice by the sign.

use manycore_field::PrimeField;

/// Words that products are added in.
pub(super) trait Sums {
    /// A sum.
    type Sum: Copy;
    /// A factor as sums take it.
    type Word: Copy + Default;

    /// The empty sum.
    fn zero(&self) -> Self::Sum;

    /// Products that are added between two folds.
    fn terms(&self) -> usize;

    /// A residue as a factor.
    fn word(word: u32) -> Self::Word;

    /// The sum with a product.
    fn plus(sum: Self::Sum, factor: u32, word: Self::Word) -> Self::Sum;

    /// The sum, to which [`Sums::terms`] products were added, ready for as many.
    fn folded(&self, sum: Self::Sum) -> Self::Sum;

    /// A folded sum modulo `p`.
    fn residue(&self, sum: Self::Sum) -> u32;
}

/// Sums in 64-bit words.
pub(super) struct Wide {
    field: PrimeField<u32>,
    fold: i64,
    terms: usize,
}

impl Wide {
    #[inline(always)]
    pub(super) fn new(field: PrimeField<u32>) -> Self {
        let p = u64::from(field.modulus());
        Self { field, fold: (p << 32) as i64, terms: ((1u64 << 32) / p).min(64) as usize }
    }
}

impl Sums for Wide {
    type Sum = i64;
    type Word = u64;

    #[inline(always)]
    fn zero(&self) -> i64 {
        -self.fold
    }

    #[inline(always)]
    fn terms(&self) -> usize {
        self.terms
    }

    #[inline(always)]
    fn word(word: u32) -> u64 {
        word.into()
    }

    #[inline(always)]
    fn plus(sum: i64, factor: u32, word: u64) -> i64 {
        // The mask shows the compiler that the factors are 32-bit words.
        sum + (u64::from(factor) * (word & 0xffff_ffff)) as i64
    }

    #[inline(always)]
    fn folded(&self, sum: i64) -> i64 {
        if sum < 0 { sum } else { sum - self.fold }
    }

    #[inline(always)]
    fn residue(&self, sum: i64) -> u32 {
        let sum = (sum + self.fold) as u64;
        self.field.barrett().reduce_wide(sum as u32, (sum >> 32) as u32)
    }
}

/// Sums in 32-bit words.
pub(super) struct Narrow {
    field: PrimeField<u32>,
}

impl Narrow {
    /// For sums of `terms` products, where they fit.
    #[inline(always)]
    pub(super) fn new(field: PrimeField<u32>, terms: usize) -> Option<Self> {
        let most = u64::from(field.modulus() - 1);
        (most * most).checked_mul(terms as u64).filter(|&sum| sum >> 32 == 0).map(|_| Self { field })
    }
}

impl Sums for Narrow {
    type Sum = u32;
    type Word = u32;

    #[inline(always)]
    fn zero(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn terms(&self) -> usize {
        // Few enough that strides times as many are addressed.
        1 << 16
    }

    #[inline(always)]
    fn word(word: u32) -> u32 {
        word
    }

    #[inline(always)]
    fn plus(sum: u32, factor: u32, word: u32) -> u32 {
        sum.wrapping_add(factor.wrapping_mul(word))
    }

    #[inline(always)]
    fn folded(&self, sum: u32) -> u32 {
        sum
    }

    #[inline(always)]
    fn residue(&self, sum: u32) -> u32 {
        self.field.barrett().reduce(sum)
    }
}

//! Residues of 32 bits, eight at once with AVX2, multiplied by constants in Montgomery's form.

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm_storeu_si128, _mm256_add_epi32, _mm256_blend_epi32, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_min_epu32, _mm256_mul_epu32, _mm256_permutevar8x32_epi32,
    _mm256_set_m128i, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_srli_epi64, _mm256_storeu_si256, _mm256_sub_epi32,
    _mm256_sub_epi64, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64,
};

use manycore_characters::Residues;
use manycore_field::{KernelField, Montgomery, ResidueWord};

use crate::numbers::engine::{Engine, MOST_BLOCK, Task};

/// A modulus below 2^31 in all lanes. It exists only where AVX2 does.
#[derive(Clone, Copy)]
pub(crate) struct Eight {
    p: __m256i,
    inverse: __m256i,
}

/// Whether residues of this modulus are done eight at once.
pub(crate) fn suits<W: ResidueWord>(modulus: u64) -> bool {
    W::BITS == 32 && modulus < 1 << 31 && is_x86_feature_detected!("avx2")
}

/// # Safety
/// [`suits`] holds for the words and the modulus.
#[target_feature(enable = "avx2")]
pub(crate) unsafe fn with_words<F: KernelField, T: Task<Residues<F>>>(by: &Montgomery<F::Element>, task: T) {
    let all = |word: F::Element| _mm256_set1_epi32(word.as_u64() as i32);
    // SAFETY: the caller has the instruction set.
    unsafe { task.run(Eight { p: all(by.modulus()), inverse: all(by.inverse()) }) }
}

impl Eight {
    /// From `[0, 2 p)` to `[0, p)`: below `p` the difference wraps to a larger word.
    #[inline(always)]
    fn less(self, x: __m256i) -> __m256i {
        // SAFETY: the engine exists.
        unsafe { _mm256_min_epu32(x, _mm256_sub_epi32(x, self.p)) }
    }

    /// From `(-p, p)` to `[0, p)`: a difference that wrapped is a larger word than its correction.
    #[inline(always)]
    fn more(self, x: __m256i) -> __m256i {
        // SAFETY: the engine exists.
        unsafe { _mm256_min_epu32(x, _mm256_add_epi32(x, self.p)) }
    }

    /// The products divided by `2^32`, of the even and of the odd words: the low words of `x w` and of the multiple of `p` are
    /// equal, so that the high words of their difference are the quotients.
    #[inline(always)]
    fn product(self, x: __m256i, w: __m256i) -> __m256i {
        // SAFETY: the engine exists.
        unsafe {
            let odd = |x: __m256i| _mm256_srli_epi64::<32>(x);
            let reduced = |product: __m256i| {
                let multiple = _mm256_mul_epu32(_mm256_mul_epu32(product, self.inverse), self.p);
                _mm256_sub_epi64(product, multiple)
            };
            let even_words = reduced(_mm256_mul_epu32(x, w));
            let odd_words = reduced(_mm256_mul_epu32(odd(x), odd(w)));
            self.more(_mm256_blend_epi32::<0b1010_1010>(odd(even_words), odd_words))
        }
    }

    #[inline(always)]
    fn splat<W: ResidueWord>(word: W) -> __m256i {
        // SAFETY: engines that call it exist.
        unsafe { _mm256_set1_epi32(word.as_u64() as i32) }
    }
}

impl<F: KernelField> Engine<Residues<F>> for Eight {
    type Number = __m256i;
    const LANES: usize = 8;
    const BLOCK: usize = 4;

    #[inline(always)]
    unsafe fn read(self, from: *const F::Element) -> __m256i {
        // SAFETY: the caller vouches for the words, which have 32 bits.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn write(self, to: *mut F::Element, x: __m256i) {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(to.cast(), x) }
    }

    #[inline(always)]
    unsafe fn read_columns(self, from: *const F::Element, apart: usize) -> [__m256i; MOST_BLOCK] {
        // SAFETY: the caller vouches for four words at each of eight places.
        unsafe {
            let at = |column: usize| _mm_loadu_si128(from.add(column * apart).cast());
            // Columns c and c + 4.
            let c: [__m256i; 4] = std::array::from_fn(|c| _mm256_set_m128i(at(c + 4), at(c)));
            let (low, high) = (_mm256_unpacklo_epi32(c[0], c[1]), _mm256_unpacklo_epi32(c[2], c[3]));
            let (low2, high2) = (_mm256_unpackhi_epi32(c[0], c[1]), _mm256_unpackhi_epi32(c[2], c[3]));
            let (first, second) = (_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
            let (third, fourth) = (_mm256_unpacklo_epi64(low2, high2), _mm256_unpackhi_epi64(low2, high2));
            [first, second, third, fourth, first, second, third, fourth]
        }
    }

    #[inline(always)]
    unsafe fn write_columns(self, to: *mut F::Element, apart: usize, r: [__m256i; MOST_BLOCK]) {
        // SAFETY: the caller vouches for four words at each of eight places.
        unsafe {
            let (low, low2) = (_mm256_unpacklo_epi32(r[0], r[1]), _mm256_unpacklo_epi32(r[2], r[3]));
            let (high, high2) = (_mm256_unpackhi_epi32(r[0], r[1]), _mm256_unpackhi_epi32(r[2], r[3]));
            let columns = [
                _mm256_unpacklo_epi64(low, low2),
                _mm256_unpackhi_epi64(low, low2),
                _mm256_unpacklo_epi64(high, high2),
                _mm256_unpackhi_epi64(high, high2),
            ];
            for (c, x) in columns.into_iter().enumerate() {
                _mm_storeu_si128(to.add(c * apart).cast(), _mm256_castsi256_si128(x));
                _mm_storeu_si128(to.add((c + 4) * apart).cast(), _mm256_extracti128_si256::<1>(x));
            }
        }
    }

    #[inline(always)]
    fn reversed(self, x: __m256i) -> __m256i {
        // SAFETY: the engine exists.
        unsafe { _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)) }
    }

    #[inline(always)]
    fn conjugated(self, x: __m256i) -> __m256i {
        x
    }

    #[inline(always)]
    unsafe fn load(self, at: *const F::Element, _: usize) -> __m256i {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm256_loadu_si256(at.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut F::Element, _: usize, x: __m256i) {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm256_storeu_si256(at.cast(), x) }
    }

    #[inline(always)]
    unsafe fn all(self, constant: F::Element) -> __m256i {
        Self::splat(constant)
    }

    #[inline(always)]
    unsafe fn constant(self, at: *const F::Element) -> __m256i {
        // SAFETY: the caller vouches for the word.
        Self::splat(unsafe { *at })
    }

    #[inline(always)]
    fn plus(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the engine exists.
        self.less(unsafe { _mm256_add_epi32(a, b) })
    }

    #[inline(always)]
    fn minus(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the engine exists.
        self.more(unsafe { _mm256_sub_epi32(a, b) })
    }

    #[inline(always)]
    fn times(self, x: __m256i, w: __m256i) -> __m256i {
        self.product(x, w)
    }

    #[inline(always)]
    fn plus_times(self, sum: __m256i, x: __m256i, w: __m256i) -> __m256i {
        Engine::<Residues<F>>::plus(self, sum, self.product(x, w))
    }

    #[inline(always)]
    fn quarter(self, x: __m256i, root: F::Element) -> __m256i {
        self.product(x, Self::splat(root))
    }

    #[inline(always)]
    fn eighth(self, x: __m256i, root: F::Element) -> __m256i {
        self.product(x, Self::splat(root))
    }

    #[inline(always)]
    fn sine(self, x: __m256i, s: F::Element) -> __m256i {
        self.product(x, Self::splat(s))
    }

    #[inline(always)]
    fn plus_cosine(self, sum: __m256i, x: __m256i, c: F::Element) -> __m256i {
        Engine::<Residues<F>>::plus(self, sum, self.product(x, Self::splat(c)))
    }

    #[inline(always)]
    fn plus_sine(self, sum: __m256i, x: __m256i, s: F::Element) -> __m256i {
        Engine::<Residues<F>>::plus(self, sum, self.product(x, Self::splat(s)))
    }

    #[inline(always)]
    fn minus_sine(self, sum: __m256i, x: __m256i, s: F::Element) -> __m256i {
        Engine::<Residues<F>>::minus(self, sum, self.product(x, Self::splat(s)))
    }

    #[inline(always)]
    fn turned(self, x: __m256i) -> __m256i {
        x
    }
}

//! Tiles of products of matrices of 63-bit residues with AVX-512 IFMA: six products of 52 bits for eight of residues.
//!
//! A factor `a = a0 + 2^31 a1` of at most 31 and 32 bits is multiplied by the low 52 and the high 11 bits of `b = b0 + 2^52 b1`:
//! `a b` is the sum of `a0 b0`, `2^31 a1 b0`, `2^52 a0 b1` and `2^83 a1 b1`. The instruction adds the low or the high 52 bits of a
//! product to a word, so that four words hold a sum: at `2^0` the low bits of `a0 b0`, at `2^52` its high bits and `a0 b1`, at
//! `2^31` and `2^83` the same of `a1`. The sum is reduced with Montgomery's two steps of 52 bits, and multiplied by `2^208 mod p`.
//! Source: Gueron and Krasnov, "Accelerating big integer arithmetic using Intel IFMA extensions", ARITH 23 (2016).

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_loadu_si512, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_min_epu64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_slli_epi64, _mm512_srli_epi64,
    _mm512_storeu_si512, _mm512_sub_epi64,
};

use super::tile::{COLUMNS, ROWS};
use super::tile_wide::WideTile;
use crate::algebra::Semiring as _;

/// Words of a vector.
const LANES: usize = 8;
/// Numbers of 52 bits that a word has room for.
const TERMS: usize = 1 << 12;

/// The constants of a reduction modulo an odd `p < 2^63`, each in every word.
struct Reduction {
    p: __m512i,
    p_high: __m512i,
    /// `-1/p mod 2^52`.
    inverse: __m512i,
    /// `2^208 mod p`.
    square: __m512i,
    square_high: __m512i,
}

/// [`WideTile`] for an odd modulus.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn add_tile(tile: WideTile<'_>) {
    let WideTile { field, montgomery, residues, rows, panel } = tile;
    let len = rows.iter().fold(panel.len(), |len, row| len.min(row.len()));
    let radix = field.reduce_u128(1 << 104);
    let square = field.mul(radix, radix);
    let all = |word: u64| _mm512_set1_epi64(word as i64);
    let by = Reduction {
        p: all(field.modulus()),
        p_high: all(field.modulus() >> 52),
        inverse: all(montgomery.inverse().wrapping_neg()),
        square: all(square),
        square_high: all(square >> 52),
    };
    for first in (0..len).step_by(TERMS) {
        let part = first..len.min(first + TERMS);
        let factors = rows.map(|row| &row[part.clone()]);
        for block in 0..COLUMNS / LANES {
            let sums = sums(factors, &panel[part.clone()], block);
            for (residues, sum) in residues.iter_mut().zip(sums) {
                let target = &mut residues.as_chunks_mut::<LANES>().0[block];
                let total = _mm512_add_epi64(load(target), by.reduce(sum));
                store(target, _mm512_min_epu64(total, _mm512_sub_epi64(total, by.p)));
            }
        }
    }
}

/// The sums of at most [`TERMS`] products for eight columns, each in four words of the weights `1`, `2^52`, `2^31` and `2^83`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn sums(rows: [&[u64]; ROWS], panel: &[[u64; COLUMNS]], block: usize) -> [[__m512i; 4]; ROWS] {
    let mut sums = [[_mm512_setzero_si512(); 4]; ROWS];
    let low_half = _mm512_set1_epi64((1 << 31) - 1);
    for (k, line) in panel.iter().enumerate() {
        let b = load(&line.as_chunks::<LANES>().0[block]);
        let b_high = _mm512_srli_epi64::<52>(b);
        for (sum, row) in sums.iter_mut().zip(rows) {
            let a = _mm512_set1_epi64(row[k] as i64);
            let halves = [_mm512_and_si512(a, low_half), _mm512_srli_epi64::<31>(a)];
            for (sum, half) in sum.as_chunks_mut::<2>().0.iter_mut().zip(halves) {
                sum[0] = _mm512_madd52lo_epu64(sum[0], half, b);
                sum[1] = _mm512_madd52hi_epu64(sum[1], half, b);
                sum[1] = _mm512_madd52lo_epu64(sum[1], half, b_high);
            }
        }
    }
    sums
}

impl Reduction {
    /// The residues of sums.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn reduce(&self, [one, middle, half, high]: [__m512i; 4]) -> __m512i {
        let (limb, low) = (_mm512_set1_epi64((1 << 52) - 1), _mm512_set1_epi64((1 << 21) - 1));
        // Limbs of 52 bits, and some bits more in the middle one.
        let first = _mm512_add_epi64(_mm512_and_si512(one, limb), _mm512_slli_epi64::<31>(_mm512_and_si512(half, low)));
        let second = _mm512_add_epi64(
            _mm512_add_epi64(_mm512_srli_epi64::<52>(one), middle),
            _mm512_add_epi64(_mm512_srli_epi64::<21>(half), _mm512_slli_epi64::<31>(_mm512_and_si512(high, low))),
        );
        // Below p + 2^34, for the sum is below 2^138.
        let [low, high] = self.quotient([first, second, _mm512_srli_epi64::<21>(high)]);
        let high = _mm512_add_epi64(high, _mm512_srli_epi64::<52>(low));
        let zero = _mm512_setzero_si512();
        let first = _mm512_madd52lo_epu64(zero, low, self.square);
        let second = _mm512_madd52hi_epu64(zero, low, self.square);
        let second = _mm512_madd52lo_epu64(second, low, self.square_high);
        let second = _mm512_madd52lo_epu64(second, high, self.square);
        let third = _mm512_madd52hi_epu64(zero, low, self.square_high);
        let third = _mm512_madd52hi_epu64(third, high, self.square);
        let third = _mm512_madd52lo_epu64(third, high, self.square_high);
        // Below p + 1, for the product is below (p + 2^34) p.
        let [low, high] = self.quotient([first, second, third]);
        let residue = _mm512_add_epi64(low, _mm512_slli_epi64::<52>(high));
        _mm512_min_epu64(residue, _mm512_sub_epi64(residue, self.p))
    }

    /// A number congruent to `x / 2^104`, below `x / 2^104 + p`, in limbs of which the first may have some bits more than 52.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn quotient(&self, [mut first, mut second, mut third]: [__m512i; 3]) -> [__m512i; 2] {
        let zero = _mm512_setzero_si512();
        for _ in 0..2 {
            let factor = _mm512_madd52lo_epu64(zero, first, self.inverse);
            // The low 52 bits become 0.
            let carry = _mm512_srli_epi64::<52>(_mm512_madd52lo_epu64(first, factor, self.p));
            let next = _mm512_madd52hi_epu64(_mm512_add_epi64(second, carry), factor, self.p);
            first = _mm512_madd52lo_epu64(next, factor, self.p_high);
            second = _mm512_madd52hi_epu64(third, factor, self.p_high);
            third = zero;
        }
        [first, second]
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(from: &[u64; LANES]) -> __m512i {
    // SAFETY: the array has the 64 bytes.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut [u64; LANES], words: __m512i) {
    // SAFETY: the array has the 64 bytes.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) }
}

//! Tiles of products of matrices of 63-bit residues, and products of thin ones, with AVX-512 IFMA: six products of 52 bits for eight
//! of residues.
//!
//! A factor `a = a0 + 2^31 a1` of at most 31 and 32 bits is multiplied by the low 52 and the high 11 bits of `b = b0 + 2^52 b1`:
//! `a b` is the sum of `a0 b0`, `2^31 a1 b0`, `2^52 a0 b1` and `2^83 a1 b1`. The instruction adds the low or the high 52 bits of a
//! product to a word, so that four words hold a sum: at `2^0` the low bits of `a0 b0`, at `2^52` its high bits and `a0 b1`, at
//! `2^31` and `2^83` the same of `a1`. The sum is reduced with Montgomery's two steps of 52 bits, and multiplied by `2^208 mod p`.
//! Source: Gueron and Krasnov, "Accelerating big integer arithmetic using Intel IFMA extensions", ARITH 23 (2016).

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_loadu_si512, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_mask_storeu_epi64, _mm512_maskz_loadu_epi64, _mm512_min_epu64, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_slli_epi64, _mm512_srli_epi64, _mm512_storeu_si512, _mm512_sub_epi64,
};

use super::thin::{self, LINES, shape};
use super::tile::{COLUMNS, ROWS};
use crate::algebra::Semiring as _;
use crate::prime_field::{Montgomery, PrimeField};

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

/// `residues[r][c] += sum over k of rows[r][k] panel[k][c]` for an odd modulus, of which the constants are.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn add_tile(
    (field, montgomery): (&PrimeField<u64>, &Montgomery<u64>),
    residues: &mut [[u64; COLUMNS]; ROWS],
    rows: [&[u64]; ROWS],
    panel: &[[u64; COLUMNS]],
) {
    let len = rows.iter().fold(panel.len(), |len, row| len.min(row.len()));
    let by = Reduction::new(field, montgomery);
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
            add_product(sum, &halves, b, b_high);
        }
    }
    sums
}

/// `target[r stride + c] -= sum over k of factors[r][k] lines[k][c]` for an odd modulus, of which the constants are. Factors are
/// multiplied by `2^104`, so that one reduction gives the residues.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn sub_products(
    (field, montgomery): (&PrimeField<u64>, &Montgomery<u64>),
    target: &mut [u64],
    stride: usize,
    factors: &[[u64; LINES]],
    lines: [&[u64]; LINES],
) {
    let (rows, columns) = shape(target.len(), stride, factors.len(), &lines);
    let by = Reduction::new(field, montgomery);
    let low_half = _mm512_set1_epi64((1 << 31) - 1);
    for (part, rows) in factors[..rows].chunks(thin::ROWS).zip((0..).step_by(thin::ROWS)) {
        let mut entered = [[0u64; LINES]; thin::ROWS];
        for (to, words) in entered.as_flattened_mut().chunks_mut(LANES).zip(part.as_flattened().chunks(LANES)) {
            let lanes = first_lanes(words.len());
            // SAFETY: both slices have the words of the lanes.
            unsafe {
                let factors = by.entered(_mm512_maskz_loadu_epi64(lanes, words.as_ptr().cast()));
                _mm512_mask_storeu_epi64(to.as_mut_ptr().cast(), lanes, factors);
            }
        }
        for first in (0..columns).step_by(LANES) {
            let lanes = first_lanes(columns - first);
            let mut halves = [[_mm512_setzero_si512(); 2]; LINES];
            for (halves, line) in halves.iter_mut().zip(lines) {
                // SAFETY: the lanes end within the line, which has `columns` words at least.
                let y = unsafe { _mm512_maskz_loadu_epi64(lanes, line.as_ptr().add(first).cast()) };
                *halves = [_mm512_and_si512(y, low_half), _mm512_srli_epi64::<31>(y)];
            }
            for (r, factors) in (rows..).zip(&entered[..part.len()]) {
                let mut sums = [_mm512_setzero_si512(); 4];
                for (halves, &factor) in halves.iter().zip(factors) {
                    let factor = _mm512_set1_epi64(factor as i64);
                    add_product(&mut sums, halves, factor, _mm512_srli_epi64::<52>(factor));
                }
                let sum = by.short(sums);
                // SAFETY: the lanes end within row `r`, whose words from `r stride` on are `columns` at least.
                unsafe {
                    let at = target.as_mut_ptr().add(r * stride + first);
                    let x = _mm512_sub_epi64(_mm512_maskz_loadu_epi64(lanes, at.cast()), sum);
                    _mm512_mask_storeu_epi64(at.cast(), lanes, _mm512_min_epu64(x, _mm512_add_epi64(x, by.p)));
                }
            }
        }
    }
}

/// The first `count` lanes, all where there are fewer.
#[inline(always)]
fn first_lanes(count: usize) -> u8 {
    ((1u32 << count.min(LANES)) - 1) as u8
}

/// Adds the products of a factor in halves, of 31 bits and of the others, and of `b`, whose bits from the 52nd on are `b_high`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn add_product(sums: &mut [__m512i; 4], halves: &[__m512i; 2], b: __m512i, b_high: __m512i) {
    for (sum, &half) in sums.as_chunks_mut::<2>().0.iter_mut().zip(halves) {
        sum[0] = _mm512_madd52lo_epu64(sum[0], half, b);
        sum[1] = _mm512_madd52hi_epu64(sum[1], half, b);
        sum[1] = _mm512_madd52lo_epu64(sum[1], half, b_high);
    }
}

impl Reduction {
    /// The constants of a field.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn new(field: &PrimeField<u64>, montgomery: &Montgomery<u64>) -> Self {
        let radix = field.reduce_u128(1 << 104);
        let square = field.mul(radix, radix);
        Self {
            p: _mm512_set1_epi64(field.modulus() as i64),
            p_high: _mm512_set1_epi64((field.modulus() >> 52) as i64),
            inverse: _mm512_set1_epi64(montgomery.inverse().wrapping_neg() as i64),
            square: _mm512_set1_epi64(square as i64),
            square_high: _mm512_set1_epi64((square >> 52) as i64),
        }
    }

    /// The residues of sums.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn reduce(&self, sums: [__m512i; 4]) -> __m512i {
        // Below p + 2^34, for the sum is below 2^138.
        let [low, high] = self.quotient(limbs(sums));
        self.times_square(low, _mm512_add_epi64(high, _mm512_srli_epi64::<52>(low)))
    }

    /// The residues of sums below `2^128` over `2^104`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn short(&self, sums: [__m512i; 4]) -> __m512i {
        // Below p + 2^24, and p + 1 for p < 2^51.
        let [low, high] = self.quotient(limbs(sums));
        self.residue(low, high)
    }

    /// `2^104 y` for residues.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn entered(&self, y: __m512i) -> __m512i {
        self.times_square(y, _mm512_srli_epi64::<52>(y))
    }

    /// `2^104 x` for `x` below `p + 2^34`, whose low limb is that of `low`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn times_square(&self, low: __m512i, high: __m512i) -> __m512i {
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
        self.residue(low, high)
    }

    /// The residue of two limbs of a number below `2 p`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn residue(&self, low: __m512i, high: __m512i) -> __m512i {
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

/// Sums in limbs of 52 bits, with some bits more in the middle one.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn limbs([one, middle, half, high]: [__m512i; 4]) -> [__m512i; 3] {
    let (limb, low) = (_mm512_set1_epi64((1 << 52) - 1), _mm512_set1_epi64((1 << 21) - 1));
    let first = _mm512_add_epi64(_mm512_and_si512(one, limb), _mm512_slli_epi64::<31>(_mm512_and_si512(half, low)));
    let second = _mm512_add_epi64(
        _mm512_add_epi64(_mm512_srli_epi64::<52>(one), middle),
        _mm512_add_epi64(_mm512_srli_epi64::<21>(half), _mm512_slli_epi64::<31>(_mm512_and_si512(high, low))),
    );
    [first, second, _mm512_srli_epi64::<21>(high)]
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

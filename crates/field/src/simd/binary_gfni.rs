//! Products with a factor of the field of 2^16 elements as matrices of 8 by 8 bits, by GFNI under AVX-512BW.
//!
//! A product with a factor is linear over {0, 1}: a matrix of 16 by 16 bits, in four of 8 by 8 from the low and high bytes of a word
//! to those of the product. The matrix is linear in the factor, too: the sum of that of its low byte and that of its high byte,
//! which tables of 16 KiB hold.

use std::arch::x86_64::{
    __m512i, __mmask64, _mm512_and_si512, _mm512_gf2p8affine_epi64_epi8, _mm512_mask_storeu_epi8,
    _mm512_maskz_loadu_epi8, _mm512_packus_epi16, _mm512_set1_epi16, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_srli_epi16, _mm512_ternarylogic_epi64, _mm512_unpackhi_epi8, _mm512_unpacklo_epi8, _mm512_xor_si512,
};
use std::sync::LazyLock;

use crate::binary::BinaryField16;

/// Matrices from low byte to low, low to high, high to low and high to high.
type Matrix = [u64; 4];

/// Rows of the input whose matrices stay in the nearest cache.
const INPUTS: usize = 64;

/// Bytes of a step: two vectors, whose low bytes make one and high bytes another.
const STEP: usize = 128;

/// Matrices of the factors `c` and `2^8 c`, for bytes `c`.
static TABLES: LazyLock<[[Matrix; 256]; 2]> =
    LazyLock::new(|| std::array::from_fn(|half| std::array::from_fn(|byte| matrix((byte << (8 * half)) as u16))));

/// The matrix of a factor. The instruction takes the row of output bit `i` from byte `7 - i`.
fn matrix(factor: u16) -> Matrix {
    let mut matrix = [0; 4];
    for bit in 0..16 {
        let product = BinaryField16::product_by_definition(factor, 1 << bit);
        for row in 0..16 {
            let entry = u64::from(product >> row & 1);
            matrix[2 * (bit / 8) + row / 8] |= entry << (8 * (7 - row % 8) + bit % 8);
        }
    }
    matrix
}

/// `out[j][w] += sum over i of factors[i][j] rows[i][w]` for the words of the first `bytes` bytes.
///
/// # Safety
/// Every row has `bytes` bytes, an even number.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
pub(super) unsafe fn add_products<const N: usize, const OUTPUTS: usize>(
    mut out: [&mut [u8]; N],
    factors: &[[u16; OUTPUTS]],
    rows: &[&[u8]],
    bytes: usize,
) {
    let tables = &*TABLES;
    let mut matrices = [[[0; 4]; N]; INPUTS];
    for (factors, rows) in factors.chunks(INPUTS).zip(rows.chunks(INPUTS)) {
        for (matrices, factors) in matrices.iter_mut().zip(factors) {
            for (matrix, factor) in matrices.iter_mut().zip(factors) {
                let [low, high] = factor.to_le_bytes().map(usize::from);
                *matrix = std::array::from_fn(|part| tables[0][low][part] ^ tables[1][high][part]);
            }
        }
        for start in (0..bytes).step_by(STEP) {
            let masks = masks(bytes - start);
            let mut sums = [[_mm512_setzero_si512(); 2]; N];
            for (row, matrices) in rows.iter().zip(&matrices) {
                // SAFETY: the masks leave the bytes up to `bytes`, which every row has.
                let (low, high) = unsafe { load(row.as_ptr().wrapping_add(start), masks) };
                for (sum, &[ll, lh, hl, hh]) in sums.iter_mut().zip(matrices) {
                    sum[0] = sum3(sum[0], product(low, ll), product(high, hl));
                    sum[1] = sum3(sum[1], product(low, lh), product(high, hh));
                }
            }
            for (out, [low, high]) in out.iter_mut().zip(sums) {
                let out = out.as_mut_ptr().wrapping_add(start);
                // Packing and unpacking both stay within lanes of 16 bytes.
                let words = [_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high)];
                for (half, (words, mask)) in words.into_iter().zip(masks).enumerate() {
                    let out = out.wrapping_add(64 * half).cast();
                    // SAFETY: the mask leaves the bytes up to `bytes`, which every row has.
                    unsafe {
                        let before = _mm512_maskz_loadu_epi8(mask, out);
                        _mm512_mask_storeu_epi8(out, mask, _mm512_xor_si512(before, words));
                    }
                }
            }
        }
    }
}

/// The bytes of two vectors that are there.
fn masks(left: usize) -> [__mmask64; 2] {
    let mask = |left: usize| if left >= 64 { u64::MAX } else { (1 << left) - 1 };
    [mask(left), mask(left.saturating_sub(64))]
}

/// The low and the high bytes of the words of two vectors.
///
/// # Safety
/// The bytes that the masks choose can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn load(from: *const u8, masks: [__mmask64; 2]) -> (__m512i, __m512i) {
    // SAFETY: as the caller says; masked bytes are not read.
    let [a, b] = unsafe {
        [
            _mm512_maskz_loadu_epi8(masks[0], from.cast()),
            _mm512_maskz_loadu_epi8(masks[1], from.wrapping_add(64).cast()),
        ]
    };
    let low = _mm512_set1_epi16(0xff);
    let low = _mm512_packus_epi16(_mm512_and_si512(a, low), _mm512_and_si512(b, low));
    let high = _mm512_packus_epi16(_mm512_srli_epi16::<8>(a), _mm512_srli_epi16::<8>(b));
    (low, high)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn product(x: __m512i, matrix: u64) -> __m512i {
    _mm512_gf2p8affine_epi64_epi8::<0>(x, _mm512_set1_epi64(matrix as i64))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sum3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

//! Rows of Euclid's algorithm with a quotient of degree 1, of coefficients in 32-bit words: remainders, the polynomials
//! that make them of the first two, and the steps.
//!
//! With leading coefficients `A, A'` of `a` and `B, B'` of `b`, whose degree is lower by one, `B^2` times the remainder is
//!
//! ```text
//! B^2 a - (A B x + A' B - A B') b
//! ```
//!
//! and every row of a matrix beside them changes by the same factors. A coefficient takes three products, which are added in a
//! 64-bit word and reduced once, after Montgomery; the factors `1 / R` are units too. Three products fit below `p R` where
//! `3 p <= 2^32`.

use manycore_field::{Montgomery, PrimeField, Ring as _};

/// What steps of Euclid's algorithm keep of a field: see [`ShortPolynomials::crossing`](super::ShortPolynomials::crossing).
#[derive(Debug, Clone, Copy, Default)]
pub struct Crossing {
    /// Where three products of residues in 32-bit words may be added before Montgomery's reduction.
    pub(super) short: Option<Montgomery<u32>>,
}

/// What makes a row of Euclid's algorithm of the two before it: see [`ShortPolynomials::cross`](super::ShortPolynomials::cross).
#[derive(Debug, Clone, Copy)]
pub struct Cross<E> {
    /// The factors of the earlier row, of the later one, and of the later one times `x`; the first is 1 and not multiplied by
    /// where `unit` is 1.
    pub(super) factors: [E; 3],
    /// What the remainder of the rows is multiplied by.
    pub(crate) unit: E,
}

/// What is kept of a field of 32-bit words.
pub(super) fn crossing(field: &PrimeField<u32>) -> Crossing {
    Crossing { short: field.montgomery().filter(|by| by.modulus() <= u32::MAX / 3) }
}

/// The factors for rows with these leading coefficients: `A, A', B, B'`.
pub(super) fn factors(
    field: &PrimeField<u32>,
    by: &Montgomery<u32>,
    [top, next, lead, second]: [u32; 4],
) -> Cross<u32> {
    // Each with a factor 1 / R, and another one in the sum.
    let scale = by.mul(lead, lead);
    let high = field.neg(by.mul(top, lead));
    let low = field.sub(by.mul(top, second), by.mul(next, lead));
    Cross { factors: [scale, low, high], unit: by.leave(scale) }
}

/// `x[i] = (c0 x[i] + c1 y[i] + c2 shifted[i]) / R`, over the shortest slice's length.
pub(super) fn rows(by: &Montgomery<u32>, factors: [u32; 3], x: &mut [u32], y: &[u32], shifted: &[u32]) {
    let work = Combine { by, factors, x, y, shifted };
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instruction set.
            return unsafe { work.with_avx512() };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { work.with_avx2() };
        }
    }
    work.run();
}

/// Montgomery's reduction of a sum below `p R`.
#[inline(always)]
pub(super) fn reduce_sum(by: &Montgomery<u32>, sum: u64) -> u32 {
    let multiple = u64::from((sum as u32).wrapping_mul(by.inverse())) * u64::from(by.modulus());
    let difference = ((sum >> 32) as u32).wrapping_sub((multiple >> 32) as u32);
    difference.min(difference.wrapping_add(by.modulus()))
}

/// Coefficients of a block, which are done by whole vectors.
pub(crate) const BLOCK: usize = 16;

/// See [`rows`].
struct Combine<'a> {
    by: &'a Montgomery<u32>,
    factors: [u32; 3],
    x: &'a mut [u32],
    y: &'a [u32],
    shifted: &'a [u32],
}

impl Combine<'_> {
    #[inline(always)]
    fn run(self) {
        let by = *self.by;
        let [c0, c1, c2] = self.factors.map(u64::from);
        let one = |x: &mut u32, y: u32, shifted: u32| {
            *x = reduce_sum(&by, c0 * u64::from(*x) + c1 * u64::from(y) + c2 * u64::from(shifted));
        };
        let len = self.x.len().min(self.y.len()).min(self.shifted.len());
        let (x, x_rest) = self.x[..len].as_chunks_mut::<BLOCK>();
        let (y, y_rest) = self.y[..len].as_chunks::<BLOCK>();
        let (shifted, shifted_rest) = self.shifted[..len].as_chunks::<BLOCK>();
        for (x, (y, shifted)) in x.iter_mut().zip(y.iter().zip(shifted)) {
            for i in 0..BLOCK {
                one(&mut x[i], y[i], shifted[i]);
            }
        }
        for (x, (&y, &shifted)) in x_rest.iter_mut().zip(y_rest.iter().zip(shifted_rest)) {
            one(x, y, shifted);
        }
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn with_avx2(self) {
        self.run();
    }

    /// # Safety
    /// The processor has AVX-512F.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx2")]
    unsafe fn with_avx512(self) {
        self.run();
    }
}

/// A step of Euclid's algorithm without a division: the lower `b.len() - 1` coefficients of `a` become the remainder by `b`, times a unit.
/// `a` is longer by one, and `b` has at least two coefficients.
pub(super) fn step(field: &PrimeField<u32>, by: &Montgomery<u32>, a: &mut [u32], b: &[u32]) {
    let (n, m) = (a.len(), b.len());
    let factors = factors(field, by, [a[n - 1], a[n - 2], b[m - 1], b[m - 2]]).factors;
    let [scale, low, _] = factors.map(u64::from);
    let one = reduce_sum(by, scale * u64::from(a[0]) + low * u64::from(b[0]));
    rows(by, factors, &mut a[1..m - 1], &b[1..m - 1], &b[..m - 2]);
    a[0] = one;
}

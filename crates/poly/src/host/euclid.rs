//! A step of Euclid's algorithm with a quotient of degree 1, of coefficients in 32-bit words, without a division.
//!
//! With `a` of degree `n` and `b` of degree `n - 1`, leading coefficients `A, A'` and `B, B'`, the remainder times `B^2` is
//!
//! ```text
//! B^2 a - (A B x + A' B - A B') b
//! ```
//!
//! so that a coefficient takes three products, which are added in a 64-bit word and reduced once, after Montgomery; the
//! factors `1 / R` are units too. Three products fit below `p R` where `3 p <= 2^32`.

use manycore_field::{Montgomery, PrimeField, Ring as _};

/// Where three products of residues may be added before Montgomery's reduction.
pub(super) fn serves(field: &PrimeField<u32>) -> Option<Montgomery<u32>> {
    field.montgomery().filter(|by| by.modulus() <= u32::MAX / 3)
}

/// The lower `b.len() - 1` coefficients of `a` become the remainder by `b` times a unit, for `a` longer by one and `b` of
/// two coefficients at least.
pub(super) fn step(field: &PrimeField<u32>, by: &Montgomery<u32>, a: &mut [u32], b: &[u32]) {
    let (n, m) = (a.len(), b.len());
    let (top, next, lead, second) = (a[n - 1], a[n - 2], b[m - 1], b[m - 2]);
    // Each with a factor 1 / R.
    let scale = by.mul(lead, lead);
    let high = field.neg(by.mul(top, lead));
    let low = field.sub(by.mul(top, second), by.mul(next, lead));
    let one = by.reduce_sum(u64::from(scale) * u64::from(a[0]) + u64::from(low) * u64::from(b[0]));
    let work = Combine { by, factors: [scale, low, high], a: &mut a[1..m - 1], b: &b[1..m - 1], shifted: &b[..m - 2] };
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the instruction set.
            unsafe { work.with_avx512() };
            a[0] = one;
            return;
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            unsafe { work.with_avx2() };
            a[0] = one;
            return;
        }
    }
    work.run();
    a[0] = one;
}

/// Montgomery's reduction of a sum below `p R`.
trait ReduceSum {
    fn reduce_sum(&self, sum: u64) -> u32;
}

impl ReduceSum for Montgomery<u32> {
    #[inline(always)]
    fn reduce_sum(&self, sum: u64) -> u32 {
        let multiple = u64::from((sum as u32).wrapping_mul(self.inverse())) * u64::from(self.modulus());
        let difference = ((sum >> 32) as u32).wrapping_sub((multiple >> 32) as u32);
        difference.min(difference.wrapping_add(self.modulus()))
    }
}

/// `a[i] = (c0 a[i] + c1 b[i] + c2 shifted[i]) / R`, slices of one length.
struct Combine<'a> {
    by: &'a Montgomery<u32>,
    factors: [u32; 3],
    a: &'a mut [u32],
    b: &'a [u32],
    shifted: &'a [u32],
}

impl Combine<'_> {
    #[inline(always)]
    fn run(self) {
        let by = *self.by;
        let [c0, c1, c2] = self.factors.map(u64::from);
        for (a, (&b, &shifted)) in self.a.iter_mut().zip(self.b.iter().zip(self.shifted)) {
            *a = by.reduce_sum(c0 * u64::from(*a) + c1 * u64::from(b) + c2 * u64::from(shifted));
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

//! A step of Euclid's algorithm with a quotient of degree 1, of coefficients in 32-bit words, without a division: see `cross`.

use manycore_field::{Montgomery, PrimeField};

use super::cross;

/// The lower `b.len() - 1` coefficients of `a` become the remainder by `b` times a unit, for `a` longer by one and `b` of
/// two coefficients at least.
pub(super) fn step(field: &PrimeField<u32>, by: &Montgomery<u32>, a: &mut [u32], b: &[u32]) {
    let (n, m) = (a.len(), b.len());
    let factors = cross::factors(field, by, [a[n - 1], a[n - 2], b[m - 1], b[m - 2]]).factors;
    let [scale, low, _] = factors.map(u64::from);
    let one = cross::reduce_sum(by, scale * u64::from(a[0]) + low * u64::from(b[0]));
    cross::rows(by, factors, &mut a[1..m - 1], &b[1..m - 1], &b[..m - 2]);
    a[0] = one;
}

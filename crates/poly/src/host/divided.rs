//! Euclid's algorithm with a quotient of degree 1 and one division, by the leading coefficient of the divisor.

use manycore_field::FieldSlices;

use super::cross::Cross;

/// [`ShortPolynomials::euclid_step`](super::ShortPolynomials::euclid_step) with one division, by the leading coefficient.
pub(super) fn step<F: FieldSlices>(field: &F, a: &mut [F::Element], b: &[F::Element]) {
    let (n, m) = (a.len(), b.len());
    let Some(inverse) = field.inverse(b[m - 1]) else { return };
    let high = field.mul(a[n - 1], inverse);
    let low = field.mul(field.sub(a[n - 2], field.mul(high, b[m - 2])), inverse);
    field.sub_scaled_slice(&mut a[1..m - 1], high, &b[..m - 2]);
    field.sub_scaled_slice(&mut a[..m - 1], low, &b[..m - 1]);
}

/// [`ShortPolynomials::cross`](super::ShortPolynomials::cross) with one division, by the leading coefficient.
pub(super) fn cross<F: FieldSlices>(field: &F, [top, next, lead, second]: [F::Element; 4]) -> Cross<F::Element> {
    // No leading coefficient is zero.
    let inverse = field.inverse(lead).unwrap_or(field.one());
    let high = field.mul(top, inverse);
    let low = field.mul(field.sub(next, field.mul(high, second)), inverse);
    Cross { factors: [field.one(), field.neg(low), field.neg(high)], unit: field.one() }
}

/// [`ShortPolynomials::cross_rows`](super::ShortPolynomials::cross_rows) with factors that are divided already.
pub(super) fn rows<F: FieldSlices>(
    field: &F,
    by: &Cross<F::Element>,
    x: &mut [F::Element],
    y: &[F::Element],
    shifted: &[F::Element],
) {
    let len = x.len().min(y.len()).min(shifted.len());
    let [_, low, high] = by.factors;
    field.sub_scaled_slice(&mut x[..len], field.neg(low), y);
    field.sub_scaled_slice(&mut x[..len], field.neg(high), shifted);
}

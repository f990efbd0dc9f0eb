//! Determinants of many small matrices with the host's threads, each by one.

use manycore_device::HostPool;

use crate::field::MatrixField;

/// Entries that a thread takes at a time.
const TASK: usize = 1 << 10;

/// `out[k]` becomes the determinant of matrix `k`, of an order above 0.
pub(super) fn determinants<F: MatrixField>(
    field: &F,
    pool: &HostPool,
    a: &[F::Element],
    order: usize,
    out: &mut [F::Element],
) {
    let len = order * order;
    let task = (TASK / len).max(1);
    let operations = (a.len() * order) as u64;
    pool.step("determinants", size_of_val(a) as u64, operations, || {
        let parts = out.chunks_mut(task).zip(a.chunks(task * len));
        let scratch = || vec![field.zero(); len];
        pool.team().each_with(parts, scratch, |scratch, (out, a)| {
            for (out, a) in out.iter_mut().zip(a.chunks(len)) {
                scratch.copy_from_slice(a);
                *out = determinant(field, scratch, order);
            }
        });
    });
}

/// The determinant by elimination, which changes the words.
pub(crate) fn determinant<F: MatrixField>(field: &F, words: &mut [F::Element], order: usize) -> F::Element {
    let mut product = field.one();
    for k in 0..order {
        let Some(source) = (k..order).find(|row| words[row * order + k] != field.zero()) else { return field.zero() };
        let (upper, lower) = words.split_at_mut((k + 1) * order);
        let pivot_row = &mut upper[k * order..];
        if source != k {
            pivot_row.swap_with_slice(&mut lower[(source - k - 1) * order..][..order]);
            product = field.neg(product);
        }
        let pivot = pivot_row[k];
        product = field.mul(product, pivot);
        // It is not 0.
        let inverse = field.inverse(pivot).unwrap_or(field.one());
        for row in lower.chunks_mut(order).filter(|row| row[k] != field.zero()) {
            let factor = field.mul(row[k], inverse);
            field.sub_scaled_slice(&mut row[k + 1..], factor, &pivot_row[k + 1..]);
        }
    }
    product
}

//! Inverses of small matrices with the host's threads, each by one.

use manycore_device::HostPool;
use manycore_field::ResidueWord as _;

use super::squares::Squares;
use crate::field::MatrixField;

/// The largest order of matrices that are inverted so: 64 KiB of 32-bit words, which a near cache holds.
pub(super) const MOST: usize = 128;

/// Inverses are written to `out`, determinants and numbers of pivots to `found`.
pub(super) fn inverses<F: MatrixField>(
    field: &F,
    pool: &HostPool,
    (a, squares): (&[F::Element], Squares),
    out: &mut [F::Element],
    found: &mut [F::Element],
) {
    let Squares { start, stride, step, order, count } = squares;
    let operations = (count * order * order * order) as u64;
    pool.step("inverses", 2 * size_of_val(&*out) as u64, operations, || {
        let parts = out.chunks_mut(order * order).zip(found.chunks_mut(2)).enumerate();
        pool.team().only_if(count > 1).each(parts, |(k, (out, found))| {
            for (i, row) in out.chunks_mut(order).enumerate() {
                row.copy_from_slice(&a[start + k * step + i * stride..][..order]);
            }
            let (determinant, pivots) = invert(field, out, order);
            found.copy_from_slice(&[determinant, F::Element::from_u64(pivots as u64)]);
        });
    });
}

/// Inverts a matrix in place; its determinant, and the number of its first columns that have pivots. One that is singular is
/// left as it then stands.
fn invert<F: MatrixField>(field: &F, words: &mut [F::Element], order: usize) -> (F::Element, usize) {
    let (zero, one) = (field.zero(), field.one());
    let mut determinant = one;
    let mut places: Vec<usize> = (0..order).collect();
    let mut pivot_row = vec![zero; order];
    for k in 0..order {
        let Some(source) = (k..order).find(|row| words[row * order + k] != zero) else { return (zero, k) };
        if source != k {
            let (upper, lower) = words.split_at_mut(source * order);
            upper[k * order..][..order].swap_with_slice(&mut lower[..order]);
            places.swap(k, source);
            determinant = field.neg(determinant);
        }
        let row = &mut words[k * order..][..order];
        determinant = field.mul(determinant, row[k]);
        // A pivot is not 0.
        let inverse = field.inverse(row[k]).unwrap_or(one);
        row[k] = one;
        field.scale_slice(row, inverse);
        pivot_row.copy_from_slice(row);
        for (i, row) in words.chunks_mut(order).enumerate() {
            let factor = row[k];
            if i != k && factor != zero {
                row[k] = zero;
                field.sub_scaled_slice(row, factor, &pivot_row);
            }
        }
    }
    // Column k belongs to the row that was at places[k].
    for row in words.chunks_mut(order) {
        pivot_row.copy_from_slice(row);
        places.iter().zip(&pivot_row).for_each(|(&place, &word)| row[place] = word);
    }
    (determinant, order)
}

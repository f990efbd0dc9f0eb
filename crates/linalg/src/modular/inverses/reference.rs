//! The inverse of a matrix by its definition, slow.

use manycore_field::Field;

use crate::modular::eliminate;

/// The inverse of a square matrix of `order` rows, row after row: the matrix `B` with `A B = I`, the right half of the reduced
/// echelon form of `(A | I)`; `None` for a matrix without inverse. `O(n^3)`. Entries that the slice lacks are zero.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_linalg::inverses::reference::inverse;
/// let field = PrimeField::<u32>::new(7)?;
/// assert_eq!(inverse(&field, &[2, 1, 1, 1], 2), Some(vec![1, 6, 6, 2]));
/// assert_eq!(inverse(&field, &[1, 2, 2, 4], 2), None);
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn inverse<F: Field>(field: &F, entries: &[F::Element], order: usize) -> Option<Vec<F::Element>> {
    let entry = |i: usize, j: usize| match j.checked_sub(order) {
        None => entries.get(i * order + j).copied().unwrap_or(field.zero()),
        Some(j) if i == j => field.one(),
        Some(_) => field.zero(),
    };
    let both: Vec<F::Element> = (0..order).flat_map(|i| (0..2 * order).map(move |j| entry(i, j))).collect();
    let (form, pivots) = eliminate::reference::echelon(field, &both, 2 * order);
    let is_whole = pivots.iter().copied().eq(0..order);
    is_whole.then(|| form.chunks(2 * order.max(1)).flat_map(|row| &row[order..]).copied().collect())
}

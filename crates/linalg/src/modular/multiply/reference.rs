//! Products of matrices by their definition.

use manycore_field::Semiring;

/// The product of a matrix of `rows` by `inner` entries and one of `inner` by `columns`, row after row: entry `(i, j)` is the
/// sum over `k` of `a[i][k] b[k][j]`; `rows inner columns` products over any semiring. Entries that the slices lack are zero.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_linalg::multiply::reference::multiply;
/// let field = PrimeField::<u32>::new(7)?;
/// assert_eq!(multiply(&field, &[1, 2, 3, 4], &[5, 6], (2, 2, 1)), [3, 4]); // 17, 39
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn multiply<S: Semiring>(
    ring: &S,
    a: &[S::Element],
    b: &[S::Element],
    (rows, inner, columns): (usize, usize, usize),
) -> Vec<S::Element> {
    let entry = |words: &[S::Element], index: usize| words.get(index).copied().unwrap_or(ring.zero());
    let sum = |i: usize, j: usize| {
        (0..inner)
            .fold(ring.zero(), |sum, k| ring.add(sum, ring.mul(entry(a, i * inner + k), entry(b, k * columns + j))))
    };
    (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| sum(i, j)).collect()
}

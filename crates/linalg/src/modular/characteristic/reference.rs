//! The characteristic polynomial by its definition.

use manycore_field::Ring;

/// The coefficients of `det(x I - a)`, the constant term first, by expansion along rows with polynomials as entries: `n! n^2`
/// operations, for small orders. Entries that the slice lacks are zero.
pub fn characteristic_polynomial<R: Ring>(ring: &R, order: usize, entries: &[R::Element]) -> Vec<R::Element> {
    expand(ring, order, entries, 0, &(0..order).collect::<Vec<usize>>())
}

/// The minor of the rows from `row` on and the columns `left`.
fn expand<R: Ring>(ring: &R, order: usize, entries: &[R::Element], row: usize, left: &[usize]) -> Vec<R::Element> {
    let mut sum = vec![ring.zero(); left.len() + 1];
    if left.is_empty() {
        return vec![ring.one()];
    }
    for (k, &column) in left.iter().enumerate() {
        let others: Vec<usize> = left.iter().copied().filter(|&other| other != column).collect();
        let minor = expand(ring, order, entries, row + 1, &others);
        let entry = ring.neg(entries.get(row * order + column).copied().unwrap_or(ring.zero()));
        let signed = |x: R::Element| if k % 2 == 0 { x } else { ring.neg(x) };
        for (power, &c) in minor.iter().enumerate() {
            sum[power] = ring.add(sum[power], signed(ring.mul(entry, c)));
            if column == row {
                sum[power + 1] = ring.add(sum[power + 1], signed(c));
            }
        }
    }
    sum
}

//! Determinants by their definition, by Bareiss' fraction-free elimination, and by one step of condensation after the other.

use manycore_field::{Field, Ring};

/// The determinant of a square matrix by Leibniz' formula, the sum over all permutations of sign times product: `n! n`
/// operations, for small orders. 1 for order 0; entries that the slice lacks are zero.
pub fn leibniz<R: Ring>(ring: &R, order: usize, entries: &[R::Element]) -> R::Element {
    /// Adds the products of all permutations that choose among `left` columns for the rows from `row` on.
    fn expand<R: Ring>(ring: &R, entries: &[R::Element], order: usize, row: usize, left: &[usize]) -> R::Element {
        if row == order {
            return ring.one();
        }
        left.iter().enumerate().fold(ring.zero(), |sum, (k, &column)| {
            let others: Vec<usize> = left.iter().copied().filter(|&other| other != column).collect();
            let entry = entries.get(row * order + column).copied().unwrap_or(ring.zero());
            let product = ring.mul(entry, expand(ring, entries, order, row + 1, &others));
            // The column of number k among those left is passed by k others.
            if k % 2 == 0 { ring.add(sum, product) } else { ring.sub(sum, product) }
        })
    }
    expand(ring, entries, order, 0, &(0..order).collect::<Vec<usize>>())
}

/// The determinant of a square matrix by Bareiss' elimination, in which every number is a minor of the matrix and every
/// division is exact: `O(n^3)`. Source: Bareiss, "Sylvester's identity and multistep integer-preserving Gaussian
/// elimination", Mathematics of Computation 22 (1968). `None` for a number of entries other than `order^2`.
pub fn bareiss<F: Field>(field: &F, order: usize, entries: &[F::Element]) -> Option<F::Element> {
    if entries.len() != order * order {
        return None;
    }
    let mut rows: Vec<Vec<F::Element>> = entries.chunks(order.max(1)).map(<[F::Element]>::to_vec).collect();
    let (mut before, mut negative) = (field.one(), false);
    for k in 0..order {
        let Some(source) = (k..order).find(|&row| rows[row][k] != field.zero()) else { return Some(field.zero()) };
        rows.swap(k, source);
        negative ^= source != k;
        let pivot = rows[k].clone();
        for row in &mut rows[k + 1..] {
            let factor = row[k];
            for (x, &y) in row.iter_mut().zip(&pivot).skip(k + 1) {
                *x = field.div(field.sub(field.mul(*x, pivot[k]), field.mul(factor, y)), before)?;
            }
        }
        before = pivot[k];
    }
    Some(if negative { field.neg(before) } else { before })
}

/// One step of Salem-Said condensation of a matrix `A` of order `n > 0`, with the pivot `a = A[0][l]`: the matrix `B` of order
/// `n - 1` with
///
/// ```text
/// B[i][j] = a A[i+1][j+1] - A[0][j+1] A[i+1][l]   for j >= l
/// B[i][j] = A[0][j] A[i+1][l] - a A[i+1][j]       for j < l
/// ```
///
/// for which `det B = a^(n-2) det A` for `n >= 2`. The rule for `j < l` holds for any pivot; the thesis' own, `-a A[i+1][j]`, for
/// the first that is not 0 alone. Source: Salem and Said; paper 002, section 7.1, corrected. `None` for a slice that has not
/// `order^2` entries, and for a column that there is not.
///
/// ```
/// use manycore_field::Integers;
/// use manycore_linalg::condense::reference::step;
/// let a = [2, 1, 3, 4, 5, 6, 7, 8, 10];
/// assert_eq!(step(&Integers::<i64>::new(), 3, &a, 1), Some(vec![6, -9, 9, -14]));
/// ```
pub fn step<R: Ring>(ring: &R, order: usize, entries: &[R::Element], pivot: usize) -> Option<Vec<R::Element>> {
    if entries.len() != order * order || pivot >= order {
        return None;
    }
    let (head, rest) = entries.split_at(order);
    let a = head[pivot];
    let condensed = |row: &[R::Element]| -> Vec<R::Element> {
        let products = |column: usize| (ring.mul(a, row[column]), ring.mul(head[column], row[pivot]));
        let before = (0..pivot).map(|j| {
            let (own, other) = products(j);
            ring.sub(other, own)
        });
        let behind = (pivot + 1..order).map(|j| {
            let (own, other) = products(j);
            ring.sub(own, other)
        });
        before.chain(behind).collect()
    };
    Some(rest.chunks(order).flat_map(condensed).collect())
}

/// The determinant of a square matrix over a field by condensation, with the first entry of each first row that is not zero as
/// pivot. `None` for a number of entries other than `order^2`.
pub fn determinant<F: Field>(field: &F, order: usize, entries: &[F::Element]) -> Option<F::Element> {
    if entries.len() != order * order {
        return None;
    }
    let mut matrix = entries.to_vec();
    let mut scale = field.one();
    for n in (2..=order).rev() {
        let Some(pivot) = matrix[..n].iter().position(|&x| x != field.zero()) else { return Some(field.zero()) };
        scale = field.mul(scale, field.power(matrix[pivot], n as u64 - 2));
        matrix = step(field, n, &matrix, pivot)?;
    }
    field.div(matrix.first().copied().unwrap_or(field.one()), scale)
}

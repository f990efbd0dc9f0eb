//! The reduced echelon form by its definition, slow.

use manycore_field::Field;

/// The reduced row echelon form of a matrix of rows of `columns` entries, and the columns of its pivots: each pivot is one, the
/// only entry of its column that is not zero, to the right of those above it; rows of zeros come last. There is one such form.
///
/// Any entry other than zero serves as pivot; here the last of its column is taken, so that elimination by others is checked.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_linalg::eliminate::reference::echelon;
/// let field = PrimeField::<u32>::new(7)?;
/// assert_eq!(echelon(&field, &[0, 2, 4, 0, 1, 2], 3), (vec![0, 1, 2, 0, 0, 0], vec![1]));
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn echelon<F: Field>(field: &F, entries: &[F::Element], columns: usize) -> (Vec<F::Element>, Vec<usize>) {
    let mut rows: Vec<Vec<F::Element>> = entries.chunks(columns.max(1)).map(<[F::Element]>::to_vec).collect();
    let mut pivots = Vec::new();
    for column in 0..columns {
        let top = pivots.len();
        let Some(source) = (top..rows.len()).rev().find(|&row| rows[row][column] != field.zero()) else { continue };
        rows.swap(top, source);
        // It is not zero.
        let inverse = field.inverse(rows[top][column]).unwrap_or(field.one());
        rows[top].iter_mut().for_each(|x| *x = field.mul(*x, inverse));
        let pivot = rows[top].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(i, _)| i != top) {
            let factor = row[column];
            row.iter_mut().zip(&pivot).for_each(|(x, &y)| *x = field.sub(*x, field.mul(factor, y)));
        }
        pivots.push(column);
    }
    (rows.concat(), pivots)
}

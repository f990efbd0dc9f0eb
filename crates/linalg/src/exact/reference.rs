//! Gaussian elimination with fractions: the definition that ranks, nullspaces, inverses and solutions are tested with.

use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

use super::IntegerEntry;

/// The reduced row echelon form over the rationals of a matrix of integers, row after row, with `columns` columns; and the columns of its
/// pivots. `O(m n r)` operations on fractions that grow.
///
/// ```
/// use manycore_linalg::exact::reference::echelon;
/// let (form, pivots) = echelon(3, &[1i64, 2, 3, 2, 4, 7]);
/// assert_eq!(form.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1", "2", "0", "0", "0", "1"]);
/// assert_eq!(pivots, [0, 2]);
/// ```
pub fn echelon<T: IntegerEntry>(columns: usize, a: &[T]) -> (Vec<BigRational>, Vec<usize>) {
    let entry = |entry: &T| BigRational::from(entry.to_integer());
    let mut rows: Vec<Vec<BigRational>> = a.chunks(columns.max(1)).map(|row| row.iter().map(entry).collect()).collect();
    let mut pivots = Vec::new();
    for column in 0..columns {
        let k = pivots.len();
        let Some(source) = (k..rows.len()).find(|&row| !rows[row][column].is_zero()) else { continue };
        rows.swap(k, source);
        let inverse = BigRational::one() / &rows[k][column];
        rows[k].iter_mut().for_each(|entry| *entry *= &inverse);
        let pivot = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != k) {
            let factor = row[column].clone();
            row.iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= &factor * pivot);
        }
        pivots.push(column);
    }
    (rows.concat(), pivots)
}

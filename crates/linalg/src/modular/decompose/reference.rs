//! Triangular decomposition by its definition: Gaussian elimination column by column that keeps its multipliers.

use manycore_field::Field;

/// The factors of a matrix, as [`lu`] finds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factors<E> {
    /// For each row of `L U` the row of the matrix that it is.
    pub rows: Vec<usize>,
    /// `L`, row after row: as many rows as the matrix has, as many columns as its rank, 1 on the diagonal and 0 above it.
    pub lower: Vec<E>,
    /// `U`, row after row: as many rows as the rank, in echelon form.
    pub upper: Vec<E>,
    /// The column of the first entry other than 0 of each row of `U`, ascending.
    pub pivots: Vec<usize>,
}

/// `P A = L U` for a matrix of rows of `columns` entries: in each column the first entry other than 0 among the rows without a pivot is
/// the pivot, its row is exchanged with the first of them, and multiples of it are taken from those below it.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_linalg::decompose::reference::lu;
/// let found = lu(&PrimeField::<u32>::new(7)?, &[0, 2, 1, 3, 2, 5], 2);
/// assert_eq!((found.rows, found.pivots), (vec![1, 0, 2], vec![0, 1]));
/// assert_eq!((found.lower, found.upper), (vec![1, 0, 0, 1, 2, 3], vec![1, 3, 0, 2])); // 5 - 2 * 3 = 3 * 2
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn lu<F: Field>(field: &F, entries: &[F::Element], columns: usize) -> Factors<F::Element> {
    let mut upper: Vec<Vec<F::Element>> = entries.chunks(columns.max(1)).map(<[F::Element]>::to_vec).collect();
    let mut lower: Vec<Vec<F::Element>> = vec![Vec::new(); upper.len()];
    let mut rows: Vec<usize> = (0..upper.len()).collect();
    let mut pivots = Vec::new();
    for column in 0..columns {
        let top = pivots.len();
        let Some(source) = (top..upper.len()).find(|&row| upper[row][column] != field.zero()) else { continue };
        upper.swap(top, source);
        lower.swap(top, source);
        rows.swap(top, source);
        let pivot = upper[top].clone();
        // It is not zero.
        let inverse = field.inverse(pivot[column]).unwrap_or(field.one());
        for (i, (row, multipliers)) in upper.iter_mut().zip(&mut lower).enumerate() {
            if i <= top {
                multipliers.push(if i == top { field.one() } else { field.zero() });
                continue;
            }
            let factor = field.mul(row[column], inverse);
            row.iter_mut().zip(&pivot).for_each(|(x, &y)| *x = field.sub(*x, field.mul(factor, y)));
            multipliers.push(factor);
        }
        pivots.push(column);
    }
    upper.truncate(pivots.len());
    Factors { rows, lower: lower.concat(), upper: upper.concat(), pivots }
}

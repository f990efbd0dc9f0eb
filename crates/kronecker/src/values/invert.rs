//! The inverse of a small matrix by the elimination of Gauss and Jordan, over any field.

/// What elimination needs of a field.
pub(super) struct Elimination<'a, T> {
    /// 0.
    pub(super) zero: T,
    /// 1.
    pub(super) one: T,
    /// How good a pivot is; not positive where it is none.
    pub(super) size: &'a dyn Fn(&T) -> f64,
    /// The first less the product of the others.
    pub(super) less_product: &'a dyn Fn(&T, &T, &T) -> T,
    /// The quotient by a pivot.
    pub(super) over: &'a dyn Fn(&T, &T) -> T,
}

impl<T: Clone> Elimination<'_, T> {
    /// The inverse of a matrix of `q` rows, or the column where no pivot is left. About `2 q^3` operations.
    pub(super) fn invert(&self, q: usize, matrix: &[T]) -> Result<Vec<T>, usize> {
        let mut rows: Vec<Vec<T>> = (0..q)
            .map(|i| {
                let unit = (0..q).map(|j| if i == j { self.one.clone() } else { self.zero.clone() });
                matrix[i * q..(i + 1) * q].iter().cloned().chain(unit).collect()
            })
            .collect();
        for column in 0..q {
            let size = |i: usize| (self.size)(&rows[i][column]);
            // The first of the largest.
            let pivot = (column + 1..q).fold(column, |best, i| if size(i) > size(best) { i } else { best });
            if size(pivot) <= 0.0 {
                return Err(column);
            }
            rows.swap(column, pivot);
            let by = rows[column][column].clone();
            let pivot_row: Vec<T> = rows[column].iter().map(|x| (self.over)(x, &by)).collect();
            for (i, row) in rows.iter_mut().enumerate() {
                let factor = row[column].clone();
                if i != column && (self.size)(&factor).abs() > 0.0 {
                    for (x, p) in row.iter_mut().zip(&pivot_row) {
                        *x = (self.less_product)(x, &factor, p);
                    }
                }
            }
            rows[column] = pivot_row;
        }
        Ok(rows.into_iter().flat_map(|row| row.into_iter().skip(q)).collect())
    }
}

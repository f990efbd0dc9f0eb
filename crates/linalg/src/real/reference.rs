//! A step of condensation in double precision by its definition.

/// One step of condensation of a matrix of doubles of order `n > 0` with the pivot in column `l` of the first row: the matrix of
/// order `n - 1` with
///
/// ```text
/// c[i] = A[i+1][l] / A[0][l]
/// B[i][j] = A[i+1][j+1] - A[0][j+1] c[i]   for j >= l
/// B[i][j] = -(A[i+1][j] - A[0][j] c[i])    for j < l
/// ```
///
/// for which `det A = A[0][l] det B`. Source: paper 002, section 7.4, corrected. `None` for a slice that has not `order^2`
/// entries, and for a column that there is not.
pub fn step(order: usize, entries: &[f64], pivot: usize) -> Option<Vec<f64>> {
    if entries.len() != order * order || pivot >= order {
        return None;
    }
    let (head, rest) = entries.split_at(order);
    let condensed = |row: &[f64]| -> Vec<f64> {
        let c = row[pivot] / head[pivot];
        let before = (0..pivot).map(|j| -(row[j] - head[j] * c));
        let behind = (pivot + 1..order).map(|j| row[j] - head[j] * c);
        before.chain(behind).collect()
    };
    Some(rest.chunks(order).flat_map(condensed).collect())
}

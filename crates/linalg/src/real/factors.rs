//! Results of eliminations: the steps of condensation, and the triangular factors, with rows and columns in the order of their pivots.

/// What the steps of condensation leave.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condensed {
    pub(super) order: usize,
    /// Of each step the row and the column of the pivot in the matrix that it found, and the pivot: fewer than the order where
    /// a matrix was left that has no pivot.
    pub(super) pivots: Vec<(usize, usize, f64)>,
    /// Of each step the pivot's row, `order` words each of which the first count.
    pub(super) heads: Vec<f64>,
    /// Of each step the multipliers of all rows, 1 for the pivot's own.
    pub(super) tails: Vec<f64>,
}

/// `A[rows[i]][columns[j]] = sum over s < rank of L[i][s] U[s][j]`, but for rounding, with `L` of ones on its diagonal: for all rows
/// where the rank is the order, else for rows `i <= rank`, of which the last had no pivot.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Factors {
    /// The number of pivots found.
    pub(super) rank: usize,
    /// Row `i` of the factors is this row of the matrix.
    pub(super) rows: Vec<usize>,
    /// Column `j` of the factors is this column of the matrix.
    pub(super) columns: Vec<usize>,
    /// Row after row, `L` below the diagonal, and `U` from it on: the pivots, up to signs. From the diagonal of row `rank` on, and in
    /// rows behind it, any numbers.
    pub(super) words: Vec<f64>,
}

/// Pivots, whose product is the determinant, and triangular factors, where they were asked for.
pub(super) struct Triangular {
    /// As many as the order, or none where a matrix was left that has no pivot.
    pub(super) pivots: Vec<f64>,
    /// `None` where they were not asked for, and for order 0.
    pub(super) factors: Option<Factors>,
}

impl Triangular {
    /// From the steps.
    pub(super) fn of(condensed: &Condensed, with_factors: bool) -> Self {
        let pivots = condensed.pivots.iter().map(|&(_, _, pivot)| pivot);
        let factors = with_factors.then(|| factors(condensed));
        Self { pivots: if condensed.pivots.len() < condensed.order { Vec::new() } else { pivots.collect() }, factors }
    }
}

/// The factors. Where a step had no pivot, the first row that it found is the one without.
pub(super) fn factors(condensed: &Condensed) -> Factors {
    let Condensed { order, pivots, heads, tails } = condensed;
    let order = *order;
    let numbers = || (0..order).collect::<Vec<usize>>();
    let (mut rows_left, mut columns_left) = (numbers(), numbers());
    let take = |left: &mut Vec<usize>, place: usize| left.remove(place);
    let mut rows: Vec<usize> = pivots.iter().map(|&(row, _, _)| take(&mut rows_left, row)).collect();
    let mut columns: Vec<usize> = pivots.iter().map(|&(_, column, _)| take(&mut columns_left, column)).collect();
    rows.append(&mut rows_left);
    columns.append(&mut columns_left);
    let (row_places, column_places) = (places(&rows), places(&columns));
    let mut words = vec![0.0; order * order];
    // Rows and columns that are left, as their places in the factors, with the sign that their entries have.
    let signed = |places: Vec<usize>| places.into_iter().map(|place| (place, 1.0)).collect::<Vec<(usize, f64)>>();
    let (mut rows_left, mut columns_left) = (signed(row_places), signed(column_places));
    for (step, &(row, column, _)) in pivots.iter().enumerate() {
        let (_, own_sign) = rows_left[row];
        for (&(place, sign), &word) in columns_left.iter().zip(&heads[step * order..]) {
            words[step * order + place] = own_sign * sign * word;
        }
        rows_left.remove(row);
        // The pivot's own multiplier is 1.
        let others = tails[step * order..].iter().enumerate().filter(|&(i, _)| i != row);
        for (&(place, sign), (_, &word)) in rows_left.iter().zip(others) {
            words[place * order + step] = own_sign * sign * word;
        }
        columns_left.remove(column);
        // Entries before the pivot in its row or column, but not both, change their sign.
        rows_left[..row].iter_mut().for_each(|(_, sign)| *sign = -*sign);
        columns_left[..column].iter_mut().for_each(|(_, sign)| *sign = -*sign);
    }
    Factors { rank: pivots.len(), rows, columns, words }
}

/// The place of each number in a list of all.
fn places(numbers: &[usize]) -> Vec<usize> {
    let mut places = vec![0; numbers.len()];
    numbers.iter().enumerate().for_each(|(place, &number)| places[number] = place);
    places
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_device::Executor;

    use super::super::host;
    use super::super::options::Pivoting;
    use super::*;

    #[test]
    fn the_product_of_the_factors_is_the_matrix() {
        let order = 5;
        // Small integers, and pivots of powers of two or few digits: errors stay far below what is compared.
        let words: Vec<f64> = (0..order * order).map(|e| f64::from((e * e * 7 % 23) as u32) - 9.0).collect();
        let device = Device::host();
        let Executor::Host(pool) = device.executor() else { panic!("the host is no host") };
        for pivoting in Pivoting::ALL {
            let found = factors(&host::condense(pool, order, &words, pivoting).unwrap());
            assert_eq!(found.rank, order);
            for i in 0..order {
                for j in 0..order {
                    let lower = |s: usize| if s == i { 1.0 } else { found.words[i * order + s] };
                    let sum: f64 = (0..=i.min(j)).map(|s| lower(s) * found.words[s * order + j]).sum();
                    let entry = words[found.rows[i] * order + found.columns[j]];
                    assert!((sum - entry).abs() < 1e-10, "{pivoting:?} {i} {j}");
                }
            }
        }
    }

    #[test]
    fn rows_up_to_one_without_pivot_are_products() {
        let (order, words) = (4, [1.0, 2.0, 0.0, 4.0, 0.5, 1.0, 0.0, 2.0, 2.0, 4.0, 0.0, 8.0, 0.25, 0.5, 0.0, 1.0]);
        let device = Device::host();
        let Executor::Host(pool) = device.executor() else { panic!("the host is no host") };
        for pivoting in Pivoting::ALL {
            let found = factors(&host::condense(pool, order, &words, pivoting).unwrap());
            assert_eq!(found.rank, 1, "{pivoting:?}");
            for (i, j) in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)] {
                let multiplier = if i == 0 { 1.0 } else { found.words[order] };
                let entry = words[found.rows[i] * order + found.columns[j]];
                assert!((multiplier * found.words[j] - entry).abs() < 1e-15, "{pivoting:?} {i} {j}");
            }
            for numbers in [found.rows, found.columns] {
                assert_eq!(numbers.iter().sum::<usize>(), 6);
            }
        }
    }
}

//! The triangular factors that condensation leaves, with rows and columns in the order of their pivots.

use super::Condensed;

/// `A[rows[i]][columns[j]] = sum over s of lower[i][s] upper[s][j]`, but for rounding; square matrices, row after row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Factors {
    /// Row `i` of the factors is this row of the matrix.
    pub(super) rows: Vec<usize>,
    /// Column `j` of the factors is this column of the matrix.
    pub(super) columns: Vec<usize>,
    /// Ones on the diagonal, zeros above.
    pub(super) lower: Vec<f64>,
    /// The pivots on the diagonal, up to signs, zeros below.
    pub(super) upper: Vec<f64>,
}

/// The factors; `None` where a step had no pivot.
pub(super) fn factors(condensed: &Condensed) -> Option<Factors> {
    let Condensed { order, pivots, heads, tails } = condensed;
    let order = *order;
    if pivots.len() < order {
        return None;
    }
    // Rows and columns that are left, with the sign that their entries have.
    let numbers = || (0..order).map(|number| (number, 1.0)).collect::<Vec<(usize, f64)>>();
    let (mut rows_left, mut columns_left) = (numbers(), numbers());
    let (mut rows, mut columns) = (Vec::with_capacity(order), Vec::with_capacity(order));
    let mut steps = Vec::with_capacity(order);
    for &(row, column, _) in pivots {
        let (own_row, own_sign) = rows_left[row];
        steps.push((own_sign, rows_left.clone(), columns_left.clone()));
        rows.push(own_row);
        rows_left.remove(row);
        columns.push(columns_left.remove(column).0);
        // Entries before the pivot in its row or column, but not both, change their sign.
        rows_left[..row].iter_mut().for_each(|(_, sign)| *sign = -*sign);
        columns_left[..column].iter_mut().for_each(|(_, sign)| *sign = -*sign);
    }
    let places = |order_of: &[usize]| {
        let mut places = vec![0; order];
        order_of.iter().enumerate().for_each(|(place, &number)| places[number] = place);
        places
    };
    let (row_places, column_places) = (places(&rows), places(&columns));
    let (mut lower, mut upper) = (vec![0.0; order * order], vec![0.0; order * order]);
    for (step, (own_sign, rows_left, columns_left)) in steps.iter().enumerate() {
        for (&(column, sign), &word) in columns_left.iter().zip(&heads[step * order..]) {
            upper[step * order + column_places[column]] = own_sign * sign * word;
        }
        for (&(row, sign), &word) in rows_left.iter().zip(&tails[step * order..]) {
            lower[row_places[row] * order + step] = own_sign * sign * word;
        }
    }
    Some(Factors { rows, columns, lower, upper })
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_device::Executor;

    use super::super::{Pivoting, host};
    use super::*;

    #[test]
    fn the_product_of_the_factors_is_the_matrix() {
        let order = 5;
        // Small integers, and pivots of powers of two or few digits: errors stay far below what is compared.
        let words: Vec<f64> = (0..order * order).map(|e| f64::from((e * e * 7 % 23) as u32) - 9.0).collect();
        let device = Device::host();
        let Executor::Host(pool) = device.executor() else { panic!("the host is no host") };
        for pivoting in Pivoting::ALL {
            let found = factors(&host::condense(pool, order, &words, pivoting)).unwrap();
            for i in 0..order {
                for j in 0..order {
                    let sum: f64 = (0..order).map(|s| found.lower[i * order + s] * found.upper[s * order + j]).sum();
                    let entry = words[found.rows[i] * order + found.columns[j]];
                    assert!((sum - entry).abs() < 1e-10, "{pivoting:?} {i} {j}");
                }
                let is_triangular = |j: usize| found.lower[i * order + j] == 0.0 && found.upper[j * order + i] == 0.0;
                assert!((i + 1..order).all(is_triangular));
                assert!((found.lower[i * order + i] - 1.0).abs() == 0.0);
            }
        }
    }
}

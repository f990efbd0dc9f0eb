//! Resultants and subresultants by their definitions, determinants of parts of Sylvester's matrix: specification and oracle.

use manycore_field::ModularField;

/// Row `i` of Sylvester's matrix has the coefficients of `x^(rows - 1 - i) f`, the highest power first: those of
/// `x^(powers - 1)` down to `x^0`.
fn row<F: ModularField>(field: &F, f: &[F::Element], shift: usize, powers: usize) -> Vec<F::Element> {
    let at = |power: usize| power.checked_sub(shift).and_then(|i| f.get(i)).copied().unwrap_or(field.zero());
    (0..powers).rev().map(at).collect()
}

/// The determinant of a square matrix given by its rows, by Gaussian elimination: `O(n^3)` products.
pub fn determinant<F: ModularField>(field: &F, mut rows: Vec<Vec<F::Element>>) -> F::Element {
    let mut value = field.one();
    for i in 0..rows.len() {
        let Some(pivot) = (i..rows.len()).find(|&j| rows[j][i] != field.zero()) else { return field.zero() };
        if pivot != i {
            rows.swap(pivot, i);
            value = field.neg(value);
        }
        let (above, below) = rows.split_at_mut(i + 1);
        let own = &above[i];
        value = field.mul(value, own[i]);
        for row in below {
            // The pivot is not zero.
            let factor = field.div(row[i], own[i]).unwrap_or(field.zero());
            row.iter_mut().zip(own).for_each(|(x, &y)| *x = field.sub(*x, field.mul(factor, y)));
        }
    }
    value
}

/// The resultant of formal degrees `m` and `n`: the determinant of Sylvester's matrix of size `m + n`, whose first `n` rows are
/// `x^(n - 1) f, ..., f`, and the others `x^(m - 1) g, ..., g`; 1 for `m = n = 0`. Polynomials are given by their coefficients, the
/// constant term first, at most `m + 1` and `n + 1` of them.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_poly::resultant::reference;
/// let field = PrimeField::<u32>::new(9001)?;
/// assert_eq!(reference::resultant(&field, (&[1, 2, 3], 2), (&[4, 5, 6, 7], 3)), 256);
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn resultant<F: ModularField>(
    field: &F,
    (f, m): (&[F::Element], usize),
    (g, n): (&[F::Element], usize),
) -> F::Element {
    let first = (0..n).rev().map(|shift| row(field, f, shift, m + n));
    determinant(field, first.chain((0..m).rev().map(|shift| row(field, g, shift, m + n))).collect())
}

/// The subresultant polynomial `S_k` of polynomials of the degrees `m` and `n`, for `k < min(m, n)`: the coefficient of `x^j`,
/// `j <= k`, is the determinant of the first `m + n - 2 k - 1` columns and that of `x^j` of the rows `x^(n - k - 1) f, ..., f,
/// x^(m - k - 1) g, ..., g`. Leading zeros are left.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_poly::resultant::reference;
/// let field = PrimeField::<u32>::new(7)?;
/// assert_eq!(reference::subresultant(&field, &[1, 0, 1], &[3, 1], 0), [3]); // the resultant
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn subresultant<F: ModularField>(field: &F, f: &[F::Element], g: &[F::Element], k: usize) -> Vec<F::Element> {
    let (m, n) = (f.len() - 1, g.len() - 1);
    let powers = m + n - k;
    let first = (0..n - k).rev().map(|shift| row(field, f, shift, powers));
    let rows: Vec<_> = first.chain((0..m - k).rev().map(|shift| row(field, g, shift, powers))).collect();
    let size = rows.len();
    let coefficient = |j: usize| {
        let own = |row: &Vec<F::Element>| [&row[..size - 1], &[row[powers - 1 - j]]].concat();
        determinant(field, rows.iter().map(own).collect())
    };
    (0..=k).map(coefficient).collect()
}

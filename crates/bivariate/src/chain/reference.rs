//! Subresultants by their definition, determinants over `F_p[x]` by fraction-free elimination (Bareiss 1968): specification and
//! oracle.

use manycore_field::ModularField;
use manycore_poly::divide::reference::divide;
use manycore_poly::linear::reference::stripped_len;
use manycore_poly::multiply::reference::multiply;

use crate::polynomial::Bivariate;

/// A polynomial in `x`.
type Entry<F> = Vec<<F as manycore_field::Semiring>::Element>;

/// The subresultant `S_k` of polynomials of the degrees `m` and `n` in `y`, `k < min(m, n)`: `O((m + n)^3)` operations in `F_p[x]` for
/// each coefficient.
pub fn subresultant<F: ModularField>(field: &F, f: &Bivariate<F>, g: &Bivariate<F>, k: usize) -> Bivariate<F> {
    let (m, n) = (f.rows().len() - 1, g.rows().len() - 1);
    let powers = m + n - k;
    let row = |f: &Bivariate<F>, shift: usize| -> Vec<Entry<F>> {
        let at = |power: usize| power.checked_sub(shift).and_then(|j| f.rows().get(j)).cloned().unwrap_or_default();
        (0..powers).rev().map(at).collect()
    };
    let first = (0..n - k).rev().map(|shift| row(f, shift));
    let rows: Vec<_> = first.chain((0..m - k).rev().map(|shift| row(g, shift))).collect();
    let size = rows.len();
    let coefficient = |j: usize| {
        let own = |row: &Vec<Entry<F>>| [&row[..size - 1], &[row[powers - 1 - j].clone()]].concat();
        determinant(field, rows.iter().map(own).collect())
    };
    Bivariate::trimmed(field, (0..=k).map(coefficient).collect())
}

/// The determinant of a square matrix of polynomials without zeros at their ends.
fn determinant<F: ModularField>(field: &F, mut rows: Vec<Vec<Entry<F>>>) -> Entry<F> {
    let size = rows.len();
    let mut before: Entry<F> = vec![field.one()];
    let mut negative = false;
    for i in 0..size {
        let Some(pivot) = (i..size).find(|&j| !rows[j][i].is_empty()) else { return Vec::new() };
        if pivot != i {
            rows.swap(pivot, i);
            negative = !negative;
        }
        for r in i + 1..size {
            for c in i + 1..size {
                let first = multiply(field, &rows[r][c], &rows[i][i]);
                let second = multiply(field, &rows[r][i], &rows[i][c]);
                let at = |f: &[F::Element], i: usize| f.get(i).copied().unwrap_or(field.zero());
                let mut difference: Entry<F> =
                    (0..first.len().max(second.len())).map(|i| field.sub(at(&first, i), at(&second, i))).collect();
                difference.truncate(stripped_len(field, &difference));
                // Bareiss: the quotient is exact, and the divisor, a former pivot, not zero.
                let (mut quotient, _) = divide(field, &difference, &before).unwrap_or_default();
                quotient.truncate(stripped_len(field, &quotient));
                rows[r][c] = quotient;
            }
        }
        before.clone_from(&rows[i][i]);
    }
    if negative {
        for c in &mut before {
            *c = field.neg(*c);
        }
    }
    before
}

//! Inverse of a matrix of order four from its minors of order two: one inverse of a residue, and products that do not wait for it
//! (Laplace's expansion by two rows; Gantmacher, The Theory of Matrices, chapter I).

use crate::field::{MatrixField, PIVOTS};

/// Pivots that are taken at once.
type Square<E> = [[E; PIVOTS]; PIVOTS];

/// The inverse of a regular matrix with its sign changed, and its determinant.
pub(super) struct Head<E> {
    pub(super) negative_inverse: Square<E>,
    pub(super) determinant: E,
}

/// The head of a matrix; `None` for a singular one. With the minors of the first two rows and of the last two in the pairs of columns
/// 01, 02, 03, 12, 13 and 23, each row of the adjugate matrix is a product of a skew matrix of minors and another row.
pub(super) fn head<F: MatrixField>(field: &F, a: &Square<F::Element>) -> Option<Head<F::Element>> {
    let [s, c] = [minors(field, &a[0], &a[1]), minors(field, &a[2], &a[3])];
    let [less_s, less_c] = [s, c].map(|minors| minors.map(|minor| field.neg(minor)));
    let determinant =
        sum(field, [(s[0], c[5]), (less_s[1], c[4]), (s[2], c[3]), (s[3], c[2]), (less_s[4], c[1]), (s[5], c[0])]);
    let inverse = field.inverse(determinant)?;
    let negative = field.neg(inverse);
    let skew = |m: [F::Element; 6], n: [F::Element; 6]| {
        let zero = field.zero();
        [[zero, m[5], n[4], m[3]], [n[5], zero, m[2], n[1]], [m[4], n[2], zero, m[0]], [n[3], m[1], n[0], zero]]
    };
    let (first, last) = (skew(c, less_c), skew(s, less_s));
    let negative_inverse = std::array::from_fn(|i| {
        let entry = |skew: &Square<F::Element>, row: usize, scale: F::Element| {
            let products = std::array::from_fn::<_, PIVOTS, _>(|k| (skew[i][k], a[row][k]));
            field.mul(sum(field, products), scale)
        };
        [entry(&first, 1, negative), entry(&first, 0, inverse), entry(&last, 3, negative), entry(&last, 2, inverse)]
    });
    Some(Head { negative_inverse, determinant })
}

/// The minors of two rows in the pairs of columns 01, 02, 03, 12, 13 and 23.
fn minors<F: MatrixField>(field: &F, x: &[F::Element; PIVOTS], y: &[F::Element; PIVOTS]) -> [F::Element; 6] {
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(i, j)| sum(field, [(x[i], y[j]), (field.neg(x[j]), y[i])]))
}

/// The sum of some products.
fn sum<F: MatrixField, const COUNT: usize>(field: &F, products: [(F::Element, F::Element); COUNT]) -> F::Element {
    field.residue(products.into_iter().fold(F::Sum::default(), |sum, (x, y)| field.fold(F::accumulate(sum, x, y))))
}

#[cfg(test)]
mod tests {
    use manycore_field::{Goldilocks, PrimeField, ResidueWord as _};
    use manycore_verify::SplitMix;

    use super::*;
    use crate::modular::algebra::residue;
    use crate::modular::condense::reference::leibniz;

    fn check<F: MatrixField>(field: &F) {
        let mut random = SplitMix::new(1);
        let identity = |i: usize, j: usize| if i == j { field.neg(field.one()) } else { field.zero() };
        for case in 0..200 {
            let mut a: Square<F::Element> = std::array::from_fn(|_| {
                std::array::from_fn(|_| match case % 3 {
                    0 => residue(field, &mut random),
                    1 => F::Element::from_u64(random.next_word() % 2),
                    _ => field.neg(F::Element::from_u64(random.next_word() % 2)),
                })
            });
            if case % 5 == 0 {
                a[3] = a[1];
            }
            let expected = leibniz(field, PIVOTS, a.as_flattened());
            let Some(found) = head(field, &a) else {
                assert_eq!(expected, field.zero());
                continue;
            };
            assert_eq!(found.determinant, expected);
            for (i, row) in a.iter().enumerate() {
                for j in 0..PIVOTS {
                    let product =
                        sum(field, std::array::from_fn::<_, PIVOTS, _>(|k| (row[k], found.negative_inverse[k][j])));
                    assert_eq!(product, identity(i, j), "{i} {j} mod {}", field.order());
                }
            }
        }
    }

    #[test]
    fn products_with_inverses_are_the_identity() {
        for p in [2, 3, 251, 469_762_049, 2_147_483_647] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        for p in [2, 4_611_686_009_971_671_041, 9_223_372_036_854_775_783] {
            check(&PrimeField::<u64>::new(p).unwrap());
        }
        check(&Goldilocks);
    }
}

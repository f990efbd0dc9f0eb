//! Short polynomials on the host: products by their definition, steps of Euclid's algorithm, and nodes of subproduct trees.
//!
//! | file | what |
//! |---|---|
//! | `short` | residues in 32-bit words, with vectors |
//! | `long` | residues in 64-bit words |
//! | `sums` | sums of products in 32-bit words |
//! | `rows` | sums of multiples of rows |
//! | `factors` | the factors of a product, ordered and padded |
//! | `leaves` | the lowest nodes of subproduct trees |
//! | `cross` | rows and steps of Euclid's algorithm in 32-bit words, with vectors |
//! | `divided` | rows and steps with a division, of any residues |

mod cross;
mod divided;
mod factors;
mod leaves;
mod long;
mod rows;
mod short;
mod sums;

use manycore_field::{FieldSlices, Goldilocks, PrimeField};

pub(crate) use cross::{BLOCK, Cross, Crossing};
pub(crate) use rows::NARROW_WIDTH;

/// What the host does with short polynomials over a field: steps of Euclid's algorithm, products by the definition, and nodes of
/// subproduct trees; sealed. All slices hold canonical residues.
pub trait ShortPolynomials: FieldSlices {
    /// A step of Euclid's algorithm with a quotient of degree 1: the lower `b.len() - 1` coefficients of `a` become the
    /// remainder by `b` times a unit, those above are not specified. `a` is longer by one, and the leading coefficients, of
    /// which `b` has two at least, are not 0.
    #[doc(hidden)]
    fn euclid_step(&self, by: &Crossing, a: &mut [Self::Element], b: &[Self::Element]) {
        let _ = by;
        divided::step(self, a, b);
    }

    /// What many steps of Euclid's algorithm keep of the field.
    #[doc(hidden)]
    fn crossing(&self) -> Crossing {
        Crossing::default()
    }

    /// What makes the next row of Euclid's algorithm of two rows whose remainders have degrees that differ by one: with their two
    /// leading coefficients, those of the earlier one first, none of the leading ones 0.
    #[doc(hidden)]
    fn cross(&self, by: &Crossing, leading: [Self::Element; 4]) -> Cross<Self::Element> {
        let _ = by;
        divided::cross(self, leading)
    }

    /// `x[i] = c0 x[i] + c1 y[i] + c2 shifted[i]` with these factors, over the shortest slice's length: a polynomial of the next row
    /// in the place of that of the earlier one, times [`Cross::unit`](Cross).
    #[doc(hidden)]
    fn cross_rows(
        &self,
        by: &Crossing,
        cross: &Cross<Self::Element>,
        x: &mut [Self::Element],
        [y, shifted]: [&[Self::Element]; 2],
    ) {
        let _ = by;
        divided::rows(self, cross, x, y, shifted);
    }

    /// `out[j]` becomes the coefficient `low + j` of the product of `a` and `b`, by the definition, on the calling thread.
    #[doc(hidden)]
    fn convolve(&self, a: &[Self::Element], b: &[Self::Element], low: usize, out: &mut [Self::Element]);

    /// `out[c] += factors[0] rows[c] + factors[1] rows[stride + c] + ...`, on the calling thread: as many rows as factors, of which there
    /// are fewer than `2^30`. The stride is a multiple of 8, not below the words of `out`.
    #[doc(hidden)]
    fn add_rows(&self, factors: &[Self::Element], rows: &[Self::Element], stride: usize, out: &mut [Self::Element]);

    /// The values at the points of a node of a subproduct tree with the words `m` below its leading one, from its terms `t`.
    #[doc(hidden)]
    fn node_values(
        &self,
        m: &[Self::Element],
        t: &[Self::Element],
        points: &[Self::Element],
        values: &mut [Self::Element],
    ) {
        leaves::values_by_definition(self, m, t, points, values);
    }

    /// The sum over points of weight times the product of all `x - u`, over `x - u`.
    #[doc(hidden)]
    fn node_sums(&self, points: &[Self::Element], weights: &[Self::Element], sum: &mut [Self::Element]) {
        leaves::sums_by_definition(self, points, weights, sum);
    }
}

impl ShortPolynomials for PrimeField<u32> {
    fn euclid_step(&self, by: &Crossing, a: &mut [u32], b: &[u32]) {
        match &by.short {
            Some(by) => cross::step(self, by, a, b),
            None => divided::step(self, a, b),
        }
    }

    fn crossing(&self) -> Crossing {
        cross::crossing(self)
    }

    fn cross(&self, by: &Crossing, leading: [u32; 4]) -> Cross<u32> {
        match &by.short {
            Some(by) => cross::factors(self, by, leading),
            None => divided::cross(self, leading),
        }
    }

    fn cross_rows(&self, by: &Crossing, cross: &Cross<u32>, x: &mut [u32], [y, shifted]: [&[u32]; 2]) {
        match &by.short {
            Some(by) => cross::rows(by, cross.factors, x, y, shifted),
            None => divided::rows(self, cross, x, y, shifted),
        }
    }

    fn convolve(&self, a: &[u32], b: &[u32], low: usize, out: &mut [u32]) {
        short::convolve(self, a, b, low, out);
    }

    fn add_rows(&self, factors: &[u32], rows: &[u32], stride: usize, out: &mut [u32]) {
        rows::add_short(self, factors, rows, stride, out);
    }

    fn node_values(&self, m: &[u32], t: &[u32], points: &[u32], values: &mut [u32]) {
        leaves::values(self, m, t, points, values);
    }

    fn node_sums(&self, points: &[u32], weights: &[u32], sum: &mut [u32]) {
        leaves::sums(self, points, weights, sum);
    }
}

impl ShortPolynomials for PrimeField<u64> {
    fn convolve(&self, a: &[u64], b: &[u64], low: usize, out: &mut [u64]) {
        long::convolve(self, a, b, low, out);
    }

    fn add_rows(&self, factors: &[u64], rows: &[u64], stride: usize, out: &mut [u64]) {
        rows::add_long(self, factors, rows, stride, out);
    }
}

impl ShortPolynomials for Goldilocks {
    fn convolve(&self, a: &[u64], b: &[u64], low: usize, out: &mut [u64]) {
        long::convolve(self, a, b, low, out);
    }

    fn add_rows(&self, factors: &[u64], rows: &[u64], stride: usize, out: &mut [u64]) {
        rows::add_long(self, factors, rows, stride, out);
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::{ModularField, ResidueWord as _};

    use super::*;
    use crate::arithmetic::multiply::reference;

    fn elements<F: ModularField>(field: &F, len: usize, salt: u64) -> Vec<F::Element> {
        let p = field.order();
        let value = |i: usize| match i % 7 {
            0 => p - 1,
            3 => 0,
            _ => (i as u64 + 1 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) % p,
        };
        (0..len).map(|i| F::Element::from_u64(value(i))).collect()
    }

    fn check<F: ShortPolynomials>(field: &F) {
        let p = field.order();
        for (n, m) in [(0, 0), (0, 3), (1, 1), (1, 40), (2, 31), (32, 32), (33, 5), (64, 31), (70, 100), (129, 1)] {
            let (a, b) = (elements(field, n, 1), elements(field, m, 2));
            let whole = reference::multiply(field, &a, &b);
            for low in [0, 1, n / 2, n, n + m, n + m + 40] {
                for len in [0, 1, 31, 32, 33, n + m] {
                    let mut out = vec![field.one(); len];
                    field.convolve(&a, &b, low, &mut out);
                    let expected: Vec<_> =
                        (low..low + len).map(|k| whole.get(k).copied().unwrap_or(field.zero())).collect();
                    assert_eq!(out, expected, "{n} by {m} mod {p}, {len} from {low}");
                }
            }
        }
        for (count, len) in [(0usize, 5usize), (1, 1), (3, 8), (40, 9), (70, 41), (9, 64), (200, 33)] {
            let stride = len.next_multiple_of(NARROW_WIDTH);
            let (factors, rows) = (elements(field, count, 3), elements(field, count * stride, 4));
            let mut out = elements(field, len, 9);
            let sum = |c: usize| {
                let terms = factors.iter().enumerate().map(|(k, &factor)| field.mul(factor, rows[k * stride + c]));
                terms.fold(out[c], |sum, term| field.add(sum, term))
            };
            let expected: Vec<_> = (0..len).map(sum).collect();
            field.add_rows(&factors, &rows, stride, &mut out);
            assert_eq!(out, expected, "{count} rows of {len} mod {p}");
        }
        for m in [2, 3, 4, 17, 18, 40, 130] {
            let (mut a, mut b) = (elements(field, m + 1, 5), elements(field, m, 6));
            (a[m], b[m - 1]) = (field.one(), field.neg(field.one()));
            let (_, mut expected) = crate::arithmetic::divide::reference::divide(field, &a, &b).unwrap();
            expected.resize(m - 1, field.zero());
            field.euclid_step(&field.crossing(), &mut a, &b);
            // Both are equal up to a unit.
            let unit = (0..m - 1).find(|&i| expected[i] != field.zero());
            let unit = unit.map_or(field.one(), |i| field.div(a[i], expected[i]).unwrap());
            assert_ne!(unit, field.zero(), "{m} mod {p}");
            field.scale_slice(&mut expected, unit);
            assert_eq!(a[..m - 1], expected[..], "{m} mod {p}");
        }
    }

    /// Leading coefficients cancel in the next row, and every coefficient of it is the remainder's times the unit.
    fn check_cross<F: ShortPolynomials>(field: &F) {
        for len in [1, 2, 7, 8, 9, 16, 33, 70] {
            let (mut a, mut b) = (elements(field, len + 2, 7), elements(field, len + 1, 8));
            (a[len + 1], b[len]) = (field.one(), field.neg(field.one()));
            let (_, mut expected) = crate::arithmetic::divide::reference::divide(field, &a, &b).unwrap();
            expected.resize(len, field.zero());
            let by = field.crossing();
            let cross = field.cross(&by, [a[len + 1], a[len], b[len], b[len - 1]]);
            b.insert(0, field.zero());
            field.cross_rows(&by, &cross, &mut a[..len], [&b[1..], &b]);
            field.scale_slice(&mut expected, cross.unit);
            assert_ne!(cross.unit, field.zero());
            assert_eq!(a[..len], expected[..], "{len} mod {}", field.order());
        }
    }

    #[test]
    fn crossed_rows_are_remainders() {
        for p in [2u32, 3, 7, 9001, 469_762_049, 1_431_655_751, 2_147_483_647] {
            check_cross(&PrimeField::<u32>::new(p).unwrap());
        }
        check_cross(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap());
        check_cross(&Goldilocks);
    }

    /// Primes at the bounds of what fits between two reductions: `2^31 - 1`, below `2^29`, the largest below `2^63`.
    #[test]
    fn products_and_steps_equal_the_definition() {
        for p in [2u32, 3, 7, 9001, 469_762_049, 998_244_353, 1_431_655_751, 2_147_483_647] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        for p in [2u64, 3, 4_294_967_291, 4_611_686_009_971_671_041, 9_223_372_036_854_775_783] {
            check(&PrimeField::<u64>::new(p).unwrap());
        }
        check(&Goldilocks);
    }
}

//! Slices of residues on the host: sums of products, and products of polynomials by their definition.
//!
//! | file | what |
//! |---|---|
//! | `short` | residues in 32-bit words, with vectors |
//! | `long` | residues in 64-bit words |
//! | `leaves` | the lowest nodes of subproduct trees |
//! | `cross` | rows of Euclid's algorithm in 32-bit words, with vectors |
//! | `euclid` | its steps |
//! | `divided` | rows and steps with a division, of any residues |

mod cross;
mod divided;
mod euclid;
mod leaves;
mod long;
mod short;

use manycore_field::{Goldilocks, ModularField, PrimeField, ResidueWord, Ring as _, Slices};

pub(crate) use cross::{BLOCK, Cross, Crossing};

/// Fields whose polynomials the host computes with; sealed. All slices hold canonical residues.
pub trait HostField: ModularField {
    /// The sum of `x[i] y[i]` over the shorter slice's length.
    #[doc(hidden)]
    fn dot(&self, x: &[Self::Element], y: &[Self::Element]) -> Self::Element;

    /// `x[i] += y[i]` over the shorter slice's length.
    #[doc(hidden)]
    fn add_slice(&self, x: &mut [Self::Element], y: &[Self::Element]) {
        x.iter_mut().zip(y).for_each(|(x, &y)| *x = self.add(*x, y));
    }

    /// `x[i] -= y[i]` over the shorter slice's length.
    #[doc(hidden)]
    fn sub_slice(&self, x: &mut [Self::Element], y: &[Self::Element]) {
        x.iter_mut().zip(y).for_each(|(x, &y)| *x = self.sub(*x, y));
    }

    /// `x[i] = -x[i]`.
    #[doc(hidden)]
    fn negate_slice(&self, x: &mut [Self::Element]) {
        for x in x {
            *x = self.neg(*x);
        }
    }

    /// `x[i] *= c`.
    #[doc(hidden)]
    fn scale_slice(&self, x: &mut [Self::Element], c: Self::Element) {
        for x in x {
            *x = self.mul(*x, c);
        }
    }

    /// `x[i] -= c y[i]` over the shorter slice's length.
    #[doc(hidden)]
    fn sub_scaled_slice(&self, x: &mut [Self::Element], c: Self::Element, y: &[Self::Element]) {
        x.iter_mut().zip(y).for_each(|(x, &y)| *x = self.sub(*x, self.mul(c, y)));
    }

    /// `out[i] = a[i] b[i] + c[i] d[i]` with `[a, b]` and `[c, d]`, which are as long as `out` at least.
    #[doc(hidden)]
    fn sums_of_products(&self, out: &mut [Self::Element], ab: [&[Self::Element]; 2], cd: [&[Self::Element]; 2]) {
        let products = ab[0].iter().zip(ab[1]).zip(cd[0].iter().zip(cd[1]));
        for (out, ((&a, &b), (&c, &d))) in out.iter_mut().zip(products) {
            *out = self.add(self.mul(a, b), self.mul(c, d));
        }
    }

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

impl HostField for PrimeField<u32> {
    fn dot(&self, x: &[u32], y: &[u32]) -> u32 {
        let len = x.len().min(y.len());
        // The slices are equally long.
        self.slices().dot(&x[..len], &y[..len]).unwrap_or_default()
    }

    fn add_slice(&self, x: &mut [u32], y: &[u32]) {
        let len = x.len().min(y.len());
        let _ = self.slices().add(&mut x[..len], &y[..len]);
    }

    fn sub_slice(&self, x: &mut [u32], y: &[u32]) {
        let len = x.len().min(y.len());
        let _ = self.slices().sub(&mut x[..len], &y[..len]);
    }

    fn negate_slice(&self, x: &mut [u32]) {
        self.slices().neg(x);
    }

    fn scale_slice(&self, x: &mut [u32], c: u32) {
        self.slices().scale(x, c);
    }

    fn sub_scaled_slice(&self, x: &mut [u32], c: u32, y: &[u32]) {
        let len = x.len().min(y.len());
        let _ = self.slices().add_scaled(&mut x[..len], self.neg(c), &y[..len]);
    }

    fn sums_of_products(&self, out: &mut [u32], ab: [&[u32]; 2], cd: [&[u32]; 2]) {
        sums_by_slices(&self.slices(), out, ab, cd);
    }

    fn euclid_step(&self, by: &Crossing, a: &mut [u32], b: &[u32]) {
        match &by.short {
            Some(by) => euclid::step(self, by, a, b),
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

    fn node_values(&self, m: &[u32], t: &[u32], points: &[u32], values: &mut [u32]) {
        leaves::values(self, m, t, points, values);
    }

    fn node_sums(&self, points: &[u32], weights: &[u32], sum: &mut [u32]) {
        leaves::sums(self, points, weights, sum);
    }
}

impl HostField for PrimeField<u64> {
    fn dot(&self, x: &[u64], y: &[u64]) -> u64 {
        long::dot(self, x, y)
    }

    fn scale_slice(&self, x: &mut [u64], c: u64) {
        self.slices().scale(x, c);
    }

    fn sub_scaled_slice(&self, x: &mut [u64], c: u64, y: &[u64]) {
        let len = x.len().min(y.len());
        let _ = self.slices().add_scaled(&mut x[..len], self.neg(c), &y[..len]);
    }

    fn sums_of_products(&self, out: &mut [u64], ab: [&[u64]; 2], cd: [&[u64]; 2]) {
        sums_by_slices(&self.slices(), out, ab, cd);
    }

    fn convolve(&self, a: &[u64], b: &[u64], low: usize, out: &mut [u64]) {
        long::convolve(self, a, b, low, out);
    }
}

impl HostField for Goldilocks {
    fn dot(&self, x: &[u64], y: &[u64]) -> u64 {
        long::dot(self, x, y)
    }

    fn convolve(&self, a: &[u64], b: &[u64], low: usize, out: &mut [u64]) {
        long::convolve(self, a, b, low, out);
    }
}

/// [`HostField::sums_of_products`] by vectors, in blocks that stay in the nearest cache between passes.
fn sums_by_slices<W: ResidueWord>(by: &Slices<W>, out: &mut [W], [a, b]: [&[W]; 2], [c, d]: [&[W]; 2]) {
    const BLOCK: usize = 1 << 10;
    for (i, out) in out.chunks_mut(BLOCK).enumerate() {
        let [a, b, c, d] = [a, b, c, d].map(|words| &words[i * BLOCK..i * BLOCK + out.len()]);
        out.copy_from_slice(a);
        // The lengths are equal.
        let _ = by.mul(out, b);
        let _ = by.add_product(out, c, d);
    }
}

/// The shorter of two factors first.
fn ordered<'a, T>(a: &'a [T], b: &'a [T]) -> (&'a [T], &'a [T]) {
    if a.len() <= b.len() { (a, b) } else { (b, a) }
}

/// The part of `b` that the coefficients `low..low + len` of its product with `n` others need, between `width` zeros on
/// either side, and the index in `b` where it begins: so that tiles of `width` coefficients never ask where `b` ends. The
/// range begins within the product.
fn padded<T: Copy, U: Copy>(
    b: &[T],
    n: usize,
    low: usize,
    len: usize,
    width: usize,
    zero: U,
    word: impl Fn(T) -> U,
) -> (Vec<U>, usize) {
    let start = (low + 1).saturating_sub(n);
    let end = b.len().min(low.saturating_add(len));
    let mut window = vec![zero; end - start + 2 * width];
    window[width..].iter_mut().zip(&b[start..end]).for_each(|(to, &from)| *to = word(from));
    (window, start)
}

#[cfg(test)]
mod tests {
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

    fn check<F: HostField>(field: &F) {
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
        for len in [0, 1, 2, 3, 15, 16, 17, 100, 1030] {
            let (x, y) = (elements(field, len, 3), elements(field, len, 4));
            let dot = x.iter().zip(&y).fold(field.zero(), |sum, (&x, &y)| field.add(sum, field.mul(x, y)));
            assert_eq!(field.dot(&x, &y), dot, "{len} mod {p}");
            let by_one = |work: &dyn Fn(&mut [F::Element]), op: &dyn Fn(F::Element, F::Element) -> F::Element| {
                let mut z = x.clone();
                work(&mut z);
                assert!(z.iter().zip(x.iter().zip(&y)).all(|(&z, (&x, &y))| z == op(x, y)), "{len} mod {p}");
            };
            let mut sums = x.clone();
            field.sums_of_products(&mut sums, [&x, &y], [&y, &y]);
            let sum = |(&x, &y): (&F::Element, &F::Element)| field.add(field.mul(x, y), field.mul(y, y));
            assert!(sums.iter().zip(x.iter().zip(&y)).all(|(&z, pair)| z == sum(pair)), "{len} mod {p}");
            let c = F::Element::from_u64(p - 1);
            by_one(&|z| field.add_slice(z, &y), &|x, y| field.add(x, y));
            by_one(&|z| field.sub_slice(z, &y), &|x, y| field.sub(x, y));
            by_one(&|z| field.negate_slice(z), &|x, _| field.neg(x));
            by_one(&|z| field.scale_slice(z, c), &|x, _| field.mul(x, c));
            by_one(&|z| field.sub_scaled_slice(z, c, &y), &|x, y| field.sub(x, field.mul(c, y)));
        }
        for m in [2, 3, 4, 17, 18, 40, 130] {
            let (mut a, mut b) = (elements(field, m + 1, 5), elements(field, m, 6));
            (a[m], b[m - 1]) = (field.one(), field.neg(field.one()));
            let (_, mut expected) = crate::arithmetic::divide::reference::divide(field, &a, &b).unwrap();
            expected.resize(m - 1, field.zero());
            field.euclid_step(&field.crossing(), &mut a, &b);
            // The same but for a unit.
            let unit = (0..m - 1).find(|&i| expected[i] != field.zero());
            let unit = unit.map_or(field.one(), |i| field.div(a[i], expected[i]).unwrap());
            assert_ne!(unit, field.zero(), "{m} mod {p}");
            field.scale_slice(&mut expected, unit);
            assert_eq!(a[..m - 1], expected[..], "{m} mod {p}");
        }
    }

    /// Leading coefficients cancel in the next row, and every coefficient of it is the remainder's times the unit.
    fn check_cross<F: HostField>(field: &F) {
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
    fn slices_equal_the_definition() {
        for p in [2u32, 3, 7, 9001, 469_762_049, 998_244_353, 1_431_655_751, 2_147_483_647] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        for p in [2u64, 3, 4_294_967_291, 4_611_686_009_971_671_041, 9_223_372_036_854_775_783] {
            check(&PrimeField::<u64>::new(p).unwrap());
        }
        check(&Goldilocks);
    }
}

//! The recurrences of [`reference`](super::reference) on the host, with sums of products in vectors: where the iterations begin, and
//! all of a short series.
//!
//! Known coefficients stand in descending order beside, so that each sum is one of products of neighbouring words.

use manycore_field::FieldSlices;

use super::steps::BASE;
use crate::arithmetic::multiply::{Plan, Shape};
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// The most coefficients by recurrences.
const MOST: usize = 512;

impl<F: PolyField> PolyRing<F> {
    /// Coefficients that are computed by the recurrences before an iteration to `n` begins.
    ///
    /// From `m` to `2 m` coefficients the recurrences take `3/2 m^2` products of coefficients, and a step of the exponential's iteration
    /// `5/2 m^2` by the definition: fewer only where products of `m` coefficients take less than 3/5 of the definition's, which
    /// Karatsuba's algorithm does from its second cut on.
    pub(super) fn recurrence_len(&self, n: usize) -> Result<usize, PolyError> {
        let mut len = BASE;
        if !self.planner().on_host() {
            return Ok(len);
        }
        while len < n.min(MOST) {
            let few = match *self.product_plan(&Shape::full(len, len))? {
                Plan::Plain => true,
                Plan::Karatsuba { base } => len < 2 * base,
                _ => false,
            };
            if !few {
                break;
            }
            len *= 2;
        }
        Ok(len)
    }

    /// `1 / k` at `k - 1`, for `0 < k < n`, on the host.
    pub(super) fn inverses_below(&self, n: usize) -> Result<Vec<F::Element>, PolyError> {
        let field = self.field();
        if n <= 1 || !self.planner().on_host() {
            let inverse = |k: usize| field.inverse(field.natural(k as u64)).unwrap_or(field.one());
            return Ok((1..n).map(inverse).collect());
        }
        let kept = self.weights.inverses((self.device(), field), n - 1)?;
        Ok(kept.view(..n - 1)?.download()?)
    }
}

/// Coefficients of a result, the last known one first.
struct Known<E> {
    descending: Vec<E>,
    count: usize,
}

impl<E: Copy> Known<E> {
    fn new(zero: E, n: usize) -> Self {
        Self { descending: vec![zero; n], count: 0 }
    }

    fn push(&mut self, value: E) {
        self.count += 1;
        let at = self.descending.len() - self.count;
        self.descending[at] = value;
    }

    /// From the last known one down to the first.
    fn get(&self) -> &[E] {
        &self.descending[self.descending.len() - self.count..]
    }

    fn ascending(mut self) -> Vec<E> {
        self.descending.reverse();
        self.descending
    }
}

/// The first `n` coefficients of `f / g`; `None` where the constant term of `g` is 0.
pub(super) fn quotient<F: FieldSlices>(
    field: &F,
    f: &[F::Element],
    g: &[F::Element],
    n: usize,
) -> Option<Vec<F::Element>> {
    let (&constant, rest) = g.split_first()?;
    let inverse = field.inverse(constant)?;
    let mut q = Known::new(field.zero(), n);
    for k in 0..n {
        let own = f.get(k).copied().unwrap_or(field.zero());
        q.push(field.mul(field.sub(own, field.dot(rest, q.get())), inverse));
    }
    Some(q.ascending())
}

/// The first `n` coefficients of the exponential of an `f` without constant term, with the inverses of the integers below `n`.
pub(super) fn exponential<F: FieldSlices>(
    field: &F,
    f: &[F::Element],
    inverses: &[F::Element],
    n: usize,
) -> Vec<F::Element> {
    let (mut weighted, mut i) = (Vec::with_capacity(n), field.zero());
    for &c in f.iter().take(n).skip(1) {
        i = field.add(i, field.one());
        weighted.push(field.mul(i, c));
    }
    let mut g = Known::new(field.zero(), n);
    if n > 0 {
        g.push(field.one());
    }
    for &inverse in inverses.iter().take(n.saturating_sub(1)) {
        g.push(field.mul(field.dot(&weighted, g.get()), inverse));
    }
    g.ascending()
}

/// The first `n` coefficients of the square root of `f` with the constant term `root`, whose square is that of `f`; `None` where
/// `2 root` is 0.
pub(super) fn square_root<F: FieldSlices>(
    field: &F,
    f: &[F::Element],
    root: F::Element,
    n: usize,
) -> Option<Vec<F::Element>> {
    let inverse = field.inverse(field.add(root, root))?;
    let (mut s, mut ascending) = (Known::new(field.zero(), n), Vec::with_capacity(n));
    for k in 0..n {
        let value = if k == 0 {
            root
        } else {
            // s_i s_(k-i) and s_(k-i) s_i are equal.
            let half = (k - 1) / 2;
            let pairs = field.dot(&ascending[1..=half], s.get());
            let mut known = field.add(pairs, pairs);
            if k.is_multiple_of(2) {
                known = field.add(known, field.mul(ascending[k / 2], ascending[k / 2]));
            }
            let own = f.get(k).copied().unwrap_or(field.zero());
            field.mul(field.sub(own, known), inverse)
        };
        s.push(value);
        ascending.push(value);
    }
    Some(ascending)
}

#[cfg(test)]
mod tests {
    use manycore_field::{Goldilocks, ModularField, PrimeField, ResidueWord as _};

    use super::*;
    use crate::arithmetic::series::reference;

    fn check<F: FieldSlices + ModularField>(field: &F) {
        let random = |len: usize, seed: u64, first: F::Element| -> Vec<F::Element> {
            let mut words: Vec<_> =
                (0..len).map(|i| crate::arithmetic::linear::reference::random(field, seed, i as u64)).collect();
            words.iter_mut().take(1).for_each(|word| *word = first);
            words
        };
        let p = field.order();
        for n in [0, 1, 2, 3, 7, 32, 33, 70] {
            for len in [1, 2, 5, n + 3] {
                let (f, g) = (random(len, 1, field.zero()), random(len, 2, field.one()));
                assert_eq!(quotient(field, &f, &g, n), reference::quotient(field, &f, &g, n), "{n} mod {p}");
                if n as u64 <= p {
                    let inverses: Vec<_> =
                        (1..n).map(|k| field.inverse(F::Element::from_u64(k as u64)).unwrap()).collect();
                    let expected = reference::exponential(field, &f, n).unwrap();
                    assert_eq!(exponential(field, &f, &inverses, n), expected, "{n} mod {p}");
                }
                let (found, one) = (square_root(field, &g, field.one(), n), field.one());
                assert_eq!(found, reference::square_root(field, &g, one, n), "{n} mod {p}");
            }
        }
        assert_eq!(quotient(field, &[field.one()], &[field.zero()], 3), None);
    }

    #[test]
    fn recurrences_equal_the_definitions() {
        for p in [2u32, 3, 7, 9001, 469_762_049, 2_147_483_647] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        check(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap());
        check(&Goldilocks);
    }
}

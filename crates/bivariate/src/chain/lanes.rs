//! Chains at many points side by side: lane `l` of every row belongs to point `l`, and loops over lanes are vectors.
//!
//! Inputs in general position have the degrees `m, n, n-1, ..., 1, 0`. With `r_d` the remainder of degree `d`, `l_d` its leading
//! coefficient and `c = lc(g)` the rules of [`formal`](super::formal) become
//!
//! ```text
//!   S_k = (-1)^((n-k)(m-k)) c^(m-n+1) l_(n-1)^2 ... l_(k+1)^2 r_k
//! ```
//!
//! A lane where a leading coefficient vanishes drops out, and the caller does it again by itself. Divisions by leading coefficients
//! are inversions of all lanes at once.

use manycore_field::FieldSlices;

/// Where the words of wanted subresultants lie: `k + 1` for each `k`, one after the other.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    /// Ascending.
    pub(super) indices: &'a [usize],
}

impl Wanted<'_> {
    /// Words of a point.
    pub(super) fn words(&self) -> usize {
        self.indices.iter().map(|k| k + 1).sum()
    }

    /// Where the words of `S_k` begin.
    pub(super) fn offset(&self, k: usize) -> Option<usize> {
        let at = self.indices.binary_search(&k).ok()?;
        Some(self.indices[..at].iter().map(|k| k + 1).sum())
    }
}

/// Scratch memory of a chain.
#[derive(Debug)]
pub(super) struct LaneChain<'a, F: FieldSlices> {
    field: &'a F,
    lanes: usize,
    /// Rows of lanes by powers of `y`: the dividend and the divisor.
    a: Vec<F::Element>,
    b: Vec<F::Element>,
    /// Negated inverses of leading coefficients, and two quotients, negated.
    inverses: Vec<F::Element>,
    /// Products of the inversion.
    before: Vec<F::Element>,
    p: Vec<F::Element>,
    q: Vec<F::Element>,
    /// What remainders are multiplied by.
    factors: Vec<F::Element>,
    zeros: Vec<F::Element>,
    /// Whether no leading coefficient of a lane vanished.
    pub(super) generic: Vec<bool>,
}

impl<'a, F: FieldSlices> LaneChain<'a, F> {
    pub(super) fn new(field: &'a F) -> Self {
        let none = Vec::new;
        Self {
            field,
            lanes: 0,
            a: none(),
            b: none(),
            inverses: none(),
            before: none(),
            p: none(),
            q: none(),
            factors: none(),
            zeros: none(),
            generic: Vec::new(),
        }
    }

    /// The wanted subresultants at every point of a run: `f` and `g` give rows by powers of `y`, as many words each as the run has
    /// points, `m + 1 >= n + 1 >= 2` of them, and `out` gets a row for every wanted word. Lanes that [`LaneChain::generic`] leaves
    /// out hold anything.
    pub(super) fn run<'r>(
        &mut self,
        f: impl Iterator<Item = &'r [F::Element]>,
        g: impl Iterator<Item = &'r [F::Element]>,
        wanted: &Wanted<'_>,
        out: &mut [F::Element],
    ) where
        F::Element: 'r,
    {
        let fill = |to: &mut Vec<F::Element>, rows: &mut dyn Iterator<Item = &'r [F::Element]>| {
            to.clear();
            let mut lanes = 0;
            for row in rows {
                lanes = row.len();
                to.extend_from_slice(row);
            }
            lanes
        };
        self.lanes = fill(&mut self.a, &mut { f });
        fill(&mut self.b, &mut { g });
        let (lanes, field) = (self.lanes, self.field);
        if lanes == 0 {
            return;
        }
        let (m, n) = (self.a.len() / lanes - 1, self.b.len() / lanes - 1);
        self.zeros.clear();
        self.zeros.resize(lanes, field.zero());
        self.generic.clear();
        self.generic.extend(self.a[m * lanes..].iter().map(|&c| c != field.zero()));
        let Some(&least) = wanted.indices.first() else { return };

        self.invert_leading(n);
        let leading = &self.b[n * lanes..(n + 1) * lanes];
        self.factors.clear();
        if m == n {
            self.factors.extend_from_slice(leading);
        } else {
            self.factors.extend(leading.iter().map(|&c| field.power(c, (m - n + 1) as u64)));
        }
        for top in (n..=m).rev() {
            self.quotient(top);
            let (low, _) = self.a.split_at_mut(top * lanes);
            let rows = low[(top - n) * lanes..].chunks_exact_mut(lanes);
            for (x, y) in rows.zip(self.b.chunks_exact(lanes)) {
                field.add_products(x, [&self.p, y], [&self.zeros, &self.zeros]);
            }
        }
        self.a.truncate(n * lanes);
        self.emit(n - 1, (m, n), wanted, out);
        // The dividend has degree d + 1, the divisor d.
        for d in (least + 1..n).rev() {
            std::mem::swap(&mut self.a, &mut self.b);
            self.invert_leading(d);
            let (leading, low) = (d * lanes, (d + 1) * lanes);
            field.multiply_slice(&mut self.factors, &self.b[leading..low]);
            field.multiply_slice(&mut self.factors, &self.b[leading..low]);
            self.quotient(d + 1);
            std::mem::swap(&mut self.p, &mut self.q);
            field.add_products(
                &mut self.a[leading..low],
                [&self.q, &self.b[leading - lanes..leading]],
                [&self.zeros, &self.zeros],
            );
            self.quotient(d);
            self.a.truncate(leading);
            let mut before = &self.zeros[..];
            for (x, y) in self.a.chunks_exact_mut(lanes).zip(self.b.chunks_exact(lanes)) {
                field.add_products(x, [&self.p, y], [&self.q, before]);
                before = y;
            }
            self.emit(d - 1, (m, n), wanted, out);
        }
    }

    /// Inverts the leading coefficients of the divisor of degree `d`; lanes where they vanish drop out.
    fn invert_leading(&mut self, d: usize) {
        let field = self.field;
        self.inverses.clear();
        self.inverses.extend_from_slice(&self.b[d * self.lanes..(d + 1) * self.lanes]);
        for (c, generic) in self.inverses.iter_mut().zip(&mut self.generic) {
            if *c == field.zero() {
                *c = field.one();
                *generic = false;
            }
        }
        invert(field, &mut self.inverses, &mut self.before);
        for c in &mut self.inverses {
            *c = field.neg(*c);
        }
    }

    /// The negated quotients of the dividend's coefficients of `y^top` by the divisor's leading ones, prepared.
    fn quotient(&mut self, top: usize) {
        let (field, row) = (self.field, top * self.lanes..(top + 1) * self.lanes);
        self.p.clear();
        self.p.extend_from_slice(&self.a[row]);
        field.multiply_slice(&mut self.p, &self.inverses);
        field.prepare_factors(&mut self.p);
    }

    /// Writes `S_k`, of which the remainder in `a` is a multiple, if it is wanted.
    fn emit(&mut self, k: usize, (m, n): (usize, usize), wanted: &Wanted<'_>, out: &mut [F::Element]) {
        let Some(offset) = wanted.offset(k) else { return };
        let (field, lanes) = (self.field, self.lanes);
        let negative = (n - k) * (m - k) % 2 == 1;
        self.p.clear();
        self.p.extend(self.factors.iter().map(|&c| if negative { field.neg(c) } else { c }));
        field.prepare_factors(&mut self.p);
        let rows = out[offset * lanes..].chunks_exact_mut(lanes);
        for (to, from) in rows.zip(self.a.chunks_exact(lanes)) {
            to.fill(field.zero());
            field.add_products(to, [&self.p, from], [&self.zeros, &self.zeros]);
        }
    }
}

/// Lanes of the chains of an inversion.
const INVERSION_LANES: usize = 16;

/// Inverts elements other than zero by Montgomery's trick: products of rows of lanes, one inversion of all lanes of the last one, and
/// back; `before` is scratch memory.
fn invert<F: FieldSlices>(field: &F, elements: &mut [F::Element], before: &mut Vec<F::Element>) {
    if elements.len() <= INVERSION_LANES || !elements.len().is_multiple_of(INVERSION_LANES) {
        // No element is zero.
        let _ = field.invert_all(elements);
        return;
    }
    let mut product = [field.one(); INVERSION_LANES];
    before.clear();
    for row in elements.chunks_exact(INVERSION_LANES) {
        before.extend_from_slice(&product);
        field.multiply_slice(&mut product, row);
    }
    // No product of elements other than zero is zero.
    let _ = field.invert_all(&mut product);
    for (row, before) in elements.chunks_exact_mut(INVERSION_LANES).zip(before.chunks_exact(INVERSION_LANES)).rev() {
        let mut inverse = product;
        field.multiply_slice(&mut inverse, before);
        field.multiply_slice(&mut product, row);
        row.copy_from_slice(&inverse);
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::{Goldilocks, PrimeField, ResidueWord as _};

    use super::*;

    fn check<F: FieldSlices>(field: &F) {
        let p = field.order();
        for len in [15, 16, 17, 32, 48, 128] {
            let units: Vec<F::Element> = (0..len).map(|i| F::Element::from_u64(1 + i % (p - 1))).collect();
            let mut inverses = units.clone();
            invert(field, &mut inverses, &mut Vec::new());
            assert!(units.iter().zip(&inverses).all(|(&x, &y)| field.mul(x, y) == field.one()), "{len} mod {p}");
        }
    }

    #[test]
    fn inverses_are_those_of_the_field() {
        for p in [2u32, 3, 5, 7, 9001, 469_762_049, 1_431_655_751, 2_147_483_647] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        check(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap());
        check(&Goldilocks);
    }
}

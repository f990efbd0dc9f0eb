//! Terms of a polynomial in two variables by their powers, of coefficients of any kind: sums and products.

use std::collections::BTreeMap;

use manycore_files::LineFault;

/// A field that texts have coefficients in.
pub(crate) trait Coefficients {
    /// A coefficient.
    type Element: Clone;

    /// The number of decimal digits.
    fn decimal(&self, digits: &str) -> Self::Element;
    /// The number of a word with a point or an exponent.
    fn number(&self, word: &str) -> Result<Self::Element, LineFault>;
    fn is_zero(&self, c: &Self::Element) -> bool;
    fn sum(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    fn negative(&self, c: &Self::Element) -> Self::Element;
    fn product(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// `None` for zero.
    fn inverse(&self, c: &Self::Element) -> Option<Self::Element>;
    /// `None` for a number that is too long to be computed with.
    fn power(&self, c: &Self::Element, exponent: u64) -> Option<Self::Element>;
    /// Words of a coefficient.
    fn words(&self, c: &Self::Element) -> usize;
    /// The modulus that `Mod(c, p)` names; `None` where there is none.
    fn modulus(&self) -> Option<u64>;
}

/// Coefficients by powers of `y` and `x`; none is zero.
pub(crate) type Terms<C> = BTreeMap<(usize, usize), <C as Coefficients>::Element>;

/// Adds a term.
pub(crate) fn accumulate<C: Coefficients>(field: &C, terms: &mut Terms<C>, power: (usize, usize), c: C::Element) {
    let sum = match terms.get(&power) {
        Some(before) => field.sum(before, &c),
        None => c,
    };
    if field.is_zero(&sum) {
        terms.remove(&power);
    } else {
        terms.insert(power, sum);
    }
}

/// The product of polynomials, as one with `rows` powers of `y` from 0 on.
pub(crate) fn product<C: Coefficients>(field: &C, a: &Terms<C>, b: &Terms<C>, rows: usize) -> Terms<C> {
    if let Some(rows) = Rows::new(a, b, rows) {
        return rows.product(field, a, b);
    }
    let times = |(&(j, i), c)| b.iter().map(move |(&(k, l), d)| ((j + k, i + l), field.product(c, d)));
    let mut terms: Vec<_> = a.iter().flat_map(times).collect();
    // Runs that are sorted, merged: many times quicker than a search of each.
    terms.sort_by_key(|&(power, _)| power);
    terms.dedup_by(|(power, c), (before, sum)| {
        let same = power == before;
        if same {
            *sum = field.sum(sum, c);
        }
        same
    });
    terms.retain(|(_, c)| !field.is_zero(c));
    terms.into_iter().collect()
}

/// Places of the terms of a product, one behind the other by rows of one power of `y`, each from its least power of `x` on: for products
/// with many terms of few powers, such as those of `(x + y)^n`.
struct Rows {
    /// The least power of `x` and the place after the last one of each row; `usize::MAX` and the place before of rows without terms.
    rows: Vec<(usize, usize)>,
    len: usize,
}

impl Rows {
    /// `None` for more rows or places than products of terms.
    fn new<E>(a: &BTreeMap<(usize, usize), E>, b: &BTreeMap<(usize, usize), E>, count: usize) -> Option<Self> {
        let products = a.len().saturating_mul(b.len());
        if count > products {
            return None;
        }
        // The least and the largest power of x in each row.
        let ranges = |f: &BTreeMap<(usize, usize), E>| {
            let mut ranges: Vec<(usize, usize, usize)> = Vec::new();
            for &(j, i) in f.keys() {
                match ranges.last_mut().filter(|last| last.0 == j) {
                    Some(last) => last.2 = i,
                    None => ranges.push((j, i, i)),
                }
            }
            ranges
        };
        let (of_a, of_b) = (ranges(a), ranges(b));
        let mut rows = vec![(usize::MAX, 0); count];
        for (j, least, most) in of_a {
            for &(k, other_least, other_most) in &of_b {
                let row = &mut rows[j + k];
                *row = (row.0.min(least + other_least), row.1.max(most + other_most));
            }
        }
        let mut len = 0usize;
        for row in &mut rows {
            if row.0 != usize::MAX {
                len = len.saturating_add(row.1 - row.0 + 1);
            }
            row.1 = len;
        }
        (len <= products).then_some(Self { rows, len })
    }

    /// The first place of a row.
    fn begin(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.rows[before].1)
    }

    fn product<C: Coefficients>(&self, field: &C, a: &Terms<C>, b: &Terms<C>) -> Terms<C> {
        let mut sums: Vec<Option<C::Element>> = vec![None; self.len];
        for (&(j, i), c) in a {
            for (&(k, l), d) in b {
                let sum = &mut sums[self.begin(j + k) + (i + l - self.rows[j + k].0)];
                let product = field.product(c, d);
                *sum = Some(match sum.take() {
                    Some(before) => field.sum(&before, &product),
                    None => product,
                });
            }
        }
        let mut sums = sums.into_iter();
        let row = |(j, &(least, end)): (usize, &(usize, usize))| {
            let places = sums.by_ref().take(end - self.begin(j)).enumerate();
            places.filter_map(|(at, sum)| Some(((j, least + at), sum?))).collect::<Vec<_>>()
        };
        let terms = self.rows.iter().enumerate().flat_map(row);
        terms.filter(|(_, c)| !field.is_zero(c)).collect()
    }
}

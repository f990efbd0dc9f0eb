//! The panels of columns of the direct construction.
//!
//! A column `z = high M + low` with `low < M` has `E(w, z) = E(w, high M) + E(w, low)` wherever the digits of `high M` and of
//! `low` add without a carry: where `M` is `B` times the product of the factors after factor `j`, and `B` divides `n_j` or
//! `j` is the first factor. So a row needs the exponents of about `2 sqrt(N)` elements only. Columns for which no split is
//! small enough are cut into panels of a few thousand, each with lows alone.

use std::ops::Range;

/// One of a group's factors and its place: the product of those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Radix {
    pub(crate) place: u64,
    pub(crate) n: u64,
}

/// The factors other than 1 with their places; their indices are the group's.
pub(crate) fn radices(factors: &[u64]) -> Vec<Radix> {
    let mut place = 1;
    let mut radices: Vec<Radix> = Vec::new();
    for &n in factors.iter().rev().filter(|&&n| n > 1) {
        radices.push(Radix { place, n });
        // At most the group's order, which fits.
        place *= n;
    }
    radices.reverse();
    radices
}

/// Columns side by side that share lows and highs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Panel {
    /// The columns.
    pub(crate) columns: Range<u64>,
    /// Column `columns.start + c` has high `(start_low + c) / low_len` and low `(start_low + c) % low_len`, counted from the
    /// panel's first.
    pub(crate) low_len: u32,
    pub(crate) start_low: u32,
    /// The elements of the lows, and of the highs: the first, the distance to the next, how many.
    pub(crate) lows: Elements,
    pub(crate) highs: Elements,
}

/// Elements at equal distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Elements {
    pub(crate) first: u64,
    pub(crate) step: u64,
    pub(crate) count: u32,
}

impl Elements {
    fn iter(self) -> impl Iterator<Item = u64> {
        // The last is an element of the group; nothing is computed past it.
        (0..u64::from(self.count)).map(move |i| self.first + i * self.step)
    }
}

impl Panel {
    /// The number of columns.
    pub(crate) fn len(&self) -> usize {
        (self.columns.end - self.columns.start) as usize
    }

    /// Lows and highs together.
    pub(crate) fn entries(&self) -> usize {
        (self.lows.count + self.highs.count) as usize
    }

    /// For each factor, of all lows and then of all highs, the digit times `L / n`.
    pub(crate) fn terms(&self, radices: &[Radix], exponent: u64) -> Vec<u32> {
        let mut terms = Vec::with_capacity(radices.len() * self.entries());
        for radix in radices {
            let scale = exponent / radix.n;
            let elements = self.lows.iter().chain(self.highs.iter());
            terms.extend(elements.map(|z| (z / radix.place % radix.n * scale) as u32));
        }
        terms
    }
}

/// The columns cut into panels of at most `most` lows and highs each, `most >= 2`.
pub(crate) fn panels(radices: &[Radix], columns: Range<u64>, most: u64) -> Vec<Panel> {
    let mut panels = Vec::new();
    let mut rest = columns;
    while !rest.is_empty() {
        let panel = first_panel(radices, &rest, most);
        rest.start = panel.columns.end;
        panels.push(panel);
    }
    panels
}

/// The first of the panels that columns are cut into; there is at least one column.
pub(crate) fn first_panel(radices: &[Radix], columns: &Range<u64>, most: u64) -> Panel {
    let (entries, m) = best(radices, columns, most);
    if entries <= most {
        return panel(columns, m);
    }
    let end = columns.end.min(columns.start + most - 1);
    panel(&(columns.start..end), None)
}

/// The fewest lows and highs of these columns, and the `M` that has them; `None` for lows alone.
fn best(radices: &[Radix], columns: &Range<u64>, most: u64) -> (u64, Option<u64>) {
    let len = columns.end - columns.start;
    let entries = |m: u64| {
        let highs = (columns.end - 1) / m - columns.start / m + 1;
        if highs == 1 { u64::MAX } else { m.saturating_add(highs) }
    };
    let mut found = (len.saturating_add(1), None);
    let mut offer = |m: u64| {
        let with = entries(m);
        if with < found.0 {
            found = (with, Some(m));
        }
    };
    for (j, &Radix { place, n }) in radices.iter().enumerate() {
        if j == 0 {
            let root = (len.isqrt() / place).max(1);
            (root..=root + 1).filter(|&b| b <= n).for_each(|b| offer(b * place));
        }
        for a in (1..=n.isqrt().min(most)).filter(|&a| n.is_multiple_of(a)) {
            offer(a * place);
            offer(n / a * place);
        }
    }
    found
}

fn panel(columns: &Range<u64>, m: Option<u64>) -> Panel {
    let count = (columns.end - columns.start) as u32;
    match m {
        None => Panel {
            columns: columns.clone(),
            low_len: count,
            start_low: 0,
            lows: Elements { first: columns.start, step: 1, count },
            highs: Elements { first: 0, step: 0, count: 1 },
        },
        Some(m) => {
            let (first, last) = (columns.start / m, (columns.end - 1) / m);
            Panel {
                columns: columns.clone(),
                low_len: m as u32,
                start_low: (columns.start % m) as u32,
                lows: Elements { first: 0, step: 1, count: m as u32 },
                highs: Elements { first: first * m, step: m, count: (last - first + 1) as u32 },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::AbelianGroup;

    /// The exponents of all columns by their panels.
    fn by_panels(group: &AbelianGroup, w: u64, columns: &Range<u64>, most: u64) -> Vec<u64> {
        let exponent = group.exponent();
        let radices = radices(group.factors());
        let mut row = Vec::new();
        for panel in panels(&radices, columns.clone(), most) {
            assert!(panel.entries() as u64 <= most && panel.columns.start == columns.start + row.len() as u64);
            let terms = panel.terms(&radices, exponent);
            let part = |t: usize| {
                let terms = radices.iter().zip(terms.chunks_exact(panel.entries()));
                terms.map(|(r, terms)| w / r.place % r.n * u64::from(terms[t])).sum::<u64>() % exponent
            };
            for c in 0..panel.len() {
                let t = panel.start_low as usize + c;
                let (low, high) = (t % panel.low_len as usize, t / panel.low_len as usize);
                row.push((part(low) + part(panel.lows.count as usize + high)) % exponent);
            }
        }
        row
    }

    #[test]
    fn lows_and_highs_give_every_exponent() {
        let groups: [&[u64]; 11] = [
            &[],
            &[1],
            &[2, 3],
            &[7],
            &[101],
            &[3, 3, 3, 3],
            &[2, 2, 2, 2, 2],
            &[6, 10],
            &[4, 1, 31],
            &[2, 97],
            &[12, 4, 2],
        ];
        for factors in groups {
            let group = AbelianGroup::new(factors).unwrap();
            let n = group.order();
            for columns in [0..n, 0..1, n - 1..n, n / 3..n, n / 3..n / 3 + n.div_ceil(2), n / 2..n / 2] {
                for most in [2, 5, 16, 4096] {
                    for w in [0, 1 % n, n / 2, n - 1] {
                        let expected: Vec<u64> =
                            columns.clone().map(|z| group.character_exponent(w, z).unwrap()).collect();
                        assert_eq!(by_panels(&group, w, &columns, most), expected, "{group} {w} {columns:?} {most}");
                    }
                }
            }
        }
    }

    #[test]
    fn whole_rows_take_about_two_roots_of_their_length() {
        let entries = |factors: &[u64]| {
            let group = AbelianGroup::new(factors).unwrap();
            let found = panels(&radices(factors), 0..group.order(), 4096);
            found.iter().map(Panel::entries).collect::<Vec<_>>()
        };
        assert_eq!(entries(&[3; 8]), [162]);
        assert_eq!(entries(&[2; 14]), [256]);
        assert_eq!(entries(&[65_521]), [255 + 257]);
        assert_eq!(entries(&[1 << 16]), [512]);
        assert_eq!(entries(&[1000, 1000]), [2000]);
        // A large prime behind another factor has no split.
        assert_eq!(entries(&[2, 8191]), [4096, 4096, 4096, 4096, 3]);
        assert_eq!(panels(&radices(&[2; 60]), (1 << 59)..(1 << 59) + 100, 4096).len(), 1);
    }
}

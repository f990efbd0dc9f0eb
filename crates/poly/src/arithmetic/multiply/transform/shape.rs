//! Shapes of products: the wanted coefficients, and the coefficients of the operands that they depend on.

use std::fmt;

/// Products of equal shape side by side, and the coefficients wanted of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Products.
    pub count: usize,
    /// Coefficients of each left operand.
    pub n: usize,
    /// Coefficients of each right operand.
    pub m: usize,
    /// The lowest coefficient wanted.
    pub low: usize,
    /// Coefficients wanted; those past the product's last are zero.
    pub len: usize,
    /// Whether left and right operands are the same.
    pub square: bool,
}

impl Shape {
    /// Whether the same factors stand on both sides, which then are equally long.
    pub(crate) const fn is_square(&self) -> bool {
        self.square && self.n == self.m
    }

    /// All coefficients of one product of `n` by `m` coefficients.
    pub fn full(n: usize, m: usize) -> Self {
        Self { count: 1, n, m, low: 0, len: (n + m).saturating_sub(1), square: false }
    }

    /// The sizes that identify a choice: both operands' coefficients, and the first and the end of those wanted.
    pub(in crate::arithmetic::multiply) fn sizes(&self) -> Vec<usize> {
        vec![self.n, self.m, self.low, self.low.saturating_add(self.len)]
    }

    /// Whether no coefficient is wanted, or all that are wanted are zero.
    pub(in crate::arithmetic::multiply) fn is_zero(&self) -> bool {
        self.trimmed().is_none()
    }

    /// The part of the operands that the wanted coefficients depend on; `None` where all of them are zero.
    pub(super) fn trimmed(&self) -> Option<Trimmed> {
        let Self { count, n, m, low, len, .. } = *self;
        if count == 0 || n == 0 || m == 0 || len == 0 {
            return None;
        }
        let terms = n.checked_add(m)? - 1;
        if low >= terms {
            return None;
        }
        let high = low.saturating_add(len).min(terms);
        // Coefficient i is a sum of a[j] b[i - j]: what is below needs the other operand's past its last, and so on.
        let skip_a = low.saturating_sub(m - 1);
        let skip_b = low.saturating_sub(n - 1);
        let skip = skip_a + skip_b;
        Some(Trimmed {
            a: Operand { skip: skip_a, len: n.min(high - skip_b) - skip_a, stride: n },
            b: Operand { skip: skip_b, len: m.min(high - skip_a) - skip_b, stride: m },
            low: low - skip,
            high: high - skip,
        })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, n, m, low, len, square } = *self;
        if count != 1 {
            write!(f, "{count} times ")?;
        }
        if square {
            write!(f, "the square of {n}")?;
        } else {
            write!(f, "{n} by {m}")?;
        }
        write!(f, " coefficients, {low}..{}", low.saturating_add(len))
    }
}

/// The coefficients of one operand that count: `len` of them from `skip` on, in each run of `stride`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Operand {
    pub(super) skip: usize,
    pub(super) len: usize,
    pub(super) stride: usize,
}

/// What is left of a [`Shape`]: operands that all count, and the range wanted of their product, which lies within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Trimmed {
    pub(super) a: Operand,
    pub(super) b: Operand,
    pub(super) low: usize,
    pub(super) high: usize,
}

impl Trimmed {
    /// Coefficients of the whole product.
    pub(super) fn terms(&self) -> usize {
        self.a.len + self.b.len - 1
    }

    /// The product with the operands exchanged, if need be, so that the left one is the longer; and whether they were.
    pub(super) fn longer_first(self) -> (Self, bool) {
        if self.a.len >= self.b.len { (self, false) } else { (Self { a: self.b, b: self.a, ..self }, true) }
    }
}

/// How rows of the transforms are cut from the operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cut {
    /// Modulo what the products of rows are taken.
    pub length: Length,
    /// Coefficients of the longer operand that a row takes.
    pub block: usize,
    /// Rows of one product.
    pub blocks: usize,
}

/// The polynomial modulo which rows are multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Length {
    /// `x^(2^k) - 1`.
    Power(u32),
    /// `(x^(2 B) - 1) (x^B - s)` with `B = 2^k` and `s^2 = -1`: three quarters of the next power of two.
    ThreeQuarters(u32),
}

impl Length {
    /// The degree: values of a row.
    pub fn values(self) -> usize {
        match self {
            Self::Power(k) => 1 << k,
            Self::ThreeQuarters(k) => 3 << k,
        }
    }

    /// The base-2 logarithm of the order of the root of unity that it takes.
    pub fn log_order(self) -> u32 {
        match self {
            Self::Power(k) => k,
            Self::ThreeQuarters(k) => k + 2,
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Power(k) => write!(f, "2^{k}"),
            Self::ThreeQuarters(k) => write!(f, "3 * 2^{k}"),
        }
    }
}

/// Coefficients that may fall onto others and are computed by their definition instead: products of `2^k + 1` by `2^k + 1`
/// coefficients, as subproduct trees have, pass `2^(k+1)` by one.
pub(super) const MOST_WRAPPED: usize = 8;

impl Cut {
    /// Coefficients of the wanted range that fall onto others, or pass the row.
    pub(super) fn wrapped(&self, shape: &Trimmed) -> usize {
        let row = self.length.values();
        if self.blocks > 1 {
            return 0;
        }
        let below = shape.terms().saturating_sub(shape.low).saturating_sub(row);
        below.max(shape.high.saturating_sub(row))
    }

    /// The cuts worth considering for a product whose longer operand is the left one: one row of the shortest length and of
    /// three quarters of a power, where that is shorter; blocks of the longer operand in rows of a few lengths.
    pub(super) fn candidates(shape: &Trimmed) -> Vec<Self> {
        let (n, m) = (shape.a.len, shape.b.len);
        let mut found = Vec::new();
        let one = |length| Self { length, block: n, blocks: 1 };
        let least = log_ceil(n.max(m));
        let log_len = (least..usize::BITS - 2).find(|&k| one(Length::Power(k)).wrapped(shape) <= MOST_WRAPPED);
        if let Some(log_len) = log_len {
            found.push(one(Length::Power(log_len)));
            if log_len >= 2 && shape.terms() <= 3 << (log_len - 2) {
                found.push(one(Length::ThreeQuarters(log_len - 2)));
            }
        }
        // Rows of at least two blocks' length, so that a coefficient has parts in two rows at most.
        let shortest = log_ceil(m.saturating_mul(2) - 1);
        for log_row in shortest..shortest + 4 {
            if log_len.is_none_or(|whole| log_row >= whole) {
                break;
            }
            let block = (1usize << log_row) - (m - 1);
            if block >= n {
                break;
            }
            found.push(Self { length: Length::Power(log_row), block, blocks: n.div_ceil(block) });
        }
        found
    }
}

/// The least `k` with `2^k >= x`.
fn log_ceil(x: usize) -> u32 {
    x.max(1).checked_next_power_of_two().map_or(usize::BITS, usize::ilog2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the definition says of the trimmed operands: which pairs of coefficients meet in the range.
    #[test]
    fn trimming_keeps_exactly_what_counts() {
        for n in 1..7usize {
            for m in 1..7usize {
                for low in 0..=n + m {
                    for len in 0..n + m + 2 {
                        let shape = Shape { count: 1, n, m, low, len, square: false };
                        let wanted = |i: usize, j: usize| (low..low + len).contains(&(i + j));
                        let pairs: Vec<_> = (0..n).flat_map(|i| (0..m).map(move |j| (i, j))).collect();
                        let used: Vec<_> = pairs.into_iter().filter(|&(i, j)| wanted(i, j)).collect();
                        let Some(left) = shape.trimmed() else {
                            assert!(used.is_empty(), "{shape}");
                            continue;
                        };
                        let span = |of: fn(&(usize, usize)) -> usize| {
                            let all = || used.iter().map(of);
                            (all().min().unwrap(), all().max().unwrap() + 1)
                        };
                        assert_eq!(span(|pair| pair.0), (left.a.skip, left.a.skip + left.a.len), "{shape}");
                        assert_eq!(span(|pair| pair.1), (left.b.skip, left.b.skip + left.b.len), "{shape}");
                        assert_eq!(left.low + left.a.skip + left.b.skip, low, "{shape}");
                        assert_eq!(left.high - left.low, (low + len).min(n + m - 1) - low, "{shape}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_middle_product_takes_half_the_length() {
        let length = |n, m, low, len| {
            let shape = Shape { count: 1, n, m, low, len, square: false }.trimmed().unwrap().longer_first().0;
            Cut::candidates(&shape)[0].length
        };
        assert_eq!(length(127, 64, 63, 64), Length::Power(7));
        assert_eq!(length(127, 64, 0, 190), Length::Power(8));
        assert_eq!(length(64, 64, 0, 127), Length::Power(7));
        assert_eq!(length(65, 65, 0, 129), Length::Power(7), "one coefficient is computed by its definition");
        assert_eq!(length(1000, 1000, 0, 64), Length::Power(7), "a short product");
    }

    #[test]
    fn three_quarters_of_a_power_are_offered_where_the_product_fits() {
        let lengths = |n| {
            let shape = Shape::full(n, n).trimmed().unwrap();
            Cut::candidates(&shape).iter().map(|cut| cut.length).collect::<Vec<_>>()
        };
        assert_eq!(lengths(768), [Length::Power(11), Length::ThreeQuarters(9)]);
        assert_eq!(lengths(769), [Length::Power(11)]);
    }

    #[test]
    fn blocks_cover_the_longer_operand_and_overlap_once() {
        let shape = Shape::full(5000, 3).trimmed().unwrap();
        let cuts = Cut::candidates(&shape);
        assert!(cuts.iter().any(|cut| cut.blocks > 1));
        for cut in cuts.iter().filter(|cut| cut.blocks > 1) {
            assert!((cut.blocks - 1) * cut.block < 5000 && cut.blocks * cut.block >= 5000, "{cut:?}");
            assert!(cut.block + 2 <= cut.length.values() && cut.block >= 2, "{cut:?}");
        }
    }
}

//! Classes of non-zeros under the order by the Gray code: paper 002, section 6.4.

use super::gray::{GrayOrder, NONE};
use crate::error::SparseError;
use crate::pattern::Pattern;

/// What a non-zero is to an order by the Gray code; the first class that fits, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NonZeroClass {
    /// α: in one of the `b` rows whose lists were merged into the column's.
    Alpha,
    /// β: the first of its column below those.
    Beta,
    /// δ: in a row that went to the column's list before merging.
    Delta,
    /// γ: below the β and above the first δ of its column, or below the β of a column without a δ.
    Gamma,
    /// λ: all others.
    Lambda,
}

impl NonZeroClass {
    /// Its Greek letter.
    pub fn letter(self) -> char {
        match self {
            Self::Alpha => 'α',
            Self::Beta => 'β',
            Self::Delta => 'δ',
            Self::Gamma => 'γ',
            Self::Lambda => 'λ',
        }
    }
}

/// The non-zeros of an ordered matrix by class, with their counts.
///
/// The paper bounds the misses on `x` of the classes α, β and δ (Proposition 20): with a cache of `2 sqrt(n L)` words
/// each class alone has at most about `n / L` of them. γ and λ have no bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NonZeroClasses {
    /// Non-zeros that fit α; at least one in each column that is not empty.
    pub alpha: usize,
    /// Non-zeros that fit β; at most one in each column.
    pub beta: usize,
    /// Non-zeros that fit δ; some of them fit β or α too.
    pub delta: usize,
    /// Non-zeros in γ.
    pub gamma: usize,
    /// Non-zeros in λ.
    pub lambda: usize,
    ordered: Pattern,
    classes: Vec<NonZeroClass>,
}

impl GrayOrder {
    /// What the non-zeros of the pattern that was ordered are to this order. `O(m + n + non-zeros)`.
    ///
    /// # Errors
    /// [`SparseError::Length`] for a pattern of other sizes.
    pub fn classify(&self, pattern: &Pattern) -> Result<NonZeroClasses, SparseError> {
        NonZeroClasses::new(self, pattern)
    }
}

impl NonZeroClasses {
    fn new(order: &GrayOrder, pattern: &Pattern) -> Result<Self, SparseError> {
        let ordered = order.reordering.apply_to_pattern(pattern)?;
        let owners = order.reordering.columns.apply(&order.owners)?;
        let winners = order.reordering.rows.apply(&order.winners)?;
        let b = order.merged_rows;
        let end = |column: usize| match owners[column] {
            NONE => 0,
            list => (list as usize / b + 1).saturating_mul(b),
        };
        let is_delta = |row: usize, column: u32| winners[row] != NONE && winners[row] == owners[column as usize];
        let mut beta = vec![NONE; ordered.columns()];
        let mut first_delta = vec![NONE; ordered.columns()];
        for (row, columns) in ordered.iter().enumerate() {
            for &column in columns {
                let at = column as usize;
                if beta[at] == NONE && row >= end(at) {
                    beta[at] = row as u32;
                }
                if first_delta[at] == NONE && is_delta(row, column) {
                    first_delta[at] = row as u32;
                }
            }
        }
        let mut counts = Self {
            alpha: 0,
            beta: 0,
            delta: 0,
            gamma: 0,
            lambda: 0,
            classes: Vec::with_capacity(ordered.non_zeros()),
            ordered: Pattern::from_parts(0, 0, vec![0], Vec::new()),
        };
        for (row, columns) in ordered.iter().enumerate() {
            for &column in columns {
                let at = column as usize;
                let (alpha, is_beta, delta) = (row < end(at), row as u32 == beta[at], is_delta(row, column));
                let class = match (alpha, is_beta, delta) {
                    (true, _, _) => NonZeroClass::Alpha,
                    (_, true, _) => NonZeroClass::Beta,
                    (_, _, true) => NonZeroClass::Delta,
                    _ if (row as u32) < first_delta[at] => NonZeroClass::Gamma,
                    _ => NonZeroClass::Lambda,
                };
                counts.alpha += usize::from(alpha);
                counts.beta += usize::from(is_beta);
                counts.delta += usize::from(delta);
                counts.gamma += usize::from(class == NonZeroClass::Gamma);
                counts.lambda += usize::from(class == NonZeroClass::Lambda);
                counts.classes.push(class);
            }
        }
        counts.ordered = ordered;
        Ok(counts)
    }

    /// The pattern in the new order.
    pub fn ordered(&self) -> &Pattern {
        &self.ordered
    }

    /// The classes of all non-zeros of the pattern in the new order, row after row.
    pub fn classes(&self) -> &[NonZeroClass] {
        &self.classes
    }

    /// The class of the non-zero at a new row and column; `None` where there is none. `O(log)` of the row's length.
    pub fn class(&self, row: usize, column: u32) -> Option<NonZeroClass> {
        let begin = *self.ordered.offsets().get(..self.ordered.rows())?.get(row)?;
        let place = self.ordered.row(row).binary_search(&column).ok()?;
        self.classes.get(begin + place).copied()
    }

    /// Non-zeros in α, β or δ.
    pub fn covered(&self) -> usize {
        self.classes.len() - self.gamma - self.lambda
    }
}

//! Plans: the split of a product's factors into passes over memory, and of a pass into rounds between registers.
//!
//! A vector's index has one digit for each factor. A pass multiplies along several neighbouring digits while their values
//! are near: the data are seen as `[outer][rows][inner]`, where the rows are the digits of the pass, and a tile is either
//! whole rows of consecutive addresses or all rows of some columns:
//!
//! ```text
//! inner = columns: tiles of one or several [rows][inner], consecutive addresses
//! inner > columns: a tile has `columns` neighbouring columns of all rows
//! ```
//!
//! A round multiplies along some neighbouring digits of a pass whose values stand in the registers of one work-item, or in
//! vector registers of the host, together.

use std::fmt;
use std::ops::Range;

/// A run of equal treatment in the index: a factor, or identities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digit {
    /// The number of values of the digit.
    pub order: usize,
    /// The factor that is multiplied along it; `None` for identities.
    pub factor: Option<usize>,
    /// Equal factors have the same number here.
    pub matrix: usize,
}

/// Bounds of what a pass may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Values of a tile.
    pub tile: usize,
    /// Neighbouring columns of a tile, where it does not have all.
    pub columns: usize,
    /// Values that a round holds in registers; a single factor may need more.
    pub registers: usize,
    /// Rounds of a pass.
    pub rounds: usize,
    /// Different matrices of a pass.
    pub matrices: usize,
}

/// Factors whose digits are neighbours, multiplied while the values stand in registers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Round {
    /// The factors, with the distance of their digit's values in registers.
    pub factors: Vec<(usize, usize)>,
    /// Values in registers: the product of the orders.
    pub registers: usize,
    /// The distance of these values in the tile.
    pub stride: usize,
}

/// One pass over memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pass {
    /// The factors that it does.
    pub factors: Vec<usize>,
    /// The product of the orders of all digits of the pass, identities among them.
    pub rows: usize,
    /// The product of the orders of all digits after it.
    pub inner: usize,
    /// Columns of a tile.
    pub columns: usize,
    /// Consecutive pieces of `rows * columns` values in a tile; more than 1 only where `columns` is `inner`.
    pub pieces: usize,
    /// Its rounds.
    pub rounds: Vec<Round>,
}

impl Pass {
    /// Values of a tile.
    pub fn tile(&self) -> usize {
        self.pieces * self.rows * self.columns
    }

    /// Whether tiles are consecutive addresses.
    pub fn contiguous(&self) -> bool {
        self.columns == self.inner
    }

    /// Tiles of `values` values in all.
    pub fn tiles(&self, values: usize) -> usize {
        let outer = values / (self.rows * self.inner);
        if self.contiguous() { outer.div_ceil(self.pieces) } else { outer * self.inner.div_ceil(self.columns) }
    }
}

/// A way to do a transform: its passes over memory, the one of the least significant digits first. It is made for a product
/// by a [`Kronecker`](crate::Kronecker) alone, and not changed: threads and kernels trust its sizes.
///
/// ```compile_fail,E0616
/// # use manycore_device::Device;
/// # use manycore_kronecker::transform::Limits;
/// # use manycore_kronecker::{Kronecker, KroneckerProduct};
/// # fn of<V: manycore_kronecker::Values>(kronecker: &Kronecker, product: &KroneckerProduct<V>, limits: &Limits) {
/// let mut plan = kronecker.plan_within(product, limits);
/// plan.passes.clear();
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Plan {
    pub(super) passes: Vec<Pass>,
    /// The digits that it is for.
    digits: Vec<Digit>,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = |factor: usize| self.digits.iter().find(|d| d.factor == Some(factor)).map_or(0, |d| d.order);
        if self.passes.is_empty() {
            return f.write_str("nothing to do");
        }
        for (i, pass) in self.passes.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " | " })?;
            for (r, round) in pass.rounds.iter().enumerate() {
                f.write_str(if r == 0 { "" } else { " " })?;
                for (k, (factor, _)) in round.factors.iter().enumerate() {
                    write!(f, "{}{}", if k == 0 { "" } else { "." }, order(*factor))?;
                }
            }
            if pass.contiguous() {
                write!(f, " in tiles of {}", pass.tile())?;
            } else {
                write!(f, " in {} rows of {}", pass.rows, pass.columns)?;
            }
        }
        Ok(())
    }
}

/// The digits of factors of these orders, with the number of the matrix that is multiplied along each, or none: neighbouring
/// identities are one digit.
pub(crate) fn digits(factors: impl Iterator<Item = (usize, Option<usize>)>) -> Vec<Digit> {
    let mut digits: Vec<Digit> = Vec::new();
    for (i, (order, matrix)) in factors.enumerate() {
        match (matrix, digits.last_mut()) {
            (Some(matrix), _) => digits.push(Digit { order, factor: Some(i), matrix }),
            (None, Some(Digit { order: before, factor: None, .. })) => *before *= order,
            (None, _) if order == 1 => {}
            (None, _) => digits.push(Digit { order, factor: None, matrix: 0 }),
        }
    }
    digits
}

impl Plan {
    /// The passes.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// Whether results have the same bits by this plan and another: the same factors in the same passes, in whatever tiles.
    pub(super) fn has_bits_of(&self, other: &Self) -> bool {
        let factors = |plan: &Self| plan.passes.iter().map(|pass| pass.factors.clone()).collect::<Vec<_>>();
        factors(self) == factors(other)
    }

    /// Splits digits within the limits, from the least significant one on: each pass takes as many as fit its tile.
    pub(crate) fn new(digits: &[Digit], limits: &Limits) -> Self {
        let mut passes = Vec::new();
        let (mut end, mut inner) = (digits.len(), 1usize);
        while end > 0 {
            let last = digits[end - 1];
            if last.factor.is_none() {
                (inner, end) = (inner * last.order, end - 1);
                continue;
            }
            let mut begin = end - 1;
            let fits = |begin: usize| {
                let rows: usize = digits[begin..end].iter().map(|d| d.order).product();
                rows.saturating_mul(inner.min(limits.columns)) <= limits.tile
                    && rounds(&digits[begin..end], 1, limits.registers).len() <= limits.rounds
                    && matrices(&digits[begin..end]) <= limits.matrices
            };
            while begin > 0 && fits(begin - 1) {
                begin -= 1;
            }
            while digits[begin].factor.is_none() {
                begin += 1; // an identity at the upper end is no part of it
            }
            let pass = Self::pass(digits, begin..end, inner, limits);
            (inner, end) = (inner * pass.rows, begin);
            passes.push(pass);
        }
        Self { passes, digits: digits.to_vec() }
    }

    /// Whether the plan is for these digits, with at most `most` rounds and at most `most` different matrices in each pass.
    pub(crate) fn suits(&self, digits: &[Digit], most: usize) -> bool {
        let few = |pass: &Pass| {
            let done = |digit: &&Digit| digit.factor.is_some_and(|factor| pass.factors.contains(&factor));
            let done: Vec<Digit> = digits.iter().filter(done).copied().collect();
            pass.rounds.len() <= most && matrices(&done) <= most
        };
        self.digits == digits && self.passes.iter().all(few)
    }

    fn pass(digits: &[Digit], range: Range<usize>, inner: usize, limits: &Limits) -> Pass {
        let digits = &digits[range];
        let rows: usize = digits.iter().map(|d| d.order).product();
        let contiguous = rows.saturating_mul(inner) <= limits.tile.max(rows * inner.min(limits.columns));
        let columns = if contiguous { inner } else { inner.min(limits.columns) };
        let pieces = if contiguous { (limits.tile / (rows * inner)).max(1) } else { 1 };
        Pass {
            factors: digits.iter().filter_map(|d| d.factor).collect(),
            rows,
            inner,
            columns,
            pieces,
            rounds: rounds(digits, columns, limits.registers),
        }
    }
}

/// The number of different matrices of the digits.
fn matrices(digits: &[Digit]) -> usize {
    let mut known: Vec<usize> = digits.iter().filter_map(|d| d.factor.map(|_| d.matrix)).collect();
    known.sort_unstable();
    known.dedup();
    known.len()
}

/// The rounds of a pass, the one of the most significant digits first. Starting at the least significant digit, each takes
/// neighbours as long as their values fit the registers.
fn rounds(digits: &[Digit], columns: usize, registers: usize) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    let (mut stride, mut open) = (columns, false);
    for &Digit { order, factor, .. } in digits.iter().rev() {
        match (factor, rounds.last_mut().filter(|round| open && round.registers * order <= registers)) {
            (None, _) => open = false,
            (Some(factor), Some(round)) => {
                round.factors.insert(0, (factor, round.registers));
                round.registers *= order;
            }
            (Some(factor), None) => {
                rounds.push(Round { factors: vec![(factor, 1)], registers: order, stride });
                open = true;
            }
        }
        stride *= order;
    }
    rounds.reverse();
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { tile: 64, columns: 4, registers: 16, rounds: 4, matrices: 2 };

    fn plan(factors: &[(usize, bool)]) -> Plan {
        // Equal orders are equal matrices here.
        let listed = factors.iter().map(|&(order, active)| (order, active.then_some(order)));
        Plan::new(&digits(listed), &LIMITS)
    }

    #[test]
    fn identities_at_both_ends_cost_nothing() {
        assert_eq!(plan(&[]), Plan::default());
        assert_eq!(plan(&[(1000, false), (7, false)]).passes, []);
        let found = plan(&[(5, false), (2, true), (1, false), (1000, false)]);
        let [pass] = &found.passes[..] else { panic!("{found}") };
        assert_eq!((pass.rows, pass.inner, pass.columns, pass.pieces), (2, 1000, 4, 1));
        assert_eq!(found.to_string(), "2 in 2 rows of 4");
        assert_eq!(pass.tiles(10_000), 5 * 250);
    }

    #[test]
    fn passes_fill_their_tiles() {
        let found = plan(&[(2, true); 12]);
        let rows: Vec<(usize, usize, usize)> = found.passes.iter().map(|p| (p.rows, p.columns, p.pieces)).collect();
        assert_eq!(rows, [(64, 1, 1), (16, 4, 1), (4, 4, 1)]);
        assert_eq!(found.to_string(), "2.2 2.2.2.2 in tiles of 64 | 2.2.2.2 in 16 rows of 4 | 2.2 in 4 rows of 4");
        let found = plan(&[(3, true), (12, true)]);
        assert_eq!(found.passes.len(), 1);
        assert_eq!((found.passes[0].pieces, found.passes[0].tile()), (1, 36));
        assert_eq!(
            found.passes[0].rounds.iter().map(|r| (r.registers, r.stride)).collect::<Vec<_>>(),
            [(3, 12), (12, 1)]
        );
        assert_eq!(plan(&[(3, true)]).passes[0].pieces, 21);
    }

    #[test]
    fn a_factor_larger_than_a_tile_still_has_a_pass() {
        let found = plan(&[(32, true), (5, false)]);
        assert_eq!((found.passes[0].rows, found.passes[0].columns), (32, 4));
        let found = plan(&[(28, true), (3, false)]);
        assert_eq!((found.passes[0].columns, found.passes[0].pieces, found.passes[0].tile()), (3, 1, 84));
    }

    #[test]
    fn identities_within_a_pass_part_its_rounds() {
        let found = plan(&[(2, true), (3, false), (2, true)]);
        let [pass] = &found.passes[..] else { panic!("{found}") };
        assert_eq!((pass.rows, pass.factors.as_slice()), (12, &[0, 2][..]));
        let rounds: Vec<(usize, usize)> = pass.rounds.iter().map(|r| (r.registers, r.stride)).collect();
        assert_eq!(rounds, [(2, 6), (2, 1)]);
    }
}

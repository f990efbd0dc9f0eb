//! Quotients in blocks of coefficients by products with the inverse of the reversed divisor (Karp and Markstein 1997 for a
//! quotient in two blocks).
//!
//! The next `k` coefficients of the quotient are a middle product of the `k` highest ones of the dividend and of the inverse to
//! precision `k`. So a quotient of `L` coefficients in two blocks needs the inverse to half the precision, and one far longer
//! than the divisor needs it to about the divisor's length.
//!
//! What a block leaves of the dividend, `d` coefficients below the `k` highest, is made by a product of which the `k` highest
//! coefficients are known: they cancel those of the dividend. So it is enough to know the product modulo `x^C - 1` with `C >= d`.

use std::sync::Arc;

use manycore_device::Buffer;
use manycore_tuning::Costed as _;

use super::newton::Series;
use super::span::{Part, Span};
use crate::arithmetic::multiply::transform::shape::Length;
use crate::arithmetic::multiply::transform::{ProductError, Route};
use crate::arithmetic::multiply::{Plan, Shape};
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// How the product of a block of the quotient and the divisor is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Remnant {
    /// Its lowest coefficients, by this plan of products.
    Low(Arc<Plan>),
    /// Modulo `x^(2^log_len) - 1`, by the transforms of this route.
    Cyclic { log_len: u32, route: Route },
}

/// How the products of a block of `k` coefficients are made.
struct Ways {
    k: usize,
    quotient: Arc<Plan>,
    /// `None` for a constant divisor, which leaves nothing.
    remnant: Option<Arc<Remnant>>,
}

/// The product that gives a block of `k` coefficients of the quotient.
pub(super) const fn quotient_shape(k: usize) -> Shape {
    Shape { count: 1, n: k, m: k, low: k - 1, len: k, square: false }
}

/// The product of a block and the divisor of `m` coefficients, as far as the remainder goes.
pub(super) const fn remnant_shape(k: usize, m: usize) -> Shape {
    Shape { count: 1, n: k, m, low: 0, len: m - 1, square: false }
}

/// A product whose transforms have `2^log_len` values, as those of cyclic products, and as many terms.
pub(super) const fn cyclic_shape(log_len: u32) -> Shape {
    let values = 1 << log_len;
    Shape { count: 1, n: values, m: values, low: values - 1, len: 1, square: false }
}

/// The blocks of a quotient of `len` coefficients, from the highest down: the first coefficient of each, and how many.
pub(super) fn blocks(len: usize, block: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut end = len;
    std::iter::from_fn(move || {
        let k = block.min(end);
        end -= k;
        (k > 0).then_some((end, k))
    })
}

/// The lengths of the blocks of a quotient of `len` coefficients, and how many blocks have each: all but the last are alike.
pub(super) fn block_counts(len: usize, block: usize) -> impl Iterator<Item = (usize, usize)> {
    let block = block.max(1);
    [(block, len / block), (len % block, 1)].into_iter().filter(|&(k, count)| k > 0 && count > 0)
}

impl<F: PolyField> PolyRing<F> {
    /// Divides the `n` words of `a` by `b`: `n - b.len + 1` words of `q` become the quotient and, where it is wanted, the
    /// lowest `b.len - 1` words of `a` the remainder. The inverse has at least the precision of a block.
    pub(super) fn divide_by_blocks(
        &self,
        (a, n): (&mut Buffer<F::Element>, usize),
        b: Span<'_, F::Element>,
        inverse: &Series<F>,
        block: usize,
        q: &mut Buffer<F::Element>,
        wants_remainder: bool,
    ) -> Result<(), PolyError> {
        let (m, d, len) = (b.len, b.len - 1, n + 1 - b.len);
        let mut ways: Option<Ways> = None;
        let mut product: Option<Buffer<F::Element>> = None;
        for (start, k) in blocks(len, block) {
            // All blocks but the last are alike.
            let ways = match &mut ways {
                Some(ways) if ways.k == k => &*ways,
                other => &*other.insert(self.ways(k, m)?),
            };
            let own = (&inverse.buffer, inverse.precision - k);
            self.multiply_at(&quotient_shape(k), (&*a, start + d), own, (&mut *q, start), Some(&ways.quotient))?;
            let Some(remnant) = ways.remnant.as_deref().filter(|_| start > 0 || wants_remainder) else { continue };
            let (words, part) = match remnant {
                Remnant::Low(_) => (d, Part { at: start, count: d, total: d, fold: d }),
                Remnant::Cyclic { log_len, .. } => {
                    (1 << log_len, Part { at: start, count: d, total: k + d, fold: 1 << log_len })
                }
            };
            let to = match &mut product {
                Some(buffer) if buffer.len() == words => buffer,
                other => other.insert(self.device().scratch(words)?),
            };
            match remnant {
                Remnant::Low(plan) => {
                    let shape = remnant_shape(k, m);
                    self.multiply_at(&shape, (&*q, start), (b.buffer, b.at), (&mut *to, 0), Some(plan))?;
                }
                Remnant::Cyclic { log_len, route } => {
                    let (quotient, divisor) = (q.view(start..start + k)?, b.buffer.view(b.at..b.at + m)?);
                    self.multiplier.transform.cyclic(quotient, divisor, *log_len, route, to.view_mut(..)?)?;
                }
            }
            self.subtract(a, part, to)?;
        }
        Ok(())
    }

    /// How the products of a block are made.
    fn ways(&self, k: usize, m: usize) -> Result<Ways, PolyError> {
        let remnant = if m > 1 { Some(self.remnant(k, m)?) } else { None };
        Ok(Ways { k, quotient: self.product_plan(&quotient_shape(k))?, remnant })
    }

    /// How the product of a block of `k` coefficients and a divisor of `m` is made; chosen once.
    pub(super) fn remnant(&self, k: usize, m: usize) -> Result<Arc<Remnant>, PolyError> {
        self.divisions.remnants.get_typed((k, m), || Ok((self.best_remnant(k, m)?, true)))
    }

    fn best_remnant(&self, k: usize, m: usize) -> Result<Remnant, PolyError> {
        let shape = remnant_shape(k, m);
        let log_len = k.max(m).checked_next_power_of_two().map_or(usize::BITS, usize::ilog2);
        let plan = self.product_plan(&shape)?;
        if !matches!(*plan, Plan::Transform(_)) || log_len >= usize::BITS - 2 {
            return Ok(Remnant::Low(plan));
        }
        let Some(route) = self.cyclic_route(log_len)? else { return Ok(Remnant::Low(plan)) };
        let low = self.product_estimate(&shape, self.machine()).map(|estimate| estimate.seconds);
        let cyclic = self.multiplier.transform.estimate(&cyclic_shape(log_len), &route, self.machine());
        match (low, cyclic) {
            (Ok(low), Ok(cyclic)) if cyclic.seconds < low => Ok(Remnant::Cyclic { log_len, route }),
            (Err(_), Ok(_)) => Ok(Remnant::Cyclic { log_len, route }),
            _ => Ok(Remnant::Low(plan)),
        }
    }

    /// The best route whose transforms are those of a cyclic product of this length; `None` where there is none.
    fn cyclic_route(&self, log_len: u32) -> Result<Option<Route>, PolyError> {
        let choice = match self.multiplier.transform.explain(&cyclic_shape(log_len)) {
            Ok(choice) => choice,
            Err(ProductError::NoRoute { .. } | ProductError::NoChoice(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let is_one = |route: &Route| route.cut.blocks == 1 && route.cut.length == Length::Power(log_len);
        Ok(choice.candidates().iter().map(|candidate| candidate.parameters).find(is_one))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_the_quotient_from_above() {
        assert_eq!(blocks(10, 4).collect::<Vec<_>>(), [(6, 4), (2, 4), (0, 2)]);
        assert_eq!(blocks(4, 4).collect::<Vec<_>>(), [(0, 4)]);
        assert_eq!(blocks(3, 8).collect::<Vec<_>>(), [(0, 3)]);
        assert_eq!(blocks(0, 8).count(), 0);
    }

    #[test]
    fn blocks_are_counted_as_they_come() {
        for (len, block) in [(10, 4), (8, 4), (3, 8), (1, 1), (0, 8), (1000, 7)] {
            let mut lengths = std::collections::BTreeMap::new();
            blocks(len, block).for_each(|(_, k)| *lengths.entry(k).or_insert(0) += 1);
            let counts: std::collections::BTreeMap<usize, usize> = block_counts(len, block).collect();
            assert_eq!(counts, lengths, "{len} by {block}");
        }
        // In constant time.
        assert_eq!(block_counts(1 << 62, 3).collect::<Vec<_>>(), [(3, (1 << 62) / 3), (1, 1)]);
    }
}

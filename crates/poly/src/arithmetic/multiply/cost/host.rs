//! Products on the host by the definition and by Karatsuba's algorithm: their counts.

use std::ops::Range;

use manycore_field::Goldilocks;
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_ntt::cost::Operations;
use manycore_tuning::Costed;

use crate::arithmetic::multiply::{Plan, Shape, host, karatsuba};

/// The sizes at which Karatsuba's algorithm may turn to the definition.
const BASES: [usize; 5] = [32, 64, 128, 256, 512];
/// The least coefficients of a factor that Karatsuba's algorithm cuts: with fewer it is the definition.
pub(crate) const LEAST_CUT: usize = BASES[0];

/// Pairs of one of `n` indices and one of `m` whose sum is below `end`: the terms of that many coefficients of a product.
fn pairs_below(n: u64, m: u64, end: u64) -> u64 {
    let triangle = |side: u64| u128::from(side) * (u128::from(side) + 1) / 2;
    let past = |by: u64| triangle(end.saturating_sub(by));
    let pairs = triangle(end) + past(n.saturating_add(m)) - past(n) - past(m);
    u64::try_from(pairs).unwrap_or(u64::MAX)
}

/// Products on the host, by the algorithms that the host alone has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnHost {
    /// Bytes of a coefficient's word.
    pub word_bytes: u32,
    /// The modulus.
    pub order: u64,
}

impl OnHost {
    /// Coefficients of a tile, which has the terms of its longest (`host/short.rs`, `host/long.rs`).
    const fn width(&self) -> u64 {
        if self.word_bytes == 4 { 32 } else { 2 }
    }

    /// Operations of `count` products that are added.
    pub(crate) fn products(&self, count: u64) -> Operations {
        if self.word_bytes == 8 {
            // A product of two words, two sums with a carry, its count.
            return Operations::scalar(4).times(count);
        }
        // In lanes of 64 bits a product and a sum, and a minimum of a difference where the sum would pass them.
        let terms = ((1u64 << 32) / self.order.max(1)).clamp(1, 64);
        Operations::int32(2).times(count).plus(Operations::int32(4).times(count / terms))
    }

    /// A coefficient's reduction.
    fn coefficient(&self) -> Operations {
        match self.word_bytes {
            // Barrett's: two products, two differences, a minimum, both words.
            4 => Operations::scalar(6),
            // Of three words: two sums with a comparison each and products by constants.
            _ if self.order == Goldilocks::MODULUS => Operations::scalar(12),
            // Moeller and Granlund's division of three words, each of two products and ten others.
            _ => Operations::scalar(3 * 12),
        }
    }

    /// Operations of `count` sums of two residues: a sum, a difference, a minimum.
    pub(crate) fn additions(&self, count: u64) -> Operations {
        let one = if self.word_bytes == 4 { Operations::int32(3) } else { Operations::long(0, 3) };
        one.times(count)
    }

    /// The coefficients `range` of a product of `n` by `m` by the definition.
    pub(crate) fn plain(&self, n: u64, m: u64, range: Range<u64>) -> Operations {
        let (n, m, len) = (n.min(m), n.max(m), range.end.saturating_sub(range.start));
        let low = range.start.min(n.saturating_add(m) - 1);
        let end = range.end.min(n.saturating_add(m) - 1);
        let pairs = pairs_below(n, m, end).saturating_sub(pairs_below(n, m, low));
        // Each of n terms that begins or ends within the range meets a tile of which it fills half on average.
        let begins = n.min(end) - n.min(low);
        let ends = n.min((end + 1).saturating_sub(m)) - n.min((low + 1).saturating_sub(m));
        let edges = (self.width() - 1).saturating_mul(begins + ends) / 2;
        self.products(pairs.saturating_add(edges)).plus(self.coefficient().times(len))
    }

    /// One whole product of `n` by `m` coefficients by Karatsuba's algorithm.
    fn karatsuba(&self, n: u64, m: u64, base: u64) -> Operations {
        let (n, m) = (n.min(m), n.max(m));
        if n < base.max(2) {
            return self.plain(n, m, 0..n + m - 1);
        }
        let half = m.div_ceil(2);
        if n <= half {
            let (parts, rest) = (m / n, m % n);
            let whole = self.karatsuba(n, n, base).times(parts);
            let last = if rest > 0 { self.karatsuba(n, rest, base) } else { Operations::NONE };
            return whole.plus(last).plus(self.additions(m.saturating_add(parts * n)));
        }
        let even = self.karatsuba(half, half, base);
        let high = if n == m && 2 * half == m { even } else { self.karatsuba(n - half, m - half, base) };
        even.times(2).plus(high).plus(self.joins(n, m))
    }

    /// What one cut of `n` by `m` coefficients takes: the sums of the halves, and the middle part less both others,
    /// added.
    fn joins(&self, n: u64, m: u64) -> Operations {
        let half = m.div_ceil(2);
        let sums = (n - half) + (m - half);
        let high = (n - half) + (m - half) - 1;
        self.additions(sums + 2 * (2 * half - 1) + high)
    }

    /// Of the operations of a product that threads share, those of the caller, who cuts and joins it `levels` times at most,
    /// and how many parts it has then.
    fn cuts(&self, n: u64, m: u64, base: u64, levels: u32) -> (Operations, u64) {
        let (n, m) = (n.min(m), n.max(m));
        if levels == 0 || n < base.max(karatsuba::LEAST_SHARED as u64) {
            return (Operations::NONE, 1);
        }
        let half = m.div_ceil(2);
        if n <= half {
            let (joins, parts) = self.cuts(n, n, base, levels - 1);
            let times = m.div_ceil(n);
            return (joins.times(times).plus(self.additions(2 * m)), times * parts);
        }
        let (joins, parts) = self.cuts(half, half, base, levels - 1);
        (joins.times(3).plus(self.joins(n, m)), 3 * parts)
    }

    fn words(shape: &Shape) -> u64 {
        let one = (shape.n as u64).saturating_add(shape.m as u64).saturating_add(shape.len as u64);
        one.saturating_mul(shape.count as u64)
    }

    /// All products by the definition.
    fn all_plain(&self, shape: &Shape) -> Operations {
        let range = shape.low as u64..(shape.low as u64).saturating_add(shape.len as u64);
        self.plain(shape.n.max(1) as u64, shape.m.max(1) as u64, range).times(shape.count as u64)
    }

    /// Whether the calling thread makes the products alone.
    pub(in crate::arithmetic::multiply) fn suit_one_processor(&self, shape: &Shape, machine: &Machine) -> bool {
        let bytes = Self::words(shape).saturating_mul(self.word_bytes.into());
        let is_one_part = shape.count == 1 && shape.len < 2 * host::LEAST_PART;
        is_one_part || self.all_plain(shape).suit_one_processor(bytes, machine)
    }
}

impl Costed for OnHost {
    type Size = Shape;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "product"
    }

    fn candidates(&self, shape: &Shape, _: &Machine) -> Vec<Plan> {
        let short = shape.n.min(shape.m);
        let karatsuba = BASES.into_iter().filter(|&base| base <= short).map(|base| Plan::Karatsuba { base });
        std::iter::once(Plan::Plain).chain(karatsuba).collect()
    }

    fn program(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let (n, m, count) = (shape.n.max(1) as u64, shape.m.max(1) as u64, shape.count as u64);
        let all = match plan {
            Plan::Plain => self.all_plain(shape),
            Plan::Karatsuba { base } => self.karatsuba(n, m, *base as u64).times(count),
            _ => return Err(DoesNotFit::Parameter { reason: format!("{plan}: not on the host") }),
        };
        let threads = machine.processors.max(1) as usize;
        let alone = self.suit_one_processor(shape, machine);
        // Karatsuba's products that threads share have a part that they don't.
        let (joins, tasks) = match plan {
            _ if alone => (Operations::NONE, 1),
            Plan::Karatsuba { base } if threads > 1 && shape.count < host::PRODUCTS_PER_THREAD * threads => {
                let (joins, parts) = self.cuts(n, m, *base as u64, karatsuba::shared_levels(threads));
                (joins.times(count), parts)
            }
            _ => (Operations::NONE, threads as u64),
        };
        let share = all.less(joins).shared(tasks);
        let words = Self::words(shape);
        let kernel = Kernel::new(if matches!(plan, Plan::Plain) { "product_plain" } else { "karatsuba" }, 1)
            .blocks(Blocks::even(
                tasks,
                1,
                share.of_one_kind(machine).max(1),
                (words / tasks).max(1),
                shape.len as u64 / tasks,
            ))
            .operation(share.kind())
            .word_bytes(self.word_bytes)
            .traffic_words(words)
            .footprint_bytes(words.saturating_mul(self.word_bytes.into()));
        let mut program = Program::new();
        if joins != Operations::NONE {
            let operations = joins.of_one_kind(machine);
            let caller = Kernel::new("karatsuba_joins", 1).blocks(Blocks::even(1, 1, operations, 1, 1));
            program.queue(caller.operation(joins.kind()).word_bytes(self.word_bytes).fused())?;
        }
        program.queue(if alone { kernel.fused() } else { kernel })?;
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_one_by_one() {
        for (n, m) in [(1, 1), (1, 4), (3, 3), (3, 7), (7, 3)] {
            for end in 0..n + m + 2 {
                let pairs = (0..n).map(|i| (0..m).filter(|j| i + j < end).count() as u64).sum::<u64>();
                assert_eq!(pairs_below(n, m, end), pairs, "{n} {m} {end}");
            }
        }
        assert_eq!(pairs_below(1 << 61, 1 << 61, u64::MAX), u64::MAX);
    }
}

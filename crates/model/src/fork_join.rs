//! Fork-join parallelism: work and span of computations that spawn and wait (paper 002, section 2.5).
//!
//! With `T1` the time on one processor (the work) and `Tinf` that on as many as could be used (the span), `P` processors
//! take `max(T1/P, Tinf) <= TP <= T1/P + Tinf` under a greedy scheduler (Graham, Brent), so that the speedup `T1/TP` is at
//! most `min(P, T1/Tinf)`. The paper's display `T1/TP <= T1/Tinf <= P` does not hold: the parallelism `T1/Tinf` may well
//! exceed `P`.

use std::ops::RangeInclusive;

/// Work and span of a fork-join computation, in operations.
///
/// ```
/// use manycore_model::fork_join::ForkJoin;
/// // Merge sort with a serial merge: T(n) = two halves side by side, then n operations.
/// fn merge_sort(n: u64) -> Option<ForkJoin> {
///     if n == 1 {
///         return Some(ForkJoin::step(1));
///     }
///     let half = merge_sort(n / 2)?;
///     half.beside(half)?.then(ForkJoin::step(n))
/// }
/// let cost = merge_sort(1 << 10).unwrap();
/// assert_eq!((cost.work, cost.span), (11 << 10, (2 << 10) - 1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForkJoin {
    /// Operations in all, `T1`.
    pub work: u128,
    /// Operations along the longest path, `Tinf`.
    pub span: u128,
}

impl ForkJoin {
    /// A serial piece of `operations`.
    pub const fn step(operations: u64) -> Self {
        Self { work: operations as u128, span: operations as u128 }
    }

    /// This work, then the other: works and spans add. `None` past 2^128.
    pub const fn then(self, next: Self) -> Option<Self> {
        match (self.work.checked_add(next.work), self.span.checked_add(next.span)) {
            (Some(work), Some(span)) => Some(Self { work, span }),
            _ => None,
        }
    }

    /// This work beside the other: works add, the longer span counts. `None` past 2^128.
    pub const fn beside(self, other: Self) -> Option<Self> {
        let span = if self.span > other.span { self.span } else { other.span };
        match self.work.checked_add(other.work) {
            Some(work) => Some(Self { work, span }),
            None => None,
        }
    }

    /// A parallel loop of `count` such bodies, spawned by halving: the span grows by `ceil(log2 count)` forks of one
    /// operation each, the work by `count - 1`. `None` past 2^128.
    pub const fn parallel_for(self, count: u64) -> Option<Self> {
        if count == 0 {
            return Some(Self { work: 0, span: 0 });
        }
        let forks = (64 - (count - 1).leading_zeros()) as u128;
        let (Some(bodies), Some(span)) = (self.work.checked_mul(count as u128), self.span.checked_add(forks)) else {
            return None;
        };
        match bodies.checked_add(count as u128 - 1) {
            Some(work) => Some(Self { work, span }),
            None => None,
        }
    }

    /// `T1 / Tinf`; 1 for no operations.
    pub fn parallelism(&self) -> f64 {
        if self.span == 0 { 1.0 } else { self.work as f64 / self.span as f64 }
    }

    /// The operations that `processors` take under a greedy scheduler: `max(T1/P, Tinf) ..= T1/P + Tinf`; `None` for none.
    pub fn time(&self, processors: u32) -> Option<RangeInclusive<f64>> {
        if processors == 0 {
            return None;
        }
        let (even, span) = (self.work as f64 / f64::from(processors), self.span as f64);
        Some(even.max(span)..=even + span)
    }

    /// The largest speedup on `processors`: `min(P, T1/Tinf)`.
    pub fn speedup_limit(&self, processors: u32) -> f64 {
        f64::from(processors).min(self.parallelism())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parallel sum of `n` numbers: halves side by side, then one addition.
    fn sum(n: u64) -> ForkJoin {
        if n == 1 {
            return ForkJoin::default();
        }
        let (low, high) = (sum(n / 2), sum(n - n / 2));
        low.beside(high).unwrap().then(ForkJoin::step(1)).unwrap()
    }

    /// Matrix product by eight half-size products and a parallel addition of `n^2` entries.
    fn product(n: u64) -> ForkJoin {
        if n == 1 {
            return ForkJoin::step(1);
        }
        let eight = (0..7).try_fold(product(n / 2), |all, _| all.beside(product(n / 2))).unwrap();
        eight.then(ForkJoin::step(1).parallel_for(n * n).unwrap()).unwrap()
    }

    #[test]
    fn sums_have_logarithmic_span() {
        for log in 0..12 {
            assert_eq!(sum(1 << log), ForkJoin { work: (1 << log) - 1, span: log });
        }
        assert_eq!(sum(1000), ForkJoin { work: 999, span: 10 });
    }

    #[test]
    fn matrix_products_have_cubic_work_and_square_logarithmic_span() {
        for log in 0..6u32 {
            let n = 1u128 << log;
            let cost = product(1 << log);
            // W(n) = 8 W(n/2) + 2 n^2 - 1, S(n) = S(n/2) + 2 log2 n + 1.
            assert_eq!(cost.span, 1 + (1..=u128::from(log)).map(|i| 2 * i + 1).sum::<u128>());
            assert!(cost.work >= n * n * n && cost.work <= 3 * n * n * n);
        }
    }

    #[test]
    fn speedup_is_bounded_by_processors_and_parallelism() {
        let wide = sum(1 << 16);
        assert!(wide.parallelism() > 4000.0);
        assert_eq!(wide.speedup_limit(4).to_bits(), 4f64.to_bits());
        let time = wide.time(4).unwrap();
        assert_eq!(time, 65535.0 / 4.0..=65535.0 / 4.0 + 16.0);
        assert!(wide.time(0).is_none());
        assert_eq!(ForkJoin::step(7).speedup_limit(100).to_bits(), 1f64.to_bits());
        assert_eq!(ForkJoin::default().parallelism().to_bits(), 1f64.to_bits());
    }

    #[test]
    fn overflow_is_told() {
        let huge = ForkJoin { work: u128::MAX, span: 1 };
        assert_eq!(huge.then(ForkJoin::step(1)), None);
        assert_eq!(huge.beside(ForkJoin::step(1)), None);
        assert_eq!(huge.parallel_for(2), None);
        assert_eq!(ForkJoin::step(5).parallel_for(0), Some(ForkJoin::default()));
        assert_eq!(ForkJoin::step(5).parallel_for(1), Some(ForkJoin::step(5)));
    }
}

//! Where one algorithm becomes faster than another.

use std::ops::RangeInclusive;

/// Where the fastest of several costs changes over `sizes`: the first size, with the index of the cost that is least
/// there, then each size at which another becomes least; `None` where nothing fits from there on.
///
/// A cost that gives `None`, or no number, does not fit. Costs are compared at sizes that double from the range's start, and
/// between two where the fastest differs by halving, in each half whose ends differ. What changes and changes back between two
/// sizes that are compared is not seen. Takes `O(log n)` comparisons of all costs for the doublings and as many for each change.
///
/// ```
/// use manycore_tuning::crossovers;
/// let plain = |n: u64| Some(n as f64 * n as f64);
/// let fast = |n: u64| (n <= 5000).then_some(n as f64 * 100.0);
/// assert_eq!(crossovers(1..=1 << 12, &[&plain, &fast]), [(1, Some(0)), (101, Some(1))]);
/// assert_eq!(crossovers(64..=1 << 20, &[&fast]), [(64, Some(0)), (5001, None)]);
/// ```
pub fn crossovers(sizes: RangeInclusive<u64>, costs: &[&dyn Fn(u64) -> Option<f64>]) -> Vec<(u64, Option<usize>)> {
    let winner = |n: u64| -> Option<usize> {
        let seconds = |i: usize| costs[i](n).filter(|s| !s.is_nan()).map(|s| (i, s));
        (0..costs.len()).filter_map(seconds).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    };
    let (first, last) = sizes.into_inner();
    if first > last {
        return Vec::new();
    }
    let mut at = (first, winner(first));
    let mut found = vec![at];
    while at.0 < last {
        let size = at.0.saturating_mul(2).max(at.0 + 1).min(last);
        let next = (size, winner(size));
        changes(at, next, &winner, &mut found);
        at = next;
    }
    found
}

/// The changes between two sizes, of which each comes with the fastest there.
fn changes(
    low: (u64, Option<usize>),
    high: (u64, Option<usize>),
    winner: &impl Fn(u64) -> Option<usize>,
    found: &mut Vec<(u64, Option<usize>)>,
) {
    if low.1 == high.1 {
        return;
    }
    if high.0 - low.0 == 1 {
        found.push(high);
        return;
    }
    let size = low.0 + (high.0 - low.0) / 2;
    let middle = (size, winner(size));
    changes(low, middle, winner, found);
    changes(middle, high, winner, found);
}

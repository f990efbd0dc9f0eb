//! Where one algorithm becomes faster than another.

/// Where the fastest of several costs changes over `sizes`: the first size, with the index of the cost that is least
/// there, then each size at which another becomes least.
///
/// Costs are compared at sizes that double from the range's start; between two where the fastest differs, the change is
/// found by halving. A cost that gives `None` does not fit. Sizes at which nothing fits have no entry. Two changes between
/// neighbouring doublings count as none or one.
///
/// ```
/// use manycore_model::crossovers;
/// let plain = |n: u64| Some(n as f64 * n as f64);
/// let fast = |n: u64| Some(n as f64 * 100.0);
/// assert_eq!(crossovers(1..=1 << 20, &[&plain, &fast]), [(1, 0), (101, 1)]);
/// ```
pub fn crossovers(sizes: std::ops::RangeInclusive<u64>, costs: &[&dyn Fn(u64) -> Option<f64>]) -> Vec<(u64, usize)> {
    let winner = |n: u64| -> Option<usize> {
        let seconds = |i: usize| costs[i](n).filter(|s| !s.is_nan()).map(|s| (i, s));
        (0..costs.len()).filter_map(seconds).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    };
    let (first, last) = sizes.into_inner();
    let mut found = Vec::new();
    if first > last {
        return found;
    }
    let mut at = first;
    let mut fastest = winner(at);
    found.extend(fastest.map(|i| (at, i)));
    while at < last {
        let next = at.saturating_mul(2).max(at + 1).min(last);
        let after = winner(next);
        if after != fastest {
            let (mut low, mut high) = (at, next);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if winner(middle) == after {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            found.extend(after.map(|i| (high, i)));
            fastest = after;
        }
        at = next;
    }
    found
}

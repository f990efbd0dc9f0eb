//! The slow definition of misses: replacement by ordered sets of a stored trace.

use std::collections::{BTreeSet, HashMap};

use manycore_model::cache::Geometry;

use super::Policy;
use crate::pattern::Pattern;

/// Misses of a product on `x`, as [`misses`](crate::misses) counts them, by another way: every line in the cache has a
/// rank, its next use for the ideal cache and the time that it was not used for the other, and the largest goes.
/// `O(log)` of the lines for each non-zero, and memory for the whole trace.
pub fn misses(pattern: &Pattern, geometry: Geometry, policy: Policy) -> u64 {
    let lines: Vec<u64> = pattern.indices().iter().map(|&column| geometry.line_of(u64::from(column))).collect();
    let len = lines.len();
    let mut next_use = vec![len; len];
    let mut seen = HashMap::new();
    for (time, line) in lines.iter().enumerate().rev() {
        next_use[time] = seen.insert(*line, time).unwrap_or(len);
    }
    // Lines in the cache by rank, and the rank of each.
    let (mut ranked, mut ranks) = (BTreeSet::new(), HashMap::new());
    let mut misses = 0;
    for (time, &line) in lines.iter().enumerate() {
        let rank = match policy {
            Policy::Optimal => next_use[time],
            Policy::LeastRecentlyUsed => len - time,
        };
        if let Some(before) = ranks.insert(line, rank) {
            ranked.remove(&(before, line));
        } else {
            misses += 1;
            if ranked.len() as u64 == geometry.lines()
                && let Some((_, victim)) = ranked.pop_last()
            {
                ranks.remove(&victim);
            }
        }
        ranked.insert((rank, line));
    }
    misses
}

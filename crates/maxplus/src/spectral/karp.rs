//! Maximum cycle mean by the heaviest walks of every number of arcs (Karp, "A characterization of the minimum cycle mean in a digraph",
//! 1978): the greatest over nodes of the least over `k < n` of `(D_n - D_k) / (n - k)`, where `D_k` is the heaviest walk of `k` arcs
//! from a node.

use std::cmp::Ordering;

use super::howard::Arc;
use super::ratio::{Ratio, RatioNumber, exact};
use crate::error::MaxPlusError;

/// The maximum cycle mean of nodes that all reach each other. `O(n m)` steps, `O(n^2)` memory.
pub(super) fn karp<E: RatioNumber>(arcs: &[Vec<Arc<E>>]) -> Result<Option<Ratio<E>>, MaxPlusError> {
    let nodes = arcs.len();
    let mut walks = vec![vec![None; nodes]];
    walks[0][0] = Some(E::NOTHING);
    for k in 0..nodes {
        let mut next = vec![None; nodes];
        for (node, own) in arcs.iter().enumerate() {
            let Some(walk) = walks[k][node] else { continue };
            for &(to, weight, _) in own {
                let longer = exact(E::checked(walk, weight))?;
                let entry: &mut Option<E> = &mut next[to as usize];
                if entry.is_none_or(|entry| longer > entry) {
                    *entry = Some(longer);
                }
            }
        }
        walks.push(next);
    }
    let mut best: Option<Ratio<E>> = None;
    for node in 0..nodes {
        let Some(last) = walks[nodes][node] else { continue };
        let mut least: Option<Ratio<E>> = None;
        for (k, walk) in walks.iter().enumerate().take(nodes) {
            let Some(walk) = walk[node] else { continue };
            let ratio = exact(last.less(walk).and_then(|rest| E::reduced(rest, (nodes - k) as u64)))?;
            if least.is_none_or(|least| E::compare(&ratio, &least) == Some(Ordering::Less)) {
                least = Some(ratio);
            }
        }
        if let Some(least) = least
            && best.is_none_or(|best| E::compare(&least, &best) == Some(Ordering::Greater))
        {
            best = Some(least);
        }
    }
    Ok(best)
}

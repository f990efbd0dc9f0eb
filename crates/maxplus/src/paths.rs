//! Longest paths from one node, with the paths themselves.

use crate::circuit::{longest, turned};
use crate::error::MaxPlusError;
use crate::exact::positive;
use crate::graph::Graph;
use crate::path_sum::PathSum;
use crate::potentials::longest_rounded;
use crate::weight::Weight;

/// The longest paths from a node to all.
#[derive(Debug, Clone, PartialEq)]
pub struct LongestPaths<T> {
    source: u32,
    weights: Vec<Option<T>>,
    before: Vec<u32>,
}

impl<T: Weight> LongestPaths<T> {
    /// The node that the paths begin at.
    pub fn source(&self) -> u32 {
        self.source
    }

    /// The weights of the longest paths to each node; `None` where there is none.
    pub fn weights(&self) -> &[Option<T>] {
        &self.weights
    }

    /// The weight of the longest path to a node; `None` where there is none.
    pub fn weight(&self, to: u32) -> Option<T> {
        self.weights.get(to as usize).copied().flatten()
    }

    /// The nodes of a longest path, both ends among them; `None` where there is none. O(arcs of the path).
    pub fn path(&self, to: u32) -> Option<Vec<u32>> {
        self.weight(to)?;
        let (mut path, mut node) = (vec![to], to);
        while node != self.source && path.len() <= self.before.len() {
            node = self.before[node as usize];
            path.push(node);
        }
        path.reverse();
        Some(path)
    }
}

impl<T: Weight> Graph<T> {
    /// The longest paths from a node: a column of the star. `O(m)` without circuits, else up to `O(n m)`.
    ///
    /// # Errors
    /// [`MaxPlusError::Index`] for a node that is not there, [`MaxPlusError::PositiveCircuit`] with the nodes of one that is reached,
    /// [`MaxPlusError::Overflow`].
    #[inline(never)]
    pub fn longest_from(&self, source: u32) -> Result<LongestPaths<T>, MaxPlusError> {
        let nodes = self.nodes();
        if source as usize >= nodes {
            return Err(MaxPlusError::Index { what: "node", index: source as usize, count: nodes });
        }
        let order = self.topological_order();
        if !T::IS_EXACT && order.is_err() {
            let starts: Vec<Option<T>> = (0..nodes).map(|node| (node == source as usize).then_some(T::ZERO)).collect();
            let crate::circuit::Paths { weights, before } = longest_rounded(self, &starts)?;
            return Ok(LongestPaths { source, weights, before });
        }
        let mut starts = vec![None; nodes];
        starts[source as usize] = Some(T::Sum::NOTHING);
        let found = match order {
            Ok(order) => self.along(&order, starts),
            Err(_) => {
                longest(self, starts, |_, _, weight| weight.sum()).map_err(|nodes| positive(self, turned(nodes)))?
            }
        };
        let mut weights = Vec::with_capacity(nodes);
        for (to, sum) in found.weights.into_iter().enumerate() {
            let overflow = || MaxPlusError::overflow(source, to as u32);
            weights.push(sum.map(|sum| T::from_sum(sum).ok_or_else(overflow)).transpose()?);
        }
        Ok(LongestPaths { source, weights, before: found.before })
    }

    /// A longest path from a node to a node, both among its nodes; `None` where there is none.
    ///
    /// # Errors
    /// As [`Graph::longest_from`].
    #[inline(never)]
    pub fn longest_path(&self, from: u32, to: u32) -> Result<Option<Vec<u32>>, MaxPlusError> {
        if to as usize >= self.nodes() {
            return Err(MaxPlusError::Index { what: "node", index: to as usize, count: self.nodes() });
        }
        Ok(self.longest_from(from)?.path(to))
    }

    /// Longest paths in topological order.
    fn along(&self, order: &[u32], starts: Vec<Option<T::Sum>>) -> crate::circuit::Paths<T::Sum> {
        let mut weights = starts;
        let mut before = vec![u32::MAX; self.nodes()];
        for &node in order {
            let Some(path) = weights[node as usize] else { continue };
            for (to, weight) in self.successors(node) {
                let longer = path.and(weight.sum());
                let entry = &mut weights[to as usize];
                if entry.is_none_or(|entry| longer > entry) {
                    *entry = Some(longer);
                    before[to as usize] = node;
                }
            }
        }
        crate::circuit::Paths { weights, before }
    }
}

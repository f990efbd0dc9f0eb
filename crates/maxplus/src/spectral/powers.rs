//! Powers of a matrix, and the power from which on they are periodic: `A^(k + c) = lambda^c A^k` (Cohen, Dubois, Quadrat, Viot 1985).

use std::collections::VecDeque;

use super::ratio::{RatioNumber, exact};
use crate::error::MaxPlusError;
use crate::graph::Graph;
use crate::path_sum::PathSum;
use crate::weight::Weight;

/// From where on powers are periodic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The least power, at least 1, from which on all are periodic.
    pub transient: usize,
    /// The cyclicity `c`: `c` powers later, all entries have grown by `c` times the eigenvalue.
    pub cyclicity: usize,
}

/// A dense power: entry `(i, j)` at `i * n + j`.
type Power<E> = Vec<Option<E>>;

impl<T: Weight> Graph<T> {
    /// The product of two matrices of one size: arcs `j -> l` of `other` and then `l -> i` of this one. `O(pairs of arcs that meet)` and
    /// sorting.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for graphs of other sizes; [`MaxPlusError::Overflow`].
    #[inline(never)]
    pub fn product(&self, other: &Self) -> Result<Self, MaxPlusError> {
        let nodes = self.nodes();
        if other.nodes() != nodes {
            return Err(MaxPlusError::Length { what: "nodes of a factor", given: other.nodes(), expected: nodes });
        }
        let mut best: Vec<Option<T>> = vec![None; nodes];
        let (mut met, mut arcs) = (Vec::new(), Vec::new());
        for from in 0..nodes as u32 {
            for (middle, first) in other.successors(from) {
                for (to, second) in self.successors(middle) {
                    let path = first.checked_sum(second).ok_or(MaxPlusError::overflow(from, to))?;
                    let entry = &mut best[to as usize];
                    if entry.is_none() {
                        met.push(to);
                    }
                    *entry = Some(entry.map_or(path, |entry| entry.longer(path)));
                }
            }
            arcs.extend(met.drain(..).filter_map(|to| best[to as usize].take().map(|weight| (from, to, weight))));
        }
        Self::from_arcs(nodes, &arcs)
    }

    /// The power by repeated squaring; the 0-th has weight 0 from each node to itself alone.
    ///
    /// # Errors
    /// [`MaxPlusError::Overflow`].
    #[inline(never)]
    pub fn power(&self, exponent: u64) -> Result<Self, MaxPlusError> {
        let nodes = self.nodes();
        let ones: Vec<(u32, u32, T)> = (0..nodes as u32).map(|node| (node, node, T::ZERO)).collect();
        let (mut result, mut square, mut rest) = (Self::from_arcs(nodes, &ones)?, self.clone(), exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                result = result.product(&square)?;
            }
            rest >>= 1;
            if rest > 0 {
                square = square.product(&square)?;
            }
        }
        Ok(result)
    }

    /// The least power from which on `A^(k + c) = lambda^c A^k` holds, with the cyclicity `c`; for matrices whose graph is strongly
    /// connected. `O(n m)` steps for each power, `O(c n^2)` memory. For floating point entries count as equal within their rounding.
    ///
    /// `go_on` is called with each power; `false` ends the search.
    ///
    /// # Errors
    /// [`MaxPlusError::Reducible`] for other graphs, [`MaxPlusError::NoCircuit`] for a node without an arc; [`MaxPlusError::Steps`] past
    /// `most` powers, [`MaxPlusError::Cancelled`], [`MaxPlusError::Exact`].
    pub fn period(&self, most: usize, mut go_on: impl FnMut(usize) -> bool) -> Result<Period, MaxPlusError> {
        let nodes = self.nodes();
        let components = self.components();
        if let [.., first, second] = &components[..] {
            // The last component is reached by none of those before.
            return Err(MaxPlusError::Reducible { from: first[0], to: second[0] });
        }
        let critical = self.critical_graph()?.ok_or(MaxPlusError::NoCircuit)?;
        let cyclicity = exact(critical.cyclicity())? as usize;
        let ratio = critical.ratio;
        // A multiple of the eigenvalue's denominator: circuits' arcs are, and their greatest common divisor.
        let growth =
            exact(T::Exact::NOTHING.less(T::Exact::NOTHING).and_then(|zero| zero.above(cyclicity as u64, &ratio)))?;
        let mut recent: VecDeque<Power<T::Exact>> = VecDeque::new();
        let mut power: Power<T::Exact> = vec![None; nodes * nodes];
        (0..nodes).for_each(|node| power[node * nodes + node] = Some(T::Exact::NOTHING));
        for step in 1..=most.saturating_add(cyclicity) {
            if !go_on(step) {
                return Err(MaxPlusError::Cancelled);
            }
            power = self.next_power(&power)?;
            if recent.len() == cyclicity {
                let before = &recent[0];
                let size = self.largest().real().abs() + ratio.value().abs();
                let near = T::Exact::rounding(step, step as f64 * size);
                let is_same = power.iter().zip(before).all(|(now, before)| match (now, before) {
                    (None, None) => true,
                    // Both times the denominator: now - before = cyclicity times the eigenvalue.
                    (Some(now), Some(before)) => now
                        .less(*before)
                        .and_then(|grown| grown.above(0, &ratio)?.checked(growth))
                        .is_some_and(|off| off <= near && T::Exact::NOTHING.less(off).is_some_and(|off| off <= near)),
                    _ => false,
                });
                if is_same {
                    return Ok(Period { transient: step - cyclicity, cyclicity });
                }
                recent.pop_front();
            }
            recent.push_back(power.clone());
        }
        Err(MaxPlusError::Steps { steps: most })
    }

    fn next_power(&self, power: &Power<T::Exact>) -> Result<Power<T::Exact>, MaxPlusError> {
        let nodes = self.nodes();
        let mut next = vec![None; nodes * nodes];
        for (from, to, weight) in self.arcs() {
            for column in 0..nodes {
                let Some(path) = power[from as usize * nodes + column] else { continue };
                let longer = exact(path.checked(weight.exact()))?;
                let entry: &mut Option<T::Exact> = &mut next[to as usize * nodes + column];
                if entry.is_none_or(|entry| longer > entry) {
                    *entry = Some(longer);
                }
            }
        }
        Ok(next)
    }
}

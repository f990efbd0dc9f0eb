//! Strongly connected components (Tarjan, "Depth-first search and linear graph algorithms", 1972), without recursion.

use super::Graph;
use crate::weight::Weight;

impl<T: Weight> Graph<T> {
    /// The strongly connected components: sets of nodes each of which reaches all of its set, ascending in each; a component comes
    /// after those that it reaches. O(n + m).
    pub fn components(&self) -> Vec<Vec<u32>> {
        components(self.nodes(), |node| (self.offsets[node as usize], self.offsets[node as usize + 1]), &self.targets)
    }
}

/// The components of a graph in compressed columns.
pub(crate) fn components(nodes: usize, range: impl Fn(u32) -> (usize, usize), targets: &[u32]) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let (mut number, mut low) = (vec![UNSEEN; nodes], vec![0u32; nodes]);
    let mut is_open = vec![false; nodes];
    let (mut open, mut found, mut count) = (Vec::new(), Vec::new(), 0u32);
    // Nodes whose arcs are looked at, with the next arc.
    let mut path: Vec<(u32, usize)> = Vec::new();
    for root in 0..nodes as u32 {
        if number[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, range(root).0));
        while let Some((node, arc)) = path.pop() {
            let at = node as usize;
            if number[at] == UNSEEN {
                (number[at], low[at]) = (count, count);
                count += 1;
                open.push(node);
                is_open[at] = true;
            }
            if arc < range(node).1 {
                let to = targets[arc];
                path.push((node, arc + 1));
                if number[to as usize] == UNSEEN {
                    path.push((to, range(to).0));
                } else if is_open[to as usize] {
                    low[at] = low[at].min(number[to as usize]);
                }
                continue;
            }
            if low[at] == number[at] {
                let mut component = Vec::new();
                while let Some(member) = open.pop() {
                    is_open[member as usize] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
        }
    }
    found
}

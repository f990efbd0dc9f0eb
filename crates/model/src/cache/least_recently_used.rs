//! Fully associative cache with least-recently-used replacement.

use super::line_table::LineTable;
use super::{Geometry, Outcome, Report, Simulator};

/// No node: the line was never accessed.
const NEVER: u32 = u32::MAX;
/// No node: the line was replaced.
const REPLACED: u32 = u32::MAX - 1;

/// A line in the cache, in a ring from the most recently used one (after the head) to the least recently used one
/// (before it).
#[derive(Clone, Copy, Debug)]
struct Node {
    newer: u32,
    older: u32,
    slot: usize,
}

/// A fully associative cache that replaces the line not used for the longest time.
///
/// With `k` lines it has at most `k / (k - h + 1)` times the misses of the [optimum](super::Optimal) with `h <= k`
/// lines, plus `h` (Sleator and Tarjan, *Amortized efficiency of list update and paging rules*, 1985): twice the lines
/// make it at most twice as bad as the ideal cache.
///
/// `O(1)` per access, memory `O(distinct lines)`.
#[derive(Clone, Debug)]
pub struct LeastRecentlyUsed {
    geometry: Geometry,
    report: Report,
    lines: LineTable<u32>,
    /// Node 0 is the ring's head and holds no line.
    nodes: Vec<Node>,
}

impl LeastRecentlyUsed {
    /// An empty cache.
    pub fn new(geometry: Geometry) -> Self {
        let head = Node { newer: 0, older: 0, slot: 0 };
        Self { geometry, report: Report::default(), lines: LineTable::new(NEVER), nodes: vec![head] }
    }

    /// Sizes of the cache.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn unlink(&mut self, node: u32) {
        let Node { newer, older, .. } = self.nodes[node as usize];
        self.nodes[newer as usize].older = older;
        self.nodes[older as usize].newer = newer;
    }

    fn link_as_newest(&mut self, node: u32) {
        let newest = self.nodes[0].older;
        self.nodes[node as usize].newer = 0;
        self.nodes[node as usize].older = newest;
        self.nodes[newest as usize].newer = node;
        self.nodes[0].older = node;
    }

    /// A node for a line that comes in: a new one while there is room, the least recently used one after.
    fn vacate(&mut self, slot: usize) -> u32 {
        if self.nodes.len() as u64 <= self.geometry.lines() {
            self.nodes.push(Node { newer: 0, older: 0, slot });
            return self.nodes.len() as u32 - 1;
        }
        let oldest = self.nodes[0].newer;
        self.unlink(oldest);
        self.lines.set(self.nodes[oldest as usize].slot, REPLACED);
        self.nodes[oldest as usize].slot = slot;
        oldest
    }
}

impl Simulator for LeastRecentlyUsed {
    #[inline]
    fn access(&mut self, address: u64) -> Outcome {
        let slot = self.lines.slot(self.geometry.line_of(address));
        let found = self.lines.get(slot);
        let outcome = match found {
            NEVER => Outcome::Compulsory,
            REPLACED => Outcome::Replaced,
            _ => Outcome::Hit,
        };
        if outcome.is_miss() {
            let node = self.vacate(slot);
            self.lines.set(slot, node);
            self.link_as_newest(node);
        } else if self.nodes[0].older != found {
            self.unlink(found);
            self.link_as_newest(found);
        }
        self.report.count(outcome);
        outcome
    }

    fn report(&self) -> Report {
        self.report
    }
}

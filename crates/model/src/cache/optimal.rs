//! Belady's optimum in one forward pass.

use super::line_table::LineTable;
use super::{Geometry, Outcome, Report, Simulator};

/// Value of a line that was never accessed.
const NEVER: u32 = u32::MAX;

/// The ideal cache: fully associative with the best replacement that knowledge of the whole trace allows (Belady,
/// *A study of replacement algorithms for a virtual-storage computer*, IBM Systems Journal 5, 1966).
///
/// Each outcome is that of Belady's rule, to replace the line whose next use is farthest away, though the future is
/// not known when it is given: it needs no second pass and no stored trace, and [`report`](Simulator::report) is the
/// optimum of the trace so far at every moment.
///
/// # How
/// Let `k` be the number of lines of the cache. An access at time `t` to a line last accessed at `s` can be a hit only
/// if the line is *kept* over the instants strictly between `s` and `t`. At each instant one place is taken by the
/// line accessed then, so a set of intervals can be kept if and only if no instant is covered by more than `k - 1` of
/// them. The most hits are the most intervals that `k - 1` rows can hold without overlap: a largest
/// `(k-1)`-colourable subgraph of an interval graph (Carlisle and Lloyd, *On the k-coloring of intervals*, Discrete
/// Applied Mathematics 59, 1995). Taking intervals in the order of their ends, each whenever it still fits, is
/// optimal, and that is the order in which a forward pass meets them.
///
/// *Proof.* Let a best choice `B` agree with the greedy one up to interval `I`, which the greedy takes and `B` does
/// not (the reverse cannot be: what fits into `B` fits into the part of it chosen so far). All intervals of `B` chosen
/// after `I` end no earlier than `I`. If none meets `I`, add `I` to `B`; otherwise put `I` in place of the one with
/// the earliest start among them. Instants of `I` before that start are covered by earlier choices only, with which
/// `I` fits; the later ones lose one interval and gain one. So `B` stays feasible, no smaller, and agrees longer. ∎
///
/// The argument holds for every prefix of the trace, and Belady's rule is optimal on every prefix too (it is his rule
/// for the prefix with some choice among lines not used again); equal counts on all prefixes mean equal outcomes.
///
/// A row is known by the instant at which it was last in use. A hit takes, of the rows free since `s` or before, the
/// one in use last (the others may serve intervals that start earlier), and leaves it in use up to `t - 1`: later than
/// all others. Rows therefore stand in a list that only grows at its end, "the last row free since `s`" is a
/// predecessor search in a list with deletions, which a union-find does, and an access needs to remember only how long
/// the list was at the time. Rows not used yet are all at the front. When the list has grown past twice the rows in
/// use and lines seen, it is renumbered.
///
/// # Complexity
/// Amortized `O(log)` at worst and near `O(1)` in practice per access (union-find with path halving and renumbering
/// in linear time). Memory `O(distinct lines)`, whatever the size of the cache and the length of the trace.
#[derive(Clone, Debug)]
pub struct Optimal {
    geometry: Geometry,
    report: Report,
    /// For each line the last entry of `rows` when the line was last accessed. The line accessed last is not up to
    /// date: a hit on the next access puts one more row before the end of its instant.
    lines: LineTable<u32>,
    previous_line: Option<u64>,
    previous_slot: usize,
    /// Rows in the order of the instant they were last in use: an entry that is its own parent is a row, another
    /// leads to an earlier entry, at last to the row before it. Entry 0 stands for the unused rows.
    rows: Vec<u32>,
    /// Rows never used so far.
    unused: u64,
    /// Length of `rows` at which it is renumbered.
    limit: usize,
}

impl Optimal {
    /// An empty ideal cache.
    pub fn new(geometry: Geometry) -> Self {
        Self {
            geometry,
            report: Report::default(),
            lines: LineTable::new(NEVER),
            previous_line: None,
            previous_slot: 0,
            rows: vec![0],
            unused: geometry.lines() - 1,
            limit: 1 << 12,
        }
    }

    /// Sizes of the cache.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Last row at or before entry `entry`.
    #[inline]
    fn find(&mut self, mut entry: u32) -> u32 {
        loop {
            let parent = self.rows[entry as usize];
            if parent == entry {
                return entry;
            }
            let grandparent = self.rows[parent as usize];
            self.rows[entry as usize] = grandparent;
            entry = grandparent;
        }
    }

    /// Takes the last row free since entry `since` and puts it at the end; `false` if there is none.
    #[inline]
    fn keep(&mut self, since: u32) -> bool {
        let row = self.find(since);
        if row > 0 {
            self.rows[row as usize] = row - 1;
        } else if self.unused > 0 {
            self.unused -= 1;
        } else {
            return false;
        }
        self.rows.push(self.rows.len() as u32);
        true
    }

    /// Drops the entries that are no rows.
    #[cold]
    fn renumber(&mut self) {
        let mut rows = 0;
        // Parents come before their children, so that they are renumbered already.
        for entry in 1..self.rows.len() {
            let parent = self.rows[entry] as usize;
            self.rows[entry] = if parent == entry {
                rows += 1;
                rows
            } else {
                self.rows[parent]
            };
        }
        for last in self.lines.values_mut().iter_mut().filter(|last| **last != NEVER) {
            *last = self.rows[*last as usize];
        }
        self.rows.clear();
        self.rows.extend(0..=rows);
        // The work is linear in lines and rows, so about as many hits pass until the next time; a short list stays in
        // the processor's cache. Rows in use are fewer than the lines, at most 2^30: all is below `NEVER`.
        let room = (self.report.compulsory as usize / 2).max(rows as usize).max(1 << 12);
        self.limit = self.rows.len() + room.min(1 << 31);
    }
}

impl Simulator for Optimal {
    #[inline]
    fn access(&mut self, address: u64) -> Outcome {
        let line = self.geometry.line_of(address);
        let outcome = if self.previous_line == Some(line) {
            Outcome::Hit
        } else {
            let slot = self.lines.slot(line);
            let outcome = match self.lines.get(slot) {
                NEVER => Outcome::Compulsory,
                since if self.keep(since) => Outcome::Hit,
                _ => Outcome::Replaced,
            };
            // The instant of the previous access is over: rows in use until then are free for its line.
            if self.previous_line.is_some() {
                self.lines.set(self.previous_slot, self.rows.len() as u32 - 1);
            }
            self.previous_line = Some(line);
            self.previous_slot = slot;
            outcome
        };
        self.report.count(outcome);
        if self.rows.len() >= self.limit {
            self.renumber();
        }
        outcome
    }

    fn report(&self) -> Report {
        self.report
    }
}

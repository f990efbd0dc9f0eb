//! Sets of lines in the order of their last use.

use super::line_table::LineTable;
use super::{Geometry, Outcome};

/// Place of a line that was never accessed.
pub(super) const NEVER: u32 = u32::MAX;
/// Place of a line that was replaced.
const REPLACED: u32 = u32::MAX - 1;

/// A line in the cache, linked into the ring of its set.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The line used next after this one; the least recently used one after the most recently used one.
    newer: u32,
    /// The line used last before this one; the most recently used one before the least recently used one.
    older: u32,
    /// Slot of the line.
    slot: usize,
}

/// The lines of one set.
#[derive(Clone, Copy, Debug)]
struct Ring {
    /// Node of the most recently used line, if there is any.
    newest: u32,
    length: u32,
}

/// Sets of equally many ways, each of which replaces its least recently used line; line `l` is in set `l mod sets`.
///
/// A set is a ring of nodes and the place in it of the most recently used line. The least recently used one is next to
/// it, so that a miss in a full set moves no link: the place moves on by one, and the node there changes its line.
///
/// Where each line is, its place, is kept by the caller, who may so keep the places in several caches together.
///
/// `O(1)` per access whatever the ways. Nothing is made before it is used: memory is `O(distinct lines)`, whatever the
/// size of the cache.
#[derive(Clone, Debug)]
pub(super) struct RecencySets {
    ways: u32,
    sets: u64,
    rings: LineTable<Ring>,
    /// At most as many as the cache has lines, `2^30`: all indices are below `REPLACED`.
    nodes: Vec<Node>,
}

impl RecencySets {
    /// Empty `sets` of as many lines as fill the cache of `geometry`.
    pub(super) fn new(geometry: Geometry, sets: u64) -> Self {
        Self {
            ways: (geometry.lines() / sets) as u32,
            sets,
            rings: LineTable::new(Ring { newest: NEVER, length: 0 }),
            nodes: Vec::new(),
        }
    }

    /// Number of sets.
    pub(super) fn sets(&self) -> u64 {
        self.sets
    }

    /// Lines of a set.
    pub(super) fn ways(&self) -> u64 {
        u64::from(self.ways)
    }

    /// Accesses `line`, the one with the given slot, at its `place`; changed places go to `set_place(slot, place)`.
    #[inline]
    pub(super) fn access(
        &mut self,
        line: u64,
        slot: usize,
        place: u32,
        mut set_place: impl FnMut(usize, u32),
    ) -> Outcome {
        let set = if self.sets.is_power_of_two() { line & (self.sets - 1) } else { line % self.sets };
        let ring_slot = self.rings.slot(set);
        let ring = self.rings.get(ring_slot);
        let outcome = match place {
            NEVER => Outcome::Compulsory,
            REPLACED => Outcome::Replaced,
            _ if place == ring.newest => return Outcome::Hit,
            _ => Outcome::Hit,
        };
        let ring = if outcome == Outcome::Hit {
            self.make_newest(place, ring.newest);
            Ring { newest: place, ..ring }
        } else if ring.length < self.ways {
            let node = self.insert(slot, ring.newest);
            set_place(slot, node);
            Ring { newest: node, length: ring.length + 1 }
        } else {
            let oldest = self.nodes[ring.newest as usize].newer;
            let replaced = std::mem::replace(&mut self.nodes[oldest as usize].slot, slot);
            set_place(replaced, REPLACED);
            set_place(slot, oldest);
            Ring { newest: oldest, ..ring }
        };
        self.rings.set(ring_slot, ring);
        outcome
    }

    /// Moves a node to the place after the newest one.
    fn make_newest(&mut self, node: u32, newest: u32) {
        let Node { newer, older, .. } = self.nodes[node as usize];
        let oldest = self.nodes[newest as usize].newer;
        // The oldest node is in that place already.
        if node != oldest {
            self.nodes[newer as usize].older = older;
            self.nodes[older as usize].newer = newer;
            self.link(node, newest, oldest);
        }
    }

    /// A new node after the newest one of its ring, or alone if that has none.
    fn insert(&mut self, slot: usize, newest: u32) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { newer: node, older: node, slot });
        if newest != NEVER {
            let oldest = self.nodes[newest as usize].newer;
            self.link(node, newest, oldest);
        }
        node
    }

    fn link(&mut self, node: u32, newest: u32, oldest: u32) {
        self.nodes[node as usize].older = newest;
        self.nodes[node as usize].newer = oldest;
        self.nodes[newest as usize].newer = node;
        self.nodes[oldest as usize].older = node;
    }
}

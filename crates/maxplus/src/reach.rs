//! Reflexive and transitive closure: the star over or and and, of rows of bits (Warshall, "A theorem on Boolean matrices", 1962, by
//! blocks of 64 pivots).

use manycore_device::{Executor, HostPool};

use crate::error::MaxPlusError;
use crate::graph::Graph;
use crate::star::{MaxPlus, StarOptions};
use crate::weight::Weight;

/// Which nodes reach which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reachability {
    nodes: usize,
    /// Words of a row.
    words: usize,
    bits: Vec<u64>,
}

impl Reachability {
    /// Whether a path leads from a node to a node; from a node to itself one does.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        from < self.nodes && to < self.nodes && self.bits[from * self.words + to / 64] >> (to % 64) & 1 == 1
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The number of pairs of nodes with a path.
    pub fn pairs(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// Pivots of a block.
const PIVOTS: usize = 64;

impl<T: Weight> MaxPlus<T> {
    /// Which nodes of a graph reach which, each itself; weights do not count. On the host `n^3 / 64` operations on words, on a device a
    /// star of weights 0.
    ///
    /// # Errors
    /// [`MaxPlusError::Memory`], [`MaxPlusError::Device`].
    #[inline(never)]
    pub fn closure(&self, graph: &Graph<T>) -> Result<Reachability, MaxPlusError> {
        let nodes = graph.nodes();
        let words = nodes.div_ceil(64);
        let mut bits = vec![0u64; nodes * words];
        match self.device().executor() {
            Executor::Host(pool) => {
                for (from, to, _) in graph.arcs() {
                    bits[from as usize * words + to as usize / 64] |= 1 << (to % 64);
                }
                for node in 0..nodes {
                    bits[node * words + node / 64] |= 1 << (node % 64);
                }
                warshall(pool, nodes, words, &mut bits);
            }
            Executor::OpenCl(_) => {
                let arcs = graph.map(|_, _, _| 0i32)?;
                let star = MaxPlus::<i32>::new(self.device()).star_with(&arcs, &StarOptions::new())?;
                for (at, &path) in star.entries().iter().enumerate() {
                    let (to, from) = (at / nodes, at % nodes);
                    bits[from * words + to / 64] |= u64::from(path == 0) << (to % 64);
                }
            }
        }
        Ok(Reachability { nodes, words, bits })
    }
}

fn warshall(pool: &HostPool, nodes: usize, words: usize, bits: &mut [u64]) {
    for block in 0..words {
        let first = block * PIVOTS;
        let count = PIVOTS.min(nodes - first);
        pool.step("maxplus_reach", (nodes * words * 8) as u64, (nodes * words * count) as u64, || {
            // The block's own rows first, by each pivot in turn.
            let own = &mut bits[first * words..(first + count) * words];
            for k in 0..count {
                let pivot = own[k * words..(k + 1) * words].to_vec();
                for row in own.chunks_exact_mut(words) {
                    if row[block] >> k & 1 == 1 {
                        row.iter_mut().zip(&pivot).for_each(|(to, &from)| *to |= from);
                    }
                }
            }
            let own = own.to_vec();
            let rows = bits.chunks_exact_mut(words).enumerate();
            let others = rows.filter(|(row, _)| !(first..first + count).contains(row));
            pool.team().only_if(nodes * words * count > 1 << 16).each(others, |(_, row)| {
                let mut pivots = row[block];
                while pivots != 0 {
                    let k = pivots.trailing_zeros() as usize;
                    pivots &= pivots - 1;
                    row.iter_mut().zip(&own[k * words..]).for_each(|(to, &from)| *to |= from);
                }
            });
        });
    }
}

//! Counts of columns of the star of a graph without circuits: words moved in each launch, operations, launches; and the algorithms that are
//! chosen among.
//!
//! Pulling takes a term for each arc and column that begins before the arc's end, in a launch for each level. Substitution takes the
//! terms of a triangle, arcs or not, from registers. Numbers that round are summed by one of both in another order than by the other,
//! so that none is chosen by time: the one of fewer terms for the whole star is taken, whatever the device and the columns.

use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use super::options::StarAlgorithm;

/// Columns of a star of a graph without circuits: what its algorithms count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StarShape {
    pub(super) nodes: usize,
    pub(super) arcs: usize,
    pub(super) columns: usize,
    /// Levels past the first one, which has no predecessors.
    pub(super) levels: usize,
    /// Pairs of an arc and a column that begins before the arc's end, where arcs are drawn from all pairs of places alike.
    pub(super) terms: u64,
}

impl StarShape {
    /// Columns that begin at these places: an arc between two of `n` places drawn alike ends behind place `p` with a chance of
    /// `1 - (p / n)^2`.
    pub(super) fn new(nodes: usize, arcs: usize, levels: usize, places: &[u32]) -> Self {
        let square = (nodes as u128).pow(2).max(1);
        let chances: u128 = places.iter().map(|&place| square - u128::from(place).pow(2)).sum();
        let terms = u64::try_from(chances.saturating_mul(arcs as u128) / square).unwrap_or(u64::MAX);
        Self { nodes, arcs, columns: places.len(), levels, terms }
    }

    /// Terms of the triangle below the diagonal, for columns that begin anywhere.
    fn triangle(&self) -> u64 {
        let nodes = self.nodes as u64;
        nodes.saturating_mul(nodes).saturating_mul(self.columns as u64) / 6
    }

    /// Whether the arcs of the whole star, `2 m n / 3` terms, are fewer than those of its triangle, `n^3 / 6`.
    fn has_few_arcs(&self) -> bool {
        4 * self.arcs as u128 <= (self.nodes as u128).pow(2)
    }
}

/// Where and how entries are computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct StarCosts {
    /// Bytes of a weight, and what its sums are operations of.
    pub(super) weight: (usize, Operation),
    pub(super) is_exact: bool,
    pub(super) is_host: bool,
    /// Rows of a block, and rows and columns that are updated at once; `None` without the memory for blocks.
    pub(super) blocks: Option<(usize, usize)>,
}

/// Items of a group of an OpenCL device.
const GROUP: u32 = 256;
/// A sum and a maximum.
const TERM: u64 = 2;
/// Words of the nearest cache or local memory of a term that is pulled: both operands and the maximum.
const PULLED_WORDS: u64 = 3;
/// Operations of an arc that is pulled by an item of a device beside the term: its source, bounded, and a place of 64 bits.
const ARC: u64 = 8;
/// Rows of a tile of sums of the host.
const ROWS: u64 = 4;
/// Columns of a thread's block that pulls on the host.
const PULLED: u64 = 256;

impl StarCosts {
    fn kernel(&self, name: &str, threads: u32) -> Kernel {
        Kernel::new(name, threads).operation(self.weight.1).word_bytes(self.weight.0 as u32)
    }

    /// The words that `bytes` bytes fill.
    fn words(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.weight.0 as u64)
    }

    fn bytes(&self, words: u64) -> u64 {
        words.saturating_mul(self.weight.0 as u64)
    }

    /// A launch that reads and writes some words for each of `count` entries.
    fn moved(&self, name: &str, count: u64, words: u64) -> Kernel {
        self.kernel(name, GROUP)
            .blocks(Blocks::even(count.div_ceil(GROUP.into()).max(1), GROUP, 4, words, 1))
            .traffic_words(count.saturating_mul(words))
    }

    fn pulled_on_host(&self, shape: &StarShape) -> Kernel {
        let blocks = (shape.columns as u64).div_ceil(PULLED).max(1);
        let each = shape.terms.div_ceil(blocks);
        let rows = (shape.nodes as u64).saturating_mul(PULLED.min(shape.columns as u64));
        self.kernel("maxplus_star", 1)
            .blocks(Blocks::even(blocks, 1, (TERM * each).max(1), each, rows))
            .local_accesses(PULLED_WORDS * each)
            .traffic_words(shape.terms.saturating_add(blocks.saturating_mul(rows)))
            .footprint_bytes(self.bytes(rows))
    }

    fn substituted_on_host(&self, shape: &StarShape, columns: usize) -> Kernel {
        let columns = columns as u64;
        let blocks = (shape.columns as u64).div_ceil(columns).max(1);
        let each = shape.triangle().div_ceil(blocks);
        let (nodes, rows) = (shape.nodes as u64, (shape.nodes as u64).saturating_mul(columns));
        let triangle = nodes.saturating_mul(nodes) / 2;
        self.kernel("maxplus_star", 1)
            .blocks(Blocks::even(blocks, 1, (TERM * each).max(1), triangle, rows))
            .local_accesses((each / ROWS).saturating_add(each / columns))
            .traffic_words(blocks.saturating_mul(triangle / 2 + 2 * rows).saturating_add(2 * triangle))
            .footprint_bytes(self.bytes(triangle + rows))
    }

    fn pulled(&self, shape: &StarShape) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let (all, arcs) = ((shape.nodes as u64).saturating_mul(shape.columns as u64), shape.arcs as u64);
        program.queue(self.moved("maxplus_begin", all, 1).round_trips(1))?;
        let levels = (shape.levels as u64).max(1);
        let items = (all / 2).div_ceil(levels).max(1);
        let each = shape.terms.div_ceil(levels).div_ceil(items);
        let groups = items.div_ceil(GROUP.into());
        let read = each + self.words(each * (4 + self.weight.0 as u64));
        let kernel = self
            .kernel("maxplus_pull", GROUP)
            .blocks(Blocks::even(groups, GROUP, (TERM + ARC) * each + ARC, read + 1, 1))
            .traffic_words(
                (shape.terms / levels)
                    .saturating_add(2 * items)
                    .saturating_add(self.words(arcs / levels * (4 + self.weight.0 as u64))),
            )
            .footprint_bytes(self.bytes(all));
        for _ in 0..shape.levels {
            program.queue(kernel.clone())?;
        }
        program.queue(self.moved("maxplus_arrange", all, 2).round_trips(1))?;
        Ok(program)
    }

    fn substituted(&self, shape: &StarShape, (side, tile): (usize, usize)) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let (nodes, columns) = (shape.nodes as u64, shape.columns as u64);
        let (all, square) = (nodes.saturating_mul(columns), nodes.saturating_mul(nodes));
        let (side, tile) = (side as u64, tile as u64);
        program.queue(self.moved("maxplus_begin", all, 1).round_trips(1))?;
        program.queue(self.moved("maxplus_begin", square, 1))?;
        let arcs = self.moved("maxplus_scatter", shape.arcs as u64, 2 + self.words(4));
        program.queue(arcs.write_segment_bytes(self.weight.0 as u64))?;
        let blocks = nodes.div_ceil(side);
        let entries = side * side / u64::from(GROUP);
        let diagonals = Blocks::even(blocks, GROUP, side * TERM * entries, entries, entries);
        program
            .queue(self.kernel("maxplus_diagonals", GROUP).blocks(diagonals).local_accesses(side * 3 * entries / 2))?;
        for k in 0..blocks {
            let end = ((k + 1) * side).min(nodes);
            // Columns that have begun by block `k`: their first nodes are evenly spread.
            let active = (columns as u128 * u128::from(end) / u128::from(nodes)).max(1) as u64;
            let rows = self
                .kernel("maxplus_rows", GROUP)
                .blocks(Blocks::even(active.div_ceil(side), GROUP, side * TERM * entries, 2 * entries, entries))
                .local_accesses(side * 2 * side / 16)
                .local_words(2 * side * (side + 1));
            program.queue(rows)?;
            if end == nodes {
                continue;
            }
            let groups = (nodes - end).div_ceil(tile) * active.div_ceil(tile);
            let sums = tile * tile / u64::from(GROUP);
            let operands = 2 * tile * side / u64::from(GROUP);
            let update = self
                .kernel("maxplus_update", GROUP)
                .blocks(Blocks::even(groups, GROUP, TERM * sums * side, sums + operands, sums))
                .local_accesses(side * 2 * (tile / 16) + operands)
                .local_words(2 * 16 * tile)
                .footprint_bytes(self.bytes(all + square));
            program.queue(update)?;
        }
        program.queue(self.moved("maxplus_arrange", all, 2).round_trips(1))?;
        Ok(program)
    }
}

impl Costed for StarCosts {
    type Size = StarShape;
    type Parameters = StarAlgorithm;

    fn name(&self) -> &'static str {
        "maxplus-star"
    }

    fn candidates(&self, shape: &StarShape, _: &Machine) -> Vec<StarAlgorithm> {
        let all: &[StarAlgorithm] = match self.blocks {
            None => &[StarAlgorithm::Pull],
            Some(_) if self.is_exact => &[StarAlgorithm::Pull, StarAlgorithm::Substitution],
            Some(_) if shape.has_few_arcs() => &[StarAlgorithm::Pull],
            Some(_) => &[StarAlgorithm::Substitution],
        };
        all.to_vec()
    }

    fn program(&self, shape: &StarShape, algorithm: &StarAlgorithm, _: &Machine) -> Result<Program, DoesNotFit> {
        let on_host = |kernel| {
            let mut program = Program::new();
            program.queue(kernel)?;
            Ok(program)
        };
        match (algorithm, self.blocks) {
            (StarAlgorithm::Substitution, Some((_, columns))) if self.is_host => {
                on_host(self.substituted_on_host(shape, columns))
            }
            (StarAlgorithm::Substitution, Some(blocks)) => self.substituted(shape, blocks),
            _ if self.is_host => on_host(self.pulled_on_host(shape)),
            _ => self.pulled(shape),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(is_exact: bool) -> StarCosts {
        StarCosts { weight: (4, Operation::Int32), is_exact, is_host: false, blocks: Some((64, 128)) }
    }

    #[test]
    fn numbers_that_round_have_one_algorithm_for_all_columns() {
        let machine = Machine::known("NVIDIA H200").unwrap();
        for (arcs, algorithm) in [(2500, StarAlgorithm::Pull), (2501, StarAlgorithm::Substitution)] {
            for places in [&[0][..], &[99], &[3, 50, 98]] {
                let shape = StarShape::new(100, arcs, 9, places);
                for is_host in [false, true] {
                    let of = |is_exact| StarCosts { is_host, ..costs(is_exact) }.candidates(&shape, &machine);
                    assert_eq!(of(false), [algorithm]);
                    assert_eq!(of(true).len(), 2);
                }
                let without = StarCosts { blocks: None, ..costs(true) };
                assert_eq!(without.candidates(&shape, &machine), [StarAlgorithm::Pull]);
            }
        }
    }

    #[test]
    fn terms_are_those_of_columns_that_begin_before_ends() {
        let all: Vec<u32> = (0..100).collect();
        assert_eq!(StarShape::new(100, 300, 9, &[0]).terms, 300);
        // The sum of 1 - (p / 100)^2 is 67.165.
        assert_eq!(StarShape::new(100, 300, 9, &all).terms, 20149);
        assert_eq!(StarShape::new(0, 0, 0, &[]).terms, 0);
    }

    #[test]
    fn launches_are_those_of_the_device() {
        let machine = Machine::known("NVIDIA H200").unwrap();
        let shape = StarShape { nodes: 130, arcs: 300, columns: 130, levels: 17, terms: 20_000 };
        let launches = |algorithm| costs(true).program(&shape, &algorithm, &machine).unwrap().kernels().len();
        assert_eq!(launches(StarAlgorithm::Pull), 1 + 17 + 1);
        // Entries twice, arcs, diagonals, three blocks of rows, of which the last updates nothing, the result.
        assert_eq!(launches(StarAlgorithm::Substitution), 4 + 3 + 2 + 1);
    }
}

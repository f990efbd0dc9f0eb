//! Products by their definition on an OpenCL device: their counts.

use manycore_field::Arithmetic;
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_ntt::cost::SumCounts;
use manycore_tuning::Costed;

use crate::arithmetic::multiply::two_phase::{LARGEST_X, Sizes};
use crate::arithmetic::multiply::{Plan, Shape, Tile};

/// The parameters of the two-phase algorithm that are candidates.
const WIDTHS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
/// The base-2 logarithms of the items of a group: two warps, and eight.
const LOG_GROUPS: [u32; 2] = [8, 6];
/// Those of the terms that are staged at a time, at most.
const MOST_CHUNK: u32 = 12;

/// Products by their definition on an OpenCL device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnDevice {
    /// The arithmetic of the kernels.
    pub arithmetic: Arithmetic,
    /// Products that kernels add between two foldings.
    pub sum_terms: u32,
    /// Items of a group, at most.
    pub group_limit: usize,
    /// Bytes of local memory of a group, at most.
    pub local_bytes: usize,
    /// Bytes of a buffer, at most.
    pub largest_bytes: u64,
    /// The only tile, on devices that are never tuned.
    pub tile: Option<Tile>,
}

impl OnDevice {
    const fn word_bytes(&self) -> u32 {
        match self.arithmetic {
            Arithmetic::Word32 => 4,
            _ => 8,
        }
    }

    /// Groups of a few sizes whose items are dealt in steps of four to neighbouring coefficients, parts of sums and
    /// products.
    fn tiles(&self, shape: &Shape) -> Vec<Tile> {
        if let Some(tile) = self.tile {
            return vec![tile];
        }
        let short = shape.n.min(shape.m).min(shape.low.saturating_add(shape.len)).max(1);
        let log_terms = short.checked_next_power_of_two().map_or(usize::BITS, usize::ilog2);
        let log_count = shape.count.max(1).ilog2();
        let mut found = Vec::new();
        for log_group in LOG_GROUPS {
            for log_slots in (0..=log_group).step_by(2) {
                for log_segments in (0..=log_group - log_slots).step_by(2) {
                    let log_pack = log_group - log_slots - log_segments;
                    // Segments share runs of four terms, and a group has no more products than there are.
                    let runs = log_segments == 0 || log_segments + 2 <= log_terms.max(2);
                    if !runs || log_pack > log_count {
                        continue;
                    }
                    for outputs in [8u32, 4] {
                        // In steps of two, for fewer programs: terms that are not there take local memory alone.
                        let log_chunk = (log_terms + 1).next_multiple_of(2).clamp(log_segments + 2, MOST_CHUNK);
                        let tile = Tile { outputs, log_slots, log_segments, log_pack, log_chunk };
                        let wide = tile.width() >= shape.len.max(1).saturating_mul(4);
                        let limits = (self.group_limit, self.local_bytes, self.word_bytes() as usize);
                        if !wide && tile.fault(limits.0, limits.1, limits.2).is_none() {
                            found.push(tile);
                        }
                    }
                }
            }
        }
        if found.is_empty() {
            found.push(Tile { outputs: 4, log_slots: 5, log_segments: 0, log_pack: 0, log_chunk: 8 });
        }
        found
    }

    /// The launch of a tiled product.
    fn tiled(&self, shape: &Shape, tile: &Tile, machine: &Machine) -> Kernel {
        let counts = SumCounts::of(self.arithmetic, self.sum_terms);
        let items = 1u64 << tile.log_group();
        let (long, short) = (shape.n.max(shape.m) as u64, shape.n.min(shape.m) as u64);
        let width = tile.width() as u64;
        let tiles = (shape.len as u64).div_ceil(width).max(1);
        let packs = (shape.count as u64).div_ceil(1 << tile.log_pack).max(1);
        let most = short.max(1);
        // Terms of a tile, the longest and all of them: a whole product has n m in all, and each term meets a tile
        // more.
        let whole = shape.len as u64 >= (long + short).saturating_sub(1);
        let all = short.saturating_mul(long).div_ceil((shape.len as u64).max(1));
        let mean = if whole { all.saturating_add(width.min(short)).min(most) } else { most };
        let runs = |terms: u64| terms.div_ceil(4 << tile.log_segments);
        let outputs = u64::from(tile.outputs);
        let sums = counts.addition.times(if tile.log_segments > 0 { outputs } else { 0 });
        let reduction = counts.residue.times(outputs).plus(sums);
        // A run has four products for each coefficient.
        let operations = |terms: u64| counts.four.times(runs(terms).saturating_mul(outputs)).plus(reduction);
        let own = 1u64 << (tile.log_slots + tile.log_segments);
        let reads = (2 * mean + width).div_ceil(own);
        let span = operations(most).of_one_kind(machine);
        let blocks = Blocks {
            count: tiles.saturating_mul(packs),
            span,
            work: (u128::from(operations(mean).of_one_kind(machine)) * u128::from(items)).max(span.into()),
            reads,
            writes: width.div_ceil(own),
        };
        let bytes = self.word_bytes();
        let words = (long + short).saturating_add(shape.len as u64).saturating_mul(shape.count as u64);
        Kernel::new("product_tile", items as u32)
            .blocks(blocks)
            .operation(operations(mean).kind())
            .word_bytes(bytes)
            .local_words(tile.local_words())
            // A run reads four terms and the window of its coefficients; what is staged is written, and the sums twice.
            .local_accesses(runs(mean) * (outputs + 8) + reads + 2 * outputs * u64::from(tile.log_segments > 0))
            .traffic_words(tiles.saturating_mul(packs).saturating_mul((2 * mean + width) << tile.log_pack))
            .footprint_bytes(words.saturating_mul(bytes.into()))
    }

    /// The launches of the two phases.
    fn two_phase(&self, shape: &Shape, (x, group): (usize, usize), machine: &Machine) -> Result<Program, DoesNotFit> {
        let reason = |reason: &str| DoesNotFit::Parameter { reason: reason.to_owned() };
        if shape.count != 1 || shape.low != 0 || shape.len + 1 != shape.n + shape.m || x == 0 || group == 0 {
            return Err(reason("two phases make all coefficients of one product"));
        }
        let sizes = Sizes::new(shape.n, shape.m, x);
        if sizes.x > LARGEST_X {
            return Err(reason("the coefficients for a row do not fit local memory"));
        }
        let bytes = u64::from(self.word_bytes());
        let words = sizes.words().map_or(u64::MAX, |words| words as u64);
        if words.saturating_mul(bytes) > self.largest_bytes {
            return Err(reason(&format!("the rows between the phases take {words} words")));
        }
        let counts = SumCounts::of(self.arithmetic, self.sum_terms);
        let (columns, rows, x, items) = (sizes.columns as u64, sizes.rows as u64, sizes.x as u64, group as u64);
        let mut program = Program::new();
        let sums = counts.products(x).plus(counts.residue);
        program.queue(
            Kernel::new("product_rows", group as u32)
                .blocks(Blocks::even(
                    columns.div_ceil(items) * rows,
                    group as u32,
                    sums.of_one_kind(machine),
                    (items + 2 * x - 1).div_ceil(items),
                    1,
                ))
                .operation(sums.kind())
                .word_bytes(bytes as u32)
                .local_words(items + 2 * x)
                .local_accesses(2 * x + 2)
                .traffic_words(words + (sizes.n + sizes.m) as u64)
                .footprint_bytes(words * bytes),
        )?;
        for taken in sizes.taken() {
            let moved = taken as u64 * columns;
            program.queue(
                Kernel::new("product_add_rows", group as u32)
                    .blocks(Blocks::even(
                        moved.div_ceil(items),
                        group as u32,
                        counts.addition.of_one_kind(machine),
                        2,
                        1,
                    ))
                    .operation(counts.addition.kind())
                    .word_bytes(bytes as u32)
                    .traffic_words(3 * moved)
                    .footprint_bytes(words * bytes),
            )?;
        }
        Ok(program)
    }
}

impl Costed for OnDevice {
    type Size = Shape;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "product"
    }

    fn candidates(&self, shape: &Shape, _: &Machine) -> Vec<Plan> {
        let group = self.group_limit.min(256);
        let short = shape.n.min(shape.m);
        let whole = shape.count == 1 && shape.low == 0 && shape.len + 1 == shape.n + shape.m;
        let widths = WIDTHS.into_iter().filter(|&x| whole && (x == 1 || x <= short));
        let tiles = self.tiles(shape).into_iter().map(Plan::PlainTile);
        tiles.chain(widths.map(|x| Plan::TwoPhase { x, group })).collect()
    }

    fn program(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        match plan {
            Plan::PlainTile(tile) => {
                if let Some(reason) = tile.fault(self.group_limit, self.local_bytes, self.word_bytes() as usize) {
                    return Err(DoesNotFit::Parameter { reason });
                }
                let mut program = Program::new();
                program.queue(self.tiled(shape, tile, machine))?;
                Ok(program)
            }
            Plan::TwoPhase { x, group } => self.two_phase(shape, (*x, *group), machine),
            _ => Err(DoesNotFit::Parameter { reason: format!("{plan}: not on OpenCL devices") }),
        }
    }
}

//! Products by their definition on an OpenCL device, for the model.

use manycore_field::Arithmetic;
use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Program};

use crate::multiply::two_phase::{LARGEST_X, Sizes};
use crate::multiply::{Plan, Shape, Tile};
use crate::ring::product_price;

/// The tile of devices that are no GPU: their items are turns of a loop, and a variant takes them a second to build.
pub(in crate::multiply) const CPU_TILE: Tile =
    Tile { outputs: 8, log_slots: 3, log_segments: 1, log_pack: 0, log_chunk: 9 };
/// The parameters of the two-phase algorithm that are considered.
const WIDTHS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Rows of products of 8-byte words by items that are loops take so many times what the rate of vectors says (PoCL on a Zen 4).
const LOOP_SLOWDOWN: f64 = 3.0;

/// Reads of an item that wait for each other, at most: of words of 4 bytes and of 8, which take longer to multiply.
const MOST_WAITING_READS: [u64; 2] = [4, 3];

/// Operations that wait for each other in a product that an item adds to a sum: measured where few items are at work, so
/// that nothing hides them.
const fn chained(arithmetic: Arithmetic) -> u64 {
    match arithmetic {
        Arithmetic::Word32 => 4,
        Arithmetic::Floating => 7,
        Arithmetic::Word64 { .. } => 8,
        Arithmetic::Goldilocks => 15,
    }
}

/// Products by their definition on an OpenCL device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnDevice {
    /// How kernels compute.
    pub arithmetic: Arithmetic,
    /// Whether it is a GPU.
    pub gpu: bool,
    /// Items of a group, at most.
    pub group_limit: usize,
    /// Bytes of local memory of a group, at most.
    pub local_bytes: usize,
    /// Bytes of a buffer, at most.
    pub largest_bytes: u64,
    /// How many times as long the operations of tiles take as the machine's rates say.
    pub slowdown: f64,
}

impl OnDevice {
    const fn word_bytes(&self) -> u32 {
        match self.arithmetic {
            Arithmetic::Word32 => 4,
            _ => 8,
        }
    }

    fn tiles(&self, shape: &Shape) -> Vec<Tile> {
        if !self.gpu {
            return vec![CPU_TILE];
        }
        let short = shape.n.min(shape.m).min(shape.low.saturating_add(shape.len)).max(1);
        let log_terms = short.next_power_of_two().ilog2();
        let mut found = Vec::new();
        for outputs in [4u32, 8] {
            for log_slots in 0..=6 {
                for log_segments in 0..=7 {
                    // Segments share runs of four terms.
                    if log_segments > 0 && log_segments + 2 > log_terms.max(2) {
                        continue;
                    }
                    for log_pack in if shape.count > 1 { 0..=6 } else { 0..=0 } {
                        if (1usize << log_pack) > shape.count.next_power_of_two() {
                            continue;
                        }
                        let width = (outputs as usize) << log_slots;
                        if width >= 2 * shape.len.next_power_of_two() {
                            continue;
                        }
                        let log_chunk = (log_terms + 1).clamp(log_segments + 2, 12);
                        let tile = Tile { outputs, log_slots, log_segments, log_pack, log_chunk };
                        let enough = (5..=10).contains(&tile.log_group());
                        if enough
                            && tile.fault(self.group_limit, self.local_bytes, self.word_bytes() as usize).is_none()
                        {
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
    pub(in crate::multiply) fn tiled(&self, shape: &Shape, tile: &Tile, processors: u64) -> Kernel {
        let (operation, price) = product_price(self.arithmetic);
        // Measured on an H200: two thirds of what the rate says.
        let price =
            if self.gpu && matches!(self.arithmetic, Arithmetic::Word64 { .. }) { price * 2 / 3 } else { price };
        let items = 1u64 << tile.log_group();
        let (long, short) = (shape.n.max(shape.m) as u64, shape.n.min(shape.m) as u64);
        let width = tile.width() as u64;
        let tiles = (shape.len as u64).div_ceil(width).max(1);
        let packs = (shape.count as u64).div_ceil(1 << tile.log_pack).max(1);
        let most = short.min(long).max(1);
        // Terms of a tile, the longest and all of them: a whole product has n m in all.
        let whole = shape.len as u64 >= long + short - 1;
        let all = if whole { short.saturating_mul(long).div_ceil(shape.len as u64) + width.min(short) } else { short };
        let mean = all.min(most);
        let runs = |terms: u64| terms.div_ceil(4 << tile.log_segments);
        let outputs = u64::from(tile.outputs);
        // Long sums are reduced by divisions of words that vectors do not do.
        let loops = if self.gpu || self.word_bytes() == 4 { 1 } else { 4 };
        let reduction = 8 * outputs * price * loops + 12 * u64::from(tile.log_segments);
        let operations = |terms: u64| runs(terms) * 4 * outputs * price + runs(terms) * 8 + reduction;
        let span = (runs(most) * 4 * outputs * chained(self.arithmetic) + reduction).max(operations(most));
        let own = 1u64 << (tile.log_slots + tile.log_segments);
        let reads = (2 * mean + width).div_ceil(own);
        let writes = width.div_ceil(own);
        // The longest tiles end last, the later the fewer there are for a processor (Graham's bound).
        let count = tiles * packs;
        let late = (operations(most) - operations(mean)) as f64 * (processors as f64 / count as f64).min(1.0);
        let blocks = Blocks {
            count,
            span,
            work: u128::from(((operations(mean) + late as u64) * items).max(span)),
            reads,
            writes,
        };
        let bytes = self.word_bytes();
        // A group's items wait for what they read, the less the more groups a processor has.
        let few = 2 * processors.max(1);
        let most_waiting = MOST_WAITING_READS[usize::from(bytes == 8)] * few / few.max(count);
        let waiting = if self.gpu { reads.min(most_waiting) as u32 } else { 0 };
        // On a CPU what the operations read of local memory is in the slowdown that the standard product tells.
        let local = if self.gpu { runs(mean) * (outputs + 8) } else { 0 };
        Kernel::new("product_tile", items as u32)
            .cold_reads(waiting)
            .blocks(blocks)
            .operation(operation)
            .slowdown(self.slowdown)
            .word_bytes(bytes)
            .local_words(tile.local_words())
            .local_accesses(local + 2 * reads)
            .registers(24 + tile.outputs * bytes)
            .traffic_words(count * ((2 * mean + width) << tile.log_pack))
            .footprint_bytes((long + short + shape.len as u64) * shape.count as u64 * u64::from(bytes))
    }

    /// The launches of the two phases.
    fn two_phase(&self, shape: &Shape, x: usize, group: usize) -> Result<Program, DoesNotFit> {
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
        let (operation, price) = product_price(self.arithmetic);
        let (columns, rows, x, items) = (sizes.columns as u64, sizes.rows as u64, sizes.x as u64, group as u64);
        let mut program = Program::new();
        program.queue(
            Kernel::new("product_rows", group as u32)
                .blocks(Blocks::even(
                    columns.div_ceil(items) * rows,
                    group as u32,
                    x * price + 8 * price,
                    (items + 2 * x - 1).div_ceil(items),
                    1,
                ))
                .operation(operation)
                .slowdown(if self.gpu { 1.0 } else { LOOP_SLOWDOWN * bytes as f64 / 8.0 })
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
                    .blocks(Blocks::even(moved.div_ceil(items), group as u32, 30, 2, 1))
                    .operation(operation)
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
                let mut program = Program::new();
                program.queue(self.tiled(shape, tile, u64::from(machine.processors)))?;
                Ok(program)
            }
            Plan::TwoPhase { x, group } => self.two_phase(shape, *x, *group),
            _ => Err(DoesNotFit::Parameter { reason: format!("{plan}: not on OpenCL devices") }),
        }
    }
}

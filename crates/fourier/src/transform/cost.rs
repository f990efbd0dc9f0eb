//! What ways to transform a group cost.
//!
//! Every stage reads and writes its values once; within tiles it does a few operations for every value and step. So the passes
//! count where memory is slow, the steps where arithmetic is.

use manycore_device::WordType;
use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};

use super::host::{LINE_BYTES, serial_bytes};
use super::plan::{Build, Method, Placed, Stage, Stages, TilePass, build};
use super::{Limits, Plan};
use crate::numbers::Numbers;
use manycore_device::Word as _;

/// Functions on a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    factors: Vec<u64>,
    batch: usize,
    value_bytes: usize,
    word: WordType,
    /// The orders of roots that there are divide this; 0 where there are all.
    roots: u64,
    limits: Limits,
    on_host: bool,
}

impl Shape {
    /// `batch` functions on the group of these factors, on the host or another device with so many processors.
    pub fn new<N: Numbers>(factors: &[u64], batch: usize, numbers: &N, (on_host, processors): (bool, usize)) -> Self {
        let value_bytes = size_of::<N::Value>();
        Self {
            factors: factors.to_vec(),
            batch,
            value_bytes,
            word: N::Word::TYPE,
            roots: numbers.group_of_roots(),
            limits: Limits::new(numbers, on_host, processors),
            on_host,
        }
    }

    fn stages(&self, plan: &Plan) -> Stages {
        let limit = manycore_characters::values::LARGEST_EXPONENT;
        let has_roots = |order: u64| order <= limit && (self.roots == 0 || self.roots.is_multiple_of(order));
        build(&Build { factors: &self.factors, batch: self.batch, plan: plan.clone(), limits: self.limits }, &has_roots)
    }

    fn complex(&self) -> bool {
        self.word.is_floating()
    }

    fn operation(&self) -> Operation {
        match (self.complex(), self.word.bytes()) {
            (true, 8) => Operation::F64,
            (true, _) => Operation::F32,
            (false, 8) => Operation::Int64,
            (false, _) => Operation::Int32,
        }
    }

    /// Operations for one value of a tile: per step those of its radix, and the twiddle's.
    fn tile_operations(&self, pass: &TilePass) -> u64 {
        let (sum, product) = if self.complex() { (2, 4) } else { (2, 5) };
        let steps: u64 = match &pass.method {
            // On the host each product loads a number.
            Method::Dense => pass.rows as u64 * (product + if self.on_host { 2 } else { 0 }),
            Method::Steps(steps) => steps
                .iter()
                .map(|step| {
                    let radix = step.radix as u64;
                    let inner = if radix.is_power_of_two() {
                        u64::from(radix.ilog2()) * sum + product / 2
                    } else {
                        sum + radix / 2 * product
                    };
                    inner + if step.twiddles() > 1 { product } else { 0 }
                })
                .sum(),
        };
        // Reading, writing and addresses.
        steps + 8 + if pass.cofactor > 1 { 2 * product } else { 0 }
    }

    fn device_kernel(&self, stage: &Stage, machine: &Machine) -> Kernel {
        let [before, after] = stage.values().map(|values| values as u64);
        let (tiles, operations, name) = match stage {
            Stage::Tile(pass) => (pass.geometry().tiles() as u64, self.tile_operations(pass), "fourier_tile"),
            Stage::Weigh(_) => (after.div_ceil(4096), 12, "fourier_weigh"),
        };
        let single = if !self.complex() && machine.items_are_loops() { LOOP_RESIDUES } else { 1 };
        let (tiles, items) = (tiles.max(1), 256);
        let each = after.div_ceil(tiles).div_ceil(items).max(1);
        let words = |values: u64| values.saturating_mul(self.value_bytes as u64).div_ceil(4);
        let kernel = Kernel::new(name, items as u32)
            .blocks(Blocks::even(
                tiles,
                items as u32,
                each.saturating_mul(operations).saturating_mul(single).max(1),
                words(before.div_ceil(tiles * items)),
                words(each),
            ))
            .operation(self.operation())
            .word_bytes(4)
            .traffic_words(words(before).saturating_add(words(after)))
            .footprint_bytes(before.saturating_add(after).saturating_mul(self.value_bytes as u64));
        let tile_bytes = match stage {
            Stage::Tile(pass) => pass.rows * pass.columns() * self.value_bytes,
            Stage::Weigh(_) => 0,
        };
        let leaves = machine.items_are_loops() && tile_bytes > LOOP_TILE_BYTES;
        let kernel = if leaves { kernel.slowdown(LOOP_TILE_SLOWDOWN) } else { kernel };
        // Steps of a GPU's group wait for the one before and for their factors, the first for the places of its rows (measured
        // on an H200).
        let waiting = match stage {
            Stage::Tile(pass) if !machine.items_are_loops() => match &pass.method {
                Method::Dense => 4,
                Method::Steps(steps) => 2 + 2 * steps.len() as u32,
            },
            _ => 0,
        };
        let kernel = kernel.cold_reads(waiting);
        match stage {
            // Rows that are neighbours are one run.
            Stage::Tile(pass) if pass.cofactor * pass.inner > 1 => {
                kernel.segment_bytes((pass.columns() * self.value_bytes) as u64)
            }
            Stage::Tile(_) | Stage::Weigh(_) => kernel,
        }
    }

    /// A stage of the host. Rates of operations are those of vectors, so that all lanes of a vector count, whether a tile has
    /// columns for them or not.
    fn host_kernel(&self, placed: &Placed, machine: &Machine) -> Kernel {
        let stage = &placed.stage;
        let [before, after] = stage.values().map(|values| values as u64);
        let value_bytes = self.value_bytes as u64;
        let single = if !self.complex() && self.word.bytes() == 8 { SINGLE_WORDS } else { 1 };
        let words = |values: u64| values.saturating_mul(value_bytes).div_ceil(4);
        let moved = before.saturating_add(after).saturating_mul(value_bytes);
        // The calling thread does what is little, and all where it is alone.
        let alone = moved <= serial_bytes(machine.processors as usize) as u64 || machine.processors == 1;
        let touched = if placed.from == placed.to { moved / 2 } else { moved };
        // Beside the values there are tables and tiles, so that a cache does not hold them that they fill.
        let footprint = touched.saturating_add(touched / 4);
        // Rows that lie apart, past a core's own cache or in another core's.
        let apart = |pass: &TilePass| (footprint > machine.local_bytes || !alone) && pass.cofactor * pass.inner > 1;
        // Many rows whose distance is a multiple of a page meet in few sets of a cache.
        let crowded = |pass: &TilePass| {
            let distance = pass.cofactor * pass.inner * self.value_bytes;
            apart(pass) && pass.rows > CROWD && distance.is_multiple_of(PAGE_BYTES)
        };
        let (tiles, operations, name) = match stage {
            Stage::Tile(pass) => {
                let columns = pass.columns() as u64;
                let used = columns.next_multiple_of(self.limits.lanes as u64);
                let large = pass.rows * pass.columns() * self.value_bytes > TILE_BYTES;
                let beside = if large && pass.rows.is_power_of_two() { TILE_OPERATIONS } else { 0 }
                    + if crowded(pass) { CROWD_OPERATIONS } else { 0 };
                let each = self.tile_operations(pass) + beside;
                let operations = each.saturating_mul(used).div_ceil(columns.max(1));
                (pass.geometry().tiles() as u64, operations, "fourier_tile")
            }
            Stage::Weigh(_) => (after.div_ceil(4096), 12, "fourier_weigh"),
        };
        let tiles = if alone { 1 } else { tiles.max(1) };
        let each = after.div_ceil(tiles).max(1);
        let mut kernel = Kernel::new(name, 1)
            .blocks(Blocks::even(
                tiles,
                1,
                each.saturating_mul(operations).saturating_mul(single).max(1),
                words(before.div_ceil(tiles)),
                words(each),
            ))
            .operation(self.operation())
            .word_bytes(4)
            .traffic_words(words(before).saturating_add(words(after)))
            .footprint_bytes(footprint)
            .slowdown(SLOWDOWN);
        if let Stage::Tile(pass) = stage
            && apart(pass)
        {
            // Rows that lie apart cost what runs do in memory; results that turn, a cache line each.
            let turns = pass.inner == 1 && pass.cofactor > 1;
            let read = pass.columns() * self.value_bytes;
            if !alone && leaves(pass, self.value_bytes, machine.local_bytes) {
                kernel = kernel.taken_over(words(after));
            }
            let read = if crowded(pass) { read / 4 } else { read };
            let written = if turns { LINE_BYTES } else { read };
            kernel = kernel.segment_bytes(read as u64).write_segment_bytes(written as u64);
        }
        if alone { kernel.fused() } else { kernel }
    }
}

/// Fourier transforms, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Transforms {
    /// Local memory of a work-group.
    pub local_bytes: usize,
}

/// How many times as long operations on the host take as the processor's rate says, which knows no shuffles and no addresses:
/// between what a Zen 4 and a Sapphire Rapids take with AVX-512, for tiles in a core's own caches.
const SLOWDOWN: f64 = 1.9;

/// Tiles of more bytes go through a core's second cache from step to step: so many operations a value where its steps are as
/// short as those of powers of two (a Zen 5 transforms 2^16 complex numbers in tiles of 64 KiB in 69 us, of 128 KiB in 75). Other
/// radices hide it (of 1000 by 1000 tiles of 250 KiB are the fastest).
const TILE_BYTES: usize = 64 << 10;
const TILE_OPERATIONS: u64 = 5;

/// Scalar operations of the host before the first stage: finding the plan and scratch (measured: 3 us).
const CALL: u64 = 9000;

/// How many times as long as by vectors operations on residues of 64 bits take, which are done one by one.
const SINGLE_WORDS: u64 = 4;

/// How many times as long as a rate says operations on residues take where items are loops, which vectors have no high words
/// for (PoCL on a Zen 4 and a Sapphire Rapids).
const LOOP_RESIDUES: u64 = 2;

/// Tiles of more bytes leave a core's own first cache, where items are loops; and what operations take then (PoCL on a Zen 4).
const LOOP_TILE_BYTES: usize = 32 << 10;
const LOOP_TILE_SLOWDOWN: f64 = 1.3;

/// So many rows find their places in a cache wherever they lie.
const CROWD: usize = 256;
/// Operations that a value's place costs beside where there are more: its row is of another page, and what was read ahead of it is
/// gone. (A Zen 5 transforms 2^20 complex numbers in 1.79 ms by two passes over 1024 rows, in 1.52 by three over 64 and 128;
/// two cores with a common cache in 0.92 and 0.76.)
const CROWD_OPERATIONS: u64 = 4;
/// Bytes of a page.
const PAGE_BYTES: usize = 4096;

/// Ways of a core's own cache, of the processors of these years.
const WAYS: u64 = 16;

/// Whether lines of a tile leave a core's own cache of so many bytes while the tile is computed, and are fetched once more, from
/// another core or past its copies, before they are written: where rows meet in fewer places than there are, or where a tile's
/// values, what it is made of and what it becomes take half of the cache. (Two cores of a Zen 5 without a common cache: columns
/// of 2^20 complex numbers take 970 us and one core 900; of 1000 by 1000, 315 and 440, in larger tiles 375.)
fn leaves(pass: &TilePass, value_bytes: usize, cache_bytes: u64) -> bool {
    let bytes = |values: usize| values as u64 * value_bytes as u64;
    let (distance, way) = (bytes(pass.cofactor * pass.inner), (cache_bytes / WAYS).max(1));
    // Rows whose distance has a common power of two with a way's length.
    let common = 1u64 << distance.trailing_zeros().min(way.trailing_zeros());
    let places = WAYS * (way / common);
    pass.rows as u64 > places || 6 * bytes(pass.rows * pass.columns()) > cache_bytes
}

/// Values of a tile that are tried on the host; of those that are predicted alike the first one is taken.
const HOST_TILES: [usize; 4] = [32768, 16384, 8192, 2048];
/// And on other devices.
const DEVICE_TILES: [usize; 4] = [1024, 2048, 4096, 8192];

/// On the host larger primes are never faster by the definition than by chirps.
const MOST_DENSE: u64 = 1024;

/// Primes up to this one are done by the definition on devices, unless larger ones are too.
const LARGEST_DENSE: u64 = 61;

impl Costed for Transforms {
    type Size = Shape;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "fourier"
    }

    fn candidates(&self, shape: &Shape, _: &Machine) -> Vec<Plan> {
        // Tiles have a sixteenth of padding, and a little.
        let fits = |values: &&usize| **values * shape.value_bytes / 15 * 17 <= self.local_bytes;
        let mut tiles: Vec<usize> =
            if shape.on_host { HOST_TILES.to_vec() } else { DEVICE_TILES.iter().filter(fits).copied().collect() };
        // Local memory that holds none of them has tiles of its own size.
        if tiles.is_empty() {
            tiles.extend((5..10).map(|log| 1 << log).filter(|values| fits(&values)).max());
        }
        let mut plans: Vec<(Plan, Stages)> = Vec::new();
        for tile_values in tiles {
            let most = if shape.on_host { MOST_DENSE } else { u64::MAX };
            for (largest_dense, powers_of_two) in [(LARGEST_DENSE, false), (LARGEST_DENSE, true), (most, false)] {
                let mut plan = Plan { tile_values, largest_dense, powers_of_two, passes: Vec::new() };
                let stages = shape.stages(&plan);
                plan.passes = stages.names();
                // Other sizes of tiles may be cut otherwise under the same names, or be the same where they hold all.
                if !plans.iter().any(|(_, other)| *other == stages) {
                    plans.push((plan, stages));
                }
            }
        }
        plans.into_iter().map(|(plan, _)| plan).collect()
    }

    fn program(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        if shape.on_host {
            let call = Kernel::new("fourier_call", 1).blocks(Blocks::even(1, 1, CALL, 0, 0));
            program.queue(call.operation(Operation::Scalar).fused())?;
        }
        for placed in &shape.stages(plan).list {
            let kernel = if shape.on_host {
                shape.host_kernel(placed, machine)
            } else {
                shape.device_kernel(&placed.stage, machine)
            };
            program.queue(kernel)?;
        }
        Ok(program)
    }
}

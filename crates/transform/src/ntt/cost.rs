//! What a transform costs, and which passes it takes on an OpenCL device.
//!
//! The index bits are cut as for the Walsh-Hadamard transform: a tile for the lowest ones, columns for the others. Beside
//! its butterflies a pass multiplies every value by two factors where its parts belong to a longer array.

use std::fmt;

use manycore_device::{Device, Executor, WordType};
use manycore_field::Arithmetic;
use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};

use crate::walsh::cost::Limits;

/// The smallest tile of short transforms that share one.
const SMALL_TILE: u32 = 8;
/// The narrowest runs of columns: of 4 values.
const NARROWEST: u32 = 2;
/// More passes over columns than any memory needs.
const MOST_COLUMN_PASSES: u32 = 3;
/// Multiply-adds of 32 bits that a butterfly on the host takes as long as, with vectors of 32 bytes.
const fn host_butterfly_operations(arithmetic: Arithmetic) -> u64 {
    match arithmetic {
        Arithmetic::Word32 => 3,
        Arithmetic::Floating => 7,
        Arithmetic::Word64 { lazy: true } => 12,
        Arithmetic::Word64 { lazy: false } => 14,
        Arithmetic::Goldilocks => 17,
    }
}

/// What an arithmetic's butterflies and products by known factors cost, in multiply-adds of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Price {
    operation: Operation,
    butterfly: u64,
    product: u64,
}

const fn price(arithmetic: Arithmetic) -> Price {
    match arithmetic {
        Arithmetic::Word32 => Price { operation: Operation::Int32, butterfly: 5, product: 4 },
        Arithmetic::Word64 { lazy: true } => Price { operation: Operation::Int64, butterfly: 5, product: 4 },
        Arithmetic::Word64 { lazy: false } => Price { operation: Operation::Int64, butterfly: 7, product: 5 },
        Arithmetic::Goldilocks => Price { operation: Operation::Int64, butterfly: 7, product: 6 },
        Arithmetic::Floating => Price { operation: Operation::F64, butterfly: 9, product: 6 },
    }
}

/// The type of an arithmetic's words in memory.
pub(super) const fn element(arithmetic: Arithmetic) -> WordType {
    match arithmetic {
        Arithmetic::Word32 => WordType::U32,
        _ => WordType::U64,
    }
}

/// The arithmetic whose butterflies the device does fastest, of those that hold for a field.
pub(super) fn fastest(arithmetics: &[Arithmetic], device: &Device, machine: &Machine) -> Arithmetic {
    let possible = |arithmetic: &Arithmetic| {
        *arithmetic != Arithmetic::Floating || (device.info().fp64 && matches!(device.executor(), Executor::OpenCl(_)))
    };
    let seconds = |arithmetic: &Arithmetic| {
        let price = price(*arithmetic);
        price.butterfly as f64 / machine.rate(price.operation)
    };
    let possible = arithmetics.iter().copied().filter(possible);
    // Every field has an arithmetic of integers.
    possible.min_by(|a, b| seconds(a).total_cmp(&seconds(b))).unwrap_or(Arithmetic::Word64 { lazy: false })
}

/// What is transformed: arrays of residues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrays {
    /// Arrays side by side.
    pub count: usize,
    /// The base-2 logarithm of the values of one.
    pub log_len: u32,
    /// How kernels compute with them.
    pub arithmetic: Arithmetic,
    /// Whether the transform is negacyclic, and so multiplies every value first.
    pub negacyclic: bool,
    /// Whether spectra are in natural order, which takes a bit reversal.
    pub natural: bool,
}

impl Arrays {
    /// The type of their words in memory.
    pub const fn element(&self) -> WordType {
        element(self.arithmetic)
    }

    /// Values of all arrays.
    pub const fn values(&self) -> u64 {
        (self.count as u64) << self.log_len
    }

    /// Whether the host's calling thread does it alone.
    pub(super) fn is_serial(&self) -> bool {
        self.values() * (self.element().bytes() as u64) < super::host::SERIAL_BYTES
    }

    /// Butterflies of all transforms: `n 2^(n-1)` each.
    pub const fn butterflies(&self) -> u64 {
        self.values() * self.log_len as u64 / 2
    }
}

/// One pass over the data. All numbers are base-2 logarithms but for `stages`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// The lowest index bits, in contiguous tiles.
    Tile {
        /// Index bits transformed.
        stages: u32,
        /// Values of a tile.
        log_tile: u32,
        /// Values of a work-item.
        log_regs: u32,
    },
    /// `log_rows` index bits from `log_stride` on, for `2^log_segment` neighbouring columns together.
    Columns {
        /// The lowest index bit transformed.
        log_stride: u32,
        /// Index bits transformed.
        log_rows: u32,
        /// Columns of a tile.
        log_segment: u32,
        /// Values of a work-item.
        log_regs: u32,
    },
}

impl Pass {
    /// Index bits transformed.
    pub const fn stages(&self) -> u32 {
        match *self {
            Self::Tile { stages, .. } => stages,
            Self::Columns { log_rows, .. } => log_rows,
        }
    }

    /// The base-2 logarithm of the values of a part: the lowest index bits up to the highest transformed.
    pub(super) const fn span(&self) -> u32 {
        match *self {
            Self::Tile { stages, .. } => stages,
            Self::Columns { log_stride, log_rows, .. } => log_stride + log_rows,
        }
    }

    /// Whether its parts are multiplied by powers of a root.
    pub(super) const fn twists(&self, arrays: &Arrays) -> bool {
        self.span() < arrays.log_len || arrays.negacyclic
    }

    /// The base-2 logarithms of a part's factors by item and by register.
    pub(super) const fn twist_shape(&self) -> (u32, u32) {
        match *self {
            Self::Tile { log_regs, .. } | Self::Columns { log_regs, .. } => (self.span() - log_regs, log_regs),
        }
    }

    /// The base-2 logarithm of the values of a work-item.
    pub(super) const fn log_regs(&self) -> u32 {
        self.shape().1
    }

    /// The base-2 logarithms of the values of a tile and of a work-item.
    pub(super) const fn shape(&self) -> (u32, u32) {
        match *self {
            Self::Tile { log_tile, log_regs, .. } => (log_tile, log_regs),
            Self::Columns { log_rows, log_segment, log_regs, .. } => (log_rows + log_segment, log_regs),
        }
    }

    /// What the model needs to know of the pass over `arrays`.
    pub fn kernel(&self, arrays: &Arrays) -> Kernel {
        let (log_tile, log_regs) = self.shape();
        let (values, each) = (arrays.values(), 1u64 << log_regs);
        let items = 1u32 << log_tile.saturating_sub(log_regs);
        let stages = self.stages();
        let rounds = u64::from(stages.div_ceil(log_regs.max(1)));
        let (price, element) = (price(arrays.arithmetic), element(arrays.arithmetic));
        let (bytes, factor_words) = (element.bytes() as u64, arrays.arithmetic.factor_words() as u64);
        let twists = if self.twists(arrays) { 2 * each * price.product } else { 0 };
        let operations = u64::from(stages) * each / 2 * price.butterfly + twists;
        // The items of large groups wait for each other at every exchange, with few other groups to take their place:
        // measured, those of 512 and 1024 take 1.3 and 1.45 times as long.
        let operations = operations * (20 + 3 * u64::from(items.ilog2().saturating_sub(7))) / 20;
        let name = if matches!(self, Self::Tile { .. }) { "ntt_tile" } else { "ntt_columns" };
        let exchanges = match self {
            Self::Tile { .. } => rounds,
            Self::Columns { .. } => rounds - 1,
        };
        let kernel = Kernel::new(name, items)
            .blocks(Blocks::even(values.div_ceil(1 << log_tile).max(1), items, operations, each, each))
            .operation(price.operation)
            .word_bytes(bytes as u32)
            .local_words(1 << log_tile)
            // Each round reads a factor for almost every register, in practice from the cache beside local memory.
            .local_accesses(each * (2 * exchanges + factor_words * rounds))
            .chains(1 << log_regs)
            // The values, as many words of factors at most, and addresses.
            .registers(((bytes as u32 / 2) << log_regs) + 24)
            .traffic_words(2 * values + if self.twists(arrays) { factor_words * values / each } else { 0 })
            .footprint_bytes(bytes * values);
        match *self {
            Self::Columns { log_segment, .. } => kernel.segment_bytes(bytes << log_segment),
            Self::Tile { .. } => kernel,
        }
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Tile { stages, log_tile, log_regs } => {
                write!(f, "tiles of 2^{log_tile}: bits 0..{stages}, 2^{log_regs} an item")
            }
            Self::Columns { log_stride, log_rows, log_segment, log_regs } => {
                let end = log_stride + log_rows;
                write!(f, "columns in runs of 2^{log_segment}: bits {log_stride}..{end}, 2^{log_regs} an item")
            }
        }
    }
}

/// The passes of a forward transform, in the order of their launches; the inverse takes them the other way round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The passes; none on the host.
    pub passes: Vec<Pass>,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.passes.is_empty() {
            return write!(f, "depth first over the remainder tree");
        }
        for (i, pass) in self.passes.iter().enumerate() {
            write!(f, "{}{pass}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl Plan {
    /// What is wrong with the passes for `arrays`, if they do not transform every index bit once from the highest down.
    pub(super) fn fault(&self, arrays: &Arrays) -> Option<String> {
        let mut high = arrays.log_len;
        for pass in &self.passes {
            let (log_tile, log_regs) = pass.shape();
            let stages = pass.stages();
            let shaped = (1..=6).contains(&log_regs) && log_regs <= log_tile && log_tile <= 20 && stages > 0;
            let fits = match *pass {
                Pass::Tile { stages, log_tile, .. } => {
                    stages == log_tile || (stages < log_tile && !pass.twists(arrays))
                }
                Pass::Columns { log_stride, log_segment, log_rows, log_regs } => {
                    log_stride >= log_segment && log_regs <= log_rows
                }
            };
            if !shaped || !fits {
                return Some(format!("{pass} has an impossible shape"));
            }
            if pass.span() != high {
                return Some(format!("{pass} does not end at bit {high}"));
            }
            high -= stages;
        }
        (high > 0).then(|| format!("the bits below {high} are left out"))
    }
}

/// The transform on an OpenCL device, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnDevice {
    /// What the kernels can be built with.
    pub limits: Limits,
}

impl OnDevice {
    /// The base-2 logarithm of the largest tile; in local memory it has gaps of up to a sixteenth of its words.
    fn largest(&self, arrays: &Arrays) -> u32 {
        Limits { local_bytes: self.limits.local_bytes / 17 * 16, ..self.limits }.log_tile(arrays.element())
    }

    fn tile(&self, stages: u32, twisted: bool, most_regs: u32) -> Option<Pass> {
        let log_tile = if twisted { stages } else { stages.max(SMALL_TILE) };
        let log_regs = self.log_regs(log_tile, most_regs)?;
        Some(Pass::Tile { stages, log_tile, log_regs })
    }

    /// Registers of an item: as many as asked for, as far as the tile has work-items.
    fn log_regs(&self, log_tile: u32, most: u32) -> Option<u32> {
        let least = log_tile.saturating_sub(self.limits.group_limit.max(1).ilog2()).max(1);
        let regs = most.min(log_tile.saturating_sub(5)).max(1);
        (least <= most.max(1)).then_some(regs.max(least).min(log_tile))
    }

    /// `count` passes over the columns above `stages` bits.
    fn columns(&self, arrays: &Arrays, stages: u32, count: u32, log_segment: u32, most_regs: u32) -> Option<Vec<Pass>> {
        let (log_len, largest) = (arrays.log_len, self.largest(arrays));
        let (mut high, mut passes) = (log_len, Vec::new());
        for left in (1..=count).rev() {
            let log_rows = (high - stages).div_ceil(left);
            if log_rows == 0 || log_rows + log_segment > largest {
                return None;
            }
            high -= log_rows;
            let log_regs = self.log_regs(log_rows + log_segment, most_regs)?.min(log_rows);
            let items = (log_rows + log_segment).checked_sub(log_regs)?;
            if 1usize << items > self.limits.group_limit {
                return None;
            }
            passes.push(Pass::Columns { log_stride: high, log_rows, log_segment, log_regs });
        }
        Some(passes)
    }
}

impl Costed for OnDevice {
    type Size = Arrays;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "ntt"
    }

    fn candidates(&self, arrays: &Arrays, _: &Machine) -> Vec<Plan> {
        let element = element(arrays.arithmetic);
        let log_len = arrays.log_len;
        let largest = self.largest(arrays);
        let most_regs = self.limits.log_regs(element);
        let widest = self.limits.log_segment(element).min(largest.saturating_sub(1));
        let mut found: Vec<Plan> = Vec::new();
        for regs in (most_regs.saturating_sub(1)..=most_regs).rev() {
            if log_len <= largest {
                found.extend(self.tile(log_len, arrays.negacyclic, regs).map(|pass| Plan { passes: vec![pass] }));
            }
            for count in 1..=MOST_COLUMN_PASSES {
                let before = found.len();
                let smallest = largest.min(SMALL_TILE + 2).min(log_len);
                for stages in smallest..=largest.min(log_len.saturating_sub(1)) {
                    for log_segment in (NARROWEST.min(widest)..=widest).rev() {
                        let plan = || {
                            let mut passes = self.columns(arrays, stages, count, log_segment, regs)?;
                            passes.push(self.tile(stages, true, regs)?);
                            Some(Plan { passes })
                        };
                        found.extend(plan());
                    }
                }
                if before > 0 && found.len() > before {
                    break;
                }
            }
        }
        found
    }

    fn program(&self, arrays: &Arrays, plan: &Plan, _: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for pass in &plan.passes {
            program.queue(pass.kernel(arrays))?;
        }
        if arrays.natural {
            program.queue(super::reversal::kernel(arrays))?;
        }
        Ok(program)
    }
}

/// The transform on the host, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnHost;

impl Costed for OnHost {
    type Size = Arrays;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "ntt"
    }

    fn candidates(&self, _: &Arrays, _: &Machine) -> Vec<Plan> {
        vec![Plan { passes: Vec::new() }]
    }

    fn program(&self, arrays: &Arrays, _: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let serial = arrays.is_serial();
        let tasks = if serial { 1 } else { u64::from(machine.processors).max(1).min(arrays.values().max(1)) };
        let operations = arrays.butterflies().div_ceil(tasks) * host_butterfly_operations(arrays.arithmetic);
        let each = arrays.values().div_ceil(tasks);
        let mut program = Program::new();
        let kernel = Kernel::new("ntt", 1)
            .blocks(Blocks::even(tasks, 1, operations, each, each))
            .footprint_bytes(element(arrays.arithmetic).bytes() as u64 * arrays.values());
        program.queue(if serial { kernel.fused() } else { kernel })?;
        Ok(program)
    }
}

//! Passes over the data.

use std::fmt;

use manycore_field::Arithmetic;
use manycore_model::{Blocks, Choice, Kernel};

use super::Arrays;
use super::price::{element, price};
use crate::ntt::middle::Columns;

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
    pub(in crate::ntt) const fn span(&self) -> u32 {
        match *self {
            Self::Tile { stages, .. } => stages,
            Self::Columns { log_stride, log_rows, .. } => log_stride + log_rows,
        }
    }

    /// Whether its parts are multiplied by powers of a root.
    pub(in crate::ntt) const fn twists(&self, arrays: &Arrays) -> bool {
        self.span() < arrays.log_len || arrays.negacyclic
    }

    /// The base-2 logarithms of a part's factors by item and by register.
    pub(in crate::ntt) const fn twist_shape(&self) -> (u32, u32) {
        match *self {
            Self::Tile { log_regs, .. } | Self::Columns { log_regs, .. } => (self.span() - log_regs, log_regs),
        }
    }

    /// The base-2 logarithm of the values of a work-item.
    pub(in crate::ntt) const fn log_regs(&self) -> u32 {
        self.shape().1
    }

    /// What passes that may be predicted wrong together have in common: the values of an item and, of columns, their runs.
    pub(in crate::ntt) const fn kind(&self) -> u64 {
        match *self {
            Self::Tile { log_regs, .. } => log_regs as u64 + 1,
            Self::Columns { log_segment, log_regs, .. } => (log_segment as u64 + 1) << 8 | (log_regs as u64 + 1),
        }
    }

    /// The base-2 logarithms of the values of a tile and of a work-item.
    pub(in crate::ntt) const fn shape(&self) -> (u32, u32) {
        match *self {
            Self::Tile { log_tile, log_regs, .. } => (log_tile, log_regs),
            Self::Columns { log_rows, log_segment, log_regs, .. } => (log_rows + log_segment, log_regs),
        }
    }

    /// The registers wished for an item of the pass over words of `bytes`: compilers read factors far ahead and would fill all,
    /// so that compute units hold too few items to hide the time of memory. Large groups need as few as let two share a unit.
    /// Which number is best was measured on an H200.
    pub(in crate::ntt) const fn wished_registers(&self, bytes: u32) -> Option<u32> {
        let (log_tile, log_regs) = self.shape();
        match ((bytes / 4) << log_regs, bytes, self) {
            (32, ..) if log_tile - log_regs > 8 => Some(64),
            // A second round of three levels needs less than one of five.
            (32, 4, Self::Columns { log_rows: ..=8, .. }) if log_tile - log_regs == 8 => Some(64),
            (32, 4, Self::Tile { .. }) if log_tile - log_regs < 6 => Some(80),
            (32, 4, _) => Some(96),
            // Groups of 64 were slower with any limit.
            (32, _, Self::Tile { .. }) if log_tile - log_regs == 6 => None,
            (32, ..) => Some(80),
            (16, 4, Self::Columns { .. }) => Some(40),
            (16, 4, Self::Tile { .. }) => Some(48),
            // Shorter ones are small by themselves.
            _ => None,
        }
    }

    /// The shape of its kernel over words of `bytes`, where it goes over columns.
    pub(in crate::ntt) const fn columns(&self, bytes: u32) -> Option<Columns> {
        match *self {
            Self::Columns { log_stride, log_rows, log_segment, log_regs } => {
                let registers = self.wished_registers(bytes);
                Some(Columns { log_stride, log_rows, log_segment, log_regs, registers })
            }
            Self::Tile { .. } => None,
        }
    }

    /// What the model needs to know of the pass over `arrays`.
    pub fn kernel(&self, arrays: &Arrays) -> Kernel {
        let (log_tile, log_regs) = self.shape();
        let (values, each) = (arrays.values(), 1u64 << log_regs);
        let items = 1u32 << log_tile.saturating_sub(log_regs);
        let stages = self.stages();
        // One also for a single value, which has no levels.
        let rounds = u64::from(stages.div_ceil(log_regs.max(1)).max(1));
        let (price, element) = (price(arrays.arithmetic), element(arrays.arithmetic));
        let (bytes, factor_words) = (element.bytes() as u64, arrays.arithmetic.factor_words() as u64);
        // Factors between rounds, and twice as many where parts belong to a longer array.
        let products = rounds - 1 + if self.twists(arrays) { 2 } else { 0 };
        let full = stages / log_regs.max(1);
        let last = stages % log_regs.max(1);
        let butterflies = u64::from(full) * price.round(log_regs) + (price.round(last) << (log_regs - last));
        // The last round of tiles writes neighbouring values where they are 16 bytes, else in the layout of the loads.
        let short = bytes << (stages - (rounds as u32 - 1) * log_regs) <= 16;
        let exchanges = match self {
            Self::Tile { .. } if !short => rounds,
            _ => rounds - 1,
        };
        let operations = butterflies + products * each * price.product + exchanges * each * price.exchange;
        // The items of large groups wait for each other at every exchange, with few other groups to take their place:
        // measured, those of 512 and 1024 take 1.3 and 1.45 times as long. With few registers others are there, and double
        // precision has a pipe of its own.
        let few = bytes == 4 && matches!(self.wished_registers(4), Some(..=64));
        let floating = arrays.arithmetic == Arithmetic::Floating;
        let lean = items == 256 && (few || floating);
        // Items of a group that is a warp have nothing to wait for.
        let operations = if floating && items == 32 { operations * 9 / 10 } else { operations };
        let waiting = match items.ilog2().saturating_sub(7) {
            // With fewer still, groups of 256 wait as little as those of 128.
            _ if lean => u64::from(floating || !matches!(self.wished_registers(4), Some(..=48))),
            // Its memory waits, too.
            3.. if floating => 27,
            more => 3 * u64::from(more),
        };
        let operations = operations * (20 + waiting) / 20;
        let name = if matches!(self, Self::Tile { .. }) { "ntt_tile" } else { "ntt_columns" };
        // Of columns the tables are short: items multiply two factors of them.
        let twisted = match self {
            Self::Tile { .. } if self.twists(arrays) => factor_words * values / each,
            _ => 0,
        };
        // The values, as many words of factors at most, and addresses.
        let registers = match self.wished_registers(bytes as u32) {
            Some(wished) if items <= 256 => wished,
            _ => ((bytes as u32 / 2) << log_regs) + 24,
        };
        let tiles = values.div_ceil(1 << log_tile).max(1);
        // No other group hides what a lone one waits for when it reads and writes its values (measured on an H200: 2^13 values
        // of 31 bits take 5.8 us in one tile, in two passes 5.0).
        let lone = if tiles == 1 { 3 } else { 0 };
        let kernel = Kernel::new(name, items)
            .blocks(Blocks::even(tiles, items, operations, each, each))
            .operation(price.operation)
            .word_bytes(bytes as u32)
            .local_words(1 << log_tile)
            // Each round reads a factor for almost every register, in practice from the cache beside local memory.
            .local_accesses(each * (2 * exchanges + factor_words * rounds))
            .chains(1 << log_regs)
            // Roots, and the factors between rounds.
            .cold_reads(rounds as u32 + lone)
            .registers(registers)
            .traffic_words(2 * values + twisted)
            .footprint_bytes(bytes * values);
        match *self {
            Self::Columns { log_segment, .. } => {
                // Runs of one sector are slower also where a cache serves them (measured on an H200: an eighth).
                let sector = if bytes << log_segment <= 32 { values / 4 } else { 0 };
                // Of double precision, runs of a line are as fast as longer ones (measured there, eight rows: 75.6 and 75.5 us).
                let line = u64::from(floating && bytes << log_segment == 128);
                kernel.traffic_words(2 * values + twisted + sector).segment_bytes(bytes << log_segment << line)
            }
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
    /// The plan that is taken where other kernels do the first and the last pass of long transforms
    /// ([`Middle`](crate::Middle)): the best one of a choice in which every part has a tile of its own, or the best of all where
    /// that takes one pass; `None` where there is none such.
    pub fn for_middle(choice: &Choice<Self>) -> Option<&Self> {
        let best = &choice.best().parameters;
        let own = |plan: &&Self| {
            plan.passes.len() > 1 && plan.passes.last().is_some_and(|pass| pass.stages() == pass.shape().0)
        };
        if best.passes.len() == 1 {
            return Some(best);
        }
        choice.candidates().iter().map(|candidate| &candidate.parameters).find(own)
    }

    /// What is wrong with the passes for `arrays`, if they do not transform every index bit once from the highest down.
    pub(in crate::ntt) fn fault(&self, arrays: &Arrays) -> Option<String> {
        let mut high = arrays.log_len;
        for pass in &self.passes {
            let (log_tile, log_regs) = pass.shape();
            let stages = pass.stages();
            let shaped = (1..=6).contains(&log_regs) && log_regs <= log_tile && log_tile <= 20 && stages > 0;
            let fits = match *pass {
                Pass::Tile { stages, log_tile, .. } => {
                    stages == log_tile || (stages < log_tile && (log_regs <= stages || !pass.twists(arrays)))
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

//! Passes over the data.

use std::fmt;

use manycore_model::{Blocks, Kernel, Machine};
use manycore_tuning::Choice;

use super::{Arrays, Counts, element};
use crate::middle::Columns;

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
    pub(crate) const fn span(&self) -> u32 {
        match *self {
            Self::Tile { stages, .. } => stages,
            Self::Columns { log_stride, log_rows, .. } => log_stride + log_rows,
        }
    }

    /// Whether its parts are multiplied by powers of a root.
    pub(crate) const fn twists(&self, arrays: &Arrays) -> bool {
        self.span() < arrays.log_len || arrays.negacyclic
    }

    /// The base-2 logarithms of a part's factors by item and by register.
    pub(crate) const fn twist_shape(&self) -> (u32, u32) {
        match *self {
            Self::Tile { log_regs, .. } | Self::Columns { log_regs, .. } => (self.span() - log_regs, log_regs),
        }
    }

    /// The base-2 logarithm of the values of a work-item.
    pub(crate) const fn log_regs(&self) -> u32 {
        self.shape().1
    }

    /// The base-2 logarithms of the values of a tile and of a work-item.
    pub(crate) const fn shape(&self) -> (u32, u32) {
        match *self {
            Self::Tile { log_tile, log_regs, .. } => (log_tile, log_regs),
            Self::Columns { log_rows, log_segment, log_regs, .. } => (log_rows + log_segment, log_regs),
        }
    }

    /// The registers wished for an item of the pass over words of `bytes`: compilers read factors far ahead and would fill all,
    /// so that compute units hold too few items to hide the time of memory. Large groups need as few as let two share a unit.
    /// Which number is best was measured on an H200.
    pub(crate) const fn wished_registers(&self, bytes: u32) -> Option<u32> {
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
    pub(crate) const fn columns(&self, bytes: u32) -> Option<Columns> {
        match *self {
            Self::Columns { log_stride, log_rows, log_segment, log_regs } => {
                let registers = self.wished_registers(bytes);
                Some(Columns { log_stride, log_rows, log_segment, log_regs, registers })
            }
            Self::Tile { .. } => None,
        }
    }

    /// What the pass over `arrays` moves and computes, with its operations as those of one kind by the rates of
    /// `machine`.
    pub fn kernel(&self, arrays: &Arrays, machine: &Machine) -> Kernel {
        let (log_tile, log_regs) = self.shape();
        let (values, each) = (arrays.values(), 1u64 << log_regs);
        let items = 1u32 << log_tile.saturating_sub(log_regs);
        let stages = self.stages();
        // One also for a single value, which has no levels.
        let rounds = u64::from(stages.div_ceil(log_regs.max(1)).max(1));
        let (counts, element) = (Counts::of(arrays.arithmetic), element(arrays.arithmetic));
        let (bytes, factor_words) = (element.bytes() as u64, arrays.arithmetic.factor_words() as u64);
        let (is_tile, twists) = (matches!(self, Self::Tile { .. }), self.twists(arrays));
        let (full, last) = (stages / log_regs.max(1), stages % log_regs.max(1));
        let butterflies =
            counts.round(log_regs).times(u64::from(full)).plus(counts.round(last).times(1 << (log_regs - last)));
        // Factors between rounds, and twice as many where parts belong to a longer array.
        let factors = rounds - 1 + if twists { 2 } else { 0 };
        let operations = butterflies.plus(counts.times.times(factors).plus(counts.canonical).times(each));
        // An item of columns multiplies two factors of its twist.
        let operations = if twists && !is_tile { operations.plus(counts.product) } else { operations };
        // The last round of tiles writes neighbouring values where they are 16 bytes, else in the layout of the loads.
        let short = bytes << (stages - (rounds as u32 - 1) * log_regs) <= 16;
        let exchanges = if is_tile && !short { rounds } else { rounds - 1 };
        // Columns of one round need no local memory.
        let local_words = if is_tile || rounds > 1 { 1 << log_tile } else { 1 };
        // A tile's twist has a factor for each item of each part; of columns the tables are short.
        let twisted = if is_tile && twists { factor_words.saturating_mul(values / each) } else { 0 };
        let kernel = Kernel::new(if is_tile { "ntt_tile" } else { "ntt_columns" }, items)
            .blocks(Blocks::even(
                values.div_ceil(1 << log_tile).max(1),
                items,
                operations.of_one_kind(machine),
                each,
                each,
            ))
            .operation(operations.kind())
            .word_bytes(bytes as u32)
            .local_words(local_words)
            // Factors between rounds, and those of registers, come from the cache beside local memory.
            .local_accesses(each * (2 * exchanges + factor_words * (rounds - 1 + u64::from(twists))))
            .traffic_words(values.saturating_mul(2).saturating_add(twisted))
            .footprint_bytes(values.saturating_mul(bytes));
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
    /// The plan of a choice where other kernels do the first and the last pass of long transforms
    /// ([`Middle`](crate::Middle)): the best one in which every part has a tile of its own, or the best of all where
    /// that takes one pass; `None` where every plan has parts that share a tile.
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

    /// What is wrong with the passes for `arrays`, if anything.
    pub(crate) fn fault(&self, arrays: &Arrays) -> Option<String> {
        Pass::fault(&self.passes, arrays)
    }
}

impl Pass {
    /// What is wrong with passes for `arrays`, if they do not transform every index bit once from the highest down.
    pub(crate) fn fault(passes: &[Self], arrays: &Arrays) -> Option<String> {
        let mut high = arrays.log_len;
        for pass in passes {
            // Sums of so small logarithms do not overflow.
            let logarithms = match *pass {
                Self::Tile { stages, log_tile, log_regs } => [stages, log_tile, log_regs, 0],
                Self::Columns { log_stride, log_rows, log_segment, log_regs } => {
                    [log_stride, log_rows, log_segment, log_regs]
                }
            };
            if logarithms.into_iter().any(|logarithm| logarithm >= usize::BITS) {
                return Some(format!("{pass:?} is past all memory"));
            }
            let (log_tile, log_regs) = pass.shape();
            let stages = pass.stages();
            let shaped = (1..=6).contains(&log_regs) && log_regs <= log_tile && log_tile <= 20 && stages > 0;
            let fits = match *pass {
                Self::Tile { stages, log_tile, .. } => {
                    stages == log_tile || (stages < log_tile && (log_regs <= stages || !pass.twists(arrays)))
                }
                Self::Columns { log_stride, log_segment, log_rows, log_regs } => {
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

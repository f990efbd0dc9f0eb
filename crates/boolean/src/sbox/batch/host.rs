//! Batches on the host's threads: each takes whole S-boxes, or parts of large ones.

use std::ops::Range;

use manycore_device::{HostPool, Team};

use super::differences::{Counter, Counters, most_pairs};
use super::figure::{Figure, Stored};
use super::linear::{COLUMNS, Lane, halves};
use crate::sbox::SBox;
use crate::sbox::cost::Bits;
use crate::threads::{TASK, mapped, part_len};
use manycore_device::simd::{Job, run};

/// The most input bits for which lanes and counters have 8 bits.
const BYTE_BITS: u32 = 8;

/// Rows of differences that are counted together.
const ROWS: usize = 32;

/// One figure of S-boxes of the same bits.
#[derive(Clone, Copy)]
struct Batch<'a, T> {
    bits: Bits,
    sboxes: &'a [&'a [T]],
    figure: Figure,
}

impl<T> Batch<'_, T> {
    /// The parts that an S-box is cut into: components or rows that are done together.
    fn parts(&self) -> usize {
        match self.figure {
            Figure::Linearity => (1usize << self.bits.output).div_ceil(COLUMNS),
            Figure::Uniformity => (1usize << self.bits.input).div_ceil(ROWS),
        }
    }

    /// Short operations of a part, about.
    fn part_cost(&self) -> usize {
        match self.figure {
            Figure::Linearity => (self.bits.input as usize) << self.bits.input,
            Figure::Uniformity => ROWS << (self.bits.input - 1),
        }
    }
}

/// The parts in `parts`, counted over all S-boxes: the largest half of each S-box that has any, in order.
struct Run<'a, T> {
    batch: Batch<'a, T>,
    parts: Range<usize>,
}

/// Loops stand in functions that are inlined, not in closures, which all instruction sets would share.
impl<'a, T: Stored> Run<'a, T> {
    /// The first S-box, and a slot for each that has parts here.
    #[inline(always)]
    fn slots(&self) -> (usize, Vec<u16>) {
        let each = self.batch.parts();
        let first = self.parts.start / each;
        (first, vec![0; self.parts.end.div_ceil(each) - first])
    }

    /// The S-box of a part, its outputs, and which of its parts it is.
    #[inline(always)]
    fn part(&self, i: usize) -> (usize, &'a [T], usize) {
        let each = self.batch.parts();
        (i / each, self.batch.sboxes[i / each], i % each)
    }

    #[inline(always)]
    fn linear<L: Lane>(self) -> Vec<u16> {
        let bits = self.batch.bits;
        let mut rows = vec![[L::default(); COLUMNS]; 1 << bits.input];
        let (first, mut found) = self.slots();
        for i in self.parts.clone() {
            let (sbox, values, part) = self.part(i);
            let halves = halves(values, (part * COLUMNS) as u16, &mut rows);
            // Mask 0 is no component.
            let masks = &halves[usize::from(part == 0)..COLUMNS.min(1 << bits.output)];
            let most = masks.iter().copied().max().unwrap_or(0);
            found[sbox - first] = found[sbox - first].max(most);
        }
        found
    }

    #[inline(always)]
    fn uniform<C: Counter>(self) -> Vec<u16> {
        let bits = self.batch.bits;
        let Ok(mut counters) = Counters::<C>::try_from(vec![C::default(); 1 << 16].into_boxed_slice()) else {
            return Vec::new();
        };
        let (first, mut found) = self.slots();
        for i in self.parts.clone() {
            let (sbox, values, part) = self.part(i);
            let rows = (part * ROWS).max(1)..(1 << bits.input).min((part + 1) * ROWS);
            let most = most_pairs(values, rows, bits.output, &mut counters);
            found[sbox - first] = found[sbox - first].max(most);
        }
        found
    }
}

impl<T: Stored> Job for Run<'_, T> {
    type Output = Vec<u16>;

    #[inline(always)]
    fn run(self) -> Vec<u16> {
        match (self.batch.figure, self.batch.bits.input <= BYTE_BITS) {
            (Figure::Linearity, true) => self.linear::<i8>(),
            (Figure::Linearity, false) => self.linear::<i16>(),
            (Figure::Uniformity, true) => self.uniform::<u8>(),
            (Figure::Uniformity, false) => self.uniform::<u16>(),
        }
    }
}

/// The figure of each of some S-boxes of the same bits.
pub(super) fn figures<T: Stored>(pool: &HostPool, bits: Bits, sboxes: &[&[T]], figure: Figure) -> Vec<u32> {
    let batch = Batch { bits, sboxes, figure };
    let all = batch.parts() * sboxes.len();
    let operations = (all as u64).saturating_mul(batch.part_cost() as u64);
    let name = match figure {
        Figure::Linearity => "boolean_linearities",
        Figure::Uniformity => "boolean_uniformities",
    };
    pool.step(name, (sboxes.len() << bits.input) as u64, operations, || of_team(pool.team(), batch, all))
}

fn of_team<T: Stored>(team: Team<'_>, batch: Batch<'_, T>, all: usize) -> Vec<u32> {
    let mut found = vec![0u32; batch.sboxes.len()];
    if all == 0 {
        return found;
    }
    // Lanes do many additions in the time of one look-up.
    let least = (64 * TASK).div_ceil(batch.part_cost());
    let len = part_len(team, all, least);
    let runs = (0..all).step_by(len);
    let firsts = runs.clone().map(|start| start / batch.parts());
    let work = |start: usize| run(Run { batch, parts: start..all.min(start + len) });
    for (first, part) in firsts.zip(mapped(team, runs, work)) {
        for (value, half) in found[first..].iter_mut().zip(part) {
            *value = (*value).max(2 * u32::from(half));
        }
    }
    found
}

/// Components of one S-box with the masks of one run of [`COLUMNS`].
struct Components<'a> {
    sbox: &'a SBox,
    first: usize,
}

impl Components<'_> {
    #[inline(always)]
    fn of<L: Lane>(self) -> [u16; COLUMNS] {
        halves(self.sbox.values(), self.first as u16, &mut vec![[L::default(); COLUMNS]; self.sbox.inputs()])
    }
}

impl Job for Components<'_> {
    type Output = [u16; COLUMNS];

    #[inline(always)]
    fn run(self) -> [u16; COLUMNS] {
        if self.sbox.input_bits() <= BYTE_BITS { self.of::<i8>() } else { self.of::<i16>() }
    }
}

/// The linearity of each component, from mask 0 on.
pub(super) fn components(team: Team<'_>, sbox: &SBox) -> Vec<u32> {
    let firsts = (0..sbox.outputs()).step_by(COLUMNS);
    let parts = mapped(team, firsts, |first| run(Components { sbox, first }));
    parts.flatten().take(sbox.outputs()).map(|half| 2 * u32::from(half)).collect()
}

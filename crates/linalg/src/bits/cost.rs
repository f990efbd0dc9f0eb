//! Counts of products of matrices of bits, and the candidates: operations and memory by the sources of the kernels.

use manycore_device::Executor;
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_ntt::cost::Operations;
use manycore_tuning::Costed;

use super::algebra::BitAlgebra;
use super::device;
use super::matrix::BITS;
use super::plan::{BitProductPlan, BitShape, BitTables, LANES};

impl BitShape {
    /// A kernel on words of 64 bits in the memory of all matrices.
    fn kernel(self, name: &str, items: u64) -> Kernel {
        let (rows, rounds, words) = self.counts();
        let of = |a: u64, b: u64| a.saturating_mul(b);
        let all = of(rows, rounds).saturating_add(of(self.inner.max(1) as u64, words)).saturating_add(of(rows, words));
        Kernel::new(name, items as u32).word_bytes(8).footprint_bytes(all.saturating_mul(8))
    }
}

/// A word of global memory: its place by a product and two sums of 64 bits, two comparisons.
const PLACE: Operations = Operations { int32: 2 + 2 * 2, int64: 1, ..Operations::NONE };
/// A bit's mask, by a shift, an and and a negation, and a word that it selects and adds.
const MASKED: Operations = Operations::int32(3 + 2 * 2);
/// Bits of a word by a shift and an and, the place of their line by a shift and a sum, two words added.
const CHOSEN: Operations = Operations::int32(4 + 2 * 2);

/// Products of matrices of bits on a device.
#[derive(Debug)]
pub(super) struct BitProducts<'a> {
    pub(super) space: &'a BitAlgebra,
}

impl BitProducts<'_> {
    /// A launch of masks by tiles of `side` rows and words.
    fn masks(shape: BitShape, side: usize, machine: &Machine) -> Kernel {
        let (rows, rounds, words) = shape.counts();
        let side = side as u64;
        let groups = rows.div_ceil(side).saturating_mul(words.div_ceil(side));
        // Words of b that an item brings to local memory in a round, and its own of a.
        let (bits, brought) = (BITS as u64, (BITS as u64).div_ceil(side));
        let round = MASKED.times(bits).plus(PLACE.times(brought + 1));
        let traffic = rounds.saturating_mul(bits * side + side).saturating_add(2 * side * side).saturating_mul(groups);
        shape
            .kernel("bits_product", side * side)
            .blocks(Blocks::even(
                groups,
                (side * side) as u32,
                round.times(rounds).of_one_kind(machine),
                rounds.saturating_mul(brought + 1).saturating_add(1),
                1,
            ))
            .operation(round.kind())
            .local_words(bits * side)
            .local_accesses(rounds.saturating_mul(bits + brought))
            .traffic_words(traffic)
    }

    /// A launch of tables, with groups of `lines` rows at a time.
    fn tables(shape: BitShape, tables: BitTables, lines: usize, machine: &Machine) -> Kernel {
        let (rows, rounds, words) = shape.counts();
        let (lines, lanes, own) = (lines as u64, LANES as u64, u64::from(tables.rows));
        let (count, size) = (tables.count() as u64, 1u64 << tables.bits);
        let groups = rows.div_ceil(lines * own).saturating_mul(words.div_ceil(2 * lanes));
        // Sixteen lines of a table are a task: two words of each row are read, and a line is a sum that is written.
        let tasks = (count * size / 16).div_ceil(lines);
        let task = PLACE.times(2 * u64::from(tables.bits)).plus(Operations::int32(16 * 4));
        let round = task.times(tasks).plus(PLACE.times(own)).plus(CHOSEN.times(own * count));
        let read = own + tasks * 2 * u64::from(tables.bits);
        // Items of a row read one word of a, and all tasks of a table the same rows of b: those count once.
        let traffic = rounds.saturating_mul(lines * own + 2 * lanes * BITS as u64);
        let traffic = traffic.saturating_add(2 * 2 * lanes * lines * own).saturating_mul(groups);
        shape
            .kernel("bits_product_tables", lines * lanes)
            .blocks(Blocks::even(
                groups,
                (lines * lanes) as u32,
                round.times(rounds).of_one_kind(machine),
                rounds.saturating_mul(read).saturating_add(2 * own),
                2 * own,
            ))
            .operation(round.kind())
            .local_words(tables.local_words() as u64)
            .local_accesses(rounds.saturating_mul(2 * (own * count + 16 * tasks)))
            .traffic_words(traffic)
    }
}

impl Costed for BitProducts<'_> {
    type Size = BitShape;
    type Parameters = BitProductPlan;

    fn name(&self) -> &'static str {
        "bits-mul"
    }

    fn candidates(&self, _: &BitShape, _: &Machine) -> Vec<BitProductPlan> {
        let Executor::OpenCl(cl) = self.space.device().executor() else { return vec![BitProductPlan::Strips] };
        let tables = BitTables::candidates(cl).unwrap_or_default();
        tables.into_iter().map(BitProductPlan::Tables).chain([BitProductPlan::Masks]).collect()
    }

    fn program(&self, shape: &BitShape, plan: &BitProductPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let kernel = match (self.space.device().executor(), *plan) {
            (Executor::OpenCl(cl), BitProductPlan::Tables(tables)) => {
                Self::tables(*shape, tables, BitTables::lines(cl), machine)
            }
            (Executor::OpenCl(cl), _) => {
                let no_fit = |error: manycore_device::DeviceError| DoesNotFit::Parameter { reason: error.to_string() };
                Self::masks(*shape, device::side(cl).map_err(no_fit)?, machine)
            }
            // The only candidate: its time is that of copying the result.
            (Executor::Host(_), _) => {
                let (rows, _, words) = shape.counts();
                let written = rows.saturating_mul(words);
                shape.kernel("bits_product", 1).blocks(Blocks::even(1, 1, 0, written, written)).fused()
            }
        };
        program.queue(kernel)?;
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_take_less_than_masks_for_many_rows_and_not_for_few() {
        let machine = Machine::known("NVIDIA H200").unwrap();
        let seconds = |kernel: Kernel| {
            let mut program = Program::new();
            program.queue(kernel).unwrap();
            machine.estimate(&program).unwrap().seconds
        };
        let masks = |shape| seconds(BitProducts::masks(shape, 16, &machine));
        let tables = |shape, bits, rows| seconds(BitProducts::tables(shape, BitTables { bits, rows }, 32, &machine));
        let large = BitShape { rows: 16384, inner: 16384, words: 256 };
        assert!(3.0 * tables(large, 6, 16) < masks(large));
        assert!(tables(large, 6, 16) < tables(large, 4, 4));
        // Few groups leave processors idle.
        let small = BitShape { rows: 512, inner: 512, words: 8 };
        assert!(masks(small) < tables(small, 6, 16));
    }
}

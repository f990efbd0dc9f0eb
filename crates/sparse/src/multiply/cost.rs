//! Counts of products: operations, words moved, launches; and the candidates.
//!
//! A group of items keeps its processor's room until its longest row is done: rows count as those of their group's longest
//! row, and the longest row of all is counted again, as one group that runs after all others. Merging has neither of these costs, but a
//! search for each item, sums over the items of a group, and a second launch.
//!
//! On GPUs, adjacent items read together, in whole transactions of the nearest cache. Each row's run of one value for each of its items
//! takes its own transactions: one for each value where a row has one item. They count as local memory accesses, since what is left of a
//! transaction is there at the next step. Other devices run items one after the other, each along its row. What is read of `x` depends on
//! the places of the non-zeros and not on the candidate: it is counted once.

use manycore_field::Arithmetic;
use manycore_model::{Blocks, DoesNotFit, ExecutionModel, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use super::algorithm::{MOST_LANES, ProductAlgorithm, ProductPlan};
use super::device::INDEX_BYTES;
use crate::ring::SparseRing;

/// Items of a group.
const GROUPS: [u32; 3] = [256, 128, 64];
/// Bytes of a line of the caches of GPUs, which are read at once.
const LINE_BYTES: u64 = 128;
/// Steps of an item that merges.
const ITEMS: [u32; 3] = [8, 4, 16];
/// Rows and non-zeros of a run on the host; of equal estimates the first counts.
const STEPS: [u32; 5] = [1 << 13, 1 << 12, 1 << 14, 1 << 11, 1 << 15];

/// What a product and its sum take: operations and their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Term {
    operations: u64,
    kind: Operation,
}

/// Products of one matrix over a ring.
#[derive(Debug)]
pub(super) struct Products<'a> {
    /// Where each row begins among the non-zeros, and their number.
    offsets: &'a [usize],
    columns: usize,
    value_bytes: u64,
    term: Term,
    on_host: bool,
    /// The one that was asked for.
    algorithm: Option<ProductAlgorithm>,
}

impl<'a> Products<'a> {
    /// Products over `ring` of the matrix with these rows.
    pub(super) fn new<R: SparseRing>(
        ring: &R,
        offsets: &'a [usize],
        columns: usize,
        on_host: bool,
        algorithm: Option<ProductAlgorithm>,
    ) -> Self {
        let value_bytes = size_of::<R::Value>() as u64;
        let of = |operations, kind| Term { operations, kind };
        let term = match ring.arithmetic() {
            // The product of two words, and the folding of the sum (kernels/poly/accumulate.clh).
            Some(Arithmetic::Word32) => of(4, Operation::Int32),
            // Both words of the product, two sums, a carry, a folding.
            Some(Arithmetic::Word64 { .. }) => of(8, Operation::Int64),
            // Another carry.
            Some(Arithmetic::Goldilocks) => of(9, Operation::Int64),
            // The product is reduced by its quotient.
            Some(Arithmetic::Floating) => of(10, Operation::F64),
            // Complex numbers take four products.
            None => {
                let words = R::value_words() as u64;
                let kind = if value_bytes / words == 8 { Operation::F64 } else { Operation::F32 };
                of(words * words, kind)
            }
        };
        Self { offsets, columns, value_bytes, term, on_host, algorithm }
    }

    fn rows(&self) -> u64 {
        self.offsets.len() as u64 - 1
    }

    fn non_zeros(&self) -> u64 {
        (self.offsets[self.offsets.len() - 1] - self.offsets[0]) as u64
    }

    /// The base-2 logarithms that choices are kept by: of rows, of the average and of the longest row.
    pub(super) fn shape(&self) -> [u32; 3] {
        let log = |count: u64| count.max(1).ilog2();
        let longest = self.lengths().max().unwrap_or(0) as u64;
        [log(self.rows()), log(self.non_zeros() / self.rows().max(1)), log(longest)]
    }

    fn lengths(&self) -> impl Iterator<Item = usize> {
        self.offsets.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// Steps of items that share rows, `lanes` a row, in groups of `rows` rows: of all groups, each as its longest row's items
    /// have, and of the longest row.
    fn steps(&self, rows: usize, lanes: u32) -> (u64, u64) {
        let steps = |group: &[usize]| {
            let longest = group.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
            (longest as u64).div_ceil(u64::from(lanes))
        };
        let len = self.offsets.len() - 1;
        let of_group = |first: usize| steps(&self.offsets[first..=(first + rows).min(len)]);
        (0..len).step_by(rows).map(of_group).fold((0, 0), |(sum, most), steps| (sum + steps, most.max(steps)))
    }

    /// Words of values that the matrix, `x` and `y` have, each once; indices count as parts of words.
    fn words(&self, width: u64) -> u64 {
        let indices = (self.non_zeros() + self.rows()) * INDEX_BYTES;
        self.non_zeros() + (self.rows() + self.columns as u64) * width + indices.div_ceil(self.value_bytes)
    }

    fn kernel(&self, name: &str, threads: u32) -> Kernel {
        Kernel::new(name, threads).word_bytes(self.value_bytes as u32).operation(self.term.kind)
    }

    /// Words that the nearest cache of a GPU moves for a value and its index that are read in runs of `run` bytes of values:
    /// whole transactions, which are as long as the shortest run whose rate the machine has. Other devices read along rows.
    fn transaction_words(&self, run: u64, machine: &Machine) -> u64 {
        let Some(transaction) = machine.segments.first().map(|segment| segment.bytes) else { return 0 };
        if machine.execution_model != ExecutionModel::Gpu {
            return 0;
        }
        // Bytes moved for `bytes` bytes read, of values and of indices, in runs of `run` bytes.
        let moved = |run: u64, bytes: u64| bytes.max(transaction.saturating_mul(bytes) / run.clamp(1, transaction));
        let indices = moved(run.saturating_mul(INDEX_BYTES) / self.value_bytes, INDEX_BYTES);
        (moved(run, self.value_bytes) + indices).div_ceil(self.value_bytes)
    }

    fn runs(&self, steps: u32, width: u64) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let all = (self.rows() + self.non_zeros()) * width;
        let runs = all.div_ceil(u64::from(steps)).max(1);
        let each = (self.non_zeros() * width * self.term.operations).div_ceil(runs);
        let words = self.words(width);
        let kernel = self
            .kernel("sparse_multiply", 1)
            .blocks(Blocks::even(runs, 1, each, words.div_ceil(runs), (self.rows() * width).div_ceil(runs)))
            .traffic_words(words)
            .footprint_bytes(words * self.value_bytes);
        program.queue(kernel)?;
        Ok(program)
    }

    fn by_rows(&self, lanes: u32, group: u32, width: u64, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let is_gpu = machine.execution_model == ExecutionModel::Gpu;
        let (lanes_words, group_words) = (u64::from(lanes), u64::from(group));
        // Values of y that a group makes, and the rows that they are of.
        let values = group_words / lanes_words;
        let rows = values.div_ceil(width).max(1);
        let groups = (self.rows() * width).div_ceil(values).max(1);
        let (steps, longest) = self.steps(rows as usize, lanes);
        // Each group of rows has as many steps as its longest row; groups are more where a row has several.
        let steps = if is_gpu {
            steps * (width * rows).div_ceil(values).max(1)
        } else {
            (self.non_zeros() * width).div_ceil(group_words)
        };
        let sums = u64::from(lanes.ilog2());
        let span = |steps: u64| (steps + sums) * self.term.operations;
        let words = self.words(width);
        // Items of a row that has fewer non-zeros read on in the next row.
        let side_by_side = lanes_words * width.min(values);
        let is_short = self.non_zeros() <= side_by_side * self.rows();
        let run = if is_short { u64::MAX } else { side_by_side.saturating_mul(self.value_bytes) };
        let local = if lanes > 1 { group_words } else { 0 };
        let kernel = |name: &str, groups: u64, steps: u64, words: u64| {
            let all = groups * group_words;
            self.kernel(name, group)
                .blocks(Blocks::even(groups, group, span(steps), words.div_ceil(all), 1))
                .traffic_words(words)
                .footprint_bytes(self.words(width) * self.value_bytes)
                .local_words(local)
                .local_accesses(3 * sums + steps * self.transaction_words(run, machine))
        };
        program.queue(kernel("sparse_multiply_rows", groups, steps.div_ceil(groups), words))?;
        // The longest row, after all others: its items alone read.
        let left = longest.saturating_sub(steps.div_ceil(groups));
        if left > 0 {
            program.queue(kernel("longest row", 1, left, left * lanes_words).fused())?;
        }
        Ok(program)
    }

    fn merging(&self, items: u32, group: u32, width: u64, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let tile = u64::from(items) * u64::from(group);
        let parts = (self.rows() + self.non_zeros()).div_ceil(tile).max(1);
        let groups = parts * width;
        // The search halves the rows of a group; each step takes a comparison beside its product or its end of a row.
        let search = u64::from(tile.max(2).ilog2());
        let span = u64::from(items) * (self.term.operations + 1) + 2 * search;
        // Rows that several items of a group have: at most all sums of the items before.
        let sums = u64::from(group.ilog2());
        let words = self.words(width) + parts * width;
        // An item reads on along its own part of the path.
        let transactions = u64::from(items) * self.transaction_words(self.value_bytes, machine);
        let all = groups * u64::from(group);
        let kernel = self
            .kernel("sparse_multiply_merge", group)
            .blocks(Blocks::even(groups, group, span, words.div_ceil(all), 1))
            .traffic_words(words)
            .footprint_bytes(words * self.value_bytes)
            .local_words(u64::from(group) + (u64::from(group) * INDEX_BYTES).div_ceil(self.value_bytes))
            .local_accesses(2 + 2 * sums + search + transactions);
        program.queue(kernel)?;
        let carries = groups.div_ceil(u64::from(group));
        let kernel = self
            .kernel("sparse_merge_carries", group)
            .blocks(Blocks::even(carries, group, self.term.operations, 3, 1))
            .traffic_words(3 * groups)
            .footprint_bytes(3 * groups * self.value_bytes);
        program.queue(kernel)?;
        Ok(program)
    }

    /// Items of a group, a power of two: as many as a group may have with `local_bytes` bytes of local memory each.
    fn groups(machine: &Machine, local_bytes: u64) -> impl Iterator<Item = u32> {
        let held = machine.local_bytes.checked_div(local_bytes).unwrap_or(u64::MAX);
        let most = u64::from(machine.block_threads).min(held).max(1);
        let most = 1 << most.min(1 << 31).ilog2();
        let mut last = None;
        GROUPS.into_iter().map(move |group| group.min(most)).filter(move |&group| last.replace(group) != Some(group))
    }
}

impl Costed for Products<'_> {
    /// The columns of `x`.
    type Size = usize;
    type Parameters = ProductPlan;

    fn name(&self) -> &'static str {
        "sparse_multiply"
    }

    /// By rows before merging. Of rows that lie within a line of a cache one item first, which adds as the host does, to the same
    /// bits; else as many items as an average row has non-zeros, since those read neighbours and few are idle. Columns of `x` are
    /// neighbours too.
    fn candidates(&self, &width: &usize, machine: &Machine) -> Vec<ProductPlan> {
        if self.on_host {
            return STEPS.map(|steps| ProductPlan::Runs { steps }).to_vec();
        }
        let mut found: Vec<ProductPlan> = Vec::new();
        let average = self.non_zeros() / self.rows().max(1);
        let within_line = average * self.value_bytes <= LINE_BYTES;
        let items = if within_line { 1 } else { average / width.max(1) as u64 };
        let usual = items.clamp(1, u64::from(MOST_LANES)).ilog2();
        let mut logs: Vec<u32> = (0..=MOST_LANES.ilog2()).collect();
        logs.sort_by_key(|log| log.abs_diff(usual));
        for log in logs {
            for group in Self::groups(machine, self.value_bytes) {
                found.push(ProductPlan::Rows { lanes: (1 << log).min(group), group });
            }
        }
        for group in Self::groups(machine, self.value_bytes + INDEX_BYTES) {
            found.extend(ITEMS.map(|items| ProductPlan::Merge { items, group }));
        }
        let is_wanted = |plan: &ProductPlan| self.algorithm.is_none_or(|algorithm| plan.is_of(algorithm));
        let mut seen = Vec::new();
        found.retain(|plan| {
            is_wanted(plan) && !seen.contains(plan) && {
                seen.push(*plan);
                true
            }
        });
        found
    }

    fn program(&self, &width: &usize, plan: &ProductPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let width = width.max(1) as u64;
        match *plan {
            ProductPlan::Runs { steps } => self.runs(steps, width),
            ProductPlan::Rows { lanes, group } => self.by_rows(lanes, group, width, machine),
            ProductPlan::Merge { items, group } => self.merging(items, group, width, machine),
        }
    }

    /// Residues are exact; sums of numbers depend on the items that share them, and not on the host's runs or the size of groups
    /// by rows.
    fn gives_same_bits(&self, _: &usize, one: &ProductPlan, other: &ProductPlan) -> bool {
        let is_exact = matches!(self.term.kind, Operation::Int32 | Operation::Int64) || self.term.operations == 10;
        match (one, other) {
            _ if is_exact => true,
            (ProductPlan::Runs { .. }, ProductPlan::Runs { .. }) => true,
            (ProductPlan::Rows { lanes: one, .. }, ProductPlan::Rows { lanes: other, .. }) => one == other,
            _ => one == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::{PrimeField, Reals};
    use manycore_model::machine::Class;
    use manycore_tuning::{Choice, choose};

    use super::*;

    fn class(processors: u32) -> Class {
        Class {
            name: "a device".into(),
            vendor: String::new(),
            processors,
            clock_hz: 0,
            local_bytes: 48 << 10,
            block_threads: 1024,
            fp64: true,
        }
    }

    fn offsets(lengths: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let ends = lengths.into_iter().scan(0, |sum, length| {
            *sum += length;
            Some(*sum)
        });
        std::iter::once(0).chain(ends).collect()
    }

    fn chosen(lengths: impl IntoIterator<Item = usize>, width: usize, machine: &Machine) -> Choice<ProductPlan> {
        let offsets = offsets(lengths);
        let products = Products::new(&Reals::<f64>::new(), &offsets, offsets.len(), false, None);
        choose(&products, &width, machine).unwrap()
    }

    fn lanes(choice: &Choice<ProductPlan>) -> Option<u32> {
        match choice.best().parameters {
            ProductPlan::Rows { lanes, .. } => Some(lanes),
            _ => None,
        }
    }

    #[test]
    fn gpus_take_items_by_the_length_of_rows_and_merge_uneven_ones() {
        let machine = class(132).gpu();
        let short = chosen(vec![2; 1 << 20], 1, &machine);
        assert!(lanes(&short).is_some_and(|lanes| lanes <= 8), "{short}");
        let long = chosen(vec![400; 1 << 15], 1, &machine);
        assert!(lanes(&long).is_some_and(|lanes| lanes >= 8), "{long}");
        let uneven = (0..1 << 20).map(|row| if row == 7 { 1 << 22 } else { 3 });
        let uneven = chosen(uneven, 1, &machine);
        assert_eq!(lanes(&uneven), None, "{uneven}");
        // Nothing, and next to it.
        for lengths in [vec![], vec![0], vec![0; 5], vec![1]] {
            assert!(chosen(lengths, 1, &machine).best().estimate.seconds > 0.0);
        }
    }

    #[test]
    fn groups_fit_the_device() {
        let machine = Machine { block_threads: 16, local_bytes: 64, ..class(4).gpu() };
        let choice = chosen(vec![40; 1000], 3, &machine);
        for candidate in choice.candidates() {
            match candidate.parameters {
                ProductPlan::Rows { lanes, group } => assert!(group == 8 && lanes <= 8),
                ProductPlan::Merge { group, .. } => assert_eq!(group, 4),
                ProductPlan::Runs { .. } => panic!("a device has no runs"),
            }
        }
        let offsets = offsets(vec![40; 1000]);
        let asked = |algorithm| {
            let products = Products::new(&Reals::<f32>::new(), &offsets, 50, false, Some(algorithm));
            choose(&products, &1, &class(4).gpu()).unwrap()
        };
        assert_eq!(lanes(&asked(ProductAlgorithm::Rows { lanes: 32 })), Some(32));
        assert_eq!(lanes(&asked(ProductAlgorithm::Merge)), None);
    }

    #[test]
    fn counts_are_those_of_the_matrix() {
        let offsets = offsets([3, 0, 10, 1]);
        let field = PrimeField::<u32>::new(7).unwrap();
        let products = Products::new(&field, &offsets, 12, false, None);
        assert_eq!(products.steps(2, 1), (3 + 10, 10));
        assert_eq!(products.steps(3, 4), (3 + 1, 3));
        assert_eq!(products.shape(), [2, 1, 3]);
        // Values and columns of 14 non-zeros, four rows and their offsets, twelve values of x.
        assert_eq!(products.words(1), 14 + 14 + 4 + 4 + 12);
        assert_eq!(products.words(2), 14 + 14 + 4 + 2 * (4 + 12));
        let machine = class(132).gpu();
        let rows = products.program(&1, &ProductPlan::Rows { lanes: 1, group: 64 }, &machine).unwrap();
        // One group, in which all items wait for the ten steps of the longest row.
        assert_eq!(rows.kernels().len(), 1);
        assert_eq!(rows.kernels()[0].work(), Some(64 * 10 * 4));
        let merge = products.program(&3, &ProductPlan::Merge { items: 4, group: 64 }, &machine).unwrap();
        assert_eq!(merge.kernels().iter().map(Kernel::block_count).collect::<Vec<_>>(), [3, 1]);
        assert!(products.gives_same_bits(
            &1,
            &ProductPlan::Rows { lanes: 1, group: 64 },
            &ProductPlan::Merge { items: 4, group: 64 }
        ));
    }

    #[test]
    fn hosts_take_runs() {
        let offsets = offsets(vec![5; 100_000]);
        let products = Products::new(&Reals::<f64>::new(), &offsets, 100_000, true, Some(ProductAlgorithm::Merge));
        let choice = choose(&products, &1, &class(2).host()).unwrap();
        assert!(choice.candidates().iter().all(|c| matches!(c.parameters, ProductPlan::Runs { .. })));
    }
}

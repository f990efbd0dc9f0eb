//! What a transform costs, and which plans are considered.
//!
//! A pass reads and writes every value once. It does an addition or a product for each entry of its matrices that is not 0,
//! and a group's values go through local memory between rounds. On the host a pass is bound by a core's arithmetic, or by
//! memory where there are few factors.

use manycore_device::{Word as _, WordType};
use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};

use super::device::{Geometry, MOST_PARTS};
use super::plan::{Digit, Limits, Pass, Plan, digits};
use crate::factor::Factor;
use crate::product::KroneckerProduct;
use crate::values::{Computation, Values};

/// What a factor costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FactorCost {
    /// Its order.
    pub order: usize,
    /// Entries that are 1 or -1.
    pub signs: usize,
    /// Entries that are none of 0, 1 and -1.
    pub products: usize,
}

/// A transform of vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The digits of an index.
    pub digits: Vec<Digit>,
    /// What each factor costs.
    pub factors: Vec<FactorCost>,
    /// Values of all vectors.
    pub values: u64,
    /// What buffers hold.
    pub word: WordType,
    /// Words of a value.
    pub words: usize,
    /// How values are computed with.
    pub computation: Computation,
}

impl Shape {
    /// The shape of `batch` vectors of a product's order.
    pub fn of<V: Values>(product: &KroneckerProduct<V>, batch: usize) -> Self {
        let values = product.values();
        let mut kinds: Vec<&Factor<V>> = Vec::new();
        let mut matrix = |factor| {
            let known = kinds.iter().position(|&known| known == factor);
            known.unwrap_or_else(|| {
                kinds.push(factor);
                kinds.len() - 1
            })
        };
        let listed = product.factors().iter().map(|f| (f.order(), (!f.is_identity()).then(|| matrix(f))));
        let digits = digits(listed);
        let cost = |factor: &Factor<V>| {
            let entries = factor.entries().unwrap_or_default();
            let signs: Vec<Option<i64>> = entries.iter().map(|&x| Factor::sign(values, x)).collect();
            let count = |wanted: fn(&Option<i64>) -> bool| signs.iter().filter(|&sign| wanted(sign)).count();
            let (products, zeros) = (count(Option::is_none), count(|sign| *sign == Some(0)));
            FactorCost { order: factor.order(), signs: entries.len() - products - zeros, products }
        };
        Self {
            digits,
            factors: product.factors().iter().map(cost).collect(),
            values: (product.order() as u64).saturating_mul(batch as u64),
            word: V::Word::TYPE,
            words: V::WORDS,
            computation: values.computation(),
        }
    }

    /// Bytes of a value.
    pub fn value_bytes(&self) -> usize {
        self.word.bytes() * self.words
    }

    /// Operations of a sum and of a product.
    fn operations(&self) -> (f64, f64) {
        match self.computation {
            Computation::Number => (1.0, 1.0),
            Computation::Complex => (2.0, 4.0),
            Computation::Residues(_) => (3.0, 7.0),
        }
    }

    /// Operations of a pass on one value.
    fn pass_operations(&self, pass: &Pass) -> f64 {
        let (sum, product) = self.operations();
        let of = |&i: &usize| {
            let factor = &self.factors[i];
            (factor.signs as f64 * sum + factor.products as f64 * product) / factor.order as f64
        };
        pass.factors.iter().map(of).sum()
    }
}

/// Kronecker transforms, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Transforms {
    /// Whether they run on the host.
    pub on_host: bool,
}

/// Bytes of a tile of the host's; the largest fits a core's own second cache.
const HOST_TILES: [usize; 4] = [16 << 10, 64 << 10, 128 << 10, 256 << 10];
/// Bytes of neighbouring columns of a tile of the host's.
const HOST_COLUMNS: [usize; 2] = [256, 1024];
/// Bytes of a tile of a device's.
const DEVICE_TILES: [usize; 5] = [4 << 10, 8 << 10, 16 << 10, 24 << 10, 32 << 10];
/// Bytes of neighbouring columns of a device's.
const DEVICE_COLUMNS: [usize; 3] = [32, 64, 128];
/// Values that a round holds, at most, unless a factor has more.
const REGISTERS: usize = 16;
/// Operations of a work-item for the place of a value in local memory.
const PLACE_OPERATIONS: f64 = 2.0;
/// What sums of items that are loops take, of the time of the multiply-adds that a machine's rate counts (PoCL on a Zen 4).
const LOOP_SPEEDUP: f64 = 0.4;
/// Operations of such an item for each value that it exchanges where columns lie beside each other (numbers, PoCL on a Zen 5:
/// two rounds of 128 rows take 3.4 times as long as one of 16).
const LOOP_COLUMN_OPERATIONS: f64 = 40.0;
/// The same for each value of a round of more values than vectors have registers for.
const LOOP_WIDE_OPERATIONS: f64 = 50.0;
/// The same of residues, of the time of products of integers (PoCL on a Zen 4 and a Sapphire Rapids).
const LOOP_SPEEDUP_RESIDUES: f64 = 0.25;
/// Operations of the host for each value of a round: copies to vector registers and back. These and the next were fitted to
/// measurements on a Zen 4.
const HOST_ROUND_OPERATIONS: f64 = 3.0;
/// The same where values are not neighbours in memory.
const HOST_GATHER_OPERATIONS: f64 = 12.0;
/// How much longer the host's sums and products take than the processor's rate says, which knows no loads: between what a Zen 4
/// and a Zen 5 take.
const HOST_SLOWDOWN: f64 = 2.4;
/// The same of numbers, which are done sooner than they are loaded (a Xeon with AVX-512; on a Zen 4 two thirds of it).
const HOST_NUMBER_SLOWDOWN: f64 = 3.2;
/// The same of complex ones, whose parts change lanes; a Zen 5 takes half as much again.
const HOST_COMPLEX_SLOWDOWN: f64 = 4.6;

impl Transforms {
    /// The most rounds, and the most different matrices, of a pass.
    pub(super) fn most_parts(self) -> usize {
        if self.on_host { usize::MAX } else { MOST_PARTS }
    }

    fn limits(self, shape: &Shape, machine: &Machine) -> Vec<Limits> {
        let bytes = shape.value_bytes();
        let mut all = Vec::new();
        let (tiles, columns): (&[usize], &[usize]) =
            if self.on_host { (&HOST_TILES, &HOST_COLUMNS) } else { (&DEVICE_TILES, &DEVICE_COLUMNS) };
        for &tile in tiles {
            if !self.on_host && tile as u64 * 33 / 32 > machine.local_bytes {
                continue;
            }
            let most = self.most_parts();
            all.extend(columns.iter().map(|columns| Limits {
                tile: tile / bytes,
                columns: (columns / bytes).max(1),
                registers: REGISTERS,
                rounds: most,
                matrices: most,
            }));
        }
        all
    }

    fn host_kernel(shape: &Shape, pass: &Pass) -> Kernel {
        let tiles = pass.tiles(shape.values as usize).max(1) as u64;
        let each = shape.values.div_ceil(tiles);
        let vectors = shape.value_bytes() as f64;
        // Counted in operations on 64-bit words; vectors of 32 bytes hold more and less of them.
        let per_value = vectors / 32.0 * 4.0;
        let rounds = pass
            .rounds
            .iter()
            .map(|round| if round.stride >= 16 { HOST_ROUND_OPERATIONS } else { HOST_GATHER_OPERATIONS });
        // Rows a multiple of 4 KiB apart fall into the same lines of the first cache, which has room for about eight.
        let crowded = pass.rows > 8 && (pass.inner * shape.value_bytes()).is_multiple_of(4096);
        let copies = match (pass.contiguous(), crowded) {
            (true, _) => 0.0,
            (false, false) => 4.0,
            (false, true) => 12.0,
        };
        let slowdown = match shape.computation {
            Computation::Complex => HOST_COMPLEX_SLOWDOWN,
            Computation::Number => HOST_NUMBER_SLOWDOWN,
            Computation::Residues(_) => HOST_SLOWDOWN,
        };
        let operations = slowdown * shape.pass_operations(pass) * per_value + rounds.sum::<f64>() + copies;
        let kernel = Kernel::new("kronecker", 1)
            .blocks(Blocks::even(tiles, 1, (each as f64 * operations / 2.0) as u64, each, each))
            .operation(Operation::Int64)
            .word_bytes(shape.value_bytes() as u32)
            .traffic_words(shape.values.saturating_mul(2))
            .footprint_bytes(shape.values.saturating_mul(shape.value_bytes() as u64));
        if tiles == 1 { kernel.fused() } else { kernel }
    }

    fn device_kernel(shape: &Shape, pass: &Pass, machine: &Machine) -> Kernel {
        let geometry = Geometry::new(pass, shape.value_bytes());
        let tiles = pass.tiles(shape.values as usize).max(1) as u64;
        let items = geometry.group as u64;
        let each = (pass.tile() as u64).div_ceil(items);
        let exchanges = geometry.exchanges() as u64;
        let registers = pass.rounds.iter().map(|round| round.registers).max().unwrap_or(1);
        let numbers_in_loops = machine.items_are_loops() && shape.computation == Computation::Number;
        let columns = if numbers_in_loops && !pass.contiguous() { LOOP_COLUMN_OPERATIONS } else { 0.0 };
        let wide = if numbers_in_loops && registers > REGISTERS { LOOP_WIDE_OPERATIONS } else { 0.0 };
        let places = PLACE_OPERATIONS * (1 + 2 * exchanges) as f64;
        let operations = shape.pass_operations(pass) + places + columns * exchanges as f64 + wide;
        let bytes = shape.value_bytes() as u32;
        let kernel = Kernel::new("kronecker", geometry.group as u32)
            .blocks(Blocks::even(tiles, geometry.group as u32, (each as f64 * operations) as u64, each, each))
            .operation(match shape.word {
                WordType::F32 => Operation::F32,
                // Vectors add integers as fast as floating-point numbers, and multiply by 1 and -1 by adding.
                WordType::I32 if machine.items_are_loops() => Operation::F32,
                WordType::F64 => Operation::F64,
                word if word.bytes() == 8 => Operation::Int64,
                _ => Operation::Int32,
            })
            .word_bytes(bytes)
            .local_words(geometry.local_values as u64)
            .local_accesses(2 * exchanges * each)
            .chains(registers as u32)
            .registers((2 * registers) as u32 * bytes / 4 + 24)
            .traffic_words(shape.values.saturating_mul(2))
            .footprint_bytes(shape.values.saturating_mul(u64::from(bytes)));
        let kernel = match (machine.items_are_loops(), &shape.computation) {
            (true, Computation::Residues(_)) => kernel.slowdown(LOOP_SPEEDUP_RESIDUES),
            (true, _) => kernel.slowdown(LOOP_SPEEDUP),
            (false, _) => kernel,
        };
        // Rounds of a GPU's group wait for the one before.
        let waiting = if machine.items_are_loops() { 0 } else { pass.rounds.len() as u32 };
        let kernel = kernel.cold_reads(waiting);
        if pass.contiguous() { kernel } else { kernel.segment_bytes((pass.columns * shape.value_bytes()) as u64) }
    }
}

impl Costed for Transforms {
    type Size = Shape;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "kronecker"
    }

    fn candidates(&self, shape: &Shape, machine: &Machine) -> Vec<Plan> {
        let mut plans: Vec<Plan> = Vec::new();
        for limits in self.limits(shape, machine) {
            let plan = Plan::new(&shape.digits, &limits);
            if !plans.contains(&plan) {
                plans.push(plan);
            }
        }
        plans
    }

    fn program(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for pass in plan.passes.iter().filter(|_| shape.values > 0) {
            let kernel =
                if self.on_host { Self::host_kernel(shape, pass) } else { Self::device_kernel(shape, pass, machine) };
            program.queue(kernel)?;
        }
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use manycore_field::Reals;
    use manycore_model::choose;
    use manycore_model::machine::Class;

    fn class() -> Class {
        Class {
            name: "a GPU".into(),
            vendor: String::new(),
            processors: 100,
            clock_hz: 0,
            local_bytes: 48 << 10,
            block_threads: 1024,
            fp64: true,
        }
    }

    fn chosen(text: &str, batch: usize, on_host: bool) -> (Plan, f64) {
        let machine = if on_host { class().host() } else { class().gpu() };
        let shape = Shape::of(&parse(&Reals::<f32>::new(), text).unwrap(), batch);
        let choice = choose(&Transforms { on_host }, &shape, &machine).unwrap();
        (choice.best().parameters.clone(), choice.best().prediction.seconds)
    }

    #[test]
    fn few_passes_over_large_data() {
        let passes = |text| chosen(text, 1, false).0.passes.len();
        assert_eq!(passes("walsh^12"), 1);
        assert!((2..=3).contains(&passes("walsh^24")), "{}", chosen("walsh^24", 1, false).0);
        assert!((2..=3).contains(&passes("h12 x walsh^20")));
        assert_eq!(passes("id^10 x walsh^3 x id^10"), 1);
        for on_host in [false, true] {
            assert_eq!(chosen("id^20", 1, on_host).0.passes.len(), 0);
            assert_eq!(chosen("", 5, on_host).0.passes.len(), 0);
            assert!(chosen("walsh^3", 0, on_host).1 <= 0.0);
        }
    }

    #[test]
    fn more_work_takes_longer() {
        for on_host in [false, true] {
            let seconds = |text, batch| chosen(text, batch, on_host).1;
            assert!(seconds("walsh^20", 1) < seconds("walsh^20", 8));
            assert!(seconds("walsh^2 x id^18", 1) <= seconds("walsh^20", 1));
        }
    }
}

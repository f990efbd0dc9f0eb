//! The candidates of a transform, tiles of several sizes and shapes, and what their passes move, compute and launch.
//!
//! A pass reads and writes every value once. Each row of a matrix with `t` entries that are not 0 takes `t - 1` sums,
//! and a product for each entry that is neither 1 nor -1. Between rounds the values of a group go through local memory,
//! those of a thread of the host through its nearest cache.

use manycore_device::{Word as _, WordType};
use manycore_field::Arithmetic;
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use super::geometry::{Geometry, MOST_PARTS};
use super::host::SERIAL_BYTES;
use super::plan::{Digit, Limits, Pass, Plan, digits};
use crate::factor::Factor;
use crate::product::KroneckerProduct;
use crate::values::{Computation, Values};

/// Operations of the product of a factor's matrix and a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FactorCost {
    /// The factor's order.
    pub order: usize,
    /// Sums and differences: in each row one less than the entries that are not 0.
    pub sums: usize,
    /// Products: the entries that are none of 0, 1 and -1.
    pub products: usize,
}

/// A transform of vectors.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The digits of an index.
    pub digits: Vec<Digit>,
    /// The operations of each factor.
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
            let terms = |row: &[Option<i64>]| row.iter().filter(|&&sign| sign != Some(0)).count();
            let sums = signs.chunks(factor.order()).map(|row| terms(row).saturating_sub(1)).sum();
            let products = signs.iter().filter(|sign| sign.is_none()).count();
            FactorCost { order: factor.order(), sums, products }
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

    /// The key of the choice: the ring's words, and the digits with their factors' operations.
    pub(super) fn key(&self) -> String {
        let digit = |digit: &Digit| match digit.factor.map(|factor| self.factors[factor]) {
            None => format!("id{}", digit.order),
            Some(FactorCost { order, sums, products }) => format!("{order}:{sums}+{products}#{}", digit.matrix),
        };
        let digits: Vec<String> = self.digits.iter().map(digit).collect();
        let ring = match self.computation {
            Computation::Number => "numbers".to_owned(),
            Computation::Complex => "complex".to_owned(),
            Computation::Residues(arithmetic) => format!("residues {arithmetic:?}"),
        };
        format!("kronecker, {} {ring}, {}", self.word.name(), digits.join(" "))
    }

    /// Operations of a sum and of a product of two values, in words of the ring.
    fn operations(&self) -> (u128, u128) {
        match self.computation {
            Computation::Number => (1, 1),
            // Four products of parts and two sums.
            Computation::Complex => (2, 6),
            // Sums: subtract and min to be canonical, add, compare and add the carry. Products: two of words, nine
            // operations to reduce them, two to be canonical (`goldilocks.clh`).
            Computation::Residues(Arithmetic::Goldilocks) => (5, 13),
            // Sums: add, subtract, min. Products by Shoup's constants: three of words, a difference, two operations to
            // be canonical (`word32.clh`, `word64.clh`, `Shoup::mul`).
            Computation::Residues(_) => (3, 6),
        }
    }

    /// Operations of a pass on all values, by the operations of a sum and of a product.
    fn pass_operations(&self, pass: &Pass, (sum, product): (u128, u128)) -> u128 {
        let of = |&i: &usize| {
            let FactorCost { order, sums, products } = self.factors[i];
            u128::from(self.values) / order as u128 * (sums as u128 * sum + products as u128 * product)
        };
        pass.factors.iter().map(of).sum()
    }
}

/// A part of a count, rounded up, at most `u64::MAX`.
fn part(count: u128, parts: u64) -> u64 {
    u64::try_from(count.div_ceil(parts.max(1).into())).unwrap_or(u64::MAX)
}

/// Kronecker transforms, for the planner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Transforms {
    /// Whether they run on the host.
    pub on_host: bool,
}

/// Bytes of a tile of the host, up to a core's own cache.
const HOST_TILES: [usize; 4] = [16 << 10, 64 << 10, 128 << 10, 256 << 10];
/// Bytes of neighbouring columns of a tile of the host.
const HOST_COLUMNS: [usize; 2] = [256, 1024];
/// Bytes of a tile of a device.
const DEVICE_TILES: [usize; 5] = [4 << 10, 8 << 10, 16 << 10, 24 << 10, 32 << 10];
/// Bytes of neighbouring columns of a tile of a device.
const DEVICE_COLUMNS: [usize; 3] = [32, 64, 128];
/// Values that a round holds, at most, unless a factor has more.
const REGISTERS: usize = 16;

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

    /// A pass of the host: a task for each tile, by the calling thread alone where there is little to do.
    fn host_kernel(shape: &Shape, pass: &Pass) -> Kernel {
        let bytes = shape.value_bytes() as u64;
        let tiles = pass.tiles(shape.values as usize).max(1) as u64;
        let alone = tiles == 1 || shape.values.saturating_mul(bytes) <= SERIAL_BYTES as u64;
        let tasks = if alone { 1 } else { tiles };
        let each = shape.values.div_ceil(tasks);
        // A round copies values from the tile to its table and back, and each factor reads and writes them there;
        // columns are copied to a tile and back besides.
        let accesses = 4 * pass.rounds.len() + 2 * pass.factors.len() + if pass.contiguous() { 0 } else { 2 };
        let operation = match (shape.computation, shape.word.bytes()) {
            (Computation::Residues(_), 8) => Operation::Int64,
            (Computation::Residues(_), _) => Operation::Int32,
            // Vectors add integers as fast as floating-point numbers of their size.
            (_, 8) => Operation::F64,
            _ => Operation::F32,
        };
        let operations = shape.pass_operations(pass, shape.operations());
        let kernel = Kernel::new("kronecker", 1)
            .blocks(Blocks::even(tasks, 1, part(operations, tasks), each, each))
            .operation(operation)
            .word_bytes(bytes as u32)
            .local_accesses(each.saturating_mul(accesses as u64));
        let kernel = Self::in_memory(kernel, shape, pass);
        if alone { kernel.fused() } else { kernel }
    }

    /// A pass of a device: a group for each tile.
    fn device_kernel(shape: &Shape, pass: &Pass) -> Kernel {
        let geometry = Geometry::new(pass, shape.value_bytes());
        let tiles = pass.tiles(shape.values as usize).max(1) as u64;
        let items = geometry.group as u64;
        let each = (pass.tile() as u64).div_ceil(items);
        let exchanges = geometry.exchanges() as u64;
        let (operation, operations) = match (shape.word, shape.computation) {
            (WordType::F32, _) => (Operation::F32, shape.operations()),
            (WordType::F64, _) => (Operation::F64, shape.operations()),
            // Of words of 32 bits: two additions, the upper one with a carry, or the four products that reach the low
            // 64 bits.
            (word, Computation::Number) if word.bytes() == 8 => (Operation::Int32, (2, 4)),
            (word, _) if word.bytes() == 8 => (Operation::Int64, shape.operations()),
            _ => (Operation::Int32, shape.operations()),
        };
        let operations = shape.pass_operations(pass, operations);
        let kernel = Kernel::new("kronecker", geometry.group as u32)
            .blocks(Blocks {
                count: tiles,
                span: part(operations, tiles.saturating_mul(items)),
                work: operations.div_ceil(tiles.into()),
                reads: each,
                writes: each,
            })
            .operation(operation)
            .word_bytes(shape.value_bytes() as u32)
            .local_words(geometry.local_values as u64)
            .local_accesses(2 * exchanges * each);
        Self::in_memory(kernel, shape, pass)
    }

    /// A pass reads and writes every value once, whole tiles or runs of columns.
    fn in_memory(kernel: Kernel, shape: &Shape, pass: &Pass) -> Kernel {
        let bytes = shape.value_bytes();
        let kernel = kernel
            .traffic_words(shape.values.saturating_mul(2))
            .footprint_bytes(shape.values.saturating_mul(bytes as u64));
        if pass.contiguous() { kernel } else { kernel.segment_bytes((pass.columns * bytes) as u64) }
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

    fn program(&self, shape: &Shape, plan: &Plan, _: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for pass in plan.passes.iter().filter(|_| shape.values > 0) {
            let kernel = if self.on_host { Self::host_kernel(shape, pass) } else { Self::device_kernel(shape, pass) };
            program.queue(kernel)?;
        }
        Ok(program)
    }

    /// Sums of floating-point numbers have the bits of the order of their additions.
    fn gives_same_bits(&self, shape: &Shape, one: &Plan, other: &Plan) -> bool {
        !shape.word.is_floating() || one.has_bits_of(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use crate::values::Complexes;
    use manycore_field::{Goldilocks, Integers, PrimeField, Reals};
    use manycore_model::machine::Class;
    use manycore_tuning::choose;

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
        (choice.best().parameters.clone(), choice.best().estimate.seconds)
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

    /// Operations of all passes of the best plan for one vector, on the host and on a device.
    fn work<V: Values>(values: &V, text: &str) -> [u128; 2] {
        let shape = Shape::of(&parse(values, text).unwrap(), 1);
        [(true, class().host()), (false, class().gpu())].map(|(on_host, machine)| {
            let operation = Transforms { on_host };
            let plan = &choose(&operation, &shape, &machine).unwrap().best().parameters.clone();
            let program = operation.program(&shape, plan, &machine).unwrap();
            program.kernels().iter().map(|kernel| kernel.work().unwrap()).sum()
        })
    }

    #[test]
    fn matrices_count_their_sums_and_products() {
        // Ten factors of one pass: a sum and a difference for each pair of values, or half as many.
        assert_eq!(work(&Reals::<f32>::new(), "walsh^10"), [10 << 10; 2]);
        assert_eq!(work(&Reals::<f32>::new(), "arith^10"), [5 << 10; 2]);
        // On a device a sum of 64 bits is two of 32.
        assert_eq!(work(&Integers::<i64>::new(), "walsh^10"), [10 << 10, 20 << 10]);
        // Eleven sums in each of twelve rows.
        assert_eq!(work(&Integers::<i32>::new(), "h12 x walsh^8"), [256 * 132 + 8 * 3072; 2]);
        // Six sums of complex numbers and four products, that are two and six operations: 9 entries of which five are
        // 1.
        assert_eq!(work(&Complexes::<f32>::new(), "dft3 x id1024"), [1024 * (6 * 2 + 4 * 6); 2]);
        let word = PrimeField::<u32>::new(469_762_049).unwrap();
        assert_eq!(work(&word, "walsh^10"), [30 << 10; 2]);
        assert_eq!(work(&Goldilocks, "dft3 x id1024"), [1024 * (6 * 5 + 4 * 13); 2]);
    }

    #[test]
    fn passes_move_every_value_once() {
        let shape = Shape::of(&parse(&Reals::<f32>::new(), "walsh^24").unwrap(), 3);
        for (on_host, machine) in [(true, class().host()), (false, class().gpu())] {
            let operation = Transforms { on_host };
            for plan in operation.candidates(&shape, &machine) {
                let program = operation.program(&shape, &plan, &machine).unwrap();
                assert_eq!(program.kernels().len(), plan.passes.len());
                assert!(program.kernels().iter().all(|kernel| kernel.traffic_bytes() == (3 * 8) << 24), "{plan}");
            }
        }
    }

    /// Kept choices name a plan by its text.
    #[test]
    fn every_candidate_has_a_text_of_its_own() {
        let texts = ["walsh^24", "h12 x walsh^20", "id3 x rm^5 x id7 x h20 x walsh^9 x id2", "walsh^3"];
        for (on_host, machine) in [(true, class().host()), (false, class().gpu())] {
            for text in texts {
                let shape = Shape::of(&parse(&Integers::<i64>::new(), text).unwrap(), 2);
                let plans = Transforms { on_host }.candidates(&shape, &machine);
                let mut texts: Vec<String> = plans.iter().map(ToString::to_string).collect();
                texts.sort();
                texts.dedup();
                assert_eq!(texts.len(), plans.len(), "{texts:?}");
            }
        }
    }

    #[test]
    fn keys_tell_what_makes_plans_differ() {
        let key = |text: &str| Shape::of(&parse(&Reals::<f32>::new(), text).unwrap(), 5).key();
        assert_eq!(key("walsh^2 x id^2 x rm"), "kronecker, f32 numbers, 2:2+0#0 2:2+0#0 id4 2:1+0#1");
        assert_ne!(key("walsh x rm"), key("walsh x walsh"));
        let prime = |p| Shape::of(&parse(&PrimeField::<u64>::new(p).unwrap(), "walsh").unwrap(), 1).key();
        assert_eq!(prime(9001), prime(97));
        assert_ne!(prime(97), Shape::of(&parse(&Goldilocks, "walsh").unwrap(), 1).key());
    }

    #[test]
    fn the_longest_vectors_neither_wrap_nor_panic() {
        for on_host in [false, true] {
            for (text, batch) in [("walsh^60", 1), ("h12 x walsh^50", 1 << 20), ("walsh^40", usize::MAX)] {
                assert!(chosen(text, batch, on_host).1 > 1e5, "{text} of {batch}");
            }
        }
    }
}

//! Counts of the stages of a plan: values moved, operations on numbers, accesses of tiles, launches.
//!
//! A stage reads and writes its values once; within tiles it does a few operations for every value and step. So the
//! number of passes decides where memory is slow, the radices of the steps where arithmetic is.
//!
//! What is read again from the nearest cache (twiddles, and the rows of a dense pass on an OpenCL device) counts as an
//! access of local memory. Addresses are not counted.

use manycore_characters::values::{LARGEST_EXPONENT, Product};
use manycore_device::{Word as _, WordType};
use manycore_field::Arithmetic;
use manycore_model::{Blocks, DoesNotFit, ExecutionModel, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use super::device::prepare::{padded, plain_items, tile_items};
use super::host::tables::row_twiddles;
use super::host::tasks::{parts_each, serial_bytes};
use super::plan::build::{Build, build};
use super::plan::parameters::{Limits, Plan};
use super::plan::pieces::primes_of;
use super::plan::slots::{Placed, Stages};
use super::plan::stages::{Method, MultiplyPass, Stage, Step, TilePass, Weights};
use super::tables::twiddle_lengths;
use crate::numbers::Numbers;

/// Functions on a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    factors: Vec<u64>,
    batch: usize,
    value_bytes: usize,
    word: WordType,
    operations: NumberOperations,
    /// The orders of roots that there are divide this; 0 where there are all.
    roots: u64,
    limits: Limits,
    on_host: bool,
}

/// Operations of one number. A multiplication with an addition is one operation where the source has it as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NumberOperations {
    /// A sum or a difference.
    sum: u64,
    /// A product by a constant.
    product: u64,
    /// A product by the root of order 4.
    quarter: u64,
    /// A product by the root of order 8.
    eighth: u64,
    /// A sum with the product by a half of two opposite roots.
    part: u64,
    /// The factor `-i` of an odd part.
    turn: u64,
    /// A term of a dense pass: a sum with a product.
    term: u64,
    /// From pairs of parts in memory to planes of parts, or back.
    end: u64,
}

impl NumberOperations {
    /// Counted in `kernels/fourier/number.clh` and `kernels/field`, and for the host in `numbers/planes.rs`,
    /// `numbers/residues.rs` and `numbers/x86`.
    fn new(product: Product, on_host: bool, lanes: usize, value_bytes: usize) -> Self {
        let residues = |sum, product| Self {
            sum,
            product,
            quarter: product,
            eighth: product,
            part: product + sum,
            turn: 0,
            term: product + sum,
            end: 0,
        };
        match product {
            // A product: two multiplications and two fused multiply-adds. Terms of the host are four of these.
            Product::Complex | Product::Sum => {
                let term = if on_host { 4 } else { 6 };
                // For two vectors of parts, two shuffles with AVX-512 and four with AVX2.
                let end = match (on_host, lanes * value_bytes) {
                    (true, 128) => 2,
                    (true, 64) => 4,
                    _ => 0,
                };
                Self { sum: 2, product: 4, quarter: 1, eighth: 4, part: 2, turn: 1, term, end }
            }
            // Vectors. A sum: addition, subtraction, minimum. A product: six multiplications of every other word, three
            // shifts, two subtractions, a blend, and a correction by an addition and a minimum.
            Product::Residues(_) if on_host && lanes > 1 => residues(3, 14),
            // Words one by one. A product: three multiplications, a subtraction, a comparison, an addition.
            Product::Residues(_) if on_host => residues(3, 6),
            // A product after Shoup: three multiplications, of which one subtracts, and a correction.
            Product::Residues(Arithmetic::Word32 | Arithmetic::Word64 { lazy: false }) => residues(3, 5),
            // Two corrections.
            Product::Residues(Arithmetic::Word64 { lazy: true } | Arithmetic::Floating) => residues(3, 7),
            // Both words of a product, nine operations that reduce them, and a correction.
            Product::Residues(Arithmetic::Goldilocks) => residues(5, 13),
        }
    }

    /// Operations of a transform of `radix` numbers: of `codelets.clh`, from which the host's differ by the order of
    /// products.
    fn transform(&self, radix: u64) -> u64 {
        let Self { sum, product, quarter, eighth, part, turn, .. } = *self;
        match radix {
            2 => 2 * sum,
            4 => 8 * sum + quarter,
            8 => 24 * sum + 4 * quarter + 2 * eighth,
            16 => 64 * sum + 10 * quarter + 6 * eighth + 4 * product,
            _ => {
                let half = radix / 2;
                5 * half * sum + 2 * half * half * part + half * turn
            }
        }
    }
}

/// Counts of one tile.
struct TileCounts {
    operations: u64,
    /// Values read and written in the tile's own memory, and read from the nearest cache.
    accesses: u64,
}

impl Shape {
    /// `batch` functions on the group of these factors, on the host or another device with so many processors.
    pub fn new<N: Numbers>(factors: &[u64], batch: usize, numbers: &N, (on_host, processors): (bool, usize)) -> Self {
        let limits = Limits::new(numbers, on_host, processors);
        Self {
            factors: factors.to_vec(),
            batch,
            value_bytes: size_of::<N::Value>(),
            word: N::Word::TYPE,
            operations: NumberOperations::new(numbers.product(), on_host, limits.lanes, size_of::<N::Value>()),
            roots: numbers.group_of_roots(),
            limits,
            on_host,
        }
    }

    fn stages(&self, plan: &Plan) -> Stages {
        let has_roots = |order: u64| order <= LARGEST_EXPONENT && (self.roots == 0 || self.roots.is_multiple_of(order));
        build(&Build { factors: &self.factors, batch: self.batch, plan: plan.clone(), limits: self.limits }, &has_roots)
    }

    fn operation(&self) -> Operation {
        match (self.word.is_floating(), self.word.bytes()) {
            _ if self.on_host && self.limits.lanes == 1 => Operation::Scalar,
            (true, 8) => Operation::F64,
            (true, _) => Operation::F32,
            (false, 8) => Operation::Int64,
            (false, _) => Operation::Int32,
        }
    }

    /// The primes of the group that are too large for registers, ascending.
    fn large_primes(&self) -> Vec<u64> {
        let mut primes: Vec<u64> = self.factors.iter().filter(|&&n| n > 1).flat_map(|&n| primes_of(n)).collect();
        primes.retain(|&prime| prime > self.limits.largest_radix);
        primes.sort_unstable();
        primes.dedup();
        primes
    }

    /// The counts of a tile of so many columns. Vectors of the host have columns for all lanes.
    fn tile(&self, pass: &TilePass) -> TileCounts {
        let (rows, columns) = (pass.rows as u64, pass.columns() as u64);
        let columns = columns.next_multiple_of(self.limits.lanes as u64);
        let (mut operations, mut accesses) = match &pass.method {
            Method::Steps(steps) => self.steps(rows, steps),
            // Each result has all rows, and all roots but one.
            Method::Dense => {
                let terms = rows.saturating_mul(rows - 1);
                let read = rows.saturating_mul(rows);
                let roots = if self.on_host { 0 } else { terms };
                (terms.saturating_mul(self.operations.term), read.saturating_add(roots))
            }
        };
        let levels = self.twiddles(pass);
        operations = operations.saturating_add(rows * (levels * self.operations.product + 2 * self.operations.end));
        // The host reads those of a tile's first unit for all columns at once.
        let tables = if self.on_host { u64::from(pass.cofactor > 1 && pass.units_each > 1) } else { levels };
        accesses = accesses.saturating_add(rows * tables);
        TileCounts { operations: operations.saturating_mul(columns), accesses: accesses.saturating_mul(columns) }
    }

    /// Operations and accesses of one column in steps.
    fn steps(&self, rows: u64, steps: &[Step]) -> (u64, u64) {
        let (mut operations, mut accesses) = (0, 0);
        for (i, step) in steps.iter().enumerate() {
            let (radix, twiddles) = (step.radix as u64, step.twiddles() as u64);
            let groups = rows / radix;
            // The host has no products by the twiddles of index 0, which are 1; kernels have none where all are.
            let twiddled = match twiddles {
                1 => 0,
                _ if self.on_host => groups - groups / twiddles,
                _ => groups,
            } * (radix - 1);
            operations += groups * self.operations.transform(radix) + twiddled * self.operations.product;
            // Kernels read the first step's numbers from global memory and write the last one's to it; the host does so
            // where neighbours fill vectors, else it copies.
            let ends = if self.on_host { 0 } else { u64::from(i == 0) + u64::from(i + 1 == steps.len()) };
            accesses += rows * (2 - ends) + if self.on_host { 0 } else { twiddled };
        }
        (operations, accesses)
    }

    /// Products of each result by the twiddle factors of its pass.
    fn twiddles(&self, pass: &TilePass) -> u64 {
        if pass.cofactor == 1 {
            return 0;
        }
        if self.on_host {
            // By the twiddle factor of the tile's first unit, and by that of the unit within the tile.
            return u64::from(pass.units_each < pass.cofactor) + u64::from(pass.units_each > 1);
        }
        let [_, high] = twiddle_lengths(pass.order());
        if high == 0 { 1 } else { 2 }
    }

    /// Values of the tables that a stage reads.
    fn table_values(&self, stage: &Stage) -> u64 {
        let pass = match stage {
            Stage::Multiply(MultiplyPass { weights: Weights::Ones, .. }) => return 0,
            Stage::Multiply(MultiplyPass {
                weights: Weights::Filter(_, length) | Weights::Chirp(_, length), ..
            }) => {
                return *length;
            }
            Stage::Tile(pass) => pass,
        };
        let own = match &pass.method {
            Method::Steps(steps) => {
                let of = |step: &Step| if step.twiddles() > 1 { (step.radix - 1) * step.twiddles() } else { 0 };
                steps.iter().map(of).sum::<usize>() as u64
            }
            Method::Dense => pass.rows as u64,
        };
        let twiddles = match (pass.cofactor, self.on_host) {
            (1, _) => 0,
            (_, true) => {
                let units = if pass.units_each > 1 { pass.rows * pass.columns() } else { 0 };
                (units + row_twiddles(pass)) as u64
            }
            (_, false) => twiddle_lengths(pass.order()).iter().sum(),
        };
        own + twiddles
    }

    /// What all kernels of a stage have: traffic, its runs, tables. Data that no more than `near_bytes` hold has no
    /// runs.
    fn kernel(&self, name: &str, items: u32, placed: &Placed, near_bytes: u64) -> Kernel {
        let [before, after] = placed.stage.values().map(|values| values as u64);
        let value_bytes = self.value_bytes as u64;
        let tables = self.table_values(&placed.stage);
        let touched = if placed.from == placed.to { after } else { before.saturating_add(after) };
        let footprint = touched.saturating_add(tables).saturating_mul(value_bytes);
        let kernel = Kernel::new(name, items)
            .operation(self.operation())
            .word_bytes(self.value_bytes as u32)
            .traffic_words(before.saturating_add(after))
            .table_words(tables)
            .footprint_bytes(footprint);
        match &placed.stage {
            Stage::Tile(pass) if footprint > near_bytes && (self.on_host || pass.method != Method::Dense) => {
                let [read, written] = pass.runs().map(|values| values as u64 * value_bytes);
                kernel.segment_bytes(read).write_segment_bytes(written)
            }
            // Items of a dense pass that follow each other have neighbours.
            Stage::Tile(_) | Stage::Multiply(_) => kernel,
        }
    }

    /// Products of a stage that multiplies along an axis.
    fn products(pass: &MultiplyPass) -> u64 {
        if pass.weights == Weights::Ones { 0 } else { (pass.outer * pass.from.min(pass.to) * pass.inner) as u64 }
    }

    fn device_kernel(&self, placed: &Placed, machine: &Machine) -> Kernel {
        let [_, after] = placed.stage.values().map(|values| values as u64);
        let is_gpu = machine.execution_model == ExecutionModel::Gpu;
        let group_limit = machine.block_threads as usize;
        // One value an item.
        let plain = |name, operations: u64, reads, accesses| {
            let items = plain_items(is_gpu, group_limit) as u64;
            self.kernel(name, items as u32, placed, 0)
                .blocks(Blocks::even(after.div_ceil(items).max(1), items as u32, operations, reads, 1))
                .local_accesses(accesses)
        };
        match &placed.stage {
            Stage::Multiply(pass) => {
                let each = Self::products(pass).div_ceil(after.max(1));
                plain("fourier_multiply_along", each * self.operations.product, 1, each)
            }
            Stage::Tile(pass) if pass.method == Method::Dense => {
                let all = self.tile(&TilePass { units_each: 1, run_each: 1, ..pass.clone() });
                let each = |count: u64| count.div_ceil(pass.rows as u64);
                plain("fourier_dense", each(all.operations), pass.rows as u64, each(all.accesses))
            }
            Stage::Tile(pass) => {
                let values = pass.rows * pass.columns();
                let items = tile_items(values, group_limit) as u64;
                let TileCounts { operations, accesses } = self.tile(pass);
                let each = (values as u64).div_ceil(items);
                let tiles = (pass.geometry().tiles() as u64).max(1);
                self.kernel("fourier_tile", items as u32, placed, 0)
                    .blocks(Blocks::even(tiles, items as u32, operations.div_ceil(items), each, each))
                    .local_words(padded(values) as u64)
                    .local_accesses(accesses.div_ceil(items))
            }
        }
    }

    fn host_kernel(&self, placed: &Placed, machine: &Machine) -> Kernel {
        let [before, after] = placed.stage.values();
        let (name, parts, TileCounts { operations, accesses }) = match &placed.stage {
            Stage::Tile(pass) => ("fourier_tile", pass.geometry().tiles(), self.tile(pass)),
            Stage::Multiply(pass) => {
                let places = pass.outer * pass.to;
                // Weights of neighbours are read as values are.
                let ends = if pass.inner == 1 && pass.weights != Weights::Ones { 3 } else { 2 };
                let ends = (pass.inner as u64).saturating_mul(ends * self.operations.end);
                let products = Self::products(pass).div_ceil(places.max(1) as u64);
                let operations = products.saturating_mul(self.operations.product).saturating_add(ends);
                ("fourier_multiply_along", places, TileCounts { operations, accesses: 0 })
            }
        };
        // The calling thread does what is little, and all where it is alone.
        let threads = machine.processors as usize;
        let alone = threads == 1 || (before + after).saturating_mul(self.value_bytes) <= serial_bytes(threads);
        let each = if alone { parts } else { parts_each(parts, threads) }.max(1);
        let tasks = parts.div_ceil(each).max(1) as u64;
        let share = |count: u64| count.saturating_mul(each as u64);
        let words = |values: usize| (values as u64).div_ceil(tasks);
        let kernel = self
            // The own cache of a thread that is alone has every word as near as its neighbour.
            .kernel(name, 1, placed, if alone { machine.local_bytes } else { 0 })
            .blocks(Blocks::even(tasks, 1, share(operations), words(before), words(after)))
            .local_accesses(share(accesses));
        if alone { kernel.fused() } else { kernel }
    }

    /// The stages without what changes no bits of their results: how a pass is cut into tiles, but for the units of a
    /// tile where the host multiplies by two twiddle factors, that of the tile's first unit and that of the unit within the
    /// tile.
    fn arithmetic(&self, plan: &Plan) -> Vec<Stage> {
        let stages = self.stages(plan).list.into_iter().map(|placed| placed.stage);
        let plain = |stage| match stage {
            Stage::Tile(pass) => {
                let units_each = if self.on_host && pass.cofactor > 1 { pass.units_each } else { 1 };
                Stage::Tile(TilePass { units_each, run_each: 1, ..pass })
            }
            Stage::Multiply(pass) => Stage::Multiply(pass),
        };
        stages.map(plain).collect()
    }
}

/// Fourier transforms as the planner sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Transforms {
    /// Bytes of local memory of a work-group.
    pub local_bytes: usize,
}

/// The binary logarithms of the values of the host's tiles: in bytes from a core's first cache to its second one. Of
/// equal estimates the smallest tiles come first, which leave the most of a cache or of a compute unit's local memory.
const LOG_HOST_TILES: std::ops::RangeInclusive<u32> = 11..=15;
/// The same of OpenCL devices.
const LOG_DEVICE_TILES: std::ops::RangeInclusive<u32> = 10..=13;
/// The same of devices whose local memory holds none of these; the largest one is taken.
const LOG_SMALL_TILES: std::ops::RangeInclusive<u32> = 5..=9;

impl Costed for Transforms {
    type Size = Shape;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "fourier"
    }

    fn candidates(&self, shape: &Shape, _: &Machine) -> Vec<Plan> {
        let fits = |log: &u32| padded(1 << log).saturating_mul(shape.value_bytes) <= self.local_bytes;
        let mut logs: Vec<u32> =
            if shape.on_host { LOG_HOST_TILES.collect() } else { LOG_DEVICE_TILES.filter(fits).collect() };
        if logs.is_empty() {
            logs.extend(LOG_SMALL_TILES.rev().find(fits));
        }
        // Primes beyond registers by chirps, the smallest ones by the definition, or all of them.
        let dense: Vec<u64> = std::iter::once(shape.limits.largest_radix).chain(shape.large_primes()).collect();
        let mut plans: Vec<(Plan, Stages)> = Vec::new();
        for log in logs {
            for (&largest_dense, powers_of_two) in dense.iter().flat_map(|prime| [(prime, false), (prime, true)]) {
                let mut plan = Plan { tile_values: 1 << log, largest_dense, powers_of_two, passes: Vec::new() };
                let stages = shape.stages(&plan);
                plan.passes = stages.names();
                // Tiles of other sizes may be cut otherwise under the same names, or be the same where they hold all.
                if !plans.iter().any(|(_, other)| *other == stages) {
                    plans.push((plan, stages));
                }
            }
        }
        plans.into_iter().map(|(plan, _)| plan).collect()
    }

    fn program(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for placed in &shape.stages(plan).list {
            program.queue(if shape.on_host {
                shape.host_kernel(placed, machine)
            } else {
                shape.device_kernel(placed, machine)
            })?;
        }
        Ok(program)
    }

    fn gives_same_bits(&self, shape: &Shape, one: &Plan, other: &Plan) -> bool {
        !shape.word.is_floating() || shape.arithmetic(one) == shape.arithmetic(other)
    }
}

#[cfg(test)]
mod tests {
    use manycore_characters::{Complexes, Residues};
    use manycore_field::{Goldilocks, PrimeField};
    use manycore_model::machine::Class;
    use manycore_tuning::{Candidate, choose};

    use super::*;

    fn class() -> Class {
        Class {
            name: "a device".into(),
            vendor: String::new(),
            processors: 100,
            clock_hz: 1_000_000_000,
            local_bytes: 48 << 10,
            block_threads: 1024,
            fp64: true,
        }
    }

    const ON_DEVICE: Transforms = Transforms { local_bytes: 48 << 10 };
    const ON_HOST: Transforms = Transforms { local_bytes: usize::MAX };

    fn on_device<N: Numbers>(numbers: &N, factors: &[u64], batch: usize) -> Shape {
        Shape::new(factors, batch, numbers, (false, 100))
    }

    fn plan(tile_values: usize, largest_dense: u64) -> Plan {
        Plan { tile_values, largest_dense, powers_of_two: false, passes: Vec::new() }
    }

    fn kernels(shape: &Shape, plan: &Plan) -> Vec<Kernel> {
        let program = ON_DEVICE.program(shape, plan, &class().gpu()).unwrap();
        program.kernels().to_vec()
    }

    #[test]
    fn a_tile_counts_its_steps() {
        // 16 * 16 rows of 16 columns, in 64 tiles.
        let shape = on_device(&Complexes::<f32>::new(), &[256], 1024);
        let [tile] = &kernels(&shape, &plan(4096, 13))[..] else { panic!("one pass") };
        // Two steps of 16 transforms of 16 numbers: 64 sums of 2, 10 quarters, 6 eighths and 4 products of 4; the first
        // one with 15 twiddles.
        let column = 2 * 16 * (128 + 10 + 24 + 16) + 16 * 15 * 4;
        assert_eq!(tile.work(), Some(column * 1024));
        assert_eq!(tile.traffic_bytes(), 2 * 8 * 256 * 1024);
        assert_eq!((tile.block_count(), tile.threads()), (64, 256));
        // The twiddles of one step.
        assert_eq!(tile.table_bytes(), 8 * 15 * 16);
    }

    #[test]
    fn passes_count_their_twiddles() {
        // 2^20 = 1024 * 1024, with one table of twiddle factors for neither.
        let kernels = kernels(&on_device(&Complexes::<f32>::new(), &[1 << 20], 1), &plan(4096, 13));
        let one_pass = |values: u128| 2 * 8 * values;
        assert!(kernels.len() > 1 && kernels.iter().all(|kernel| kernel.traffic_bytes() == one_pass(1 << 20)));
        // Two products for each value of all passes but the last.
        let plain = on_device(&Complexes::<f32>::new(), &[1 << 20], 1);
        let counts = |cofactor: usize| {
            let pass = TilePass {
                outer: 1,
                rows: 2,
                cofactor,
                inner: 1,
                method: Method::Steps(vec![Step { radix: 2, stride: 1, inner: 1, place: 1 }]),
                units_each: 1,
                run_each: 1,
            };
            plain.tile(&pass).operations
        };
        assert_eq!([counts(1), counts(2048), counts(2049)], [4, 4 + 2 * 4, 4 + 2 * 2 * 4]);
    }

    #[test]
    fn dense_passes_count_every_term() {
        let shape = on_device(&Residues::new(PrimeField::<u32>::new(2_147_483_647).unwrap()), &[331], 1000);
        // Then a copy, back to where the values were.
        let [dense, copy] = &kernels(&shape, &plan(1024, 331))[..] else { panic!("two passes") };
        // A product of 5 operations and a sum of 3.
        assert!(dense.work() >= Some(8 * 330 * 331 * 1000) && dense.work() <= Some(8 * 331 * 331 * 1001));
        assert_eq!([dense, copy].map(Kernel::traffic_bytes), [2 * 4 * 331 * 1000; 2]);
        assert_eq!(copy.work(), Some(0));
    }

    #[test]
    fn chirps_are_best_for_large_primes_only() {
        let best = |numbers: &Complexes<f32>, n: u64, on_host: bool| {
            let (operation, machine) = if on_host { (ON_HOST, class().host()) } else { (ON_DEVICE, class().gpu()) };
            let shape = Shape::new(&[n], 1 << 10, numbers, (on_host, 100));
            choose(&operation, &shape, &machine).unwrap().best().parameters.passes.clone()
        };
        for on_host in [false, true] {
            assert!(best(&Complexes::new(), 100_003, on_host).iter().any(|pass| pass == "chirp"));
            let short = best(&Complexes::new(), 17, on_host);
            assert!(short.iter().all(|pass| pass != "chirp"), "{short:?}");
        }
    }

    #[test]
    fn fewer_passes_are_better_where_memory_is_slow() {
        let shape = on_device(&Complexes::<f32>::new(), &[1 << 22], 1);
        let choice = choose(&ON_DEVICE, &shape, &class().gpu()).unwrap();
        let passes = |candidate: &Candidate<Plan>| candidate.parameters.passes.len();
        let least = choice.candidates().iter().map(passes).min();
        assert_eq!(Some(passes(choice.best())), least, "{choice}");
    }

    #[test]
    fn candidates_are_few_and_differ_in_their_names() {
        // The product of the primes from 17 to 53.
        let many = [17, 19 * 23, 29 * 31, 37 * 41, 43 * 47, 53];
        for factors in [&[1u64 << 16][..], &[1009, 2, 3], &[100_003], &many, &[2; 20], &[1000, 1000]] {
            for on_host in [false, true] {
                let (operation, machine) = if on_host { (ON_HOST, class().host()) } else { (ON_DEVICE, class().gpu()) };
                let shape = Shape::new(factors, 1, &Complexes::<f64>::new(), (on_host, 4));
                let names: Vec<String> =
                    operation.candidates(&shape, &machine).iter().map(ToString::to_string).collect();
                let different: std::collections::BTreeSet<&String> = names.iter().collect();
                assert!(different.len() == names.len() && names.len() < 100, "{factors:?}: {names:?}");
            }
        }
    }

    #[test]
    fn counts_of_the_largest_groups_do_not_overflow() {
        let numbers = Residues::new(Goldilocks);
        // A prime near 2^52, for which there are no chirps modulo the Goldilocks prime.
        for factors in [&[4_503_599_627_370_449u64][..], &[1 << 31, 1 << 20], &[3, 1 << 50]] {
            for (operation, machine, on_host) in [(ON_DEVICE, class().gpu(), false), (ON_HOST, class().host(), true)] {
                let shape = Shape::new(factors, 1, &numbers, (on_host, 100));
                for candidate in choose(&operation, &shape, &machine).unwrap().candidates() {
                    assert!(candidate.estimate.seconds > 1.0, "{}", candidate.parameters);
                }
            }
        }
    }

    #[test]
    fn arithmetic_tells_which_bits_are_the_same() {
        let numbers = Complexes::<f32>::new();
        let shape = on_device(&numbers, &[1 << 14], 1);
        let plans = ON_DEVICE.candidates(&shape, &class().gpu());
        let same = |a: &Plan, b: &Plan| ON_DEVICE.gives_same_bits(&shape, a, b);
        for (a, b) in plans.iter().flat_map(|a| plans.iter().map(move |b| (a, b))) {
            assert_eq!(same(a, b), a.passes == b.passes, "{a} {b}");
        }
        let shape = on_device(&Residues::new(Goldilocks), &[1 << 14], 1);
        let plans = ON_DEVICE.candidates(&shape, &class().gpu());
        assert!(plans.iter().all(|plan| ON_DEVICE.gives_same_bits(&shape, plan, &plans[0])));
    }
}

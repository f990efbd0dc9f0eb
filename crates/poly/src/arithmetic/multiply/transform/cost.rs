//! Counts of the routes to a product by transforms.
//!
//! Each prime takes a pass that loads the rows, transforms there, a pass of products, transforms back; one pass stores the result.

use std::sync::Arc;

use manycore_device::Executor;
use manycore_field::{PrimeField, SliceWord};
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_ntt::cost::{
    Arrays, Counts, Operations, Pass as TransformPass, Plan, host_arithmetic, host_factor_words, host_moves,
    host_product,
};
use manycore_ntt::{Ntt, NttField};
use manycore_tuning::Costed;

use super::component::Component;
use super::error::ProductError;
use super::primes::Family;
use super::product::TransformProduct;
use super::route::{Residues, Route};
use super::shape::{Length, Shape, Trimmed};
use super::step::{EACH, GROUP, Step, TWISTED, is_alone, load, store};

/// A pass over memory.
struct Pass {
    name: &'static str,
    words: u64,
    step: Step,
    /// Operations of the host beside those for each word.
    more: Operations,
    /// Words that go through memory for each word of the pass, and their size.
    moved: u64,
    word_bytes: u32,
}

impl<F: NttField> TransformProduct<F> {
    /// A pass other than the transforms'.
    fn pass(&self, pass: &Pass, machine: &Machine) -> Kernel {
        let Pass { name, words, step, more, moved, word_bytes } = *pass;
        let footprint = words.saturating_mul(moved * u64::from(word_bytes));
        let kernel = match self.device().executor() {
            Executor::Host(_) => {
                let operations = step.host.times(words).plus(more);
                let alone = is_alone(words, step.host, footprint, machine);
                let tasks = if alone { 1 } else { u64::from(machine.processors).max(1) };
                let each = words.div_ceil(tasks);
                let share = operations.shared(tasks).of_one_kind(machine);
                let reads = each.saturating_mul(moved - 1);
                let kernel = Kernel::new(name, 1)
                    .blocks(Blocks::even(tasks, 1, share, reads, each))
                    .operation(operations.kind());
                if alone { kernel.fused() } else { kernel }
            }
            Executor::OpenCl(_) => {
                let each = EACH as u64;
                let groups = words.div_ceil(each * GROUP as u64).max(1);
                let operations = step.device.times(each);
                let (share, reads) = (operations.of_one_kind(machine), each * (moved - 1));
                Kernel::new(name, GROUP as u32)
                    .blocks(Blocks::even(groups, GROUP as u32, share, reads, each))
                    .operation(operations.kind())
            }
        };
        kernel.word_bytes(word_bytes).footprint_bytes(footprint)
    }

    /// The products modulo one prime.
    fn component<G: NttField>(
        &self,
        by: &Component<G>,
        (rows, rows_b): (usize, usize),
        (length, tiled): (Length, bool),
        machine: &Machine,
    ) -> Result<Vec<Kernel>, ProductError> {
        let word_bytes = size_of::<G::Element>() as u32;
        if let (true, Length::Power(log_len)) = (tiled, length) {
            return self.tile_kernels(by, (rows, rows_b), log_len, machine);
        }
        let all = rows.saturating_add(rows_b);
        let pass = |name, words: usize, step, moved| {
            let (words, more) = (words as u64, Operations::NONE);
            self.pass(&Pass { name, words, step, more, moved, word_bytes }, machine)
        };
        let counts = Counts::of(by.arithmetic);
        let twisted = Step { host: TWISTED, device: counts.product.plus(counts.canonical) };
        let mut kernels = Vec::new();
        let cyclic = |kernels: &mut Vec<Kernel>, log_len: u32| -> Result<(), ProductError> {
            if let Executor::OpenCl(_) = self.device().executor()
                && log_len > 0
            {
                let ntt = by.ntt(&self.planner, log_len)?;
                let passes = by.passes(&ntt, all)?;
                if let [columns @ .., tile] = passes.as_slice()
                    && !columns.is_empty()
                {
                    let (all, own) = (arrays(&ntt, all), arrays(&ntt, rows));
                    let transforms = if rows_b > 0 { 3 } else { 2 };
                    kernels.extend(columns.iter().map(|pass| pass.kernel(&all, machine)));
                    let words = all.values().saturating_add(own.values());
                    kernels.extend(together(&tile.kernel(&own, machine), transforms, words));
                    kernels.extend(columns.iter().rev().map(|pass| pass.kernel(&own, machine)));
                    return Ok(());
                }
            }
            if let Executor::Host(_) = self.device().executor() {
                kernels.extend(Self::host_products(by, (rows, rows_b), log_len, machine));
                return Ok(());
            }
            let transform = |count| self.transform(by, count, log_len, machine);
            kernels.extend(transform(all)?);
            // Products are made on the host within the transforms.
            let product = Step { host: Operations::NONE, ..twisted };
            kernels.push(pass("transform_product", rows.saturating_mul(1 << log_len), product, 3));
            kernels.extend(transform(rows)?);
            Ok(())
        };
        match length {
            Length::Power(log_len) => {
                // The first of several passes loads.
                if !self.is_long(by, all, log_len)? {
                    let reduce = self.field().order() > by.field.order();
                    let step = load(size_of::<F::Element>(), size_of::<G::Element>(), reduce);
                    kernels.push(pass("transform_load", all.saturating_mul(1 << log_len), step, 2));
                }
                cyclic(&mut kernels, log_len)?;
            }
            Length::ThreeQuarters(log_len) => {
                kernels.push(pass("transform_load_twisted", all.saturating_mul(length.values()), twisted, 2));
                cyclic(&mut kernels, log_len + 1)?;
                cyclic(&mut kernels, log_len)?;
                kernels.push(pass("transform_combine", rows.saturating_mul(length.values()), twisted, 2));
            }
        }
        Ok(kernels)
    }

    /// Whether `all` transforms of `2^log_len` values take several passes on an OpenCL device.
    fn is_long<G: NttField>(&self, by: &Component<G>, all: usize, log_len: u32) -> Result<bool, ProductError> {
        let Executor::OpenCl(_) = self.device().executor() else { return Ok(false) };
        Ok(log_len > 0 && by.passes(&*by.ntt(&self.planner, log_len)?, all)?.len() > 1)
    }

    /// The transforms of both operands and of the product, one behind the other in one launch.
    fn tile_kernels<G: NttField>(
        &self,
        by: &Component<G>,
        (rows, rows_b): (usize, usize),
        log_len: u32,
        machine: &Machine,
    ) -> Result<Vec<Kernel>, ProductError> {
        let missing = || DoesNotFit::Parameter { reason: format!("no tile of the device holds 2^{log_len} values") };
        let tile = self.tile::<G::Element>(Length::Power(log_len)).ok_or_else(|| ProductError::Fits(missing()))?;
        let ntt = by.ntt(&self.planner, log_len)?;
        let arrays = arrays(&ntt, rows);
        let pass = TransformPass::Tile { stages: log_len, log_tile: tile.log_values, log_regs: tile.log_regs };
        let transforms: u32 = if rows_b > 0 { 3 } else { 2 };
        // Both operands are read, at most as many words as a row has, and the rows written.
        let words = arrays.values().saturating_mul(transforms.into());
        Ok(together(&pass.kernel(&arrays, machine), transforms, words))
    }

    /// The transforms and products of all rows on the host, in one descent.
    fn host_products<G: NttField>(
        by: &Component<G>,
        (rows, rows_b): (usize, usize),
        log_len: u32,
        machine: &Machine,
    ) -> Option<Kernel> {
        let arithmetic = host_arithmetic(by.arithmetic, by.field.order());
        let word_bytes = size_of::<G::Element>() as u64;
        let of = |count| Arrays { count, log_len, arithmetic: by.arithmetic, negacyclic: false, natural: false };
        let transforms = of(rows.saturating_mul(2).saturating_add(rows_b));
        let products = host_product(arithmetic).times(of(rows).values());
        let operations = transforms.host_operations(by.field.order()).plus(products);
        let alone = transforms.suit_one_processor(by.field.order(), machine);
        let tasks = if alone { 1 } else { u64::from(machine.processors).max(1) };
        let each = transforms.values().div_ceil(tasks);
        let moved = each.saturating_mul(host_moves(word_bytes, log_len, machine));
        // Factors forward and backward; both operands are transformed side by side.
        let factors = host_factor_words(arithmetic, log_len).saturating_mul(2);
        let held = of(rows.saturating_add(rows_b)).values().saturating_mul(word_bytes);
        let kernel = Kernel::new("ntt_products", 1)
            .blocks(Blocks::even(tasks, 1, operations.shared(tasks).of_one_kind(machine), moved, moved))
            .operation(operations.kind())
            .word_bytes(word_bytes as u32)
            .table_words(factors.saturating_mul(rows as u64))
            .footprint_bytes(factors.saturating_mul(word_bytes).saturating_add(held));
        (log_len > 0).then(|| if alone { kernel.fused() } else { kernel })
    }

    /// Transforms of `count` arrays on an OpenCL device.
    fn transform<G: NttField>(
        &self,
        by: &Component<G>,
        count: usize,
        log_len: u32,
        machine: &Machine,
    ) -> Result<Vec<Kernel>, ProductError> {
        if log_len == 0 || count == 0 {
            return Ok(Vec::new());
        }
        let ntt = by.ntt(&self.planner, log_len)?;
        let arrays = arrays(&ntt, count);
        Ok(by.passes(&ntt, count)?.iter().map(|pass| pass.kernel(&arrays, machine)).collect())
    }

    /// Every pass of a route.
    fn kernels(&self, shape: &Shape, route: &Route, machine: &Machine) -> Result<Vec<Kernel>, ProductError> {
        let cut = route.cut;
        let rows = shape.count.saturating_mul(cut.blocks);
        let both = (rows, if shape.square { 0 } else { shape.count });
        let word_bytes = size_of::<F::Element>() as u32;
        let mut kernels = Vec::new();
        let count = match route.residues {
            Residues::Direct => {
                kernels.extend(self.component(&self.direct, both, (cut.length, route.tiled), machine)?);
                1
            }
            Residues::Primes { bits: bits @ ..=31, count } => {
                kernels.extend(self.family(&self.short, (bits, count), both, (cut.length, route.tiled), machine)?);
                count
            }
            Residues::Primes { bits, count } => {
                kernels.extend(self.family(&self.long, (bits, count), both, (cut.length, route.tiled), machine)?);
                count
            }
        };
        if route.stores_in_tile(shape) {
            return Ok(kernels);
        }
        if let Length::Power(log_len) = cut.length
            && route.stores_in_columns(shape)
            && self.is_long(&self.direct, both.0.saturating_add(both.1), log_len)?
        {
            return Ok(kernels);
        }
        let step = match route.residues {
            Residues::Direct => store(0, word_bytes as usize, word_bytes as usize),
            Residues::Primes { bits, count } => store(count, if bits > 31 { 8 } else { 4 }, word_bytes as usize),
        };
        let (words, moved) = (shape.count.saturating_mul(shape.len) as u64, count as u64 + 1);
        let more = Self::wrapped(shape, route);
        kernels.push(self.pass(&Pass { name: "transform_store", words, step, more, moved, word_bytes }, machine));
        Ok(kernels)
    }

    /// Operations of the coefficients that fall onto others, which are made by their definition: of 1, 2, ... terms, each a
    /// product and a sum of residues.
    fn wrapped(shape: &Shape, route: &Route) -> Operations {
        let Some((trimmed, _)) = shape.trimmed().map(Trimmed::longer_first) else { return Operations::NONE };
        let wrapped = route.cut.wrapped(&trimmed) as u64;
        TWISTED.times(wrapped.saturating_mul(wrapped + 1) / 2).times(shape.count as u64)
    }

    fn family<W: SliceWord>(
        &self,
        family: &Family<W>,
        (bits, count): (u32, usize),
        rows: (usize, usize),
        (length, tiled): (Length, bool),
        machine: &Machine,
    ) -> Result<Vec<Kernel>, ProductError>
    where
        PrimeField<W>: NttField<Element = W>,
    {
        let primes = family.largest(bits, length.log_order());
        let Some(&q) = primes.first() else {
            return Err(ProductError::NoRoute { log_order: length.log_order(), reason: "no such prime".into() });
        };
        // Any prime stands for the others.
        let one = self.component(&*family.component(q)?, rows, (length, tiled), machine)?;
        Ok((0..count).flat_map(|_| one.iter().cloned()).collect())
    }
}

/// Several transforms like `one` in one launch that moves `words` words.
fn together(one: &Kernel, transforms: u32, words: u64) -> Vec<Kernel> {
    let first = one.clone().traffic_words(words);
    std::iter::once(first).chain((1..transforms).map(|_| one.clone().traffic_words(0).fused())).collect()
}

/// A cyclic transform of `count` arrays.
fn arrays<G: NttField>(ntt: &Ntt<G>, count: usize) -> Arrays {
    Arrays { count, log_len: ntt.len().ilog2(), arithmetic: ntt.arithmetic(), negacyclic: false, natural: false }
}

impl<G: NttField> Component<G> {
    /// The passes of the transform's best estimate on an OpenCL device: routes that are never taken shall not be
    /// measured.
    fn passes(&self, ntt: &Ntt<G>, count: usize) -> Result<Arc<Vec<TransformPass>>, ProductError> {
        self.passes.get((ntt.len(), count), |&(len, count)| {
            let choice = ntt.estimates(len.saturating_mul(count))?;
            let plan = Plan::for_middle(&choice).unwrap_or(&choice.best().parameters);
            Ok(plan.passes.clone())
        })
    }
}

impl<F: NttField> Costed for TransformProduct<F> {
    type Size = Shape;
    type Parameters = Route;

    fn name(&self) -> &'static str {
        "product by transforms"
    }

    fn candidates(&self, shape: &Shape, _: &Machine) -> Vec<Route> {
        self.routes(shape)
    }

    fn kept_name(&self, shape: &Shape, route: &Route) -> String {
        route.kept_name(shape)
    }

    fn program(&self, shape: &Shape, route: &Route, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let told = |error: ProductError| DoesNotFit::Parameter { reason: error.to_string() };
        for kernel in self.kernels(shape, route, machine).map_err(told)? {
            program.queue(kernel)?;
        }
        Ok(program)
    }
}

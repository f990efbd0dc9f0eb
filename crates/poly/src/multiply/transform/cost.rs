//! What the ways to a product cost.
//!
//! Each prime takes a pass that loads the rows, transforms there, a pass of products, transforms back; one pass stores the result.

use std::sync::Arc;

use manycore_device::Executor;
use manycore_field::{PrimeField, ResidueWord};
use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};
use manycore_transform::ntt::cost::{
    Arrays, Pass as TransformPass, Plan, SERIAL_BYTES, host_butterfly_operations, host_factor_words, host_moves,
};
use manycore_transform::{Ntt, NttField};

use super::component::Component;
use super::device::{EACH, GROUP};
use super::primes::Family;
use super::route::{Residues, Route};
use super::shape::{Length, Shape};
use super::{ProductError, TransformProduct};

/// Multiply-adds for a word on the host and, of an operation, on a device.
#[derive(Clone, Copy)]
pub(super) struct Price {
    pub(super) host: u64,
    device: u64,
}

/// Of a word that is loaded and reduced.
const LOAD: Price = Price { host: 3, device: 8 };
/// Of a word of 64 bits that is loaded and reduced modulo a prime of 32, on the host.
const LOAD_LONG: u64 = 25;
/// Of a word that is stored as it is.
const STORE: Price = Price { host: 2, device: 8 };
/// Of a product of two words of 32 bits, or of 64.
const PRODUCT_32: Price = Price { host: 11, device: 8 };
const PRODUCT_64: Price = Price { host: 45, device: 16 };
/// Of a product by a constant in a reconstruction.
const CONSTANT: Price = Price { host: 18, device: 5 };
/// The same from primes of 64 bits, one by one on the host.
const CONSTANT_LONG: u64 = 200;

/// Operations of a step up to which the host's calling thread does it alone: calling others takes a microsecond or two, and what
/// they wrote comes from their caches.
pub(super) const SERIAL_OPERATIONS: u64 = 60_000;

/// Of a word that is loaded: of `from` bytes, to residues of `to` bytes.
pub(super) const fn load(from: usize, to: usize) -> Price {
    if from > to { Price { host: LOAD_LONG, ..LOAD } } else { LOAD }
}

/// Of a product of two words of so many bytes; of a word, too, that is loaded to both parts of a row of three quarters or
/// joined from them.
pub(super) const fn product(bytes: usize) -> Price {
    if bytes == 4 { PRODUCT_32 } else { PRODUCT_64 }
}

/// Of a word that is made of residues modulo `primes` primes, of words of so many bytes, and stored; of no primes for a
/// residue as it is.
pub(super) const fn store(primes: usize, bytes: usize) -> Price {
    let products = (primes * (primes + 1) / 2) as u64;
    let constant = if bytes == 8 { CONSTANT_LONG } else { CONSTANT.host };
    Price { host: STORE.host + products * constant, device: STORE.device + products * CONSTANT.device }
}

/// Operations that one call of the host's transforms takes as long as, whatever their length: half a microsecond of a Zen 4.
const HOST_CALL: u64 = 12_000;

/// A pass over memory.
struct Pass {
    name: &'static str,
    words: u64,
    price: Price,
    /// Words that go through memory for each word of the pass, and their size.
    moved: u64,
    word_bytes: u32,
}

impl<F: NttField> TransformProduct<F> {
    /// A pass other than the transforms'.
    fn pass(&self, pass: &Pass, machine: &Machine) -> Kernel {
        let Pass { name, words, price, moved, word_bytes } = *pass;
        let footprint = words.saturating_mul(moved * u64::from(word_bytes));
        match self.device().executor() {
            Executor::Host(_) => {
                let serial = words.saturating_mul(price.host) <= SERIAL_OPERATIONS;
                let tasks = if serial { 1 } else { u64::from(machine.processors).max(1) };
                let each = words.div_ceil(tasks);
                let kernel = Kernel::new(name, 1)
                    .blocks(Blocks::even(tasks, 1, each * price.host, each * (moved - 1), each))
                    .word_bytes(word_bytes)
                    .footprint_bytes(footprint);
                if serial { kernel.fused() } else { kernel }
            }
            Executor::OpenCl(_) => {
                let each = EACH as u64;
                let groups = words.div_ceil(each * GROUP as u64).max(1);
                Kernel::new(name, GROUP as u32)
                    .blocks(Blocks::even(groups, GROUP as u32, each * price.device, each * (moved - 1), each))
                    .operation(if word_bytes == 8 { Operation::Int64 } else { Operation::Int32 })
                    .word_bytes(word_bytes)
                    .chains(EACH as u32)
                    .footprint_bytes(footprint)
            }
        }
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
            return self.tile_kernels(by, (rows, rows_b), log_len);
        }
        let all = rows.saturating_add(rows_b);
        let pass = |name, words: usize, price, moved| {
            self.pass(&Pass { name, words: words as u64, price, moved, word_bytes }, machine)
        };
        let price = product(size_of::<G::Element>());
        let mut kernels = Vec::new();
        let cyclic = |kernels: &mut Vec<Kernel>, log_len: u32| -> Result<(), ProductError> {
            if let Executor::OpenCl(_) = self.device().executor()
                && log_len > 0
            {
                let ntt = by.ntt(&self.context, log_len)?;
                let passes = by.passes(&ntt, all)?;
                if let [columns @ .., tile] = passes.as_slice()
                    && !columns.is_empty()
                {
                    let (all, own) = (arrays(&ntt, all), arrays(&ntt, rows));
                    let transforms = if rows_b > 0 { 3 } else { 2 };
                    let slowdowns = ntt.slowdowns();
                    let kernel = |pass: &TransformPass, arrays| pass.kernel(arrays).slowdown(slowdowns.of(pass));
                    kernels.extend(columns.iter().map(|pass| kernel(pass, &all)));
                    kernels.extend(together(&kernel(tile, &own), transforms, all.values() + own.values()));
                    kernels.extend(columns.iter().rev().map(|pass| kernel(pass, &own)));
                    return Ok(());
                }
            }
            if let Executor::Host(_) = self.device().executor() {
                kernels.extend(Self::host_products(by, (rows, rows_b), log_len, machine));
                return Ok(());
            }
            let transform = |count| self.transform(by, count, log_len);
            kernels.extend(transform(all)?);
            kernels.push(pass("transform_product", rows << log_len, price, 3));
            kernels.extend(transform(rows)?);
            Ok(())
        };
        match length {
            Length::Power(log_len) => {
                // The first of several passes loads.
                if !self.is_long(by, all, log_len)? {
                    let price = load(size_of::<F::Element>(), size_of::<G::Element>());
                    kernels.push(pass("transform_load", all << log_len, price, 2));
                }
                cyclic(&mut kernels, log_len)?;
            }
            Length::ThreeQuarters(log_len) => {
                kernels.push(pass("transform_load_twisted", all.saturating_mul(length.values()), price, 2));
                cyclic(&mut kernels, log_len + 1)?;
                cyclic(&mut kernels, log_len)?;
                kernels.push(pass("transform_combine", rows.saturating_mul(length.values()), price, 2));
            }
        }
        Ok(kernels)
    }

    /// Whether `all` transforms of `2^log_len` values take several passes on an OpenCL device.
    fn is_long<G: NttField>(&self, by: &Component<G>, all: usize, log_len: u32) -> Result<bool, ProductError> {
        let Executor::OpenCl(_) = self.device().executor() else { return Ok(false) };
        Ok(log_len > 0 && by.passes(&*by.ntt(&self.context, log_len)?, all)?.len() > 1)
    }

    /// The transforms of both operands and of the product, one behind the other in one launch.
    fn tile_kernels<G: NttField>(
        &self,
        by: &Component<G>,
        (rows, rows_b): (usize, usize),
        log_len: u32,
    ) -> Result<Vec<Kernel>, ProductError> {
        let missing = || DoesNotFit::Parameter { reason: format!("no tile of the device holds 2^{log_len} values") };
        let tile = self.tile::<G::Element>(Length::Power(log_len)).ok_or_else(|| ProductError::Fits(missing()))?;
        let ntt = by.ntt(&self.context, log_len)?;
        let arrays = arrays(&ntt, rows);
        let pass = TransformPass::Tile { stages: log_len, log_tile: tile.log_values, log_regs: tile.log_regs };
        let transforms = if rows_b > 0 { 3 } else { 2 };
        // Both operands are read, at most as many words as a row has, and the rows written.
        Ok(together(
            &pass.kernel(&arrays).slowdown(ntt.slowdowns().of(&pass)),
            transforms,
            transforms as u64 * arrays.values(),
        ))
    }

    /// The transforms and products of all rows on the host, in one descent.
    fn host_products<G: NttField>(
        by: &Component<G>,
        (rows, rows_b): (usize, usize),
        log_len: u32,
        machine: &Machine,
    ) -> Option<Kernel> {
        let one = 1u64 << log_len;
        let (held, all) = ((rows + rows_b) as u64 * one, (2 * rows + rows_b) as u64 * one);
        let butterfly = host_butterfly_operations(by.arithmetic, by.field.order());
        let word_bytes = size_of::<G::Element>() as u64;
        let bytes = held * word_bytes;
        let tasks = if bytes < SERIAL_BYTES { 1 } else { u64::from(machine.processors).max(1) };
        let each = all.div_ceil(tasks);
        let operations = (each * u64::from(log_len) / 2) as f64 * butterfly;
        let moved = each * host_moves(word_bytes, log_len, machine);
        // Factors forward and backward; both operands are transformed side by side.
        let factors = 2 * host_factor_words(by.arithmetic, log_len);
        let kernel = Kernel::new("ntt_products", 1)
            .blocks(Blocks::even(tasks, 1, operations as u64 + HOST_CALL, moved, moved))
            .word_bytes(word_bytes as u32)
            .table_words(factors.saturating_mul(rows as u64))
            .footprint_bytes(factors.saturating_mul(word_bytes).saturating_add(bytes));
        (log_len > 0).then(|| if tasks == 1 { kernel.fused() } else { kernel })
    }

    /// Transforms of `count` arrays on an OpenCL device.
    fn transform<G: NttField>(
        &self,
        by: &Component<G>,
        count: usize,
        log_len: u32,
    ) -> Result<Vec<Kernel>, ProductError> {
        if log_len == 0 || count == 0 {
            return Ok(Vec::new());
        }
        let ntt = by.ntt(&self.context, log_len)?;
        let arrays = arrays(&ntt, count);
        let passes = by.passes(&ntt, count)?;
        let slowdowns = ntt.slowdowns();
        Ok(passes.iter().map(|pass| pass.kernel(&arrays).slowdown(slowdowns.of(pass))).collect())
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
        let price = match route.residues {
            Residues::Direct => STORE,
            Residues::Primes { bits, count } => store(count, if bits > 31 { 8 } else { 4 }),
        };
        let (words, moved) = (shape.count.saturating_mul(shape.len) as u64, count as u64 + 1);
        kernels.push(self.pass(&Pass { name: "transform_store", words, price, moved, word_bytes }, machine));
        Ok(kernels)
    }

    fn family<W: ResidueWord>(
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

/// Several transforms like `one` in one launch that moves so many words.
fn together(one: &Kernel, transforms: usize, words: u64) -> Vec<Kernel> {
    let first = one.clone().traffic_words(words);
    std::iter::once(first).chain((1..transforms).map(|_| one.clone().traffic_words(0).fused())).collect()
}

/// What a cyclic transform of `count` arrays is to the model.
fn arrays<G: NttField>(ntt: &Ntt<G>, count: usize) -> Arrays {
    Arrays { count, log_len: ntt.len().ilog2(), arithmetic: ntt.arithmetic(), negacyclic: false, natural: false }
}

impl<G: NttField> Component<G> {
    /// The transform's passes on an OpenCL device.
    fn passes(&self, ntt: &Ntt<G>, count: usize) -> Result<Arc<Vec<TransformPass>>, ProductError> {
        self.passes.get((ntt.len(), count), |&(len, count)| {
            let choice = ntt.explain(len.saturating_mul(count))?;
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

    fn program(&self, shape: &Shape, route: &Route, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let told = |error: ProductError| DoesNotFit::Parameter { reason: error.to_string() };
        for kernel in self.kernels(shape, route, machine).map_err(told)? {
            program.queue(kernel)?;
        }
        Ok(program)
    }
}

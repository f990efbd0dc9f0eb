//! Counts of the stages of a plan: operations and accesses of tiles, tables, and the kernels that launch them.

use manycore_model::{Blocks, ExecutionModel, Kernel, Machine};

use super::super::device::prepare::{padded, plain_items, tile_items};
use super::super::host::tables::row_twiddles;
use super::super::host::tasks::{parts_each, serial_bytes};
use super::super::plan::slots::Placed;
use super::super::plan::stages::{Method, MultiplyPass, Stage, Step, TilePass, Weights};
use super::super::tables::twiddle_lengths;
use super::shape::Shape;

/// Counts of one tile.
pub(super) struct TileCounts {
    pub(super) operations: u64,
    /// Values read and written in the tile's own memory, and read from the nearest cache.
    pub(super) accesses: u64,
}

impl Shape {
    /// The counts of a pass's tile. On the host its columns are rounded up to whole vectors.
    pub(super) fn tile(&self, pass: &TilePass) -> TileCounts {
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
    pub(super) fn steps(&self, rows: u64, steps: &[Step]) -> (u64, u64) {
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
    pub(super) fn twiddles(&self, pass: &TilePass) -> u64 {
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
    pub(super) fn table_values(&self, stage: &Stage) -> u64 {
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
    pub(super) fn kernel(&self, name: &str, items: u32, placed: &Placed, near_bytes: u64) -> Kernel {
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
    pub(super) fn products(pass: &MultiplyPass) -> u64 {
        if pass.weights == Weights::Ones { 0 } else { (pass.outer * pass.from.min(pass.to) * pass.inner) as u64 }
    }

    pub(super) fn device_kernel(&self, placed: &Placed, machine: &Machine) -> Kernel {
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

    pub(super) fn host_kernel(&self, placed: &Placed, machine: &Machine) -> Kernel {
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
}

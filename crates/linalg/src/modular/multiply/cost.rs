//! Counts of products of matrices, and the candidates: operations and memory by the sources of the kernels and of the host's code.

use manycore_device::Executor;
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_ntt::cost::Operations;
use manycore_tuning::Costed;

use super::plan::{ProductPlan, ProductTile};
use super::shape::ProductShape;
use super::{digits, host};
use crate::field::{MatrixField, TILE_COLUMNS, TILE_ROWS};
use crate::modular::algebra::LinearAlgebra;
use crate::modular::counts::HostCounts;

/// Operations of an item for its part of a product of 16 by 32 and 32 by 8 bytes, 128 products of bytes: those of a processor of
/// compute capability 8.0 in a clock are 2048 on tensor cores, and 64 multiply-adds of 32 bits on its lanes (NVIDIA A100 Tensor
/// Core GPU Architecture, 2020).
const TENSOR_OPERATIONS: u64 = 128 * 64 / 2048;

/// The place of an entry that goes to local memory: two parts of a number, two sums and comparisons, a product and two sums of 64
/// bits, a product and a sum.
const PLACE: Operations = Operations { int32: 8 + 2 * 2, int64: 1, ..Operations::NONE };

/// Products over a field on a device.
#[derive(Debug)]
pub(crate) struct Products<'a, F: MatrixField> {
    pub(crate) space: &'a LinearAlgebra<F>,
}

impl<F: MatrixField> Products<'_, F> {
    const WORD_BYTES: u64 = size_of::<F::Element>() as u64;

    /// Bytes of all matrices.
    fn bytes(shape: ProductShape) -> u64 {
        shape.words().saturating_mul(Self::WORD_BYTES)
    }

    /// All of it on the host.
    fn panels(&self, shape: ProductShape, machine: &Machine) -> Kernel {
        let counts = self.space.host_counts();
        let (rows, inner, columns) = shape.counts();
        let threads = machine.processors.max(1) as usize;
        let is_shared = threads > 1 && host::is_shared(shape.rows, shape.inner, shape.columns);
        let band = host::band(rows as usize, if is_shared { threads } else { 1 }) as u64;
        let tasks = rows.div_ceil(band);
        // A task copies all panels; the last rows and columns of tiles are computed and dropped.
        let entries = band.saturating_mul(HostCounts::filled(columns));
        let copied = inner.saturating_mul(HostCounts::filled(columns));
        let operations = counts
            .products(entries.saturating_mul(inner))
            .plus(counts.residue().times(entries.saturating_mul(inner.div_ceil(host::DEPTH as u64))))
            .plus(Operations::int32(copied));
        let accesses = copied.saturating_mul(1 + band / TILE_ROWS as u64);
        let traffic = rows
            .saturating_mul(inner.saturating_mul(columns.div_ceil(TILE_COLUMNS as u64)))
            .saturating_add(tasks.saturating_mul(inner.saturating_mul(columns)))
            .saturating_add(rows.saturating_mul(columns));
        let kernel = Kernel::new("matrix_product", 1)
            .blocks(Blocks::even(tasks, 1, operations.of_one_kind(machine).max(1), copied, entries))
            .operation(operations.kind())
            .word_bytes(Self::WORD_BYTES as u32)
            .local_accesses(accesses)
            .traffic_words(traffic)
            .footprint_bytes(Self::bytes(shape));
        if is_shared { kernel } else { kernel.fused() }
    }

    /// A launch of tiles in local memory.
    fn words(&self, shape: ProductShape, tile: ProductTile, machine: &Machine) -> Kernel {
        let counts = self.space.device_counts();
        let (rows, inner, columns) = shape.counts();
        let (width, items, depth) = (tile.width() as u64, tile.items() as u64, u64::from(tile.depth));
        let entries = u64::from(tile.registers).saturating_mul(u64::from(tile.registers));
        let groups = rows.div_ceil(width).saturating_mul(columns.div_ceil(width));
        let rounds = inner.div_ceil(depth);
        // Entries of both factors that an item brings to local memory in a round.
        let brought = 2 * (depth * width).div_ceil(items);
        let operations = PLACE
            .times(rounds.saturating_mul(brought))
            .plus(counts.sums.products(rounds.saturating_mul(depth)).times(entries))
            .plus(counts.sums.residue.plus(counts.sums.addition).plus(PLACE).times(entries));
        let traffic = groups
            .saturating_mul(rounds.saturating_mul(2 * depth * width))
            .saturating_add(rows.saturating_mul(columns));
        Kernel::new("matrix_product", items as u32)
            .blocks(Blocks::even(
                groups,
                items as u32,
                operations.of_one_kind(machine),
                rounds.saturating_mul(brought),
                entries,
            ))
            .operation(operations.kind())
            .word_bytes(Self::WORD_BYTES as u32)
            .local_words(tile.local_words() as u64)
            .local_accesses(rounds.saturating_mul(brought + depth * 2 * u64::from(tile.registers)))
            .traffic_words(traffic)
            .footprint_bytes(Self::bytes(shape))
    }

    /// A launch of products by digits, of as many columns of the first matrix as sums have room for.
    fn digits(&self, shape: ProductShape, machine: &Machine) -> Kernel {
        let (counts, of) = (self.space.device_counts(), digits::Shape::of(self.space.field().order()));
        let (rows, inner, columns) = shape.counts();
        let (height, width) = (of.rows() as u64, of.columns() as u64);
        let (digits, tiles) = (of.digits as u64, (of.tiles.0 as u64, of.tiles.1 as u64));
        let items = digits::GROUP as u64;
        let groups = rows.div_ceil(height).saturating_mul(columns.div_ceil(width));
        let rounds = inner.div_ceil(32);
        // Four entries of a row or a column are a task: their bytes are exchanged by eight permutations for each four digits.
        let tasks = (8 * height).div_ceil(items) + (8 * width).div_ceil(items);
        let task = PLACE.times(4).plus(Operations::int32(8 * digits.div_ceil(4)));
        let products = Operations::int32(digits * digits * tiles.0 * tiles.1 * TENSOR_OPERATIONS);
        // An item has four entries of a tile, each of as many sums; four of those are added by shifts and then reduced.
        let sums = 2 * digits - 1;
        let entry = Operations::long(0, 2 * sums).plus(counts.sums.residue.times(sums.div_ceil(4))).plus(PLACE);
        let entries = 4 * tiles.0 * tiles.1;
        let operations = task.times(tasks).plus(products).times(rounds).plus(entry.times(entries));
        let local = tasks * digits + 2 * digits * (tiles.1 + 2 * tiles.0);
        // Words of local memory have 4 bytes.
        let long = Self::WORD_BYTES / 4;
        let read = groups.saturating_mul(rounds.saturating_mul(32 * (height + width)));
        Kernel::new("product_digits", items as u32)
            .blocks(Blocks::even(
                groups,
                items as u32,
                operations.of_one_kind(machine),
                rounds.saturating_mul(4 * tasks * long),
                entries * long,
            ))
            .operation(operations.kind())
            .word_bytes(4)
            .local_words(of.local_bytes() as u64 / 4)
            .local_accesses(rounds.saturating_mul(local))
            .traffic_words(read.saturating_add(rows.saturating_mul(columns)).saturating_mul(long))
            .footprint_bytes(Self::bytes(shape))
    }

    /// The launches of a plan, each with how often it comes.
    fn kernels(&self, shape: ProductShape, plan: ProductPlan, machine: &Machine) -> Vec<(Kernel, u64)> {
        match plan {
            ProductPlan::Panels => vec![(self.panels(shape, machine), 1)],
            ProductPlan::Words(tile) => vec![(self.words(shape, tile, machine), 1)],
            ProductPlan::Digits => {
                let terms = digits::Shape::of(self.space.field().order()).terms();
                let (whole, rest) = (shape.inner / terms, shape.inner % terms);
                let parts = [(terms, whole), (rest, usize::from(rest > 0 || whole == 0))];
                let launch = |inner: usize| self.digits(ProductShape { inner, ..shape }, machine);
                let some = parts.into_iter().filter(|&(_, count)| count > 0);
                some.map(|(inner, count)| (launch(inner), count as u64)).collect()
            }
        }
    }
}

impl<F: MatrixField> Costed for Products<'_, F> {
    type Size = ProductShape;
    type Parameters = ProductPlan;

    fn name(&self) -> &'static str {
        "matrix-mul"
    }

    fn candidates(&self, _: &ProductShape, _: &Machine) -> Vec<ProductPlan> {
        let Executor::OpenCl(cl) = self.space.device().executor() else { return vec![ProductPlan::Panels] };
        let tiles = ProductTile::candidates(cl, size_of::<F::Element>()).unwrap_or_default();
        let has_digits = digits::has_tensor_cores(cl) && digits::fits(self.space, cl).unwrap_or(false);
        let digits = has_digits.then_some(ProductPlan::Digits);
        digits.into_iter().chain(tiles.into_iter().map(ProductPlan::Words)).collect()
    }

    fn program(&self, shape: &ProductShape, plan: &ProductPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for (kernel, count) in self.kernels(*shape, *plan, machine) {
            for _ in 0..count {
                program.queue(kernel.clone())?;
            }
        }
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;

    use super::*;

    fn shape(rows: usize, inner: usize, columns: usize) -> ProductShape {
        ProductShape { rows, inner, columns }
    }

    #[test]
    fn buckets_are_powers_of_two() {
        assert_eq!(shape(3, 64, 0).bucket(), shape(4, 64, 1));
        assert_eq!(shape(65, usize::MAX, 1).bucket(), shape(128, usize::MAX, 1));
    }

    #[test]
    fn the_host_counts_products_of_whole_tiles() {
        let space = LinearAlgebra::new(&Device::host_with(1).unwrap(), PrimeField::<u32>::new(2_147_483_647).unwrap());
        let space = space.unwrap();
        let products = Products { space: &space };
        // Sums of 48 products are folded a whole number of times.
        let kernel = products.panels(shape(64, 48, 64), space.machine());
        assert_eq!(kernel.block_count(), 1);
        let more = products.panels(shape(64, 48, 65), space.machine());
        // 33 columns more make a third and a half of the work.
        assert_eq!(2 * more.work().unwrap(), 3 * kernel.work().unwrap());
    }

    #[test]
    fn counts_of_the_largest_products_do_not_overflow() {
        let space = LinearAlgebra::new(&Device::host(), PrimeField::<u64>::new(101).unwrap()).unwrap();
        let most = shape(1 << 40, 1 << 40, 1 << 40);
        let program = Products { space: &space }.program(&most, &ProductPlan::Panels, space.machine()).unwrap();
        assert!(space.machine().estimate(&program).unwrap().seconds > 1e9);
    }
}

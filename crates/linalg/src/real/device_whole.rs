//! Elimination of doubles in one launch on an OpenCL device, to the bits of condensation step by step: blocks of rows whose columns
//! stand in registers, and groups that wait for each other (Golub and Van Loan, Matrix Computations, section 3.4, with rows for
//! columns).

use manycore_device::{Buffer, Defines, Device, DeviceKind, OpenCl};

use super::device_blocks::Eliminated;
use super::options::Pivoting;
use super::tiles::Tiles;
use crate::error::LinalgError;

// SAFETY: `eliminate` alone launches it, on a square matrix of the order in its arguments, with a shape for the device,
// all of whose groups run at the same time, and memory for their records and signals.
manycore_device::kernel! {
    /// Eliminates a matrix.
    unsafe REAL_ELIMINATE in manycore_kernels::linalg::REAL_WHOLE: real_eliminate
}

/// Sizes of tiles and panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    tiles: Tiles,
    /// Columns of a block that an item keeps in registers.
    kept: usize,
    /// Groups of a panel, at most.
    panels: usize,
}

/// Rows of blocks.
const BLOCKS: [usize; 3] = [8, 16, 32];

impl Shape {
    /// The shape for blocks of `block` rows on a device, a power of two from 8 to 32: as many columns an item as 32 words hold. `None`
    /// where groups cannot be as large, or the groups of a panel do not run at the same time.
    pub(super) fn of(cl: &OpenCl, order: usize, block: usize) -> Option<Self> {
        if !BLOCKS.contains(&block) {
            return None;
        }
        let info = cl.info();
        let is_gpu = info.kind == DeviceKind::Gpu;
        // A panel's groups compare their candidates by 32 items, one or two each.
        let shapes = [(64, 8, 2, 32), (256, 16, 4, 32), (256, 16, 4, 64)].map(|(group, side, regs, most)| {
            let tiles = Tiles { block, group, line: block.min(16), side, regs };
            Self { tiles, kept: 32 / block, panels: info.groups_at_once().min(most) }
        });
        let fits = |shape: &Self| {
            shape.tiles.group <= info.group_limit
                && is_gpu == (shape.tiles.group > 64)
                && shape.local_bytes() as u64 <= info.local_memory_bytes
                && shape.panel_groups(order) <= shape.panels
        };
        shapes.into_iter().find(fits)
    }

    /// Bytes of local memory, at most.
    fn local_bytes(&self) -> usize {
        let Tiles { block, group, .. } = self.tiles;
        let tile = block * (self.tiles.rows() + 1 + self.tiles.columns());
        let strip = block * (block + 1 + self.tiles.side);
        let lines = block * (block + 2 * self.tiles.lines());
        let panel = block + self.panels * (block + 2);
        let compared = group * (size_of::<u64>() + size_of::<u32>());
        tile.max(strip).max(lines).max(panel) * size_of::<f64>() + compared + 64
    }

    /// Groups of the first panel.
    fn panel_groups(&self, order: usize) -> usize {
        order.div_ceil(self.tiles.group * self.kept)
    }

    /// Groups that have something to do at the same time.
    fn groups(&self, cl: &OpenCl, order: usize) -> usize {
        let tiles = self.tiles.count(order, order) + self.panel_groups(order);
        tiles.max(order.div_ceil(self.tiles.lines())).clamp(1, cl.info().groups_at_once())
    }

    fn defines(&self, cl: &OpenCl, pivoting: Pivoting) -> Defines {
        self.tiles
            .defines()
            .set("RULE", pivoting.rule())
            .set("KEPT", format!("{}u", self.kept))
            .set("PANELS", format!("{}u", self.panels))
            .set("REDUX", u8::from(cl.info().compute_capability().is_some_and(|capability| capability >= 80)))
    }
}

/// Eliminates a matrix of an order above 0, which it overwrites.
pub(super) fn eliminate(
    device: &Device,
    cl: &OpenCl,
    order: usize,
    mut a: Buffer<f64>,
    pivoting: Pivoting,
    shape: Shape,
) -> Result<Eliminated, LinalgError> {
    let kernel = cl.kernel(&REAL_ELIMINATE, &shape.defines(cl, pivoting))?;
    let numbers: Vec<u32> = (0..order as u32).collect();
    let mut columns = device.upload(&numbers)?;
    let (mut swaps, mut pivots) = (device.zeros::<u32>(order)?, device.zeros::<f64>(order)?);
    let (block, panels) = (shape.tiles.block, shape.panels);
    let blocks = order.div_ceil(block);
    let mut moves = device.scratch::<u32>(2 * block)?;
    let mut records = device.zeros::<u64>(2 * panels * (2 * block + 4))?;
    let mut signals = device.zeros::<u32>(5 * blocks)?;
    cl.launch(&kernel)
        .buffer(&mut a)
        .value(order as u32)
        .buffer(&mut columns)
        .buffer(&mut swaps)
        .buffer(&mut pivots)
        .buffer(&mut moves)
        .buffer(&mut records)
        .buffer(&mut signals)
        .groups(shape.groups(cl, order), shape.tiles.group)
        .bytes((2 * blocks * order * order * size_of::<f64>() / 3) as u64)
        .operations(2 * (order * order * order / 3) as u64)
        .run()?;
    Ok(Eliminated { a, swaps, pivots, block })
}

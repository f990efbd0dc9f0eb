//! Elimination of doubles in one launch on an OpenCL device, to the bits of condensation step by step: blocks of rows whose columns
//! stand in registers, and groups that wait for each other (Golub and Van Loan, Matrix Computations, section 3.4, with rows for
//! columns).

use manycore_device::{Buffer, Defines, Device, DeviceKind, OpenCl, WordType};

use super::Pivoting;
use super::device_blocks::Eliminated;
use crate::error::LinalgError;

manycore_device::kernel! {
    /// Eliminates a matrix.
    REAL_ELIMINATE in manycore_kernels::REAL_WHOLE: real_eliminate(
        a: buffer<element>, order: u32, columns: buffer<u32>, swaps: buffer<u32>, pivots: buffer<element>,
        moves: buffer<u32>, records: buffer<u64>, signals: buffer<u32>
    )
}

/// Sizes of blocks and groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Rows of a block.
    pub(super) block: usize,
    /// Columns of a block that an item keeps in registers.
    pub(super) kept: usize,
    /// Items of a group.
    pub(super) group: usize,
    /// Items along a row of a tile of the update, and entries of each along each side.
    side: usize,
    regs: usize,
    /// Groups of a panel, at most.
    panels: usize,
}

/// Rows of blocks.
const BLOCKS: [usize; 3] = [8, 16, 32];

impl Shape {
    /// The shape for blocks of so many rows on a device, a power of two from 8 to 32: as many columns an item as 32 words hold.
    /// `None` where groups cannot be as large, or the groups of a panel do not run at the same time.
    pub(super) fn of(cl: &OpenCl, order: usize, block: usize) -> Option<Self> {
        if !BLOCKS.contains(&block) {
            return None;
        }
        let info = cl.info();
        let is_gpu = info.kind == DeviceKind::Gpu;
        // A panel's groups compare their candidates by 32 items, one or two each.
        let shapes = [(64, 8, 2, 32), (256, 16, 4, 32), (256, 16, 4, 64)].map(|(group, side, regs, most)| {
            let panels = info.groups_at_once().min(most);
            Self { block, kept: 32 / block, group, side, regs, panels }
        });
        let fits = |shape: &Self| {
            shape.group <= info.group_limit
                && is_gpu == (shape.group > 64)
                && shape.local_bytes() as u64 <= info.local_memory_bytes
                && order.div_ceil(shape.group * shape.kept) <= shape.panels
        };
        shapes.into_iter().find(fits)
    }

    /// Bytes of local memory, at most.
    fn local_bytes(&self) -> usize {
        let (down, across) = (self.group / self.side * self.regs, self.side * self.regs);
        let tiles = self.block * (down + 1 + across);
        let lines = self.block * (self.block + 2 * self.group / self.line());
        let panel = self.block + self.panels * (self.block + 2);
        let compared = self.group * (size_of::<u64>() + size_of::<u32>());
        tiles.max(lines).max(panel) * size_of::<f64>() + compared + 64
    }

    /// Items of a row of multipliers.
    fn line(&self) -> usize {
        self.block.min(16)
    }

    /// Groups that have something to do at the same time.
    fn groups(&self, cl: &OpenCl, order: usize) -> usize {
        let (down, across) = (self.group / self.side * self.regs, self.side * self.regs);
        let tiles = order.div_ceil(down) * order.div_ceil(across) + order.div_ceil(self.group * self.kept);
        let lines = order.div_ceil(self.group / self.line());
        tiles.max(lines).clamp(1, cl.info().groups_at_once())
    }

    fn defines(&self, cl: &OpenCl, pivoting: Pivoting) -> Defines {
        let number = |count: usize| format!("{count}u");
        Defines::new()
            .element(WordType::F64)
            .set("RULE", if pivoting == Pivoting::First { 0 } else { 2 })
            .set("BLOCK", number(self.block))
            .set("KEPT", number(self.kept))
            .set("PANELS", number(self.panels))
            .set("REDUX", u8::from(cl.info().compute_capability().is_some_and(|capability| capability >= 80)))
            .set("GROUP", number(self.group))
            .set("LINE", number(self.line()))
            .set("SIDE", number(self.side))
            .set("REGS", number(self.regs))
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
    let blocks = order.div_ceil(shape.block);
    let mut moves = device.scratch::<u32>(2 * shape.block)?;
    let mut records = device.zeros::<u64>(2 * shape.panels * (2 * shape.block + 4))?;
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
        .groups(shape.groups(cl, order), shape.group)
        .bytes((2 * blocks * order * order * size_of::<f64>() / 3) as u64)
        .operations(2 * (order * order * order / 3) as u64)
        .run()?;
    Ok(Eliminated { a, swaps, pivots, block: shape.block })
}

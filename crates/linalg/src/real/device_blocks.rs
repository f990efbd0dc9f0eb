//! Elimination of doubles by blocks of rows on an OpenCL device, to the bits of condensation step by step: a launch for each row of
//! a block, and two for the rows below it (Golub and Van Loan, Matrix Computations, section 3.4, with rows for columns).

use manycore_device::{Buffer, Device, DeviceKind, OpenCl, Team};

use super::blocked;
use super::factors::{Factors, Triangular};
use super::options::Pivoting;
use super::tiles::Tiles;
use crate::error::LinalgError;

// SAFETY: this file alone launches them, on a square matrix of the order in their arguments, with memory for the
// candidates of as many groups as there are; places of pivots are found by kernels among those that there are, of
// numbers that are none, too.
manycore_device::kernel! {
    /// Takes the pivot of a row from those below it within a block, and finds candidates of the next.
    unsafe BLOCK_STEP in manycore_kernels::linalg::REAL_BLOCKS: block_step

    /// Makes the multipliers of the rows below a block.
    unsafe BLOCK_MULTIPLIERS in manycore_kernels::linalg::REAL_BLOCKS: block_multipliers

    /// Changes the rest of the rows below a block.
    unsafe BLOCK_UPDATE in manycore_kernels::linalg::REAL_BLOCKS: block_update
}

/// The tiles of a device, and the places of a group of a step.
fn sizes(cl: &OpenCl) -> (Tiles, usize) {
    if cl.info().kind == DeviceKind::Gpu && cl.info().group_limit >= 256 {
        (Tiles { block: 32, group: 256, line: 16, side: 16, regs: 4 }, 32)
    } else {
        (Tiles { block: 16, group: 64, line: 8, side: 8, regs: 2 }, 16)
    }
}

/// What elimination leaves on a device.
pub(super) struct Eliminated {
    /// The factors, `L` below the diagonal and `U` from it on, with rows below each block in the order of columns after it.
    pub(super) a: Buffer<f64>,
    /// For each row the place that its pivot's column was exchanged from; the order where there was no pivot; for row 0 more than
    /// the order where groups waited for each other in vain.
    pub(super) swaps: Buffer<u32>,
    pub(super) pivots: Buffer<f64>,
    /// Rows of a block.
    pub(super) block: usize,
}

impl Eliminated {
    /// The pivots, and the factors where a team is to arrange them.
    pub(super) fn read(&self, cl: &OpenCl, order: usize, team: Option<Team<'_>>) -> Result<Triangular, LinalgError> {
        let swaps = self.swaps.download()?;
        if swaps.first().is_some_and(|&place| place as usize > order) {
            return Err(LinalgError::Stalled { device: cl.info().name.clone() });
        }
        let mut rank = order;
        for (row, &place) in swaps.iter().enumerate() {
            let place = place as usize;
            if place == order {
                rank = row;
                break;
            }
            // What follows counts on it.
            if !(row..order).contains(&place) {
                return Err(LinalgError::Pivot { device: cl.info().name.clone(), row, column: place });
            }
        }
        let mut pivots = if rank < order { Vec::new() } else { self.pivots.download()? };
        let is_odd = (0u32..).zip(&swaps).filter(|&(row, &place)| row != place).count() % 2 == 1;
        pivots.iter_mut().take(usize::from(is_odd)).for_each(|pivot| *pivot = -*pivot);
        let Some(team) = team else { return Ok(Triangular { pivots, factors: None }) };
        // The columns' order at the end of each block, which is that of its rows.
        let mut own: Vec<usize> = (0..order).collect();
        let mut orders = Vec::new();
        for (block, swaps) in swaps.chunks(self.block).enumerate().take(rank / self.block + 1) {
            // Rows behind one without pivot may exchange columns that have none.
            for (row, &place) in (block * self.block..).zip(swaps).filter(|&(_, &place)| (place as usize) < order) {
                own.swap(row, place as usize);
            }
            orders.push(own.clone());
        }
        let columns = blocked::arranged(own, rank);
        let mut words = self.a.download()?;
        blocked::arrange(team, &mut words, (self.block, &orders), (rank, &columns));
        Ok(Triangular { pivots, factors: Some(Factors { rank, rows: (0..order).collect(), columns, words }) })
    }
}

/// Eliminates a matrix of an order above 0, which it overwrites, with pivots that the first row left has: those of
/// [`Pivoting::First`] and [`Pivoting::Partial`].
pub(super) fn eliminate(
    device: &Device,
    cl: &OpenCl,
    order: usize,
    mut a: Buffer<f64>,
    pivoting: Pivoting,
) -> Result<Eliminated, LinalgError> {
    let (tiles, width) = sizes(cl);
    let defines = tiles.defines().set("RULE", pivoting.rule()).set("WIDTH", format!("{width}u"));
    let kernel = |spec| cl.kernel(spec, &defines);
    let (steps, multipliers, update) = (kernel(&BLOCK_STEP)?, kernel(&BLOCK_MULTIPLIERS)?, kernel(&BLOCK_UPDATE)?);
    let most = order.div_ceil(width);
    let numbers: Vec<u32> = (0..order as u32).collect();
    let mut columns = device.upload(&numbers)?;
    let (mut swaps, mut pivots) = (device.zeros::<u32>(order)?, device.zeros::<f64>(order)?);
    let (mut scores, mut places) = (device.zeros::<f64>(2 * most)?, device.zeros::<u32>(2 * most)?);
    let mut candidates = device.zeros::<u32>(2 * (most + 1))?;
    let mut values = device.zeros::<f64>(2 * most * tiles.block)?;
    let mut front = device.zeros::<f64>(2 * tiles.block)?;
    for first in (0..order).step_by(tiles.block) {
        let end = order.min(first + tiles.block);
        let (count, left) = (end - first, order - first);
        for step in 0..=count {
            let bytes = 2 * (count - step) * left * size_of::<f64>();
            cl.launch(&steps)
                .buffer(&mut a)
                .value(order as u32)
                .value(first as u32)
                .value(count as u32)
                .value(step as u32)
                .buffer(&mut columns)
                .buffer(&mut swaps)
                .buffer(&mut pivots)
                .buffer(&mut scores)
                .buffer(&mut candidates)
                .buffer(&mut places)
                .buffer(&mut values)
                .buffer(&mut front)
                .groups(left.div_ceil(width), tiles.group)
                .bytes(bytes as u64)
                .operations((2 * (count - step) * left) as u64)
                .run()?;
        }
        let below = order - end;
        if below > 0 {
            cl.launch(&multipliers)
                .buffer(&mut a)
                .value(order as u32)
                .value(first as u32)
                .value(count as u32)
                .input(&swaps)
                .groups(below.div_ceil(tiles.lines()), tiles.group)
                .bytes((4 * below * count * size_of::<f64>()) as u64)
                .operations((below * count * count) as u64)
                .run()?;
            cl.launch(&update)
                .buffer(&mut a)
                .value(order as u32)
                .value(first as u32)
                .value(count as u32)
                .groups(tiles.count(below, below), tiles.group)
                .bytes((2 * below * below * size_of::<f64>()) as u64)
                .operations((2 * below * below * count) as u64)
                .run()?;
        }
    }
    Ok(Eliminated { a, swaps, pivots, block: tiles.block })
}

//! Steps of a star in blocks on an OpenCL device, by the kernels of the star that it holds whole.

use manycore_device::{Buffer, DeviceError, Kernel};

use super::factors::{Factors, Panel, Pivot};
use crate::star::device::{COLUMNS, DIAGONALS, OnDevice, ROWS, SQUARE, UPDATE};
use crate::weight::Weight;

/// A tile's rows and columns, and the rows of pivots before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TileShape {
    pub(super) rows: usize,
    pub(super) width: usize,
    pub(super) padded: usize,
    pub(super) side: usize,
}

impl OnDevice<'_> {
    pub(super) fn pivot<T: Weight>(
        &self,
        (order, side): (usize, usize),
        block: &[T],
    ) -> Result<Option<Pivot<T>>, DeviceError> {
        let device = self.planner.device();
        let (_, tile, defines) = self.blocked::<T>()?;
        let blocks = order.div_ceil(side);
        let mut w = device.upload(block)?;
        let mut closed = device.scratch::<T>(blocks * side * side)?;
        let mut p = device.scratch::<T>(order * side)?;
        let mut rows = device.scratch::<T>(blocks * side * order)?;
        rows.fill(T::ABSENT)?;
        let mut columns = device.scratch::<T>(blocks * order * side)?;
        let mut flag = device.zeros::<u32>(1)?;
        let diagonals = self.kernel::<T>(&DIAGONALS, defines.clone())?;
        let of_rows = self.kernel::<T>(&ROWS, defines.clone())?;
        let of_columns = self.kernel::<T>(&COLUMNS, defines.clone())?;
        let update = self.kernel::<T>(&UPDATE, defines)?;
        for k in 0..blocks {
            self.diagonals(&diagonals, &w, &mut closed, (k, 1), (order, side), T::ZERO, &mut flag)?;
            self.rows(&of_rows, (&mut w, &closed), k, (order, order, order), side, k as u64)?;
            let own = k * side * order..((k + 1) * side).min(order) * order;
            rows.view_mut(own.clone())?.copy_from(w.view(own)?)?;
            self.launch(&of_columns)
                .buffer(&mut w)
                .input(&closed)
                .buffer(&mut p)
                .value(k as u64)
                .value(order as u64)
                .groups(blocks, SQUARE)
                .bytes((3 * order * side * size_of::<T>()) as u64)
                .operations((order * side * side) as u64)
                .run()?;
            columns.view_mut(k * order * side..(k + 1) * order * side)?.copy_from(&p)?;
            self.launch(&update)
                .buffer(&mut w)
                .input(&p)
                .value(0u64)
                .value(side as u64)
                .value(k as u64)
                .value(0u64)
                .value(order as u64)
                .value(order as u64)
                .value(order as u64)
                .value(1u32)
                .value(T::ZERO)
                .buffer(&mut flag)
                .groups(order.div_ceil(tile).pow(2), SQUARE)
                .bytes((2 * order * order * size_of::<T>()) as u64)
                .operations((order * order * side) as u64)
                .run()?;
        }
        if flag.download()?.first() != Some(&0) {
            return Ok(None);
        }
        let factors = Factors { order, side, closed: closed.download()?, columns: columns.download()? };
        Ok(Some(Pivot { block: w.download()?, factors, rows: rows.download()? }))
    }

    pub(super) fn panel<T: Weight>(
        &self,
        factors: &Factors<T>,
        words: &[T],
        width: usize,
    ) -> Result<Panel<T>, DeviceError> {
        let device = self.planner.device();
        let Factors { order, side, .. } = *factors;
        let (_, _, defines) = self.blocked::<T>()?;
        // A copy of the rows of the diagonal block stands before all others, for launches that read it and write the others.
        let front = side * width;
        let mut w = device.scratch::<T>(front + order * width)?;
        w.view_mut(front..)?.write(words)?;
        let behind = |words: &[T]| -> Result<Buffer<T>, DeviceError> {
            let mut buffer = device.scratch::<T>(side * side + words.len())?;
            buffer.view_mut(..side * side)?.fill(T::ABSENT)?;
            buffer.view_mut(side * side..)?.write(words)?;
            Ok(buffer)
        };
        let (closed, columns) = (behind(&factors.closed)?, behind(&factors.columns)?);
        let mut at_pivots = device.scratch::<T>(factors.padded() * width)?;
        at_pivots.fill(T::ABSENT)?;
        let mut flag = device.zeros::<u32>(1)?;
        let of_rows = self.kernel::<T>(&ROWS, defines.clone())?;
        let update = self.kernel::<T>(&UPDATE, defines)?;
        let shape = TileShape { rows: order, width, padded: side, side };
        for k in 0..factors.blocks() {
            self.rows(&of_rows, (&mut w, &closed), k + 1, (side + order, width, width), side, u64::MAX)?;
            let own = k * front..((k + 1) * side).min(order) * width;
            at_pivots.view_mut(own.clone())?.copy_from(w.view(own.start + front..own.end + front)?)?;
            w.view_mut(..front)?.copy_from(at_pivots.view(k * front..(k + 1) * front)?)?;
            self.step(&update, (&mut w, &columns), (k * order * side, side), 0, shape, &mut flag)?;
        }
        Ok(Panel { tile: w.view(front..)?.download()?, at_pivots: at_pivots.download()? })
    }

    /// `W[R, C] = max(W[R, C], W[R, P] W[P, C])`: `w` has the rows of pivots and then the tile's, `left` has the columns of pivots behind
    /// as many rows as there are pivots, which are not read.
    pub(super) fn update<T: Weight>(
        &self,
        w: &mut Buffer<T>,
        left: &Buffer<T>,
        shape: TileShape,
    ) -> Result<(), DeviceError> {
        let (_, _, defines) = self.blocked::<T>()?;
        let update = self.kernel::<T>(&UPDATE, defines)?;
        let mut flag = self.planner.device().zeros::<u32>(1)?;
        for k in 0..shape.padded / shape.side {
            self.step(&update, (w, left), (k * shape.side, shape.padded), k, shape, &mut flag)?;
        }
        Ok(())
    }

    /// All rows behind those of pivots by diagonal block `k`, whose factors are at `offset` in rows of `stride` words.
    fn step<T: Weight>(
        &self,
        update: &Kernel,
        (w, left): (&mut Buffer<T>, &Buffer<T>),
        (offset, stride): (usize, usize),
        k: usize,
        TileShape { rows, width, padded, side }: TileShape,
        flag: &mut Buffer<u32>,
    ) -> Result<(), DeviceError> {
        let (_, tile, _) = self.blocked::<T>()?;
        self.launch(update)
            .buffer(w)
            .input(left)
            .value(offset as u64)
            .value(stride as u64)
            .value(k as u64)
            .value(padded as u64)
            .value((padded + rows) as u64)
            .value(width as u64)
            .value(width as u64)
            .value(0u32)
            .value(T::ZERO)
            .buffer(flag)
            .groups(rows.div_ceil(tile) * width.div_ceil(tile), SQUARE)
            .bytes((2 * rows * width * size_of::<T>()) as u64)
            .operations((rows * width * side) as u64)
            .run()
    }
}

//! Weighted sums of inverses of triangular factors and of what a product leaves, on an OpenCL device, to the bits of the host
//! (Rump, Acta Numerica 19 (2010), section 10, for what they bound).

use manycore_device::{Buffer, Defines, Device, DeviceKind, Kernel, OpenCl};

use super::tiles::Tiles;
use super::triangular::LANES;
use crate::error::LinalgError;

// SAFETY: this file alone launches them, on square matrices of the order in their arguments and vectors of that length.
manycore_device::kernel! {
    /// Begins an inverse, or what is left of a product.
    unsafe BOUND_BEGIN in manycore_kernels::linalg::REAL_BOUND: bound_begin

    /// Finishes some rows of an inverse.
    unsafe BOUND_SOLVE in manycore_kernels::linalg::REAL_BOUND: bound_solve

    /// Takes their products from the rows behind.
    unsafe BOUND_UPDATE in manycore_kernels::linalg::REAL_BOUND: bound_update

    /// Takes a product from entries.
    unsafe BOUND_PRODUCT in manycore_kernels::linalg::REAL_BOUND: bound_product

    /// Sums rows.
    unsafe BOUND_SUMS in manycore_kernels::linalg::REAL_BOUND: bound_sums
}

/// Small tiles, and groups that solve and sum.
const SMALL: Tiles = Tiles { block: LANES, group: 64, line: 8, side: 8, regs: 2 };
/// The tiles of GPUs.
const LARGE: Tiles = Tiles { block: LANES, group: 256, line: 16, side: 16, regs: 4 };

/// Triangular factors on a device, `L` below the diagonal and `U` from it on.
pub(super) struct DeviceSums<'a> {
    device: &'a Device,
    cl: &'a OpenCl,
    order: usize,
    factors: Buffer<f64>,
    tiles: Tiles,
    begin: Kernel,
    solve: Kernel,
    update: Kernel,
    product: Kernel,
    sums: Kernel,
}

impl<'a> DeviceSums<'a> {
    pub(super) fn new(device: &'a Device, cl: &'a OpenCl, order: usize, factors: &[f64]) -> Result<Self, LinalgError> {
        let is_large = cl.info().kind == DeviceKind::Gpu && cl.info().group_limit >= 256;
        let tiles = if is_large { LARGE } else { SMALL };
        let (small, defines) = (SMALL.defines(), tiles.defines());
        let kernel = |spec, defines: &Defines| cl.kernel(spec, defines);
        Ok(Self {
            device,
            cl,
            order,
            factors: device.upload(factors)?,
            tiles,
            begin: kernel(&BOUND_BEGIN, &defines)?,
            solve: kernel(&BOUND_SOLVE, &small)?,
            update: kernel(&BOUND_UPDATE, &defines)?,
            product: kernel(&BOUND_PRODUCT, &defines)?,
            sums: kernel(&BOUND_SUMS, &small)?,
        })
    }

    /// `|X| weights` for the inverse `X` of `L`.
    pub(super) fn lower(&self, weights: &[f64]) -> Result<Vec<f64>, LinalgError> {
        self.weighted(&self.inverse(false)?, weights)
    }

    /// `|Y| weights` for the inverse `Y` of `U`, and `|L - matrix Y| weights`: all from the last row and column to the first.
    pub(super) fn upper(&self, matrix: &[f64], weights: &[f64]) -> Result<[Vec<f64>; 2], LinalgError> {
        let inverse = self.inverse(true)?;
        let matrix = self.device.upload(matrix)?;
        let mut left = self.begun(true)?;
        let (order, words) = (self.order as u64, size_of::<f64>() as u64);
        self.cl
            .launch(&self.product)
            .buffer(&mut left)
            .input(&matrix)
            .input(&inverse)
            .value(self.order as u32)
            .groups(self.tiles.count(self.order, self.order), self.tiles.group)
            .bytes(4 * order * order * words)
            .operations(order.pow(3))
            .run()?;
        Ok([self.weighted(&inverse, weights)?, self.weighted(&left, weights)?])
    }

    /// The identity, or `L` from the last entry to the first.
    fn begun(&self, is_lower: bool) -> Result<Buffer<f64>, LinalgError> {
        let mut x = self.device.scratch(self.order * self.order)?;
        self.cl
            .launch(&self.begin)
            .buffer(&mut x)
            .input(&self.factors)
            .value(self.order as u32)
            .value(u32::from(is_lower))
            .items(self.order * self.order, self.tiles.group)
            .run()?;
        Ok(x)
    }

    /// The inverse of `L`, or of `U` from the last row and column to the first: a lower triangle.
    fn inverse(&self, is_upper: bool) -> Result<Buffer<f64>, LinalgError> {
        let mut x = self.begun(false)?;
        let order = self.order;
        // As many rows at a time as the host takes columns: it leaves out the products with zeros before them.
        for first in (0..order).step_by(LANES) {
            let end = order.min(first + LANES);
            let below = order - end;
            for (kernel, groups, group) in [
                (&self.solve, end.div_ceil(SMALL.group), SMALL.group),
                (&self.update, self.tiles.count(below, end), self.tiles.group),
            ] {
                if groups > 0 {
                    self.cl
                        .launch(kernel)
                        .buffer(&mut x)
                        .input(&self.factors)
                        .value(order as u32)
                        .value(first as u32)
                        .value((end - first) as u32)
                        .value(u32::from(is_upper))
                        .groups(groups, group)
                        .operations((2 * (end - first) * end * below) as u64)
                        .run()?;
                }
            }
        }
        Ok(x)
    }

    /// `|x| weights`.
    fn weighted(&self, x: &Buffer<f64>, weights: &[f64]) -> Result<Vec<f64>, LinalgError> {
        let weights = self.device.upload(weights)?;
        let mut sums = self.device.scratch(self.order)?;
        self.cl
            .launch(&self.sums)
            .input(x)
            .input(&weights)
            .buffer(&mut sums)
            .value(self.order as u32)
            .groups(self.order, SMALL.group)
            .bytes((self.order * self.order * size_of::<f64>()) as u64)
            .run()?;
        Ok(sums.download()?)
    }
}

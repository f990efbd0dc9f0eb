//! The reduction to Hessenberg form on an OpenCL device: five launches a column, and nothing read back.

use std::sync::Arc;

use manycore_device::{Buffer, Kernel, OpenCl};

use super::steps::Steps;
use crate::block::GROUP;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;

// SAFETY: this file alone launches them, on a square matrix of the order in their arguments; the rows of pivots that
// kernels read were found by kernels among those that there are.
manycore_device::kernel! {
    /// Finds the pivot of a column.
    unsafe HESSENBERG_PIVOT in manycore_kernels::linalg::HESSENBERG: hessenberg_pivot

    /// Exchanges rows.
    unsafe HESSENBERG_EXCHANGE in manycore_kernels::linalg::HESSENBERG: hessenberg_exchange

    /// Exchanges columns.
    unsafe HESSENBERG_COLUMNS in manycore_kernels::linalg::HESSENBERG: hessenberg_columns

    /// Takes a row from others.
    unsafe HESSENBERG_ROWS in manycore_kernels::linalg::HESSENBERG: hessenberg_rows

    /// Adds columns to one.
    unsafe HESSENBERG_COMBINE in manycore_kernels::linalg::HESSENBERG: hessenberg_combine
}

/// Rows that an item changes.
const BAND: usize = 4;

pub(super) struct DeviceSteps<'a, F: MatrixField> {
    space: &'a LinearAlgebra<F>,
    cl: &'a OpenCl,
    a: &'a mut Buffer<F::Element>,
    order: usize,
    group: usize,
    kernels: [Arc<Kernel>; 5],
    state: Buffer<u32>,
    inverse: Buffer<F::Element>,
    multipliers: Buffer<F::Element>,
}

impl<'a, F: MatrixField> DeviceSteps<'a, F> {
    pub(super) fn new(
        space: &'a LinearAlgebra<F>,
        cl: &'a OpenCl,
        a: &'a mut Buffer<F::Element>,
        order: usize,
    ) -> Result<Self, LinalgError> {
        let device = space.device();
        // Sums of a group go by halves.
        let group = 1 << GROUP.min(cl.info().group_limit).max(1).ilog2();
        let defines = space.defines().set("GROUP", format!("{group}u")).set("BAND", format!("{BAND}u"));
        let summing = defines.clone().set("SUM_TERMS", space.sum_terms());
        let kernel = |spec| space.kernel(cl, spec, defines.clone());
        let kernels = [
            kernel(&HESSENBERG_PIVOT)?,
            kernel(&HESSENBERG_EXCHANGE)?,
            kernel(&HESSENBERG_COLUMNS)?,
            kernel(&HESSENBERG_ROWS)?,
            space.kernel(cl, &HESSENBERG_COMBINE, summing)?,
        ];
        let (state, inverse, multipliers) = (device.zeros(2)?, device.scratch(1)?, device.scratch(order)?);
        Ok(Self { space, cl, a, order, group, kernels, state, inverse, multipliers })
    }
}

impl<F: MatrixField> Steps for DeviceSteps<'_, F> {
    fn pivot(&mut self, k: usize) -> Result<(), LinalgError> {
        let (p, reciprocal) = self.space.modulus();
        self.cl
            .launch(&self.kernels[0])
            .input(&*self.a)
            .value(self.order as u32)
            .value(k as u32)
            .buffer(&mut self.state)
            .buffer(&mut self.inverse)
            .value(p)
            .value(reciprocal)
            .groups(1, self.group)
            .run()?;
        Ok(())
    }

    fn exchange(&mut self, k: usize) -> Result<(), LinalgError> {
        let (p, reciprocal) = self.space.modulus();
        self.cl
            .launch(&self.kernels[1])
            .buffer(&mut *self.a)
            .value(self.order as u32)
            .value(k as u32)
            .input(&self.state)
            .input(&self.inverse)
            .buffer(&mut self.multipliers)
            .value(p)
            .value(reciprocal)
            .items(self.order, self.group)
            .run()?;
        self.cl
            .launch(&self.kernels[2])
            .buffer(&mut *self.a)
            .value(self.order as u32)
            .value(k as u32)
            .input(&self.state)
            .items(self.order, self.group)
            .run()?;
        Ok(())
    }

    fn update(&mut self, k: usize) -> Result<(), LinalgError> {
        let (p, reciprocal) = self.space.modulus();
        let (below, behind) = (self.order - k - 2, self.order - k);
        let entries = below * behind + self.order * below;
        self.cl
            .launch(&self.kernels[3])
            .buffer(&mut *self.a)
            .value(self.order as u32)
            .value(k as u32)
            .input(&self.state)
            .input(&self.multipliers)
            .value(p)
            .value(reciprocal)
            .groups(behind.div_ceil(self.group) * below.div_ceil(BAND), self.group)
            .bytes((2 * below * behind * size_of::<F::Element>()) as u64)
            .operations(entries as u64)
            .run()?;
        self.cl
            .launch(&self.kernels[4])
            .buffer(&mut *self.a)
            .value(self.order as u32)
            .value(k as u32)
            .input(&self.state)
            .input(&self.multipliers)
            .value(p)
            .value(reciprocal)
            .groups(self.order, self.group)
            .bytes((self.order * below * size_of::<F::Element>()) as u64)
            .run()?;
        Ok(())
    }
}

//! The steps of elimination on an OpenCL device: three launches a column, and nothing read back before the end.

use std::sync::Arc;

use manycore_device::{Buffer, DeviceError, Kernel, OpenCl, Word};

use super::plan::Reach;
use super::steps::{Eliminated, Extent, Progress, Steps};
use crate::block::{GROUP, word_at};
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;

// SAFETY: this file alone launches them, on a matrix of the extent's rows and width; rows and columns of pivots that
// kernels read were found by kernels among those that there are, and are checked where the host hands them on.
manycore_device::kernel! {
    /// Finds the pivot of a column.
    unsafe ELIMINATE_PIVOT in manycore_kernels::linalg::ELIMINATE: eliminate_pivot

    /// Exchanges the pivot's row, and divides it.
    unsafe ELIMINATE_EXCHANGE in manycore_kernels::linalg::ELIMINATE: eliminate_exchange

    /// Takes the pivot's row from others.
    unsafe ELIMINATE_UPDATE in manycore_kernels::linalg::ELIMINATE: eliminate_update

    /// Elimination within local memory.
    unsafe ECHELON_LOCAL in manycore_kernels::linalg::ECHELON: echelon_local

    /// Exchanges rows.
    unsafe ELIMINATE_PERMUTE in manycore_kernels::linalg::ELIMINATE: eliminate_permute
}

/// Rows that an item changes.
pub(super) const BAND: usize = 4;

pub(super) struct DeviceSteps<'a, F: MatrixField> {
    space: &'a LinearAlgebra<F>,
    cl: &'a OpenCl,
    a: &'a mut Buffer<F::Element>,
    extent: Extent,
    group: usize,
    kernels: [Arc<Kernel>; 3],
    state: Buffer<u32>,
    columns: Buffer<u32>,
    swaps: Buffer<u32>,
    values: Buffer<F::Element>,
    multipliers: Buffer<F::Element>,
}

impl<'a, F: MatrixField> DeviceSteps<'a, F> {
    pub(super) fn new(
        space: &'a LinearAlgebra<F>,
        cl: &'a OpenCl,
        a: &'a mut Buffer<F::Element>,
        extent: Extent,
    ) -> Result<Self, LinalgError> {
        let device = space.device();
        let (group, defines) = defines(space, cl);
        let kernel = |spec| space.kernel(cl, spec, defines.clone());
        let kernels = [kernel(&ELIMINATE_PIVOT)?, kernel(&ELIMINATE_EXCHANGE)?, kernel(&ELIMINATE_UPDATE)?];
        Ok(Self {
            space,
            cl,
            a,
            extent,
            group,
            kernels,
            state: device.zeros(3)?,
            columns: device.scratch(extent.limit())?,
            swaps: device.scratch(extent.limit())?,
            values: device.scratch(extent.limit() + 1)?,
            multipliers: device.scratch(extent.rows)?,
        })
    }
}

fn defines<F: MatrixField>(space: &LinearAlgebra<F>, cl: &OpenCl) -> (usize, manycore_device::Defines) {
    let group = GROUP.min(cl.info().group_limit);
    (group, space.defines().set("GROUP", format!("{group}u")).set("BAND", format!("{BAND}u")))
}

impl<F: MatrixField> Steps<F::Element> for DeviceSteps<'_, F> {
    fn pivot(&mut self, column: usize) -> Result<Progress, LinalgError> {
        let (p, reciprocal) = self.space.modulus();
        let Extent { rows, width, .. } = self.extent;
        self.cl
            .launch(&self.kernels[0])
            .input(&*self.a)
            .value(width as u64)
            .value(rows as u32)
            .value(column as u32)
            .value(self.extent.limit() as u32)
            .buffer(&mut self.state)
            .buffer(&mut self.columns)
            .buffer(&mut self.swaps)
            .buffer(&mut self.values)
            .value(p)
            .value(reciprocal)
            .groups(1, self.group)
            .run()?;
        Ok(Progress::More)
    }

    fn exchange(&mut self, column: usize) -> Result<(), LinalgError> {
        let (p, reciprocal) = self.space.modulus();
        let Extent { rows, width, .. } = self.extent;
        self.cl
            .launch(&self.kernels[1])
            .buffer(&mut *self.a)
            .value(width as u64)
            .value(rows as u32)
            .value(width as u32)
            .value(column as u32)
            .value(self.extent.limit() as u32)
            .input(&self.state)
            .input(&self.values)
            .buffer(&mut self.multipliers)
            .value(p)
            .value(reciprocal)
            .items(rows.max(width - column), self.group)
            .bytes((4 * (width - column) * size_of::<F::Element>()) as u64)
            .run()?;
        Ok(())
    }

    fn update(&mut self, column: usize, reach: Reach) -> Result<(), LinalgError> {
        let (p, reciprocal) = self.space.modulus();
        let Extent { rows, width, .. } = self.extent;
        let entries = rows * (width - column);
        self.cl
            .launch(&self.kernels[2])
            .buffer(&mut *self.a)
            .value(width as u64)
            .value(rows as u32)
            .value(width as u32)
            .value(column as u32)
            .value(u32::from(reach == Reach::Below))
            .input(&self.state)
            .input(&self.multipliers)
            .value(p)
            .value(reciprocal)
            .groups((width - column).div_ceil(self.group) * rows.div_ceil(BAND), self.group)
            .bytes((2 * entries * size_of::<F::Element>()) as u64)
            .operations(entries as u64)
            .run()?;
        Ok(())
    }

    fn finish(self) -> Result<Eliminated<F::Element>, LinalgError> {
        let state = self.state.download()?;
        let rank = ((state[0] + state[1]) as usize).min(self.extent.limit());
        read(self.cl, self.extent, rank, (&self.columns, &self.swaps, &self.values))
    }
}

/// What was found, read from the device.
fn read<E: Word>(
    cl: &OpenCl,
    extent: Extent,
    rank: usize,
    (columns, swaps, values): (&Buffer<u32>, &Buffer<u32>, &Buffer<E>),
) -> Result<Eliminated<E>, LinalgError> {
    let found = Eliminated {
        columns: columns.view(..rank)?.download()?,
        swaps: swaps.view(..rank)?.download()?,
        values: values.view(..rank)?.download()?,
    };
    // What follows counts on them, in kernels too.
    let mut least = 0;
    for (k, (&column, &swap)) in found.columns.iter().zip(&found.swaps).enumerate() {
        let (row, column) = (swap as usize, column as usize);
        if !(least..extent.search).contains(&column) || !(k..extent.rows).contains(&row) {
            return Err(LinalgError::Pivot { device: cl.info().name.clone(), row, column });
        }
        least = column + 1;
    }
    Ok(found)
}

/// Local memory that is left for what the kernel has beside its matrix.
const BESIDE_BYTES: usize = 64;
/// Entries of local memory come in multiples of this, so that few programs are built.
const CAPACITY_STEP: usize = 2048;

/// Entries of a matrix that local memory holds.
pub(super) fn most_entries<F: MatrixField>(cl: &OpenCl) -> Result<usize, DeviceError> {
    Ok(cl.local_limit_bytes()?.saturating_sub(BESIDE_BYTES) / size_of::<F::Element>())
}

/// Elimination in one launch; `None` where the matrix does not fit local memory.
pub(super) fn local<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    a: &mut Buffer<F::Element>,
    extent: Extent,
    reach: Reach,
) -> Result<Option<Eliminated<F::Element>>, LinalgError> {
    let Extent { rows, width, search } = extent;
    let most = most_entries::<F>(cl)?;
    let count = rows.saturating_mul(width);
    if count > most {
        return Ok(None);
    }
    let capacity = count.next_multiple_of(CAPACITY_STEP).min(most);
    let group = GROUP.min(cl.info().group_limit);
    let defines = space.defines().set("GROUP", format!("{group}u")).set("CAPACITY", format!("{capacity}u"));
    let kernel = space.kernel(cl, &ECHELON_LOCAL, defines)?;
    let device = space.device();
    let (p, reciprocal) = space.modulus();
    let mut state = device.zeros::<u32>(1)?;
    let (mut columns, mut swaps) = (device.scratch(extent.limit())?, device.scratch(extent.limit())?);
    let mut values = device.scratch(extent.limit())?;
    cl.launch(&kernel)
        .buffer(a)
        .value(rows as u32)
        .value(width as u32)
        .value(search as u32)
        .value(u32::from(reach == Reach::Below))
        .buffer(&mut state)
        .buffer(&mut columns)
        .buffer(&mut swaps)
        .buffer(&mut values)
        .value(p)
        .value(reciprocal)
        .groups(1, group)
        .bytes((2 * count * size_of::<F::Element>()) as u64)
        .operations((extent.limit() * count) as u64)
        .run()?;
    let rank = (word_at(&state, 0)? as usize).min(extent.limit());
    read(cl, extent, rank, (&columns, &swaps, &values)).map(Some)
}

/// Exchanges the rows `first + k` and `first + swaps[k]`, one after the other.
pub(super) fn permute<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    a: &mut Buffer<F::Element>,
    width: usize,
    first: usize,
    swaps: &[u32],
) -> Result<(), LinalgError> {
    let (group, defines) = defines(space, cl);
    let kernel = space.kernel(cl, &ELIMINATE_PERMUTE, defines)?;
    let swaps_there = space.device().upload(swaps)?;
    let rows = a.len() / width.max(1) - first;
    cl.launch(&kernel)
        .buffer(a)
        .value(width as u64)
        .value(width as u32)
        .value(first as u32)
        .value(rows as u32)
        .input(&swaps_there)
        .value(swaps.len() as u32)
        .items(width, group)
        .bytes((4 * swaps.len() * width * size_of::<F::Element>()) as u64)
        .run()?;
    Ok(())
}

//! Condensation in double precision on an OpenCL device: four launches a step, and nothing read back before the end.

use manycore_device::{Buffer, Defines, Device, OpenCl, WordType};

use super::factors::Condensed;
use super::options::Pivoting;
use crate::block::GROUP;
use crate::error::LinalgError;

// SAFETY: this file alone launches them, on square matrices of the orders in their arguments; places of pivots are
// found by kernels among those that there are, of numbers that are none, too, or past the end, for which nothing is
// done.
manycore_device::kernel! {
    /// Finds the best candidate of each row.
    unsafe REAL_CANDIDATES in manycore_kernels::linalg::REAL: real_candidates

    /// Finds the pivot among them.
    unsafe REAL_CHOOSE in manycore_kernels::linalg::REAL: real_choose

    /// Keeps the pivot's row, and makes multipliers.
    unsafe REAL_FACTORS in manycore_kernels::linalg::REAL: real_factors

    /// A step.
    unsafe REAL_STEP in manycore_kernels::linalg::REAL: real_step
}

/// The results of the steps on a device, in the form of [`Condensed`]; where there is no pivot, the row is the order that is left.
pub(super) struct Steps {
    rows: Buffer<u32>,
    columns: Buffer<u32>,
    values: Buffer<f64>,
    heads: Buffer<f64>,
    tails: Buffer<f64>,
}

/// The steps for an order above 0, which are not waited for.
pub(super) fn condense(
    device: &Device,
    cl: &OpenCl,
    order: usize,
    a: Buffer<f64>,
    pivoting: Pivoting,
) -> Result<Steps, LinalgError> {
    // The best of a group is found by halves.
    let group = 1 << GROUP.min(cl.info().group_limit).max(1).ilog2();
    let defines = Defines::new().element(WordType::F64).set("GROUP", format!("{group}u")).set("RULE", pivoting.rule());
    let kernel = |spec| cl.kernel(spec, &defines);
    let [candidates, choose] = [kernel(&REAL_CANDIDATES)?, kernel(&REAL_CHOOSE)?];
    let [factors, reduce] = [kernel(&REAL_FACTORS)?, kernel(&REAL_STEP)?];
    let (mut scores, mut places) = (device.scratch::<f64>(order)?, device.scratch::<u32>(order)?);
    let (mut rows, mut columns) = (device.zeros::<u32>(order)?, device.zeros::<u32>(order)?);
    let mut values = device.zeros::<f64>(order)?;
    let (mut heads, mut tails) = (device.zeros::<f64>(order * order)?, device.zeros::<f64>(order * order)?);
    let mut buffers = [device.scratch(a.len())?, a];
    for step in 0..order {
        let n = order - step;
        let searched = if pivoting == Pivoting::Complete { n } else { 1 };
        let [to, from] = &mut buffers;
        let from = &*from;
        cl.launch(&candidates)
            .input(from)
            .value(n as u32)
            .buffer(&mut scores)
            .buffer(&mut places)
            .groups(searched, group)
            .bytes((searched * n * size_of::<f64>()) as u64)
            .run()?;
        cl.launch(&choose)
            .input(from)
            .value(n as u32)
            .value(searched as u32)
            .value(step as u32)
            .input(&scores)
            .input(&places)
            .buffer(&mut rows)
            .buffer(&mut columns)
            .buffer(&mut values)
            .groups(1, group)
            .run()?;
        cl.launch(&factors)
            .input(from)
            .value(n as u32)
            .value(step as u32)
            .value(order as u64)
            .input(&rows)
            .input(&columns)
            .input(&values)
            .buffer(&mut heads)
            .buffer(&mut tails)
            .items(n, group)
            .run()?;
        let less = (n - 1) * (n - 1);
        cl.launch(&reduce)
            .input(from)
            .buffer(to)
            .value(n as u32)
            .value(step as u32)
            .value(order as u64)
            .input(&rows)
            .input(&columns)
            .input(&heads)
            .input(&tails)
            .items(less, group)
            .bytes((2 * less * size_of::<f64>()) as u64)
            .operations(2 * less as u64)
            .run()?;
        buffers.swap(0, 1);
    }
    Ok(Steps { rows, columns, values, heads, tails })
}

impl Steps {
    /// Reads them back.
    pub(super) fn read(&self, cl: &OpenCl, order: usize) -> Result<Condensed, LinalgError> {
        let (rows, columns, values) = (self.rows.download()?, self.columns.download()?, self.values.download()?);
        let mut pivots = Vec::with_capacity(order);
        for (n, ((&row, &column), &value)) in (1..=order).rev().zip(rows.iter().zip(&columns).zip(&values)) {
            let (row, column) = (row as usize, column as usize);
            if row >= n {
                break;
            }
            // What follows counts on it.
            if column >= n {
                return Err(LinalgError::Pivot { device: cl.info().name.clone(), row, column });
            }
            pivots.push((row, column, value));
        }
        Ok(Condensed { order, pivots, heads: self.heads.download()?, tails: self.tails.download()? })
    }
}

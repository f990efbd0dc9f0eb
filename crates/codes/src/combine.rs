//! Combinations of rows of residues by a matrix, on the host and on OpenCL devices.

use manycore_device::{Defines, Device, DeviceError, Executor, HostPool, OpenCl};
use manycore_field::{Arithmetic, KernelField as _, PrimeField};

// SAFETY: `on_device` alone launches it, with a matrix, rows and a result of the sizes that it tells.
manycore_device::kernel! {
    /// Combinations of rows.
    unsafe CODES_COMBINE in manycore_kernels::CODES_COMBINE: codes_combine(
        m: input<u32>, x: input<u32>, out: buffer<u32>, rows: u32, inputs: u32, words: u64, p: u32, reciprocal: u64
    )
}

/// Words of rows that a task of the host takes: they stay in the nearest cache with a row of the result.
const TASK: usize = 1 << 12;
/// Items of a group.
const GROUP: usize = 256;
/// Rows of the result that an item makes at a time.
const OUTPUTS: usize = 4;

/// The rows `m x`: `x` has `inputs` rows, and the matrix a row of as many factors for each row of the result.
pub(crate) fn combine(
    device: &Device,
    field: PrimeField<u32>,
    matrix: &[u32],
    x: &[u32],
    inputs: usize,
) -> Result<Vec<u32>, DeviceError> {
    let (rows, words) = (matrix.len() / inputs, x.len() / inputs);
    if rows * words == 0 {
        return Ok(Vec::new());
    }
    match device.executor() {
        Executor::Host(pool) => Ok(on_host(pool, field, matrix, x, (rows, inputs, words))),
        Executor::OpenCl(cl) => on_device(device, cl, field, matrix, x, (rows, inputs, words)),
    }
}

fn on_host(
    pool: &HostPool,
    field: PrimeField<u32>,
    matrix: &[u32],
    x: &[u32],
    (rows, inputs, words): (usize, usize, usize),
) -> Vec<u32> {
    let mut out = vec![0; rows * words];
    let slices = field.slices();
    let bytes = size_of_val(x) as u64;
    pool.step("codes_combine", bytes, (rows * x.len()) as u64, || {
        let parts = out
            .chunks_mut(words)
            .enumerate()
            .flat_map(|(row, out)| out.chunks_mut(TASK).enumerate().map(move |(part, out)| (row, part * TASK, out)));
        pool.team().each(parts, |(row, start, out)| {
            for (i, &factor) in matrix[row * inputs..][..inputs].iter().enumerate() {
                // Both parts are equally long.
                let _ = slices.add_scaled(out, factor, &x[i * words + start..][..out.len()]);
            }
        });
    });
    out
}

fn on_device(
    device: &Device,
    cl: &OpenCl,
    field: PrimeField<u32>,
    matrix: &[u32],
    x: &[u32],
    (rows, inputs, words): (usize, usize, usize),
) -> Result<Vec<u32>, DeviceError> {
    let group = GROUP.min(cl.info().group_limit);
    let outputs = OUTPUTS.min(rows);
    let defines = Arithmetic::Word32.define(Defines::new()).set("GROUP", group).set("OUTPUTS", outputs);
    let kernel = cl.kernel(&CODES_COMBINE, &defines)?;
    let (matrix, x) = (device.upload(matrix)?, device.upload(x)?);
    let mut out = device.scratch::<u32>(rows * words)?;
    cl.launch(&kernel)
        .input(&matrix)
        .input(&x)
        .buffer(&mut out)
        .value(rows as u32)
        .value(inputs as u32)
        .value(words as u64)
        .value(field.modulus())
        .value(field.reciprocal(Arithmetic::Word32))
        .groups(words.div_ceil(group) * rows.div_ceil(outputs), group)
        .bytes((size_of_val(&x) + size_of::<u32>() * rows * words) as u64)
        .operations((rows * inputs * words) as u64)
        .run()?;
    out.download()
}

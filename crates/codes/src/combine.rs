//! Combinations of rows of words of the field of 2^16 elements, on the host and on OpenCL devices.

use manycore_device::{Defines, Device, DeviceError, Executor, HostPool, OpenCl};
use manycore_field::{BINARY_OUTPUTS, BinaryField16, BinarySlices};

use crate::lagrange::Lagrange;

// SAFETY: `on_device` alone launches it, with a matrix, rows and a result of the sizes in its arguments.
manycore_device::kernel! {
    /// Combinations of rows.
    unsafe CODES_COMBINE in manycore_kernels::codes::COMBINE: codes_combine
}

/// Bytes of a row of the result that a task of the host makes.
const TASK: usize = 1 << 14;
/// Rows of the input whose factors a task has at a time.
const INPUTS: usize = 64;
/// Bytes of rows that are so short that products are sums of logarithms: the factors take longer than the words.
const SHORT: usize = 16;
/// Items of a group.
const GROUP: usize = 256;
/// Factors that a launch takes at most.
const FACTORS: usize = 1 << 20;

/// The rows that `lagrange` wants from those that it is given, all of the same even number of bytes.
pub(crate) fn combine(
    device: &Device,
    lagrange: &Lagrange,
    rows: &[&[u8]],
    out: &mut [&mut [u8]],
) -> Result<(), DeviceError> {
    if out.iter().all(|row| row.is_empty()) {
        return Ok(());
    }
    match device.executor() {
        Executor::Host(pool) => on_host(pool, lagrange, rows, out),
        Executor::OpenCl(cl) => on_device(device, cl, lagrange, rows, out)?,
    }
    Ok(())
}

fn on_host(pool: &HostPool, lagrange: &Lagrange, rows: &[&[u8]], out: &mut [&mut [u8]]) {
    let slices = BinarySlices::new();
    let bytes = rows.iter().map(|row| row.len()).sum::<usize>() as u64;
    pool.step("codes_combine", bytes, bytes / 2 * out.len() as u64, || {
        let tasks = out.chunks_mut(BINARY_OUTPUTS).enumerate().flat_map(|(group, rows)| {
            // Parts of equal ranges, one of every row of the group.
            let mut parts: Vec<_> = rows.iter_mut().map(|row| row.chunks_mut(TASK)).collect();
            let parts = std::iter::from_fn(move || parts.iter_mut().map(Iterator::next).collect::<Option<Vec<_>>>());
            parts.enumerate().map(move |(part, out)| (group * BINARY_OUTPUTS, part * TASK, out))
        });
        pool.team().each(tasks, |(first, start, mut out)| {
            let len = out.first().map_or(0, |row| row.len());
            if len <= SHORT {
                return add_short(lagrange, rows, &mut out, (first, start));
            }
            for (chunk, inputs) in rows.chunks(INPUTS).enumerate() {
                let mut factors = [[0; BINARY_OUTPUTS]; INPUTS];
                let mut parts: [&[u8]; INPUTS] = [&[]; INPUTS];
                for (i, row) in inputs.iter().enumerate() {
                    parts[i] = &row[start..start + len];
                    for (j, factor) in factors[i].iter_mut().enumerate().take(out.len()) {
                        *factor = lagrange.factor(first + j, chunk * INPUTS + i);
                    }
                }
                slices.add_products(&mut out, &factors[..inputs.len()], &parts[..inputs.len()]);
            }
        });
    });
}

/// Adds the products of factors with rows of few words, of which those that are zero cost nothing.
fn add_short(lagrange: &Lagrange, rows: &[&[u8]], out: &mut [&mut [u8]], (first, start): (usize, usize)) {
    let (logarithms, powers) = (BinaryField16.logarithms(), BinaryField16.powers());
    for (i, row) in rows.iter().enumerate() {
        for (w, word) in row[start..].as_chunks::<2>().0.iter().enumerate() {
            let word = u16::from_le_bytes(*word);
            if word == 0 {
                continue;
            }
            let logarithm = u32::from(logarithms[usize::from(word)]);
            for (j, out) in out.iter_mut().enumerate() {
                let Some(bytes) = out.as_chunks_mut::<2>().0.get_mut(w) else { continue };
                let factor = lagrange.log_factor(first + j, i);
                let product = factor.map_or(0, |factor| powers[(factor + logarithm) as usize]);
                *bytes = (u16::from_le_bytes(*bytes) ^ product).to_le_bytes();
            }
        }
    }
}

fn on_device(
    device: &Device,
    cl: &OpenCl,
    lagrange: &Lagrange,
    rows: &[&[u8]],
    out: &mut [&mut [u8]],
) -> Result<(), DeviceError> {
    let inputs = lagrange.inputs();
    let pairs = out.first().map_or(0, |row| row.len()).div_ceil(4);
    let group = GROUP.min(cl.info().group_limit);
    let mut elements = Vec::with_capacity(inputs * pairs);
    for row in rows {
        let (whole, rest) = row.as_chunks::<4>();
        elements.extend(whole.iter().map(|&bytes| u32::from_le_bytes(bytes)));
        if let [low, high] = *rest {
            elements.push(u32::from_le_bytes([low, high, 0, 0]));
        }
    }
    let x = device.upload(&elements)?;
    let most = (FACTORS / inputs.max(1)).max(1);
    for first in (0..lagrange.outputs()).step_by(most) {
        let rows = most.min(lagrange.outputs() - first);
        let outputs = if rows < BINARY_OUTPUTS { rows.next_power_of_two().min(2) } else { BINARY_OUTPUTS };
        let kernel = cl.kernel(&CODES_COMBINE, &Defines::new().set("GROUP", group).set("OUTPUTS", outputs))?;
        let factors = (first..first + rows).flat_map(|j| (0..inputs).map(move |i| lagrange.factor(j, i)));
        let matrix = device.upload(&factors.collect::<Vec<u16>>())?;
        let mut made = device.scratch::<u32>(rows * pairs)?;
        cl.launch(&kernel)
            .input(&matrix)
            .input(&x)
            .buffer(&mut made)
            .value(rows as u32)
            .value(inputs as u32)
            .value(pairs as u64)
            .groups(pairs.div_ceil(group) * rows.div_ceil(outputs), group)
            .bytes((4 * (inputs + rows) * pairs) as u64)
            .operations((2 * rows * inputs * pairs) as u64)
            .run()?;
        let elements = made.download()?;
        for (row, elements) in out[first..].iter_mut().zip(elements.chunks(pairs)) {
            for (bytes, element) in row.chunks_mut(4).zip(elements) {
                bytes.copy_from_slice(&element.to_le_bytes()[..bytes.len()]);
            }
        }
    }
    Ok(())
}

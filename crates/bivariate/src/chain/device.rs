//! Images and chains on OpenCL devices: transforms of blocks of a coset, and one chain an item.

use manycore_device::{Buffer, OpenCl};
use manycore_field::ResidueWord as _;

use super::formal::single;
use super::lanes::Wanted;
use crate::error::BivariateError;
use crate::ring::{BivariateField, BivariateRing};

// SAFETY: `values` alone launches it, with rows and a block of the sizes that are its arguments.
manycore_device::kernel! {
    /// Coefficients before the transforms.
    unsafe IMAGES in manycore_kernels::bivariate::IMAGES: bivariate_images
}

// SAFETY: `values` alone launches it, with `m + n + 2` rows of the block, and outputs that hold all points.
manycore_device::kernel! {
    /// Chains at the points of a block.
    unsafe CHAIN in manycore_kernels::bivariate::CHAIN: bivariate_chain
}

/// Items of a group.
const GROUP: usize = 64;

/// The part of the device's memory that images of a block may take.
const MEMORY_PART: u64 = 8;

/// The wanted words at the points `shift w^i` of a coset of `2^log_len`, a row of all points for each; `wanted` are neighbours.
pub(super) fn values<F: BivariateField>(
    ring: &BivariateRing<F>,
    cl: &OpenCl,
    coefficients: &[&[F::Element]],
    [height_f, height_g]: [usize; 2],
    (log_len, shift): (u32, F::Element),
    wanted: &Wanted<'_>,
) -> Result<Buffer<F::Element>, BivariateError> {
    let (field, device) = (ring.field(), ring.device());
    let (Some(&low), Some(&last)) = (wanted.indices.first(), wanted.indices.last()) else {
        return Ok(device.scratch(0)?);
    };
    let (rows, count) = (coefficients.len(), 1usize << log_len);
    let width = coefficients.iter().map(|row| row.len()).max().unwrap_or(0);
    let mut words = manycore_device::zeroed_words(rows * width)?;
    for (to, row) in words.chunks_exact_mut(width.max(1)).zip(coefficients) {
        to[..row.len()].copy_from_slice(row);
    }
    let packed = device.upload(&words)?;

    let log_block = log_block(cl, rows * size_of::<F::Element>()).min(log_len);
    let (blocks, block) = (1usize << (log_len - log_block), 1usize << log_block);
    let group = GROUP.min(cl.info().group_limit);
    let defines = || ring.defines().set("GROUP", group);
    let spread = ring.planner().kernel(cl, &IMAGES, defines())?;
    let chain = ring.planner().kernel(cl, &CHAIN, defines())?;
    let (p, reciprocal) = ring.modulus();
    let ntt = ring.transform(log_block)?;
    let mut images = device.scratch(rows * block)?;
    let mut out = device.scratch(wanted.words() * count)?;
    let mut flags: Buffer<u32> = device.scratch(count)?;
    // Orders divide p - 1.
    let root = field.root_of_unity(1 << log_len).unwrap_or(field.one());
    let mut start = shift;
    let (m, n) = (height_f - 1, height_g - 1);
    let word_bytes = size_of::<F::Element>() as u64;
    for r in 0..blocks {
        let powers: Vec<F::Element> =
            std::iter::successors(Some(field.one()), |&power| Some(field.mul(power, start))).take(width).collect();
        let powers = device.upload(&powers)?;
        cl.launch(&spread)
            .input(&packed)
            .input(&powers)
            .buffer(&mut images)
            .value(rows as u64)
            .value(width as u64)
            .value(block as u64)
            .value(p)
            .value(reciprocal)
            .items(rows * block, group)
            .bytes((rows * (width + block)) as u64 * word_bytes)
            .operations((rows * width) as u64)
            .run()?;
        ntt.forward(&mut images)?;
        cl.launch(&chain)
            .buffer(&mut images)
            .value(m as u32)
            .value(n as u32)
            .value(block as u64)
            .buffer(&mut out)
            .value(count as u64)
            .value(r as u64)
            .value(blocks as u64)
            .buffer(&mut flags)
            .value(low as u32)
            .value(last as u32 + 1)
            .value(p)
            .value(reciprocal)
            .items(block, group)
            .bytes((3 * block * n * (n + 2 * (m - n + 1))) as u64 / 2 * word_bytes)
            .operations((3 * block * n * (n + 2 * (m - n + 1))) as u64 / 2)
            .run()?;
        start = field.mul(start, root);
    }
    repair(ring, coefficients, height_f, (log_len, shift), wanted, &flags, out)
}

/// The binary logarithm of the number of points in a block whose images, of `point_bytes` bytes a point, take a part of the device's
/// memory.
fn log_block(cl: &OpenCl, point_bytes: usize) -> u32 {
    let room = (cl.info().memory_bytes / MEMORY_PART).min(cl.info().largest_allocation_bytes);
    (room / point_bytes.max(1) as u64).max(1).ilog2()
}

/// Computes the points on the host where a leading coefficient vanished.
fn repair<F: BivariateField>(
    ring: &BivariateRing<F>,
    coefficients: &[&[F::Element]],
    height_f: usize,
    (log_len, shift): (u32, F::Element),
    wanted: &Wanted<'_>,
    flags: &Buffer<u32>,
    out: Buffer<F::Element>,
) -> Result<Buffer<F::Element>, BivariateError> {
    let (field, u) = (ring.field(), ring.univariate());
    let flags = flags.download()?;
    if flags.iter().all(|&flag| flag == 0) {
        return Ok(out);
    }
    let mut words = out.download()?;
    let (count, root) = (1usize << log_len, field.root_of_unity(1 << log_len).unwrap_or(field.one()));
    for (i, _) in flags.iter().enumerate().filter(|&(_, &flag)| flag != 0) {
        let x = field.mul(shift, field.power(root, i as u64));
        let image: Vec<F::Element> = coefficients.iter().map(|row| u.evaluate(row, x)).collect();
        let (f, g) = image.split_at(height_f);
        single(field, f, g, wanted, |word, value| words[word * count + i] = value);
    }
    // What a device spoiled beside these points is for checks of the result.
    let p = F::Element::from_u64(field.order());
    for word in &mut words {
        if *word >= p {
            *word = field.zero();
        }
    }
    Ok(ring.device().upload(&words)?)
}

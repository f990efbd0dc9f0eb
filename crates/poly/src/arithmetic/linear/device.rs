//! The linear operations on an OpenCL device: one launch each, and one word read back where a length is looked for.

use manycore_device::{Buffer, OpenCl};

use super::reference::Elementwise;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

// SAFETY: the functions of this file alone launch them, with the lengths of polynomials and of the result.
manycore_device::kernel! {
    /// Operations on coefficients one by one.
    unsafe COEFFICIENTS_COMBINE in manycore_kernels::poly::ELEMENTWISE: coefficients_combine

    /// The highest place that is not zero.
    unsafe COEFFICIENTS_HIGHEST in manycore_kernels::poly::ELEMENTWISE: coefficients_highest

    /// Whether words differ.
    unsafe COEFFICIENTS_DIFFER in manycore_kernels::poly::ELEMENTWISE: coefficients_differ

    /// Random residues.
    unsafe COEFFICIENTS_RANDOM in manycore_kernels::poly::ELEMENTWISE: coefficients_random
}

/// Items of a group.
const GROUP: usize = 256;
/// The highest coefficients are searched first, in windows that grow by this factor.
const WINDOW_GROWTH: usize = 16;
const FIRST_WINDOW: usize = 1 << 14;
const LARGEST_WINDOW: usize = 1 << 30;

pub(super) fn elementwise<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    operation: Elementwise<F::Element>,
    f: &Poly<F>,
    g: &Poly<F>,
    out: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let (number, factor) = match operation {
        Elementwise::Add => (0, None),
        Elementwise::Subtract => (1, None),
        Elementwise::Negate => (2, None),
        Elementwise::Scale(c) => (3, Some(c)),
        Elementwise::Derivative => (4, None),
        Elementwise::Reverse => (5, None),
    };
    let [c, quotient] = ring.field().factor(factor.unwrap_or(ring.field().zero()), ring.arithmetic());
    let group = GROUP.min(cl.info().group_limit);
    let defines = ring.defines().set("OPERATION", number).set("GROUP", group);
    let kernel = ring.planner().kernel(cl, &COEFFICIENTS_COMBINE, defines)?;
    let (p, reciprocal) = ring.modulus();
    let count = out.len();
    cl.launch(&kernel)
        .input(&f.buffer)
        .value(f.len as u64)
        .input(&g.buffer)
        .value(g.len as u64)
        .buffer(&mut *out)
        .value(count as u64)
        .value(c)
        .value(quotient)
        .value(p)
        .value(reciprocal)
        .items(count, group)
        .bytes(3 * (count * size_of::<F::Element>()) as u64)
        .operations(count as u64)
        .run()?;
    Ok(())
}

/// The number of coefficients up to the last that is not zero: windows from the top down are searched, the first of them
/// short, because random coefficients rarely cancel.
pub(super) fn stripped_len<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    buffer: &Buffer<F::Element>,
    len: usize,
) -> Result<usize, PolyError> {
    let group = GROUP.min(cl.info().group_limit);
    let (mut end, mut window) = (len, FIRST_WINDOW);
    while end > 0 {
        let kernel = ring.planner().kernel(cl, &COEFFICIENTS_HIGHEST, ring.defines().set("GROUP", group))?;
        let start = end.saturating_sub(window);
        let mut found = ring.device().zeros::<u32>(1)?;
        cl.launch(&kernel)
            .input(buffer)
            .value(start as u64)
            .value((end - start) as u32)
            .buffer(&mut found)
            .items(end - start, group)
            .bytes(((end - start) * size_of::<F::Element>()) as u64)
            .run()?;
        let mut place = [0u32];
        found.read_into(&mut place)?;
        let place = ring.within("the place of a leading coefficient", place[0] as usize, 0..=end - start)?;
        if place > 0 {
            return Ok(start + place);
        }
        end = start;
        window = (window * WINDOW_GROWTH).min(LARGEST_WINDOW);
    }
    Ok(0)
}

/// Whether polynomials of the same length differ.
pub(super) fn differ<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    f: &Poly<F>,
    g: &Poly<F>,
) -> Result<bool, PolyError> {
    let group = GROUP.min(cl.info().group_limit);
    let kernel = ring.planner().kernel(cl, &COEFFICIENTS_DIFFER, ring.defines().set("GROUP", group))?;
    let mut found = ring.device().zeros::<u32>(1)?;
    cl.launch(&kernel)
        .input(&f.buffer)
        .input(&g.buffer)
        .value(f.len as u64)
        .buffer(&mut found)
        .items(f.len, group)
        .bytes(2 * (f.len * size_of::<F::Element>()) as u64)
        .run()?;
    let mut place = [0u32];
    found.read_into(&mut place)?;
    Ok(place[0] != 0)
}

pub(super) fn random<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    buffer: &mut Buffer<F::Element>,
    seed: u64,
) -> Result<(), PolyError> {
    let group = GROUP.min(cl.info().group_limit);
    let kernel = ring.planner().kernel(cl, &COEFFICIENTS_RANDOM, ring.defines().set("GROUP", group))?;
    let (p, _) = ring.modulus();
    let count = buffer.len();
    cl.launch(&kernel)
        .buffer(&mut *buffer)
        .value(count as u64)
        .value(p)
        .value(u64::MAX >> (ring.field().order() - 1).leading_zeros())
        .value(seed)
        .items(count, group)
        .bytes((count * size_of::<F::Element>()) as u64)
        .run()?;
    Ok(())
}

//! Transitions on an OpenCL device, and what stands around the products of their matrices: see `gcd_transition.cl`.

use manycore_device::{Buffer, DeviceKind, KernelSpec, OpenCl, Word};

use super::matrix::{Matrix, Pair, Step, Transition};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

// SAFETY: the functions of this file alone launch them, on polynomials and matrices of the lengths in their arguments.
manycore_device::kernel! {
    /// A transition in one group.
    unsafe GCD_TRANSITION in manycore_kernels::poly::GCD_TRANSITION: gcd_transition

    /// Rows side by side.
    unsafe TRANSITION_ARRANGE in manycore_kernels::poly::GCD_TRANSITION: transition_arrange

    /// Sums of pairs of rows.
    unsafe TRANSITION_ADD in manycore_kernels::poly::GCD_TRANSITION: transition_add
}

/// The largest transition of a GPU, as a base-2 logarithm, where its local memory holds it; of other devices.
const LOG_MOST_GPU: u32 = 9;
const LOG_MOST_OTHER: u32 = 6;

/// Words of local memory of a transition of at most `2^log_most`.
pub(in crate::arithmetic::gcd) const fn local_words(log_most: u32) -> usize {
    (8 << log_most) + 6
}

/// The base-2 logarithm of the largest transition.
pub(in crate::arithmetic::gcd) fn log_most<F: PolyField>(cl: &OpenCl) -> Result<u32, PolyError> {
    let words = cl.local_limit_bytes()? / size_of::<F::Element>();
    let most = if cl.info().kind == DeviceKind::Gpu { LOG_MOST_GPU } else { LOG_MOST_OTHER };
    Ok((1..most).rev().find(|&log| local_words(log + 1) <= words).map_or(1, |log| log + 1))
}

/// The base-2 logarithm of the items of a group.
pub(in crate::arithmetic::gcd) fn log_group(cl: &OpenCl, log_most: u32) -> u32 {
    log_most.min(8).min(cl.info().group_limit.max(1).ilog2())
}

fn kernel<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    spec: &'static KernelSpec,
) -> Result<(std::sync::Arc<manycore_device::Kernel>, usize), PolyError> {
    let log_most = log_most::<F>(cl)?;
    let log_group = log_group(cl, log_most);
    let defines = ring.defines().set("LOG_MOST", log_most).set("LOG_GROUP", log_group);
    Ok((ring.planner().kernel(cl, spec, defines)?, 1 << log_group))
}

/// A transition of at most the largest `k`.
pub(in crate::arithmetic::gcd) fn transition<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    pair: Pair<'_, F>,
    k: usize,
    steps: bool,
) -> Result<Transition<F>, PolyError> {
    let (kernel, group) = kernel(ring, cl, &GCD_TRANSITION)?;
    let device = ring.device();
    let whole = pair.degree() == k;
    let mut words = device.scratch(4 * (k + 1))?;
    let mut leads = device.scratch(2 * k)?;
    let mut rest = device.scratch(if whole { k + 1 } else { 1 })?;
    let mut facts = device.scratch::<u32>(2 + k)?;
    let (p, reciprocal) = ring.modulus();
    cl.launch(&kernel)
        .input(&pair.a.buffer)
        .value(pair.a.len as u64)
        .input(&pair.b.buffer)
        .value(pair.b.len as u64)
        .value(pair.at as u64)
        .value(k as u32)
        .buffer(&mut words)
        .buffer(&mut leads)
        .buffer(&mut rest)
        .buffer(&mut facts)
        .value(p)
        .value(reciprocal)
        .groups(1, group)
        .bytes(((8 * k + 6) * size_of::<F::Element>()) as u64)
        .operations((8 * k * k) as u64)
        .run()?;
    let mut counts = [0u32; 2];
    facts.view(..2)?.read_into(&mut counts)?;
    // The first quotient has at least degree `gap`, so that there is one; each of the divisors has a lower degree than the last.
    let gap = pair.gap().unwrap_or(0);
    let degree = ring.within("the degree of a transition", counts[0] as usize, gap..=k)?;
    let divisors = ring.within("the divisors of a transition", counts[1] as usize, 1..=degree)?;
    let steps = if steps {
        let drops = facts.view(2..2 + divisors)?.download()?;
        let leads = leads.view(..divisors)?.download()?;
        let mut least = gap;
        for &drop in &drops {
            least = ring.within("the degree of a divisor below the first", drop as usize, least..=degree)? + 1;
        }
        drops.iter().zip(leads).map(|(&drop, leading)| Step { drop: drop as usize, leading }).collect()
    } else {
        Vec::new()
    };
    Ok(Transition {
        matrix: Matrix { words, stride: k + 1, degree },
        steps,
        last: whole.then(|| ring.exact(rest, k + 1 - degree)),
    })
}

/// Rows of a buffer: `len` words from `at` on, and again every `stride` words.
#[derive(Clone, Copy)]
pub(in crate::arithmetic::gcd) struct Rows<'a, E: Word> {
    pub(in crate::arithmetic::gcd) words: &'a Buffer<E>,
    pub(in crate::arithmetic::gcd) at: usize,
    pub(in crate::arithmetic::gcd) len: usize,
    pub(in crate::arithmetic::gcd) stride: usize,
}

impl<'a, E: Word> Rows<'a, E> {
    /// The first `len` words of each entry of a matrix.
    pub(in crate::arithmetic::gcd) fn of_matrix<F: PolyField<Element = E>>(matrix: &'a Matrix<F>) -> Self {
        Self { words: &matrix.words, at: 0, len: matrix.degree + 1, stride: matrix.stride }
    }

    /// A polynomial as a row, from its coefficient `at` on.
    pub(in crate::arithmetic::gcd) fn of_poly<F: PolyField<Element = E>>(f: &'a Poly<F>, at: usize) -> Self {
        Self { words: &f.buffer, at, len: f.len.saturating_sub(at), stride: 0 }
    }
}

/// Rows side by side, `length` words each: digit `i` of the pattern names row `i`; see `transition_arrange`.
pub(in crate::arithmetic::gcd) fn arrange<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    [a, b]: [Rows<'_, F::Element>; 2],
    (pattern, count, length): (u32, usize, usize),
    out: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let (kernel, group) = kernel(ring, cl, &TRANSITION_ARRANGE)?;
    cl.launch(&kernel)
        .input(a.words)
        .value(a.at as u64)
        .value(a.len as u64)
        .value(a.stride as u64)
        .input(b.words)
        .value(b.at as u64)
        .value(b.len as u64)
        .value(b.stride as u64)
        .value(pattern)
        .value(count as u64)
        .value(length as u64)
        .buffer(out)
        .items(count * length, group)
        .bytes((2 * count * length * size_of::<F::Element>()) as u64)
        .run()?;
    Ok(())
}

/// Sums of pairs of rows of `length` words: the first to `c`, the others to `d`; how many words each has up to the last that is
/// not zero, where `lengths` are asked for.
pub(in crate::arithmetic::gcd) fn add<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    (data, length, pairs): (&Buffer<F::Element>, usize, usize),
    (c, d): (&mut Buffer<F::Element>, &mut Buffer<F::Element>),
    lengths: bool,
) -> Result<Vec<u32>, PolyError> {
    let (kernel, group) = kernel(ring, cl, &TRANSITION_ADD)?;
    let mut found = ring.device().zeros::<u32>(pairs)?;
    let (p, reciprocal) = ring.modulus();
    cl.launch(&kernel)
        .input(data)
        .value(length as u64)
        .buffer(c)
        .buffer(d)
        .buffer(&mut found)
        .value(p)
        .value(reciprocal)
        .groups(pairs * length.div_ceil(group), group)
        .bytes((3 * pairs * length * size_of::<F::Element>()) as u64)
        .run()?;
    if lengths { Ok(found.download()?) } else { Ok(Vec::new()) }
}

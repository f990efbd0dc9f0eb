//! Divisions on an OpenCL device: launches of the `s`-head division, many pairs in one launch, steps of Newton's division.

use manycore_device::{Buffer, DeviceKind, OpenCl};

use super::plan::DivisionPlan;
use super::span::{Part, Span};
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

// SAFETY: the functions of this file alone launch them, with parameters without fault; divisor, quotient and remainder
// have the lengths of `Poly`s or `Batch`es, which divisions compare.
manycore_device::kernel! {
    /// The inverse of the head of a divisor.
    unsafe DIVIDE_HEAD_INVERSE in manycore_kernels::poly::DIVIDE_HEADS: divide_head_inverse

    /// One launch of the `s`-head division.
    unsafe DIVIDE_HEADS in manycore_kernels::poly::DIVIDE_HEADS: divide_heads

    /// What a part of a quotient leaves.
    unsafe DIVIDE_SUBTRACT in manycore_kernels::poly::DIVIDE_SUBTRACT: divide_subtract

    /// Many pairs.
    unsafe DIVIDE_PAIRS in manycore_kernels::poly::DIVIDE_PAIRS: divide_pairs
}

/// The most coefficients of a head: a group has room for them in local memory.
pub(super) const LARGEST_HEAD: usize = 1 << 10;
/// The least room for them, in powers of two: so that small heads share a kernel.
const LEAST_LOG_ROOM: u32 = 5;
/// Items of a group of a step over coefficients one by one.
const GROUP: usize = 256;
/// The most items of the group that inverts a head.
const INVERSE_GROUP: usize = 64;
/// The least room of a pair in local memory, in powers of two.
const LEAST_LOG_PAIR: u32 = 6;

/// The base-2 logarithm of the room for a head.
pub(super) fn log_room(s: usize) -> u32 {
    s.max(1).next_power_of_two().ilog2().max(LEAST_LOG_ROOM)
}

/// Words of local memory that a group of the `s`-head division takes.
pub(super) fn local_words(s: usize, group: usize, each: usize) -> u64 {
    // The head, the inverse, the quotient's part, and the window of the divisor.
    (4u64 << log_room(s)) + (group * each) as u64
}

/// What is wrong with the parameters of an `s`-head division on a device, if anything.
pub(super) fn fault<F: PolyField>(
    cl: &OpenCl,
    (s, group, each): (usize, usize, usize),
) -> Result<Option<String>, PolyError> {
    if s == 0 || s > LARGEST_HEAD {
        return Ok(Some(format!("s lies between 1 and {LARGEST_HEAD}, and is {s}")));
    }
    if group == 0 || group > cl.info().group_limit {
        return Ok(Some(format!("groups have at most {} items", cl.info().group_limit)));
    }
    if each == 0 || each > 16 {
        return Ok(Some(format!("an item updates 1 to 16 coefficients, not {each}")));
    }
    let bytes = local_words(s, group, each) * size_of::<F::Element>() as u64;
    let most = cl.local_limit_bytes()? as u64;
    Ok((bytes > most).then(|| format!("{bytes} bytes of local memory, of {most}")))
}

/// The parameters for short quotients, and the only ones on devices that are never tuned: at most `s` coefficients a launch.
pub(super) fn usual_plan<F: PolyField>(cl: &OpenCl, s: usize) -> Result<DivisionPlan, PolyError> {
    let group = if cl.info().kind == DeviceKind::Gpu { 256 } else { 16 }.min(cl.info().group_limit);
    let (mut s, mut each) = (s.clamp(1, LARGEST_HEAD), 4);
    let most = cl.local_limit_bytes()? as u64;
    while local_words(s, group, each) * size_of::<F::Element>() as u64 > most && s > 1 {
        if each > 1 {
            each /= 2;
        } else {
            s /= 2;
        }
    }
    Ok(DivisionPlan::SHead { s, group, each })
}

/// `p - 2`, to which power a residue is its inverse.
fn inverse_exponent<F: PolyField>(ring: &PolyRing<F>) -> u64 {
    ring.field().order() - 2
}

/// Writes the first `count` coefficients of the inverse of the reversed divisor, in reversed order where that is wanted, to `inverse` from `at` on. `count` is at most [`LARGEST_HEAD`].
pub(super) fn head_inverse<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    b: Span<'_, F::Element>,
    (inverse, at): (&mut Buffer<F::Element>, usize),
    count: usize,
    is_reversed: bool,
) -> Result<(), PolyError> {
    let group = if cl.info().kind == DeviceKind::Gpu { INVERSE_GROUP } else { 16 }.min(cl.info().group_limit);
    let defines = heads_defines(ring, (count, group, 1));
    let kernel = ring.planner().kernel(cl, &DIVIDE_HEAD_INVERSE, defines)?;
    let (p, reciprocal) = ring.modulus();
    cl.launch(&kernel)
        .input(b.buffer)
        .value(b.at as u64)
        .value(b.len as u64)
        .buffer(inverse)
        .value(at as u64)
        .value(count as u32)
        .value(u32::from(is_reversed))
        .value(inverse_exponent(ring))
        .value(p)
        .value(reciprocal)
        .groups(1, group)
        .bytes((2 * count * size_of::<F::Element>()) as u64)
        .operations((count * count / 2) as u64)
        .run()?;
    Ok(())
}

fn heads_defines<F: PolyField>(
    ring: &PolyRing<F>,
    (s, group, each): (usize, usize, usize),
) -> manycore_device::Defines {
    ring.defines().set("SUM_TERMS", ring.sum_terms()).set("GROUP", group).set("EACH", each).set("LOG_ROOM", log_room(s))
}

/// Divides the `n` words of `a` by `b`, of `m <= n` coefficients: the lowest `m - 1` words of `a` become the remainder, and
/// `n - m + 1` words of `q` the quotient.
pub(super) fn by_heads<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    (s, group, each): (usize, usize, usize),
    (a, n): (&mut Buffer<F::Element>, usize),
    b: Span<'_, F::Element>,
    q: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let (d, mut left) = (b.len - 1, n + 1 - b.len);
    let s = s.min(left);
    let mut inverse = ring.device().scratch(s)?;
    head_inverse(ring, cl, b, (&mut inverse, 0), s, false)?;
    let kernel = ring.planner().kernel(cl, &DIVIDE_HEADS, heads_defines(ring, (s, group, each)))?;
    let (p, reciprocal) = ring.modulus();
    let groups = d.div_ceil(group * each).max(1);
    while left > 0 {
        let head = s.min(left);
        cl.launch(&kernel)
            .buffer(&mut *a)
            .value((left - 1 + d) as u64)
            .input(b.buffer)
            .value(b.at as u64)
            .value(b.len as u64)
            .input(&inverse)
            .buffer(&mut *q)
            .value(head as u32)
            .value(p)
            .value(reciprocal)
            .groups(groups, group)
            .bytes((3 * d * size_of::<F::Element>()) as u64)
            .operations((head * d) as u64)
            .run()?;
        left -= head;
    }
    Ok(())
}

/// Subtracts `c` from a part of `data`.
pub(super) fn subtract<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    data: &mut Buffer<F::Element>,
    part: Part,
    c: &Buffer<F::Element>,
) -> Result<(), PolyError> {
    let Part { at, count, total, fold } = part;
    let group = GROUP.min(cl.info().group_limit);
    let kernel = ring.planner().kernel(cl, &DIVIDE_SUBTRACT, ring.defines().set("GROUP", group))?;
    let (p, reciprocal) = ring.modulus();
    cl.launch(&kernel)
        .buffer(data)
        .value(at as u64)
        .value(count as u64)
        .value(total as u64)
        .value(fold as u64)
        .input(c)
        .value(p)
        .value(reciprocal)
        .items(count, group)
        .bytes(((count + total.max(count)) * size_of::<F::Element>()) as u64)
        .operations(count.max(total) as u64)
        .run()?;
    Ok(())
}

/// Whether a group's local memory holds a pair of polynomials.
pub(super) fn holds_pair<F: PolyField>(cl: &OpenCl, n: usize, m: usize) -> Result<bool, PolyError> {
    let words = n.saturating_add(m).checked_next_power_of_two().unwrap_or(usize::MAX).max(1 << LEAST_LOG_PAIR);
    // One more word holds the degree.
    let bytes = words.saturating_mul(size_of::<F::Element>()).saturating_add(size_of::<u64>());
    Ok(bytes <= cl.local_limit_bytes()?)
}

/// Pairs side by side: the formal lengths, and the words from one divisor to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairs {
    pub(super) count: usize,
    pub(super) n: usize,
    pub(super) m: usize,
    pub(super) b_stride: usize,
}

/// Divides every pair, a group each; the index of the first zero divisor, if there is one.
pub(super) fn pairs<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    pairs: Pairs,
    a: &Buffer<F::Element>,
    b: &Buffer<F::Element>,
    quotients: &mut Buffer<F::Element>,
    remainders: &mut Buffer<F::Element>,
) -> Result<Option<usize>, PolyError> {
    let Pairs { count, n, m, b_stride } = pairs;
    let most = if cl.info().kind == DeviceKind::Gpu { m.next_power_of_two().clamp(32, 256) } else { 16 };
    let group = most.min(cl.info().group_limit);
    let log_room = (n + m).next_power_of_two().ilog2().max(LEAST_LOG_PAIR);
    let defines = ring.defines().set("GROUP", group).set("LOG_ROOM", log_room);
    let kernel = ring.planner().kernel(cl, &DIVIDE_PAIRS, defines)?;
    let (p, reciprocal) = ring.modulus();
    let mut zeros = ring.device().upload(&[u32::MAX])?;
    let word_bytes = size_of::<F::Element>();
    cl.launch(&kernel)
        .input(a)
        .value(n as u32)
        .input(b)
        .value(m as u32)
        .value(b_stride as u64)
        .buffer(quotients)
        .buffer(remainders)
        .buffer(&mut zeros)
        .value(inverse_exponent(ring))
        .value(p)
        .value(reciprocal)
        .groups(count, group)
        .bytes((2 * count * (n + m) * word_bytes) as u64)
        .operations((count * (n + 1).saturating_sub(m) * m) as u64)
        .run()?;
    let mut first = [0u32];
    zeros.read_into(&mut first)?;
    let told = |index| ring.within("the index of a divisor", index as usize, 0..=count.saturating_sub(1));
    (first[0] != u32::MAX).then_some(first[0]).map(told).transpose()
}

//! Greatest common divisors on OpenCL devices: chains of launches, each of some steps, one launch in which groups wait for each
//! other, and pairs within local memory.
//!
//! The lengths of both polynomials lie on the device, so that no launch waits for the host; they come back in the end.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, DeviceKind, Kernel, KernelSpec, OpenCl, Word};
use manycore_field::Arithmetic;

use super::cost::OnDevice;
use super::plan::{GcdAlgorithm, GcdPlan, GcdShape, Packing, Segments, capacity};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

// SAFETY: this file alone launches them, with segments and packings without fault, buffers as long as the polynomials,
// and groups that run at the same time where they wait for each other; kernels move lengths down from those alone.
manycore_device::kernel! {
    /// Some steps.
    unsafe GCD_STEPS in manycore_kernels::poly::GCD_STEPS: gcd_steps

    /// All steps in one launch, in which groups wait for each other.
    unsafe GCD_STEPS_PERSISTENT in manycore_kernels::poly::GCD_STEPS: gcd_steps_persistent

    /// All steps of pairs in local memory.
    unsafe GCD_BATCH in manycore_kernels::poly::GCD_BATCH: gcd_batch
}

/// The only segments and packing on devices that are no GPU: their items are turns of a loop, and other sizes take their
/// compilers a second each.
const CPU_SEGMENTS: Segments = Segments { steps: 32, width: 192, group: 16, persistent: false };
const CPU_PACKING: Packing = Packing { log_group: 4, log_pack: 0 };

/// What is counted of greatest common divisors on this device.
pub(super) fn operation<F: PolyField>(ring: &PolyRing<F>, cl: &OpenCl) -> Result<OnDevice, PolyError> {
    let gpu = cl.info().kind == DeviceKind::Gpu;
    Ok(OnDevice {
        arithmetic: ring.arithmetic(),
        montgomery: is_montgomery(ring),
        sum_terms: ring.sum_terms(),
        group_limit: cl.info().group_limit,
        local_bytes: cl.local_limit_bytes()?,
        groups_at_once: cl.info().groups_at_once() as u64,
        only: (!gpu).then_some((CPU_SEGMENTS, CPU_PACKING)),
    })
}

/// Whether steps reduce after Montgomery.
fn is_montgomery<F: PolyField>(ring: &PolyRing<F>) -> bool {
    let words = matches!(ring.arithmetic(), Arithmetic::Word32 | Arithmetic::Word64 { .. });
    words && ring.field().order() % 2 == 1
}

/// `p^-1` mod `2^64`, of an odd `p`; the low half is that mod `2^32`.
const fn inverse_word(p: u64) -> u64 {
    // Newton's iteration doubles the right bits; p is its own inverse mod 8.
    let (mut inverse, mut i) = (p, 0);
    while i < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse)));
        i += 1;
    }
    inverse
}

fn defines<F: PolyField>(ring: &PolyRing<F>) -> Defines {
    ring.defines().set("MONTGOMERY", u8::from(is_montgomery(ring)))
}

fn refused(cl: &OpenCl, algorithm: GcdAlgorithm, reason: String) -> PolyError {
    PolyError::Gcd { algorithm, device: cl.info().label(), reason }
}

/// Places past the end that items of the last group count: fewer than a group has cells of local memory.
const PAST_END: i32 = 1 << 16;

/// Lengths, and places somewhat past them, are signed 32-bit words there.
fn length(cl: &OpenCl, algorithm: GcdAlgorithm, len: usize) -> Result<u32, PolyError> {
    let fits = i32::try_from(len).ok().and_then(|len| len.checked_add(PAST_END));
    fits.map(|_| len as u32).ok_or_else(|| refused(cl, algorithm, format!("{len} coefficients are too many")))
}

/// The monic greatest common divisor of polynomials of two coefficients at least, by a plan of devices.
pub(super) fn gcd<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    a: &Poly<F>,
    b: &Poly<F>,
    plan: &GcdPlan,
) -> Result<Poly<F>, PolyError> {
    match plan {
        GcdPlan::Steps(segments) => chain(ring, cl, a, b, segments, GcdAlgorithm::Steps),
        GcdPlan::DivisionSteps(segments) => chain(ring, cl, a, b, segments, GcdAlgorithm::DivisionSteps),
        GcdPlan::Local(packing) => {
            let shape = GcdShape { count: 1, n: a.len, m: b.len };
            let (out, lens) = local(ring, cl, &shape, &a.buffer, &b.buffer, *packing)?;
            Ok(ring.exact(out, lens.first().copied().unwrap_or(0)))
        }
        GcdPlan::Euclid | GcdPlan::Half { .. } => {
            Err(refused(cl, plan.algorithm(), "no kernel makes its steps".into()))
        }
    }
}

/// Steps whose lengths lie on the device, by segments.
struct Chain<'a, F: PolyField> {
    ring: &'a PolyRing<F>,
    cl: &'a OpenCl,
    segments: &'a Segments,
    algorithm: GcdAlgorithm,
    /// The longer polynomial, and the other one.
    a: &'a Poly<F>,
    b: &'a Poly<F>,
    /// Steps in all: division steps end with one coefficient of F and, as it counts, one of the other one.
    all: u64,
}

/// What the last state says: the lengths of both, whether Q is F, and the place of both.
struct Last<E: Word> {
    la: i32,
    lb: i32,
    q_is_f: bool,
    /// The buffers of both, and where they begin.
    p: (Buffer<E>, usize),
    q: (Buffer<E>, usize),
}

/// The monic greatest common divisor by segments.
fn chain<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    a: &Poly<F>,
    b: &Poly<F>,
    segments: &Segments,
    algorithm: GcdAlgorithm,
) -> Result<Poly<F>, PolyError> {
    let (a, b) = if a.len < b.len { (b, a) } else { (a, b) };
    let (word_bytes, group_limit) = (size_of::<F::Element>(), cl.info().group_limit);
    if let Some(reason) = segments.fault(group_limit, cl.local_limit_bytes()?, word_bytes) {
        return Err(refused(cl, algorithm, reason));
    }
    let is_fixed = algorithm == GcdAlgorithm::DivisionSteps;
    let all = (a.len as u64 + b.len as u64) - if is_fixed { 2 } else { 1 };
    let chain = Chain { ring, cl, segments, algorithm, a, b, all };
    let last = if segments.persistent { chain.in_one_launch()? } else { chain.launches()? };
    if !is_fixed && last.la > 0 && last.lb > 0 {
        return ring.one();
    }
    let is_q = if is_fixed { last.q_is_f } else { last.la <= 0 };
    let ((words, start), len, most) = if is_q { (last.q, last.lb, b.len) } else { (last.p, last.la, a.len) };
    let len = usize::try_from(len).unwrap_or(0);
    ring.within("the length of a greatest common divisor", len, 0..=most)?;
    let mut divisor = ring.device().scratch(len)?;
    divisor.view_mut(..)?.copy_from(words.view(start..start + len)?)?;
    let reversed = ring.reverse_words(&ring.exact(divisor, len))?;
    ring.monic(&ring.stripped(reversed, len)?)
}

impl<F: PolyField> Chain<'_, F> {
    fn is_fixed(&self) -> bool {
        self.algorithm == GcdAlgorithm::DivisionSteps
    }

    fn kernel(&self, spec: &'static KernelSpec) -> Result<Arc<Kernel>, PolyError> {
        let defines = defines(self.ring)
            .set("STEPS", format!("{}u", self.segments.steps))
            .set("WIDTH", format!("{}u", self.segments.width))
            .set("GROUP", self.segments.group)
            .set("RULE", u8::from(self.is_fixed()));
        Ok(self.ring.planner().kernel(self.cl, spec, defines)?)
    }

    /// The first state: both lengths, and that the first pair of buffers has both; then as many zeros, and two more.
    fn state(&self) -> Result<Buffer<i32>, PolyError> {
        let length = |f: &Poly<F>| length(self.cl, self.algorithm, f.len);
        let (la, lb) = (length(self.a)?, length(self.b)?);
        Ok(self.ring.device().upload(&[la as i32, lb as i32, 0, 0, 0, 0, 0, 0, 0, 0])?)
    }

    /// Bytes and operations of `steps` steps, for profiles.
    fn counts(&self, groups: u64, steps: u64) -> (u64, u64) {
        let (own, width) = (u64::from(self.segments.steps), u64::from(self.segments.width));
        let cells = 2 * (2 * own + width);
        let rounds = steps.div_ceil(own);
        (groups * rounds * (cells + 2 * width) * size_of::<F::Element>() as u64, groups * steps * cells)
    }

    /// A launch for some steps: the first reads the reversed polynomials, each one the results of the one before.
    fn launches(&self) -> Result<Last<F::Element>, PolyError> {
        let Self { ring, cl, a, b, all, .. } = *self;
        let mut state = self.state()?;
        let kernel = self.kernel(&GCD_STEPS)?;
        let (p, reciprocal) = ring.modulus();
        let inverse = inverse_word(ring.field().order());
        // Of each polynomial what one launch reads, and what it writes.
        let mut from = [ring.reverse_words(a)?, ring.reverse_words(b)?];
        let mut to = [ring.device().scratch(a.len)?, ring.device().scratch(b.len)?];
        let (mut done, mut slot) = (0u64, 0u32);
        while done < all {
            let most = u64::from(self.segments.steps).min(all - done);
            // Before the last step neither of both is longer than what all steps leave of them.
            let longest = if self.is_fixed() { a.len as u64 } else { (a.len as u64).min(all + 1 - done) };
            let groups = longest.div_ceil(self.segments.width.into());
            let (bytes, operations) = self.counts(groups, most);
            let ([p_from, q_from], [p_to, q_to]) = (&from, &mut to);
            cl.launch(&kernel)
                .input(p_from)
                .input(q_from)
                .buffer(p_to)
                .buffer(q_to)
                .value(a.len as u32)
                .value(b.len as u32)
                .buffer(&mut state)
                .value(slot)
                .value(most as u32)
                .value(p)
                .value(reciprocal)
                .value(inverse)
                .groups(groups as usize, self.segments.group as usize)
                .bytes(bytes)
                .operations(operations)
                .run()?;
            std::mem::swap(&mut from, &mut to);
            slot = 1 - slot;
            done += most;
        }
        let ([la, lb, q_is_f, place], _) = last(&state, Some(slot))?;
        // `from` is the pair that the last launch wrote, of the number `slot`.
        let [p, q] = if place as u32 == slot { from } else { to };
        Ok(Last { la, lb, q_is_f: q_is_f != 0, p: (p, 0), q: (q, 0) })
    }

    /// One launch, in which groups wait for each other.
    fn in_one_launch(&self) -> Result<Last<F::Element>, PolyError> {
        let Self { ring, cl, a, b, all, .. } = *self;
        let groups = (a.len as u64).div_ceil(self.segments.width.into());
        let limit = cl.info().groups_at_once() as u64;
        if groups > limit {
            let reason = format!("{groups} groups wait for each other, of which {limit} run at the same time");
            return Err(refused(cl, self.algorithm, reason));
        }
        let mut state = self.state()?;
        let kernel = self.kernel(&GCD_STEPS_PERSISTENT)?;
        let pairs = |f: &Poly<F>| -> Result<Buffer<F::Element>, PolyError> {
            let mut pairs = ring.device().scratch(2 * f.len)?;
            pairs.view_mut(..f.len)?.copy_from(ring.reverse_words(f)?.view(..)?)?;
            Ok(pairs)
        };
        let (mut of_p, mut of_q) = (pairs(a)?, pairs(b)?);
        let mut arrivals = ring.device().zeros::<u32>(all.div_ceil(self.segments.steps.into()) as usize)?;
        let (p, reciprocal) = ring.modulus();
        let (bytes, operations) = self.counts(groups, all);
        cl.launch(&kernel)
            .buffer(&mut of_p)
            .value(a.len as u32)
            .buffer(&mut of_q)
            .value(b.len as u32)
            .buffer(&mut state)
            .buffer(&mut arrivals)
            .value(all as u32)
            .value(p)
            .value(reciprocal)
            .value(inverse_word(ring.field().order()))
            .groups(groups as usize, self.segments.group as usize)
            .bytes(bytes)
            .operations(operations)
            .run()?;
        let ([la, lb, q_is_f, _], slot) = last(&state, None)?;
        let Some(slot) = slot else {
            return Err(refused(cl, self.algorithm, "groups waited for each other in vain".into()));
        };
        let start = |f: &Poly<F>| if slot == 0 { 0 } else { f.len };
        Ok(Last { la, lb, q_is_f: q_is_f != 0, p: (of_p, start(a)), q: (of_q, start(b)) })
    }
}

/// The state at a slot, or at the slot that the device names, and that slot; `None` where groups waited for each other in vain.
fn last(state: &Buffer<i32>, slot: Option<u32>) -> Result<([i32; 4], Option<usize>), PolyError> {
    let mut words = [0i32; 10];
    state.read_into(&mut words)?;
    let slot = slot.map_or(words[8] & 1, |slot| slot as i32 & 1) as usize;
    Ok(([0, 1, 2, 3].map(|i| words[4 * slot + i]), (words[9] == 0).then_some(slot)))
}

/// The monic greatest common divisors of pairs in local memory, in rows as long as the longer polynomial, and the number of
/// coefficients of each.
pub(super) fn local<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    shape: &GcdShape,
    a: &Buffer<F::Element>,
    b: &Buffer<F::Element>,
    packing: Packing,
) -> Result<(Buffer<F::Element>, Vec<usize>), PolyError> {
    let (word_bytes, group_limit) = (size_of::<F::Element>(), cl.info().group_limit);
    let algorithm = GcdAlgorithm::Steps;
    if let Some(reason) = packing.fault(shape.longest(), group_limit, cl.local_limit_bytes()?, word_bytes) {
        return Err(refused(cl, algorithm, reason));
    }
    let Some(capacity) = capacity(shape.longest()) else {
        return Err(refused(cl, algorithm, format!("{} coefficients are too many", shape.longest())));
    };
    let word = |len| length(cl, algorithm, len);
    let (n, m, row, count) = (word(shape.n)?, word(shape.m)?, word(shape.longest())?, word(shape.count)?);
    let kernel_defines = defines(ring)
        .set("LOG_GROUP", packing.log_group)
        .set("LOG_PACK", packing.log_pack)
        .set("CAPACITY", format!("{capacity}u"));
    let kernel = ring.planner().kernel(cl, &GCD_BATCH, kernel_defines)?;
    let (p, reciprocal) = ring.modulus();
    let mut out = ring.device().scratch(shape.count * shape.longest())?;
    let mut lens = ring.device().scratch::<u32>(shape.count)?;
    let words = (shape.n + shape.m + shape.longest()) as u64 * shape.count as u64;
    cl.launch(&kernel)
        .input(a)
        .value(n)
        .input(b)
        .value(m)
        .buffer(&mut out)
        .value(row)
        .buffer(&mut lens)
        .value(count)
        .value(p)
        .value(reciprocal)
        .value(inverse_word(ring.field().order()))
        .groups(shape.count.div_ceil(1 << packing.log_pack), 1 << packing.log_group)
        .bytes(words * word_bytes as u64)
        .operations(2 * (shape.n as u64 * shape.m as u64).saturating_mul(shape.count as u64))
        .run()?;
    let told = |len| ring.within("the length of a greatest common divisor", len as usize, 0..=shape.longest());
    let lens = lens.download()?.into_iter().map(told).collect::<Result<_, _>>()?;
    Ok((out, lens))
}

#[cfg(test)]
mod tests {
    use super::inverse_word;

    #[test]
    fn inverse_words_are_inverses() {
        for p in [3u64, 7, 9001, 469_762_049, 2_147_483_647, 4_611_686_009_971_671_041, 9_223_372_036_854_775_783] {
            assert_eq!(p.wrapping_mul(inverse_word(p)), 1);
            assert_eq!((p as u32).wrapping_mul(inverse_word(p) as u32), 1);
        }
    }
}

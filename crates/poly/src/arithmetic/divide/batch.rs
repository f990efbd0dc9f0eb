//! Many divisions at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use manycore_device::{Buffer, Executor, HostPool, Team};

use super::cost::{HEAD, plain_operations};
use super::device::Pairs;
use super::plan::{DivisionPlan, Size};
use super::span::Span;
use super::{Divisor, device, host};
use crate::arithmetic::linear::reference::stripped_len;
use crate::arithmetic::multiply::Batch;
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// The divisors of a batch.
enum Divisors<'a, F: PolyField> {
    /// One for each dividend.
    Own(&'a Batch<F>),
    /// One divisor for all dividends.
    One(&'a Divisor<F>),
}

impl<F: PolyField> Divisors<'_, F> {
    fn buffer(&self) -> &Buffer<F::Element> {
        match self {
            Self::Own(batch) => &batch.buffer,
            Self::One(divisor) => &divisor.poly().buffer,
        }
    }

    /// Words of each.
    fn len(&self) -> usize {
        match self {
            Self::Own(batch) => batch.len,
            Self::One(divisor) => divisor.poly().len,
        }
    }

    /// Words from one to the next.
    fn stride(&self) -> usize {
        if let Self::Own(batch) = self { batch.len } else { 0 }
    }
}

impl<F: PolyField> PolyRing<F> {
    /// Quotient and remainder of each polynomial of `a` by that of `b` at the same place: `a.len()` coefficients of each
    /// quotient, and `b.len() - 1` of each remainder, of which the leading ones may be zero. Each divisor has a degree of its
    /// own: its leading coefficients may be zero too.
    ///
    /// On an OpenCL device a group divides each pair that fits its local memory; on the host threads share the pairs. Longer
    /// ones are divided one after the other.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let a = ring.batch(&[1, 2, 1, 5, 0, 1], 2, 3)?; // 1 + 2 x + x^2 and 5 + x^2
    /// let b = ring.batch(&[1, 1, 2, 0], 2, 2)?; // 1 + x and 2
    /// let (q, r) = ring.div_rem_batch(&a, &b)?;
    /// assert_eq!(q.buffer().download()?, [1, 1, 0, 6, 0, 4]);
    /// assert_eq!(r.buffer().download()?, [0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisorAt`] with the first divisor that is zero; [`PolyError::Batch`] for batches of different counts; as
    /// [`PolyRing::mul`].
    #[inline(never)]
    pub fn div_rem_batch(&self, a: &Batch<F>, b: &Batch<F>) -> Result<(Batch<F>, Batch<F>), PolyError> {
        self.own_batch(a)?;
        self.own_batch(b)?;
        if a.count != b.count {
            return Err(PolyError::Batch { given: b.buffer.len(), count: a.count, len: b.len });
        }
        if a.count > 0 && b.len == 0 {
            return Err(PolyError::ZeroDivisorAt { index: 0 });
        }
        self.divided_batch(a, &Divisors::Own(b))
    }

    /// Quotient and remainder of each polynomial of `a` by one kept divisor: as [`PolyRing::div_rem_batch`], with as many
    /// coefficients of each remainder as the divisor's degree.
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn div_rem_batch_with(&self, a: &Batch<F>, divisor: &Divisor<F>) -> Result<(Batch<F>, Batch<F>), PolyError> {
        self.own_batch(a)?;
        self.own(divisor.poly())?;
        self.divided_batch(a, &Divisors::One(divisor))
    }

    fn divided_batch(&self, a: &Batch<F>, b: &Divisors<'_, F>) -> Result<(Batch<F>, Batch<F>), PolyError> {
        let (count, n, m) = (a.count, a.len, b.len());
        let rest = m.saturating_sub(1);
        let words = count.checked_mul(rest).ok_or(PolyError::TooLong { what: "a batch of remainders" })?;
        let mut q = self.device().scratch(a.buffer.len())?;
        let mut r = self.device().scratch(words)?;
        if count > 0 {
            match self.device().executor() {
                Executor::OpenCl(cl) if device::holds_pair::<F>(cl, n, m)? && count < u32::MAX as usize => {
                    let pairs = Pairs { count, n, m, b_stride: b.stride() };
                    let zero = device::pairs(self, cl, pairs, &a.buffer, b.buffer(), &mut q, &mut r)?;
                    zero.map_or(Ok(()), |index| Err(PolyError::ZeroDivisorAt { index }))?;
                }
                Executor::Host(pool) if self.divides_pairs_plainly(n, m)? => {
                    let (words, divisors) = (a.buffer.host()?, b.buffer().host()?);
                    self.pairs_on_host(pool, count, (words, n), (divisors, b), (q.host_mut()?, r.host_mut()?))?;
                }
                _ => self.pairs_in_turn(a, b, &mut q, &mut r)?,
            }
        }
        let order = a.order;
        Ok((Batch { buffer: q, count, len: n, order }, Batch { buffer: r, count, len: rest, order }))
    }

    /// Whether the host divides such a pair by the definition.
    fn divides_pairs_plainly(&self, n: usize, m: usize) -> Result<bool, PolyError> {
        let plan = self.division_plan(Size { n, m: m.max(1), kept: false })?;
        Ok(matches!(plan, DivisionPlan::Plain { .. }))
    }

    /// Every pair by one of the threads.
    fn pairs_on_host(
        &self,
        pool: &HostPool,
        count: usize,
        (a, n): (&[F::Element], usize),
        (b, divisors): (&[F::Element], &Divisors<'_, F>),
        (q, r): (&mut [F::Element], &mut [F::Element]),
    ) -> Result<(), PolyError> {
        let (field, m, stride) = (self.field(), divisors.len(), divisors.stride());
        let (rest, first_zero) = (m - 1, AtomicUsize::new(usize::MAX));
        // Every divisor's leading coefficients may be zero; one for all has none.
        let head = HEAD.min(n.max(1));
        let shared = match divisors {
            Divisors::One(_) => host::HostDivisor::new(field, b, head),
            Divisors::Own(_) => None,
        };
        let one = |scratch: &mut (Vec<F::Element>, host::Scratch<F::Element>), pair: Pair<'_, F::Element>| {
            let Pair { index, q, r } = pair;
            let (work, scratch) = scratch;
            work.clear();
            work.extend_from_slice(&a[index * n..][..n]);
            let own;
            let divisor = if let Some(shared) = &shared {
                shared
            } else {
                let words = &b[index * stride..][..m];
                let Some(divisor) = host::HostDivisor::new(field, &words[..stripped_len(field, words)], head) else {
                    first_zero.fetch_min(index, Ordering::Relaxed);
                    return;
                };
                own = divisor;
                &own
            };
            let d = divisor.degree();
            let len = n.saturating_sub(d);
            let (quotient, beyond) = q.split_at_mut(len);
            beyond.fill(field.zero());
            if len > 0 {
                divisor.divide(work, quotient, scratch);
            }
            let (low, beyond) = r.split_at_mut(d.min(n));
            low.copy_from_slice(&work[..low.len()]);
            beyond.fill(field.zero());
        };
        let size = Size { n, m, kept: false };
        let bytes = ((q.len() + r.len() + a.len()) * size_of::<F::Element>()) as u64;
        let operations = plain_operations(self, size, head).times(count as u64);
        let team = pool.team().only_if(!operations.suit_one_processor(bytes, self.machine()));
        let products = (count * (n + 1).saturating_sub(m) * m) as u64;
        pool.step("divide_pairs", bytes, products, || shared_pairs(team, (count, n, rest), (q, r), one));
        match first_zero.into_inner() {
            usize::MAX => Ok(()),
            index => Err(PolyError::ZeroDivisorAt { index }),
        }
    }

    /// One pair after the other.
    fn pairs_in_turn(
        &self,
        a: &Batch<F>,
        b: &Divisors<'_, F>,
        q: &mut Buffer<F::Element>,
        r: &mut Buffer<F::Element>,
    ) -> Result<(), PolyError> {
        let (n, m) = (a.len, b.len());
        let rest = m - 1;
        let copy = |from: &Buffer<F::Element>, at: usize, len: usize| -> Result<Buffer<F::Element>, PolyError> {
            let mut words = self.device().scratch(len)?;
            if len > 0 {
                words.view_mut(..)?.copy_from(from.view(at..at + len)?)?;
            }
            Ok(words)
        };
        q.fill(self.field().zero())?;
        r.fill(self.field().zero())?;
        for index in 0..a.count {
            let own;
            let (divisor, kept) = match b {
                Divisors::One(divisor) => (divisor.poly(), Some(*divisor)),
                Divisors::Own(batch) => {
                    own = self.stripped(copy(&batch.buffer, index * m, m)?, m)?;
                    (&own, None)
                }
            };
            if divisor.len == 0 {
                return Err(PolyError::ZeroDivisorAt { index });
            }
            let d = divisor.len - 1;
            let work = if n > d {
                let span = Span { buffer: &divisor.buffer, at: 0, len: divisor.len };
                let size = Size { n, m: divisor.len, kept: kept.is_some() };
                let [work, quotient] = self.by_division_plan(size, |plan| {
                    let (mut work, mut quotient) = (copy(&a.buffer, index * n, n)?, self.device().scratch(n - d)?);
                    self.divide_formal((&mut work, n), span, kept, &mut quotient, true, plan)?;
                    Ok([work, quotient])
                })?;
                q.view_mut(index * n..index * n + n - d)?.copy_from(&quotient)?;
                work
            } else {
                copy(&a.buffer, index * n, n)?
            };
            let low = d.min(n);
            if low > 0 {
                r.view_mut(index * rest..index * rest + low)?.copy_from(work.view(..low)?)?;
            }
        }
        Ok(())
    }
}

/// The words of one pair's results.
struct Pair<'a, E> {
    index: usize,
    q: &'a mut [E],
    r: &'a mut [E],
}

/// Runs `one` for every pair, with memory of its own for each thread.
fn shared_pairs<E: Send, S: Default>(
    team: Team<'_>,
    (count, n, rest): (usize, usize, usize),
    (mut q, mut r): (&mut [E], &mut [E]),
    one: impl Fn(&mut S, Pair<'_, E>) + Sync,
) {
    let pairs = (0..count).map(|index| {
        let (own_q, later_q) = std::mem::take(&mut q).split_at_mut(n);
        let (own_r, later_r) = std::mem::take(&mut r).split_at_mut(rest);
        (q, r) = (later_q, later_r);
        Pair { index, q: own_q, r: own_r }
    });
    let pairs: Vec<Pair<'_, E>> = pairs.collect();
    team.each_with(pairs, S::default, one);
}

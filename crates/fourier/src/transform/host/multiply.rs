//! Products along an axis, which may be cut off or extended with zeros.

use std::ops::Range;

use super::tables::HostPart;
use super::tasks::Shared;
use crate::numbers::{Engine, Numbers, Task};
use crate::transform::plan::stages::MultiplyPass;

/// Some places of the axis, counted over all of `outer`.
pub(super) struct Multiply<'a, N: Numbers> {
    pub(super) numbers: &'a N,
    pub(super) pass: &'a MultiplyPass,
    pub(super) part: &'a HostPart<N>,
    pub(super) from: Shared<N::Value>,
    pub(super) to: Shared<N::Value>,
    pub(super) places: Range<usize>,
}

impl<N: Numbers> Task<N> for Multiply<'_, N> {
    #[inline(always)]
    unsafe fn run<E: Engine<N>>(self, e: E) {
        let Self { pass, ref places, .. } = self;
        let weights = &self.part.tables.weights;
        let known = if weights.is_empty() { pass.from } else { pass.from.min(weights.len()) };
        let mut place = places.start;
        while place < places.end {
            let (outer, k) = (place / pass.to, place % pass.to);
            let end = pass.to.min(k + places.end - place);
            // SAFETY: the arrays have the pass' values; no other task writes these places, and where both are one array no
            // other one reads them.
            unsafe {
                let source = self.from.0.add(outer * pass.from * pass.inner).cast_const();
                let target = self.to.0.add(outer * pass.to * pass.inner);
                let middle = known.clamp(k, end);
                if pass.inner == 1 && !pass.reversed {
                    self.along(e, source, target, k..middle);
                } else if pass.inner == 1 {
                    self.back(e, source, target, k..middle);
                } else {
                    for k in k..middle {
                        let place = if pass.reversed && k > 0 { pass.from.saturating_sub(k) } else { k };
                        self.across(e, source.add(place * pass.inner), target.add(k * pass.inner), k);
                    }
                }
                for at in middle * pass.inner..end * pass.inner {
                    *target.add(at) = self.numbers.zero();
                }
            }
            place += end - k;
        }
    }
}

impl<N: Numbers> Multiply<'_, N> {
    /// `x` at place `k` times its weight.
    ///
    /// # Safety
    /// There are weights up to the place, and the instruction set of the engine is there.
    #[inline(always)]
    unsafe fn multiplied<E: Engine<N>>(
        &self,
        e: E,
        x: E::Number,
        weight: impl FnOnce(*const N::Value) -> E::Number,
    ) -> E::Number {
        let weights = &self.part.tables.weights;
        let x = if self.part.conjugate_first { e.conjugated(x) } else { x };
        let x = if weights.is_empty() { x } else { e.times(x, weight(weights.as_ptr())) };
        if self.part.conjugate_last { e.conjugated(x) } else { x }
    }

    /// Places in order.
    ///
    /// # Safety
    /// They are readable and writable.
    #[inline(always)]
    unsafe fn along<E: Engine<N>>(&self, e: E, from: *const N::Value, to: *mut N::Value, places: Range<usize>) {
        let vectors = places.len() / E::LANES * E::LANES;
        // SAFETY: as the caller says.
        unsafe {
            for k in (places.start..places.start + vectors).step_by(E::LANES) {
                let x = self.multiplied(e, e.read(from.add(k)), |weights| e.read(weights.add(k)));
                e.write(to.add(k), x);
            }
            for k in places.start + vectors..places.end {
                *to.add(k) = self.single(*from.add(k), k);
            }
        }
    }

    /// The products of values that are read in reverse order.
    ///
    /// # Safety
    /// As [`Multiply::along`].
    #[inline(always)]
    unsafe fn back<E: Engine<N>>(&self, e: E, from: *const N::Value, to: *mut N::Value, places: Range<usize>) {
        let mut k = places.start;
        // SAFETY: as the caller says; places up to 0 come from the last ones.
        unsafe {
            if k == 0 && !places.is_empty() {
                *to = self.single(*from, 0);
                k = 1;
            }
            while k + E::LANES <= places.end {
                let x = e.reversed(e.read(from.add(self.pass.from + 1 - k - E::LANES)));
                let x = self.multiplied(e, x, |weights| e.read(weights.add(k)));
                e.write(to.add(k), x);
                k += E::LANES;
            }
            for k in k..places.end {
                *to.add(k) = self.single(*from.add(self.pass.from - k), k);
            }
        }
    }

    /// Values with the weight of one place.
    ///
    /// # Safety
    /// As [`Multiply::along`], for the values.
    #[inline(always)]
    unsafe fn across<E: Engine<N>>(&self, e: E, from: *const N::Value, to: *mut N::Value, k: usize) {
        let inner = self.pass.inner;
        let vectors = inner / E::LANES * E::LANES;
        // SAFETY: as the caller says.
        unsafe {
            for t in (0..vectors).step_by(E::LANES) {
                let x = self.multiplied(e, e.read(from.add(t)), |weights| e.constant(weights.add(k)));
                e.write(to.add(t), x);
            }
            for t in vectors..inner {
                *to.add(t) = self.single(*from.add(t), k);
            }
        }
    }

    #[inline(always)]
    fn single(&self, x: N::Value, k: usize) -> N::Value {
        let x = if self.part.conjugate_first { self.numbers.conjugated(x) } else { x };
        let x = self.part.tables.plain_weights.get(k).map_or(x, |&weight| self.numbers.times(x, weight));
        if self.part.conjugate_last { self.numbers.conjugated(x) } else { x }
    }
}

//! Reductions on the way into 32-bit words, from slices of other words.

use super::level::Task;
#[cfg(target_arch = "x86_64")]
use super::modulus::Modulus;
#[cfg(target_arch = "x86_64")]
use super::vectors::Pairs;
use crate::prime_field::Montgomery;

/// `x mod p` for `x < 8 p`, with multiples of `p` that fit a word: from `p = 2^30` on, every word is below `4 p`.
#[inline(always)]
fn less(x: u32, p: u32) -> u32 {
    let four = if p < 1 << 30 { 4 * p } else { 0 };
    [four, 2 * p, p].into_iter().fold(x, |x, multiple| x.min(x.wrapping_sub(multiple)))
}

/// `to = from mod p` for `from < 8 p`.
pub(super) struct Short<'a> {
    pub(super) p: u32,
    pub(super) to: &'a mut [u32],
    pub(super) from: &'a [u32],
}

impl Short<'_> {
    #[inline(always)]
    fn scalar(self) {
        self.to.iter_mut().zip(self.from).for_each(|(to, &from)| *to = less(from, self.p));
    }
}

impl Task for Short<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.scalar();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: Pairs>(self) {
        let len = self.to.len().min(self.from.len());
        let whole = len - len % V::LANES;
        // SAFETY: the caller has the instruction set; the accesses are to LANES words of both slices before `whole`.
        unsafe {
            let by = Multiples::<V>::new(self.p);
            let (to, from) = (self.to.as_mut_ptr(), self.from.as_ptr());
            let mut i = 0;
            while i < whole {
                by.less(V::load(from.add(i))).store(to.add(i));
                i += V::LANES;
            }
        }
        Short { to: &mut self.to[whole..], from: &self.from[whole..], ..self }.scalar();
    }
}

/// What [`less`] takes away.
#[cfg(target_arch = "x86_64")]
struct Multiples<V>([V; 3]);

#[cfg(target_arch = "x86_64")]
impl<V: Pairs> Multiples<V> {
    /// # Safety
    /// The instruction set of `V` is available.
    #[inline(always)]
    unsafe fn new(p: u32) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe { Self([V::splat(if p < 1 << 30 { 4 * p } else { 0 }), V::splat(2 * p), V::splat(p)]) }
    }

    #[inline(always)]
    fn less(&self, x: V) -> V {
        let x = x.least(x.minus(self.0[0]));
        let x = x.least(x.minus(self.0[1]));
        x.least(x.minus(self.0[2]))
    }
}

/// `to = from / 2^32`, Montgomery's reduction.
pub(super) struct Reduce<'a> {
    pub(super) by: &'a Montgomery<u32>,
    pub(super) to: &'a mut [u32],
    pub(super) from: &'a [u64],
}

impl Reduce<'_> {
    #[inline(always)]
    fn scalar(self, first: usize) {
        for (to, &from) in self.to[first..].iter_mut().zip(&self.from[first..]) {
            let high = (from >> 32) as u32;
            *to = self.by.reduce(from as u32, less(high, self.by.modulus()));
        }
    }
}

impl Task for Reduce<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.scalar(0);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: Pairs>(self) {
        let len = self.to.len().min(self.from.len());
        let whole = len - len % V::LANES;
        // SAFETY: the caller has the instruction set; the accesses are to LANES words of both slices before `whole`.
        unsafe {
            let by = Modulus::<V>::new(self.by.modulus(), self.by.inverse());
            let multiples = Multiples::new(self.by.modulus());
            let (to, from) = (self.to.as_mut_ptr(), self.from.as_ptr());
            let mut i = 0;
            while i < whole {
                let pairs = (V::load(from.add(i).cast()), V::load(from.add(i + V::LANES / 2).cast()));
                multiples.less(by.reduced(pairs)).store(to.add(i));
                i += V::LANES;
            }
        }
        self.scalar(whole);
    }
}

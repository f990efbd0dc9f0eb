//! The loops over slices, for each word.

use super::level::{Level, Task};
#[cfg(target_arch = "x86_64")]
use super::modulus::{Factor, Modulus};
#[cfg(target_arch = "x86_64")]
use super::operation::VectorConstants;
use super::operation::{Constants, Operation};
#[cfg(target_arch = "x86_64")]
use super::vectors::Pairs;
use crate::prime_field::{PrimeField, ResidueWord};

/// A word whose slices the host computes with vectors.
pub trait SliceWord: ResidueWord {
    #[doc(hidden)]
    #[allow(private_interfaces, private_bounds)] // the trait is not reachable from outside
    fn elementwise<O: Operation>(level: Level, by: &Constants<Self>, x: &mut [Self], y: &[Self], z: &[Self]);

    /// The sum of products of residues as an integer: low 128 bits and multiples of `2^128`.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn dot(level: Level, x: &[Self], y: &[Self]) -> (u128, u64);

    /// The residue of what [`dot`](Self::dot) gives.
    #[doc(hidden)]
    fn reduced(field: &PrimeField<Self>, sum: (u128, u64)) -> Self;
}

impl SliceWord for u32 {
    #[allow(private_interfaces, private_bounds)]
    fn elementwise<O: Operation>(level: Level, by: &Constants<u32>, x: &mut [u32], y: &[u32], z: &[u32]) {
        // Vectors are for odd moduli; 2 is not worth vectors of its own.
        let level = if by.field.modulus() == 2 { Level::PORTABLE } else { level };
        level.run(Elements::<O, u32> { by, x, y, z, operation: std::marker::PhantomData });
    }

    #[allow(private_interfaces)]
    fn dot(level: Level, x: &[u32], y: &[u32]) -> (u128, u64) {
        (level.run(Dot { x, y }), 0)
    }

    fn reduced(field: &PrimeField<u32>, (sum, _): (u128, u64)) -> u32 {
        field.reduce_u128(sum)
    }
}

impl SliceWord for u64 {
    #[allow(private_interfaces, private_bounds)]
    fn elementwise<O: Operation>(level: Level, by: &Constants<u64>, x: &mut [u64], y: &[u64], z: &[u64]) {
        level.run(Elements::<O, u64> { by, x, y, z, operation: std::marker::PhantomData });
    }

    /// Products of two words are added in two words, whose overflows are counted: nothing is reduced in the loop.
    #[allow(private_interfaces)]
    fn dot(_: Level, x: &[u64], y: &[u64]) -> (u128, u64) {
        wide_dot(x, y)
    }

    /// Word by word from the highest: each remainder is below `p`.
    fn reduced(field: &PrimeField<u64>, (sum, overflows): (u128, u64)) -> u64 {
        let by = field.barrett();
        let middle = by.reduce_wide((sum >> 64) as u64, by.reduce(overflows));
        by.reduce_wide(sum as u64, middle)
    }
}

/// The sum of products of 64-bit words: low 128 bits and multiples of `2^128`. One chain: two took twice the time.
#[inline(always)]
pub(super) fn wide_dot(x: &[u64], y: &[u64]) -> (u128, u64) {
    let (mut sum, mut overflows) = (0u128, 0);
    for (&x, &y) in x.iter().zip(y) {
        let overflow;
        (sum, overflow) = sum.overflowing_add(u128::from(x) * u128::from(y));
        overflows += u64::from(overflow);
    }
    (sum, overflows)
}

/// An operation over all elements. The slices that it reads are as long as the first, the others empty.
struct Elements<'a, O, W> {
    by: &'a Constants<W>,
    x: &'a mut [W],
    y: &'a [W],
    z: &'a [W],
    operation: std::marker::PhantomData<O>,
}

impl<O: Operation, W: ResidueWord> Elements<'_, O, W> {
    /// The elements from an index on, one by one.
    #[inline(always)]
    fn scalar(self, from: usize) {
        let (by, len) = (*self.by, self.x.len());
        let x = &mut self.x[from..];
        match O::OTHERS {
            0 => x.iter_mut().for_each(|x| *x = O::element(&by, *x, W::zero(), W::zero())),
            1 => {
                let y = &self.y[from..len];
                x.iter_mut().zip(y).for_each(|(x, &y)| *x = O::element(&by, *x, y, W::zero()));
            }
            _ => {
                let others = self.y[from..len].iter().zip(&self.z[from..len]);
                x.iter_mut().zip(others).for_each(|(x, (&y, &z))| *x = O::element(&by, *x, y, z));
            }
        }
    }
}

impl<O: Operation> Task for Elements<'_, O, u32> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.scalar(0);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: Pairs>(self) {
        let len = self.x.len();
        let whole = len - len % V::LANES;
        assert!(O::OTHERS < 1 || self.y.len() >= len);
        assert!(O::OTHERS < 2 || self.z.len() >= len);
        // SAFETY: the caller has the instruction set; every access is to LANES words before `whole`, which no slice that
        // the operation reads is shorter than.
        unsafe {
            let by = VectorConstants {
                modulus: Modulus::<V>::new(self.by.field.modulus(), self.by.inverse),
                factor: Factor::new(self.by.factor),
            };
            let (target, y, z) = (self.x.as_mut_ptr(), self.y.as_ptr(), self.z.as_ptr());
            let mut i = 0;
            while i < whole {
                let x = V::load(target.add(i));
                let y = if O::OTHERS > 0 { V::load(y.add(i)) } else { x };
                let z = if O::OTHERS > 1 { V::load(z.add(i)) } else { x };
                O::vector(&by, x, y, z).store(target.add(i));
                i += V::LANES;
            }
        }
        self.scalar(whole);
    }
}

impl<O: Operation> Task for Elements<'_, O, u64> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.scalar(0);
    }

    /// No level has products of 64-bit words in two; sums the compiler makes vectors of.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: Pairs>(self) {
        self.scalar(0);
    }
}

/// The sum of products of 31-bit words.
struct Dot<'a> {
    x: &'a [u32],
    y: &'a [u32],
}

impl Task for Dot<'_> {
    type Output = u128;

    /// Four products below 2^62 fit a 64-bit word.
    #[inline(always)]
    fn portable(self) -> u128 {
        let product = |(x, y): (&u32, &u32)| u64::from(*x) * u64::from(*y);
        let blocks = self.x.chunks(4).zip(self.y.chunks(4));
        blocks.map(|(x, y)| u128::from(x.iter().zip(y).map(product).sum::<u64>())).sum()
    }

    /// The low and the high halves of the sums of two products are added apart, in 64-bit words that have room for 2^32 of
    /// them.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: Pairs>(self) -> u128 {
        let len = self.x.len().min(self.y.len());
        let whole = len - len % V::LANES;
        let (x, y) = (&self.x[..len], &self.y[..len]);
        let mut total = Dot { x: &x[whole..], y: &y[whole..] }.portable();
        for (x, y) in x[..whole].chunks(1 << 30).zip(y[..whole].chunks(1 << 30)) {
            // SAFETY: the caller has the instruction set; every access is to LANES words of the block, whose length is a
            // multiple of LANES.
            unsafe {
                let (mut low, mut high) = (V::splat(0), V::splat(0));
                let mut i = 0;
                while i < x.len() {
                    let (a, b) = (V::load(x.as_ptr().add(i)), V::load(y.as_ptr().add(i)));
                    let pairs = a.even_product(b).pair_plus(a.odd().even_product(b.odd()));
                    low = low.pair_plus(pairs.low_half());
                    high = high.pair_plus(pairs.high_half());
                    i += V::LANES;
                }
                total += low.sum_of_pairs() + (high.sum_of_pairs() << 32);
            }
        }
        total
    }
}

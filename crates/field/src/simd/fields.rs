//! Operations of the host on slices of residues of any of the fields.

use super::drive::{SliceWord, wide_dot};
use super::level::{Level, Task};
use super::operation::{Add, AddScaled, Constants, Negate, Operation, Scale, Subtract};
use crate::algebra::{Ring as _, Semiring as _};
use crate::goldilocks::Goldilocks;
use crate::kernels::KernelField;
use crate::prime_field::montgomery::inverse_of_odd;
use crate::prime_field::{PrimeField, ShoupFactor};

/// Operations on slices of canonical residues, on one thread of the host: for [`PrimeField<u32>`](PrimeField),
/// [`PrimeField<u64>`](PrimeField) and [`Goldilocks`]; sealed. Each goes over the shortest slice's length.
///
/// ```
/// use manycore_field::{FieldSlices, PrimeField};
///
/// let field = PrimeField::<u64>::new(97)?;
/// let mut x = [1, 96, 3];
/// field.add_slice(&mut x, &[96, 96]);
/// assert_eq!((x, field.dot(&x, &[1, 2])), ([0, 95, 3], 93));
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub trait FieldSlices: KernelField {
    /// The sum of `x[i] y[i]`.
    fn dot(&self, x: &[Self::Element], y: &[Self::Element]) -> Self::Element;

    /// `x[i] += y[i]`.
    fn add_slice(&self, x: &mut [Self::Element], y: &[Self::Element]) {
        x.iter_mut().zip(y).for_each(|(x, &y)| *x = self.add(*x, y));
    }

    /// `x[i] -= y[i]`.
    fn sub_slice(&self, x: &mut [Self::Element], y: &[Self::Element]) {
        x.iter_mut().zip(y).for_each(|(x, &y)| *x = self.sub(*x, y));
    }

    /// `x[i] = -x[i]`.
    fn negate_slice(&self, x: &mut [Self::Element]) {
        for x in x {
            *x = self.neg(*x);
        }
    }

    /// `x[i] *= c`.
    fn scale_slice(&self, x: &mut [Self::Element], c: Self::Element) {
        for x in x {
            *x = self.mul(*x, c);
        }
    }

    /// `x[i] -= c y[i]`.
    fn sub_scaled_slice(&self, x: &mut [Self::Element], c: Self::Element, y: &[Self::Element]) {
        x.iter_mut().zip(y).for_each(|(x, &y)| *x = self.sub(*x, self.mul(c, y)));
    }

    /// `x[i] *= y[i]`.
    fn multiply_slice(&self, x: &mut [Self::Element], y: &[Self::Element]) {
        x.iter_mut().zip(y).for_each(|(x, &y)| *x = self.mul(*x, y));
    }

    /// `out[i] = a[i] b[i] + c[i] d[i]` with `[a, b]` and `[c, d]`, which are as long as `out` at least.
    fn sums_of_products(&self, out: &mut [Self::Element], ab: [&[Self::Element]; 2], cd: [&[Self::Element]; 2]) {
        let products = ab[0].iter().zip(ab[1]).zip(cd[0].iter().zip(cd[1]));
        for (out, ((&a, &b), (&c, &d))) in out.iter_mut().zip(products) {
            *out = self.add(self.mul(a, b), self.mul(c, d));
        }
    }

    /// Brings factors into the form that [`FieldSlices::add_products`] takes.
    fn prepare_factors(&self, factors: &mut [Self::Element]) {
        let _ = factors;
    }

    /// `x[i] += p[i] y[i] + q[i] z[i]` with prepared factors `p` and `q`.
    fn add_products(&self, x: &mut [Self::Element], [p, y]: [&[Self::Element]; 2], [q, z]: [&[Self::Element]; 2]) {
        for (x, ((&p, &y), (&q, &z))) in x.iter_mut().zip(p.iter().zip(y).zip(q.iter().zip(z))) {
            *x = self.add(*x, self.add(self.mul(p, y), self.mul(q, z)));
        }
    }
}

/// An operation on slices that multiplies no two variables, and so needs no constants but its factor.
#[inline]
fn linear<W: SliceWord, O: Operation>(field: &PrimeField<W>, factor: Option<W>, x: &mut [W], y: &[W]) {
    let len = if O::OTHERS > 0 { x.len().min(y.len()) } else { x.len() };
    let none = ShoupFactor { value: W::zero(), quotient: W::zero() };
    let factor = factor.map_or(none, |factor| field.shoup().factor(factor));
    let by = Constants { field: *field, inverse: W::zero(), factor };
    W::elementwise::<O>(Level::widest(), &by, &mut x[..len], &y[..len.min(y.len())], &[]);
}

/// Words of slices that stay in the nearest cache between passes.
const BLOCK: usize = 1 << 10;

/// The operations of a field of residues in words `$word`, with what only some words do in their own way.
macro_rules! prime_field {
    ($word:ty { $($own:item)* }) => {
        impl FieldSlices for PrimeField<$word> {
            fn dot(&self, x: &[$word], y: &[$word]) -> $word {
                let len = x.len().min(y.len());
                <$word>::reduced(self, <$word>::dot(Level::widest(), &x[..len], &y[..len]))
            }

            fn add_slice(&self, x: &mut [$word], y: &[$word]) {
                linear::<_, Add>(self, None, x, y);
            }

            fn sub_slice(&self, x: &mut [$word], y: &[$word]) {
                linear::<_, Subtract>(self, None, x, y);
            }

            fn negate_slice(&self, x: &mut [$word]) {
                linear::<_, Negate>(self, None, x, &[]);
            }

            fn scale_slice(&self, x: &mut [$word], c: $word) {
                linear::<_, Scale>(self, Some(c), x, &[]);
            }

            fn sub_scaled_slice(&self, x: &mut [$word], c: $word, y: &[$word]) {
                linear::<_, AddScaled>(self, Some(self.neg(c)), x, y);
            }

            fn multiply_slice(&self, x: &mut [$word], y: &[$word]) {
                let len = x.len().min(y.len());
                // The slices are equally long, here and below.
                let _ = self.slices().mul(&mut x[..len], &y[..len]);
            }

            fn sums_of_products(&self, out: &mut [$word], [a, b]: [&[$word]; 2], [c, d]: [&[$word]; 2]) {
                let by = self.slices();
                for (i, out) in out.chunks_mut(BLOCK).enumerate() {
                    let [a, b, c, d] = [a, b, c, d].map(|words| &words[i * BLOCK..i * BLOCK + out.len()]);
                    out.copy_from_slice(a);
                    let _ = by.mul(out, b);
                    let _ = by.add_product(out, c, d);
                }
            }

            $($own)*
        }
    };
}

prime_field! { u64 {} }

prime_field! {
    u32 {
        fn prepare_factors(&self, factors: &mut [u32]) {
            if let Some(by) = self.montgomery() {
                Level::widest().run(Enter { square: by.square(), by: Reduction::of(self), factors });
            }
        }

        fn add_products(&self, x: &mut [u32], [p, y]: [&[u32]; 2], [q, z]: [&[u32]; 2]) {
            if self.modulus() == 2 {
                // A sum of products fits a word.
                x.iter_mut().zip(p.iter().zip(y).zip(q.iter().zip(z))).for_each(|(x, ((&p, &y), (&q, &z)))| {
                    *x = (*x + p * y + q * z) & 1;
                });
                return;
            }
            Level::widest().run(AddProducts { by: Reduction::of(self), x, p, y, q, z });
        }
    }
}

impl FieldSlices for Goldilocks {
    /// `2^128 = -2^32`, and parts overflow less than `2^32` times.
    fn dot(&self, x: &[u64], y: &[u64]) -> u64 {
        let part = |(x, y)| {
            let (sum, overflows) = wide_dot(x, y);
            self.sub(self.reduce_u128(sum), overflows << 32)
        };
        x.chunks(1 << 30).zip(y.chunks(1 << 30)).map(part).fold(0, |sum, part| self.add(sum, part))
    }
}

/// Montgomery's reduction of words of 32 bits, in loops that compilers make vectors of.
#[derive(Clone, Copy)]
struct Reduction {
    modulus: u32,
    inverse: u32,
}

impl Reduction {
    /// Of an odd modulus.
    fn of(field: &PrimeField<u32>) -> Self {
        Self { modulus: field.modulus(), inverse: inverse_of_odd(field.modulus()) }
    }

    /// A number below `2^32 p`, canonical.
    #[inline(always)]
    fn reduced(self, sum: u64) -> u32 {
        let multiple = (sum as u32).wrapping_mul(self.inverse);
        let below = (u64::from(multiple) * u64::from(self.modulus)) >> 32;
        let value = ((sum >> 32) as u32).wrapping_sub(below as u32);
        value.min(value.wrapping_add(self.modulus))
    }
}

/// Residues into Montgomery's form, by the square of `R`.
struct Enter<'a> {
    by: Reduction,
    square: u32,
    factors: &'a mut [u32],
}

impl Task for Enter<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for factor in self.factors {
            *factor = self.by.reduced(u64::from(*factor) * u64::from(self.square));
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        self.portable();
    }
}

/// `x += p y + q z` with `p` and `q` in Montgomery's form.
struct AddProducts<'a> {
    by: Reduction,
    x: &'a mut [u32],
    p: &'a [u32],
    y: &'a [u32],
    q: &'a [u32],
    z: &'a [u32],
}

impl Task for AddProducts<'_> {
    type Output = ();

    /// A sum of two products is below `2 p^2 < 2^32 p`, so that one reduction serves both.
    #[inline(always)]
    fn portable(self) {
        let Self { by, x, p, y, q, z } = self;
        for (x, ((&p, &y), (&q, &z))) in x.iter_mut().zip(p.iter().zip(y).zip(q.iter().zip(z))) {
            let value = by.reduced(u64::from(p) * u64::from(y) + u64::from(q) * u64::from(z)).wrapping_add(*x);
            *x = value.min(value.wrapping_sub(by.modulus));
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        self.portable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prime_field::ResidueWord as _;

    fn check<F: FieldSlices>(field: &F) {
        let p = field.order();
        for len in [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 40, 100, 1030] {
            let words = |salt: u64| -> Vec<F::Element> {
                let value = |i: u64| match (i + salt) % 5 {
                    0 => p - 1,
                    1 => 0,
                    _ => (i + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17) % p,
                };
                (0..len).map(|i| F::Element::from_u64(value(i))).collect()
            };
            let (x, y, z, [mut f, mut g]) = (words(1), words(2), words(3), [words(5), words(5)]);
            let mul = |x, y| field.mul(x, y);
            let each = |work: &dyn Fn(&mut [F::Element]), expected: &dyn Fn(usize) -> F::Element| {
                let mut result = x.clone();
                work(&mut result);
                assert!(result.iter().enumerate().all(|(i, &found)| found == expected(i)), "{len} mod {p}");
            };
            let dot = x.iter().zip(&y).fold(field.zero(), |sum, (&x, &y)| field.add(sum, mul(x, y)));
            assert_eq!(field.dot(&x, &y), dot, "{len} mod {p}");
            each(&|x| field.add_slice(x, &y), &|i| field.add(x[i], y[i]));
            each(&|x| field.sub_slice(x, &y), &|i| field.sub(x[i], y[i]));
            each(&|x| field.negate_slice(x), &|i| field.neg(x[i]));
            for c in [0, 1 % p, p / 2, p - 1].map(F::Element::from_u64) {
                each(&|x| field.scale_slice(x, c), &|i| mul(x[i], c));
                each(&|x| field.sub_scaled_slice(x, c, &y), &|i| field.sub(x[i], mul(c, y[i])));
            }
            each(&|x| field.multiply_slice(x, &y), &|i| mul(x[i], y[i]));
            let products = |i: usize| field.add(mul(z[i], y[i]), mul(y[i], y[i]));
            each(&|x| field.sums_of_products(x, [&z, &y], [&y, &y]), &products);
            let expected: Vec<_> =
                (0..x.len()).map(|i| field.add(x[i], field.add(mul(f[i], y[i]), mul(g[i], z[i])))).collect();
            field.prepare_factors(&mut f);
            field.prepare_factors(&mut g);
            each(&|x| field.add_products(x, [&f, &y], [&g, &z]), &|i| expected[i]);
        }
        // The shorter slice ends.
        let mut x = [field.one(); 3];
        field.add_slice(&mut x, &[field.one(); 2]);
        field.sub_slice(&mut x[..1], &[field.one(); 2]);
        assert_eq!(x, [field.one(), field.add(field.one(), field.one()), field.one()], "mod {p}");
    }

    /// Primes at the bounds of what fits between two reductions.
    #[test]
    fn slices_equal_the_definition() {
        for p in [2, 3, 5, 7, 9001, 469_762_049, 998_244_353, 1_431_655_751, 2_147_483_647] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        for p in [2, 3, 4_294_967_291, 4_611_686_009_971_671_041, 9_223_372_036_854_775_783] {
            check(&PrimeField::<u64>::new(p).unwrap());
        }
        check(&Goldilocks);
    }
}

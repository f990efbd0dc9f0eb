//! Extensions of a prime field, for points that the field itself has too few of.

use crate::SplitMix;
use crate::modulus::{Modulus, WideSum};

/// Coefficients of moduli are below this first: some primes have no irreducible `t^k + c`, so that the other coefficients
/// must change too before all `c` are tried.
const FIRST_BASE: u64 = 16;

/// Coefficients of elements whose products are computed one by one: those of primes of 31 bits and more.
const SHORT: usize = 4;

/// The field of `p^k` elements as polynomials of degree below `k` modulo an irreducible `t^k + r(t)`, whose `r` is of low
/// degree and has small coefficients: elements are their `k` coefficients, the constant term first.
#[derive(Debug)]
pub(super) struct Extension {
    modulus: Modulus,
    degree: usize,
    /// The coefficients of `r`, up to its leading one.
    tail: Vec<u64>,
}

/// An element of an extension.
pub(super) type Element = Vec<u64>;

impl Extension {
    /// The extension of degree `k >= 1`. About every `k`-th polynomial is irreducible, so about `k` of them are tried.
    pub(super) fn new(modulus: Modulus, degree: usize) -> Self {
        let mut candidate = Self { modulus, degree, tail: vec![1] };
        let mut base = modulus.value().min(FIRST_BASE);
        // Ends, because there are irreducible polynomials of every degree.
        while !candidate.is_field() {
            candidate.next(base);
            if candidate.tail.len() > degree {
                candidate.tail = vec![1];
                base = modulus.value().min(base.saturating_mul(2));
            }
        }
        candidate
    }

    /// The next tail, as a number to this base whose digits are its coefficients.
    fn next(&mut self, base: u64) {
        for c in &mut self.tail {
            *c += 1;
            if *c < base {
                return;
            }
            *c = 0;
        }
        self.tail.push(1);
    }

    pub(super) fn modulus(&self) -> Modulus {
        self.modulus
    }

    pub(super) fn degree(&self) -> usize {
        self.degree
    }

    pub(super) fn zero(&self) -> Element {
        vec![0; self.degree]
    }

    pub(super) fn one(&self) -> Element {
        let mut one = self.zero();
        one[0] = 1;
        one
    }

    /// An element drawn uniformly.
    pub(super) fn random(&self, random: &mut SplitMix) -> Element {
        (0..self.degree).map(|_| self.modulus.random(random)).collect()
    }

    pub(super) fn add(&self, a: &[u64], b: &[u64]) -> Element {
        a.iter().zip(b).map(|(&a, &b)| self.modulus.add(a, b)).collect()
    }

    /// The product of two elements.
    pub(super) fn mul(&self, a: &[u64], b: &[u64]) -> Element {
        if self.degree <= SHORT {
            return self.short_mul(a, b);
        }
        let reversed: Vec<u64> = b.iter().rev().copied().collect();
        let coefficient = |at: usize| {
            // Those of a from `at + 1 - k` on, with those of b from k - 1 or `at` downwards.
            let first = (at + 1).saturating_sub(self.degree);
            let last = at.min(self.degree - 1);
            self.modulus.dot(&a[first..=last], &reversed[self.degree - 1 - (at - first)..])
        };
        self.reduced((0..2 * self.degree - 1).map(coefficient).collect())
    }

    /// The product of two elements with [`SHORT`] coefficients at most, without memory for what is reduced.
    fn short_mul(&self, a: &[u64], b: &[u64]) -> Element {
        let (k, modulus) = (self.degree, self.modulus);
        let mut sums = [WideSum::default(); 2 * SHORT - 1];
        for (i, &a) in a.iter().enumerate() {
            b.iter().enumerate().for_each(|(j, &b)| sums[i + j].add(a, b));
        }
        let mut product = sums.map(|sum| sum.reduced(modulus));
        for at in (k..2 * k - 1).rev() {
            let c = product[at];
            for (to, &r) in product[at - k..].iter_mut().zip(&self.tail) {
                *to = modulus.sub(*to, if r == 1 { c } else { modulus.mul(c, r) });
            }
        }
        product[..k].to_vec()
    }

    /// A polynomial of any length modulo `t^k + r`: `t^(k + i) = -t^i r`.
    fn reduced(&self, mut a: Element) -> Element {
        while let (Some(&c), true) = (a.last(), a.len() > self.degree) {
            let at = a.len() - 1 - self.degree;
            if c != 0 {
                for (to, &r) in a[at..].iter_mut().zip(&self.tail) {
                    *to = self.modulus.sub(*to, self.modulus.mul(c, r));
                }
            }
            a.pop();
        }
        a
    }

    /// The element to this power.
    pub(super) fn power(&self, a: &[u64], exponent: u64) -> Element {
        let bits = u64::BITS - exponent.leading_zeros();
        (0..bits).rev().fold(self.one(), |power, bit| {
            let square = self.mul(&power, &power);
            if exponent >> bit & 1 == 1 { self.mul(&square, a) } else { square }
        })
    }

    /// Row `i`, column `j` of the matrix of the multiplication with `a`, rows one after the other: coefficient `i` of `a t^j`.
    pub(super) fn matrix(&self, a: &[u64]) -> Vec<u64> {
        let mut matrix = vec![0; self.degree * self.degree];
        let mut column = a.to_vec();
        for j in 0..self.degree {
            (0..self.degree).for_each(|i| matrix[i * self.degree + j] = column[i]);
            column.insert(0, 0);
            column = self.reduced(column);
        }
        matrix
    }

    /// Whether the modulus is irreducible, by Rabin's test: `t^(p^k) = t`, and no `t^(p^(k/q)) - t`, for the primes `q` that
    /// divide `k`, has a factor in common with it. Most moduli have a factor of a low degree, which `t^(p^i) - t` for the powers
    /// of two `i` shows early.
    fn is_field(&self) -> bool {
        if self.degree == 1 {
            return true;
        }
        if self.tail.len() > self.degree || self.tail[0] == 0 {
            return false;
        }
        let mut t = self.zero();
        t[1] = 1;
        let is_prime = |q: usize| (2..q).take_while(|d| d * d <= q).all(|d| !q.is_multiple_of(d));
        let divisors: Vec<usize> =
            (2..=self.degree).filter(|&q| self.degree.is_multiple_of(q) && is_prime(q)).collect();
        let mut power = t.clone();
        for i in 1..=self.degree {
            power = self.power(&power, self.modulus.value());
            let difference: Vec<u64> = power.iter().zip(&t).map(|(&a, &b)| self.modulus.sub(a, b)).collect();
            if i == self.degree {
                return difference.iter().all(|&c| c == 0);
            }
            let needed = divisors.iter().any(|q| i * q == self.degree);
            if (needed || i.is_power_of_two()) && !self.is_coprime(difference) {
                return false;
            }
        }
        false
    }

    /// Whether a polynomial has no factor in common with the modulus, by Euclid's algorithm.
    fn is_coprime(&self, b: Element) -> bool {
        let modulus = self.modulus;
        let strip = |mut f: Element| {
            f.truncate(stripped_len(&f));
            f
        };
        let mut a = self.tail.clone();
        a.resize(self.degree, 0);
        a.push(1);
        let mut b = strip(b);
        while let Some(&leading) = b.last() {
            let inverse = modulus.inverse(leading);
            // a modulo b.
            while a.len() >= b.len() {
                let factor = a.last().map_or(0, |&leading| modulus.mul(leading, inverse));
                let at = a.len() - b.len();
                for (to, &c) in a[at..].iter_mut().zip(&b) {
                    *to = modulus.sub(*to, modulus.mul(factor, c));
                }
                a.pop();
            }
            (a, b) = (b, strip(a));
        }
        a.len() == 1
    }
}

/// The coefficients up to the leading one that is not 0.
fn stripped_len(f: &[u64]) -> usize {
    f.iter().rposition(|&c| c != 0).map_or(0, |i| i + 1)
}

/// The least `k` with `p^k >= 2^64 d`.
pub(super) fn extension_degree(p: u64, d: usize) -> usize {
    let wanted = (d.max(1) as u128) << 64;
    let (mut k, mut elements) = (1, u128::from(p));
    while elements < wanted {
        elements = elements.saturating_mul(p.into());
        k += 1;
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modulus(p: u64) -> Modulus {
        Modulus::new(p).unwrap()
    }

    /// Irreducible polynomials of least tail: `t^8 + t^4 + t^3 + t + 1` is the first of degree 8 over two elements, and
    /// `t^2 + 1` over three, where -1 is no square.
    #[test]
    fn known_moduli_are_found() {
        assert_eq!(Extension::new(modulus(2), 8).tail, [1, 1, 0, 1, 1]);
        assert_eq!(Extension::new(modulus(2), 3).tail, [1, 1]);
        assert_eq!(Extension::new(modulus(3), 2).tail, [1]);
        assert_eq!(Extension::new(modulus(7), 1).degree(), 1);
    }

    /// Irreducible by trial: no monic polynomial of at most half the degree divides it.
    #[test]
    fn moduli_equal_those_of_trial_division() {
        let divides = |d: u32, mut n: u32| {
            while n >= 1 << d.ilog2() {
                n ^= d << (n.ilog2() - d.ilog2());
                if n == 0 {
                    return true;
                }
            }
            false
        };
        for degree in 2..=9usize {
            for low in 1u32..1 << degree {
                let number = 1 << degree | low;
                let prime = (2..1u32 << (degree / 2 + 1)).all(|d| !divides(d, number));
                let mut tail: Vec<u64> = (0..degree).map(|i| u64::from(low >> i & 1)).collect();
                tail.truncate(stripped_len(&tail));
                assert_eq!(Extension { modulus: modulus(2), degree, tail }.is_field(), prime, "{number:b}");
            }
        }
    }

    /// In a field of `p^k` elements, `a^(p^k) = a` for every element.
    #[test]
    fn elements_obey_the_laws() {
        let mut random = SplitMix::new(4);
        let fields = [
            (2, 85),
            (3, 53),
            (7, 24),
            (9001, 7),
            (469_762_049, 3),
            (9_223_372_036_854_775_783, 2),
            (18_446_744_069_414_584_321, 2),
        ];
        for (p, degree) in fields {
            let extension = Extension::new(modulus(p), degree);
            let [a, b, c] = [(); 3].map(|()| extension.random(&mut random));
            let power = (0..degree).fold(a.clone(), |power, _| extension.power(&power, p));
            assert_eq!(power, a, "{p}^{degree}");
            let left = extension.mul(&extension.mul(&a, &b), &c);
            assert_eq!(left, extension.mul(&a, &extension.mul(&b, &c)));
            let sum = extension.mul(&a, &extension.add(&b, &c));
            assert_eq!(sum, extension.add(&extension.mul(&a, &b), &extension.mul(&a, &c)));
            assert_eq!(extension.mul(&a, &extension.one()), a);
            assert_eq!(extension.power(&a, 5), (0..5).fold(extension.one(), |power, _| extension.mul(&power, &a)));
            let matrix = extension.matrix(&a);
            let product: Vec<u64> = matrix.chunks(degree).map(|row| extension.modulus().dot(&b, row)).collect();
            assert_eq!(product, extension.mul(&a, &b));
        }
    }

    #[test]
    fn extensions_have_enough_points() {
        for (p, d, k) in [
            (2, 1, 64),
            (2, 1 << 20, 84),
            (2, (1 << 20) + 1, 85),
            (3, 1, 41),
            (469_762_049, 1 << 21, 3),
            (9_223_372_036_854_775_783, 1 << 20, 2),
            (0xffff_ffff_0000_0001, 1 << 30, 2),
        ] {
            assert_eq!(extension_degree(p, d), k, "{p} {d}");
        }
    }
}

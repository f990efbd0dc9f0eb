//! Extensions of a prime field, for points that the field itself has too few of.

use manycore_field::ResidueWord as _;

use crate::ring::PolyField;

/// Coefficients of moduli are below this first: some primes have no irreducible `t^k + c`, so that the other coefficients
/// must change too before all `c` are tried.
const FIRST_BASE: u64 = 16;

/// The field of `p^k` elements as polynomials of degree below `k` modulo an irreducible `t^k + r(t)`, whose `r` is of low
/// degree and has small coefficients: elements are their `k` coefficients, the constant term first.
#[derive(Debug)]
pub(super) struct Extension<F: PolyField> {
    field: F,
    degree: usize,
    /// The coefficients of `r`, up to its leading one.
    tail: Vec<F::Element>,
}

impl<F: PolyField> Extension<F> {
    /// The extension of degree `k >= 1`. About every `k`-th polynomial is irreducible, so about `k` of them are tried.
    pub(super) fn new(field: &F, degree: usize) -> Self {
        let mut candidate = Self { field: field.clone(), degree, tail: vec![field.one()] };
        let mut base = field.order().min(FIRST_BASE);
        // Ends, because there are irreducible polynomials of every degree.
        while !candidate.is_field() {
            candidate.next(base);
            if candidate.tail.len() > degree {
                candidate.tail = vec![field.one()];
                base = field.order().min(base.saturating_mul(2));
            }
        }
        candidate
    }

    /// The next tail, as a number to this base whose digits are its coefficients.
    fn next(&mut self, base: u64) {
        for c in &mut self.tail {
            let next = c.as_u64() + 1;
            if next < base {
                *c = F::Element::from_u64(next);
                return;
            }
            *c = self.field.zero();
        }
        self.tail.push(self.field.one());
    }

    pub(super) fn degree(&self) -> usize {
        self.degree
    }

    pub(super) fn one(&self) -> Vec<F::Element> {
        let mut one = vec![self.field.zero(); self.degree];
        one[0] = self.field.one();
        one
    }

    /// The product of two elements.
    pub(super) fn mul(&self, a: &[F::Element], b: &[F::Element]) -> Vec<F::Element> {
        let mut product = vec![self.field.zero(); 2 * self.degree - 1];
        self.field.convolve(a, b, 0, &mut product);
        self.reduced(product)
    }

    /// A polynomial of any length modulo `t^k + r`: `t^(k + i) = -t^i r`.
    fn reduced(&self, mut a: Vec<F::Element>) -> Vec<F::Element> {
        while let (Some(&c), true) = (a.last(), a.len() > self.degree) {
            let at = a.len() - 1 - self.degree;
            if c != self.field.zero() {
                for (to, &r) in a[at..].iter_mut().zip(&self.tail) {
                    *to = self.field.sub(*to, self.field.mul(c, r));
                }
            }
            a.pop();
        }
        a
    }

    /// Whether the modulus is irreducible, by Rabin's test: `t^(p^k) = t`, and no `t^(p^(k/q)) - t`, for the primes `q` that
    /// divide `k`, has a factor in common with it.
    fn is_field(&self) -> bool {
        if self.degree == 1 {
            return true;
        }
        if self.tail.len() > self.degree || self.tail[0] == self.field.zero() {
            return false;
        }
        let mut t = vec![self.field.zero(); self.degree];
        t[1] = self.field.one();
        let divisors: Vec<usize> =
            (2..=self.degree).filter(|q| self.degree.is_multiple_of(*q) && is_prime(*q)).collect();
        let mut power = t.clone();
        for i in 1..=self.degree {
            power = self.power(&power, self.field.order());
            let mut difference = power.clone();
            self.field.sub_slice(&mut difference, &t);
            let vanishes = difference.iter().all(|&c| c == self.field.zero());
            if i == self.degree {
                return vanishes;
            }
            if divisors.iter().any(|q| i * q == self.degree) && !self.is_coprime(difference) {
                return false;
            }
        }
        false
    }

    fn power(&self, a: &[F::Element], exponent: u64) -> Vec<F::Element> {
        let mut result = a.to_vec();
        for bit in (0..exponent.ilog2()).rev() {
            result = self.mul(&result, &result);
            if exponent >> bit & 1 == 1 {
                result = self.mul(&result, a);
            }
        }
        result
    }

    /// Whether a polynomial has no factor in common with the modulus, by Euclid's algorithm.
    fn is_coprime(&self, b: Vec<F::Element>) -> bool {
        let field = &self.field;
        let strip = |mut f: Vec<F::Element>| {
            f.truncate(crate::linear::reference::stripped_len(field, &f));
            f
        };
        let mut a = self.tail.clone();
        a.resize(self.degree, field.zero());
        a.push(field.one());
        let mut b = strip(b);
        while let Some(inverse) = b.last().and_then(|&leading| field.inverse(leading)) {
            // a modulo b.
            while a.len() >= b.len() {
                let factor = a.last().map_or(field.zero(), |&leading| field.mul(leading, inverse));
                let at = a.len() - b.len();
                for (to, &c) in a[at..].iter_mut().zip(&b) {
                    *to = field.sub(*to, field.mul(factor, c));
                }
                a.pop();
            }
            (a, b) = (b, strip(a));
        }
        a.len() == 1
    }
}

fn is_prime(q: usize) -> bool {
    q > 1 && (2..q).take_while(|d| d * d <= q).all(|d| !q.is_multiple_of(d))
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_field::{Goldilocks, PrimeField};

    /// Irreducible polynomials of least tail: `t^8 + t^4 + t^3 + t + 1` is the first of degree 8 over two elements, and
    /// `t^2 + 1` over three, where -1 is no square.
    #[test]
    fn known_moduli_are_found() {
        let two = PrimeField::<u32>::new(2).unwrap();
        assert_eq!(Extension::new(&two, 8).tail, [1, 1, 0, 1, 1]);
        assert_eq!(Extension::new(&two, 3).tail, [1, 1]);
        assert_eq!(Extension::new(&PrimeField::<u32>::new(3).unwrap(), 2).tail, [1]);
        assert_eq!(Extension::new(&PrimeField::<u32>::new(7).unwrap(), 1).degree(), 1);
    }

    /// Irreducible by trial: no monic polynomial of at most half the degree divides it.
    #[test]
    fn moduli_equal_those_of_trial_division() {
        let field = PrimeField::<u32>::new(2).unwrap();
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
                let mut tail: Vec<u32> = (0..degree).map(|i| low >> i & 1).collect();
                tail.truncate(tail.iter().rposition(|&c| c != 0).map_or(0, |i| i + 1));
                assert_eq!(Extension { field, degree, tail }.is_field(), prime, "{number:b}");
            }
        }
    }

    /// In a field of `p^k` elements, `a^(p^k) = a` for every element, and a product of others than zero is not zero.
    fn check<F: PolyField>(field: &F, degree: usize) {
        let extension = Extension::new(field, degree);
        let element = |salt| -> Vec<F::Element> {
            (0..degree).map(|i| crate::linear::reference::random(field, salt, i as u64)).collect()
        };
        let (a, b, c) = (element(1), element(2), element(3));
        let mut power = a.clone();
        for _ in 0..degree {
            power = extension.power(&power, field.order());
        }
        assert_eq!(power, a, "p^{degree}, p = {}", field.order());
        let left = extension.mul(&extension.mul(&a, &b), &c);
        assert_eq!(left, extension.mul(&a, &extension.mul(&b, &c)));
        assert_eq!(extension.mul(&a, &extension.one()), a);
    }

    #[test]
    fn elements_obey_the_laws() {
        check(&PrimeField::<u32>::new(2).unwrap(), 85);
        check(&PrimeField::<u32>::new(3).unwrap(), 53);
        check(&PrimeField::<u32>::new(9001).unwrap(), 7);
        check(&PrimeField::<u32>::new(469_762_049).unwrap(), 3);
        check(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap(), 2);
        check(&Goldilocks, 2);
    }
}

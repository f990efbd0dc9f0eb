//! Powers to the order of the field modulo a polynomial, many in a row: `x^(p^d)` is composed of `x^(p^a)` and `x^(p^b)`, `d = a + b`
//! (J. von zur Gathen, V. Shoup, Computing Frobenius maps and factoring polynomials, 1992), where that takes fewer operations than
//! squares do. Both give the same polynomials.

use super::power::first_power;
use crate::arithmetic::compose::Inner;
use crate::arithmetic::divide::Divisor;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Operations by count, with `n` the degree of the polynomial.
#[derive(Debug, Clone, Copy)]
struct Counts {
    /// A product of two polynomials modulo the third: three products of `n` coefficients, the quotient by a kept inverse among them.
    /// Each takes `n^2` operations by the definition, or three transforms of `2 n` values: `n log2(2 n)` butterflies of a product,
    /// a sum and a difference.
    product: f64,
    /// Sums of products of all coefficients with powers.
    sums: f64,
    /// Squares of a power to the order of the field.
    squares: f64,
}

impl Counts {
    fn new(order: u64, n: usize) -> Self {
        let n = n as f64;
        let product = 3.0 * (n * n).min(9.0 * n * (2.0 * n).log2());
        Self { product, sums: n * n, squares: f64::from(order.ilog2()) }
    }

    /// A power to the order of the field by squares.
    fn power(self) -> f64 {
        self.squares * self.product
    }

    /// A composition with `2^log_block` powers, without the powers.
    fn composition(self, n: usize, log_block: u32) -> f64 {
        n.div_ceil(1 << log_block).saturating_sub(1) as f64 * self.product + self.sums
    }

    /// A composition with powers that serve no other.
    fn composition_once(self, n: usize) -> f64 {
        let log_block = log_block(n);
        self.composition(n, log_block) + (1u64 << log_block) as f64 * self.product
    }

    /// The fewest powers with which a composition takes half the operations of squares.
    fn kept(self, n: usize) -> Option<u32> {
        (1..=n.max(2).next_power_of_two().ilog2()).find(|&log| 2.0 * self.composition(n, log) <= self.power())
    }
}

/// As of compositions that keep no powers.
fn log_block(n: usize) -> u32 {
    n.max(2).ilog2().div_ceil(2)
}

/// Doublings and steps by one from 1 to a count.
fn doublings(count: usize) -> u32 {
    let count = count.max(1);
    count.ilog2() + count.count_ones() - 1
}

/// The powers `x^(p^d)` modulo a polynomial, for `d` from 1 on.
pub(super) struct Powers<F: PolyField> {
    m: Divisor<F>,
    counts: Counts,
    /// `x^p`.
    first: Option<Poly<F>>,
    last: Option<Poly<F>>,
    /// The powers of `x^p` with which compositions take few operations, and the logarithm of how many there are.
    kept: Option<Inner<F>>,
    log_block: Option<u32>,
    /// Operations of the powers by squares so far.
    spent: f64,
}

impl<F: PolyField> Powers<F> {
    pub(super) fn new(ring: &PolyRing<F>, m: Divisor<F>) -> Self {
        let counts = Counts::new(ring.field().order(), m.degree());
        let log_block = counts.kept(m.degree());
        Self { m, counts, first: None, last: None, kept: None, log_block, spent: 0.0 }
    }

    /// The next power.
    ///
    /// Kept powers of `x^p` are made once as many operations went into squares: at most about twice those of the better way.
    pub(super) fn next(&mut self, ring: &PolyRing<F>) -> Result<&Poly<F>, PolyError> {
        let order = u128::from(ring.field().order());
        let next = if let (Some(first), Some(last)) = (&self.first, &self.last) {
            if let (Some(log_block), None) = (self.log_block, &self.kept)
                && self.spent >= (1u64 << log_block) as f64 * self.counts.product
            {
                self.kept = Some(ring.inner(first, &self.m, log_block)?);
            }
            if let Some(kept) = &self.kept {
                ring.compose_inner(last, kept, &self.m)?
            } else {
                self.spent += self.counts.power();
                ring.pow_mod(last, order, &self.m)?
            }
        } else {
            self.spent += f64::from(first_power(order, self.m.degree()).1) * self.counts.product;
            let power = ring.x_pow_mod(order, &self.m)?;
            self.first = Some(ring.copy(&power)?);
            power
        };
        Ok(self.last.insert(next))
    }

    /// Goes on modulo a divisor of the polynomial, where its degree is at most half.
    pub(super) fn reduce(&mut self, ring: &PolyRing<F>, to: &Divisor<F>) -> Result<(), PolyError> {
        if 2 * to.degree() > self.m.degree() {
            return Ok(());
        }
        let mut smaller = Self::new(ring, ring.divisor(ring.copy(to.poly())?)?);
        let reduced = |power: Option<Poly<F>>| power.map(|power| ring.reduced(power, to)).transpose();
        smaller.first = reduced(self.first.take())?;
        smaller.last = reduced(self.last.take())?;
        *self = smaller;
        Ok(())
    }
}

impl<F: PolyField> PolyRing<F> {
    /// `x^(p^count)` modulo the polynomial of the divisor, from `x^p`.
    pub(super) fn iterated_power_of_x(
        &self,
        first: &Poly<F>,
        count: usize,
        m: &Divisor<F>,
    ) -> Result<Poly<F>, PolyError> {
        let counts = Counts::new(self.field().order(), m.degree());
        let compositions = f64::from(doublings(count));
        if count <= 1 || count as f64 * counts.power() <= compositions * counts.composition_once(m.degree()) {
            let mut power = if count == 0 { self.reduced(self.monomial(1)?, m)? } else { self.copy(first)? };
            for _ in 1..count {
                power = self.pow_mod(&power, self.field().order().into(), m)?;
            }
            return Ok(power);
        }
        // The leading bits of the count, as of a power by squares.
        let mut power = self.copy(first)?;
        for bit in (0..count.ilog2()).rev() {
            power = self.compose_mod(&power, &power, m)?;
            if count >> bit & 1 == 1 {
                power = self.compose_mod(&power, first, m)?;
            }
        }
        Ok(power)
    }

    /// `a + a^p + ... + a^(p^(d-1))` modulo the polynomial of the divisor, by doubling `d` or by squares.
    pub(super) fn trace(&self, a: &Poly<F>, d: usize, m: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        let counts = Counts::new(self.field().order(), m.degree());
        let a = self.reduced(self.copy(a)?, m)?;
        let doubled = 2.0 * f64::from(doublings(d));
        if (d as f64 - 1.0) * counts.power() <= counts.power() + doubled * counts.composition_once(m.degree()) {
            let (mut power, mut sum) = (self.copy(&a)?, a);
            for _ in 1..d {
                power = self.pow_mod(&power, self.field().order().into(), m)?;
                sum = self.add(&sum, &power)?;
            }
            return Ok(sum);
        }
        // After k terms: their sum s, and h = x^(p^k). Of 2 k terms the sum is s + s(h), and of k + 1 terms a + s(x^p).
        let first = self.x_pow_mod(self.field().order().into(), m)?;
        let (mut sum, mut power) = (self.copy(&a)?, self.copy(&first)?);
        for bit in (0..d.ilog2()).rev() {
            sum = self.add(&sum, &self.compose_mod(&sum, &power, m)?)?;
            let odd = d >> bit & 1 == 1;
            if bit > 0 || odd {
                power = self.compose_mod(&power, &power, m)?;
            }
            if odd {
                sum = self.add(&a, &self.compose_mod(&sum, &first, m)?)?;
                if bit > 0 {
                    power = self.compose_mod(&power, &first, m)?;
                }
            }
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;

    use super::*;

    /// Powers, iterated powers and traces, against squares alone: of degrees and primes for which both ways are chosen.
    #[test]
    fn compositions_and_squares_agree() {
        let mut chosen = [false; 2];
        for (p, degree) in [(2u32, 40), (7, 33), (9001, 5), (9001, 24), (469_762_049, 32), (469_762_049, 70)] {
            let ring = PolyRing::new(&Device::host(), PrimeField::new(p).unwrap()).unwrap();
            let m = ring.add(&ring.random(degree, 3).unwrap(), &ring.monomial(degree).unwrap()).unwrap();
            let m = ring.divisor(m).unwrap();
            let a = ring.random(degree, 4).unwrap();
            let mut powers = Powers::new(&ring, ring.divisor(ring.copy(m.poly()).unwrap()).unwrap());
            let first = ring.x_pow_mod(p.into(), &m).unwrap();
            let (mut expected, mut of_a) = (ring.monomial(1).unwrap(), ring.copy(&a).unwrap());
            let mut sum = ring.zero().unwrap();
            for d in 1..=degree {
                expected = ring.pow_mod(&expected, p.into(), &m).unwrap();
                let next = powers.next(&ring).unwrap();
                assert!(ring.equal(next, &expected).unwrap(), "{p}, degree {degree}, x^(p^{d})");
                let iterated = ring.iterated_power_of_x(&first, d, &m).unwrap();
                assert!(ring.equal(&iterated, &expected).unwrap(), "{p}, degree {degree}, x^(p^{d}) at once");
                sum = ring.add(&sum, &of_a).unwrap();
                of_a = ring.pow_mod(&of_a, p.into(), &m).unwrap();
                assert!(ring.equal(&ring.trace(&a, d, &m).unwrap(), &sum).unwrap(), "{p}, degree {degree}, {d} terms");
            }
            chosen[usize::from(powers.kept.is_some())] = true;
            let none = ring.iterated_power_of_x(&first, 0, &m).unwrap();
            assert!(ring.equal(&none, &ring.monomial(1).unwrap()).unwrap());
        }
        assert_eq!(chosen, [true; 2]);
    }

    /// The counts turn to compositions where they are fewer.
    #[test]
    fn fewer_operations_are_chosen() {
        let counts = Counts::new(469_762_049, 32);
        assert!(counts.kept(32).is_some_and(|log| counts.composition(32, log) * 2.0 <= counts.power()));
        // One square a power: where it takes transforms, nothing takes half of it.
        assert_eq!(Counts::new(2, 4096).kept(4096), None);
    }
}

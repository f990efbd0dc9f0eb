//! Fields of residues: beyond a field, a word for the order, square roots, roots of unity.

use num_integer::Integer as _;

use crate::algebra::Field;
use crate::error::{NoRoot, OutOfRange};
use crate::prime_field::word::ResidueWord;
use crate::primes;

/// A field whose elements are the residues mod a prime in a word: what number-theoretic transforms are generic over.
pub trait ModularField: Field<Element: ResidueWord> {
    /// The prime, which is also the number of elements.
    fn order(&self) -> u64;

    /// Checks that all words are canonical residues.
    ///
    /// # Errors
    /// [`OutOfRange`] with the first that is not.
    fn check(&self, words: &[Self::Element]) -> Result<(), OutOfRange> {
        let modulus = Self::Element::from_u64(self.order());
        // The maximum of a block compiles to vector code; the position is only looked for where one is out of range.
        for (block, words) in words.chunks(4096).enumerate() {
            let largest = words.iter().fold(self.zero(), |largest, &x| if x > largest { x } else { largest });
            if largest >= modulus {
                let (i, value) = words.iter().enumerate().find(|&(_, &x)| x >= modulus).unwrap_or((0, &largest));
                return Err(OutOfRange { index: 4096 * block + i, value: value.as_u64(), modulus: self.order() });
            }
        }
        Ok(())
    }

    /// The Legendre symbol: 0 for zero, 1 for the square of another element, -1 for the rest. Mod 2 one is a square.
    fn legendre(&self, a: Self::Element) -> i32 {
        if a == self.zero() {
            return 0;
        }
        // Euler's criterion; mod 2 the exponent is 0 and the power is one.
        if self.power(a, (self.order() - 1) / 2) == self.one() { 1 } else { -1 }
    }

    /// The square root that is the smaller of the two as an integer; `None` where there is none.
    ///
    /// One power for `p = 3 mod 4`, else the algorithm of Tonelli and Shanks: `O(log p + s^2)` products where `2^s` divides
    /// `p - 1`.
    fn square_root(&self, a: Self::Element) -> Option<Self::Element> {
        if a == self.zero() || self.order() == 2 {
            return Some(a);
        }
        if self.legendre(a) != 1 {
            return None;
        }
        let root = if self.order() % 4 == 3 { self.power(a, self.order() / 4 + 1) } else { tonelli_shanks(self, a) };
        let other = self.neg(root);
        Some(if other < root { other } else { root })
    }

    /// The exponent of two in `p - 1`: there are roots of unity of the orders `2^0` to two to this power.
    fn two_adicity(&self) -> u32 {
        (self.order() - 1).trailing_zeros()
    }

    /// The least residue whose powers are all elements but zero. It factorises `p - 1`: microseconds for NTT primes, some
    /// milliseconds at most.
    fn primitive_root(&self) -> Self::Element {
        let group = self.order() - 1;
        let divisors = primes::factorise(group);
        let mut candidate = self.one();
        // Ends at a generator, which every finite field's group has; modulo 2 the first candidate is one.
        while divisors.iter().any(|&(q, _)| self.power(candidate, group / q) == self.one()) {
            candidate = self.add(candidate, self.one());
        }
        candidate
    }

    /// An element `w` with `w^order = 1` and no smaller power one: the primitive root to the power `(p - 1) / order`. So the
    /// roots fit together, `root(n d)^d = root(n)`.
    ///
    /// # Errors
    /// [`NoRoot`] for an order, or 0, that does not divide `p - 1`.
    fn root_of_unity(&self, order: u64) -> Result<Self::Element, NoRoot> {
        let group = self.order() - 1;
        if order == 0 || !group.is_multiple_of(order) {
            let largest = order.gcd(&group);
            return Err(NoRoot { order, modulus: self.order(), largest, two_adicity: self.two_adicity() });
        }
        Ok(self.power(self.primitive_root(), group / order))
    }
}

/// A square root of a square other than zero, `p` odd.
fn tonelli_shanks<F: ModularField>(field: &F, a: F::Element) -> F::Element {
    let one = field.one();
    let mut bits = field.two_adicity();
    let odd = (field.order() - 1) >> bits;
    let mut candidate = field.add(one, one);
    while field.legendre(candidate) != -1 {
        candidate = field.add(candidate, one);
    }
    let mut generator = field.power(candidate, odd); // of order 2^bits
    let half = field.power(a, odd / 2);
    let mut root = field.mul(a, half); // a^((odd + 1) / 2)
    let mut rest = field.mul(root, half); // root^2 = a rest, and the order of rest divides 2^(bits - 1)
    while rest != one {
        let mut order_bits = 0;
        let mut power = rest;
        while power != one {
            power = field.mul(power, power);
            order_bits += 1;
        }
        let step = field.power(generator, 1 << (bits - order_bits - 1));
        bits = order_bits;
        generator = field.mul(step, step);
        root = field.mul(root, step);
        rest = field.mul(rest, generator);
    }
    root
}

/// The inverse of `a` mod `m > 1`, for any modulus; `None` where they share a divisor. Euclid's algorithm, with the
/// coefficient's size in the word and its sign by the parity of the steps.
pub(crate) fn inverse_modulo(a: u64, m: u64) -> Option<u64> {
    let (mut r0, mut r1) = (m, a % m);
    let (mut s0, mut s1) = (0, 1u64);
    let mut positive = false;
    while r1 != 0 {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (s0, s1) = (s1, s0 + quotient * s1); // at most m, reached by s1 at the end
        positive = !positive;
    }
    (r0 == 1).then_some(if positive { s0 } else { m - s0 })
}

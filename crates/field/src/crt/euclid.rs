//! Euclid's algorithm on integers, many quotients at once: from the highest digits, while these determine them (Lehmer, "Euclid's algorithm for
//! large numbers", American Mathematical Monthly 45, 1938; Knuth, The Art of Computer Programming 2, 4.5.2, algorithm L).

use num_bigint::BigUint;
use num_integer::Integer as _;
use num_traits::{One as _, ToPrimitive as _, Zero as _};

/// Bits of the highest digits: quotients of signed words, with room for the sums of the algorithm.
const TOP_BITS: u64 = 62;

/// Two remainders that follow each other, and the sizes of their factors of the second number.
pub(super) struct Remainders {
    /// The larger one.
    pub(super) before: BigUint,
    /// The smaller one.
    pub(super) last: BigUint,
    factor_before: BigUint,
    /// The size of the factor of the last one.
    pub(super) factor: BigUint,
    /// Whether the factor of the last one is below 0.
    pub(super) is_negative: bool,
}

/// The first remainder of `a` and `b <= a` that is at most `bound`, `b` among them, and the one before it. Of `n` words about `n^2`
/// products.
pub(super) fn remainder_within(a: BigUint, b: BigUint, bound: &BigUint) -> Remainders {
    let mut pair =
        Remainders { before: a, last: b, factor_before: BigUint::zero(), factor: BigUint::one(), is_negative: false };
    while pair.last > *bound {
        if !pair.leap(bound) {
            pair.step();
        }
    }
    pair
}

/// The greatest common divisor.
pub(super) fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let (a, b) = if a < b { (b, a) } else { (a, b) };
    remainder_within(a.clone(), b.clone(), &BigUint::zero()).before
}

impl Remainders {
    /// One division.
    fn step(&mut self) {
        let (quotient, rest) = self.before.div_rem(&self.last);
        let factor = &self.factor_before + quotient * &self.factor;
        self.before = std::mem::replace(&mut self.last, rest);
        self.factor_before = std::mem::replace(&mut self.factor, factor);
        self.is_negative = !self.is_negative;
    }

    /// The divisions whose quotients the highest bits determine, up to the last remainder above the bound; whether there were any.
    fn leap(&mut self, bound: &BigUint) -> bool {
        let bits = self.before.bits();
        let shift = bits.saturating_sub(TOP_BITS);
        let [x, y] = [&self.before, &self.last].map(|number| top(number, shift));
        // Below it a remainder may be within the bound: cofactors of half as many bits as a top has are its error.
        let floor = if bound.bits() > shift { top(bound, shift).saturating_add(1 << (TOP_BITS / 2 + 1)) } else { 0 };
        let Leap { rows: [[a, b], [c, d]], is_odd } = Leap::of(x, y, floor);
        if b == 0 {
            return false;
        }
        let before = combination(a, &self.before, b, &self.last);
        if before <= *bound {
            return false;
        }
        self.last = combination(c, &self.before, d, &self.last);
        self.before = before;
        let sum = |a: i64, b: i64| &self.factor_before * a.unsigned_abs() + &self.factor * b.unsigned_abs();
        (self.factor_before, self.factor) = (sum(a, b), sum(c, d));
        self.is_negative ^= is_odd;
        true
    }
}

/// A number without its lowest bits: one of [`TOP_BITS`] bits at most.
fn top(number: &BigUint, shift: u64) -> i64 {
    let (digits, bits) = ((shift / 64) as usize, shift % 64);
    let mut digits = number.iter_u64_digits().skip(digits);
    let (low, high) = (digits.next().unwrap_or(0), digits.next().unwrap_or(0));
    let top = ((u128::from(high) << 64 | u128::from(low)) >> bits) as u64;
    top.to_i64().unwrap_or(i64::MAX)
}

/// The combination of two numbers by factors of different signs, which is not below 0.
fn combination(a: i64, x: &BigUint, b: i64, y: &BigUint) -> BigUint {
    let (x, y) = (x * a.unsigned_abs(), y * b.unsigned_abs());
    if b <= 0 { x - y } else { y - x }
}

/// Two remainders as combinations of two numbers.
struct Leap {
    rows: [[i64; 2]; 2],
    /// Whether the number of divisions is odd.
    is_odd: bool,
}

impl Leap {
    /// The divisions of all numbers with the tops `x` and `y`, until a remainder of the tops is at most `floor`.
    fn of(mut x: i64, mut y: i64, floor: i64) -> Self {
        let (mut a, mut b, mut c, mut d) = (1i64, 0i64, 0i64, 1i64);
        let mut is_odd = false;
        while y + c != 0 && y + d != 0 {
            let quotient = (x + a) / (y + c);
            if quotient != (x + b) / (y + d) {
                break;
            }
            let rest = x - quotient * y;
            if rest <= floor {
                break;
            }
            (a, c) = (c, a - quotient * c);
            (b, d) = (d, b - quotient * d);
            (x, y) = (y, rest);
            is_odd = !is_odd;
        }
        Self { rows: [[a, b], [c, d]], is_odd }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition.
    fn by_divisions(mut a: BigUint, mut b: BigUint, bound: &BigUint) -> (BigUint, BigUint, BigUint, bool) {
        let (mut s, mut t, mut is_negative) = (BigUint::zero(), BigUint::one(), false);
        while b > *bound {
            let (quotient, rest) = a.div_rem(&b);
            (a, b) = (b, rest);
            (s, t) = (t.clone(), s + quotient * t);
            is_negative = !is_negative;
        }
        (a, b, t, is_negative)
    }

    fn agree(a: BigUint, b: BigUint, bound: &BigUint) {
        let (a, b) = if a < b { (b, a) } else { (a, b) };
        let found = remainder_within(a.clone(), b.clone(), bound);
        let found_all = (found.before, found.last, found.factor, found.is_negative);
        assert_eq!(found_all, by_divisions(a.clone(), b.clone(), bound), "{a} {b} {bound}");
        assert_eq!(gcd(&b, &a), num_integer::gcd(a, b));
    }

    #[test]
    fn numbers_of_extreme_quotients() {
        let mut fibonacci = [BigUint::one(), BigUint::one()];
        for bits in [0u32, 1, 31, 61, 62, 63, 64, 65, 126, 127, 128, 200] {
            let power = BigUint::one() << bits;
            for (a, b) in [
                (power.clone(), BigUint::zero()),
                (power.clone(), BigUint::one()),
                (power.clone(), power.clone()),
                (&power + 1u32, power.clone()),
                (&power * &power - 1u32, power.clone()),
                (&power * 3u32, &power * 2u32),
            ] {
                for bound in [BigUint::zero(), 5u32.into(), a.sqrt(), &b / 2u32, b.clone()] {
                    agree(a.clone(), b.clone(), &bound);
                }
            }
            for _ in 0..bits {
                fibonacci = [fibonacci[1].clone(), &fibonacci[0] + &fibonacci[1]];
            }
            let [small, large] = &fibonacci;
            agree(large.clone(), small.clone(), &large.sqrt());
        }
    }

    proptest! {
        #[test]
        fn quotients_are_those_of_divisions(
            a in proptest::collection::vec(any::<u32>(), 0..30),
            b in proptest::collection::vec(any::<u32>(), 0..30),
            common in proptest::collection::vec(any::<u32>(), 0..5),
            bits in 0u64..900,
        ) {
            let common = BigUint::new(common) + 1u32;
            let bound = (BigUint::one() << bits) / 3u32;
            agree(BigUint::new(a) * &common, BigUint::new(b) * &common, &bound);
        }
    }
}

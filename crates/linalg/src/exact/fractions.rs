//! Fractions with a common denominator, from digits to a prime base.

use std::iter::successors;

use manycore_field::crt::rational_reconstruction_within;
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

use super::IntegerEntry;

/// Fractions `numerators[i] / denominator`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fractions {
    pub(super) numerators: Vec<BigInt>,
    /// Above 0.
    pub(super) denominator: BigUint,
}

impl Fractions {
    /// `len` zeros.
    pub(super) fn zeros(len: usize) -> Self {
        Self { numerators: vec![BigInt::ZERO; len], denominator: BigUint::one() }
    }

    /// The fractions, each in lowest terms.
    pub(super) fn in_lowest_terms(&self) -> Vec<BigRational> {
        lowest_terms(&self.numerators, &BigInt::from(self.denominator.clone()))
    }

    /// Whether the sum of the products with a row of coefficients is the right side.
    pub(super) fn solves<T: IntegerEntry>(&self, row: &[T], right: &BigInt) -> bool {
        sum(row.iter().zip(&self.numerators)) == right * BigInt::from(self.denominator.clone())
    }
}

/// Small factors of a denominator are tried up to this number.
const SMALL: usize = 1 << 10;

/// Whether each number below [`SMALL`] is composite (Eratosthenes).
const COMPOSITE: [bool; SMALL] = {
    let mut composite = [false; SMALL];
    let mut factor = 2;
    while factor * factor < SMALL {
        let mut multiple = factor * factor;
        while multiple < SMALL {
            composite[multiple] = true;
            multiple += factor;
        }
        factor += 1;
    }
    composite
};

/// Fractions of one denominator, which is not 0, in lowest terms.
///
/// The denominator is `s e` with the small factors in `s`. Numerators have common divisors with `s` often, which are found with `s`
/// alone, and with `e` seldom: the product of many of them modulo `e` shows at once that none has.
pub(super) fn lowest_terms(numerators: &[BigInt], denominator: &BigInt) -> Vec<BigRational> {
    let (mut small, mut rest) = (BigUint::one(), denominator.magnitude().clone());
    for factor in (2..SMALL as u32).filter(|&number| !COMPOSITE[number as usize]) {
        while (&rest % factor).is_zero() {
            small *= factor;
            rest /= factor;
        }
    }
    let mut common = vec![BigUint::one(); numerators.len()];
    common_divisors(numerators, &rest, &mut common);
    let fraction = |(numerator, common): (&BigInt, BigUint)| {
        if numerator.is_zero() {
            return BigRational::zero();
        }
        let common = BigInt::from(common * num_integer::gcd(numerator.magnitude() % &small, small.clone()));
        let (mut top, mut bottom) = (numerator / &common, denominator / &common);
        if bottom.sign() == Sign::Minus {
            (top, bottom) = (-top, -bottom);
        }
        BigRational::new_raw(top, bottom)
    };
    numerators.iter().zip(common).map(fraction).collect()
}

/// The greatest common divisor of each integer that is not 0 with a number: by halves where their product has one.
fn common_divisors(integers: &[BigInt], number: &BigUint, found: &mut [BigUint]) {
    if number.is_one() || integers.is_empty() {
        return;
    }
    let others = integers.iter().filter(|integer| !integer.is_zero());
    let product = others.fold(BigUint::one(), |product, integer| product * integer.magnitude() % number);
    let common = num_integer::gcd(product, number.clone());
    if common.is_one() {
        return;
    }
    if let ([_], [found]) = (integers, &mut *found) {
        *found = common;
        return;
    }
    let half = integers.len() / 2;
    let (low, high) = found.split_at_mut(half);
    common_divisors(&integers[..half], number, low);
    common_divisors(&integers[half..], number, high);
}

/// The sum of products.
pub(super) fn sum<'a, T: IntegerEntry + 'a>(pairs: impl Iterator<Item = (&'a T, &'a BigInt)>) -> BigInt {
    pairs.filter(|(_, factor)| !factor.is_zero()).map(|(entry, factor)| entry.times(factor)).sum()
}

/// Digits from which on an integer is made by halves.
const HALVES: usize = 16;

/// Integers modulo a power of a prime, by their digits.
pub(super) struct Lifted {
    prime: u32,
    /// The lowest digits of all integers first.
    digits: Vec<Vec<u32>>,
    order: usize,
}

impl Lifted {
    pub(super) fn new(prime: u32, order: usize) -> Self {
        Self { prime, digits: Vec::new(), order }
    }

    /// Takes a digit of each integer.
    pub(super) fn push(&mut self, digits: Vec<u32>) {
        self.digits.push(digits);
    }

    /// The digits of each integer.
    pub(super) fn len(&self) -> usize {
        self.digits.len()
    }

    /// An integer from digits `from..to`, by halves whose powers of the prime `powers` has: the one to the number `2^j` of digits at `j`.
    fn integer(&self, powers: &[BigUint], index: usize, from: usize, to: usize) -> BigUint {
        let half = (to - from).next_power_of_two() / 2;
        if half >= HALVES {
            let high = self.integer(powers, index, from + half, to);
            return self.integer(powers, index, from, from + half) + high * &powers[half.ilog2() as usize];
        }
        let square = u64::from(self.prime) * u64::from(self.prime);
        let mut number = BigUint::ZERO;
        for pair in self.digits[from..to].chunks(2).rev() {
            if let [low, high] = pair {
                number *= square;
                number += u64::from(high[index]) * u64::from(self.prime) + u64::from(low[index]);
            } else {
                number += pair[0][index];
            }
        }
        number
    }

    /// Fractions whose numerators and denominators have half of the digits, if there are such. They need not be those that were lifted.
    pub(super) fn balanced(&self) -> Option<Fractions> {
        // Twice the product of both is below the power of the prime.
        let bits = (BigUint::from(self.prime).pow(self.digits.len() as u32).bits() - 1).saturating_sub(1) / 2;
        let half = BigUint::one() << bits;
        self.within(&half, &half)
    }

    /// Fractions within bounds of the numerators and of the common denominator; the only ones if the power of the prime is more than
    /// twice the product of the bounds. An integer times the common denominator of those before it is a numerator within the bound
    /// for most, so that few take Euclid's algorithm.
    pub(super) fn within(&self, numerator: &BigUint, denominator: &BigUint) -> Option<Fractions> {
        let modulus = BigUint::from(self.prime).pow(self.digits.len() as u32);
        let squared = |power: &BigUint| Some(power * power);
        let levels = self.digits.len().next_power_of_two().ilog2() as usize;
        let powers: Vec<BigUint> = successors(Some(self.prime.into()), squared).take(levels).collect();
        let mut found = Fractions { numerators: Vec::with_capacity(self.order), denominator: BigUint::one() };
        for index in 0..self.order {
            let residue = self.integer(&powers, index, 0, self.len()) * &found.denominator % &modulus;
            let other = &modulus - &residue;
            if residue <= *numerator {
                found.numerators.push(residue.into());
            } else if other <= *numerator {
                found.numerators.push(BigInt::from_biguint(Sign::Minus, other));
            } else {
                let rest = denominator / &found.denominator;
                let (top, bottom) = rational_reconstruction_within(&residue, &modulus, numerator, &rest)?.into_raw();
                for earlier in &mut found.numerators {
                    *earlier *= &bottom;
                }
                found.denominator *= bottom.magnitude();
                found.numerators.push(top);
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_terms_are_those_of_greatest_common_divisors() {
        // Small factors, large ones, both, and a numerator that is 0.
        let (p, q) = (1_000_003i64, 998_244_353i64);
        for denominator in [1, 12, p, 12 * p, p * q, -6 * q, 1 << 40] {
            let numerators: Vec<BigInt> =
                [0, 1, -1, 2, 6, p, -q, 3 * p, p * 5, 8 * q, 1 << 45].map(BigInt::from).to_vec();
            let expected: Vec<BigRational> =
                numerators.iter().map(|top| BigRational::new(top.clone(), denominator.into())).collect();
            assert_eq!(lowest_terms(&numerators, &denominator.into()), expected, "{denominator}");
        }
        assert!(lowest_terms(&[], &BigInt::from(7)).is_empty());
    }

    #[test]
    fn fractions_come_back_from_digits() {
        let prime = 10_007u32;
        let modulus = BigUint::from(prime).pow(6);
        for fractions in [[(1i64, 3i64), (-22, 7), (5, 21)], [(0, 1), (7, 1), (-1, 1)], [(1, 2), (1, 4), (3, 8)]] {
            let mut lifted = Lifted::new(prime, 3);
            let mut integers: Vec<BigUint> = fractions
                .iter()
                .map(|&(top, bottom)| {
                    let inverse = BigUint::from(bottom as u64).modinv(&modulus).unwrap();
                    let product = inverse * top.unsigned_abs() % &modulus;
                    if top < 0 { &modulus - product } else { product }
                })
                .collect();
            for _ in 0..6 {
                lifted.push(integers.iter().map(|x| u32::try_from(x % prime).unwrap()).collect());
                for x in &mut integers {
                    *x /= prime;
                }
            }
            let expected: Vec<BigRational> =
                fractions.iter().map(|&(top, bottom)| BigRational::new(top.into(), bottom.into())).collect();
            let found = lifted.balanced().unwrap();
            assert_eq!(found.in_lowest_terms(), expected);
            assert_eq!(lifted.within(&500u32.into(), &100u32.into()).unwrap().in_lowest_terms(), expected);
            let [x, y, z] = [0, 1, 2].map(|i| &expected[i]);
            let right = (x * BigInt::from(168) + y * BigInt::from(-168) + z * BigInt::from(336)).to_integer();
            assert!(found.solves(&[168i64, -168, 336], &right) && !found.solves(&[168i64, -168, 336], &(right + 1)));
        }
        assert!(Lifted::new(7, 2).balanced().is_some_and(|found| found.numerators == [BigInt::ZERO, BigInt::ZERO]));
    }
}

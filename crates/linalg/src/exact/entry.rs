//! Integers that matrices have as entries.

use manycore_field::{PrimeField, ResidueWord as _};
use num_bigint::{BigInt, Sign};

/// An integer type whose matrices have exact determinants: `i32`, `i64`, `i128` and [`BigInt`].
pub trait IntegerEntry: Clone + Send + Sync {
    /// The residue modulo the prime of a field.
    fn residue(&self, field: &PrimeField<u32>) -> u32;

    /// The number as a `BigInt`.
    fn to_integer(&self) -> BigInt;

    /// Its product with another integer.
    fn times(&self, factor: &BigInt) -> BigInt {
        self.to_integer() * factor
    }

    /// The number of words of 64 bits that hold it in two's complement, at least 1: the least `L` with
    /// `-2^(64 L - 1) <= x < 2^(64 L - 1)`.
    fn words(&self) -> usize {
        self.to_integer().words()
    }

    /// Word `index` in two's complement, the lowest first. Words behind [`words`](Self::words) have the sign in all bits.
    fn word(&self, index: usize) -> u64 {
        self.to_integer().word(index)
    }
}

impl IntegerEntry for i32 {
    fn residue(&self, field: &PrimeField<u32>) -> u32 {
        i64::from(*self).residue(field)
    }

    fn to_integer(&self) -> BigInt {
        BigInt::from(*self)
    }

    fn times(&self, factor: &BigInt) -> BigInt {
        factor * *self
    }

    fn words(&self) -> usize {
        1
    }

    fn word(&self, index: usize) -> u64 {
        i64::from(*self).word(index)
    }
}

impl IntegerEntry for i64 {
    fn residue(&self, field: &PrimeField<u32>) -> u32 {
        // A remainder by a modulus below 2^31, not negative.
        u32::from_u64(self.rem_euclid(i64::from(field.modulus())) as u64)
    }

    fn to_integer(&self) -> BigInt {
        BigInt::from(*self)
    }

    fn times(&self, factor: &BigInt) -> BigInt {
        factor * *self
    }

    fn words(&self) -> usize {
        1
    }

    fn word(&self, index: usize) -> u64 {
        (if index == 0 { *self } else { *self >> 63 }) as u64
    }
}

impl IntegerEntry for i128 {
    fn residue(&self, field: &PrimeField<u32>) -> u32 {
        field.reduce_i128(*self)
    }

    fn to_integer(&self) -> BigInt {
        BigInt::from(*self)
    }

    fn times(&self, factor: &BigInt) -> BigInt {
        factor * *self
    }

    fn words(&self) -> usize {
        if i64::try_from(*self).is_ok() { 1 } else { 2 }
    }

    fn word(&self, index: usize) -> u64 {
        match index {
            0 => *self as u64,
            1 => (*self >> 64) as u64,
            _ => (*self >> 127) as u64,
        }
    }
}

impl IntegerEntry for BigInt {
    fn residue(&self, field: &PrimeField<u32>) -> u32 {
        field.reduce_bigint(self)
    }

    fn to_integer(&self) -> BigInt {
        self.clone()
    }

    fn times(&self, factor: &BigInt) -> BigInt {
        self * factor
    }

    fn words(&self) -> usize {
        let magnitude = self.magnitude();
        // Of the negative numbers with as many bits the power of two fits one bit less.
        let is_least =
            self.sign() == Sign::Minus && magnitude.trailing_zeros() == Some(magnitude.bits().saturating_sub(1));
        usize::try_from((magnitude.bits() - u64::from(is_least)) / 64).map_or(usize::MAX, |words| words + 1)
    }

    fn word(&self, index: usize) -> u64 {
        let digit = self.magnitude().iter_u64_digits().nth(index).unwrap_or(0);
        if self.sign() != Sign::Minus {
            return digit;
        }
        // One is added to the complement: it is carried through the digits that are zero.
        let zeros = self.trailing_zeros().unwrap_or(0);
        (!digit).wrapping_add(u64::from(zeros / 64 >= index as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_of_every_type_agree() {
        let field = PrimeField::<u32>::new(2_147_483_647).unwrap();
        for x in [0, 1, -1, i32::MIN, i32::MAX, 12_345] {
            let expected = i64::from(x).rem_euclid(2_147_483_647) as u32;
            assert_eq!(x.residue(&field), expected);
            assert_eq!(i64::from(x).residue(&field), expected);
            assert_eq!(i128::from(x).residue(&field), expected);
            assert_eq!(BigInt::from(x).residue(&field), expected);
        }
        assert_eq!(i64::MIN.residue(&field), BigInt::from(i64::MIN).residue(&field));
    }

    /// The number that words in two's complement stand for.
    fn from_words(words: &[u64]) -> BigInt {
        let sign = words.last().map_or(0, |top| -((top >> 63) as i64));
        words.iter().rev().fold(BigInt::from(sign), |number, &word| (number << 64u32) + word)
    }

    #[test]
    fn words_are_those_of_two_s_complement() {
        let powers = [0u32, 1, 31, 32, 33, 62, 63, 64, 65, 126, 127, 128, 129, 191, 192, 200];
        let numbers = powers.iter().flat_map(|&k| {
            let power = BigInt::from(1) << k;
            [&power - 1, power.clone(), &power + 1, -&power - 1, -&power, 1 - &power]
        });
        for x in numbers {
            let words: Vec<u64> = (0..x.words()).map(|index| x.word(index)).collect();
            assert_eq!(from_words(&words), x);
            // No fewer do, and more go on.
            assert!(words.len() == 1 || from_words(&words[..words.len() - 1]) != x, "{x}");
            let longer: Vec<u64> = (0..x.words() + 2).map(|index| x.word(index)).collect();
            assert_eq!(from_words(&longer), x);
            if let Ok(x) = i128::try_from(&x) {
                assert_eq!(x.words(), words.len());
                assert!((0..longer.len()).all(|index| x.word(index) == longer[index]), "{x}");
            }
            if let Ok(x) = i64::try_from(&x) {
                assert_eq!(x.words(), words.len());
                assert!((0..longer.len()).all(|index| x.word(index) == longer[index]), "{x}");
            }
            if let Ok(x) = i32::try_from(&x) {
                assert_eq!(x.words(), words.len());
                assert!((0..longer.len()).all(|index| x.word(index) == longer[index]), "{x}");
            }
        }
    }
}

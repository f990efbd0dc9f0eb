//! Integers that matrices have as entries.

use manycore_field::{PrimeField, ResidueWord as _};
use num_bigint::BigInt;

/// An integer type whose matrices have exact determinants: `i32`, `i64`, `i128` and [`BigInt`].
pub trait IntegerEntry: Clone + Send + Sync {
    /// The residue modulo the prime of a field.
    fn residue(&self, field: &PrimeField<u32>) -> u32;

    /// The same number.
    fn to_integer(&self) -> BigInt;
}

impl IntegerEntry for i32 {
    fn residue(&self, field: &PrimeField<u32>) -> u32 {
        i64::from(*self).residue(field)
    }

    fn to_integer(&self) -> BigInt {
        BigInt::from(*self)
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
}

impl IntegerEntry for i128 {
    fn residue(&self, field: &PrimeField<u32>) -> u32 {
        field.reduce_i128(*self)
    }

    fn to_integer(&self) -> BigInt {
        BigInt::from(*self)
    }
}

impl IntegerEntry for BigInt {
    fn residue(&self, field: &PrimeField<u32>) -> u32 {
        field.reduce_bigint(self)
    }

    fn to_integer(&self) -> BigInt {
        self.clone()
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
}

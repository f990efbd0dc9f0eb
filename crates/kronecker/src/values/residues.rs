//! Residues modulo a prime.

use manycore_field::{
    Arithmetic, Field as _, Goldilocks, KernelField as _, ModularField as _, PrimeField, ResidueWord as _,
    Semiring as _, ShoupFactor,
};

use super::invert::Elimination;
use super::{Computation, Inverse, Values, sealed};
use crate::error::FactorError;

macro_rules! residues {
    ($field:ty, $word:ty, $constant:ty, $arithmetic:expr, $suffix:literal, $prepare:expr, $times:expr) => {
        impl sealed::Sealed for $field {}

        impl Values for $field {
            type Word = $word;
            type Value = $word;
            type Constant = $constant;

            fn name(&self) -> String {
                format!("residues mod {}", self.order())
            }

            #[inline(always)]
            fn zero(&self) -> $word {
                0
            }

            fn integer(&self, n: i64) -> $word {
                manycore_field::Ring::integer(self, n)
            }

            fn contains(&self, a: $word) -> bool {
                manycore_field::Semiring::contains(self, a)
            }

            #[inline(always)]
            fn add(&self, a: $word, b: $word) -> $word {
                manycore_field::Semiring::add(self, a, b)
            }

            #[inline(always)]
            fn sub(&self, a: $word, b: $word) -> $word {
                manycore_field::Ring::sub(self, a, b)
            }

            #[inline(always)]
            fn mul(&self, a: $word, b: $word) -> $word {
                manycore_field::Semiring::mul(self, a, b)
            }

            fn constant(&self, a: $word) -> $constant {
                $prepare(self, a)
            }

            #[inline(always)]
            fn times(&self, a: $word, c: &$constant) -> $word {
                $times(self, a, c)
            }

            fn root(&self, order: u64, t: u64) -> Result<$word, FactorError> {
                Ok(self.power(self.root_of_unity(order)?, t))
            }

            fn inverse(&self, q: usize, entries: &[$word]) -> Result<Inverse<Self>, FactorError> {
                let field = Elimination {
                    zero: 0,
                    one: self.one(),
                    size: &|&x| f64::from(u8::from(x != 0)),
                    less_product: &|&a, &b, &c| {
                        manycore_field::Ring::sub(self, a, manycore_field::Semiring::mul(self, b, c))
                    },
                    // A pivot is not 0.
                    over: &|&a, &b| self.div(a, b).unwrap_or(a),
                };
                Ok((field.invert(q, entries).map_err(|column| FactorError::Singular { column })?, 1))
            }

            fn divisor(&self, n: u64) -> Option<$constant> {
                let inverse = manycore_field::Field::inverse(self, self.natural(n))?;
                Some(Values::constant(self, inverse))
            }

            #[inline(always)]
            fn divided(&self, a: $word, by: &$constant) -> $word {
                $times(self, a, by)
            }

            fn computation(&self) -> Computation {
                Computation::Residues($arithmetic)
            }

            fn modulus(&self) -> ($word, u64) {
                (<$word>::from_u64(self.order()), self.reciprocal($arithmetic))
            }

            fn literal(&self, a: $word) -> String {
                let [value, quotient] = self.factor(a, $arithmetic);
                format!(concat!("E({}", $suffix, ")E({}", $suffix, ")"), value, quotient)
            }

            fn divisor_literal(&self, n: u64) -> String {
                // The callers have asked for the divisor first.
                self.literal(manycore_field::Field::inverse(self, self.natural(n)).unwrap_or(0))
            }
        }
    };
}

residues!(
    PrimeField<u32>,
    u32,
    ShoupFactor<u32>,
    Arithmetic::Word32,
    "u",
    |field: &Self, a| field.shoup().factor(a),
    |field: &Self, a, c: &ShoupFactor<u32>| field.shoup().mul(a, c)
);
residues!(
    PrimeField<u64>,
    u64,
    ShoupFactor<u64>,
    Arithmetic::Word64 { lazy: false },
    "ul",
    |field: &Self, a| field.shoup().factor(a),
    |field: &Self, a, c: &ShoupFactor<u64>| field.shoup().mul(a, c)
);
residues!(Goldilocks, u64, u64, Arithmetic::Goldilocks, "ul", |_: &Self, a| a, |field: &Self, a, c: &u64| {
    manycore_field::Semiring::mul(field, a, *c)
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_over_fields_of_residues() {
        let two = PrimeField::<u32>::new(2).unwrap();
        assert_eq!(Values::inverse(&two, 2, &[1, 0, 1, 1]).unwrap(), (vec![1, 0, 1, 1], 1));
        assert_eq!(Values::inverse(&two, 2, &[1, 1, 1, 1]), Err(FactorError::Singular { column: 1 }));
        assert_eq!(two.divisor(2), None);
        let seven = PrimeField::<u64>::new(7).unwrap();
        assert_eq!(Values::inverse(&seven, 2, &[0, 3, 2, 0]).unwrap().0, [0, 4, 5, 0]);
        assert!(seven.root(4, 1).unwrap_err().to_string().contains("the orders are the divisors of 6"));
        assert_eq!(Values::literal(&Goldilocks, 5), "E(5ul)E(0ul)");
    }
}

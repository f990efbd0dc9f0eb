//! The field of 2^16 elements: polynomials over {0, 1} modulo x^16 + x^12 + x^3 + x + 1 (Lidl and Niederreiter, 1997, chapter 2).

use std::sync::LazyLock;

use crate::algebra::{Field, Ring, Semiring};

/// The modulus `x^16 + x^12 + x^3 + x + 1`, bit `i` the coefficient of `x^i`; `x` generates all elements but zero.
const MODULUS: u32 = 0x1_100b;

/// Elements other than zero.
const ORDER: usize = 65_535;

/// The field of `2^16` elements. Bit `i` of a word is the coefficient of `x^i` of a polynomial over {0, 1}; sums are exclusive
/// ors, and products are taken modulo `x^16 + x^12 + x^3 + x + 1`. A product is a sum of two logarithms in tables of 384 KiB,
/// which the first product makes; [`BinarySlices`](crate::BinarySlices) multiplies rows.
///
/// ```
/// use manycore_field::{BinaryField16, Field, Semiring};
///
/// let field = BinaryField16;
/// assert_eq!(field.add(6, 5), 3);
/// assert_eq!(field.mul(2, 1 << 15), 0x100b); // x^16 = x^12 + x^3 + x + 1
/// assert_eq!(field.inverse(2).map(|half| field.mul(2, half)), Some(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BinaryField16;

/// Logarithms and powers of the generator `x`.
struct Tables {
    /// The exponent of each element; zero has none, and 0 in its place.
    logarithms: Vec<u16>,
    /// The powers from 0 to twice the order, so that a sum of two logarithms is an index.
    powers: Vec<u16>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables { logarithms: vec![0; ORDER + 1], powers: vec![0; 2 * ORDER] };
    let mut power = 1;
    for exponent in 0..ORDER {
        tables.powers[exponent] = power;
        tables.powers[exponent + ORDER] = power;
        tables.logarithms[usize::from(power)] = exponent as u16;
        power = double(power);
    }
    tables
});

/// The product with `x`.
const fn double(a: u16) -> u16 {
    (a << 1) ^ if a >> 15 == 1 { MODULUS as u16 } else { 0 }
}

impl BinaryField16 {
    /// The product by its definition: the polynomials are multiplied, a multiple of `x^i b` for each bit `i` of `a`, and reduced.
    ///
    /// ```
    /// use manycore_field::BinaryField16;
    ///
    /// assert_eq!(BinaryField16::product_by_definition(3, 5), 15); // (x + 1)(x^2 + 1)
    /// ```
    pub const fn product_by_definition(a: u16, b: u16) -> u16 {
        let (mut sum, mut multiple, mut bit) = (0, b, 0);
        while bit < 16 {
            if a >> bit & 1 == 1 {
                sum ^= multiple;
            }
            multiple = double(multiple);
            bit += 1;
        }
        sum
    }

    /// The exponent below 65535 of the power of `x` that an element is; `None` for zero.
    pub fn logarithm(&self, a: u16) -> Option<u16> {
        (a != 0).then(|| TABLES.logarithms[usize::from(a)])
    }

    /// The logarithms of all elements, by element; 0 in the place of zero.
    pub fn logarithms(&self) -> &'static [u16] {
        &TABLES.logarithms
    }

    /// The powers of `x` with exponents from 0 to 131069.
    pub fn powers(&self) -> &'static [u16] {
        &TABLES.powers
    }
}

impl Semiring for BinaryField16 {
    type Element = u16;

    fn zero(&self) -> u16 {
        0
    }

    fn one(&self) -> u16 {
        1
    }

    fn add(&self, a: u16, b: u16) -> u16 {
        a ^ b
    }

    fn mul(&self, a: u16, b: u16) -> u16 {
        if a == 0 || b == 0 {
            return 0;
        }
        let Tables { logarithms, powers } = &*TABLES;
        powers[usize::from(logarithms[usize::from(a)]) + usize::from(logarithms[usize::from(b)])]
    }
}

impl Ring for BinaryField16 {
    fn neg(&self, a: u16) -> u16 {
        a
    }
}

impl Field for BinaryField16 {
    fn inverse(&self, a: u16) -> Option<u16> {
        self.logarithm(a).map(|logarithm| TABLES.powers[ORDER - usize::from(logarithm)])
    }

    fn characteristic(&self) -> u64 {
        2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generator has the order 2^16 - 1: its powers by the prime factors 3, 5, 17, 257 of the order are not one.
    #[test]
    fn the_modulus_is_primitive() {
        let power = |exponent: usize| (0..exponent).fold(1, |power, _| BinaryField16::product_by_definition(power, 2));
        assert_eq!(power(ORDER), 1);
        for factor in [3, 5, 17, 257] {
            assert_ne!(power(ORDER / factor), 1, "{factor}");
        }
    }

    #[test]
    fn products_are_those_of_the_definition() {
        let field = BinaryField16;
        for i in 0..200_000u32 {
            let word = i.wrapping_mul(0x9e37_79b9);
            let (a, b) = (word as u16, (word >> 16) as u16);
            assert_eq!(field.mul(a, b), BinaryField16::product_by_definition(a, b), "{a} {b}");
        }
        for a in [0, 1, 2, 0x8000, 0xffff] {
            for b in [0, 1, 2, 0x8000, 0xffff] {
                assert_eq!(field.mul(a, b), BinaryField16::product_by_definition(a, b), "{a} {b}");
            }
        }
    }

    #[test]
    fn every_element_but_zero_has_an_inverse() {
        let field = BinaryField16;
        assert_eq!((field.inverse(0), field.logarithm(0)), (None, None));
        for a in 1..=u16::MAX {
            let inverse = field.inverse(a).unwrap();
            assert_eq!(BinaryField16::product_by_definition(a, inverse), 1, "{a}");
        }
    }
}

//! Prime fields of the cases, and residues with the ends of the range among them.

use std::fmt;

use manycore::field::{ModularField, ResidueWord};
use serde::{Serialize, Serializer};

use crate::random::Random;

/// A prime field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Residues in words of 32 bits.
    Short(u32),
    /// Residues in words of 64 bits.
    Long(u64),
    /// Modulo `2^64 - 2^32 + 1`.
    Goldilocks,
}

/// Fields with roots of unity: primes of 5 to 31 bits and of 5 to 63 bits, on both sides of `2^50` and `2^62`, where arithmetics
/// change.
const WITH_ROOTS: [Field; 19] = [
    Field::Short(17),
    Field::Short(97),
    Field::Short(257),
    Field::Short(12_289),
    Field::Short(65_537),
    Field::Short(469_762_049),
    Field::Short(998_244_353),
    Field::Short(2_013_265_921),
    Field::Short(1_811_939_329),
    Field::Long(17),
    Field::Long(12_289),
    Field::Long(2_013_265_921),
    Field::Long(1_125_897_625_141_249),
    Field::Long(4_611_686_018_326_724_609),
    Field::Long(4_611_686_009_971_671_041),
    Field::Long(9_223_372_035_915_251_713),
    Field::Goldilocks,
    Field::Goldilocks,
    Field::Goldilocks,
];

/// Fields with few roots of unity: the least primes, Mersenne primes, the largest of each word.
const WITH_FEW_ROOTS: [Field; 12] = [
    Field::Short(2),
    Field::Short(3),
    Field::Short(7),
    Field::Short(9001),
    Field::Short(2_147_483_647),
    Field::Short(2_147_483_629),
    Field::Long(2),
    Field::Long(9001),
    Field::Long(2_305_843_009_213_693_951),
    Field::Long(4_611_686_018_427_387_847),
    Field::Long(9_223_372_036_854_775_783),
    Field::Long(1_125_899_906_842_597),
];

impl Field {
    /// A field that has roots of unity of small order at least.
    pub fn with_roots(random: &mut Random) -> Self {
        random.pick(&WITH_ROOTS)
    }

    /// Any field.
    pub fn any(random: &mut Random) -> Self {
        if random.once_in(2) { random.pick(&WITH_ROOTS) } else { random.pick(&WITH_FEW_ROOTS) }
    }

    /// The prime.
    pub fn order(self) -> u64 {
        match self {
            Self::Short(p) => p.into(),
            Self::Long(p) => p,
            Self::Goldilocks => manycore::Goldilocks::MODULUS,
        }
    }

    /// Bytes of a residue.
    pub fn bytes(self) -> usize {
        if matches!(self, Self::Short(_)) { 4 } else { 8 }
    }

    /// The exponent of the largest power of two that divides `p - 1`.
    pub fn two_adicity(self) -> u32 {
        (self.order() - 1).trailing_zeros()
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short(p) => write!(f, "{p} in u32"),
            Self::Long(p) => write!(f, "{p} in u64"),
            Self::Goldilocks => f.write_str("2^64 - 2^32 + 1"),
        }
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Runs a generic function with the field of a [`Field`].
#[macro_export]
macro_rules! with_field {
    ($field:expr, $name:ident => $body:expr) => {
        match $field {
            $crate::fields::Field::Short(p) => {
                let $name = manycore::PrimeField::<u32>::new(p).map_err($crate::Failure::other)?;
                $body
            }
            $crate::fields::Field::Long(p) => {
                let $name = manycore::PrimeField::<u64>::new(p).map_err($crate::Failure::other)?;
                $body
            }
            $crate::fields::Field::Goldilocks => {
                let $name = manycore::Goldilocks;
                $body
            }
        }
    };
}

/// Which residues are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Residues {
    /// Uniform ones, with 0 and `p - 1` among them.
    Uniform,
    /// Mostly zeros.
    Sparse,
    /// All 1.
    Ones,
    /// All `p - 1`: every product of integers is as large as it can be.
    Largest,
}

impl Residues {
    /// Uniform ones half of the time.
    pub fn draw(random: &mut Random) -> Self {
        random.pick(&[Self::Uniform, Self::Uniform, Self::Uniform, Self::Sparse, Self::Ones, Self::Largest])
    }
}

/// One residue; the ends of the range come often.
pub fn residue<F: ModularField>(field: &F, random: &mut Random) -> F::Element {
    let p = field.order();
    F::Element::from_u64(match random.below(8) {
        0 => 0,
        1 => p - 1,
        _ => random.below(p),
    })
}

/// `len` residues.
pub fn residues<F: ModularField>(field: &F, random: &mut Random, len: usize, which: Residues) -> Vec<F::Element> {
    let (one, zero) = (field.one(), field.zero());
    match which {
        Residues::Uniform => (0..len).map(|_| residue(field, random)).collect(),
        Residues::Sparse => {
            let mut x = vec![zero; len];
            for _ in 0..random.within(1, 4).min(len as u64) {
                x[random.below(len as u64) as usize] = residue(field, random);
            }
            x
        }
        Residues::Ones => vec![one; len],
        Residues::Largest => vec![F::Element::from_u64(field.order() - 1); len],
    }
}

/// The transform `X[k] = sum over j of x[j] w^(j k)` of `2^n` residues in natural order, one step after the other (Cooley and
/// Tukey): the textbook's form.
pub fn transformed<F: ModularField>(field: &F, x: &[F::Element], root: F::Element) -> Vec<F::Element> {
    let (len, log_len) = (x.len(), x.len().ilog2());
    let mut y: Vec<F::Element> = (0..len).map(|i| x[reversed(i, log_len)]).collect();
    let mut half = 1;
    while half < len {
        let step = field.power(root, (len / (2 * half)) as u64);
        for block in y.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            let mut power = field.one();
            for (a, b) in low.iter_mut().zip(high) {
                let (u, v) = (*a, field.mul(*b, power));
                // The negative of v, for rings whose subtraction is the one under test.
                (*a, *b) = (field.add(u, v), field.add(u, field.mul(v, minus_one(field))));
                power = field.mul(power, step);
            }
        }
        half *= 2;
    }
    y
}

/// `p - 1`.
fn minus_one<F: ModularField>(field: &F) -> F::Element {
    F::Element::from_u64(field.order() - 1)
}

/// The lowest `bits` bits of `i` in reversed order.
pub fn reversed(i: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }
}

/// The inverse of a residue that is not 0.
pub fn inverse<F: ModularField>(field: &F, a: F::Element) -> F::Element {
    field.inverse(a).unwrap_or(a)
}

#[cfg(test)]
mod tests {
    use manycore::PrimeField;
    use manycore::field::primes::is_prime;
    use manycore::ntt::Kind;
    use manycore::ntt::reference;

    use super::*;

    #[test]
    fn all_moduli_are_primes_and_some_have_roots() {
        for field in WITH_ROOTS.into_iter().chain(WITH_FEW_ROOTS) {
            assert!(is_prime(field.order()), "{field}");
        }
        assert!(WITH_ROOTS.iter().all(|field| field.two_adicity() >= 4));
    }

    #[test]
    fn the_textbook_s_transform_is_the_definition() {
        let field = PrimeField::<u32>::new(12_289).unwrap();
        for log_len in 0..8 {
            let root = field.root_of_unity(1 << log_len).unwrap();
            let x = residues(&field, &mut Random::new(3), 1 << log_len, Residues::Uniform);
            assert_eq!(transformed(&field, &x, root), reference::ntt(&field, &x, root, Kind::Cyclic));
        }
    }

    #[test]
    fn residues_are_of_the_kind_asked_for() {
        let field = PrimeField::<u32>::new(7).unwrap();
        let mut random = Random::new(1);
        assert_eq!(residues(&field, &mut random, 3, Residues::Largest), [6, 6, 6]);
        assert_eq!(residues(&field, &mut random, 2, Residues::Ones), [1, 1]);
        let sparse = residues(&field, &mut random, 100, Residues::Sparse);
        assert!(sparse.iter().filter(|&&x| x != 0).count() <= 4);
        assert!(residues(&field, &mut random, 0, Residues::Sparse).is_empty());
    }
}

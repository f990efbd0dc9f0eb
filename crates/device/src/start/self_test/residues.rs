//! Known answers of arithmetic modulo p, as kernels do it in words of 32 and 64 bits, modulo 2^64 - 2^32 + 1, and in double
//! precision: the host divides integers of 128 bits.

use super::test::{Random, Test, run_items};
use crate::failure::NeededBy;
use crate::opencl::defines::Defines;
use crate::word::WordType;

// SAFETY: `run_items` alone launches it, with the operands and results of as many items as its argument says.
crate::kernel! {
    /// Sums, products and butterflies of residues.
    unsafe RESIDUES in manycore_kernels::device::SELF_TEST_RESIDUES:
        self_test_residues
}

/// Words of an item: p and its reciprocal, residues a and b, the two words of a constant w, p^-1 modulo the word, a word x.
const WIDTH: usize = 8;
/// 2^64 - 2^32 + 1.
const GOLDILOCKS: u64 = 0xffff_ffff_0000_0001;
/// Pseudo-random items for each modulus, beside those of its edges.
const RANDOM_ITEMS: usize = 64;

/// How kernels hold residues, by the define `ARITHMETIC`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arithmetic {
    Word32 = 0,
    Word64 = 1,
    Goldilocks = 2,
    Floating = 3,
}

impl Arithmetic {
    fn name(self) -> &'static str {
        match self {
            Self::Word32 => "32-bit words",
            Self::Word64 => "64-bit words",
            Self::Goldilocks => "words modulo 2^64 - 2^32 + 1",
            Self::Floating => "double precision",
        }
    }

    /// Odd numbers at the ends of the range, and between.
    fn moduli(self) -> &'static [u64] {
        match self {
            Self::Word32 => &[3, 65_537, 998_244_353, 2_147_483_647],
            Self::Word64 => &[3, 4_294_967_311, 4_611_686_018_427_387_847, 9_223_372_036_854_775_783],
            Self::Goldilocks => &[GOLDILOCKS],
            Self::Floating => &[3, 65_537, 1_125_897_625_141_249, 1_125_899_906_842_597],
        }
    }

    /// What products of two residues need beside p.
    fn reciprocal(self, p: u64) -> u64 {
        match self {
            Self::Word32 => u64::MAX / p,
            // Of p shifted until it has bit 63, without the 2^64 in front.
            Self::Word64 => (u128::MAX / u128::from(p << p.leading_zeros())) as u64,
            Self::Goldilocks => 0,
            Self::Floating => (1.0 / p as f64).to_bits(),
        }
    }

    /// The words of a constant, as kernels read it.
    fn factor(self, w: u64, p: u64) -> [u64; 2] {
        match self {
            Self::Word32 => [w, (w << 32) / p],
            Self::Word64 => [w, ((u128::from(w) << 64) / u128::from(p)) as u64],
            Self::Goldilocks => [w, 0],
            Self::Floating => {
                let least = if w > p / 2 { -((p - w) as f64) } else { w as f64 };
                [least.to_bits(), (least / p as f64).to_bits()]
            }
        }
    }

    /// A constant from its words.
    fn constant(self, item: &[u64]) -> u64 {
        match self {
            Self::Floating => {
                let least = f64::from_bits(item[4]);
                if least < 0.0 { item[0] - (-least) as u64 } else { least as u64 }
            }
            _ => item[4],
        }
    }

    /// Words of any value that products by a constant take.
    fn any_words(self, p: u64) -> [u64; 4] {
        match self {
            Self::Word32 => [0, p, 0x8000_0000, 0xffff_ffff],
            Self::Word64 | Self::Goldilocks => [0, p, 1 << 63, u64::MAX],
            Self::Floating => [0, 1, p / 2, p - 1],
        }
    }

    /// The bits of Montgomery's R.
    fn bits(self) -> u32 {
        if self == Self::Word32 { 32 } else { 64 }
    }

    fn operands(self) -> Vec<u64> {
        let mut random = Random(4 + self as u64);
        let of_modulus = |&p: &u64| {
            let edges = [0, 1, 2, p / 2, p / 2 + 1, p - 2, p - 1, (1 << 32) % p].map(|edge: u64| edge % p);
            let pairs = edges.into_iter().flat_map(|a| edges.map(|b| (a, b)));
            let mut pairs: Vec<(u64, u64)> = pairs.collect();
            pairs.extend((0..RANDOM_ITEMS).map(|_| (random.next() % p, random.next() % p)));
            let item = |(k, (a, b)): (usize, (u64, u64))| {
                let w = if k % 3 == 0 { edges[k / 3 % 8] } else { random.next() % p };
                let x = match self.any_words(p).get(k % 8) {
                    Some(&word) => word,
                    None if self == Self::Floating => random.next() % p,
                    None => random.next() >> (64 - self.bits()),
                };
                let [first, second] = self.factor(w, p);
                [p, self.reciprocal(p), a, b, first, second, inverse_of_odd(p) & (u64::MAX >> (64 - self.bits())), x]
            };
            pairs.into_iter().enumerate().flat_map(item).collect::<Vec<u64>>()
        };
        self.moduli().iter().flat_map(of_modulus).collect()
    }

    fn test(self) -> Test {
        let element = if self == Self::Word32 { WordType::U32 } else { WordType::U64 };
        let needed_by = if self == Self::Floating { NeededBy::DoubleProducts } else { NeededBy::Everything };
        let mut test = Test {
            kernel: &RESIDUES,
            defines: Defines::new().element(element).set("ARITHMETIC", self as u8),
            needed_by,
            operands: self.operands(),
            width: WIDTH,
            rows: Vec::new(),
            run: run_items,
        };
        let name = |what: &str| format!("{what} modulo p in {}", self.name());
        let w = move |item: &[u64]| self.constant(item);
        test.row(name("sum"), 0, &[0, 2, 3], |m| add(m[2], m[3], m[0]));
        test.row(name("difference"), 1, &[0, 2, 3], |m| sub(m[2], m[3], m[0]));
        test.row(name("product"), 2, &[0, 2, 3], |m| mul(m[2], m[3], m[0]));
        test.row(name("product by a constant"), 3, &[0, 7, 4, 5], |m| mul(m[7], w(m), m[0]));
        test.row(name("product of two constants"), 4, &[0, 2, 4, 5], |m| mul(m[2], mul(w(m), w(m), m[0]), m[0]));
        test.row(name("sum of a butterfly"), 5, &[0, 2, 3, 4, 5], |m| add(m[2], mul(m[3], w(m), m[0]), m[0]));
        test.row(name("difference of a butterfly"), 6, &[0, 2, 3, 4, 5], |m| sub(m[2], mul(m[3], w(m), m[0]), m[0]));
        if self == Self::Goldilocks {
            blocks(&mut test);
        } else {
            test.row(name("sum of an inverse butterfly"), 7, &[0, 2, 3], |m| add(m[2], m[3], m[0]));
            test.row(name("product of an inverse butterfly"), 8, &[0, 2, 3, 4, 5], |m| {
                mul(sub(m[2], m[3], m[0]), w(m), m[0])
            });
        }
        if matches!(self, Self::Word32 | Self::Word64) {
            test.row(name("Montgomery product"), 9, &[0, 2, 3, 6], |m| {
                mul(mul(m[2], m[3], m[0]), power_of_half(m[0], self.bits()), m[0])
            });
        }
        test
    }
}

/// The tests of residues in integers.
pub(super) fn integers() -> impl Iterator<Item = Test> {
    [Arithmetic::Word32, Arithmetic::Word64, Arithmetic::Goldilocks].into_iter().map(Arithmetic::test)
}

/// The test of residues in double precision.
pub(super) fn floating() -> Test {
    Arithmetic::Floating.test()
}

/// Butterflies modulo 2^64 - 2^32 + 1 by powers of two: the root of block i of 16 is 2^(78 r), where r has the bits of i reversed.
fn blocks(test: &mut Test) {
    for block in 1..16u32 {
        let root = power(2, 78 * u64::from(block.reverse_bits() >> 28));
        let inverse = power(root, GOLDILOCKS - 2);
        let number = 4 * block + 3;
        let name = |what: &str| format!("{what} of block {block} modulo 2^64 - 2^32 + 1");
        let forward = move |m: &[u64]| (m[2], mul(m[3], root, GOLDILOCKS));
        let back =
            move |m: &[u64]| (add(m[2], m[3], GOLDILOCKS), mul(sub(m[2], m[3], GOLDILOCKS), inverse, GOLDILOCKS));
        let sum = |(a, b)| add(a, b, GOLDILOCKS);
        let difference = |(a, b)| sub(a, b, GOLDILOCKS);
        test.row(name("sum of the butterfly"), number, &[2, 3], move |m| sum(forward(m)));
        test.row(name("difference of the butterfly"), number + 1, &[2, 3], move |m| difference(forward(m)));
        test.row(name("sum of the inverse butterfly"), number + 2, &[2, 3], move |m| sum(back(m)));
        test.row(name("difference of the inverse butterfly"), number + 3, &[2, 3], move |m| difference(back(m)));
    }
}

fn add(a: u64, b: u64, p: u64) -> u64 {
    ((u128::from(a) + u128::from(b)) % u128::from(p)) as u64
}

fn sub(a: u64, b: u64, p: u64) -> u64 {
    add(a, p - b, p)
}

fn mul(a: u64, b: u64, p: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(p)) as u64
}

/// x^e modulo 2^64 - 2^32 + 1.
fn power(x: u64, e: u64) -> u64 {
    (0..64).rev().fold(1, |value, bit| {
        let square = mul(value, value, GOLDILOCKS);
        if e >> bit & 1 == 1 { mul(square, x, GOLDILOCKS) } else { square }
    })
}

/// 2^-bits modulo an odd p: halving adds p where a number is odd.
fn power_of_half(p: u64, bits: u32) -> u64 {
    (0..bits).fold(1 % p, |x, _| x.midpoint(if x % 2 == 0 { 0 } else { p }))
}

/// p^-1 modulo 2^64, by Newton's iteration from p itself, which is right modulo 8.
fn inverse_of_odd(p: u64) -> u64 {
    (0..5).fold(p, |x, _| x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_the_arithmetics_are_what_they_should_be() {
        for p in Arithmetic::Word64.moduli().iter().chain(Arithmetic::Word32.moduli()) {
            assert_eq!(p.wrapping_mul(inverse_of_odd(*p)), 1);
            for bits in [32, 64] {
                let power = ((1u128 << bits) % u128::from(*p)) as u64;
                assert_eq!(mul(power, power_of_half(*p, bits), *p), 1);
            }
        }
        let inverse = power(2, GOLDILOCKS - 2);
        assert_eq!(mul(inverse, 2, GOLDILOCKS), 1);
        // 2^96 = -1, so that 2^78 has order 192 / gcd(78, 192) = 32.
        assert_eq!(power(2, 96), GOLDILOCKS - 1);
        assert_eq!((power(power(2, 78), 32), power(power(2, 78), 16)), (1, GOLDILOCKS - 1));
    }

    #[test]
    fn operands_are_in_range_and_constants_come_back() {
        use Arithmetic::{Floating, Goldilocks, Word32, Word64};
        for arithmetic in [Word32, Word64, Goldilocks, Floating] {
            let operands = arithmetic.operands();
            let items = operands.chunks_exact(WIDTH);
            assert_eq!(items.len(), arithmetic.moduli().len() * (64 + RANDOM_ITEMS));
            for item in items {
                let p = item[0];
                let w = arithmetic.constant(item);
                assert!(item[2] < p && item[3] < p && w < p, "{arithmetic:?} {item:?}");
                assert_eq!(arithmetic.factor(w, p)[..], item[4..6], "{arithmetic:?}");
                assert!(arithmetic != Word32 || item[4..].iter().all(|&word| word >> 32 == 0), "{item:?}");
                assert!(arithmetic != Floating || item[7] < p, "{item:?}");
            }
        }
    }
}

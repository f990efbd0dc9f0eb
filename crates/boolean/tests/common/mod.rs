//! Functions and S-boxes that the tests share.

#![allow(dead_code)] // each test program uses its part

use manycore_boolean::{SBox, TruthTable};

/// A product in GF(2^bits) with the given polynomial.
fn product(mut a: u32, mut b: u32, bits: u32, polynomial: u32) -> u32 {
    let mut sum = 0;
    while b != 0 {
        sum ^= if b & 1 == 1 { a } else { 0 };
        a <<= 1;
        a ^= if a >> bits & 1 == 1 { polynomial } else { 0 };
        b >>= 1;
    }
    sum
}

/// `x^exponent` in GF(2^bits).
pub(crate) fn power(bits: u32, polynomial: u32, exponent: u32) -> SBox {
    let of = |x: u32| (0..exponent).fold(1, |y, _| product(y, x, bits, polynomial)) as u16;
    SBox::new(bits, (0..1 << bits).map(of).collect()).unwrap()
}

/// The S-box of AES: the inverse in GF(2^8) and an affine map (FIPS 197, section 5.1.1).
pub(crate) fn aes() -> SBox {
    let affine = |x: u16| (0..5).fold(0x63, |y, k| y ^ u16::from((x as u8).rotate_left(k)));
    SBox::new(8, power(8, 0x11b, 254).values().iter().map(|&x| affine(x)).collect()).unwrap()
}

/// The S-box S7 of KASUMI (3GPP TS 35.202).
#[rustfmt::skip]
pub(crate) fn kasumi_s7() -> SBox {
    SBox::new(7, vec![
        54, 50, 62, 56, 22, 34, 94, 96, 38, 6, 63, 93, 2, 18, 123, 33, 55, 113, 39, 114, 21, 67, 65, 12, 47, 73, 46, 27, 25,
        111, 124, 81, 53, 9, 121, 79, 52, 60, 58, 48, 101, 127, 40, 120, 104, 70, 71, 43, 20, 122, 72, 61, 23, 109, 13, 100,
        77, 1, 16, 7, 82, 10, 105, 98, 117, 116, 76, 11, 89, 106, 0, 125, 118, 99, 86, 69, 30, 57, 126, 87, 112, 51, 17, 5,
        95, 14, 90, 84, 91, 8, 35, 103, 32, 97, 28, 66, 102, 31, 26, 45, 75, 4, 85, 92, 37, 74, 80, 49, 68, 29, 115, 44, 64,
        107, 108, 24, 110, 83, 36, 78, 42, 19, 15, 41, 88, 119, 59, 3,
    ]).unwrap()
}

/// A congruential generator, by its upper half.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 32
    }
}

/// A function with random values.
pub(crate) fn random(variables: u32, seed: u64) -> TruthTable {
    let mut random = Random(seed);
    let minterms: Vec<u64> = (0..1u64 << variables).filter(|_| random.next() >> 20 & 1 == 1).collect();
    TruthTable::from_minterms(variables, &minterms).unwrap()
}

/// An S-box with random outputs.
pub(crate) fn random_sbox(input_bits: u32, output_bits: u32, seed: u64) -> SBox {
    let mut random = Random(seed);
    let values = (0..1 << input_bits).map(|_| (random.next() & ((1 << output_bits) - 1)) as u16).collect();
    SBox::new(output_bits, values).unwrap()
}

/// A random permutation.
pub(crate) fn random_permutation(bits: u32, seed: u64) -> SBox {
    let mut random = Random(seed);
    let mut values: Vec<u16> = (0..=u16::MAX).take(1 << bits).collect();
    for i in (1..values.len()).rev() {
        values.swap(i, random.next() as usize % (i + 1));
    }
    SBox::new(bits, values).unwrap()
}

/// Constants, affine functions, products, majorities, bent and random ones of `n` variables.
pub(crate) fn functions(n: u32) -> Vec<TruthTable> {
    let of = |f: &(dyn Fn(u64) -> bool + Sync)| TruthTable::from_fn(n, f).unwrap();
    let mask = (1u64 << n) - 1;
    vec![
        of(&|_| false),
        of(&|_| true),
        of(&|x| x.count_ones() % 2 == 1),
        of(&|x| (x & 0x5a5a_5a5a_5a5a_5a5a).count_ones() % 2 == 0),
        of(&|x| x == mask),
        of(&|x| 2 * x.count_ones() > n),
        // The sum of x1 x2 + x3 x4 + ...: bent for even n.
        of(&|x| (x & x >> 1 & 0x5555_5555_5555_5555).count_ones() % 2 == 1),
        // The same with a derivative that is constant 1.
        of(&|x| ((x >> 1 & x >> 2 & 0x5555_5555_5555_5555).count_ones() + (x & 1) as u32) % 2 == 1),
        random(n, 7 + u64::from(n)),
        random(n, 1000 + u64::from(n)),
    ]
}

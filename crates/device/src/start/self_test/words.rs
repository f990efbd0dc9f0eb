//! Known answers of integers of 32 and 64 bits and of single precision.

use super::test::{Random, Test, run_items};
use crate::failure::NeededBy;
use crate::opencl::defines::Defines;

// SAFETY: `run_items` alone launches it, with the operands and results of as many items as its argument says.
crate::kernel! {
    /// Each primitive of one pair of words.
    unsafe WORDS in manycore_kernels::device::SELF_TEST_WORDS:
        self_test_words
}

/// Words at which carries, signs and halves change.
const EDGES: [u64; 16] = [
    0,
    1,
    2,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x1_0000_0001,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0x8000_0000_0000_0001,
    0xffff_fffe_ffff_ffff,
    0xffff_ffff_0000_0000,
    0xffff_ffff_0000_0001,
    0xffff_ffff_ffff_ffff,
    0x0123_4567_89ab_cdef,
];

/// Floats around whole numbers and the limits of their precision.
const FLOATS: [f32; 8] = [1.0, -1.0, 1.5, -0.75, 1.000_000_1, 8_388_607.5, 16_777_215.0, -16_777_216.0];

/// The words a, b and the bits of two floats, of every item.
fn operands() -> Vec<u64> {
    let mut random = Random(1);
    let edges = EDGES.into_iter().flat_map(|a| EDGES.map(|b| (a, b)));
    let mut pairs: Vec<(u64, u64)> = edges.collect();
    // Every count of a shift.
    pairs.extend((0..64).map(|count| (random.next(), random.next() << 6 | count)));
    // Words of every length.
    pairs.extend((0..192).map(|k| (random.next() >> (k % 64), random.next() >> (k * 5 % 64))));
    // Exponents from 2^-20 to 2^20: no result is near the ends of the range, where devices may round to zero.
    let mut any = || {
        let bits = random.next() as u32;
        f32::from_bits(bits & 0x807f_ffff | (107 + (bits >> 23) % 41) << 23)
    };
    let mut float = |k: usize| FLOATS.get(k).copied().unwrap_or_else(&mut any);
    let floats: Vec<u64> = (0..pairs.len())
        .map(|k| {
            u64::from(float(k / 8 % 64).to_bits()) | u64::from(float(if k < 64 { k % 8 } else { k }).to_bits()) << 32
        })
        .collect();
    pairs.into_iter().zip(floats).flat_map(|((a, b), c)| [a, b, c]).collect()
}

fn two(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// The test of every primitive but those of groups.
pub(super) fn test() -> Test {
    let mut test = Test {
        kernel: &WORDS,
        defines: Defines::new(),
        needed_by: NeededBy::Everything,
        operands: operands(),
        width: 3,
        rows: Vec::new(),
        run: run_items,
    };
    sums_and_products(&mut test);
    shifts_and_quotients(&mut test);
    floats(&mut test);
    test
}

fn sums_and_products(test: &mut Test) {
    test.row("64-bit product", 0, &[0, 1], |w| (u128::from(w[0]) * u128::from(w[1])) as u64);
    test.row("64-bit mul_hi", 1, &[0, 1], |w| ((u128::from(w[0]) * u128::from(w[1])) >> 64) as u64);
    let wide = |w: &[u64]| u64::from(w[0] as u32) * u64::from(w[1] as u32);
    test.row("32-bit product", 2, &[0, 1], move |w| wide(w) & 0xffff_ffff);
    test.row("32-bit mul_hi", 3, &[0, 1], move |w| wide(w) >> 32);
    test.row("64-bit product of 32-bit words", 4, &[0, 1], wide);
    test.row("64-bit sum", 5, &[0, 1], |w| (u128::from(w[0]) + u128::from(w[1])) as u64);
    test.row("64-bit difference", 6, &[0, 1], |w| w[0].wrapping_sub(w[1]));
    test.row("comparison of words", 7, &[0, 1], |w| {
        let carry = u128::from(w[0]) + u128::from(w[1]) > u128::from(u64::MAX);
        let (u, v) = (w[0] as u32, w[1] as u32);
        let bits = [carry, w[0] < w[1], u < v, (w[0] as i64) < w[1] as i64, (u as i32) < v as i32];
        bits.into_iter().enumerate().map(|(k, bit)| u64::from(bit) << k).sum()
    });
}

fn shifts_and_quotients(test: &mut Test) {
    test.row("64-bit left shift", 8, &[0, 1], |w| (u128::from(w[0]) << (w[1] % 64)) as u64);
    test.row("64-bit right shift", 9, &[0, 1], |w| w[0] >> (w[1] % 64));
    test.row("64-bit signed right shift", 10, &[0, 1], |w| (w[0] as i64 >> (w[1] % 64)) as u64);
    test.row("32-bit shift", 11, &[0, 1], |w| two((w[0] as u32) << (w[1] % 32), w[0] as u32 >> (w[1] % 32)));
    test.row("32-bit signed right shift", 12, &[0, 1], |w| u64::from((w[0] as i32 >> (w[1] % 32)) as u32));
    test.row("64-bit quotient", 13, &[0, 1], |w| w[0] / w[1].max(1));
    test.row("64-bit remainder", 14, &[0, 1], |w| w[0] % w[1].max(1));
    test.row("32-bit quotient and remainder", 15, &[0, 1], |w| {
        let (u, v) = (w[0] as u32, (w[1] as u32).max(1));
        two(u / v, u % v)
    });
    test.row("64-bit signed quotient", 16, &[0, 1], |w| {
        let divisor = if matches!(w[1] as i64, 0 | -1) { 3 } else { w[1] as i64 };
        (w[0] as i64 / divisor) as u64
    });
    test.row("64-bit minimum", 17, &[0, 1], |w| w[0].min(w[0].wrapping_sub(w[1])));
    test.row("32-bit minimum and signed maximum", 18, &[0, 1], |w| {
        let (u, v) = (w[0] as u32, w[1] as u32);
        two(u.min(u.wrapping_sub(v)), (u as i32).max(v as i32) as u32)
    });
    test.row("popcount", 19, &[0], |w| two((w[0] as u32).count_ones(), w[0].count_ones()));
    test.row("clz", 20, &[0], |w| two((w[0] as u32).leading_zeros(), w[0].leading_zeros()));
    test.row("abs", 21, &[0], |w| u64::from((w[0] as i32).unsigned_abs()));
}

fn floats(test: &mut Test) {
    fn xy(w: &[u64]) -> (f32, f32) {
        (f32::from_bits(w[2] as u32), f32::from_bits((w[2] >> 32) as u32))
    }
    fn bits(x: f32) -> u64 {
        u64::from(x.to_bits())
    }
    test.row("single precision sum", 22, &[2], |w| bits(xy(w).0 + xy(w).1));
    test.row("single precision difference", 23, &[2], |w| bits(xy(w).0 - xy(w).1));
    test.row("single precision product", 24, &[2], |w| bits(xy(w).0 * xy(w).1));
    test.row("single precision fma", 25, &[2], |w| bits(xy(w).0.mul_add(xy(w).1, -xy(w).0)));
    test.row("single precision floor and conversion", 26, &[0, 2], |w| {
        two(xy(w).0.floor().to_bits(), (w[0] as i32 as f32).to_bits())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results that are known from elsewhere than this file's functions.
    #[test]
    fn some_answers_are_known() {
        let test = test();
        let find = |a: u64, b: u64| test.operands.chunks_exact(3).position(|w| (w[0], w[1]) == (a, b)).unwrap();
        let all = find(u64::MAX, u64::MAX);
        let expected = |row: usize, place: usize| test.rows[row].expected[place];
        assert_eq!((expected(0, all), expected(1, all)), (1, u64::MAX - 1));
        assert_eq!((expected(2, all), expected(3, all)), (1, 0xffff_fffe));
        assert_eq!(expected(4, all), 0xffff_fffe_0000_0001);
        assert_eq!(expected(7, all), 1, "a carry, and none is less");
        let halves = find(0x1_0000_0001, 0x8000_0000_0000_0000);
        assert_eq!((expected(0, halves), expected(1, halves)), (1 << 63, 1 << 31));
        assert_eq!(expected(16, find(1 << 63, u64::MAX)), ((i64::MIN / 3) as u64));
        let counts: std::collections::BTreeSet<u64> = test.operands.chunks_exact(3).map(|w| w[1] % 64).collect();
        assert_eq!(counts.len(), 64, "every count of a shift");
        assert!(test.operands.chunks_exact(3).all(|w| {
            [w[2] as u32, (w[2] >> 32) as u32].map(f32::from_bits).iter().all(|x| x.abs() >= 1e-7 && x.abs() <= 1.7e7)
        }));
    }
}

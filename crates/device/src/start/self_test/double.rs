//! Known answers of double precision: the host rounds as IEEE 754 says.

use super::test::{Random, Test, run_items};
use crate::failure::NeededBy;
use crate::opencl::defines::Defines;
use crate::word::WordType;

// SAFETY: `run_items` alone launches it, with the operands and results of as many items as its argument says.
crate::kernel! {
    /// Each operation of three doubles.
    unsafe DOUBLE in manycore_kernels::device::SELF_TEST_DOUBLE:
        self_test_double
}

/// Doubles around whole numbers and the limits of their precision.
const EDGES: [f64; 12] = [
    1.0,
    -1.0,
    1.0 + f64::EPSILON,
    3.0,
    -0.75,
    1e-3,
    4_503_599_627_370_495.5,  // 2^52 - 1/2
    4_503_599_627_370_497.0,  // 2^52 + 1
    -9_007_199_254_740_991.0, // 1 - 2^53
    6_755_399_441_055_744.0,  // 1.5 2^52
    1e16,
    1e9 + 0.5,
];

/// The bits of three doubles and a whole number, of every item.
fn operands() -> Vec<u64> {
    let mut random = Random(2);
    // Exponents from 2^-30 to 2^60: no result is near the ends of the range.
    let mut double = || {
        let bits = random.next();
        f64::from_bits(bits & 0x800f_ffff_ffff_ffff | (993 + (bits >> 52) % 91) << 52)
    };
    let edges = EDGES.into_iter().flat_map(|x| EDGES.map(|y| [x, y]));
    let mut items: Vec<[f64; 3]> = edges.enumerate().map(|(k, [x, y])| [x, y, EDGES[k * 7 % 12]]).collect();
    items.extend((0..112).map(|_| [double(), double(), double()]));
    // Products and terms that nearly cancel.
    items.extend((0..64).map(|_| {
        let (x, y) = (double(), double());
        [x, y, -(x * y) * (1.0 + f64::EPSILON)]
    }));
    let mut random = Random(3);
    let whole = |k: usize, word: u64| [u64::MAX, 1 << 63, (1 << 53) + 1, 0].get(k).copied().unwrap_or(word >> (k % 64));
    let numbers: Vec<u64> = (0..items.len()).map(|k| whole(k, random.next())).collect();
    items.into_iter().zip(numbers).flat_map(|([x, y, z], n)| [x.to_bits(), y.to_bits(), z.to_bits(), n]).collect()
}

/// The test of every operation.
pub(super) fn test() -> Test {
    fn xyz(w: &[u64]) -> (f64, f64, f64) {
        (f64::from_bits(w[0]), f64::from_bits(w[1]), f64::from_bits(w[2]))
    }
    let mut test = Test {
        kernel: &DOUBLE,
        defines: Defines::new(),
        needed_by: NeededBy::Double,
        operands: operands(),
        width: 4,
        rows: Vec::new(),
        run: run_items,
    };
    test.row("double precision sum", 0, &[0, 1], |w| (xyz(w).0 + xyz(w).1).to_bits());
    test.row("double precision difference", 1, &[0, 1], |w| (xyz(w).0 - xyz(w).1).to_bits());
    test.row("double precision product", 2, &[0, 1], |w| (xyz(w).0 * xyz(w).1).to_bits());
    test.row("double precision fma", 3, &[0, 1, 2], |w| xyz(w).0.mul_add(xyz(w).1, xyz(w).2).to_bits());
    test.row("double precision rest of a product", 4, &[0, 1], |w| {
        let (x, y, _) = xyz(w);
        x.mul_add(y, -(x * y)).to_bits()
    });
    test.row("double precision quotient", 5, &[0, 1], |w| (xyz(w).0 / xyz(w).1).to_bits());
    test.row("double precision square root", 6, &[0], |w| xyz(w).0.abs().sqrt().to_bits());
    test.row("double precision floor", 7, &[2], |w| xyz(w).2.floor().to_bits());
    test.row("double precision rint", 8, &[2], |w| xyz(w).2.round_ties_even().to_bits());
    test.row("double precision of a 64-bit word", 9, &[3], |w| (w[3] as f64).to_bits());
    test.row("double precision of a 32-bit integer", 10, &[3], |w| f64::from(w[3] as i32).to_bits());
    test.row("double precision comparison", 11, &[0, 1], |w| {
        let (x, y, _) = xyz(w);
        u64::from(x < y)
            | u64::from(x.partial_cmp(&y).is_some_and(std::cmp::Ordering::is_eq)) << 1
            | u64::from(x < 0.0) << 2
    });
    test.defines = test.defines.element(WordType::F64);
    test
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results that are known from elsewhere than this file's functions.
    #[test]
    fn some_answers_are_known() {
        let test = test();
        let find = |x: f64, y: f64| {
            let items = test.operands.chunks_exact(4);
            items.clone().position(|w| (w[0], w[1]) == (x.to_bits(), y.to_bits())).unwrap()
        };
        let expected = |row: usize, place: usize| f64::from_bits(test.rows[row].expected[place]);
        // The nearest double to 1/3 has an even last digit 5 in hexadecimal.
        assert_eq!(expected(5, find(1.0, 3.0)).to_bits(), 0x3fd5_5555_5555_5555);
        // (1 + e)^2 = 1 + 2 e + e^2, e = 2^-52: the product rounds to 1 + 2 e, and e^2 is the rest.
        let square = find(EDGES[2], EDGES[2]);
        assert_eq!(expected(4, square).to_bits(), (f64::EPSILON * f64::EPSILON).to_bits());
        assert!(test.operands.chunks_exact(4).flat_map(|w| &w[..3]).all(|&bits| f64::from_bits(bits).is_normal()));
    }
}

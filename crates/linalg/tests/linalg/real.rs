//! Determinants in double precision: the table of Hilbert matrices, the error of each rule of pivots against exact values, the
//! proved bound, and what is refused.

#![allow(clippy::float_cmp)] // results of one computation are compared

use manycore_device::Device;
use manycore_linalg::LinalgError;
use manycore_linalg::exact::{self, Certainty};
use manycore_linalg::real::{
    Pivoting, RealDeterminant, RealOptions, Scaled, determinant, determinant_of, product, reference,
};
use manycore_verify::SplitMix;
use num_bigint::{BigInt, Sign};
use proptest::prelude::*;

fn of(order: usize, words: &[f64], pivoting: Pivoting) -> RealDeterminant {
    determinant(&Device::host(), order, words, RealOptions { pivoting, bound: true }).unwrap()
}

/// An integer times a power of two, rounded: a relative error below `2^-53`.
fn scaled(value: &BigInt, exponent: i64) -> Scaled {
    let shift = value.bits().saturating_sub(64);
    let top = u64::try_from(value.magnitude() >> shift).unwrap();
    let sign = if value.sign() == Sign::Minus { -1.0 } else { 1.0 };
    Scaled::new(sign * top as f64, exponent + shift as i64)
}

/// The determinant of doubles: of the integers that they are times a power of two.
fn exactly(order: usize, words: &[f64]) -> Scaled {
    let all = words.iter().filter(|x| **x != 0.0).map(|&x| Scaled::new(x, 0));
    let low = all.clone().map(|x| x.exponent - 53).min().unwrap_or(0);
    let integer = |&x: &f64| {
        let x = Scaled::new(x, 0);
        // 53 bits of mantissa.
        BigInt::from((x.mantissa * 2f64.powi(53)) as i64) << (x.exponent - 53 - low).max(0)
    };
    let integers: Vec<BigInt> = words.iter().map(integer).collect();
    let found = exact::determinant(&Device::host(), order, &integers, Certainty::Proved).unwrap();
    scaled(&found.value, low * order as i64)
}

/// The distance of two numbers over the size of the second, which is not 0.
fn relative_error(found: Scaled, expected: Scaled) -> f64 {
    let minus = Scaled { mantissa: -expected.mantissa, ..expected };
    let difference = found.plus(minus).abs();
    let apart = difference.exponent - expected.exponent;
    Scaled::new(difference.mantissa / expected.mantissa.abs(), apart).to_f64()
}

fn hilbert(order: usize) -> Vec<f64> {
    (0..order * order).map(|e| 1.0 / (e / order + e % order + 1) as f64).collect()
}

/// Paper 002, table 7.1, with what double precision gives: every rule is within 1e-3 of the exact value up to order 10, and
/// from order 13 on none can be, for rounding the entries alone changes the determinant more.
#[test]
fn the_table_of_hilbert_matrices() {
    let exact =
        [(5, "3.749295e-12"), (6, "5.367300e-18"), (7, "4.835803e-25"), (8, "2.737050e-33"), (9, "9.720234e-43")];
    let inverse = |order: usize| {
        let binomial = |k: usize| (1..=k).fold(1.0, |b, i| b * (k + i) as f64 / i as f64);
        product(
            &(1..order)
                .flat_map(|k| [1.0 / (2 * k + 1) as f64, 1.0 / binomial(k), 1.0 / binomial(k)])
                .collect::<Vec<_>>(),
        )
    };
    for (order, text) in exact {
        assert_eq!(inverse(order).to_string(), text);
    }
    assert_eq!(inverse(100).to_string(), "3.370034e-5942");
    for order in 1..=10 {
        for pivoting in Pivoting::ALL {
            let error = relative_error(of(order, &hilbert(order), pivoting).value, inverse(order));
            assert!(error < 1e-3, "{order} {pivoting:?} {error}");
        }
    }
    // Published digits of plain double precision, by the first entry, the closest to 1 and the largest.
    let table = [
        (11, [3.02915e-65, 3.02722e-65, 3.02722e-65]),
        (12, [2.84034e-78, 2.79329e-78, 2.79329e-78]),
        (13, [3.48143e-92, 2.58073e-92, 2.58073e-92]),
        (14, [-7.84871e-107, -1.40595e-106, -1.40595e-106]),
        (20, [4.25531e-196, -1.43120e-195, -1.43120e-195]),
    ];
    for (order, values) in table {
        for (pivoting, value) in [Pivoting::First, Pivoting::ClosestToOne, Pivoting::Partial].into_iter().zip(values) {
            let found = of(order, &hilbert(order), pivoting).value.to_f64();
            assert!((found / value - 1.0).abs() < 1e-5, "{order} {pivoting:?} {found:e}");
        }
    }
    for order in [30, 60, 100] {
        let found = of(order, &hilbert(order), Pivoting::Partial);
        assert!(found.value.mantissa != 0.0 && found.log_abs().is_finite() && found.log_abs() < -700.0, "{order}");
        // The bound says that not even the sign is known.
        assert!(found.relative_error_bound().unwrap() > 1.0, "{order}");
    }
}

/// The rule of the thesis prefers 1e-20 to 5, and loses the determinant.
#[test]
fn closest_to_one_is_not_stable() {
    let words = [1e-20, 5.0, 2.0, 1.0, 1.0, 1.0, 1.0, 2.0, 4.0];
    let values = Pivoting::ALL.map(|pivoting| of(3, &words, pivoting));
    assert!(relative_error(values[2].value, Scaled::new(-13.0, 0)) < 1e-15);
    assert!(relative_error(values[3].value, Scaled::new(-13.0, 0)) < 1e-15);
    let lost = values[1];
    assert!(lost.value.to_f64().abs() < 1.0);
    // The bound knows.
    assert!(lost.error_bound.unwrap().to_f64() >= 12.0);
    assert!(values[2].relative_error_bound().unwrap() < 1e-13);
}

fn families(order: usize, random: &mut SplitMix) -> Vec<(&'static str, Vec<f64>)> {
    let mut unit = || (random.next_word() >> 11) as f64 * 2f64.powi(-53);
    let mut entries =
        |of: &mut dyn FnMut(f64, f64) -> f64| -> Vec<f64> { (0..order * order).map(|_| of(unit(), unit())).collect() };
    vec![
        ("uniform", entries(&mut |x, _| 2.0 * x - 1.0)),
        ("wide", entries(&mut |x, y| (2.0 * x - 1.0) * 2f64.powi((40.0 * y) as i32 - 20))),
        (
            "tiny among large",
            entries(&mut |x, y| if y < 0.2 { 1e-12 } else { (3.0 + 5.0 * x) * if y < 0.6 { -1.0 } else { 1.0 } }),
        ),
        ("integers", entries(&mut |x, _| (x * 20.0).floor() - 10.0)),
    ]
}

/// The bound holds for every rule, and those of good pivots are close to what is true.
#[test]
fn bounds_hold_and_are_of_use() {
    let mut random = SplitMix::new(7);
    for order in [1, 2, 5, 16, 17, 30, 70] {
        for (name, words) in families(order, &mut random) {
            let expected = exactly(order, &words);
            for pivoting in Pivoting::ALL {
                let found = of(order, &words, pivoting);
                check_bound(found, expected, &format!("{name} {order} {pivoting:?}"));
                let good = matches!(pivoting, Pivoting::Partial | Pivoting::Complete);
                if good && expected.mantissa != 0.0 {
                    let error = relative_error(found.value, expected);
                    assert!(error < 1e-10, "{name} {order} {pivoting:?} {error}");
                    let bound = found.relative_error_bound().unwrap();
                    assert!(bound < 1e-6, "{name} {order} {pivoting:?} {bound}");
                }
            }
        }
    }
}

/// Blocks, tiles and their edges: value and bound are the same bits on any number of threads.
#[test]
fn threads_change_no_bit() {
    let mut random = SplitMix::new(3);
    for order in [63, 64, 65, 130] {
        for (name, words) in families(order, &mut random) {
            for pivoting in Pivoting::ALL {
                let options = RealOptions { pivoting, bound: true };
                let on = |threads| determinant(&Device::host_with(threads).unwrap(), order, &words, options).unwrap();
                assert_eq!(on(1), on(3), "{name} {order} {pivoting:?}");
            }
        }
    }
}

/// Up to what the exact value is rounded by.
fn check_bound(found: RealDeterminant, expected: Scaled, name: &str) {
    let bound = found.error_bound.unwrap();
    let difference = found.value.plus(Scaled { mantissa: -expected.mantissa, ..expected }).abs();
    let allowed = bound.plus(expected.abs().times(2f64.powi(-52)));
    let key = |x: Scaled| if x.mantissa == 0.0 { (i64::MIN, 0.0) } else { (x.exponent, x.mantissa) };
    assert!(key(difference) <= key(allowed), "{name}: {found:?} {expected:?}");
}

#[test]
fn edges_and_bad_input() {
    for pivoting in Pivoting::ALL {
        let none = of(0, &[], pivoting);
        assert_eq!((none.value, none.error_bound), (Scaled::ONE, Some(Scaled::ZERO)));
        let zero = of(2, &[0.0, 0.0, 1.0, 2.0], pivoting);
        assert_eq!((zero.value, zero.error_bound.unwrap().to_f64()), (Scaled::ZERO, 0.0));
        assert_eq!(zero.log_abs(), f64::NEG_INFINITY);
        let repeated = of(2, &[1.0, 2.0, 1.0, 2.0], pivoting);
        assert_eq!(repeated.value, Scaled::ZERO);
        assert_eq!(of(1, &[-3.5], pivoting).value.to_f64().to_string(), "-3.5");
        // Out of the range of doubles, with every digit.
        let large = of(3, &[1e200, 0.0, 0.0, 0.0, -1e200, 0.0, 0.0, 0.0, 1e200], pivoting);
        assert!((large.log_abs() - 600.0 * 10f64.ln()).abs() < 1e-9 && large.value.signum() == -1);
    }
    let device = Device::host();
    let error = determinant(&device, 2, &[1.0, 2.0, f64::NAN, 4.0], RealOptions::default()).unwrap_err();
    assert!(matches!(error, LinalgError::NotFinite { row: 1, column: 0, value } if value.is_nan()));
    let error = determinant(&device, 2, &[1.0, f64::INFINITY, 1.0, 4.0], RealOptions::default()).unwrap_err();
    assert!(matches!(error, LinalgError::NotFinite { row: 0, column: 1, .. }));
    let error = determinant(&device, 2, &[1.0], RealOptions::default()).unwrap_err();
    assert_eq!(error, LinalgError::Entries { given: 1, rows: 2, columns: 2 });
    let options = RealOptions { pivoting: Pivoting::First, bound: false };
    // The first entry is no pivot beside those that scaling brings near 1.
    let found = determinant(&device, 2, &[1e-300, 1e300, 1e300, 1.0], options).unwrap();
    assert!((found.log_abs() - 600.0 * 10f64.ln()).abs() < 1e-9 && found.value.signum() == -1);
    let (small, large) = (2f64.powi(-256), 2f64.powi(256));
    let words = [small, large, large, 0.0, small, large, large, 0.0, 0.0];
    assert_eq!(determinant(&device, 3, &words, options).unwrap_err(), LinalgError::Overflow { step: 2 });
    assert_eq!(of(3, &words, Pivoting::Complete).value, Scaled::new(1.0, 768));
    let wide = ndarray::Array2::<f64>::zeros((3, 2));
    let error = determinant_of(&device, wide.view(), options).unwrap_err();
    assert_eq!(error, LinalgError::NotSquare { operation: "determinant", rows: 3, columns: 2 });
    let found = determinant_of(&device, ndarray::array![[2.0, 1.0], [1.0, 1.0]].t(), options).unwrap();
    assert_eq!((found.value.to_f64().to_string(), found.error_bound), ("1".to_owned(), None));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Steps by the definition, which negates entries in place of counting signs, give the same bits.
    #[test]
    fn determinants_are_those_of_the_definition(order in 1usize..10, seed: u64) {
        let mut random = SplitMix::new(seed);
        for (_, words) in families(order, &mut random) {
            let mut matrix = words.clone();
            let mut pivots = Vec::new();
            for n in (1..=order).rev() {
                let largest = (0..n).fold(0, |best, j| if matrix[j].abs() > matrix[best].abs() { j } else { best });
                pivots.push(matrix[largest]);
                if n > 1 && matrix[largest] != 0.0 {
                    matrix = reference::step(n, &matrix, largest).unwrap();
                }
            }
            prop_assert_eq!(of(order, &words, Pivoting::Partial).value.to_f64(), product(&pivots).to_f64());
        }
    }

    /// The bound holds for small integers, many of whose matrices are singular.
    #[test]
    fn bounds_hold_for_small_integers(order in 1usize..7, seed: u64) {
        let mut random = SplitMix::new(seed);
        let words: Vec<f64> = (0..order * order).map(|_| (random.next_word() % 5) as f64 - 2.0).collect();
        let expected = exactly(order, &words);
        for pivoting in Pivoting::ALL {
            check_bound(of(order, &words, pivoting), expected, &format!("{pivoting:?}"));
        }
    }
}

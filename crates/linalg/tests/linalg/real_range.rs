//! The proved bound of determinants of doubles at the ends of the range: tiny, huge, graded and mixed entries, on the host and every
//! OpenCL device that has double precision, against exact values by Bareiss' elimination of integers.

use std::cmp::Ordering;

use manycore_device::Device;
use manycore_linalg::LinalgError;
use manycore_linalg::real::{Pivoting, RealDeterminant, RealOptions, Scaled, determinant, determinant_in};
use manycore_testkit::opencl_devices;
use manycore_verify::SplitMix;
use num_bigint::BigInt;
use proptest::prelude::*;

/// The least double above 0.
const LEAST: f64 = f64::from_bits(1);
const LEAST_EXPONENT: i64 = -1074;

/// An integer times a power of two.
#[derive(Debug, Clone)]
struct Dyadic {
    integer: BigInt,
    exponent: i64,
}

impl Dyadic {
    fn of(x: Scaled) -> Self {
        Self { integer: BigInt::from((x.mantissa * 2f64.powi(53)) as i64), exponent: x.exponent - 53 }
    }

    /// As a multiple of a power of two that is no larger than the own one.
    fn at(&self, exponent: i64) -> BigInt {
        &self.integer << (self.exponent - exponent)
    }
}

/// The exact determinant of doubles: Bareiss' elimination (Mathematics of Computation 22, 1968) of the integers that they are times
/// the least double.
fn exactly(order: usize, words: &[f64]) -> Dyadic {
    let exponent = LEAST_EXPONENT * order as i64;
    let integer = |&x: &f64| Dyadic::of(Scaled::new(x, 0)).at(LEAST_EXPONENT - 53) >> 53;
    let mut rows: Vec<Vec<BigInt>> = words.chunks(order).map(|row| row.iter().map(integer).collect()).collect();
    let zero = BigInt::from(0);
    let (mut before, mut is_negative) = (BigInt::from(1), false);
    for step in 0..order {
        let Some(chosen) = (step..order).find(|&i| rows[i][step] != zero) else {
            return Dyadic { integer: zero, exponent };
        };
        is_negative ^= chosen != step;
        rows.swap(step, chosen);
        let (above, below) = rows.split_at_mut(step + 1);
        let head = &above[step];
        for row in below {
            for j in step + 1..order {
                row[j] = (&row[j] * &head[step] - &head[j] * &row[step]) / &before;
            }
        }
        before.clone_from(&head[step]);
    }
    Dyadic { integer: if is_negative { -before } else { before }, exponent }
}

/// Whether value and exact determinant differ by the bound at most, without any rounding.
fn holds(found: RealDeterminant, exact: &Dyadic) -> bool {
    let (value, bound) = (Dyadic::of(found.value), Dyadic::of(found.error_bound.unwrap()));
    let least = value.exponent.min(bound.exponent).min(exact.exponent);
    let difference = exact.at(least) - value.at(least);
    difference.magnitude().cmp(bound.at(least).magnitude()) != Ordering::Greater
}

/// `x 2^exponent`, with the largest double for what is above it.
fn times(x: f64, exponent: i64) -> f64 {
    Scaled::new(x, exponent).to_f64().clamp(-f64::MAX, f64::MAX)
}

const KINDS: [&str; 10] = [
    "small integers times the least double",
    "small integers times a power of two",
    "graded rows and columns",
    "graded rows and columns of small integers",
    "near the largest double",
    "below the normal range",
    "any exponents",
    "any exponents and zeros",
    "few far from the others",
    "nearly singular, graded",
];

fn matrix(kind: usize, order: usize, random: &mut SplitMix) -> Vec<f64> {
    let mut below = |count: u64| (random.next_word() % count) as i64;
    let grades: Vec<i64> = (0..2 * order).map(|_| below(2001) - 1000).collect();
    let narrow: Vec<i64> = grades.iter().map(|grade| grade / 4).collect();
    let power = below(2000) - 1060;
    let ranks: Vec<f64> = (0..2 * order).map(|_| below(7) as f64 - 3.0).collect();
    let entry = |e: usize| {
        let (i, j) = (e / order, e % order);
        let small = below(5) as f64 - 2.0;
        let unit =
            (below(1 << 53) as f64 * 2f64.powi(-52) - 1.0).abs().max(0.01) * if below(2) == 0 { -1.0 } else { 1.0 };
        match kind {
            0 => small * LEAST,
            1 => times(small, power),
            2 => times(unit, grades[i] + grades[order + j]),
            3 => times(small, narrow[i] * 2 + narrow[order + j] * 2),
            4 => unit * f64::MAX,
            5 => times(unit, -1020 - below(54)),
            6 => times(unit, below(2097) - 1073),
            7 => {
                if below(2) == 0 {
                    0.0
                } else {
                    times(unit, below(2097) - 1073)
                }
            }
            8 => {
                if below(8) == 0 {
                    times(unit, 2 * (below(1000) - 500))
                } else {
                    unit
                }
            }
            _ => {
                let small = ranks[i] * ranks[order + j] + if below(order as u64) == 0 { 2f64.powi(-50) } else { 0.0 };
                times(small, narrow[i] * 2 + narrow[order + j] * 2)
            }
        }
    };
    (0..order * order).map(entry).collect()
}

fn devices() -> Vec<Device> {
    let all = opencl_devices().into_iter().filter(|device| device.info().fp64);
    [Device::host()].into_iter().chain(all).collect()
}

/// Checks all rules of pivots on all devices: the number of results.
fn check(order: usize, words: &[f64], name: &str, devices: &[Device]) -> usize {
    let exact = exactly(order, words);
    let mut checked = 0;
    for pivoting in Pivoting::ALL {
        let options = RealOptions { pivoting, bound: true };
        let first = determinant(&devices[0], order, words, options);
        match &first {
            Ok(found) => {
                assert!(holds(*found, &exact), "{name} {pivoting:?} {words:?}: {found:?}, exactly {exact:?}");
                checked += 1;
            }
            // Multipliers by pivots that are no large entries may be out of range.
            Err(LinalgError::Overflow { .. }) if pivoting != Pivoting::Complete => {}
            Err(error) => panic!("{name} {pivoting:?} {words:?}: {error}"),
        }
        for device in &devices[1..] {
            let second = determinant(device, order, words, options);
            assert_eq!(second, first, "{name} {pivoting:?} {words:?}");
            let a = device.upload(words).unwrap();
            assert_eq!(determinant_in(device, order, &a, options), first, "{name} {pivoting:?} {words:?}");
        }
    }
    checked
}

#[test]
fn underflow_is_counted() {
    let integers = [[-1, 0, 0, 0, -1], [1, 1, 1, -1, -1], [-1, 0, -2, -1, 0], [0, 1, -1, 0, 0], [-1, 1, 0, 0, 0]];
    for exponent in [-1074, -1000, -600, -300, -200, 0, 200, 600, 1000, 1021] {
        let words: Vec<f64> = integers.iter().flatten().map(|&x| times(f64::from(x), exponent)).collect();
        assert_eq!(check(5, &words, "integers", &devices()), 4);
        let found = determinant(&Device::host(), 5, &words, RealOptions::default()).unwrap();
        assert_eq!((found.value.mantissa, found.value.exponent), (0.875, 3 + 5 * exponent));
        assert!(found.relative_error_bound().unwrap() < 1e-12, "{found:?}");
    }
}

/// Scaling by powers of two, which is exact, changes neither digits nor the bound beside the value.
#[test]
fn graded_matrices_keep_their_digits() {
    let mut random = SplitMix::new(11);
    for order in [2, 5, 12, 40] {
        let mut below = |count: u64| (random.next_word() % count) as i64;
        let grades: Vec<i64> = (0..2 * order).map(|_| below(961) - 480).collect();
        let plain: Vec<f64> = (0..order * order).map(|_| below(1 << 30) as f64 * 2f64.powi(-29) - 1.0).collect();
        let graded = |(e, &x): (usize, &f64)| times(x, grades[e / order] + grades[order + e % order]);
        let words: Vec<f64> = plain.iter().enumerate().map(graded).collect();
        let exact = exactly(order, &plain);
        let total: i64 = grades.iter().sum();
        for pivoting in [Pivoting::Partial, Pivoting::Complete] {
            for device in devices() {
                let found = determinant(&device, order, &words, RealOptions { pivoting, bound: true }).unwrap();
                let shifted = Dyadic { integer: exact.integer.clone(), exponent: exact.exponent + total };
                assert!(holds(found, &shifted), "{order} {pivoting:?} {found:?}");
                assert!(found.relative_error_bound().unwrap() < 1e-6, "{order} {pivoting:?} {found:?}");
            }
        }
    }
}

/// A determinant that is 0 by the places of its zeros alone is known, where the entries are scaled, and nearly known else.
#[test]
fn bounds_of_singular_matrices_are_small() {
    for scale in [1.0, 1e-300, 1e300] {
        let words = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0].map(|x| x * scale);
        let repeated = [0.1, 0.3, 0.7, 0.2, 0.6, 1.4, 1.0, 2.0, 3.0].map(|x| x * scale);
        for device in devices() {
            for pivoting in Pivoting::ALL {
                let options = RealOptions { pivoting, bound: true };
                let found = determinant(&device, 3, &words, options).unwrap();
                assert_eq!(found.value, Scaled::ZERO);
                assert!(holds(found, &exactly(3, &words)));
                let found = determinant(&device, 3, &repeated, options).unwrap();
                let unit = Scaled::new(scale, 0);
                let beside = found.error_bound.unwrap();
                assert!(beside.exponent < 3 * unit.exponent - 40, "{scale} {pivoting:?} {found:?}");
                assert!(holds(found, &exactly(3, &repeated)));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn bounds_hold_at_the_ends_of_the_range(order in 1usize..=12, kind in 0..KINDS.len(), seed: u64) {
        let words = matrix(kind, order, &mut SplitMix::new(seed));
        check(order, &words, KINDS[kind], &devices());
    }
}

/// Cases that took wrong bounds once, or are at an edge.
#[test]
fn edges_of_the_range() {
    let most = f64::MAX;
    for words in [
        vec![LEAST],
        vec![-most],
        vec![most, most, most, -most],
        vec![LEAST, most, most, LEAST],
        vec![most, LEAST, LEAST, most],
        vec![LEAST, LEAST, LEAST, LEAST],
        vec![1.0, LEAST, LEAST, 0.0],
        vec![LEAST, 1.0, 1.0, most],
        vec![2f64.powi(-256), 1.0, 1.0, 2f64.powi(256)],
        vec![2f64.powi(-256).next_down(), 1.0, 1.0, 2f64.powi(256)],
        vec![1.0, 0.0, LEAST, 0.0, 1.0, 0.0, LEAST, 0.0, 0.0],
        vec![1.0, 1.0, 0.0, 1.0, 1.0, LEAST, 0.0, LEAST, most],
    ] {
        let order = words.len().isqrt();
        check(order, &words, "edge", &devices());
    }
    // What is no number is found behind what is out of range.
    for device in devices() {
        for pivoting in Pivoting::ALL {
            let found = determinant(&device, 2, &[LEAST, most, f64::NAN, 1.0], RealOptions { pivoting, bound: true });
            assert!(matches!(found, Err(LinalgError::NotFinite { row: 1, column: 0, .. })), "{found:?}");
        }
    }
}

//! Functions against the definitions and by second routes, on the host and on every OpenCL device.

use crate::common::{functions, random};
use manycore_boolean::function::{MOST_SPECTRAL_VARIABLES, reference};
use manycore_boolean::{Anf, Boolean, BooleanError, TruthTable};
use manycore_device::{Device, DeviceError};
use manycore_testkit::{devices, simulated};
use proptest::prelude::*;

/// The span of a basis, ascending.
fn span(basis: &[u64]) -> Vec<u64> {
    let mut all = vec![0];
    for &b in basis {
        all.extend(all.clone().iter().map(|a| a ^ b));
    }
    all.sort_unstable();
    all
}

fn wide(values: &[i32]) -> Vec<i64> {
    values.iter().map(|&v| v.into()).collect()
}

/// Compares everything that is computed of a function with the definitions.
fn check(boolean: &Boolean, f: &TruthTable) {
    let n = f.variables();
    let len = 1u64 << n;
    let what = format!("{:?}, {n} variables, {}", boolean.device(), f.anf());
    let on_device = boolean.upload(f).unwrap();
    let walsh = boolean.walsh(&on_device).unwrap();
    let r = boolean.autocorrelation(&walsh).unwrap();
    assert_eq!(boolean.autocorrelation(&r).unwrap_err(), BooleanError::NotWalsh);
    let (expected, expected_r) = (reference::walsh(f), reference::autocorrelation(f));
    assert_eq!(wide(&walsh.download().unwrap()), expected, "{what}");
    assert_eq!(wide(&r.download().unwrap()), expected_r, "{what}");

    let summary = boolean.walsh_summary(&walsh).unwrap();
    assert_eq!(summary.nonlinearity(), reference::nonlinearity(f), "{what}");
    assert_eq!(summary.correlation_immunity(), reference::correlation_immunity(f), "{what}");
    assert_eq!(summary.sum_of_squares(), 1 << (2 * n), "Parseval: {what}");
    assert_eq!(summary.is_balanced(), 2 * f.weight() == len, "{what}");
    assert_eq!(summary.zeros(), expected.iter().filter(|v| **v == 0).count() as u64, "{what}");
    for weight in 0..=n as usize {
        let of_weight = || (0u64..).zip(&expected).filter(|(w, _)| w.count_ones() as usize == weight).map(|(_, v)| v);
        assert_eq!(Some(summary.most_by_weight()[weight]), of_weight().map(|v| v.unsigned_abs()).max(), "{what}");
        assert_eq!(summary.nonzero_by_weight()[weight], of_weight().filter(|v| **v != 0).count() as u64, "{what}");
    }
    let sizes: std::collections::BTreeSet<u64> =
        expected.iter().map(|v| v.unsigned_abs()).filter(|&v| v != 0).collect();
    assert_eq!(summary.plateaued(), (sizes.len() == 1).then(|| *sizes.first().unwrap()), "{what}");
    let bent = expected.iter().all(|v| (v * v) as u64 == len);
    assert_eq!(summary.is_bent(), bent, "{what}");
    match boolean.dual(&walsh).unwrap() {
        None => assert!(!bent, "{what}"),
        Some(dual) => {
            let signs = dual.download().unwrap();
            assert!(bent && signs.values().zip(&expected).all(|(sign, v)| sign == (*v < 0)), "{what}");
        }
    }

    let summary = boolean.autocorrelation_summary(&r).unwrap();
    assert_eq!(
        summary.absolute_indicator(),
        expected_r[1..].iter().map(|v| v.unsigned_abs()).max().unwrap_or(0),
        "{what}"
    );
    let squares: u128 = expected_r.iter().map(|v| u128::from((v * v) as u64)).sum();
    assert_eq!(summary.sum_of_squares(), squares, "{what}");
    assert_eq!(span(&summary.linear_structures()), reference::linear_structures(f), "{what}");
    let balanced = |a: u64| 2 * f.derivative(a).unwrap().weight() == len;
    let order = (1..=n).take_while(|&l| (0..len).filter(|a| a.count_ones() == l).all(balanced)).count() as u32;
    assert_eq!((summary.propagation_order(), summary.strict_avalanche()), (order, order >= 1), "{what}");

    for (spectrum, expected) in [(&walsh, &expected), (&r, &expected_r)] {
        let histogram = boolean.histogram(spectrum).unwrap();
        assert_eq!(histogram.total(), len, "{what}");
        let right = |(value, count): (&i64, &u64)| expected.iter().filter(|v| *v == value).count() as u64 == *count;
        assert!(histogram.counts.iter().all(right), "{what}");
    }

    let anf = boolean.anf(&on_device).unwrap();
    assert_eq!(anf.coefficients(), &reference::anf(f), "{what}");
    assert_eq!(anf, f.anf(), "{what}");
    let coefficients = boolean.reed_muller(&on_device).unwrap();
    assert_eq!(boolean.weigh(&coefficients).unwrap(), (anf.terms(), anf.degree()), "{what}");
    assert_eq!(&boolean.reed_muller(&coefficients).unwrap().download().unwrap(), f, "{what}");
    assert_eq!(boolean.weigh(&on_device).unwrap().0, f.weight(), "{what}");
    let properties = boolean.properties(f).unwrap();
    assert_eq!((properties.variables, properties.weight, properties.terms), (n, f.weight(), anf.terms()), "{what}");
    assert_eq!((properties.degree, &properties.autocorrelation), (anf.degree(), &summary), "{what}");
}

#[test]
fn every_kind_of_function_equals_the_definition() {
    for device in devices() {
        let boolean = Boolean::new(&device);
        let sizes: &[u32] = if simulated(&device) { &[0, 1, 3, 7] } else { &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9] };
        for &n in sizes {
            for f in functions(n) {
                check(&boolean, &f);
            }
        }
    }
}

#[test]
fn longer_functions_equal_the_host_s() {
    let host = Boolean::new(&Device::host());
    for device in manycore_testkit::opencl_devices() {
        let boolean = Boolean::new(&device);
        for n in if simulated(&device) { vec![] } else { vec![13, 16, 17] } {
            for f in functions(n) {
                let both = [&host, &boolean].map(|boolean| {
                    let walsh = boolean.walsh(&boolean.upload(&f).unwrap()).unwrap();
                    let r = boolean.autocorrelation(&walsh).unwrap();
                    let histograms = [&walsh, &r].map(|spectrum| boolean.histogram(spectrum).unwrap());
                    (walsh.download().unwrap(), r.download().unwrap(), histograms, boolean.properties(&f).unwrap())
                });
                assert!(both[0] == both[1], "{n}");
            }
        }
    }
}

/// Spectra and sums that threads share in parts.
#[test]
fn what_is_found_does_not_depend_on_the_number_of_threads() {
    for f in functions(17).into_iter().chain([random(14, 3), random(20, 5)]) {
        let of = |threads: usize| {
            let boolean = Boolean::new(&Device::host_with(threads).unwrap());
            let on_device = boolean.upload(&f).unwrap();
            let walsh = boolean.walsh(&on_device).unwrap();
            let r = boolean.autocorrelation(&walsh).unwrap();
            let histograms = [&walsh, &r].map(|spectrum| boolean.histogram(spectrum).unwrap());
            let dual = boolean.dual(&walsh).unwrap().map(|dual| dual.download().unwrap());
            let weight = boolean.weigh(&on_device).unwrap();
            (r.download().unwrap(), histograms, dual, weight, boolean.properties(&f).unwrap())
        };
        let alone = of(1);
        assert_eq!((alone.3.0, alone.4.weight, alone.4.terms), (f.weight(), f.weight(), f.anf().terms()));
        assert!([2, 3, 8].into_iter().all(|threads| of(threads) == alone), "{}", f.variables());
    }
}

/// Values far from 0 in number, of a function of few ones: more than are listed beside the bins.
#[test]
fn histograms_past_their_bins_are_whole() {
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        let boolean = Boolean::new(&device);
        let f = TruthTable::constant(24, false).unwrap();
        let walsh = boolean.walsh(&boolean.upload(&f).unwrap()).unwrap();
        assert_eq!(boolean.histogram(&walsh).unwrap().counts, [(0, (1 << 24) - 1), (1 << 24, 1)].into());
        let r = boolean.autocorrelation(&walsh).unwrap();
        assert_eq!(boolean.histogram(&r).unwrap().counts, [(1 << 24, 1 << 24)].into());
        let summary = boolean.autocorrelation_summary(&r).unwrap();
        assert_eq!(summary.sum_of_squares(), 1 << 72);
        assert_eq!(summary.linear_structures(), (0..24).map(|k| 1 << k).collect::<Vec<u64>>());
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    let boolean = Boolean::new(&Device::host());
    let f = boolean.upload(&TruthTable::constant(31, false).unwrap()).unwrap();
    let limit = MOST_SPECTRAL_VARIABLES;
    let error = boolean.walsh(&f).unwrap_err();
    assert_eq!(error, BooleanError::TooManyVariables { what: "Walsh spectra", variables: 31, limit });
    assert_eq!(error.to_string(), "Walsh spectra of 31 variables: at most 30 are possible");
    let other = Boolean::new(&Device::host_with(1).unwrap());
    let f = other.upload(&TruthTable::constant(3, false).unwrap()).unwrap();
    let mixed = |error| matches!(error, BooleanError::Device(DeviceError::MixedDevices { .. }));
    assert!(mixed(boolean.walsh(&f).unwrap_err()) && mixed(boolean.weigh(&f).unwrap_err()));
    assert!(mixed(boolean.walsh_summary(&other.walsh(&f).unwrap()).unwrap_err()));
    assert!(mixed(boolean.reed_muller(&f).unwrap_err()));
}

fn table() -> impl Strategy<Value = TruthTable> {
    (0..9u32, any::<u64>()).prop_map(|(n, seed)| random(n, seed))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_functions_equal_the_definition(f in table()) {
        check(&Boolean::new(&Device::host()), &f);
    }

    /// The degree is the largest number of directions in a row whose derivatives do not vanish.
    #[test]
    fn degrees_by_derivatives(f in table()) {
        let degree = f.anf().degree();
        let n = f.variables();
        let directions = |u: u64| (0..n).filter(move |k| u >> k & 1 == 1).map(|k| 1u64 << k);
        let derivative = |u: u64| directions(u).fold(f.clone(), |f, a| f.derivative(a).unwrap());
        for u in 0..1u64 << n {
            let ones = u.count_ones();
            if ones > degree {
                prop_assert_eq!(derivative(u).weight(), 0);
            }
        }
        let vanishes = |u: u64| derivative(u).weight() == 0;
        prop_assert!(f.weight() == 0 || (0..1u64 << n).any(|u| u.count_ones() == degree && !vanishes(u)));
    }

    /// McEliece: all Walsh coefficients are divisible by 2^ceil(n / degree).
    #[test]
    fn coefficients_are_divisible(f in table()) {
        let (n, degree) = (f.variables(), f.anf().degree());
        if degree > 0 {
            let divisor = 1i64 << n.div_ceil(degree);
            prop_assert!(reference::walsh(&f).iter().all(|w| w % divisor == 0));
        }
        // And degrees past n + 1 - k are excluded by divisibility by 2^k.
        let k = reference::walsh(&f).iter().filter(|w| **w != 0).map(|w| w.trailing_zeros()).min().unwrap_or(0);
        prop_assert!(degree <= (n + 1).saturating_sub(k));
    }

    /// The sum of two functions' normal forms is that of the sum; affine functions move the spectrum only.
    #[test]
    fn sums(n in 1..8u32, a in any::<u64>(), b in any::<u64>(), mask in any::<u64>()) {
        let (f, g) = (random(n, a), random(n, b));
        let sum = f.add(&g).unwrap();
        let of_both = f.anf().coefficients().add(g.anf().coefficients()).unwrap();
        prop_assert_eq!(sum.anf(), Anf::of_coefficients(of_both));
        let mask = mask & ((1 << n) - 1);
        let moved = f.add(&TruthTable::affine(n, mask, false).unwrap()).unwrap();
        let boolean = Boolean::new(&Device::host());
        let of = |f: &TruthTable| boolean.walsh(&boolean.upload(f).unwrap()).unwrap().download().unwrap();
        let (walsh, other) = (of(&f), of(&moved));
        prop_assert!((0..walsh.len()).all(|w| other[w] == walsh[w ^ mask as usize]));
    }

    /// Every text is a normal form or an error, and what is written is read.
    #[test]
    fn normal_forms_are_read(f in table(), text in "[x0-9+*^ ]{0,24}") {
        prop_assert_eq!(Anf::parse(&f.anf().to_string(), f.variables()).unwrap().truth_table(), f);
        if let Ok(anf) = Anf::parse(&text, 12) {
            prop_assert_eq!(Anf::parse(&anf.to_string(), 12), Ok(anf));
        }
    }
}

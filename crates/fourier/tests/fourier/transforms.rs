//! Transforms on the host against the definition, and by a second route.

use crate::common::{DIRECTIONS, Tested, check, functions, group, tolerance, transformed, wide};
use manycore_device::{Device, TuningMode};
use manycore_field::{Goldilocks, PrimeField};
use manycore_fourier::num_complex::Complex;
use manycore_fourier::transform::cost::{Shape, Transforms};
use manycore_fourier::{AbelianGroup, Complexes, Direction, Fourier, FourierError, Plan, Residues};
use manycore_tuning::{Choice, Costed as _, Origin};
use proptest::prelude::*;

/// Every list of factors from 2 on with a product of `n`, and `n` itself.
fn lists(n: u64) -> Vec<Vec<u64>> {
    let mut found = vec![vec![n]];
    for first in (2..=n / 2).filter(|first| n.is_multiple_of(*first)) {
        found.extend(lists(n / first).into_iter().filter(|rest| rest[0] > 1).map(|rest| [vec![first], rest].concat()));
    }
    found
}

#[test]
fn all_groups_of_order_up_to_64_equal_the_definition() {
    let device = Device::host();
    for n in 1..=64 {
        for factors in lists(n) {
            check(&device, &Complexes::<f32>::new(), &factors, 1, false);
            check(&device, &Complexes::<f64>::new(), &factors, 3, false);
        }
    }
}

#[test]
fn residues_of_groups_with_roots_equal_the_definition() {
    let device = Device::host();
    // 2^61 - 2 = 2 3^2 5^2 7 11 13 31 41 61 ..., 2^31 - 2 = 2 3^2 7 11 31 151 331, 7 2^26 + 1, 2^64 - 2^32 = 2^32 3 5 17 257 65537.
    let short = Residues::new(PrimeField::<u32>::new(2_147_483_647).unwrap());
    let long = Residues::new(PrimeField::<u64>::new((1 << 61) - 1).unwrap());
    let ntt = Residues::new(PrimeField::<u32>::new(469_762_049).unwrap());
    let goldilocks = Residues::new(Goldilocks);
    for n in 1..=64 {
        for factors in lists(n) {
            let exponent = group(&factors).exponent();
            if (2_147_483_646u64).is_multiple_of(exponent) {
                check(&device, &short, &factors, 2, false);
            }
            if ((1u64 << 61) - 2).is_multiple_of(exponent) {
                check(&device, &long, &factors, 2, false);
            }
            if (469_762_048u64).is_multiple_of(exponent) {
                check(&device, &ntt, &factors, 2, false);
            }
            if ((1u64 << 32) * 65_535).is_multiple_of(exponent) {
                check(&device, &goldilocks, &factors, 2, false);
            }
        }
    }
}

#[test]
fn special_lengths_equal_the_definition_by_every_plan() {
    for device in [Device::host(), Device::host_with(1).unwrap()] {
        for factors in [
            &[][..],
            &[1],
            &[1, 1],
            &[17],
            &[97],
            &[1009],
            &[125],
            &[343],
            &[1331],
            &[512],
            &[1024],
            &[2048],
            &[1, 97, 2],
            &[3, 3, 3, 3, 3, 3],
            &[2, 1009],
            &[67, 3],
            &[30, 7, 5],
            &[61, 2],
            &[4, 128],
            &[128, 4],
            &[9, 67],
            &[2; 10],
        ] {
            check(&device, &Complexes::<f64>::new(), factors, 1, true);
            check(&device, &Complexes::<f32>::new(), factors, 3, true);
        }
        // Batches from none to more than a tile's columns.
        for count in [0, 1, 2, 17, 40] {
            check(&device, &Complexes::<f32>::new(), &[12], count, true);
            check(&device, &Complexes::<f32>::new(), &[5, 3], count, true);
            check(&device, &Residues::new(Goldilocks), &[16, 5], count, true);
        }
        // 151 and 331 divide 2^31 - 2, which has no roots for chirps; 257 divides 2^64 - 2^32, which has.
        check(&device, &Residues::new(PrimeField::<u32>::new(2_147_483_647).unwrap()), &[151, 2], 2, true);
        // Steps of a prime radix without a text of its own, with twiddle factors: 17^2 and 19^2 37.
        check(&device, &Residues::new(PrimeField::<u32>::new(2_147_480_971).unwrap()), &[289], 1, true);
        let long = PrimeField::<u64>::new(4_611_686_018_426_167_013).unwrap();
        check(&device, &Residues::new(long), &[13_357], 1, false);
        check(&device, &Residues::new(Goldilocks), &[257], 3, true);
        check(&device, &Residues::new(Goldilocks), &[2, 257, 3], 1, true);
    }
}

/// One factor after the other by the definition, the digits of the others held.
fn by_factors<N: Tested>(numbers: &N, factors: &[u64], direction: Direction, function: &[N::Value]) -> Vec<N::Value> {
    let mut result = function.to_vec();
    let mut inner = function.len();
    for &n in factors {
        let n = n as usize;
        inner /= n;
        for start in (0..result.len()).filter(|i| i / inner % n == 0) {
            let line: Vec<N::Value> = (0..n).map(|j| result[start + j * inner]).collect();
            let line = numbers.defined(&group(&[n as u64]), direction, &line);
            (0..n).for_each(|j| result[start + j * inner] = line[j]);
        }
    }
    result
}

fn check_by_factors<N: Tested>(numbers: &N, factors: &[u64]) {
    let (fourier, group) = (Fourier::new(&Device::host()), group(factors));
    let f = functions(numbers, &group, 1, 3);
    for direction in DIRECTIONS {
        let expected = by_factors(numbers, factors, direction, &f);
        let found = transformed(&fourier, numbers, &group, direction, &f, None).unwrap();
        let error = numbers.error(&found, &expected);
        assert!(error <= tolerance(numbers, &group, 2.0), "{group}: {error:e}");
    }
}

#[test]
fn larger_groups_equal_the_transforms_of_their_factors() {
    for factors in [&[3; 8][..], &[30, 7, 11, 13], &[128, 64], &[64, 81], &[2; 14], &[25, 4, 9, 49]] {
        check_by_factors(&Complexes::<f32>::new(), factors);
        check_by_factors(&Complexes::<f64>::new(), factors);
    }
    check_by_factors(&Residues::new(PrimeField::<u64>::new((1 << 61) - 1).unwrap()), &[30, 7, 11, 13]);
    check_by_factors(&Residues::new(PrimeField::<u32>::new(469_762_049).unwrap()), &[128, 7, 32]);
}

/// A long cyclic transform against that of the isomorphic product, whose elements and characters are moved by the remainders.
#[test]
fn long_cyclic_transforms_equal_those_of_coprime_factors() {
    let fourier = Fourier::new(&Device::host());
    let numbers = Complexes::<f64>::new();
    for (n, m) in [(4096u64, 243u64), (1009, 128), (625, 1001), (64, 63)] {
        let order = n * m;
        let f = functions(&numbers, &group(&[order]), 1, 1);
        let mut moved = f.clone();
        for z in 0..order {
            moved[(z % n * m + z % m) as usize] = f[z as usize];
        }
        for direction in DIRECTIONS {
            let long = transformed(&fourier, &numbers, &group(&[order]), direction, &f, None).unwrap();
            let both = transformed(&fourier, &numbers, &group(&[n, m]), direction, &moved, None).unwrap();
            // chi_w(z) = chi_a(z mod n) chi_b(z mod m) for w = a m + b n.
            let mut expected = long.clone();
            for (a, b) in (0..n).flat_map(|a| (0..m).map(move |b| (a, b))) {
                expected[(a * m + b) as usize] = long[((a * m + b * n) % order) as usize];
            }
            let error = numbers.error(&both, &expected);
            assert!(error <= tolerance(&numbers, &group(&[order]), 2.0), "{order}: {error:e}");
        }
    }
}

#[test]
fn the_error_grows_as_documented() {
    let fourier = Fourier::new(&Device::host());
    for n in [1u64 << 12, 1 << 16, 1 << 20, 59_049, 1_000_000, 100_003] {
        let group = group(&[n]);
        let f = functions(&Complexes::<f32>::new(), &group, 1, 5);
        let exact: Vec<Complex<f64>> = f.iter().copied().map(wide).collect();
        let found = transformed(&fourier, &Complexes::<f32>::new(), &group, Direction::Forward, &f, None).unwrap();
        let exact = transformed(&fourier, &Complexes::<f64>::new(), &group, Direction::Forward, &exact, None).unwrap();
        let found: Vec<Complex<f64>> = found.iter().copied().map(wide).collect();
        let error = Complexes::<f64>::new().error(&found, &exact);
        println!("{n}: {error:e}");
        assert!(error <= 0.5 * f64::from(f32::EPSILON) * (n as f64).log2(), "{n}: {error:e}");
    }
}

#[test]
fn bad_input_is_named() {
    let fourier = Fourier::new(&Device::host());
    let numbers = Complexes::<f32>::new();
    let mut data = fourier.upload(&numbers, &[Complex::new(0.0, 0.0); 7]).unwrap();
    let error = fourier.forward(&group(&[2, 3]), &numbers, &mut data).unwrap_err();
    assert_eq!(error, FourierError::Length { order: 6, words: 12, given: 14 });
    assert!(error.to_string().contains("14 words are no whole number of functions on a group of order 6"));
    let seven = Residues::new(PrimeField::<u32>::new(7).unwrap());
    let mut data = fourier.upload(&seven, &[1, 2, 3, 4]).unwrap();
    let error = fourier.forward(&group(&[4]), &seven, &mut data).unwrap_err();
    assert!(matches!(error, FourierError::NoRoot(_)), "{error}");
    assert!(error.to_string().contains("mod 7 has order 4: the orders are the divisors of 6"), "{error}");
    let error = fourier.upload(&seven, &[0, 6, 7]).unwrap_err();
    assert_eq!(error.to_string(), "element 2 is 7, and must be below the modulus 7");
    let other = Device::host_with(1).unwrap();
    let mut elsewhere = other.upload(&[0f32; 4]).unwrap();
    assert!(matches!(fourier.forward(&group(&[2]), &numbers, &mut elsewhere), Err(FourierError::Device(_))));
    let huge = group(&[1 << 31, 1 << 31]);
    let mut short = fourier.upload(&numbers, &[Complex::new(0.0, 0.0); 4]).unwrap();
    assert!(matches!(fourier.forward(&huge, &numbers, &mut short), Err(FourierError::TooLarge { .. })));
    let long = group(&[(1 << 31) + 1]);
    let mut none = fourier.upload::<Complexes<f32>>(&numbers, &[]).unwrap();
    let error = fourier.forward(&long, &numbers, &mut none).unwrap_err();
    assert!(matches!(error, FourierError::Exponent { order: 2_147_483_649, .. }), "{error}");
    // A plan of another group.
    let plan = fourier.explain_transform(&group(&[8]), &numbers, 1).unwrap().best().parameters.clone();
    let error = fourier.transform(&group(&[4]), &numbers, Direction::Forward, &mut short, Some(&plan)).unwrap_err();
    assert!(matches!(error, FourierError::Plan { .. }), "{error}");
    // More functions than memory can address are neither counted nor estimated.
    for count in [1 << 50, usize::MAX] {
        let error = fourier.explain_transform(&group(&[17, 64]), &numbers, count).unwrap_err();
        assert!(matches!(error, FourierError::TooLarge { .. }), "{error}");
    }
}

fn bytes<V: bytemuck::Pod>(values: &[V]) -> &[u8] {
    bytemuck::cast_slice(values)
}

/// The spectrum by the plan of a context, and the choice of the plan.
fn by_choice<N: Tested>(
    fourier: &Fourier,
    numbers: &N,
    group: &AbelianGroup,
    f: &[N::Value],
) -> (Vec<N::Value>, Choice<Plan>) {
    let choice = fourier.explain_transform(group, numbers, 1).unwrap();
    (transformed(fourier, numbers, group, Direction::Forward, f, None).unwrap(), choice)
}

fn gives_the_same_bits_in_every_mode<N: Tested>(numbers: &N, factors: &[u64]) -> [Choice<Plan>; 2] {
    let (device, group) = (Device::host(), group(factors));
    let f = functions(numbers, &group, 1, 11);
    let in_mode = |mode| by_choice(&Fourier::new(&device.with_tuning(mode)), numbers, &group, &f);
    let (spectrum, estimated) = in_mode(TuningMode::Estimate);
    // What was measured counts afterwards.
    let [measured, kept] = [TuningMode::Measure, TuningMode::Kept].map(|mode| {
        let (found, choice) = in_mode(mode);
        // Zeros of one sign too.
        assert!(bytes(&found) == bytes(&spectrum), "{group} {mode:?} {choice}");
        choice
    });
    let by_estimate = [Origin::Estimated, Origin::Only].contains(estimated.origin());
    assert!(by_estimate && estimated.measured() == 0, "{estimated}");
    [measured, kept]
}

#[test]
fn every_mode_gives_the_same_bits() {
    let residues = Residues::new(PrimeField::<u32>::new(469_762_049).unwrap());
    for factors in [&[1 << 14][..], &[1 << 16], &[128, 7, 32]] {
        let [measured, kept] = gives_the_same_bits_in_every_mode(&residues, factors);
        assert!(measured.measured() > 1 && measured.best().measured_seconds.is_some(), "{measured}");
        assert!([Origin::Measured, Origin::Kept].contains(measured.origin()), "{measured}");
        assert_eq!((kept.origin(), &kept.best().parameters), (&Origin::Kept, &measured.best().parameters), "{kept}");
    }
    for factors in [&[1 << 12][..], &[1 << 16], &[1000, 27], &[10_007], &[3; 9]] {
        gives_the_same_bits_in_every_mode(&Complexes::<f32>::new(), factors);
        gives_the_same_bits_in_every_mode(&Complexes::<f64>::new(), factors);
    }
}

/// Candidates that are said to give the same bits do.
#[test]
fn plans_of_one_arithmetic_give_the_same_bits() {
    let numbers = Complexes::<f32>::new();
    let fourier = Fourier::new(&Device::host());
    for factors in [&[1 << 12][..], &[1 << 16], &[1000, 27], &[30, 7, 11, 13], &[1009, 2], &[2; 14]] {
        let group = group(factors);
        let choice = fourier.explain_transform(&group, &numbers, 3).unwrap();
        let plans: Vec<&Plan> = choice.candidates().iter().map(|candidate| &candidate.parameters).collect();
        let f = functions(&numbers, &group, 3, 13);
        let of = |plan: &Plan| transformed(&fourier, &numbers, &group, Direction::Inverse, &f, Some(plan)).unwrap();
        let shape = Shape::new(group.factors(), 3, &numbers, (true, fourier.device().info().compute_units as usize));
        let operation = Transforms { local_bytes: usize::MAX };
        let spectra: Vec<_> = plans.iter().map(|plan| of(plan)).collect();
        for (i, j) in (0..plans.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
            if operation.gives_same_bits(&shape, plans[i], plans[j]) {
                assert!(bytes(&spectra[i]) == bytes(&spectra[j]), "{group}: {} and {}", plans[i], plans[j]);
            }
        }
    }
}

#[test]
fn a_machine_that_is_told_decides_alone() {
    let device = Device::host().with_tuning(TuningMode::Measure);
    let fourier = Fourier::with_machine(&device, device.machine());
    let choice = fourier.explain_transform(&group(&[1 << 16]), &Complexes::<f32>::new(), 1).unwrap();
    assert_eq!((choice.origin(), choice.measured()), (&Origin::Estimated, 0), "{choice}");
}

/// The sum of squares, by halves: the roundings of a plain sum of so many terms would exceed the transform's own.
fn energy(f: &[Complex<f64>]) -> f64 {
    match f {
        [] => 0.0,
        [a] => a.norm_sqr(),
        _ => {
            let (low, high) = f.split_at(f.len() / 2);
            energy(low) + energy(high)
        }
    }
}

fn factor_lists() -> impl Strategy<Value = Vec<u64>> {
    let factor = prop_oneof![4 => 1u64..20, 1 => Just(31), 1 => Just(64), 1 => Just(67)];
    proptest::collection::vec(factor, 0..5).prop_filter("small", |list| list.iter().product::<u64>() <= 4096)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn laws_of_transforms(factors in factor_lists(), seed in 0u64..1000, count in 1usize..4) {
        let numbers = Complexes::<f64>::new();
        let (fourier, group) = (Fourier::new(&Device::host()), group(&factors));
        let bound = tolerance(&numbers, &group, 4.0);
        let order = group.order() as usize;
        let f = functions(&numbers, &group, count, seed);
        let g = functions(&numbers, &group, count, seed + 1000);
        let of = |f: &[Complex<f64>]| transformed(&fourier, &numbers, &group, Direction::Forward, f, None).unwrap();
        let (spectrum, other) = (of(&f), of(&g));
        // There and back.
        let back = transformed(&fourier, &numbers, &group, Direction::Inverse, &spectrum, None).unwrap();
        prop_assert!(numbers.error(&back, &f) <= bound);
        // Linearity.
        let sum: Vec<Complex<f64>> = f.iter().zip(&g).map(|(f, g)| f * 2.0 - g).collect();
        let expected: Vec<Complex<f64>> = spectrum.iter().zip(&other).map(|(f, g)| f * 2.0 - g).collect();
        prop_assert!(numbers.error(&of(&sum), &expected) <= bound);
        // Parseval.
        prop_assert!((energy(&spectrum) / (order as f64 * energy(&f)) - 1.0).abs() <= bound);
        // A shift multiplies by a character.
        let by = seed % group.order();
        let shifted: Vec<Complex<f64>> = (0..f.len())
            .map(|i| f[i / order * order + group.add((i % order) as u64, by).unwrap() as usize])
            .collect();
        let expected: Vec<Complex<f64>> = (0..f.len())
            .map(|i| {
                let e = group.character_exponent((i % order) as u64, by).unwrap();
                let [c, s] = manycore_characters::values::unit_root(e, group.exponent());
                spectrum[i] * Complex::new(c, s)
            })
            .collect();
        prop_assert!(numbers.error(&of(&shifted), &expected) <= bound);
    }
}

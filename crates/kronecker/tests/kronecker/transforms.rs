//! Transforms on the host against the definition and by a second route, and their laws.

use crate::common::{Tested, assert_near, check, check_text, growth, on, prime32, prime64, random, random_small};
use manycore_device::{Device, DeviceError};
use manycore_kronecker::transform::{Limits, reference};
use manycore_kronecker::{
    Complexes, Factor, FactorError, Goldilocks, Integers, Kronecker, KroneckerError, KroneckerProduct, Reals, Values,
    parse,
};
use proptest::prelude::*;

/// No factor, order 1, one factor, many, identities everywhere, mixed orders, all Hadamard orders.
const TEXTS: [&str; 21] = [
    "",
    "id1",
    "id7",
    "h1",
    "walsh",
    "rm",
    "arith",
    "walsh^3",
    "walsh^9",
    "id^2 x walsh^3",
    "walsh^3 x id^2",
    "walsh x id3 x walsh x id5 x rm",
    "h12",
    "h20",
    "h28 x walsh",
    "walsh x h12 x id3",
    "h1 x walsh x h1",
    "arith^3 x walsh^2",
    "rm^2 x id x arith-inverse^2 x walsh",
    "h24 x h8",
    "h16 x h4 x walsh",
];

fn everywhere(text: &str, batch: usize) {
    for device in [Device::host(), Device::host_with(1).unwrap()] {
        check_text(&device, &Integers::<i32>::new(), text, batch);
        check_text(&device, &Integers::<i64>::new(), text, batch);
        check_text(&device, &Reals::<f32>::new(), text, batch);
        check_text(&device, &Reals::<f64>::new(), text, batch);
        check_text(&device, &Complexes::<f32>::new(), text, batch);
        check_text(&device, &Complexes::<f64>::new(), text, batch);
        check_text(&device, &prime32(2), text, batch);
        check_text(&device, &prime32(2_147_483_647), text, batch);
        check_text(&device, &prime64(9001), text, batch);
        check_text(&device, &prime64(9_223_372_036_854_775_783), text, batch);
        check_text(&device, &Goldilocks, text, batch);
    }
}

#[test]
fn every_ring_equals_the_definition() {
    for text in TEXTS {
        everywhere(text, 1);
        everywhere(text, 3);
    }
    everywhere("walsh^2", 0);
    everywhere("walsh^2", 100);
}

#[test]
fn fourier_factors_equal_the_definition() {
    for device in [Device::host(), Device::host_with(1).unwrap()] {
        for text in ["dft3^4", "dft5 x dft2 x dft7", "dft4 x id2 x dft3", "dft16 x dft13", "dft11", "dft8 x h12"] {
            check_text(&device, &Complexes::<f32>::new(), text, 2);
            check_text(&device, &Complexes::<f64>::new(), text, 2);
        }
        check_text(&device, &prime32(31), "dft3 x dft5 x dft2 x dft6", 2);
        check_text(&device, &prime64(2_305_843_009_213_693_951), "dft3^2 x dft5 x dft7", 2);
        check_text(&device, &Goldilocks, "dft3 x dft5 x dft16", 2);
    }
}

/// The digits' values by naive index arithmetic, one factor after the other, the first factor first.
fn factor_by_factor<V: Values>(product: &KroneckerProduct<V>, input: &[V::Value]) -> Vec<V::Value> {
    let values = product.values();
    let mut data = input.to_vec();
    let mut inner = product.order();
    for factor in product.factors() {
        let q = factor.order();
        inner /= q;
        let before = data.clone();
        for (i, y) in data.iter_mut().enumerate() {
            let (digit, rest) = (i / inner % q, i - i / inner % q * inner);
            *y = (0..q).fold(values.zero(), |sum, j| {
                values.add(sum, values.mul(factor.entry(values, digit, j), before[rest + j * inner]))
            });
        }
    }
    data
}

fn second_route<V: Tested>(values: &V, text: &str, batch: usize) {
    let product = parse(values, text).unwrap();
    let input = random(values, product.order() * batch, 3);
    let found = on(&Device::host(), &product, &input).unwrap();
    let what = format!("{text} over {}", values.name());
    assert_near(values, &found, &factor_by_factor(&product, &input), growth(&product), &what);
}

/// Sizes of several tiles and passes, with last tiles that are not full.
#[test]
fn long_vectors_equal_factor_by_factor() {
    for text in
        ["walsh^18", "h12 x walsh^14", "arith^5 x h20 x walsh^9", "walsh^3 x id^12 x rm^3", "h28 x id^3 x h12^2 x id3"]
    {
        second_route(&Integers::<i32>::new(), text, 1);
        second_route(&prime32(469_762_049), text, 1);
    }
    second_route(&Integers::<i64>::new(), "walsh^2 x h12 x id5 x h12 x rm^6", 3);
    second_route(&Reals::<f32>::new(), "h12 x walsh^13", 2);
    second_route(&Complexes::<f64>::new(), "dft3^10", 2);
    second_route(&Complexes::<f32>::new(), "dft5^3 x dft7^2 x dft2^4", 1);
    second_route(&Goldilocks, "dft3 x walsh^14", 1);
}

#[test]
fn walsh_in_natural_order() {
    let ring = Integers::<i32>::new();
    for n in 0..=12u32 {
        let product = KroneckerProduct::power(&ring, &Factor::walsh(&ring), n as usize).unwrap();
        let input = random_small(&ring, 1 << n);
        let found = on(&Device::host(), &product, &input).unwrap();
        for w in (0..1usize << n).step_by(1 + (1 << n) / 100) {
            let sign = |x: usize| if (w & x).count_ones().is_multiple_of(2) { 1 } else { -1 };
            let expected: i32 = input.iter().enumerate().map(|(x, &f)| sign(x) * f).sum();
            assert_eq!(found[w], expected, "{n} {w}");
        }
    }
}

#[test]
fn worked_examples() {
    let ring = Integers::<i64>::new();
    let of = |text: &str, input: &[i64]| on(&Device::host(), &parse(&ring, text).unwrap(), input).unwrap();
    let x = [3, 1, 4, 1, 5, 9, 2, 6];
    assert_eq!(of("walsh^3", &x), [31, -3, 5, -1, -13, 13, -7, -1]);
    assert_eq!(of("arith^3", &x), [3, -2, 1, -1, 2, 6, -4, 1]);
    assert_eq!(of("rm^3", &of("arith^3", &x)), x);
    let two = prime32(2);
    let found = on(&Device::host(), &parse(&two, "rm^3").unwrap(), &[1, 0, 0, 1, 1, 1, 0, 1]).unwrap();
    assert_eq!(found, [1, 1, 1, 0, 0, 1, 0, 1]);
    // F(r) = sum f(c) conj(chi_r(c)).
    let complex = Complexes::<f64>::new();
    let number = |re, im| manycore_kronecker::num_complex::Complex { re, im };
    let found = on(&Device::host(), &parse(&complex, "dft4").unwrap(), &[0.0, 1.0, 0.0, 0.0].map(|re| number(re, 0.0)));
    assert_eq!(found.unwrap(), [number(1.0, 0.0), number(0.0, -1.0), number(-1.0, 0.0), number(0.0, 1.0)]);
}

#[test]
fn integers_divide_exactly() {
    let kronecker = Kronecker::new(&Device::host());
    let ring = Integers::<i32>::new();
    // The largest values that the forward transform's sums fit.
    for text in ["h12 x walsh^6", "h20 x walsh^3", "h28 x walsh^2", "walsh^10", "h12^2"] {
        let product = parse(&ring, text).unwrap();
        let most = i32::MAX / product.order() as i32;
        let input: Vec<i32> = (0..product.order()).map(|i| if i % 3 == 0 { -most } else { most }).collect();
        let mut data = kronecker.device().upload(&input).unwrap();
        kronecker.forward(&product, &mut data).unwrap();
        kronecker.inverse(&product, &mut data).unwrap();
        assert_eq!(data.download().unwrap(), input, "{text}");
    }
    // A determinant other than 1, -1 and no Hadamard matrix: entries over the least divisor.
    let odd = Factor::new(&ring, &[[2, 1, 0], [0, 1, 1], [1, 0, 3]]).unwrap();
    let product = KroneckerProduct::power(&ring, &odd, 3).unwrap();
    let input = random_small(&ring, 27);
    let there = on(&Device::host(), &product, &input).unwrap();
    assert_eq!(on(&Device::host(), &product.inverse().unwrap(), &there).unwrap(), input);
}

#[test]
fn transposes_are_adjoint() {
    let ring = Integers::<i64>::new();
    for text in ["arith^3 x h12 x rm", "rm x id3 x arith"] {
        let product = parse(&ring, text).unwrap().wrapping();
        let (x, y) = (random(&ring, product.order(), 1), random(&ring, product.order(), 2));
        let inner = |a: &[i64], b: &[i64]| a.iter().zip(b).fold(0i64, |s, (&a, &b)| s.wrapping_add(a.wrapping_mul(b)));
        let kronecker = Kronecker::new(&Device::host());
        let mut data = kronecker.device().upload(&y).unwrap();
        kronecker.transpose(&product, &mut data).unwrap();
        let forward = on(&Device::host(), &product, &x).unwrap();
        assert_eq!(inner(&forward, &y), inner(&x, &data.download().unwrap()), "{text}");
    }
}

/// Tiles that hold one factor or none, columns that do not divide the rest, registers for one value.
#[test]
fn plans_within_any_limits_give_the_same() {
    let kronecker = Kronecker::new(&Device::host());
    let ring = prime32(97);
    let product = parse(&ring, "h12 x walsh^2 x id5 x arith x h20 x id3").unwrap();
    let input = random(&ring, 2 * product.order(), 5);
    let expected = factor_by_factor(&product, &input);
    for (tile, columns, registers) in [(0, 0, 0), (1, 1, 1), (64, 7, 4), (500, 33, 100), (1 << 20, 1, 16)] {
        for parts in [1, 2, usize::MAX] {
            let limits = Limits { tile, columns, registers, rounds: parts, matrices: parts };
            let plan = kronecker.plan_within(&product, &limits);
            let transform = kronecker.transform_by(&product, 2, plan).unwrap();
            let mut data = kronecker.device().upload(&input).unwrap();
            transform.run(&mut data).unwrap();
            assert_eq!(data.download().unwrap(), expected, "{limits:?}: {}", transform.plan());
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let host = Device::host();
    let kronecker = Kronecker::new(&host);
    let complex = Complexes::<f32>::new();
    let product = parse(&complex, "dft3").unwrap();
    let mut data = host.zeros::<f32>(10).unwrap();
    let error = kronecker.forward(&product, &mut data).unwrap_err();
    assert_eq!(error, KroneckerError::Length { given: 10, vector: 6, order: 3 });
    let transform = kronecker.transform(&product, 2).unwrap();
    assert_eq!(transform.run(&mut data).unwrap_err(), KroneckerError::Planned { expected: 12, given: 10 });
    let mut other = Device::host_with(1).unwrap().zeros::<f32>(6).unwrap();
    let error = kronecker.forward(&product, &mut other).unwrap_err();
    assert!(matches!(error, KroneckerError::Device(DeviceError::MixedDevices { .. })));
    let three = prime32(3);
    let error = kronecker.inverse(&parse(&three, "walsh x h12").unwrap(), &mut host.zeros::<u32>(24).unwrap());
    let expected = FactorError::Divisor { divisor: 12, ring: "residues mod 3".into() };
    assert_eq!(error.unwrap_err(), KroneckerError::Factor { factor: 1, error: expected });
    let huge = parse(&Integers::<i32>::new(), "walsh^60").unwrap();
    assert!(matches!(kronecker.transform(&huge, 100), Err(KroneckerError::Batch { batch: 100, .. })));
    assert_eq!(reference::matrix(&parse(&three, "").unwrap()), [1]);
    let plan = kronecker.transform(&product, 1).unwrap().plan().clone();
    let other = parse(&complex, "dft3 x dft3").unwrap();
    assert_eq!(kronecker.transform_by(&other, 1, plan).unwrap_err(), KroneckerError::Plan);
}

fn any_factor<V: Tested>(values: &V, kind: u8, order: usize, seed: u64) -> Factor<V> {
    match kind {
        0 => Factor::identity(order).unwrap(),
        1 => Factor::walsh(values),
        2 => Factor::arithmetic(values),
        3 => Factor::hadamard(values, [1, 2, 4, 8, 12][order % 5]).unwrap(),
        _ => {
            let entries = random(values, order * order, seed);
            let rows: Vec<&[V::Value]> = entries.chunks(order).collect();
            Factor::new(values, &rows).unwrap()
        }
    }
}

fn any_product<V: Tested>(values: &V, list: &[(u8, usize, u64)]) -> KroneckerProduct<V> {
    let mut order = 1;
    let factors = list.iter().map(|&(kind, q, seed)| any_factor(values, kind, q, seed));
    let small = factors.take_while(|factor| {
        order *= factor.order();
        order <= 600
    });
    KroneckerProduct::new(values, small.collect()).unwrap()
}

proptest! {
    #[test]
    fn any_product_equals_the_definition(
        list in prop::collection::vec((0u8..6, 1usize..17, any::<u64>()), 0..7),
        batch in 1usize..4,
    ) {
        check(&Device::host(), &any_product(&Integers::<i32>::new(), &list), batch);
        check(&Device::host(), &any_product(&Reals::<f64>::new(), &list), batch);
        check(&Device::host(), &any_product(&prime32(97), &list), batch);
        check(&Device::host(), &any_product(&Goldilocks, &list), batch);
    }

    #[test]
    fn transforms_are_linear_and_inverses_undo_them(
        list in prop::collection::vec((0u8..6, 1usize..17, any::<u64>()), 0..6),
        seed in any::<u64>(),
    ) {
        let field = prime64(4_611_686_018_427_387_847);
        let product = any_product(&field, &list);
        let (x, y) = (random(&field, product.order(), seed >> 1), random(&field, product.order(), seed >> 2));
        let sum: Vec<u64> = x.iter().zip(&y).map(|(&a, &b)| Values::add(&field, a, b)).collect();
        let of = |input: &[u64]| on(&Device::host(), &product, input).unwrap();
        let sums: Vec<u64> = of(&x).into_iter().zip(of(&y)).map(|(a, b)| Values::add(&field, a, b)).collect();
        prop_assert_eq!(of(&sum), sums);
        if let Ok(inverse) = product.inverse() {
            prop_assert_eq!(on(&Device::host(), &inverse, &of(&x)).unwrap(), x);
        }
    }
}

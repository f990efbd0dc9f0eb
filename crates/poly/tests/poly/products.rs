//! Products through the public functions on the host and every OpenCL device: worked examples, laws, parts of products,
//! batches, verification.

use crate::common::{Check, elements, every_ring, few_rings, long, poly, short, sparing, stripped};
use manycore_device::Device;
use manycore_field::{Field, ModularField, PrimeField, Ring, Semiring};
use manycore_poly::multiply::reference;
use manycore_poly::{Algorithm, Operation, Plan, PolyField, PolyRing, Shape};
use manycore_testkit::devices;
use proptest::prelude::*;

/// The examples and the inner state of chapter 8 of the specification.
#[test]
fn worked_examples() {
    for device in devices() {
        let cases: [(u32, [&[u32]; 3]); 4] = [
            (7, [&[3, 0, 5, 1], &[2, 6], &[6, 4, 3, 4, 6]]),
            (9001, [&[9000, 1, 8999], &[5, 9000, 4500], &[8996, 6, 4490, 4502, 1]]),
            (
                469_762_049,
                [&[469_762_048, 2, 235_929_602], &[469_762_047, 1], &[2, 469_762_044, 467_664_896, 235_929_602]],
            ),
            (9001, [&[1, 2, 3, 4], &[5, 6, 7, 8], &[5, 16, 34, 60, 61, 52, 32]]),
        ];
        for (p, [a, b, product]) in cases {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let (f, g) = (ring.poly(a).unwrap(), ring.poly(b).unwrap());
            assert_eq!(ring.coefficients(&ring.mul(&f, &g).unwrap()).unwrap(), product, "{device:?} mod {p}");
            assert_eq!(ring.coefficients(&ring.mul(&g, &f).unwrap()).unwrap(), product, "{device:?} mod {p}");
        }
    }
}

/// The first, a middle and the last coefficient, their sum, and their sum weighted by their places.
fn sums<F: PolyField>(ring: &PolyRing<F>, product: &[F::Element]) -> [F::Element; 5] {
    let field = ring.field();
    let weighted = product.iter().enumerate().map(|(k, &d)| field.mul(field.natural(k as u64 + 1), d));
    let weighted = weighted.fold(field.zero(), |sum, d| field.add(sum, d));
    [product[0], product[500], product[1775], field.sum(product), weighted]
}

/// The checksums of the specification: 1000 coefficients `i^2 + 1` times 777 coefficients `i^3 + 2`.
#[test]
fn checksums_of_a_large_product() {
    let cases = [
        (469_762_049u64, [2, 115_940_294, 70_562_553, 248_842_512, 68_051_410]),
        (9001, [2, 2826, 938, 4719, 6606]),
        (7, [2, 0, 5, 0, 0]),
    ];
    for device in devices() {
        for (p, expected) in cases {
            let ring = PolyRing::new(&device, long(p)).unwrap();
            let field = *ring.field();
            let power = |i: u64, e: u64| field.power(field.natural(i), e);
            let a: Vec<u64> = (0..1000).map(|i| field.add(power(i, 2), field.one())).collect();
            let b: Vec<u64> = (0..777).map(|i| field.add(power(i, 3), field.natural(2))).collect();
            // As formal lengths: mod 7 the leading coefficients may be zero.
            let (f, g) = (ring.batch(&a, 1, 1000).unwrap(), ring.batch(&b, 1, 777).unwrap());
            let product = ring.mul_batch(&f, &g).unwrap().buffer().download().unwrap();
            assert_eq!(sums(&ring, &product), expected, "{device:?} mod {p}");
        }
    }
}

/// The product of all `x - i` over the field of 257 elements is `x^257 - x`.
#[test]
fn the_product_over_all_points() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(257)).unwrap();
        let mut factors: Vec<_> = (0..257).map(|i| ring.poly(&[(257 - i) % 257, 1]).unwrap()).collect();
        while factors.len() > 1 {
            let product = |pair: &[manycore_poly::Poly<_>]| match pair {
                [f, g] => ring.mul(f, g).unwrap(),
                rest => ring.copy(&rest[0]).unwrap(),
            };
            factors = factors.chunks(2).map(product).collect();
        }
        let expected = ring.sub(&ring.monomial(257).unwrap(), &ring.monomial(1).unwrap()).unwrap();
        assert!(ring.equal(&factors[0], &expected).unwrap(), "{device:?}");
    }
}

/// `(1 + x)^(2^20)` mod 469762049 by squarings: its middle coefficient, and Lucas' theorem mod 2.
#[test]
fn powers_of_one_plus_x() {
    let mut on: Vec<Device> = devices();
    on.retain(|device| !sparing(device));
    for device in on {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        let mut f = ring.poly(&[1, 1]).unwrap();
        for _ in 0..20 {
            f = ring.square(&f).unwrap();
        }
        assert_eq!(ring.coefficient(&f, 1 << 19).unwrap(), 329_224_898, "{device:?}");
        let ring = PolyRing::new(&device, short(2)).unwrap();
        let mut f = ring.poly(&[1, 1]).unwrap();
        for _ in 0..12 {
            f = ring.square(&f).unwrap();
        }
        let expected = ring.add(&ring.monomial(1 << 12).unwrap(), &ring.one().unwrap()).unwrap();
        assert!(ring.equal(&f, &expected).unwrap());
    }
}

struct Laws;

impl Check for Laws {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let sizes: &[(usize, usize)] = if sparing(ring.device()) {
            &[(0, 3), (1, 1), (40, 33)]
        } else {
            &[(0, 0), (0, 3), (1, 0), (1, 1), (1, 2), (2, 2), (31, 33), (32, 32), (100, 7), (300, 257)]
        };
        for &(n, m) in sizes {
            let (f, g) = (poly(ring, n, 1), poly(ring, m, 2));
            let (a, b) = (ring.coefficients(&f).unwrap(), ring.coefficients(&g).unwrap());
            let expected = reference::multiply(field, &a, &b);
            let product = ring.mul(&f, &g).unwrap();
            let name = format!("{n} by {m} mod {} on {:?}", field.order(), ring.device());
            assert!(ring.coefficients(&product).unwrap() == expected, "{name}");
            let square = ring.square(&f).unwrap();
            assert!(ring.coefficients(&square).unwrap() == reference::multiply(field, &a, &a), "square of {name}");
            for range in [0..n, n / 2..n + m / 2, n.saturating_sub(1)..m.max(n), n + m..n + m + 3] {
                let part = ring.mul_middle(&f, &g, range.clone()).unwrap();
                let len = expected.len();
                let expected = stripped(field, expected[range.start.min(len)..range.end.min(len)].to_vec());
                assert!(ring.coefficients(&part).unwrap() == expected, "{range:?} of {name}");
            }
            let low = ring.mul_short(&f, &g, m).unwrap();
            let expected = stripped(field, expected[..m.min(expected.len())].to_vec());
            assert!(ring.coefficients(&low).unwrap() == expected, "short {name}");
            assert!(ring.verify_product(&f, &g, &product, 5).unwrap(), "{name}");
            let h = poly(ring, 20, 3);
            let left = ring.mul(&f, &ring.add(&g, &h).unwrap()).unwrap();
            let right = ring.add(&product, &ring.mul(&f, &h).unwrap()).unwrap();
            assert!(ring.equal(&left, &right).unwrap(), "distributive, {name}");
        }
    }
}

#[test]
fn every_field_s_products_obey_the_laws() {
    for device in devices() {
        if sparing(&device) { few_rings(&device, &mut Laws) } else { every_ring(&device, &mut Laws) }
    }
}

#[test]
fn batches_are_products_side_by_side() {
    fn check<F: PolyField>(ring: &PolyRing<F>) {
        for (count, n, m) in [(0, 3, 4), (1, 5, 5), (3, 0, 4), (7, 1, 1), (5, 33, 20), (100, 4, 9)] {
            let field = ring.field();
            let (a, b) = (elements(field, count * n, 1), elements(field, count * m, 2));
            let (f, g) = (ring.batch(&a, count, n).unwrap(), ring.batch(&b, count, m).unwrap());
            let products = ring.mul_batch(&f, &g).unwrap();
            let mut expected = Vec::new();
            for i in 0..count {
                expected.extend(reference::multiply(field, &a[i * n..][..n], &b[i * m..][..m]));
            }
            assert!(products.buffer().download().unwrap() == expected, "{count} of {n} by {m} on {:?}", ring.device());
        }
        let same = ring.random_batch(6, 17, 3).unwrap();
        let squares = ring.mul_batch(&same, &same).unwrap().buffer().download().unwrap();
        let a = same.buffer().download().unwrap();
        let expected: Vec<_> = a.chunks(17).flat_map(|a| reference::multiply(ring.field(), a, a)).collect();
        assert!(squares == expected);
    }
    for device in devices() {
        check(&PolyRing::new(&device, short(469_762_049)).unwrap());
        if !sparing(&device) {
            check(&PolyRing::new(&device, short(7)).unwrap());
            check(&PolyRing::new(&device, long(crate::common::LONGEST)).unwrap());
        }
    }
}

#[test]
fn choices_are_explained() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        for operation in [
            Operation::Multiply { n: 1 << 12, m: 100 },
            Operation::Square { n: 1 << 16 },
            Operation::Products(Shape { count: 50, ..Shape::full(64, 64) }),
        ] {
            let choice = ring.explain(operation).unwrap();
            assert!(choice.best().estimate.seconds > 0.0, "{choice}");
            assert!(choice.to_string().lines().count() > choice.candidates().len(), "{choice}");
        }
        // Short factors by the definition, long ones by transforms.
        let algorithm = |n| {
            let choice = ring.explain(Operation::Multiply { n, m: n }).unwrap();
            choice.best().parameters.algorithm()
        };
        assert_eq!(algorithm(8), Algorithm::Plain, "{device:?}");
        assert_eq!(algorithm(1 << 17), Algorithm::Transform, "{device:?}");
    }
}

#[test]
fn a_wrong_product_does_not_pass() {
    for device in devices() {
        if sparing(&device) {
            continue;
        }
        for p in [2u32, 3, 9001, 469_762_049] {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let (f, g) = (ring.random(500, 1).unwrap(), ring.random(400, 2).unwrap());
            let h = ring.mul(&f, &g).unwrap();
            for seed in 0..3 {
                assert!(ring.verify_product(&f, &g, &h, seed).unwrap());
                for place in [0, 1, 77, h.len() - 2] {
                    let wrong = ring.add(&h, &ring.monomial(place).unwrap()).unwrap();
                    assert!(!ring.verify_product(&f, &g, &wrong, seed).unwrap(), "mod {p}, {place}");
                }
                // A difference that vanishes at every element of the prime field.
                if p < 10 {
                    let roots = ring.sub(&ring.monomial(p as usize).unwrap(), &ring.monomial(1).unwrap()).unwrap();
                    let wrong = ring.add(&h, &roots).unwrap();
                    assert!(!ring.verify_product(&f, &g, &wrong, seed).unwrap());
                }
            }
            assert!(!ring.verify_product(&f, &g, &ring.zero().unwrap(), 1).unwrap());
            assert!(!ring.verify_product(&f, &ring.zero().unwrap(), &h, 1).unwrap());
            let zero = ring.zero().unwrap();
            assert!(ring.verify_product(&f, &zero, &zero, 1).unwrap());
        }
    }
}

fn factors() -> impl Strategy<Value = (u64, Vec<u64>, Vec<u64>)> {
    let primes = prop_oneof![Just(2), Just(3), Just(7), Just(9001), Just(469_762_049), Just(998_244_353)];
    let wide = prop_oneof![Just(crate::common::LONG), Just(9_223_372_036_854_775_783u64)];
    let word = prop_oneof![Just(0), Just(1), Just(u64::MAX), any::<u64>()];
    let len = prop_oneof![0usize..4, 30usize..35, 0usize..200];
    let words = move || {
        let word = word.clone();
        len.clone().prop_flat_map(move |len| proptest::collection::vec(word.clone(), len))
    };
    (prop_oneof![primes, wide], words(), words())
}

fn product_equals<F: PolyField>(ring: &PolyRing<F>, a: &[F::Element], b: &[F::Element], plan: Option<&Plan>) {
    let (f, g) = (ring.poly(a).unwrap(), ring.poly(b).unwrap());
    let product = match plan {
        Some(plan) => ring.mul_by(&f, &g, plan).unwrap(),
        None => ring.mul(&f, &g).unwrap(),
    };
    let expected = stripped(ring.field(), reference::multiply(ring.field(), a, b));
    assert_eq!(ring.coefficients(&product).unwrap(), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn products_equal_the_definition((p, a, b) in factors(), base in 2usize..40) {
        let device = Device::host();
        let wide = PrimeField::<u64>::new(p).unwrap();
        let residues = |words: &[u64]| -> Vec<u64> { words.iter().map(|&w| w % p).collect() };
        let (a, b) = (residues(&a), residues(&b));
        let plans = [None, Some(Plan::Plain), Some(Plan::Karatsuba { base })];
        for plan in &plans {
            product_equals(&PolyRing::new(&device, wide).unwrap(), &a, &b, plan.as_ref());
            if let Ok(field) = PrimeField::<u32>::new(p.min(u64::from(u32::MAX)) as u32) && field.order() == p {
                let [a, b] = [&a, &b].map(|f| f.iter().map(|&c| c as u32).collect::<Vec<_>>());
                product_equals(&PolyRing::new(&device, field).unwrap(), &a, &b, plan.as_ref());
            }
        }
    }

    /// The value of a product is the product of the values, and the derivative obeys Leibniz' rule.
    #[test]
    fn values_and_derivatives((p, a, b) in factors(), x in any::<u64>()) {
        let ring = PolyRing::new(&Device::host(), PrimeField::<u64>::new(p).unwrap()).unwrap();
        let field = *ring.field();
        let of = |words: &[u64]| ring.poly(&words.iter().map(|&w| w % p).collect::<Vec<_>>()).unwrap();
        let (f, g) = (of(&a), of(&b));
        let h = ring.mul(&f, &g).unwrap();
        let at = |f| ring.evaluate(f, x % p).unwrap();
        prop_assert_eq!(at(&h), field.mul(at(&f), at(&g)));
        let (df, dg) = (ring.derivative(&f).unwrap(), ring.derivative(&g).unwrap());
        let left = ring.mul(&df, &g).unwrap();
        let leibniz = ring.add(&left, &ring.mul(&f, &dg).unwrap()).unwrap();
        prop_assert!(ring.equal(&ring.derivative(&h).unwrap(), &leibniz).unwrap());
        let minus = field.neg(field.one());
        prop_assert_eq!(field.inverse(minus), Some(minus));
    }
}

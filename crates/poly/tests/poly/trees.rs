//! Evaluation at many points and interpolation through subproduct trees, on the host and every OpenCL device: worked
//! examples, checksums, every arithmetic, edges, repeated points.

use crate::common::{Check, elements, few_rings, long, short, sparing, stripped};
use manycore_field::{Goldilocks, ResidueWord as _, Semiring as _};
use manycore_poly::tree::reference;
use manycore_poly::{AtPoints, PolyError, PolyField, PolyRing};
use manycore_testkit::devices;
use proptest::prelude::*;

fn evaluated<F: PolyField>(ring: &PolyRing<F>, f: &[F::Element], points: &[F::Element]) -> Vec<F::Element> {
    let f = ring.poly(f).unwrap();
    let values = ring.evaluate_many_by(&f, points, AtPoints::Tree).unwrap();
    assert!(ring.evaluate_many(&f, points).unwrap() == values, "in the chosen way");
    values
}

fn interpolated<F: PolyField>(ring: &PolyRing<F>, points: &[F::Element], values: &[F::Element]) -> Vec<F::Element> {
    let tree = ring.tree(points).unwrap();
    let f = ring.interpolate(&tree, &ring.device().upload(values).unwrap()).unwrap();
    ring.coefficients(&f).unwrap()
}

/// The examples of chapter 10 of the specification.
#[test]
fn worked_examples() {
    for device in devices() {
        for (p, values, products) in [
            (469_762_049u32, [10, 26, 58, 112], [24, 469_761_999, 35, 469_762_039, 1]),
            (9001, [10, 26, 58, 112], [24, 8951, 35, 8991, 1]),
            (7, [3, 5, 2, 0], [3, 6, 0, 4, 1]),
        ] {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let points = [1, 2, 3, 4];
            assert_eq!(evaluated(&ring, &[4, 3, 2, 1], &points), values, "{device:?} mod {p}");
            let product = ring.tree_product(&ring.tree(&points).unwrap()).unwrap();
            assert_eq!(ring.coefficients(&product).unwrap(), products, "{device:?} mod {p}");
        }
        for (p, three, four) in [
            (469_762_049u32, [2, 234_881_024, 234_881_025], [1, 78_293_670, 234_881_029, 156_587_349]),
            (9001, [2, 4500, 4501], [1, 7496, 4505, 6000]),
            (7, [2, 3, 4], [1, 1, 1, 4]),
        ] {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            assert_eq!(interpolated(&ring, &[1, 2, 3], &[2, 3, 5]), three, "{device:?} mod {p}");
            assert_eq!(interpolated(&ring, &[0, 1, 2, 5], &[1, 0, 4, 6]), four, "{device:?} mod {p}");
        }
    }
}

/// The checksums of the specification: 1000 coefficients `i^2 + 1` at the points `3 i + 1`; values `i^3 + 5` and `3^i` there.
#[test]
fn checksums_at_a_thousand_points() {
    struct Expected {
        p: u64,
        values: [u64; 4],
        product: [u64; 3],
        cubic: [u64; 4],
        powers: [u64; 4],
    }
    let cases = [
        Expected {
            p: 469_762_049,
            values: [332_834_500, 69_325_692, 123_730_580, 366_785_645],
            product: [132_379_150, 31_184_653, 468_262_549],
            cubic: [86_992_977, 208_783_133, 260_978_916, 382_769_077],
            powers: [42_111_694, 48_617_547, 366_224_459, 1],
        },
        Expected {
            p: 9001,
            values: [4523, 1432, 3591, 5160],
            product: [8670, 7301, 3667],
            cubic: [6339, 8001, 1000, 2667],
            powers: [4580, 1775, 1037, 1],
        },
    ];
    for device in devices() {
        for expected in &cases {
            let ring = PolyRing::new(&device, long(expected.p)).unwrap();
            let field = *ring.field();
            let power = |x: u64, e: u64| field.power(field.natural(x), e);
            let list = |value: &dyn Fn(u64) -> u64| (0..1000).map(value).collect::<Vec<_>>();
            let points = list(&|i| field.natural(3 * i + 1));
            let values = evaluated(&ring, &list(&|i| field.add(power(i, 2), field.one())), &points);
            let name = format!("{device:?} mod {}", expected.p);
            assert_eq!([values[0], values[1], values[999], field.sum(&values)], expected.values, "{name}");
            let product = ring.coefficients(&ring.tree_product(&ring.tree(&points).unwrap()).unwrap()).unwrap();
            assert_eq!([product[0], product[1], product[999]], expected.product, "{name}");
            let cubic = interpolated(&ring, &points, &list(&|i| field.add(power(i, 3), field.natural(5))));
            assert_eq!(cubic, expected.cubic, "{name}");
            let f = interpolated(&ring, &points, &list(&|i| power(3, i)));
            assert_eq!([f[0], f[1], f[999], field.sum(&f)], expected.powers, "{name}");
        }
    }
}

/// Numbers of points at the edges of the lowest nodes and of powers of two, by numbers of coefficients below and above them.
struct Sizes(&'static [(usize, usize)]);

impl Check for Sizes {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let p = field.order();
        for &(points, terms) in self.0 {
            // Different where the field has so many.
            let at: Vec<_> =
                (0..points as u64).map(|i| F::Element::from_u64(i.wrapping_mul(0x2545_f491) % p)).collect();
            let f = elements(field, terms, 3);
            let name = format!("{terms} coefficients at {points} points, {} mod {p}", ring.arithmetic());
            assert!(evaluated(ring, &f, &at) == reference::values(field, &f, &at), "{name}");
            let tree = ring.tree(&at).unwrap();
            let product = ring.tree_product(&tree).unwrap();
            assert!(ring.coefficients(&product).unwrap() == reference::product(field, &at), "product of {name}");
            let inverses = ring.subinverse_tree(&tree).unwrap();
            let values = ring.evaluate_by_remainders(&ring.poly(&f).unwrap(), &tree, &inverses).unwrap();
            assert!(values.download().unwrap() == reference::values(field, &f, &at), "remainders of {name}");
            let values = elements(field, points, 4);
            if let Some(expected) = reference::interpolate(field, &at, &values) {
                assert!(interpolated(ring, &at, &values) == stripped(field, expected), "through {name}");
            } else {
                let tree = ring.tree(&at).unwrap();
                let values = ring.device().upload(&values).unwrap();
                let error = ring.interpolate(&tree, &values).unwrap_err();
                let PolyError::RepeatedPoint { first, second } = error else { panic!("{name}: {error}") };
                assert!(first < second && at[first] == at[second], "{name}");
            }
        }
    }
}

#[test]
fn every_arithmetic_equals_the_definition() {
    for device in devices() {
        few_rings(&device, &mut Sizes(&[(1, 5), (33, 40), (150, 70)]));
    }
}

#[test]
fn sizes_at_edges_equal_the_definition() {
    const EDGES: &[(usize, usize)] = &[
        (0, 3),
        (1, 0),
        (1, 1),
        (2, 3),
        (3, 2),
        (7, 7),
        (31, 31),
        (32, 32),
        (33, 64),
        (64, 300),
        (127, 1),
        (128, 128),
        (129, 257),
        (257, 1000),
    ];
    for device in devices() {
        let primes = if sparing(&device) { vec![2, 9001] } else { vec![2, 3, 7, 257, 9001, 469_762_049] };
        for p in primes {
            Sizes(EDGES).check(&PolyRing::new(&device, short(p)).unwrap());
        }
    }
}

struct Progressions;

impl Check for Progressions {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let p = field.order();
        for (terms, count, a, q) in [(1, 1, 1, 0), (5, 9, 1, 0), (40, 300, 3, 1), (90, 33, 2, 5), (0, 4, 1, 1)] {
            let (a, q) = (field.natural(a), field.natural(q));
            let f = elements(field, terms, 3);
            let points: Vec<_> = (0..count as u64).map(|i| field.mul(a, field.power(q, i))).collect();
            let values = ring.evaluate_progression(&ring.poly(&f).unwrap(), a, q, count).unwrap();
            let name = format!("{terms} coefficients at {count} points, {} mod {p}", ring.arithmetic());
            assert!(values.download().unwrap() == reference::values(field, &f, &points), "{name}");
        }
    }
}

#[test]
fn progressions_equal_the_definition() {
    for device in devices() {
        few_rings(&device, &mut Progressions);
        for p in [2, 3, 7] {
            Progressions.check(&PolyRing::new(&device, short(p)).unwrap());
        }
    }
}

/// The product over all points of a field is `x^p - x`.
#[test]
fn all_points_of_a_field() {
    for device in devices() {
        for p in [2u32, 7, 257] {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let points: Vec<u32> = (0..p).collect();
            let tree = ring.tree(&points).unwrap();
            let mut expected = vec![0; p as usize + 1];
            (expected[1], expected[p as usize]) = (p - 1, 1);
            assert_eq!(ring.coefficients(&ring.tree_product(&tree).unwrap()).unwrap(), expected);
            // A function on the whole field, and back.
            let values: Vec<u32> = points.iter().map(|&u| (u * u + 3) % p).collect();
            let f = ring.interpolate(&tree, &device.upload(&values).unwrap()).unwrap();
            assert_eq!(ring.evaluate_at(&f, &tree).unwrap().download().unwrap(), values);
        }
    }
}

#[test]
fn bad_input_is_told() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        assert!(matches!(ring.tree(&[1, 7]).unwrap_err(), PolyError::OutOfRange(_)));
        let tree = ring.tree(&[3, 1, 2, 1]).unwrap();
        assert_eq!(evaluated(&ring, &[0, 1], &[3, 1, 2, 1]), [3, 1, 2, 1]);
        let error = ring.interpolate(&tree, &device.upload(&[0, 0, 0, 0]).unwrap()).unwrap_err();
        assert_eq!(error, PolyError::RepeatedPoint { first: 1, second: 3 });
        assert_eq!(error.to_string(), "points 2 and 4 are equal");
        let error = ring.interpolate(&tree, &device.upload(&[0u32, 0]).unwrap()).unwrap_err();
        assert_eq!(error, PolyError::Values { points: 4, values: 2 });
        let other = PolyRing::new(&device, short(3)).unwrap();
        let error = other.evaluate_at(&other.one().unwrap(), &tree).unwrap_err();
        assert_eq!(error, PolyError::MixedRings { expected: 3, given: 7 });
    }
}

#[test]
fn batches_are_polynomials_one_by_one() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(9001)).unwrap();
        let points: Vec<u32> = (0..50).map(|i| 7 * i + 1).collect();
        let tree = ring.tree(&points).unwrap();
        let batch = ring.random_batch(3, 50, 5).unwrap();
        let values = ring.evaluate_batch_at(&batch, &tree).unwrap();
        assert_eq!((values.count(), values.len()), (3, 50));
        let rows = values.buffer().download().unwrap();
        for (f, values) in batch.buffer().download().unwrap().chunks(50).zip(rows.chunks(50)) {
            assert_eq!(reference::values(ring.field(), f, &points), values);
        }
        let back = ring.interpolate_batch(&tree, &values).unwrap();
        assert_eq!(back.buffer().download().unwrap(), batch.buffer().download().unwrap());
        // A zero leading coefficient stays one.
        let constants = ring.batch(&[1; 50].map(|c: u32| c), 1, 50).unwrap();
        let one = ring.interpolate_batch(&tree, &constants).unwrap().buffer().download().unwrap();
        assert!(one[0] == 1 && one[1..].iter().all(|&c| c == 0));
        let error = ring.interpolate_batch(&tree, &ring.random_batch(2, 49, 1).unwrap()).unwrap_err();
        assert_eq!(error, PolyError::Values { points: 50, values: 49 });
    }
}

/// Any number of moduli of any degrees: remainders one by one, and back.
#[test]
fn chinese_remainders() {
    for device in devices() {
        for p in [2u32, 9001] {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            // Powers of x + 1, x^2 + x + 1 and x^3 + x + 1 are coprime modulo 2 and 9001.
            let powers =
                [(&[1, 1][..], 3), (&[1, 1, 1][..], 2), (&[1, 1, 0, 1][..], 4), (&[0, 1][..], 1), (&[1][..], 1)];
            for count in 0..=powers.len() {
                let mut moduli = Vec::new();
                for (base, exponent) in &powers[..count] {
                    let base = ring.poly(base).unwrap();
                    let power = (0..*exponent).fold(ring.one().unwrap(), |power, _| ring.mul(&power, &base).unwrap());
                    moduli.push(power);
                }
                let degree: usize = moduli.iter().map(|m| m.degree().unwrap()).sum();
                let tree = ring.moduli(moduli).unwrap();
                let f = ring.random(degree, 3).unwrap();
                let remainders = ring.remainders(&f, &tree).unwrap();
                for (i, r) in remainders.iter().enumerate() {
                    assert!(ring.equal(r, &ring.rem(&f, tree.modulus(i).unwrap()).unwrap()).unwrap(), "{i} of {count}");
                }
                let back = ring.chinese_remainder(&remainders, &tree).unwrap();
                assert!(ring.equal(&back, &f).unwrap(), "{count} moduli mod {p}");
            }
            let shared = ring.moduli(vec![ring.poly(&[0, 1]).unwrap(), ring.poly(&[0, 1, 1]).unwrap()]).unwrap();
            let zeros = [ring.zero().unwrap(), ring.zero().unwrap()];
            assert_eq!(ring.chinese_remainder(&zeros, &shared).unwrap_err(), PolyError::NotCoprime { index: 0 });
            let error = ring.chinese_remainder(&zeros[..1], &shared).unwrap_err();
            assert_eq!(error, PolyError::Remainders { moduli: 2, remainders: 1 });
            let error = ring.moduli(vec![ring.one().unwrap(), ring.zero().unwrap()]).unwrap_err();
            assert_eq!(error, PolyError::ZeroDivisorAt { index: 1 });
        }
    }
}

#[test]
fn trees_keep_few_words() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        for log in 7..25 {
            assert!(ring.tree_words(1 << log) <= (log + 6) << log, "2^{log}");
        }
        assert_eq!(ring.tree_words((1 << 20) - 1), ring.tree_words(1 << 20));
        assert_eq!(ring.tree_words(0), ring.tree_words(1));
    }
}

#[test]
fn wrong_values_do_not_pass() {
    let ring = PolyRing::new(&manycore_device::Device::host(), short(469_762_049)).unwrap();
    let (f, points) = (ring.random(300, 1).unwrap(), (1..200).collect::<Vec<u32>>());
    let tree = ring.tree(&points).unwrap();
    let mut values = ring.evaluate_at(&f, &tree).unwrap();
    assert!(ring.verify_values(&f, tree.points(), &values, 1).unwrap());
    let shifted: Vec<u32> = values.download().unwrap().iter().map(|v| (v + 1) % 469_762_049).collect();
    values.write(&shifted).unwrap();
    assert!(!ring.verify_values(&f, tree.points(), &values, 1).unwrap());
}

struct CheckedValues;

impl Check for CheckedValues {
    /// Lengths past those that are computed again, with points that repeat, and those of polynomials of degree below the field's
    /// order; each of some places wrong.
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let (field, p) = (ring.field(), ring.field().order());
        for (len, count) in [(700, 600), (600, 2100), (9000, 40)] {
            let f = ring.random(len, 1).unwrap();
            let points: Vec<F::Element> =
                (0..count as u64).map(|i| F::Element::from_u64(i.wrapping_mul(0x9e37_79b9) % p)).collect();
            let mut values = ring.evaluate_many(&f, &points).unwrap();
            let words = ring.coefficients(&f).unwrap();
            let is_right = |values: &[F::Element]| match ring.check_values(&words, &points, values, 5) {
                Ok(passed) => {
                    assert!(passed.chance.log2().is_some_and(|log2| log2 <= -64.0), "{len} {count} mod {p}");
                    true
                }
                Err(PolyError::Check(error)) if error.is_wrong() => false,
                Err(error) => panic!("{error}"),
            };
            assert!(is_right(&values), "{len} {count} mod {p}");
            for place in [0, 1, count / 2, count - 1] {
                let kept = values[place];
                values[place] = field.add(kept, field.one());
                assert!(!is_right(&values), "{len} {count} mod {p}: {place}");
                values[place] = kept;
            }
        }
    }
}

#[test]
fn many_values_are_checked_without_computing_them_again() {
    for p in [2, 3, 7, 9001, 469_762_049] {
        CheckedValues.check(&PolyRing::new(&manycore_device::Device::host(), short(p)).unwrap());
    }
    let field = long(4_611_686_009_971_671_041);
    CheckedValues.check(&PolyRing::new(&manycore_device::Device::host(), field).unwrap());
    CheckedValues.check(&PolyRing::new(&manycore_device::Device::host(), Goldilocks).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// On the host: evaluation undoes interpolation, for any number of points.
    #[test]
    fn evaluation_undoes_interpolation(count in 0usize..700, seed in any::<u64>()) {
        let ring = PolyRing::new(&manycore_device::Device::host(), short(469_762_049)).unwrap();
        let points: Vec<u32> = (0..count as u64).map(|i| (i.wrapping_mul(seed | 1) % 469_762_049) as u32).collect();
        let distinct: std::collections::BTreeSet<_> = points.iter().collect();
        prop_assume!(distinct.len() == count);
        let values = ring.field().sum(&points);
        let values: Vec<u32> = points.iter().map(|&u| ring.field().add(ring.field().mul(u, u), values)).collect();
        let tree = ring.tree(&points).unwrap();
        let f = ring.interpolate(&tree, &ring.device().upload(&values).unwrap()).unwrap();
        prop_assert!(f.len() <= count);
        prop_assert_eq!(ring.evaluate_at(&f, &tree).unwrap().download().unwrap(), values);
    }
}

//! Resultants, discriminants and subresultants through the public functions on the host and every OpenCL device: worked examples,
//! determinants, laws, edges.

use crate::common::{Check, elements, few_rings, long, short, small, stripped};
use manycore_device::Device;
use manycore_field::{Goldilocks, Ring as _, Semiring as _};
use manycore_poly::multiply::reference::multiply;
use manycore_poly::resultant::reference;
use manycore_poly::{PolyError, PolyField, PolyRing};
use manycore_testkit::devices;
use proptest::prelude::*;

/// The examples of chapters 9 and 11 of the specification.
#[test]
fn worked_examples() {
    for device in devices() {
        for p in [9001, 469_762_049] {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let (f, g) = (ring.poly(&[1, 2, 3]).unwrap(), ring.poly(&[4, 5, 6, 7]).unwrap());
            assert_eq!(ring.resultant(&f, &g).unwrap(), 256, "{device:?} mod {p}");
            assert_eq!(ring.resultant(&g, &f).unwrap(), 256, "{device:?} mod {p}");
        }
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let (f, g) = (ring.poly(&[1, 0, 1]).unwrap(), ring.poly(&[3, 1]).unwrap());
        assert_eq!(ring.resultant(&f, &g).unwrap(), 3, "{device:?}");
        // F = x y^2 + y + 1 and G = 2 y^3 + 1 at x = 0.
        let ring = PolyRing::new(&device, short(9001)).unwrap();
        let (f, g) = (ring.poly(&[1, 1]).unwrap(), ring.poly(&[1, 0, 0, 2]).unwrap());
        assert_eq!(ring.resultant(&f, &g).unwrap(), 9000);
        assert_eq!(ring.resultant_formal(&f, 2, &g, 3).unwrap(), 2);
    }
}

/// Polynomials of these lengths, dense and sparse.
struct Lengths(Vec<(usize, usize)>);

impl Check for Lengths {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for &(n, m) in &self.0 {
            for thin in [false, true] {
                let make = |len: usize, salt: u64| {
                    let mut f = elements(field, len, salt);
                    let last = f.len().saturating_sub(1);
                    f.iter_mut().enumerate().filter(|(i, _)| thin && i % 7 != 0 && *i != last).for_each(|(_, c)| {
                        *c = field.zero();
                    });
                    stripped(field, f)
                };
                let (a, b) = (make(n, 1), make(m, 2));
                let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
                let name = format!("{n} and {m} mod {} on {:?}", field.order(), ring.device());
                let value = ring.resultant(&f, &g).unwrap();
                let expected = match (a.len(), b.len()) {
                    (0, _) | (_, 0) => field.zero(),
                    (n, m) => reference::resultant(field, (&a, n - 1), (&b, m - 1)),
                };
                assert!(value == expected, "resultant of {name}");
                assert!(ring.verify_resultant(&f, &g, value, 3).unwrap(), "verification of {name}");
                let wrong = field.add(value, field.one());
                assert!(!ring.verify_resultant(&f, &g, wrong, 3).unwrap(), "verification of {name}");
            }
        }
    }
}

#[test]
fn resultants_are_determinants() {
    for device in devices() {
        let tiny = vec![(0, 0), (0, 1), (1, 0), (1, 1), (1, 5), (5, 1), (2, 2), (3, 8), (8, 3), (20, 21), (40, 40)];
        if small(&device) {
            few_rings(&device, &mut Lengths([tiny, vec![(80, 75), (150, 140)]].concat()));
            continue;
        }
        let mut lengths = Lengths([tiny, vec![(127, 128), (128, 128), (130, 129), (260, 255), (300, 40)]].concat());
        for p in [2, 3, 7, 9001, 469_762_049] {
            lengths.check(&PolyRing::new(&device, short(p)).unwrap());
        }
        lengths.check(&PolyRing::new(&device, long(crate::common::LONG)).unwrap());
        lengths.check(&PolyRing::new(&device, Goldilocks).unwrap());
    }
}

#[test]
fn formal_degrees_are_those_of_the_matrix() {
    for device in devices() {
        for p in [2, 3, 7] {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let field = ring.field();
            let polynomials: Vec<Vec<u32>> =
                vec![vec![], vec![1], vec![p - 1], vec![1, 1], vec![0, 1, 1], vec![1, 0, 0, 1], vec![1, p - 1, 0, 1]];
            for a in &polynomials {
                for b in &polynomials {
                    for (e, h) in [(0, 0), (1, 0), (0, 1), (2, 0), (0, 3), (1, 1)] {
                        let (m, n) = (a.len().saturating_sub(1) + e, b.len().saturating_sub(1) + h);
                        let (f, g) = (ring.poly(a).unwrap(), ring.poly(b).unwrap());
                        let expected = reference::resultant(field, (a, m), (b, n));
                        let value = ring.resultant_formal(&f, m, &g, n).unwrap();
                        assert_eq!(value, expected, "{a:?} as {m} and {b:?} as {n} mod {p}");
                    }
                }
            }
        }
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let (f, one) = (ring.poly(&[1, 2, 3]).unwrap(), ring.one().unwrap());
        let error = ring.resultant_formal(&f, 1, &one, 0).unwrap_err();
        assert_eq!(error, PolyError::FormalDegree { len: 3, degree: 1 });
        let other = PolyRing::new(&device, short(3)).unwrap().one().unwrap();
        assert_eq!(ring.resultant(&f, &other).unwrap_err(), PolyError::MixedRings { expected: 7, given: 3 });
    }
}

/// Multiplicative in each argument, with the sign of exchanged rows; sizes past those of determinants.
#[test]
fn large_resultants_obey_the_laws() {
    for device in devices() {
        let len = if small(&device) { 160 } else { 1500 };
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        let field = ring.field();
        let make = |len: usize, salt: u64| ring.poly(&elements(field, len, salt)).unwrap();
        let (f, g, h) = (make(len + 1, 1), make(len, 2), make(len / 3, 3));
        let [fg, fh] = [&g, &h].map(|g| ring.resultant(&f, g).unwrap());
        let product = ring.resultant(&f, &ring.mul(&g, &h).unwrap()).unwrap();
        assert_eq!(product, field.mul(fg, fh), "{device:?}");
        assert!(ring.verify_resultant(&f, &g, fg, 1).unwrap());
        // A common factor.
        let (fh, gh) = (ring.mul(&f, &h).unwrap(), ring.mul(&g, &h).unwrap());
        assert_eq!(ring.resultant(&fh, &gh).unwrap(), 0);
        assert!(ring.verify_resultant(&fh, &gh, 0, 1).unwrap());
        // x^n - 1 and x^m - 1 are both zero at 1; x^n and x^m + 2 have the resultant 2^n.
        let (n, m) = (len, len / 2 + 1);
        let power = ring.monomial(n).unwrap();
        let shifted = ring.add(&ring.monomial(m).unwrap(), &ring.constant(2).unwrap()).unwrap();
        assert_eq!(ring.resultant(&power, &shifted).unwrap(), field.power(2, n as u64), "{device:?}");
        let [a, b] = [n, m].map(|n| ring.sub(&ring.monomial(n).unwrap(), &ring.one().unwrap()).unwrap());
        assert_eq!(ring.resultant(&a, &b).unwrap(), 0);
    }
}

#[test]
fn discriminants_are_those_of_the_roots() {
    for device in devices() {
        for p in [2, 3, 7, 9001] {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let field = ring.field();
            let of = |f: &[u32]| ring.discriminant(&ring.poly(f).unwrap()).unwrap();
            assert_eq!((of(&[]), of(&[1]), of(&[1, 1])), (0, 0, 1));
            // Of c (x - r_1) ... (x - r_n): c^(2 n - 2) times the product of squared differences.
            for n in 2..=7u64 {
                let roots: Vec<u32> = (0..n).map(|i| ((i * i * 5 + i + 1) % u64::from(p)) as u32).collect();
                let c = 1 + (n as u32) % (p - 1);
                let factor = |f: Vec<u32>, &r: &u32| multiply(field, &f, &[field.neg(r), 1]);
                let f = roots.iter().fold(vec![c], factor);
                let mut expected = field.power(c, 2 * n - 2);
                for (i, &r) in roots.iter().enumerate() {
                    for &s in &roots[..i] {
                        let difference = field.sub(r, s);
                        expected = field.mul(expected, field.mul(difference, difference));
                    }
                }
                assert_eq!(of(&f), expected, "degree {n} mod {p} on {device:?}");
            }
            // b^2 - 4 a c, also where the derivative is constant, or zero.
            for (a, b, c) in [(1, 1, 1), (1, 0, 1), (p - 1, 1, 0)] {
                let four = field.natural(4);
                let expected = field.sub(field.mul(b, b), field.mul(four, field.mul(a, c)));
                assert_eq!(of(&[c, b, a]), expected, "{a} {b} {c} mod {p}");
            }
            // x^p - x has all elements as roots: its derivative is -1.
            if p < 10 {
                let mut f = vec![0; p as usize + 1];
                (f[1], f[p as usize]) = (p - 1, 1);
                assert_ne!(of(&f), 0, "mod {p}");
            }
        }
    }
}

struct Chains(Vec<(usize, usize, usize)>);

impl Check for Chains {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for &(n, m, gap) in &self.0 {
            let make = |len: usize, salt: u64| {
                let mut f = elements(field, len, salt);
                let last = f.len().saturating_sub(1);
                f.iter_mut()
                    .enumerate()
                    .filter(|(i, _)| i % gap != 0 && *i != last)
                    .for_each(|(_, c)| *c = field.zero());
                f
            };
            let (a, b) = (make(n, 1), make(m, 2));
            let chain = ring.subresultants(&ring.poly(&a).unwrap(), &ring.poly(&b).unwrap()).unwrap();
            assert_eq!(chain.len(), n.min(m) - 1);
            for (k, found) in chain.iter().enumerate() {
                let expected = stripped(field, reference::subresultant(field, &a, &b, k));
                let name = format!("S_{k} of {n} and {m} mod {} on {:?}", field.order(), ring.device());
                assert!(ring.coefficients(found).unwrap() == expected, "{name}");
            }
        }
    }
}

#[test]
fn subresultants_are_determinants() {
    for device in devices() {
        let mut chains = Chains(vec![(2, 2, 1), (3, 2, 1), (2, 4, 1), (7, 6, 1), (6, 8, 1), (9, 9, 3), (12, 5, 4)]);
        if small(&device) {
            chains.check(&PolyRing::new(&device, short(7)).unwrap());
            continue;
        }
        for p in [2, 3, 7, 9001, 469_762_049] {
            chains.check(&PolyRing::new(&device, short(p)).unwrap());
        }
        chains.check(&PolyRing::new(&device, long(crate::common::LONG)).unwrap());
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let (one, zero) = (ring.one().unwrap(), ring.zero().unwrap());
        let f = ring.poly(&[1, 2, 1]).unwrap();
        assert!(ring.subresultants(&f, &one).unwrap().is_empty() && ring.subresultants(&zero, &f).unwrap().is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// For small primes, where degrees drop often and factors are common.
    #[test]
    fn random_resultants(p in prop::sample::select(vec![2u32, 3, 7]), a in prop::collection::vec(0u32..7, 0..14),
                         b in prop::collection::vec(0u32..7, 0..14)) {
        let field = short(p);
        let ring = PolyRing::new(&Device::host(), field).unwrap();
        let [a, b] = [a, b].map(|f| stripped(&field, f.into_iter().map(|c| c % p).collect()));
        let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
        if let (Some(m), Some(n)) = (f.degree(), g.degree()) {
            let expected = reference::resultant(&field, (&a, m), (&b, n));
            prop_assert_eq!(ring.resultant(&f, &g).unwrap(), expected);
            prop_assert!(ring.verify_resultant(&f, &g, expected, 9).unwrap());
            for (k, found) in ring.subresultants(&f, &g).unwrap().iter().enumerate() {
                let expected = stripped(&field, reference::subresultant(&field, &a, &b, k));
                prop_assert_eq!(ring.coefficients(found).unwrap(), expected, "S_{} of {:?} and {:?}", k, &a, &b);
            }
        }
    }
}

//! Polynomials and their linear operations through the public functions on the host: definitions, values at points, and
//! what is refused.

use crate::common::{Check, elements, every_ring, long, poly, short, stripped};
use manycore_device::{Device, DeviceError};
use manycore_field::{Field as _, Goldilocks, ModularField as _, NotPrime, OutOfRange, PrimeField};
use manycore_poly::{Batch, PolyError, PolyField, PolyRing, evaluate, linear};
use manycore_testkit::devices;

struct Linear;

impl Check for Linear {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for (n, m) in [(0, 0), (1, 0), (1, 1), (2, 5), (33, 32), (70_000, 40_000)] {
            let (a, b) = (elements(field, n, 1), elements(field, m, 2));
            let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
            let is = |f: manycore_poly::Poly<F>, expected: Vec<F::Element>, what: &str| {
                let expected = stripped(field, expected);
                assert_eq!(f.len(), expected.len(), "{what} of {n} and {m} mod {}", field.order());
                assert!(ring.coefficients(&f).unwrap() == expected, "{what} of {n} and {m} mod {}", field.order());
            };
            let negative: Vec<_> = b.iter().map(|&c| field.neg(c)).collect();
            is(ring.add(&f, &g).unwrap(), linear::reference::add(field, &a, &b), "sum");
            is(ring.sub(&f, &g).unwrap(), linear::reference::add(field, &a, &negative), "difference");
            is(ring.neg(&g).unwrap(), negative, "negative");
            is(ring.derivative(&f).unwrap(), linear::reference::derivative(field, &a), "derivative");
            let c = field.add(field.one(), field.one());
            if field.order() > 2 {
                is(ring.scale(&f, c).unwrap(), a.iter().map(|&x| field.mul(c, x)).collect(), "multiple");
            }
            assert!(ring.scale(&f, field.zero()).unwrap().is_zero());
            let mut shifted = vec![field.zero(); m];
            shifted.extend(&a);
            is(ring.shift_up(&f, m).unwrap(), shifted, "shift up");
            is(ring.shift_down(&f, m).unwrap(), a.get(m..).unwrap_or_default().to_vec(), "shift down");
            is(ring.truncate(&f, m).unwrap(), a[..m.min(n)].to_vec(), "truncation");
            let mut reversed = a.clone();
            reversed.resize(n + m + 1, field.zero());
            reversed.reverse();
            is(ring.reverse(&f, n + m).unwrap(), reversed, "reversal");
            assert!(ring.sub(&f, &f).unwrap().is_zero());
            assert_eq!(f.degree(), n.checked_sub(1));
            assert_eq!(ring.leading(&f).unwrap(), a.last().copied());
            assert_eq!(ring.coefficient(&f, n).unwrap(), field.zero());
        }
    }
}

#[test]
fn linear_operations_equal_their_definitions() {
    every_ring(&Device::host(), &mut Linear);
    every_ring(&Device::host_with(1).unwrap(), &mut Linear);
}

#[test]
fn leading_zeros_are_dropped() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        assert_eq!(ring.poly(&[0, 3, 0, 0]).unwrap().degree(), Some(1));
        assert!(ring.poly(&[0, 0]).unwrap().is_zero());
        let buffer = device.upload(&[0u32, 5, 0, 0, 0]).unwrap();
        assert_eq!(ring.from_buffer(buffer).unwrap().len(), 2);
        // The leading coefficients cancel, or the degree is a multiple of the characteristic.
        let (f, g) = (ring.poly(&[1, 2, 3]).unwrap(), ring.poly(&[1, 5, 4]).unwrap());
        assert_eq!(ring.coefficients(&ring.add(&f, &g).unwrap()).unwrap(), [2]);
        assert!(ring.derivative(&ring.monomial(7).unwrap()).unwrap().is_zero());
        assert_eq!(ring.derivative(&ring.monomial(8).unwrap()).unwrap().degree(), Some(7));
        assert_eq!(ring.reverse(&ring.monomial(3).unwrap(), 3).unwrap().degree(), Some(0));
    }
}

#[test]
fn random_polynomials_are_the_same_everywhere_and_look_random() {
    let host = PolyRing::new(&Device::host_with(1).unwrap(), long(crate::common::LONGEST)).unwrap();
    let expected = host.coefficients(&host.random(100_000, 7).unwrap()).unwrap();
    for device in devices() {
        let ring = PolyRing::new(&device, long(crate::common::LONGEST)).unwrap();
        assert!(ring.coefficients(&ring.random(100_000, 7).unwrap()).unwrap() == expected, "{device:?}");
        assert!(!ring.equal(&ring.random(100, 7).unwrap(), &ring.random(100, 8).unwrap()).unwrap());
        assert!(ring.random(0, 1).unwrap().is_zero());
    }
    let mut distinct = expected.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 100_000);
    // Of 200 polynomials of two coefficients mod 2, about half have degree 1.
    let two = PolyRing::new(&Device::host(), short(2)).unwrap();
    let linear = (0..200).filter(|&seed| two.random(2, seed).unwrap().degree() == Some(1)).count();
    assert!((60..=140).contains(&linear), "{linear}");
}

struct Values;

impl Check for Values {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for n in [0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 70_000] {
            let f = poly(ring, n, 1);
            let a = ring.coefficients(&f).unwrap();
            for x in [field.zero(), field.one(), field.neg(field.one()), elements(field, 8, 3)[6]] {
                let expected = evaluate::reference::evaluate(field, &a, x);
                assert_eq!(ring.evaluate(&f, x).unwrap(), expected, "{n} at {x:?} mod {}", field.order());
            }
        }
    }
}

#[test]
fn values_equal_horner_s_rule() {
    every_ring(&Device::host(), &mut Values);
    every_ring(&Device::host_with(1).unwrap(), &mut Values);
}

/// Fermat: `x^p - x` vanishes everywhere; and `x^(p-1)` is 1 at every element but 0.
#[test]
fn values_of_monomials() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(9001)).unwrap();
        let f = ring.sub(&ring.monomial(9001).unwrap(), &ring.monomial(1).unwrap()).unwrap();
        for x in [0, 1, 2, 4500, 9000] {
            assert_eq!(ring.evaluate(&f, x).unwrap(), 0, "{device:?} at {x}");
        }
        let monomial = ring.monomial(9000).unwrap();
        assert_eq!(ring.evaluate(&monomial, 1234).unwrap(), 1);
        for candidate in ring.explain_evaluate(9001).unwrap().candidates() {
            assert_eq!(
                ring.evaluate_by(&monomial, 1234, candidate.parameters).unwrap(),
                1,
                "{device:?}: {candidate:?}"
            );
            assert_eq!(ring.evaluate_by(&ring.poly(&[0]).unwrap(), 1234, candidate.parameters).unwrap(), 0);
        }
        let blocking = ring.explain_evaluate(9001).unwrap().best().parameters;
        assert!(matches!(ring.evaluate_by(&monomial, 9001, blocking), Err(PolyError::OutOfRange(_))));
        assert_eq!(ring.field().inverse(2), Some(4501));
    }
}

#[test]
fn moduli_that_are_no_primes_have_no_ring() {
    assert_eq!(PrimeField::<u32>::new(0), Err(NotPrime::Zero));
    assert_eq!(PrimeField::<u32>::new(1), Err(NotPrime::One));
    assert_eq!(PrimeField::<u32>::new(10), Err(NotPrime::Even { n: 10 }));
    assert_eq!(PrimeField::<u32>::new(9003), Err(NotPrime::Composite { n: 9003, factor: 3 }));
    assert!(matches!(PrimeField::<u32>::new(4_294_967_291), Err(NotPrime::TooLarge { .. })));
}

#[test]
fn what_is_no_residue_is_refused_with_its_place() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let out = |index, value| PolyError::OutOfRange(OutOfRange { index, value, modulus: 7 });
        assert_eq!(ring.poly(&[1, 2, 7, 9]).unwrap_err(), out(2, 7));
        assert_eq!(ring.constant(8).unwrap_err(), out(0, 8));
        assert_eq!(ring.evaluate(&ring.one().unwrap(), 7).unwrap_err(), out(0, 7));
        assert_eq!(ring.scale(&ring.one().unwrap(), 9).unwrap_err(), out(0, 9));
        assert_eq!(ring.batch(&[1, 7], 1, 2).unwrap_err(), out(1, 7));
        let goldilocks = PolyRing::new(&device, Goldilocks).unwrap();
        assert!(matches!(goldilocks.poly(&[u64::MAX]).unwrap_err(), PolyError::OutOfRange(_)));
        assert!(goldilocks.poly(&[Goldilocks.order() - 1]).is_ok());
    }
}

#[test]
fn rings_and_devices_do_not_mix() {
    let (one, other) = (Device::host(), Device::host_with(1).unwrap());
    let ring = PolyRing::new(&one, short(7)).unwrap();
    let mod_nine = PolyRing::new(&one, short(9001)).unwrap();
    let elsewhere = PolyRing::new(&other, short(7)).unwrap();
    let (f, g, h) = (poly(&ring, 3, 1), poly(&mod_nine, 3, 1), poly(&elsewhere, 3, 1));
    let mixed = PolyError::MixedRings { expected: 7, given: 9001 };
    assert_eq!(ring.mul(&f, &g).unwrap_err(), mixed);
    assert_eq!(ring.add(&g, &f).unwrap_err(), mixed);
    assert_eq!(ring.coefficients(&g).unwrap_err(), mixed);
    assert_eq!(ring.evaluate(&g, 1).unwrap_err(), mixed);
    assert_eq!(ring.equal(&f, &g).unwrap_err(), mixed);
    assert_eq!(ring.verify_product(&f, &f, &g, 1).unwrap_err(), mixed);
    for error in [ring.mul(&f, &h).unwrap_err(), ring.sub(&h, &f).unwrap_err(), ring.derivative(&h).unwrap_err()] {
        assert!(matches!(error, PolyError::Device(DeviceError::MixedDevices { .. })), "{error}");
    }
    let error = ring.from_buffer(other.upload(&[1u32]).unwrap()).unwrap_err();
    assert!(matches!(error, PolyError::Device(DeviceError::MixedDevices { .. })), "{error}");
    let batch: Batch<_> = mod_nine.batch(&[1, 2], 1, 2).unwrap();
    let own = ring.batch(&[1, 2], 1, 2).unwrap();
    assert_eq!(ring.mul_batch(&own, &batch).unwrap_err(), mixed);
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let ring = PolyRing::new(&Device::host(), short(7)).unwrap();
    let f = poly(&ring, 3, 1);
    assert_eq!(ring.reverse(&f, 1).unwrap_err(), PolyError::Degree { len: 3, degree: 1 });
    assert_eq!(ring.shift_up(&f, usize::MAX).unwrap_err(), PolyError::TooLong { what: "a shifted polynomial" });
    assert_eq!(ring.reverse(&f, usize::MAX).unwrap_err(), PolyError::TooLong { what: "a reversed polynomial" });
    let error = ring.monomial(1 << 60).unwrap_err();
    assert!(matches!(error, PolyError::Device(DeviceError::OutOfMemory { .. })), "{error}");
    #[allow(clippy::reversed_empty_ranges)]
    let error = ring.mul_middle(&f, &f, 2..1).unwrap_err();
    assert_eq!(error, PolyError::Range { start: 2, end: 1 });
    assert_eq!(ring.batch(&[1, 2, 3], 2, 2).unwrap_err(), PolyError::Batch { given: 3, count: 2, len: 2 });
    let (one, two) = (ring.batch(&[1, 2], 1, 2).unwrap(), ring.batch(&[1, 2], 2, 1).unwrap());
    assert!(matches!(ring.mul_batch(&one, &two).unwrap_err(), PolyError::Batch { .. }));
}

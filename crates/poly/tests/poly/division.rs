//! Division with remainder through the public functions on the host and every OpenCL device: worked examples, laws, edges.

use crate::common::{Check, LONG, elements, few_rings, long, poly, short, small, stripped};
use manycore_device::{Device, Executor};
use manycore_field::{Goldilocks, ResidueWord as _};
use manycore_poly::divide::reference;
use manycore_poly::{DivisionAlgorithm, DivisionPlan, PolyError, PolyField, PolyRing};
use manycore_testkit::devices;
use proptest::prelude::*;

/// The examples of chapter 9 of the specification.
#[test]
fn worked_examples() {
    type Case<'a> = (u32, &'a [u32], &'a [u32], &'a [u32], &'a [u32]);
    let cases: [Case<'_>; 3] = [
        (9001, &[1, 2, 3, 4, 5, 6, 7, 8], &[3, 1, 4, 1], &[1525, 8615, 98, 8976, 8], &[4427, 8636, 2996]),
        (7, &[1, 0, 0, 0, 0, 0, 0, 1], &[1, 0, 0, 1], &[0, 6, 0, 0, 1], &[1, 1]),
        (469_762_049, &[1, 0, 0, 0, 0, 0, 0, 1], &[1, 0, 0, 1], &[0, 469_762_048, 0, 0, 1], &[1, 1]),
    ];
    for device in devices() {
        for (p, a, b, quotient, remainder) in cases {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let (q, r) = ring.div_rem(&ring.poly(a).unwrap(), &ring.poly(b).unwrap()).unwrap();
            assert_eq!(ring.coefficients(&q).unwrap(), quotient, "{device:?} mod {p}");
            assert_eq!(ring.coefficients(&r).unwrap(), remainder, "{device:?} mod {p}");
        }
    }
}

/// Lengths around the base of Newton's iteration and its steps, short quotients, short divisors.
const SIZES: [(usize, usize); 14] = [
    (0, 1),
    (1, 1),
    (1, 2),
    (2, 1),
    (5, 5),
    (33, 2),
    (63, 32),
    (64, 32),
    (97, 33),
    (200, 190),
    (301, 100),
    (700, 65),
    (1000, 501),
    (1500, 300),
];

/// Whether quotient and remainder, given by their coefficients, are those of the definition.
fn is_division<F: PolyField>(
    ring: &PolyRing<F>,
    [a, b]: [&[F::Element]; 2],
    (q, r): &(manycore_poly::Poly<F>, manycore_poly::Poly<F>),
    name: &str,
) {
    let (quotient, remainder) = reference::divide(ring.field(), a, b).unwrap();
    let name = format!("{name}, {} by {}, {} mod {}", a.len(), b.len(), ring.arithmetic(), ring.field().order());
    assert!(ring.coefficients(q).unwrap() == stripped(ring.field(), quotient), "quotient of {name}");
    assert!(ring.coefficients(r).unwrap() == remainder, "remainder of {name}");
}

struct Lengths;

impl Check for Lengths {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let sizes = if small(ring.device()) { &SIZES[5..11] } else { &SIZES[..] };
        for &(n, m) in sizes {
            let (a, b) = (elements(ring.field(), n, 1), elements(ring.field(), m, 2));
            let (f, g) = (poly(ring, n, 1), poly(ring, m, 2));
            let both = ring.div_rem(&f, &g).unwrap();
            is_division(ring, [&a, &b], &both, "chosen");
            assert!(ring.equal(&ring.div(&f, &g).unwrap(), &both.0).unwrap(), "{n} by {m}");
            assert!(ring.equal(&ring.rem(&f, &g).unwrap(), &both.1).unwrap(), "{n} by {m}");
            let divisor = ring.divisor(g).unwrap();
            // The second time with the inverse that is there, the third time with a longer one.
            for k in [0, 0, 40] {
                let f = ring.add(&f, &ring.monomial(n + k).unwrap()).unwrap();
                let a = ring.coefficients(&f).unwrap();
                let both = ring.div_rem_with(&f, &divisor).unwrap();
                is_division(ring, [&a, &b], &both, "kept");
                assert!(ring.equal(&ring.div_with(&f, &divisor).unwrap(), &both.0).unwrap(), "{n} by {m}");
                assert!(ring.equal(&ring.rem_with(&f, &divisor).unwrap(), &both.1).unwrap(), "{n} by {m}");
            }
        }
    }
}

#[test]
fn divisions_equal_the_definition() {
    for device in devices() {
        few_rings(&device, &mut Lengths);
    }
}

/// Plans of every algorithm that a device has.
fn plans(device: &Device) -> Vec<DivisionPlan> {
    let first = match device.executor() {
        Executor::Host(_) => vec![DivisionPlan::Plain { head: 1 }, DivisionPlan::Plain { head: 32 }],
        Executor::OpenCl(_) => vec![DivisionPlan::SHead { s: 32, group: 16, each: 4 }],
    };
    let blocks = [1000, 100, 33, 7].map(|block| DivisionPlan::Newton { block });
    first.into_iter().chain(blocks).collect()
}

struct Plans;

impl Check for Plans {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for (n, m) in [(1, 1), (40, 40), (90, 31), (300, 150), (301, 3), (64, 1), (260, 129)] {
            // Sparse polynomials have quotients with zeros within.
            let sparse = |len: usize| -> Vec<F::Element> {
                let word = |i: usize| F::Element::from_u64(u64::from(i + 1 == len || i == 0 || i == len / 2));
                (0..len).map(word).collect()
            };
            for (a, b) in [
                (elements(field, n, 1), elements(field, m, 2)),
                (sparse(n), sparse(m)),
                (elements(field, n, 3), sparse(m)),
            ] {
                let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
                for plan in plans(ring.device()) {
                    if small(ring.device()) && n > 100 && matches!(plan, DivisionPlan::Newton { block: 7 }) {
                        continue;
                    }
                    is_division(ring, [&a, &b], &ring.div_rem_by(&f, &g, &plan).unwrap(), &plan.to_string());
                }
            }
        }
    }
}

#[test]
fn every_plan_equals_the_definition() {
    for device in devices() {
        for p in if small(&device) { vec![7, 469_762_049] } else { vec![2, 3, 7, 9001, 469_762_049] } {
            Plans.check(&PolyRing::new(&device, short(p)).unwrap());
        }
        Plans.check(&PolyRing::new(&device, long(LONG)).unwrap());
        if !small(&device) {
            Plans.check(&PolyRing::new(&device, Goldilocks).unwrap());
        }
    }
}

fn verify_long<F: PolyField>(ring: &PolyRing<F>, sizes: &[(usize, usize)]) {
    for &(n, m) in sizes {
        let (a, b) = (poly(ring, n, 1), poly(ring, m, 2));
        let len = n - m + 1;
        let newton = [len, len.div_ceil(2), m].map(|block| DivisionPlan::Newton { block });
        let both = ring.div_rem(&a, &b).unwrap();
        assert!(ring.verify_division(&a, &b, &both.0, &both.1, 5).unwrap(), "{n} by {m}");
        for plan in newton {
            let (q, r) = ring.div_rem_by(&a, &b, &plan).unwrap();
            assert!(ring.equal(&q, &both.0).unwrap(), "quotient of {n} by {m}, {plan}");
            assert!(ring.equal(&r, &both.1).unwrap(), "remainder of {n} by {m}, {plan}");
        }
        let product = ring.mul(&both.0, &b).unwrap();
        assert!(ring.equal(&ring.div_exact(&product, &b).unwrap(), &both.0).unwrap());
    }
}

/// Products by transforms, cyclic ones among them, which short divisions do not take.
#[test]
fn long_divisions_are_verified() {
    for device in devices() {
        let sizes = if small(&device) {
            vec![(4000, 2000)]
        } else {
            vec![(4000, 2000), (4097, 2049), (10_000, 1000), (9000, 8500), (20_000, 4096)]
        };
        verify_long(&PolyRing::new(&device, short(469_762_049)).unwrap(), &sizes);
        if !small(&device) {
            verify_long(&PolyRing::new(&device, short(9001)).unwrap(), &sizes[..2]);
            verify_long(&PolyRing::new(&device, Goldilocks).unwrap(), &sizes[..3]);
        }
    }
}

#[test]
fn series_are_inverted() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(9001)).unwrap();
        for (len, n) in [(1, 1), (1, 70), (2, 33), (3, 200), (100, 100), (300, 65), (65, 300)] {
            let f = ring.reverse(&poly(&ring, len, 3), len - 1).unwrap();
            let inverse = ring.inverse_series(&f, n).unwrap();
            assert!(ring.equal(&ring.mul_short(&f, &inverse, n).unwrap(), &ring.one().unwrap()).unwrap(), "{len} {n}");
        }
        assert!(ring.inverse_series(&ring.one().unwrap(), 0).unwrap().is_zero());
        for f in [ring.zero().unwrap(), ring.monomial(1).unwrap()] {
            assert_eq!(ring.inverse_series(&f, 5).unwrap_err(), PolyError::NoUnit);
        }
    }
}

#[test]
fn bad_input_is_an_error() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let (a, zero) = (ring.poly(&[1, 2]).unwrap(), ring.zero().unwrap());
        assert_eq!(ring.div_rem(&a, &zero).unwrap_err(), PolyError::ZeroDivisor);
        assert_eq!(ring.div(&zero, &zero).unwrap_err(), PolyError::ZeroDivisor);
        assert_eq!(ring.rem(&zero, &zero).unwrap_err(), PolyError::ZeroDivisor);
        assert_eq!(ring.divisor(ring.zero().unwrap()).unwrap_err(), PolyError::ZeroDivisor);
        assert_eq!(ring.explain_division(5, 0).unwrap_err(), PolyError::ZeroDivisor);
        assert_eq!(ring.verify_division(&a, &zero, &a, &a, 1).unwrap_err(), PolyError::ZeroDivisor);
        assert_eq!(ring.div_exact(&a, &ring.poly(&[0, 1]).unwrap()).unwrap_err(), PolyError::NotExact { degree: 0 });
        let other = PolyRing::new(&device, short(3)).unwrap();
        let mixed = PolyError::MixedRings { expected: 7, given: 3 };
        assert_eq!(ring.div_rem(&a, &other.one().unwrap()).unwrap_err(), mixed);
        assert_eq!(ring.div_rem(&other.one().unwrap(), &a).unwrap_err(), mixed);
        assert_eq!(ring.inverse_series(&other.one().unwrap(), 3).unwrap_err(), mixed);
        let divisor = other.divisor(other.one().unwrap()).unwrap();
        assert_eq!(ring.rem_with(&a, &divisor).unwrap_err(), mixed);
        // Dividends that are shorter than the divisor, and zero.
        let b = ring.poly(&[1, 0, 3]).unwrap();
        for a in [&a, &zero] {
            let (q, r) = ring.div_rem(a, &b).unwrap();
            assert!(q.is_zero() && ring.equal(&r, a).unwrap());
        }
        let (q, r) = ring.div_rem(&b, &ring.poly(&[2]).unwrap()).unwrap();
        assert_eq!((ring.coefficients(&q).unwrap(), r.is_zero()), (vec![4, 0, 5], true));
    }
}

#[test]
fn plans_that_a_device_does_not_have_are_refused() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let (a, b) = (poly(&ring, 100, 1), poly(&ring, 40, 2));
        let head = |s, group, each| DivisionPlan::SHead { s, group, each };
        let plans = match device.executor() {
            Executor::Host(_) => {
                vec![head(8, 16, 1), DivisionPlan::Plain { head: 0 }, DivisionPlan::Newton { block: 0 }]
            }
            Executor::OpenCl(_) => vec![
                DivisionPlan::Plain { head: 32 },
                DivisionPlan::Newton { block: 0 },
                head(0, 16, 1),
                head(1 << 20, 16, 1),
                head(8, 0, 1),
                head(8, 1 << 20, 1),
                head(8, 16, 0),
                head(8, 16, 1 << 20),
            ],
        };
        for plan in plans {
            let error = ring.div_rem_by(&a, &b, &plan).unwrap_err();
            let of_it = |error: &PolyError| matches!(error, PolyError::Division { algorithm, .. } if *algorithm == plan.algorithm());
            assert!(of_it(&error), "{plan}: {error}");
        }
    }
}

/// Every algorithm that the device has is a candidate, with a positive estimate.
#[test]
fn choices_are_explained() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        let definition = match device.executor() {
            Executor::Host(_) => DivisionAlgorithm::Plain,
            Executor::OpenCl(_) => DivisionAlgorithm::SHead,
        };
        for (n, m) in [(300, 150), (5000, 70), (1 << 12, 1 << 11)] {
            let choice = ring.explain_division(n, m).unwrap();
            for algorithm in [definition, DivisionAlgorithm::Newton] {
                let mut of_it = choice.candidates().iter().filter(|c| c.parameters.algorithm() == algorithm);
                assert!(of_it.any(|candidate| candidate.estimate.seconds > 0.0), "{algorithm}: {choice}");
            }
            assert!(choice.candidates().len() <= 64, "{choice}");
        }
        // Nothing is divided, and a constant divides.
        for (n, m) in [(0, 1), (3, 5), (5, 1)] {
            assert!(!ring.explain_division(n, m).unwrap().candidates().is_empty());
        }
    }
}

/// Lengths that no memory holds have an estimate or a typed error, in a time that does not grow with them.
#[test]
fn lengths_past_every_memory_are_explained_or_refused() {
    const LENGTHS: [usize; 6] = [1, 1 << 10, (1 << 31) + 1, 1 << 40, 1 << 62, usize::MAX];
    for device in devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        for (n, m) in LENGTHS.into_iter().flat_map(|n| LENGTHS.map(|m| (n, m))) {
            let outcome = ring.explain_division(n, m);
            let is_addressable = n.saturating_add(m) <= isize::MAX as usize / 4;
            match outcome {
                Ok(choice) => assert!(is_addressable && choice.best().estimate.seconds.is_finite(), "{n} by {m}"),
                Err(PolyError::TooLong { .. }) => assert!(!is_addressable, "{n} by {m}"),
                Err(error) => assert!(matches!(error, PolyError::NoChoice(_)), "{n} by {m}: {error}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// `a = b q + r`, with a remainder shorter than the divisor, in small fields where coefficients often vanish.
    #[test]
    fn the_law_of_division(
        p in prop::sample::select(vec![2u32, 3, 7, 9001]),
        a in prop::collection::vec(any::<u32>(), 0..160),
        b in prop::collection::vec(any::<u32>(), 1..90),
        block in 1usize..100,
    ) {
        let ring = PolyRing::new(&Device::host_with(1).unwrap(), short(p)).unwrap();
        let reduced = |words: &[u32]| words.iter().map(|word| word % p).collect::<Vec<u32>>();
        let (a, b) = (ring.poly(&reduced(&a)).unwrap(), ring.poly(&reduced(&b)).unwrap());
        prop_assume!(!b.is_zero());
        for both in [ring.div_rem(&a, &b).unwrap(), ring.div_rem_by(&a, &b, &DivisionPlan::Newton { block }).unwrap()] {
            prop_assert!(both.1.len() < b.len());
            let sum = ring.add(&ring.mul(&both.0, &b).unwrap(), &both.1).unwrap();
            prop_assert!(ring.equal(&sum, &a).unwrap());
        }
    }
}

//! Division with remainder through the public functions on the host and every OpenCL device: worked examples, laws, edges.

mod common;

use common::{Check, elements, few_rings, poly, short, stripped};
use manycore_poly::divide::reference;
use manycore_poly::{PolyError, PolyField, PolyRing};
use manycore_testkit::devices;

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
const SIZES: [(usize, usize); 12] = [
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
    (1000, 501),
];

struct Lengths;

impl Check for Lengths {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        for (n, m) in SIZES {
            let (a, b) = (elements(ring.field(), n, 1), elements(ring.field(), m, 2));
            let (quotient, remainder) = reference::divide(ring.field(), &a, &b).unwrap();
            let (q, r) = ring.div_rem(&poly(ring, n, 1), &poly(ring, m, 2)).unwrap();
            let name = format!("{n} by {m}, {} mod {}", ring.arithmetic(), ring.field().order());
            assert!(ring.coefficients(&q).unwrap() == stripped(ring.field(), quotient), "quotient of {name}");
            assert!(ring.coefficients(&r).unwrap() == remainder, "remainder of {name}");
        }
    }
}

#[test]
fn divisions_equal_the_definition() {
    for device in devices() {
        few_rings(&device, &mut Lengths);
    }
}

#[test]
fn a_zero_divisor_is_an_error() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let (a, zero) = (ring.poly(&[1, 2]).unwrap(), ring.zero().unwrap());
        assert_eq!(ring.div_rem(&a, &zero).unwrap_err(), PolyError::ZeroDivisor);
        assert_eq!(ring.div_exact(&a, &ring.poly(&[0, 1]).unwrap()).unwrap_err(), PolyError::NotExact { degree: 0 });
        let other = PolyRing::new(&device, short(3)).unwrap();
        let error = ring.div_rem(&a, &other.one().unwrap()).unwrap_err();
        assert_eq!(error, PolyError::MixedRings { expected: 7, given: 3 });
    }
}

//! Powers and compositions on the host and every OpenCL device: definitions, values at points, and what is refused.

use crate::common::{Check, WIDE, elements, every_ring, few_rings, long, poly, short, small, stripped};
use manycore_device::{Device, Executor};
use manycore_field::ModularField as _;
use manycore_poly::compose::reference;
use manycore_poly::multiply::reference::multiply;
use manycore_poly::{PolyError, PolyField, PolyRing};
use manycore_testkit::devices;
use proptest::prelude::*;

fn on_every_device(check: &mut impl Check) {
    for device in devices() {
        if matches!(device.executor(), Executor::Host(_)) {
            every_ring(&device, check);
        } else {
            few_rings(&device, check);
        }
    }
}

struct Powers;

impl Check for Powers {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for (len, exponents) in [(0, 0..3), (1, 0..5), (2, 0..9), (5, 6..9), (40, 2..4)] {
            let words = elements(field, len, 1);
            let f = ring.poly(&words).unwrap();
            let mut power = vec![field.one()];
            for exponent in 0..exponents.end {
                if exponents.contains(&exponent) && !(small(ring.device()) && exponent > 6) {
                    let found = ring.coefficients(&ring.pow(&f, exponent).unwrap()).unwrap();
                    assert!(found == stripped(field, power.clone()), "{len}^{exponent} mod {}", field.order());
                    for n in [0, 1, 3, 50, 1000] {
                        // A factor of x comes out.
                        for shift in [0, 2] {
                            let mut low = vec![field.zero(); shift * exponent as usize];
                            low.extend(&power);
                            low.truncate(n);
                            let shifted = ring.shift_up(&f, shift).unwrap();
                            let found = ring.coefficients(&ring.pow_short(&shifted, exponent, n).unwrap()).unwrap();
                            assert!(found == stripped(field, low), "{len}^{exponent} mod x^{n} mod {}", field.order());
                        }
                    }
                }
                power = multiply(field, &power, &words);
            }
            let square = multiply(field, &words, &words);
            let found = ring.coefficients(&ring.square_short(&f, 4).unwrap()).unwrap();
            assert!(found == stripped(field, square[..square.len().min(4)].to_vec()));
        }
    }
}

#[test]
fn powers_equal_repeated_products() {
    on_every_device(&mut Powers);
}

struct Compositions;

impl Check for Compositions {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let many =
            [(0, 3), (1, 3), (2, 0), (2, 1), (2, 2), (3, 4), (15, 3), (16, 2), (17, 3), (33, 4), (50, 2), (4, 30)];
        let few = [(0, 3), (2, 1), (3, 4), (17, 3), (33, 2)];
        for &(n, m) in if small(ring.device()) { &few[..] } else { &many[..] } {
            let (a, b) = (elements(field, n, 1), elements(field, m, 2));
            let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
            let expected = reference::compose(field, &a, &b);
            let place = format!("{n} of {m} mod {} on {:?}", field.order(), ring.device());
            let found = ring.compose(&f, &g).unwrap();
            assert!(ring.coefficients(&found).unwrap() == stripped(field, expected.clone()), "{place}");
            for len in [0, 1, 2, 9, 70] {
                let found = ring.coefficients(&ring.compose_short(&f, &g, len).unwrap()).unwrap();
                let low = expected[..expected.len().min(len)].to_vec();
                assert!(found == stripped(field, low), "{place}, mod x^{len}");
                // Of a series without constant term, only the lowest coefficients of f count.
                let none = ring.shift_up(&g, 2).unwrap();
                let whole = ring.compose(&f, &none).unwrap();
                let found = ring.compose_short(&f, &none, len).unwrap();
                assert!(ring.equal(&found, &ring.truncate(&whole, len).unwrap()).unwrap(), "{place}, mod x^{len}");
            }
            for degree in [0, 1, 5, 40] {
                let m = ring.divisor(poly(ring, degree + 1, 3)).unwrap();
                let expected = ring.rem_with(&found, &m).unwrap();
                assert!(
                    ring.equal(&ring.compose_mod(&f, &g, &m).unwrap(), &expected).unwrap(),
                    "{place}, mod {degree}"
                );
            }
        }
    }
}

#[test]
fn compositions_equal_horners_rule() {
    on_every_device(&mut Compositions);
}

struct Shifts;

impl Check for Shifts {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let few = small(ring.device());
        for n in [0, 1, 2, 3, 4, 7, 8, 9, 33, 64, 100] {
            if few && ![1, 2, 9, 33].contains(&n) {
                continue;
            }
            let a = elements(field, n, 1);
            let f = ring.poly(&a).unwrap();
            for c in [field.zero(), field.one(), field.neg(field.one()), field.natural(12_345)] {
                let found = ring.taylor_shift(&f, c).unwrap();
                let expected = reference::compose(field, &a, &[c, field.one()]);
                assert!(ring.coefficients(&found).unwrap() == expected, "{n} by {c:?} mod {}", field.order());
                let back = ring.taylor_shift(&found, field.neg(c)).unwrap();
                assert!(ring.equal(&back, &f).unwrap(), "{n} by {c:?} and back mod {}", field.order());
            }
        }
    }
}

#[test]
fn shifts_equal_compositions() {
    on_every_device(&mut Shifts);
}

#[test]
fn long_compositions_have_the_values_of_their_parts() {
    let ring = PolyRing::new(&Device::host(), long(WIDE[4])).unwrap();
    let field = ring.field();
    let (f, g) = (ring.random(3000, 1).unwrap(), ring.random(7, 2).unwrap());
    let h = ring.compose(&f, &g).unwrap();
    assert_eq!(h.degree(), Some(2999 * 6));
    let shifted = ring.taylor_shift(&f, 77).unwrap();
    let m = ring.divisor(ring.random(2500, 3).unwrap()).unwrap();
    let modulo = ring.compose_mod(&f, &g, &m).unwrap();
    assert!(ring.equal(&modulo, &ring.rem_with(&h, &m).unwrap()).unwrap());
    for z in [0, 1, 12_345, field.order() - 1] {
        let value = ring.evaluate(&g, z).unwrap();
        assert_eq!(ring.evaluate(&h, z).unwrap(), ring.evaluate(&f, value).unwrap());
        let at = manycore_field::Semiring::add(field, z, 77);
        assert_eq!(ring.evaluate(&shifted, z).unwrap(), ring.evaluate(&f, at).unwrap());
    }
    assert!(ring.equal(&ring.taylor_shift(&shifted, field.order() - 77).unwrap(), &f).unwrap());
}

#[test]
fn what_no_memory_holds_is_refused() {
    let ring = PolyRing::new(&Device::host(), short(7)).unwrap();
    let f = ring.poly(&[1, 1]).unwrap();
    assert_eq!(ring.pow(&f, u64::MAX).unwrap_err(), PolyError::TooLong { what: "a power" });
    assert_eq!(ring.pow(&f, 1 << 62).unwrap_err(), PolyError::TooLong { what: "a power" });
    // Constants have every power.
    assert_eq!(ring.coefficients(&ring.pow(&ring.poly(&[3]).unwrap(), u64::MAX).unwrap()).unwrap(), [6]);
    assert!(ring.pow_short(&ring.monomial(3).unwrap(), u64::MAX, 9).unwrap().is_zero());
    assert_eq!(ring.pow_short(&f, u64::MAX, 1).unwrap().len(), 1);
    assert!(matches!(ring.taylor_shift(&f, 7), Err(PolyError::OutOfRange(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_compositions_equal_the_definition(
        p in prop::sample::select(vec![2u32, 3, 5, 101, 469_762_049]),
        a in prop::collection::vec(any::<u32>(), 0..50),
        b in prop::collection::vec(any::<u32>(), 0..9),
        c in any::<u32>(),
        n in 0usize..60,
    ) {
        let field = short(p);
        let ring = PolyRing::new(&Device::host(), field).unwrap();
        let reduce = |words: &[u32]| words.iter().map(|word| word % p).collect::<Vec<_>>();
        let (a, b) = (reduce(&a), reduce(&b));
        let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
        let expected = stripped(&field, reference::compose(&field, &a, &b));
        prop_assert_eq!(ring.coefficients(&ring.compose(&f, &g).unwrap()).unwrap(), expected.clone());
        let low = stripped(&field, expected[..expected.len().min(n)].to_vec());
        prop_assert_eq!(ring.coefficients(&ring.compose_short(&f, &g, n).unwrap()).unwrap(), low);
        let shifted = stripped(&field, reference::compose(&field, &a, &[c % p, 1]));
        prop_assert_eq!(ring.coefficients(&ring.taylor_shift(&f, c % p).unwrap()).unwrap(), shifted);
    }
}

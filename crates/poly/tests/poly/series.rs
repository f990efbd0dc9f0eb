//! Power series on the host and every OpenCL device: the recurrences, identities, and what has no answer.

use crate::common::{Check, WIDE, elements, every_ring, few_rings, long, short, small, stripped};
use manycore_device::{Control, Device, DeviceError, Executor};
use manycore_field::{Goldilocks, ResidueWord as _};
use manycore_poly::series::reference;
use manycore_poly::{Poly, PolyError, PolyField, PolyRing};
use manycore_testkit::devices;
use proptest::prelude::*;

/// All rings on the host, few on other devices.
fn on_every_device(check: &mut (impl Check + LongestLength)) {
    for device in devices() {
        if matches!(device.executor(), Executor::Host(_)) {
            check.set(200);
            every_ring(&device, check);
        } else {
            check.set(if small(&device) { 40 } else { 100 });
            few_rings(&device, check);
        }
    }
    check.set(40);
    every_ring(&Device::host_with(1).unwrap(), check);
}

trait LongestLength {
    fn set(&mut self, longest: usize);
}

#[derive(Default)]
struct Recurrences {
    longest: usize,
}

impl LongestLength for Recurrences {
    fn set(&mut self, longest: usize) {
        self.longest = longest;
    }
}

/// Coefficients with this constant term.
fn beginning<F: PolyField>(field: &F, first: F::Element, len: usize, salt: u64) -> Vec<F::Element> {
    let mut words = elements(field, len, salt);
    words[0] = first;
    words
}

fn is<F: PolyField>(ring: &PolyRing<F>, found: Result<Poly<F>, PolyError>, expected: Vec<F::Element>, what: &str) {
    let found = ring.coefficients(&found.unwrap()).unwrap();
    let place = format!("{what} to {} mod {} on {:?}", expected.len(), ring.field().order(), ring.device());
    assert!(found == stripped(ring.field(), expected), "{place}");
}

impl Check for Recurrences {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let (zero, one, p) = (field.zero(), field.one(), field.order());
        for n in [0, 1, 2, 3, 5, 7, 31, 32, 33, 34, 39, 65, 130, 200] {
            if n > self.longest {
                break;
            }
            for len in [1, 2, 9, n + 3] {
                let (a, b) = (elements(field, len, 1), beginning(field, one, len, 2));
                let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
                is(ring, ring.div_series(&f, &g, n), reference::quotient(field, &a, &b, n).unwrap(), "quotient");
                let none = beginning(field, zero, len, 3);
                let nilpotent = ring.poly(&none).unwrap();
                if n as u64 <= p {
                    is(ring, ring.log_series(&g, n), reference::logarithm(field, &b, n).unwrap(), "logarithm");
                    let exponential = reference::exponential(field, &none, n).unwrap();
                    is(ring, ring.exp_series(&nilpotent, n), exponential, "exponential");
                } else {
                    let characteristic = |operation| PolyError::Characteristic { operation, n, p };
                    let logarithm = characteristic("the logarithm of a power series");
                    assert_eq!(ring.log_series(&g, n).unwrap_err(), logarithm);
                    let exponential = characteristic("the exponential of a power series");
                    assert_eq!(ring.exp_series(&nilpotent, n).unwrap_err(), exponential);
                }
                if p > 2 {
                    let root = reference::square_root(field, &b, one, n).unwrap();
                    is(ring, ring.sqrt_series(&g, n), root.clone(), "square root");
                    if n > 0 {
                        let inverse = reference::quotient(field, &[one], &root, n).unwrap();
                        is(ring, ring.inverse_sqrt_series(&g, n), inverse, "inverse of the square root");
                    }
                }
                if n <= 33 && len > 1 {
                    let mut line = none.clone();
                    line[1] = field.neg(one);
                    let expected = reference::reversion(field, &line, n).unwrap();
                    is(ring, ring.reversion(&ring.poly(&line).unwrap(), n), expected, "compositional inverse");
                }
            }
        }
    }
}

#[test]
fn series_equal_their_recurrences() {
    on_every_device(&mut Recurrences::default());
}

#[derive(Default)]
struct Identities {
    longest: usize,
}

impl LongestLength for Identities {
    fn set(&mut self, longest: usize) {
        self.longest = longest;
    }
}

impl Check for Identities {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let n = self.longest.min(usize::try_from(field.order()).unwrap_or(usize::MAX));
        let one = field.one();
        let same = |a: &Poly<F>, b: &Poly<F>| ring.equal(a, b).unwrap();
        let unit = ring.poly(&beginning(field, one, n + 1, 4)).unwrap();
        let low = ring.truncate(&unit, n).unwrap();
        // The exponential of the logarithm, and the logarithm of a product.
        let logarithm = ring.log_series(&unit, n).unwrap();
        assert!(same(&ring.exp_series(&logarithm, n).unwrap(), &low));
        let square = ring.square_short(&unit, n).unwrap();
        let twice = ring.add(&logarithm, &logarithm).unwrap();
        assert!(same(&ring.log_series(&square, n).unwrap(), &twice));
        // The derivative of the integral.
        let f = ring.truncate(&unit, n - 1).unwrap();
        assert!(same(&ring.derivative(&ring.integral(&f).unwrap()).unwrap(), &f));
        // Powers from the field, and their exponents' sums.
        if field.order() > 3 {
            let (a, b) = (field.natural(3), field.neg(field.natural(2)));
            let powers = [ring.pow_series(&unit, a, n).unwrap(), ring.pow_series(&unit, b, n).unwrap()];
            assert!(same(&powers[0], &ring.pow_short(&unit, 3, n).unwrap()));
            assert!(same(&ring.mul_short(&powers[0], &powers[1], n).unwrap(), &low));
        }
        // Roots, also past the characteristic, of series that begin with a power of x, and of either sign.
        let n = self.longest;
        if field.order() > 2 {
            for (power, first) in [(0, one), (6, field.neg(one)), (n - 1, field.natural(2)), (2 * n, one)] {
                let root = ring.shift_up(&ring.poly(&beginning(field, first, n, 5)).unwrap(), power).unwrap();
                let low = ring.truncate(&root, n).unwrap();
                let found = ring.sqrt_series(&ring.square(&root).unwrap(), n).unwrap();
                assert!(same(&found, &low) || same(&found, &ring.neg(&low).unwrap()), "{power}");
                let lowest = ring.coefficient(&found, power).unwrap().as_u64();
                assert!(lowest <= field.order() / 2, "the lesser root");
            }
            let f = ring.square(&ring.poly(&beginning(field, one, n, 6)).unwrap()).unwrap();
            let inverse = ring.inverse_sqrt_series(&f, n).unwrap();
            let inverse = ring.square_short(&inverse, n).unwrap();
            assert!(same(&ring.mul_short(&inverse, &f, n).unwrap(), &ring.one().unwrap()));
        }
        // Compositional inverses from both sides.
        let mut words = beginning(field, field.zero(), n, 7);
        words[1] = field.neg(one);
        let f = ring.poly(&words).unwrap();
        let g = ring.reversion(&f, n).unwrap();
        let x = ring.monomial(1).unwrap();
        assert!(same(&ring.compose_short(&f, &g, n).unwrap(), &x));
        assert!(same(&ring.compose_short(&g, &f, n).unwrap(), &x));
    }
}

#[test]
fn series_have_their_identities() {
    on_every_device(&mut Identities::default());
}

#[test]
fn long_series_on_the_host() {
    let ring = PolyRing::new(&Device::host(), long(WIDE[4])).unwrap();
    let mut check = Identities { longest: 3001 };
    check.check(&ring);
}

#[test]
fn what_has_no_answer_is_told() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let poly = |words: &[u32]| ring.poly(words).unwrap();
        let constant = |operation, expected, given| PolyError::ConstantTerm { operation, expected, given };
        assert_eq!(ring.div_series(&poly(&[1]), &poly(&[0, 1]), 3).unwrap_err(), PolyError::NoUnit);
        assert_eq!(ring.div_series(&poly(&[1]), &poly(&[]), 0).unwrap_err(), PolyError::NoUnit);
        let error = ring.log_series(&poly(&[3, 1]), 3).unwrap_err();
        assert_eq!(error, constant("the logarithm of a power series", 1, 3));
        assert_eq!(error.to_string(), "the logarithm of a power series needs the constant term 1, and it is 3");
        let error = ring.exp_series(&poly(&[2, 1]), 3).unwrap_err();
        assert_eq!(error, constant("the exponential of a power series", 0, 2));
        let error = ring.exp_series(&poly(&[0, 1]), 8).unwrap_err();
        let told = "the exponential of a power series to 8 coefficients divides by the integers below 8, and 7 is zero modulo 7";
        assert_eq!(error.to_string(), told);
        assert!(ring.exp_series(&poly(&[0, 1]), 7).is_ok());
        let error = ring.integral(&poly(&[1; 7])).unwrap_err();
        assert_eq!(error, PolyError::Characteristic { operation: "an integral", n: 8, p: 7 });
        let no_root = |coefficient, power| PolyError::NoSquareRoot { coefficient, power, p: 7 };
        assert_eq!(ring.sqrt_series(&poly(&[3, 1]), 3).unwrap_err(), no_root(3, 0));
        assert_eq!(ring.sqrt_series(&poly(&[0, 4]), 3).unwrap_err(), no_root(4, 1));
        assert_eq!(ring.sqrt_series(&poly(&[0, 0, 5]), 3).unwrap_err(), no_root(5, 2));
        assert_eq!(ring.inverse_sqrt_series(&poly(&[5]), 3).unwrap_err(), no_root(5, 0));
        assert_eq!(ring.inverse_sqrt_series(&poly(&[0, 0, 1]), 3).unwrap_err(), PolyError::NoUnit);
        assert!(ring.sqrt_series(&poly(&[]), 3).unwrap().is_zero());
        let error = ring.reversion(&poly(&[1, 1]), 3).unwrap_err();
        assert_eq!(error, constant("the compositional inverse of a power series", 0, 1));
        assert_eq!(ring.reversion(&poly(&[0, 0, 1]), 3).unwrap_err(), PolyError::NoReversion);
        assert!(matches!(ring.pow_series(&poly(&[1, 1]), 7, 3), Err(PolyError::OutOfRange(_))));
        let two = PolyRing::new(&device, short(2)).unwrap();
        let f = two.poly(&[1, 0, 1]).unwrap();
        let operation = "the square root of a power series";
        assert_eq!(two.sqrt_series(&f, 3).unwrap_err(), PolyError::CharacteristicTwo { operation });
        let other = PolyRing::new(&device, short(3)).unwrap();
        let mixed = PolyError::MixedRings { expected: 3, given: 2 };
        for error in [
            other.exp_series(&f, 3).unwrap_err(),
            other.log_series(&f, 3).unwrap_err(),
            other.integral(&f).unwrap_err(),
            other.sqrt_series(&f, 3).unwrap_err(),
            other.inverse_sqrt_series(&f, 3).unwrap_err(),
            other.reversion(&f, 3).unwrap_err(),
            other.div_series(&f, &f, 3).unwrap_err(),
            other.pow(&f, 0).unwrap_err(),
            other.pow_short(&f, 0, 0).unwrap_err(),
            other.compose(&f, &f).unwrap_err(),
            other.compose_short(&f, &f, 0).unwrap_err(),
            other.taylor_shift(&f, 0).unwrap_err(),
        ] {
            assert_eq!(error, mixed);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_series_come_back(
        p in prop::sample::select(vec![101u32, 9001, 469_762_049, 2_147_483_647]),
        words in prop::collection::vec(any::<u32>(), 1..90),
        n in 0usize..101,
    ) {
        let ring = PolyRing::new(&Device::host(), short(p)).unwrap();
        let words: Vec<u32> = words.iter().map(|word| word % p).collect();
        let mut unit = words.clone();
        unit[0] = 1;
        let unit = ring.poly(&unit).unwrap();
        let low = ring.truncate(&unit, n).unwrap();
        let back = ring.exp_series(&ring.log_series(&unit, n).unwrap(), n).unwrap();
        prop_assert!(ring.equal(&back, &low).unwrap());
        let root = ring.sqrt_series(&unit, n).unwrap();
        prop_assert!(ring.equal(&ring.square_short(&root, n).unwrap(), &low).unwrap());
        let f = ring.poly(&words).unwrap();
        let quotient = ring.div_series(&f, &unit, n).unwrap();
        let product = ring.mul_short(&quotient, &unit, n).unwrap();
        prop_assert!(ring.equal(&product, &ring.truncate(&f, n).unwrap()).unwrap());
    }
}

/// Powers, compositions and series of a known length have no room before anything is computed.
#[test]
fn results_without_room_are_refused_before_the_work() {
    for device in devices() {
        let ring = PolyRing::new(&device, Goldilocks).unwrap();
        let [one, unit, f] = [&[1u64][..], &[1, 1], &[0, 1, 1]].map(|words| ring.poly(words).unwrap());
        let long = ring.random(1 << 15, 1).unwrap();
        let n = 1usize << 40;
        let limited = Control::new().with_limit_bytes(1 << 20);
        limited.run(|| {
            for (name, outcome) in [
                ("pow", ring.pow(&unit, n as u64)),
                ("pow_short", ring.pow_short(&unit, n as u64, n)),
                ("compose", ring.compose(&long, &long)),
                ("inverse", ring.inverse_series(&unit, n)),
                ("quotient", ring.div_series(&one, &unit, n)),
                ("logarithm", ring.log_series(&unit, n)),
                ("exponential", ring.exp_series(&f, n)),
                ("root", ring.sqrt_series(&unit, n)),
                ("inverse root", ring.inverse_sqrt_series(&unit, n)),
                ("reversion", ring.reversion(&f, n)),
            ] {
                let is_told = |error: &PolyError| {
                    let PolyError::Device(DeviceError::OutOfMemory { wanted_bytes, free_or_limit_bytes, .. }) = error
                    else {
                        return false;
                    };
                    *free_or_limit_bytes <= 1 << 20 && *wanted_bytes >= 1 << 30
                };
                let error = outcome.map(|f| f.len()).unwrap_err();
                assert!(is_told(&error), "{name}: {error}");
            }
        });
    }
}

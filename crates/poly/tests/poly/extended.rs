//! Extended greatest common divisors and inverses through the public functions on the host and every OpenCL device: worked
//! examples, the definition, laws, edges.

use crate::common::{Check, elements, few_rings, long, short, small, stripped};
use manycore_device::Device;
use manycore_field::{Goldilocks, ModularField, ResidueWord as _};
use manycore_poly::gcd::reference;
use manycore_poly::multiply::reference::multiply;
use manycore_poly::{PolyError, PolyField, PolyRing};
use manycore_testkit::devices;
use proptest::prelude::*;

/// `a b`, and nothing for zero.
fn product<F: PolyField>(field: &F, a: &[F::Element], b: &[F::Element]) -> Vec<F::Element> {
    if a.is_empty() || b.is_empty() { Vec::new() } else { stripped(field, multiply(field, a, b)) }
}

/// The quotient's length of `a` by a divisor: its degree and one.
fn quotient_len(a: usize, g: usize) -> usize {
    if a == 0 { 0 } else { a - g + 1 }
}

/// The result for `a` and `b` is what the definition says, and the same bits as on the host.
fn check<F: PolyField>(ring: &PolyRing<F>, a: &[F::Element], b: &[F::Element]) {
    let field = ring.field();
    let (a, b) = (stripped(field, a.to_vec()), stripped(field, b.to_vec()));
    let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
    let x = ring.xgcd(&f, &g).unwrap();
    let [gcd, s, t] = [&x.gcd, &x.s, &x.t].map(|f| ring.coefficients(f).unwrap());
    let name = format!("{} and {} mod {} on {:?}", a.len(), b.len(), field.order(), ring.device());
    assert!(gcd == reference::gcd(field, &a, &b), "gcd of {name}");
    let (left, right) = (product(field, &s, &a), product(field, &t, &b));
    let sum = stripped(field, manycore_poly::linear::reference::add(field, &left, &right));
    assert!(sum == gcd, "cofactors of {name}");
    let [n, m] = [a.len(), b.len()].map(|len| quotient_len(len, gcd.len().max(1)));
    let associated = n <= 1 && m <= 1;
    if associated {
        assert!(s.len() + t.len() <= 1, "{name}");
        assert!(!b.is_empty() || t.is_empty(), "{name}");
        assert!(b.is_empty() || s.is_empty(), "{name}");
    } else {
        // deg s < deg (b / g), and deg t < deg (a / g); the other polynomial's quotient is a constant where s or t is one.
        assert!(s.len() < m.max(2), "s of {} words for {name}", s.len());
        assert!(t.len() < n.max(2), "t of {} words for {name}", t.len());
        assert!(s.is_empty() || t.is_empty() || (s.len() < m && t.len() < n), "{name}");
    }
    assert!(ring.verify_xgcd(&f, &g, &x, 5).unwrap(), "verification of {name}");
}

/// The examples of chapter 9 of the specification.
#[test]
fn worked_examples() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(9001)).unwrap();
        let (a, b) = (ring.poly(&[5, 11, 3, 17, 3, 3]).unwrap(), ring.poly(&[35, 7, 12, 1, 1]).unwrap());
        let x = ring.xgcd(&a, &b).unwrap();
        assert_eq!(ring.coefficients(&x.gcd).unwrap(), [5, 1, 1], "{device:?}");
        check(&ring, &[5, 11, 3, 17, 3, 3], &[35, 7, 12, 1, 1]);
        let ring = PolyRing::new(&device, short(7)).unwrap();
        check(&ring, &[6, 5, 1, 0, 1], &[2, 0, 3, 1]);
        check(&ring, &[3, 3, 0, 0, 1, 1], &[2, 2, 0, 1, 1]);
        check(&ring, &[2, 2, 1, 1, 1, 0, 2, 4], &[0, 5, 3, 5, 3, 5, 3]);
    }
}

/// Pairs of one ring: dense and sparse, with common factors, with large drops, with zeros and constants.
struct Pairs {
    sizes: Vec<(usize, usize, usize)>,
    powers: Vec<(usize, usize)>,
}

impl Pairs {
    fn of(device: &Device) -> Self {
        let small_sizes =
            vec![(0, 0, 1), (0, 1, 4), (1, 1, 1), (1, 3, 2), (2, 2, 3), (3, 7, 1), (20, 20, 5), (40, 3, 1)];
        if small(device) {
            let (sizes, powers) = (vec![(70, 66, 3), (150, 131, 40), (300, 290, 1)], vec![(90, 60), (200, 64)]);
            return Self { sizes: [small_sizes, sizes].concat(), powers };
        }
        let sizes = vec![
            (127, 126, 1),
            (128, 128, 2),
            (129, 64, 1),
            (254, 255, 30),
            (300, 299, 1),
            (513, 500, 200),
            (900, 20, 7),
            (1500, 1400, 1),
        ];
        Self {
            sizes: [small_sizes, sizes].concat(),
            powers: vec![(12, 8), (90, 60), (700, 301), (512, 256), (1000, 999)],
        }
    }
}

impl Check for Pairs {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for &(n, m, common) in &self.sizes {
            let (a, b, g) = (elements(field, n, 1), elements(field, m, 2), elements(field, common, 3));
            let (a, b) = (product(field, &a, &g), product(field, &b, &g));
            check(ring, &a, &b);
            let thin = |f: &[F::Element]| {
                let kept = |(i, &c)| if i % 13 == 0 || i + 1 == f.len() { c } else { field.zero() };
                f.iter().enumerate().map(kept).collect::<Vec<_>>()
            };
            check(ring, &thin(&a), &thin(&b));
        }
        let (zero, one) = (field.zero(), field.one());
        let difference = |n: usize| {
            let mut f = vec![zero; n + 1];
            (f[0], f[n]) = (field.neg(one), one);
            f
        };
        for &(n, m) in &self.powers {
            check(ring, &difference(n), &difference(m));
            check(ring, &product(field, &difference(n), &elements(field, 5, 4)), &difference(m));
        }
        let f = elements(field, 30, 5);
        check(ring, &f, &f);
        check(ring, &f, &product(field, &f, &elements(field, 9, 6)));
        check(ring, &product(field, &f, &elements(field, 9, 6)), &f);
    }
}

#[test]
fn cofactors_are_those_of_the_definition() {
    for device in devices() {
        let mut pairs = Pairs::of(&device);
        if small(&device) {
            few_rings(&device, &mut pairs);
            continue;
        }
        for p in [2, 3, 7, 9001, 469_762_049] {
            pairs.check(&PolyRing::new(&device, short(p)).unwrap());
        }
        pairs.check(&PolyRing::new(&device, long(crate::common::LONG)).unwrap());
        pairs.check(&PolyRing::new(&device, Goldilocks).unwrap());
    }
}

/// Sequences in which a quotient has a high degree, at the beginning, in the middle and at the end.
#[test]
fn large_drops_keep_the_cofactors() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(9001)).unwrap();
        let field = ring.field();
        let len = if small(&device) { 150 } else { 700 };
        for place in 0..4 {
            // Euclid's algorithm backwards: from the last divisor up, with these quotients.
            let (mut a, mut b) = (elements(field, 4, 1), Vec::new());
            for i in 0..4 {
                let q = elements(field, if i == place { len } else { 40 }, 7 + i as u64);
                let next = manycore_poly::linear::reference::add(field, &product(field, &a, &q), &b);
                (a, b) = (next, a);
            }
            check(&ring, &a, &b);
            check(&ring, &b, &a);
        }
    }
}

#[test]
fn inverses_multiply_to_one() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        let m = ring.poly(&elements(ring.field(), 200, 1)).unwrap();
        for n in [1, 5, 199, 300] {
            let a = ring.poly(&elements(ring.field(), n, 2)).unwrap();
            let inverse = ring.inverse_mod(&a, &m).unwrap();
            assert!(inverse.len() < m.len());
            let one = ring.rem(&ring.mul(&a, &inverse).unwrap(), &m).unwrap();
            assert_eq!(ring.coefficients(&one).unwrap(), [1], "{n} on {device:?}");
        }
    }
}

#[test]
fn what_has_no_inverse_is_an_error() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let poly = |c: &[u32]| ring.poly(c).unwrap();
        let error = |a: &[u32], m: &[u32]| ring.inverse_mod(&poly(a), &poly(m)).unwrap_err();
        // (x + 1) (x + 2) and (x + 1) (x + 3).
        assert_eq!(error(&[2, 3, 1], &[3, 4, 1]), PolyError::NotInvertible { gcd: vec![1, 1] });
        assert_eq!(error(&[], &[3, 4, 2]), PolyError::NotInvertible { gcd: vec![5, 2, 1] });
        assert_eq!(error(&[1], &[]), PolyError::ZeroDivisor);
        assert!(ring.inverse_mod(&poly(&[3, 1]), &poly(&[5])).unwrap().is_zero());
        assert_eq!(ring.coefficients(&ring.inverse_mod(&poly(&[3]), &poly(&[3, 4, 2])).unwrap()).unwrap(), [5]);
        let other = PolyRing::new(&device, short(3)).unwrap().one().unwrap();
        let expected = PolyError::MixedRings { expected: 7, given: 3 };
        assert_eq!(ring.inverse_mod(&other, &poly(&[1, 1])).unwrap_err(), expected);
        assert_eq!(ring.xgcd(&poly(&[1, 1]), &other).unwrap_err(), expected);
    }
}

#[test]
fn wrong_cofactors_are_found() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(2)).unwrap();
        let (f, g) = (ring.random(150, 1).unwrap(), ring.random(140, 2).unwrap());
        let common = ring.random(9, 3).unwrap();
        let (a, b) = (ring.mul(&f, &common).unwrap(), ring.mul(&g, &common).unwrap());
        let right = || ring.xgcd(&a, &b).unwrap();
        assert!(ring.verify_xgcd(&a, &b, &right(), 1).unwrap());
        let changed = |f| ring.add(&f, &ring.monomial(3).unwrap()).unwrap();
        let x = right();
        assert!(!ring.verify_xgcd(&a, &b, &manycore_poly::Xgcd { s: changed(x.s), ..x }, 1).unwrap());
        let x = right();
        assert!(!ring.verify_xgcd(&a, &b, &manycore_poly::Xgcd { gcd: changed(x.gcd), ..x }, 1).unwrap());
        // A multiple of the greatest common divisor: the identity holds, and it divides neither.
        let x = right();
        let times = |f| ring.mul(&f, &ring.poly(&[1, 1, 1]).unwrap()).unwrap();
        let multiple = manycore_poly::Xgcd { gcd: times(x.gcd), s: times(x.s), t: times(x.t) };
        assert!(!ring.verify_xgcd(&a, &b, &multiple, 1).unwrap());
    }
}

fn residues(p: u64) -> impl Strategy<Value = Vec<u64>> {
    let biased = prop_oneof![Just(0), Just(1), Just(p - 1), 0..p];
    prop::collection::vec(biased, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Of products with a common factor, for small primes, where degrees drop often.
    #[test]
    fn random_pairs(p in prop::sample::select(vec![2u64, 3, 7, 9001]), seed in any::<u64>(),
                    a in residues(2), b in residues(2), g in residues(2)) {
        let field = short(p as u32);
        let ring = PolyRing::new(&Device::host(), field).unwrap();
        let spread = |f: Vec<u64>, salt: u64| -> Vec<u32> {
            let word = |(i, &c): (usize, &u64)| c.wrapping_mul(1 + (seed ^ salt).rotate_left(i as u32) % p) % p;
            stripped(&field, f.iter().enumerate().map(|pair| u32::from_u64(word(pair))).collect())
        };
        let (a, b, g) = (spread(a, 1), spread(b, 2), spread(g, 3));
        prop_assert_eq!(field.order(), p);
        check(&ring, &product(&field, &a, &g), &product(&field, &b, &g));
    }
}

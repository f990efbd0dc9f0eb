//! Powers modulo polynomials, factorizations and roots on the host and every OpenCL device: known factors, repeated ones in
//! small characteristic, an irreducibility test by the definitions, brute force over small fields.

use crate::common::{Check, LONG, elements, long, short, small, stripped};
use manycore_device::{Device, Executor};
use manycore_field::{Goldilocks, ModularField, ResidueWord as _};
use manycore_poly::divide::reference::divide;
use manycore_poly::evaluate::reference::evaluate;
use manycore_poly::gcd::reference::gcd;
use manycore_poly::multiply::reference::multiply;
use manycore_poly::{Factorization, Poly, PolyError, PolyField, PolyRing};
use manycore_testkit::devices;
use proptest::prelude::*;

/// Fields of every kind; of those few where kernels take long to build.
fn rings(device: &Device, check: &mut impl Check) {
    let primes: &[u32] = if small(device) { &[3, 469_762_049] } else { &[2, 3, 7, 9001, 469_762_049] };
    for &p in primes {
        check.check(&PolyRing::new(device, short(p)).unwrap());
    }
    if !small(device) {
        check.check(&PolyRing::new(device, long(LONG)).unwrap());
    }
    check.check(&PolyRing::new(device, Goldilocks).unwrap());
}

fn on_every_device(check: &mut impl Check) {
    for device in devices() {
        rings(&device, check);
    }
}

/// The remainder of a product, by the definitions.
fn multiply_modulo<F: ModularField>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    m: &[F::Element],
) -> Vec<F::Element> {
    let product = stripped_of(field, multiply(field, a, b));
    divide(field, &product, m).unwrap().1
}

fn stripped_of<F: ModularField>(field: &F, mut f: Vec<F::Element>) -> Vec<F::Element> {
    f.truncate(manycore_poly::linear::reference::stripped_len(field, &f));
    f
}

/// A power modulo a polynomial from the lowest bit of the exponent on, by the definitions.
fn power_modulo<F: ModularField>(field: &F, f: &[F::Element], exponent: u128, m: &[F::Element]) -> Vec<F::Element> {
    let mut power = divide(field, &[field.one()], m).unwrap().1;
    let mut square = divide(field, f, m).unwrap().1;
    for bit in 0..u128::BITS - exponent.leading_zeros() {
        if exponent >> bit & 1 == 1 {
            power = multiply_modulo(field, &power, &square, m);
        }
        square = multiply_modulo(field, &square, &square, m);
    }
    power
}

/// Rabin's irreducibility test, by the definitions.
fn is_irreducible<F: ModularField>(field: &F, f: &[F::Element]) -> bool {
    let degree = f.len() - 1;
    let x = [field.zero(), field.one()];
    let mut power = divide(field, &x, f).unwrap().1;
    for d in 1..=degree {
        power = power_modulo(field, &power, field.order().into(), f);
        let mut difference = power.clone();
        difference.resize(difference.len().max(2), field.zero());
        difference[1] = field.sub(difference[1], field.one());
        let difference = divide(field, &stripped_of(field, difference), f).unwrap().1;
        if d == degree {
            return difference.is_empty();
        }
        if degree.is_multiple_of(d) && gcd(field, f, &difference).len() > 1 {
            return false;
        }
    }
    false
}

/// `x - r`.
fn linear<F: PolyField>(ring: &PolyRing<F>, r: u64) -> Poly<F> {
    let field = ring.field();
    ring.poly(&[field.neg(field.natural(r)), field.one()]).unwrap()
}

fn product<'a, F: PolyField>(ring: &PolyRing<F>, factors: impl IntoIterator<Item = (&'a Poly<F>, usize)>) -> Poly<F> {
    let mut product = ring.one().unwrap();
    for (factor, multiplicity) in factors {
        for _ in 0..multiplicity {
            product = ring.mul(&product, factor).unwrap();
        }
    }
    product
}

/// A factorization is one: irreducible monic factors in order, each once, whose product is the polynomial.
fn assert_factored<F: PolyField>(ring: &PolyRing<F>, f: &Poly<F>) -> Vec<(Vec<F::Element>, usize)> {
    let field = ring.field();
    let factorization = ring.factor(f).unwrap();
    let whole = product(ring, factorization.factors.iter().map(|(factor, multiplicity)| (factor, *multiplicity)));
    let name = format!("{:?} mod {} on {:?}", ring.coefficients(f).unwrap(), field.order(), ring.device());
    assert!(ring.equal(&ring.scale(&whole, factorization.leading).unwrap(), f).unwrap(), "{name}");
    let words = |(factor, multiplicity): &(Poly<F>, usize)| (ring.coefficients(factor).unwrap(), *multiplicity);
    let factors: Vec<_> = factorization.factors.iter().map(words).collect();
    for (factor, multiplicity) in &factors {
        assert!(*multiplicity > 0 && factor.last() == Some(&field.one()), "{name}");
        assert!(is_irreducible(field, factor), "{factor:?} of {name}");
        assert!(ring.is_irreducible(&ring.poly(factor).unwrap()).unwrap(), "{factor:?} of {name}");
    }
    let key = |f: &[F::Element]| (f.len(), f.iter().map(|c| c.as_u64()).collect::<Vec<_>>());
    assert!(factors.windows(2).all(|pair| key(&pair[0].0) < key(&pair[1].0)), "{name}");
    assert_eq!(ring.is_irreducible(f).unwrap(), matches!(factors[..], [(_, 1)]), "{name}");
    // The roots are those of the linear factors.
    let mut roots: Vec<_> = factors.iter().filter(|(f, _)| f.len() == 2).map(|(f, _)| field.neg(f[0])).collect();
    roots.sort_unstable_by_key(|root| root.as_u64());
    assert_eq!(ring.roots(f).unwrap(), roots, "{name}");
    factors
}

struct Powers;

impl Check for Powers {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let p = u128::from(field.order());
        let lengths: &[usize] = if small(ring.device()) { &[1, 2, 70] } else { &[1, 2, 3, 6, 33, 70] };
        for &len in lengths {
            let m = elements(field, len, 4);
            let divisor = ring.divisor(ring.poly(&m).unwrap()).unwrap();
            let f = elements(field, len + 3, 5);
            for exponent in [0, 1, 2, 3, 68, 69, 70, 71, p, p * p.min(1 << 20) + 5] {
                let name = format!("power {exponent}, {len} coefficients mod {p} on {:?}", ring.device());
                let x = ring.x_pow_mod(exponent, &divisor).unwrap();
                let expected = power_modulo(field, &[field.zero(), field.one()], exponent, &m);
                assert_eq!(ring.coefficients(&x).unwrap(), expected, "x: {name}");
                for words in [&f[..], &f[..0], &[field.zero(), field.one()]] {
                    let power = ring.pow_mod(&ring.poly(words).unwrap(), exponent, &divisor).unwrap();
                    let expected = power_modulo(field, &stripped(field, words.to_vec()), exponent, &m);
                    assert_eq!(ring.coefficients(&power).unwrap(), expected, "{name}");
                }
            }
        }
    }
}

#[test]
fn powers_equal_the_definition() {
    on_every_device(&mut Powers);
}

struct Squarefree;

impl Check for Squarefree {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let p = field.order().min(5) as usize;
        // x, an irreducible x^2 + x + c, and x - 1.
        let quadratic = (0..).find_map(|c| {
            let f = [field.natural(c), field.one(), field.one()];
            is_irreducible(field, &f).then_some(f)
        });
        let factors = [ring.monomial(1).unwrap(), ring.poly(&quadratic.unwrap()).unwrap(), linear(ring, 1)];
        let cases: &[[usize; 3]] = if small(ring.device()) {
            &[[p, 1, p + 1], [3, 0, 2 * p]]
        } else {
            &[
                [1, 1, 1],
                [1, 2, 3],
                [p, 1, p + 1],
                [p, p, 2],
                [2 * p, p, 1],
                [p * p, 0, p * p + 1],
                [7, 2, 0],
                [0, 6, 6],
            ]
        };
        for multiplicities in cases {
            let f = product(ring, factors.iter().zip(multiplicities.iter().copied()));
            let f = ring.scale(&f, field.natural(field.order() - 1)).unwrap();
            let parts = ring.squarefree(&f).unwrap();
            let mut different: Vec<usize> = multiplicities.iter().copied().filter(|&m| m > 0).collect();
            different.sort_unstable();
            different.dedup();
            let name = format!("{multiplicities:?} mod {} on {:?}", field.order(), ring.device());
            assert_eq!(parts.iter().map(|part| part.1).collect::<Vec<_>>(), different, "{name}");
            for (part, multiplicity) in &parts {
                let own = factors.iter().zip(multiplicities).map(|(f, m)| (f, usize::from(m == multiplicity)));
                assert!(ring.equal(part, &product(ring, own)).unwrap(), "{name}: {multiplicity}");
            }
            let radical = product(ring, factors.iter().zip(multiplicities).map(|(f, &m)| (f, m.min(1))));
            assert!(ring.equal(&ring.squarefree_part(&f).unwrap(), &radical).unwrap(), "{name}");
            let found = assert_factored(ring, &f).into_iter().map(|(_, m)| m).collect::<Vec<_>>();
            // x, x - 1 and the quadratic polynomial, in this order.
            let expected: Vec<_> = [0, 2, 1].into_iter().map(|i| multiplicities[i]).filter(|&m| m > 0).collect();
            assert_eq!(found, expected, "{name}");
        }
    }
}

#[test]
fn repeated_factors_are_told_apart_in_every_characteristic() {
    on_every_device(&mut Squarefree);
}

struct Random;

impl Check for Random {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let lengths: &[usize] = if small(ring.device()) { &[9] } else { &[2, 3, 4, 8, 13, 21] };
        for &len in lengths {
            for salt in 1..4 {
                assert_factored(ring, &ring.poly(&elements(ring.field(), len, salt)).unwrap());
            }
        }
        // Sparse: x^n - 1, x^n + x + 1.
        for n in [8, 15] {
            let one = ring.one().unwrap();
            assert_factored(ring, &ring.sub(&ring.monomial(n).unwrap(), &one).unwrap());
            let sparse = ring.add(&ring.monomial(n).unwrap(), &ring.poly(&[ring.field().one(); 2]).unwrap()).unwrap();
            assert_factored(ring, &sparse);
        }
    }
}

#[test]
fn factorizations_are_complete() {
    on_every_device(&mut Random);
}

struct Degrees;

impl Check for Degrees {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let f = ring.poly(&elements(field, if small(ring.device()) { 10 } else { 24 }, 8)).unwrap();
        let f = ring.squarefree_part(&f).unwrap();
        let products = ring.distinct_degree(&f).unwrap();
        assert!(products.windows(2).all(|pair| pair[0].1 < pair[1].1));
        assert!(ring.equal(&product(ring, products.iter().map(|(f, _)| (f, 1))), &f).unwrap());
        for (part, degree) in &products {
            let factors = ring.equal_degree(part, *degree).unwrap();
            assert!(factors.iter().all(|factor| factor.degree() == Some(*degree)));
            assert!(ring.equal(&product(ring, factors.iter().map(|f| (f, 1))), part).unwrap());
            assert_eq!(
                ring.equal_degree(part, degree + 1).unwrap_err(),
                PolyError::NotEqualDegree { degree: degree + 1 }
            );
        }
        let square = ring.square(&f).unwrap();
        let degree = ring.gcd(&square, &ring.derivative(&square).unwrap()).unwrap().degree().unwrap();
        assert_eq!(ring.distinct_degree(&square).unwrap_err(), PolyError::NotSquarefree { degree });
        assert_eq!(ring.equal_degree(&square, 1).unwrap_err(), PolyError::NotSquarefree { degree });
    }
}

#[test]
fn degrees_are_separated() {
    on_every_device(&mut Degrees);
}

struct Roots;

impl Check for Roots {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let p = field.order();
        let most = if small(ring.device()) { 8 } else { 40 };
        let mut roots: Vec<u64> = (0..most).map(|i: u64| (i * i).wrapping_mul(0x9e37_79b9_7f4a_7c15) % p).collect();
        roots.extend([0, p - 1]);
        roots.sort_unstable();
        roots.dedup();
        let factors: Vec<_> = roots.iter().map(|&r| linear(ring, r)).collect();
        let f = product(ring, factors.iter().enumerate().map(|(i, factor)| (factor, if i % 5 == 2 { 3 } else { 1 })));
        // Another factor may have further roots.
        let other = ring.poly(&elements(field, 6, 3)).unwrap();
        let further = ring.roots(&other).unwrap();
        assert!(further.iter().all(|&r| ring.evaluate(&other, r).unwrap() == field.zero()));
        let mut all: Vec<u64> = roots.iter().copied().chain(further.iter().map(|r| r.as_u64())).collect();
        all.sort_unstable();
        all.dedup();
        let found = ring.roots(&ring.mul(&f, &other).unwrap()).unwrap();
        assert_eq!(found.iter().map(|r| r.as_u64()).collect::<Vec<_>>(), all, "mod {p} on {:?}", ring.device());

        // Constants have no root, x - r has r, x^n has 0 alone; every element is one of zero.
        assert_eq!(ring.roots(&ring.one().unwrap()).unwrap(), []);
        assert_eq!(ring.roots(&linear(ring, p - 1)).unwrap(), [field.neg(field.one())]);
        assert_eq!(ring.roots(&ring.monomial(9).unwrap()).unwrap(), [field.zero()]);
        let zero = ring.zero().unwrap();
        assert_eq!(ring.roots(&zero).unwrap_err(), PolyError::EveryElementIsRoot);
        assert_eq!(ring.factor(&zero).unwrap_err(), PolyError::ZeroHasNoFactors);
        assert_eq!(ring.squarefree(&zero).unwrap_err(), PolyError::ZeroHasNoFactors);
        assert_eq!(ring.distinct_degree(&zero).unwrap_err(), PolyError::ZeroHasNoFactors);
        let constant = ring.factor(&ring.constant(field.neg(field.one())).unwrap()).unwrap();
        assert_eq!((constant.leading, constant.factors.len()), (field.neg(field.one()), 0));
        assert!(ring.squarefree(&ring.one().unwrap()).unwrap().is_empty());
        assert!(ring.equal_degree(&ring.one().unwrap(), 3).unwrap().is_empty());
    }
}

#[test]
fn roots_are_found() {
    on_every_device(&mut Roots);
}

/// Up to three irreducible factors of a degree, of random polynomials, and how many were drawn.
fn irreducible_factors<F: PolyField>(ring: &PolyRing<F>, degree: usize) -> (Vec<Poly<F>>, u64) {
    let mut found: Vec<Poly<F>> = Vec::new();
    let mut seed = 0;
    while found.len() < 3 && seed < 20 {
        seed += 1;
        let f = ring.random(8, seed).unwrap();
        if f.is_zero() {
            continue;
        }
        for (factor, _) in ring.factor(&f).unwrap().factors {
            let is_new = found.iter().all(|other| !ring.equal(other, &factor).unwrap());
            if factor.degree() == Some(degree) && is_new && found.len() < 3 {
                found.push(factor);
            }
        }
    }
    (found, seed)
}

struct Checked;

impl Check for Checked {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let p = field.order();
        let quadratic = ring.poly(&elements(field, 3, 2)).unwrap();
        let other = ring.poly(&elements(field, if small(ring.device()) { 9 } else { 30 }, 5)).unwrap();
        let factors = [linear(ring, 1), linear(ring, p / 2), quadratic, other];
        let f = product(ring, factors.iter().zip([1, 3, 2, 1]));
        let name = format!("{:?} mod {p} on {:?}", ring.coefficients(&f).unwrap(), ring.device());
        let roots = ring.roots(&f).unwrap();
        assert!(ring.verify_roots(&f, &roots, 1).unwrap(), "{name}");
        let passed = ring.check_roots(&f, &roots, 1).unwrap();
        assert!(passed.chance.log2().is_some_and(|log2| log2 <= -64.0), "{name}");
        for at in 0..roots.len() {
            let mut wrong = roots.clone();
            wrong.remove(at);
            assert!(!ring.verify_roots(&f, &wrong, 2).unwrap(), "{name}: without {at}");
            let mut wrong = roots.clone();
            wrong.insert(at, roots[at]);
            assert!(!ring.verify_roots(&f, &wrong, 2).unwrap(), "{name}: twice {at}");
        }
        let other = (0..p.min(1000)).map(F::Element::from_u64).find(|r| !roots.contains(r));
        if let Some(other) = other {
            let mut wrong = [&roots[..], &[other]].concat();
            wrong.sort_unstable_by_key(|root| root.as_u64());
            assert!(!ring.verify_roots(&f, &wrong, 3).unwrap(), "{name}: {other:?}");
        }
        assert!(ring.verify_roots(&ring.one().unwrap(), &[], 1).unwrap());
        assert!(!ring.verify_roots(&ring.one().unwrap(), &[field.zero()], 1).unwrap());
        assert!(matches!(ring.verify_roots(&ring.zero().unwrap(), &[], 1), Err(PolyError::Check(_))));

        let mut factorization = ring.factor(&f).unwrap();
        assert!(ring.verify_factors(&f, &factorization, 1).unwrap(), "{name}");
        let leading = factorization.leading;
        factorization.leading = field.zero();
        assert!(!ring.verify_factors(&f, &factorization, 1).unwrap(), "{name}");
        factorization.leading = leading;
        factorization.factors[0].1 += 1;
        assert!(!ring.verify_factors(&f, &factorization, 1).unwrap(), "{name}");
        // A product in the place of two factors is not irreducible.
        let two = ring.mul(&linear(ring, 0), &linear(ring, 1)).unwrap();
        let reducible = Factorization { leading: field.one(), factors: vec![(ring.copy(&two).unwrap(), 1)] };
        assert!(!ring.verify_factors(&two, &reducible, 1).unwrap(), "{name}");
        // Also among irreducible factors of its degree, and where its factors have the degree 2 or 3.
        for degree in [2, 3] {
            let (irreducible, seeds) = irreducible_factors(ring, degree);
            let Some([first, second]) = irreducible.get(..2) else { continue };
            let mut list = vec![ring.mul(first, second).unwrap()];
            list.extend(irreducible[2..].iter().map(|f| ring.mul(f, first).unwrap()));
            for wrong in list {
                let factors = vec![(ring.copy(&wrong).unwrap(), 1)];
                let reducible = Factorization { leading: field.one(), factors };
                assert!(!ring.verify_factors(&wrong, &reducible, 1).unwrap(), "{name}: {degree} of seeds {seeds:?}");
            }
            let mut all: Vec<_> = irreducible.iter().map(|f| (ring.copy(f).unwrap(), 1)).collect();
            let f = product(ring, irreducible.iter().map(|f| (f, 1)));
            all.sort_by_key(|(f, _)| ring.coefficients(f).unwrap().iter().map(|c| c.as_u64()).collect::<Vec<_>>());
            let right = Factorization { leading: field.one(), factors: all };
            assert!(ring.verify_factors(&f, &right, 1).unwrap(), "{name}: {degree}");
        }
        assert!(matches!(ring.verify_factors(&ring.zero().unwrap(), &reducible, 1), Err(PolyError::Check(_))));
    }
}

#[test]
fn wrong_roots_and_factors_do_not_pass() {
    on_every_device(&mut Checked);
}

/// `x^p - x` has every element as a root, and `x^n - 1` the powers of a root of unity.
#[test]
fn polynomials_that_split() {
    for device in devices() {
        for p in [2, 3, 7, 257, 1021] {
            if small(&device) && p > 257 {
                continue;
            }
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let f = ring.sub(&ring.monomial(p as usize).unwrap(), &ring.monomial(1).unwrap()).unwrap();
            assert_eq!(ring.roots(&f).unwrap(), (0..p).collect::<Vec<_>>(), "{device:?}");
        }
        let ring = PolyRing::new(&device, Goldilocks).unwrap();
        let n = if matches!(device.executor(), Executor::Host(_)) { 1024 } else { 512 };
        let f = ring.sub(&ring.monomial(n).unwrap(), &ring.one().unwrap()).unwrap();
        let root = Goldilocks.root_of_unity(n as u64).unwrap();
        let mut powers: Vec<u64> =
            (0..n as u64).map(|i| manycore_field::Semiring::power(&Goldilocks, root, i)).collect();
        powers.sort_unstable();
        assert_eq!(ring.roots(&f).unwrap(), powers, "{device:?}");
    }
}

/// All polynomials of some length over small fields, against trial of all elements and trial division.
#[test]
fn small_fields_by_brute_force() {
    for (p, len) in [(2u32, 7), (3, 5), (5, 4), (7, 3)] {
        let ring = PolyRing::new(&Device::host(), short(p)).unwrap();
        for number in 1..p.pow(len) {
            let digits: Vec<u32> = (0..len).map(|i| number / p.pow(i) % p).collect();
            let f = ring.poly(&digits).unwrap();
            let roots: Vec<u32> = (0..p).filter(|&x| evaluate(ring.field(), &digits, x) == 0).collect();
            assert_eq!(ring.roots(&f).unwrap(), roots, "{digits:?} mod {p}");
            assert_factored(&ring, &f);
        }
    }
}

#[test]
fn polynomials_of_other_rings_are_refused() {
    let device = Device::host();
    let (seven, three) = (PolyRing::new(&device, short(7)).unwrap(), PolyRing::new(&device, short(3)).unwrap());
    let error = PolyError::MixedRings { expected: 7, given: 3 };
    let f = three.monomial(2).unwrap();
    assert_eq!(seven.roots(&f).unwrap_err(), error);
    assert_eq!(seven.factor(&f).unwrap_err(), error);
    assert_eq!(seven.squarefree(&f).unwrap_err(), error);
    let divisor = three.divisor(three.monomial(2).unwrap()).unwrap();
    assert_eq!(seven.x_pow_mod(5, &divisor).unwrap_err(), error);
    assert_eq!(seven.pow_mod(&seven.one().unwrap(), 0, &divisor).unwrap_err(), error);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Products of random polynomials with random multiplicities.
    #[test]
    fn products_are_factored(
        p in prop::sample::select(vec![2u64, 3, 5, 7, 11, 9001, 469_762_049, LONG]),
        parts in prop::collection::vec((prop::collection::vec(any::<u64>(), 1..6), 1usize..5), 1..4),
    ) {
        let ring = PolyRing::new(&Device::host(), long(p)).unwrap();
        let polys: Vec<_> = parts
            .iter()
            .map(|(words, multiplicity)| {
                (ring.poly(&words.iter().map(|c| c % p).collect::<Vec<_>>()).unwrap(), *multiplicity)
            })
            .filter(|(f, _)| !f.is_zero())
            .collect();
        let f = product(&ring, polys.iter().map(|(f, multiplicity)| (f, *multiplicity)));
        assert_factored(&ring, &f);
        if p < 12 {
            let words = ring.coefficients(&f).unwrap();
            let roots: Vec<u64> = (0..p).filter(|&x| evaluate(ring.field(), &words, x) == 0).collect();
            prop_assert_eq!(ring.roots(&f).unwrap(), roots);
        }
    }
}

//! Greatest common divisors through the public functions on the host and every OpenCL device: worked examples, laws, edges,
//! batches.

use crate::common::{Check, elements, few_rings, poly, short, small, sparing};
use manycore_device::Device;
use manycore_field::ResidueWord as _;
use manycore_poly::gcd::reference;
use manycore_poly::multiply::reference::multiply;
use manycore_poly::{GcdAlgorithm, GcdPlan, GcdShape, PolyError, PolyField, PolyRing};
use manycore_testkit::devices;
use proptest::prelude::*;

/// `x^n - 1`.
fn binomial<F: PolyField>(field: &F, n: usize) -> Vec<F::Element> {
    let mut f = vec![field.zero(); n + 1];
    (f[0], f[n]) = (field.neg(field.one()), field.one());
    f
}

/// The examples of chapter 9 of the specification, the multi-drop trace and the least input on which the printed s-step
/// algorithm fails among them.
#[test]
fn worked_examples() {
    type Case<'a> = (u32, &'a [u32], &'a [u32], &'a [u32]);
    let cases: [Case<'_>; 6] = [
        (9001, &[5, 11, 3, 17, 3, 3], &[35, 7, 12, 1, 1], &[5, 1, 1]),
        (7, &[1, 0, 1], &[3, 1], &[1]),
        (7, &[6, 5, 1, 0, 1], &[2, 0, 3, 1], &[1]),
        (7, &[3, 3, 0, 0, 1, 1], &[2, 2, 0, 1, 1], &[1, 1]),
        (7, &[2, 2, 1, 1, 1, 0, 2, 4], &[0, 5, 3, 5, 3, 5, 3], &[3, 1]),
        (9001, &[5, 0, 0, 0, 1, 0, 0, 0, 1], &[3, 0, 0, 0, 0, 0, 0, 1], &[1]),
    ];
    for device in devices() {
        for (p, a, b, expected) in cases {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let (a, b) = (ring.poly(a).unwrap(), ring.poly(b).unwrap());
            assert_eq!(ring.coefficients(&ring.gcd(&a, &b).unwrap()).unwrap(), expected, "{device:?} mod {p}");
            assert_eq!(ring.coefficients(&ring.gcd(&b, &a).unwrap()).unwrap(), expected, "{device:?} mod {p}");
        }
    }
}

struct Pairs;

impl Check for Pairs {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let random = |len, salt| elements(field, len, salt);
        let common = random(7, 9);
        let mut pairs = vec![
            (vec![], vec![]),
            (vec![], random(4, 1)),
            (random(1, 1), random(9, 2)),
            (random(12, 3), random(12, 3)),
            (binomial(field, 30), binomial(field, 12)),
            (random(90, 4), random(3, 5)),
            (multiply(field, &random(30, 1), &common), multiply(field, &random(24, 2), &common)),
        ];
        if !small(ring.device()) {
            pairs.push((random(700, 1), random(699, 2)));
            pairs.push((binomial(field, 360), binomial(field, 225)));
        }
        for (a, b) in pairs {
            let expected = reference::gcd(field, &a, &b);
            let gcd = ring.gcd(&ring.poly(&a).unwrap(), &ring.poly(&b).unwrap()).unwrap();
            let name = format!("{} and {}, {} mod {}", a.len(), b.len(), ring.arithmetic(), field.order());
            assert_eq!(ring.coefficients(&gcd).unwrap(), expected, "{name}");
        }
    }
}

#[test]
fn divisors_equal_the_definition() {
    for device in devices() {
        few_rings(&device, &mut Pairs);
        for p in if small(&device) { vec![2] } else { vec![2, 3, 7, 9001, 469_762_049] } {
            Pairs.check(&PolyRing::new(&device, short(p)).unwrap());
        }
    }
}

/// Half-gcd with transitions up to these degrees.
struct Halves(Vec<usize>);

impl Check for Halves {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        let random = |len, salt| elements(field, len, salt);
        // Most coefficients are zero, so that degrees drop by more than one.
        let sparse = |len: usize, gap: usize, salt: u64| -> Vec<F::Element> {
            let word = |(i, c): (usize, F::Element)| if i % gap == 0 || i + 1 == len { c } else { field.zero() };
            random(len, salt).into_iter().enumerate().map(word).collect()
        };
        let common = random(9, 9);
        let mut pairs = vec![
            (vec![], random(4, 1)),
            (random(12, 3), random(12, 3)),
            (random(33, 1), random(32, 2)),
            (binomial(field, 36), binomial(field, 24)),
            (multiply(field, &random(30, 1), &common), multiply(field, &random(24, 2), &common)),
            (sparse(61, 7, 1), sparse(60, 5, 2)),
        ];
        if !sparing(ring.device()) {
            pairs.push((random(260, 1), random(259, 2)));
            pairs.push((multiply(field, &sparse(240, 16, 1), &common), multiply(field, &sparse(230, 8, 2), &common)));
            pairs.push((binomial(field, 360), binomial(field, 225)));
            pairs.push((random(300, 4), random(40, 5)));
        }
        for (a, b) in pairs {
            let expected = reference::gcd(field, &a, &b);
            let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
            for &base in &self.0 {
                let plan = GcdPlan::Half { base };
                let name = format!("{} and {}, {plan}, mod {}", a.len(), b.len(), field.order());
                for (f, g) in [(&f, &g), (&g, &f)] {
                    assert_eq!(ring.coefficients(&ring.gcd_by(f, g, &plan).unwrap()).unwrap(), expected, "{name}");
                }
            }
        }
    }
}

#[test]
fn half_gcds_with_every_base_equal_the_definition() {
    for device in devices() {
        let host = device.info().id == "host";
        let bases = if host { vec![0, 1, 5, 32, 64, 128, usize::MAX] } else { vec![3, 64] };
        few_rings(&device, &mut Halves(bases.clone()));
        for p in if small(&device) && !sparing(&device) { vec![7] } else { vec![2, 3, 7, 9001, 469_762_049] } {
            Halves(bases.clone()).check(&PolyRing::new(&device, short(p)).unwrap());
        }
        if host {
            let field = manycore_field::PrimeField::<u64>::new(4_611_686_009_971_671_041).unwrap();
            Halves(bases).check(&PolyRing::new(&device, field).unwrap());
        }
    }
}

/// Polynomials of `n` coefficients and one less, with a common factor, by every plan of the host.
fn check_long<F: PolyField>(field: F, n: usize) {
    let ring = PolyRing::new(&Device::host(), field).unwrap();
    let common = ring.random(40, 3).unwrap();
    let [a, b] = [(n, 1), (n - 1, 2)].map(|(len, seed)| {
        let f = ring.random(len, seed).unwrap();
        ring.mul(&f, &common).unwrap()
    });
    let expected = ring.gcd_by(&a, &b, &GcdPlan::Euclid).unwrap();
    assert!(expected.len() >= common.len());
    let choice = ring.explain_gcd(a.len(), b.len()).unwrap();
    let halves = choice.candidates().iter().filter(|plan| plan.parameters.algorithm() == GcdAlgorithm::HalfGcd);
    assert!(halves.count() >= 2, "{choice}");
    let short = [1, 16, 64].map(|base| GcdPlan::Half { base });
    for plan in choice.candidates().iter().map(|candidate| &candidate.parameters).chain(&short) {
        let gcd = ring.gcd_by(&a, &b, plan).unwrap();
        assert!(ring.equal(&gcd, &expected).unwrap(), "{plan} of {n} mod {}", ring.field().order());
    }
    // Pairs of a batch go one by one.
    let [f, g] = [&a, &b].map(|f| ring.batch(&ring.coefficients(f).unwrap(), 1, f.len()).unwrap());
    for plan in [None, Some(&short[2])] {
        let gcds = ring.gcd_batch_by(&f, &g, plan).unwrap();
        assert_eq!(gcds.lens(), [expected.len()]);
        let divisor = gcds.divisors().buffer().download().unwrap();
        assert_eq!(divisor[..expected.len()], ring.coefficients(&expected).unwrap());
    }
}

/// Lengths around powers of two, at which products of half-gcd wrap around, and long enough for several threads; moduli whose
/// transforms are direct, and others.
#[test]
fn long_divisors_by_every_plan_are_equal() {
    // With the common factor 1024 coefficients, and those beside.
    for n in [984, 985, 986, 3000, 20_000] {
        check_long(short(469_762_049), n);
    }
    check_long(short(9001), 1500);
    check_long(short(2_147_483_647), 1100);
    check_long(manycore_field::PrimeField::<u64>::new(4_611_686_009_971_671_041).unwrap(), 1500);
    check_long(manycore_field::Goldilocks, 2009);
}

/// Long polynomials take half-gcd, and short ones do not.
#[test]
fn long_pairs_are_halved_on_the_host() {
    let ring = PolyRing::new(&Device::host(), short(469_762_049)).unwrap();
    let best = |n| ring.explain_gcd(n, n - 1).unwrap().best().parameters.algorithm();
    assert_eq!((best(50), best(1 << 14)), (GcdAlgorithm::Euclid, GcdAlgorithm::HalfGcd));
}

struct Batches;

impl Check for Batches {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for (count, n, m) in [(0, 3, 3), (3, 0, 0), (1, 1, 1), (5, 1, 4), (7, 9, 9), (33, 12, 5)] {
            // Every third one of either side ends with zeros, or is zero; others have a factor in common.
            let row = |index: usize, len: usize, salt: u64| -> Vec<F::Element> {
                let mut f: Vec<F::Element> = (0..len)
                    .map(|i| F::Element::from_u64((index * len + i) as u64 * 0x9e37_79b9 % 1009 % field.order()))
                    .collect();
                if (index as u64 + salt).is_multiple_of(3) {
                    f[index % (len + 1)..].fill(field.zero());
                }
                if index % 2 == 1 && len > 0 {
                    f[0] = field.zero();
                }
                f
            };
            let rows =
                |len: usize, salt: u64| -> Vec<Vec<F::Element>> { (0..count).map(|i| row(i, len, salt)).collect() };
            let (a, b) = (rows(n, 0), rows(m, 1));
            let (f, g) = (ring.batch(&a.concat(), count, n).unwrap(), ring.batch(&b.concat(), count, m).unwrap());
            let gcds = ring.gcd_batch(&f, &g).unwrap();
            let divisors = gcds.divisors().buffer().download().unwrap();
            let name = format!("{count} of {n} and {m}, {} mod {}", ring.arithmetic(), field.order());
            assert_eq!((gcds.divisors().count(), gcds.divisors().len()), (count, n.max(m)), "{name}");
            for (i, (a, b)) in a.iter().zip(&b).enumerate() {
                let mut expected = reference::gcd(field, a, b);
                assert_eq!(gcds.lens()[i], expected.len(), "{i} in {name}");
                expected.resize(n.max(m), field.zero());
                assert_eq!(divisors[i * n.max(m)..][..n.max(m)], expected, "{i} in {name}");
            }
        }
    }
}

#[test]
fn batches_equal_the_definition() {
    for device in devices() {
        few_rings(&device, &mut Batches);
        for p in if sparing(&device) { vec![2] } else { vec![2, 7, 469_762_049] } {
            Batches.check(&PolyRing::new(&device, short(p)).unwrap());
        }
    }
}

#[test]
fn wrong_input_is_refused() {
    let host = Device::host();
    let (ring, other) = (PolyRing::new(&host, short(7)).unwrap(), PolyRing::new(&host, short(3)).unwrap());
    let (f, g) = (poly(&ring, 3, 1), poly(&other, 3, 1));
    let mixed = PolyError::MixedRings { expected: 7, given: 3 };
    assert_eq!(ring.gcd(&f, &g).unwrap_err(), mixed);
    assert_eq!(ring.gcd_by(&g, &f, &GcdPlan::Euclid).unwrap_err(), mixed);
    let batches = (ring.batch(&[1; 6], 3, 2).unwrap(), ring.batch(&[1; 6], 2, 3).unwrap());
    assert_eq!(ring.gcd_batch(&batches.0, &batches.1).unwrap_err(), PolyError::Batch { given: 6, count: 3, len: 3 });
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let (f, g) = (poly(&ring, 20, 1), poly(&ring, 19, 2));
        let choice = ring.explain_gcd(20, 19).unwrap();
        assert!(ring.gcd_by(&f, &g, &choice.best().parameters).is_ok(), "{choice}");
        let is_host = choice.best().parameters.algorithm() == GcdAlgorithm::Euclid;
        let foreign = if is_host {
            let gpu = manycore_poly::gcd::Packing { log_group: 5, log_pack: 0 };
            GcdPlan::Local(gpu)
        } else {
            GcdPlan::Euclid
        };
        assert!(matches!(ring.gcd_by(&f, &g, &foreign).unwrap_err(), PolyError::Gcd { .. }));
        let shape = GcdShape { count: 100, n: 65, m: 65 };
        assert!(!ring.explain_gcd_batch(&shape).unwrap().candidates().is_empty());
    }
}

/// Lengths that no memory holds have an estimate or a typed error, in a time that does not grow with them.
#[test]
fn lengths_past_every_memory_are_explained_or_refused() {
    const LENGTHS: [usize; 6] = [1, 1 << 10, 1 << 31, 1 << 40, 1 << 62, 10_000_000_000_000_000_000];
    for device in devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        for (n, m) in LENGTHS.into_iter().flat_map(|n| LENGTHS.map(|m| (n, m))) {
            for count in [1, 1 << 20] {
                let is_addressable = n
                    .checked_add(m)
                    .and_then(|words| words.checked_mul(count))
                    .is_some_and(|words| words <= isize::MAX as usize / 4);
                match ring.explain_gcd_batch(&GcdShape { count, n, m }) {
                    Ok(choice) => assert!(is_addressable && choice.best().estimate.seconds.is_finite(), "{n} and {m}"),
                    Err(PolyError::TooLong { .. }) => assert!(!is_addressable, "{n} and {m}"),
                    Err(error) => assert!(matches!(error, PolyError::NoChoice(_)), "{n} and {m}: {error}"),
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// `gcd(a f, a g)` is `a gcd(f, g)`, made monic, and divides both.
    #[test]
    fn a_common_factor_comes_out(
        p in prop::sample::select(vec![2u32, 3, 7, 9001, 469_762_049, 2_147_483_647]),
        lens in (1usize..40, 1usize..40, 1usize..20),
        seeds in any::<[u64; 3]>(),
    ) {
        let ring = PolyRing::new(&Device::host(), short(p)).unwrap();
        let [f, g, a] = [(lens.0, seeds[0]), (lens.1, seeds[1]), (lens.2, seeds[2])]
            .map(|(len, seed)| ring.random(len, seed).unwrap());
        let (af, ag) = (ring.mul(&a, &f).unwrap(), ring.mul(&a, &g).unwrap());
        let whole = ring.gcd(&af, &ag).unwrap();
        let expected = ring.monic(&ring.mul(&a, &ring.gcd(&f, &g).unwrap()).unwrap()).unwrap();
        prop_assert!(ring.equal(&whole, &expected).unwrap());
        if !whole.is_zero() {
            prop_assert!(ring.rem(&af, &whole).unwrap().is_zero() && ring.rem(&ag, &whole).unwrap().is_zero());
        }
    }
}

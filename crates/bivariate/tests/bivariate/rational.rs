//! Systems over the rationals: chosen solutions, long coefficients, and images modulo primes as a second route.

use manycore_bivariate::{Bivariate, RationalBivariate, RationalRing, RationalSolutions, Variable};
use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_testkit::devices;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

use crate::on_host;

fn parse(text: &str) -> RationalBivariate {
    RationalBivariate::parse(text).unwrap()
}

fn fraction(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

/// Solves and checks a system.
fn solve(ring: &RationalRing, f: &RationalBivariate, g: &RationalBivariate) -> RationalSolutions {
    let found = ring.solve(f, g).unwrap();
    assert!(ring.verify_solutions(f, g, &found, 7).unwrap(), "{f} and {g}: {found:?}");
    found
}

fn points(found: &RationalSolutions) -> Vec<String> {
    found.points.iter().map(|[x, y]| format!("{x} {y}")).collect()
}

#[test]
fn worked_examples_on_every_device() {
    for device in devices() {
        let ring = RationalRing::new(&device);
        let found = solve(&ring, &parse("x^2 + y^2 - 5"), &parse("x*y - 2"));
        assert_eq!(points(&found), ["-2 -1", "-1 -2", "1 2", "2 1"]);
        assert_eq!((found.decomposition.unlucky, found.decomposition.chains.len()), (0, 1));
        let found = solve(&ring, &parse("(y - x)*(y - 1/3)"), &parse("(y - x)*(x - 2/5)"));
        assert_eq!(found.decomposition.curves, [parse("y - x")]);
        assert_eq!(points(&found), ["2/5 1/3"]);
    }
}

#[test]
fn decimal_numbers_are_fractions() {
    assert_eq!(parse("1.5*x - 2.5e-1*y + .125"), parse("3/2*x - 1/4*y + 1/8"));
    assert_eq!(parse("0.5/2 x"), parse("x/4"));
}

#[test]
fn all_cases_of_the_decomposition() {
    let ring = RationalRing::new(&Device::host());
    let text = |f: &str, g: &str| points(&solve(&ring, &parse(f), &parse(g)));
    // Fibres of several points, a multiple one, leading coefficients that vanish, contents.
    assert_eq!(text("(y^2 - 1)*(y - 3) + x", "(y^2 - 1)*(y + 5) + x*y"), ["-48 5", "0 -1", "0 1"]);
    assert_eq!(text("(x - 1/2)^2", "(y - 2)^3 + (x - 1/2)*y"), ["1/2 2"]);
    assert_eq!(text("x*y^2 + y - 1", "x*y^2 + 2*y - 2"), ["0 1"]);
    assert!(text("x*y^2 + y - 1", "x*y^2 + y - 2").is_empty());
    assert_eq!(text("(x - 1)*(y - 2)", "(x - 3)*(y^2 - x)"), ["1 -1", "1 1", "3 2", "4 2"]);
    assert_eq!(text("x^2 - 2", "y - 1"), [""; 0]);
    assert_eq!(text("x", "y"), ["0 0"]);
    assert!(text("7", "x + y").is_empty());
    assert!(text("x*y + 1", "x*y + 2").is_empty());
    assert_eq!(text("y*(4*y^2 - 1)*(y - 3)^2", "x"), ["0 -1/2", "0 0", "0 1/2", "0 3"]);
    let found = solve(&ring, &parse("0"), &parse("2*x*y - x"));
    assert_eq!(found.decomposition.curves, [parse("x"), parse("y - 1/2")]);
    assert!(ring.decompose(&parse("0"), &parse("x - x")).is_err());
}

/// Lagrange's form of chosen points mixed by polynomials: the only zeros are the points.
fn interpolating(points: &[[BigRational; 2]]) -> [String; 2] {
    let t: Vec<String> = points.iter().map(|[x, _]| format!("(x - ({x}))")).collect();
    let line = points.iter().enumerate().map(|(i, [x, y])| {
        let others = points.iter().enumerate().filter(|&(j, _)| j != i);
        others.fold(format!("({y})"), |text, (_, [other, _])| format!("{text}*(x - ({other}))/({})", x - other))
    });
    let h = format!("(y - ({}))", line.collect::<Vec<_>>().join(" + "));
    let first = format!("{} + (x*y - 3*x + 1/7)*{h}", t.join("*"));
    [first.clone(), format!("{h} + (y - x + 2)*({first})")]
}

#[test]
fn chosen_points_are_found() {
    let ring = RationalRing::new(&Device::host());
    let long = |seed: u32| BigRational::new(BigInt::from(3).pow(40 + seed), BigInt::from(7).pow(23 + seed));
    let small: Vec<[BigRational; 2]> = (1..5).map(|i| [fraction(i * i - 7, i), fraction(5 - i, 2 * i + 1)]).collect();
    let large: Vec<[BigRational; 2]> = (1..4).map(|i| [long(i), -long(2 * i) + fraction(1, 2)]).collect();
    for mut points in [small[..1].to_vec(), small, large] {
        let [f, g] = interpolating(&points);
        let found = solve(&ring, &parse(&f), &parse(&g));
        points.sort_unstable();
        assert_eq!(found.points, points);
        assert!(found.decomposition.primes >= 1);
    }
}

/// The largest primes of 62 bits divide what they must not: their images have other shapes, and are left out.
#[test]
fn unlucky_primes_are_noticed() {
    let ring = RationalRing::new(&Device::host());
    let primes: Vec<u64> = manycore_field::primes::ntt_primes(62, 12).take(3).collect();
    // Modulo the first prime both points are one, modulo the second the system has a common factor.
    let [p, q, r] = [primes[0], primes[1], primes[2]];
    let found = solve(&ring, &parse(&format!("x*(x - {p})")), &parse("y - 3*x"));
    assert_eq!((found.points.len(), found.decomposition.unlucky), (2, 1));
    let found = solve(&ring, &parse("x*(y - x)"), &parse(&format!("x*(y - 2) + {q}")));
    assert_eq!((found.decomposition.curves.len(), found.decomposition.unlucky), (0, 1));
    // The leading coefficient vanishes: the prime is passed over.
    let found = solve(&ring, &parse(&format!("{r}*x^2 - 1 + {p}*y^2")), &parse("x - y"));
    assert_eq!(found.decomposition.unlucky, 0);
}

#[test]
fn wrong_solutions_are_refused() {
    let ring = RationalRing::new(&Device::host());
    let (f, g) = (parse("x^2 + y^2 - 5"), parse("x*y - 2"));
    let found = ring.solve(&f, &g).unwrap();
    let refused = |change: &dyn Fn(&mut RationalSolutions)| {
        let mut wrong = found.clone();
        change(&mut wrong);
        assert!(!ring.verify_solutions(&f, &g, &wrong, 1).unwrap(), "{wrong:?}");
    };
    refused(&|wrong| drop(wrong.points.pop()));
    refused(&|wrong| wrong.points[0][0] = fraction(1, 2));
    refused(&|wrong| wrong.points.swap(0, 1));
    refused(&|wrong| wrong.decomposition.chains.clear());
    refused(&|wrong| wrong.decomposition.chains[0].t[0] += 1);
    refused(&|wrong| wrong.decomposition.chains[0].h = parse("2*x^3*y - 5*x*y - 4*x^2 + 11"));
    refused(&|wrong| wrong.decomposition.curves.push(parse("x + y")));
    let resultant = ring.resultant(&f, &g, Variable::Y).unwrap();
    assert!(ring.verify_resultant(&f, &g, Variable::Y, &resultant, 1).unwrap());
    for at in 0..resultant.len() {
        let mut wrong = resultant.clone();
        wrong[at] += fraction(1, 3);
        assert!(!ring.verify_resultant(&f, &g, Variable::Y, &wrong, 1).unwrap());
    }
}

fn polynomial() -> impl Strategy<Value = RationalBivariate> {
    let number =
        prop_oneof![2 => Just((0i64, 1i64)), 3 => (-50i64..50, 1i64..6), 1 => (i64::MIN + 1..i64::MAX, 1i64..2)];
    let rows = proptest::collection::vec(proptest::collection::vec(number, 0..4), 0..4);
    rows.prop_map(|rows| {
        let rows = rows.into_iter().map(|row| row.into_iter().map(|(n, d)| fraction(n, d)).collect()).collect();
        RationalBivariate::from_rows(rows).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Modulo a prime the resultant is that of the images.
    #[test]
    fn resultants_have_their_images(f in polynomial(), g in polynomial(), eliminated in prop_oneof![Just(Variable::X), Just(Variable::Y)]) {
        let found = RationalRing::new(&Device::host()).resultant(&f, &g, eliminated).unwrap();
        let field = PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap();
        let ring = on_host(field);
        let [a, b] = [&f, &g].map(|f| f.reduced(&field).unwrap());
        let image = RationalBivariate::from_rows(vec![found]).unwrap().reduced(&field).unwrap();
        let expected = ring.resultant(&a, &b, eliminated).unwrap();
        prop_assert_eq!(image.rows().first().cloned().unwrap_or_default(), expected);
    }

    #[test]
    fn solutions_hold_modulo_other_primes(f in polynomial(), g in polynomial()) {
        prop_assume!(!(f.is_zero() && g.is_zero()));
        solve(&RationalRing::new(&Device::host()), &f, &g);
    }

    #[test]
    fn texts_come_back(f in polynomial()) {
        prop_assert_eq!(parse(&f.to_string()), f);
    }
}

#[test]
fn texts_of_fractions() {
    assert_eq!(parse("-(x - 1/2)^2*4/3 + y**2").to_string(), "y^2 - 4/3*x^2 + 4/3*x - 1/3");
    assert_eq!(parse("0/5").to_string(), "0");
    assert_eq!(parse("-x + y - 1").to_string(), "y - x - 1");
    let error = |text: &str| RationalBivariate::parse(text).unwrap_err().to_string();
    assert_eq!(error("x + Mod(1, 7)"), "column 12: a residue mod \"7\", where coefficients are fractions");
    assert_eq!(error("x/(1 - 1)"), "column 3: a division by zero");
    assert_eq!(error("2^99999999999"), "column 3: a power of a number that is too long");
    assert!(error("(2^1000000*x + 1)^64").contains("a product of"));
    assert!(RationalBivariate::parse("x^2000000").is_err());
    let image = Bivariate::parse(&PrimeField::<u64>::new(7).unwrap(), "4*x + 3").unwrap();
    assert_eq!(parse("1/2*x + 10").reduced(&PrimeField::new(7).unwrap()), Some(image));
    assert_eq!(parse("1/7*x").reduced(&PrimeField::new(7).unwrap()), None);
}

use super::super::plain::{Plain, divide, multiply, subtract};
use super::super::stripped;
use super::*;

const PRIMES: [u64; 7] = [2, 3, 7, 9001, 469_762_049, 4_611_686_009_971_671_041, 18_446_744_069_414_584_321];

fn outcome(p: u64, polynomials: &[Vec<u64>], wrong: Option<usize>) -> (Result<Passed, CheckError>, usize) {
    let slices: Vec<&[u64]> = polynomials.iter().map(Vec::as_slice).collect();
    let mut oracle = Plain::new(Modulus::new(p).unwrap(), wrong);
    let outcome = check(p, &slices, &mut oracle, &mut SplitMix::new(7));
    (outcome, oracle.answers)
}

/// All monic polynomials of a degree, irreducible or not by trial division.
fn by_trial(p: u64, degree: u32) -> (Vec<Vec<u64>>, Vec<Vec<u64>>) {
    let modulus = Modulus::new(p).unwrap();
    let digits = |mut number: u64, degree: u32| {
        let mut f = Vec::new();
        for _ in 0..degree {
            f.push(number % p);
            number /= p;
        }
        f.push(1);
        f
    };
    let all = |degree: u32| (0..p.pow(degree)).map(move |number| digits(number, degree));
    all(degree)
        .partition(|f| (1..=degree / 2).all(|d| all(d).all(|divisor| !divide(modulus, f, &divisor).1.is_empty())))
}

/// Each polynomial alone, and the irreducible ones together with one that is not.
#[test]
fn polynomials_are_told_as_by_trial_division() {
    for (p, degree) in [(2, 2), (2, 3), (2, 4), (2, 6), (3, 2), (3, 4), (7, 2)] {
        let (irreducible, others) = by_trial(p, degree);
        assert!(outcome(p, &irreducible, None).0.is_ok(), "{p} {degree}");
        for f in &irreducible {
            assert!(outcome(p, std::slice::from_ref(f), None).0.is_ok(), "{f:?} modulo {p}");
        }
        for f in others.iter().take(12) {
            let error = outcome(p, std::slice::from_ref(f), None).0.unwrap_err();
            assert!(error.is_wrong() && error.to_string().contains("irreducible"), "{f:?} modulo {p}: {error}");
            let mut together = irreducible.clone();
            together.push(f.clone());
            assert!(outcome(p, &together, None).0.unwrap_err().is_wrong(), "{f:?} modulo {p}");
        }
    }
}

/// `x^2 - a` for squares and others, cyclotomic polynomials, and products of two, over large fields too.
#[test]
fn polynomials_over_large_fields_are_told() {
    for p in PRIMES.into_iter().filter(|&p| p > 2) {
        let modulus = Modulus::new(p).unwrap();
        let is_square = |a: u64| modulus.power(a, (p - 1) / 2) == 1;
        let quadratics: Vec<Vec<u64>> =
            (2..40.min(p)).filter(|&a| !is_square(a)).map(|a| vec![modulus.sub(0, a), 0, 1]).take(4).collect();
        assert!(outcome(p, &quadratics, None).0.is_ok(), "{p}");
        let square = (1..p).find(|&a| is_square(a)).unwrap();
        let mut with_square = quadratics.clone();
        with_square.push(vec![modulus.sub(0, square), 0, 1]);
        assert!(outcome(p, &with_square, None).0.unwrap_err().is_wrong(), "{p}");
        if quadratics.len() > 1 {
            let quartic = multiply(modulus, &quadratics[0], &quadratics[1]);
            assert!(outcome(p, &[quartic], None).0.unwrap_err().is_wrong(), "{p}");
        }
        assert!(outcome(p, &[vec![0, 1], vec![1, 1]], None).0.is_ok());
    }
}

/// A polynomial without a factor of degree 1 or 2 whose factors have degrees 3 and 4, and one of degrees that divide its own.
#[test]
fn equal_and_unequal_degrees_are_found() {
    let modulus = Modulus::new(2).unwrap();
    let (cubic, quartic) = (vec![1, 1, 0, 1], vec![1, 1, 0, 0, 1]);
    let other = vec![1, 0, 1, 1];
    for product in
        [multiply(modulus, &cubic, &quartic), multiply(modulus, &cubic, &other), multiply(modulus, &cubic, &cubic)]
    {
        assert!(outcome(2, &[product], None).0.unwrap_err().is_wrong());
    }
}

/// An irreducible polynomial whose test takes compositions: the oracle's every answer counts.
#[test]
fn every_answer_of_the_oracle_is_checked() {
    // x^60 + x + 1 and x^127 + x + 1 are irreducible modulo 2 (N. Zierler, J. Brillhart, 1968); x^12 - 7 modulo 9001, where 7 is
    // neither a square nor a cube, by the theorem of Vahlen and Capelli.
    let trinomial = |n: usize| (0..=n).map(|i| u64::from(i == 0 || i == 1 || i == n)).collect::<Vec<u64>>();
    for (p, polynomials) in [
        (2, vec![trinomial(60)]),
        (2, vec![vec![1, 1, 1], vec![1, 1, 0, 0, 1], vec![1, 0, 0, 1, 1], vec![1, 1, 1, 1, 1]]),
        (9001, vec![vec![9001 - 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]]),
    ] {
        let (right, answers) = outcome(p, &polynomials, None);
        let right = right.unwrap();
        assert!(right.chance.log2().unwrap() <= -64.0);
        let step = (answers / 60).max(1);
        for wrong in (0..answers).step_by(step) {
            let (outcome, _) = outcome(p, &polynomials, Some(wrong));
            assert!(outcome.unwrap_err().is_wrong(), "answer {wrong} of {answers} modulo {p}");
        }
    }
    assert!(outcome(2, &[trinomial(127)], None).0.is_ok());
}

#[test]
fn compositions_are_those_of_horners_rule() {
    for p in PRIMES {
        let modulus = Modulus::new(p).unwrap();
        let mut random = SplitMix::new(p);
        for degree in [2, 3, 4, 9, 17] {
            let mut draw = |len: usize| (0..len).map(|_| modulus.random(&mut random)).collect::<Vec<u64>>();
            let (mut m, a, b) = (draw(degree), draw(degree), draw(degree));
            m.push(1);
            let (a, b) = (stripped(&a).to_vec(), stripped(&b).to_vec());
            let mut expected = Vec::new();
            for &c in a.iter().rev() {
                let product = multiply(modulus, &expected, &b);
                let sum = subtract(modulus, &product, &[modulus.sub(0, c)]);
                expected = divide(modulus, &sum, &m).1;
            }
            let extension = Extension::new(modulus, extension_degree(p, 2 * degree));
            let point = Point::new(&extension, extension.random(&mut SplitMix::new(2)), degree);
            let mut oracle = Plain::new(modulus, None);
            let mut modulo = Modulo::new(&point, &mut oracle, &m).unwrap();
            let [a, b] = [a, b].map(|f| modulo.of(f));
            let composed = modulo.compose(&a, &b).unwrap();
            assert_eq!(composed.words(), expected, "{p} {degree}");
            // The value that was carried along is that of the coefficients.
            assert_eq!(composed.value(), point.value(&expected));
        }
    }
}

#[test]
fn lists_that_are_none_are_refused() {
    for polynomials in
        [vec![vec![1]], vec![vec![]], vec![vec![1, 2]], vec![vec![1, 0, 1], vec![1, 1]], vec![vec![9, 1]]]
    {
        assert!(outcome(7, &polynomials, None).0.unwrap_err().is_wrong(), "{polynomials:?}");
    }
    assert!(outcome(7, &[], None).0.is_ok());
    let mut oracle = Plain::new(Modulus::new(7).unwrap(), None);
    assert!(!check(8, &[], &mut oracle, &mut SplitMix::new(7)).unwrap_err().is_wrong());
}

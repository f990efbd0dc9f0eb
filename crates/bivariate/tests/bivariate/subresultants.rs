//! Resultants and subresultants against determinants over `F_p[x]`, by every kind of points.

use manycore_bivariate::chain::{formal, reference};
use manycore_bivariate::{Bivariate, BivariateError, BivariateField, Variable};
use manycore_field::{Goldilocks, ModularField as _, PrimeField, ResidueWord as _, Semiring as _};
use manycore_poly::resultant::reference as univariate;
use proptest::prelude::*;

use crate::{Prime, everywhere, on_host, parse, prime, rows};

/// Roots of unity of high order; few of them; hardly any; none at all.
const PRIMES: [u32; 7] = [469_762_049, 2_147_483_647, 9001, 101, 7, 3, 2];

fn check(field: Prime, f: &Bivariate<Prime>, g: &Bivariate<Prime>) {
    let n = f.rows().len().min(g.rows().len());
    let ring = on_host(field);
    for k in 0..n.saturating_sub(1) {
        let expected = reference::subresultant(&field, f, g, k);
        assert_eq!(ring.subresultant(f, g, Variable::Y, k).unwrap(), expected, "S_{k} of {f:?} and {g:?}");
    }
    let resultant = ring.resultant(f, g, Variable::Y).unwrap();
    assert!(ring.verify_resultant(f, g, Variable::Y, &resultant, (5, 1)).unwrap(), "{f:?} and {g:?}");
    assert_eq!(ring.resultant_by_divisions(f, g, Variable::Y).unwrap(), resultant, "{f:?} and {g:?}");
    let resultant = ring.resultant(f, g, Variable::X).unwrap();
    assert_eq!(ring.resultant_by_divisions(f, g, Variable::X).unwrap(), resultant, "{f:?} and {g:?}");
}

fn polynomial() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let word = prop_oneof![3 => Just(0u64), 2 => 0u64..3, 3 => any::<u64>()];
    proptest::collection::vec(proptest::collection::vec(word, 0..4), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn chains_equal_determinants(a in polynomial(), b in polynomial(), at in 0..PRIMES.len()) {
        let field = prime(PRIMES[at]);
        let (f, g) = (rows(&field, &a), rows(&field, &b));
        check(field, &f, &g);
        check(field, &f.exchanged(), &g.exchanged());
    }

    /// Polynomials with a common factor, whose chains end early.
    #[test]
    fn chains_of_multiples_equal_determinants(
        a in polynomial(), b in polynomial(), c in polynomial(), at in 0..PRIMES.len(),
    ) {
        let field = prime(PRIMES[at]);
        let (f, g, h) = (rows(&field, &a), rows(&field, &b), rows(&field, &c));
        let short = |f: &Bivariate<Prime>| f.total_degree().unwrap_or(0) <= 4;
        prop_assume!(short(&f) && short(&g) && short(&h));
        check(field, &f.mul(&h).unwrap(), &g.mul(&h).unwrap());
    }

    /// The chain at one point for formal degrees, against determinants of formal size.
    #[test]
    fn formal_chains_equal_determinants(
        a in proptest::collection::vec(prop_oneof![Just(0u64), any::<u64>()], 2..7),
        b in proptest::collection::vec(prop_oneof![Just(0u64), any::<u64>()], 2..7),
        at in 0..PRIMES.len(),
    ) {
        let field = prime(PRIMES[at]);
        let p = field.order();
        let words = |f: &[u64]| -> Vec<u32> { f.iter().map(|c| (c % p) as u32).collect() };
        let (f, g) = (words(&a), words(&b));
        let (f, g) = if f.len() >= g.len() { (f, g) } else { (g, f) };
        let mut found: Vec<Vec<u32>> = (0..g.len() - 1).map(|k| vec![0; k + 1]).collect();
        formal::subresultants(&field, &f, &g, |k, s, factor| {
            for (to, &c) in found[k].iter_mut().zip(s) {
                *to = field.mul(c, factor);
            }
        });
        for (k, found) in found.iter().enumerate() {
            prop_assert_eq!(found, &univariate::subresultant(&field, &f, &g, k), "S_{} of {:?} and {:?}", k, f, g);
        }
    }
}

#[test]
fn examples_of_resultants() {
    let field = prime(9001);
    // The leading coefficient of the first vanishes at 0.
    let (f, g) = (parse(&field, "x*y^2 + y + 1"), parse(&field, "2*y^3 + 1"));
    let ring = on_host(field);
    assert_eq!(ring.resultant(&f, &g, Variable::Y).unwrap(), [2, 6, 0, 1]);
    let (f, g) = (parse(&field, "x*y^2 + y - 1"), parse(&field, "y^2 - x"));
    assert_eq!(ring.resultant(&f, &g, Variable::Y).unwrap(), [1, 9000, 8999, 0, 1]);
    let (f, g) = (parse(&field, "(y^2-1)*(y-3)+x"), parse(&field, "(y^2-1)*(y+5)+x*y"));
    assert_eq!(ring.resultant(&f, &g, Variable::Y).unwrap(), [0, 0, 0, 8953, 9000]);
    assert_eq!(ring.subresultant(&f, &g, Variable::Y, 1).unwrap(), rows(&field, &[vec![0, 32, 9000], vec![0, 32, 1]]));
    assert_eq!(
        ring.subresultant(&f, &g, Variable::Y, 2).unwrap(),
        rows(&field, &[vec![8993, 9000], vec![0, 1], vec![8]])
    );
    // The eliminant of the goldens.
    let field = prime(65519);
    let (f, g) = (parse(&field, "x^2 + 128333*x*y - 12*y"), parse(&field, "y^2 - x"));
    let resultant = on_host(field).resultant(&f, &g, Variable::Y).unwrap();
    let leading = *resultant.last().unwrap();
    let monic: Vec<u32> = resultant.iter().map(|&c| manycore_field::Field::div(&field, c, leading).unwrap()).collect();
    assert_eq!(monic, [0, 65375, 599, 21103, 1]);
}

#[test]
fn resultants_with_constants_are_powers() {
    let field = prime(9001);
    let ring = on_host(field);
    let resultant = |f: &str, g: &str| ring.resultant(&parse(&field, f), &parse(&field, g), Variable::Y).unwrap();
    assert_eq!(resultant("y^3 + x", "x + 1"), [1, 3, 3, 1]);
    assert_eq!(resultant("x + 1", "y^2 + x"), [1, 2, 1]);
    assert_eq!(resultant("x", "x + 1"), [1]);
    assert_eq!(resultant("y", "5"), [5]);
    assert!(resultant("0", "y").is_empty());
    assert!(resultant("y*x + 1", "y^2*x + y").is_empty());
    let error = ring.subresultant(&parse(&field, "y + x"), &parse(&field, "y^2"), Variable::Y, 1).unwrap_err();
    assert_eq!(error, BivariateError::Index { index: 1, m: 1, n: 2 });
}

/// Dense systems over every kind of field, at random points by the formal chain; blocks of points at their bounds.
fn dense<F: BivariateField>(field: &F, degrees: [(usize, usize); 2]) {
    let [f, g] = [0, 1].map(|i| Bivariate::random_rectangle(field, degrees[i].0, degrees[i].1, i as u64).unwrap());
    let ring = on_host(field.clone());
    for eliminated in [Variable::X, Variable::Y] {
        let resultant = ring.resultant(&f, &g, eliminated).unwrap();
        assert!(ring.verify_resultant(&f, &g, eliminated, &resultant, (20, 7)).unwrap(), "{degrees:?}");
        let mut wrong = resultant;
        wrong[0] = field.add(wrong[0], field.one());
        assert!(!ring.verify_resultant(&f, &g, eliminated, &wrong, (20, 7)).unwrap());
        // Nothing that was not compared looks like success.
        let error = ring.verify_resultant(&f, &g, eliminated, &wrong, (0, 7)).unwrap_err();
        assert!(matches!(error, BivariateError::NotChecked { .. }), "{error}");
    }
}

#[test]
fn dense_systems_hold_at_random_points() {
    for degrees in [[(1, 1), (1, 1)], [(7, 9), (9, 8)], [(15, 8), (17, 9)], [(16, 16), (16, 16)], [(3, 20), (40, 2)]] {
        dense(&prime(469_762_049), degrees);
        dense(&prime(65537), degrees);
        dense(&prime(2_147_483_647), degrees);
        dense(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap(), degrees);
        dense(&Goldilocks, degrees);
    }
}

/// Few elements: all of the group's cosets, progressions through the whole group, and the exact chain.
#[test]
fn small_fields_take_all_points_that_they_have() {
    for p in [257u32, 97, 101, 31, 17, 13] {
        let field = prime(p);
        for (dx, dy) in [(1, 1), (2, 2), (3, 3), (4, 4), (2, 6), (7, 1)] {
            let f = Bivariate::random_rectangle(&field, dx, dy, 5).unwrap();
            let g = Bivariate::random_rectangle(&field, dy, dx, 6).unwrap();
            check(field, &f, &g);
        }
    }
}

/// Total degrees bound resultants by Bezout's number.
#[test]
fn resultants_of_general_systems_have_the_degree_of_bezout() {
    everywhere(prime(469_762_049), |ring| {
        for (d, e) in [(1, 1), (3, 5), (8, 8), (20, 13)] {
            let f = Bivariate::random(ring.field(), d, 1).unwrap();
            let g = Bivariate::random(ring.field(), e, 2).unwrap();
            let resultant = ring.resultant(&f, &g, Variable::Y).unwrap();
            assert_eq!(resultant.len(), d * e + 1);
            assert!(ring.verify_resultant(&f, &g, Variable::Y, &resultant, (3, 9)).unwrap());
            let largest = resultant.iter().map(|c| c.as_u64()).max().unwrap();
            assert!(largest < 469_762_049);
        }
    });
}

//! Decompositions against exhaustive search over the field and its quadratic extension.

use std::collections::BTreeSet;

use manycore_bivariate::{Bivariate, BivariateField};
use manycore_field::{Goldilocks, PrimeField, Ring as _, Semiring as _};
use proptest::prelude::*;

use crate::field_of_squares::Squares;
use crate::{Prime, on_host, prime, rows};

/// Every zero over the field of `p^2` elements lies on a curve or in one chain, and nothing else does.
fn check_squares(field: Prime, f: &Bivariate<Prime>, g: &Bivariate<Prime>) {
    let ring = on_host(field);
    let found = ring.decompose(f, g).unwrap();
    assert!(ring.verify_chains(f, g, &found).unwrap(), "{f:?} and {g:?}: {found:?}");
    let squares = Squares::new(field);
    for &x in &squares.elements() {
        for &y in &squares.elements() {
            let zero = |f: &Bivariate<Prime>| squares.evaluate(f, x, y) == [0, 0];
            let chains =
                found.chains.iter().filter(|chain| squares.univariate(&chain.t, x) == [0, 0] && zero(&chain.h));
            let (chains, curves) = (chains.count(), found.curves.iter().any(zero));
            assert!(chains <= 1, "{x:?}, {y:?} of {f:?} and {g:?}");
            assert_eq!(zero(f) && zero(g), chains == 1 || curves, "{x:?}, {y:?} of {f:?} and {g:?}: {found:?}");
        }
    }
}

/// The points are those that exhaustive search finds, beside curves.
fn check(field: Prime, f: &Bivariate<Prime>, g: &Bivariate<Prime>) {
    let ring = on_host(field);
    let found = ring.solve(f, g).unwrap();
    assert!(ring.verify_solutions(f, g, &found).unwrap(), "{f:?} and {g:?}: {found:?}");
    let on_curve = |&[x, y]: &[u32; 2]| found.decomposition.curves.iter().any(|curve| curve.evaluate(x, y) == 0);
    let expected: BTreeSet<_> = ring.exhaustive_search(f, g).into_iter().filter(|point| !on_curve(point)).collect();
    let got: BTreeSet<_> = found.points.iter().copied().filter(|point| !on_curve(point)).collect();
    assert_eq!(got, expected, "{f:?} and {g:?}");
    assert_eq!(found.points.len(), found.points.iter().collect::<BTreeSet<_>>().len());
}

fn polynomial(most: usize) -> impl Strategy<Value = Vec<Vec<u64>>> {
    let word = prop_oneof![2 => Just(0u64), 3 => 0u64..1000];
    proptest::collection::vec(proptest::collection::vec(word, 0..=most), 0..=most)
}

/// Two polynomials, with a common factor and factors in `x` alone at times.
fn system() -> impl Strategy<Value = [Vec<Vec<u64>>; 4]> {
    let factor = prop_oneof![3 => Just(vec![vec![1u64]]), 2 => polynomial(2)];
    let vertical = prop_oneof![2 => Just(vec![vec![1u64]]), 1 => (0u64..1000).prop_map(|c| vec![vec![c, 1]])];
    (polynomial(4), polynomial(4), factor, vertical).prop_map(|(f, g, c, v)| [f, g, c, v])
}

fn built(field: &Prime, [f, g, common, vertical]: &[Vec<Vec<u64>>; 4]) -> [Bivariate<Prime>; 2] {
    let [f, g, common, vertical] = [f, g, common, vertical].map(|words| rows(field, words));
    [f.mul(&common).unwrap().mul(&vertical).unwrap(), g.mul(&common).unwrap()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn chains_are_the_zeros_over_the_quadratic_extension(words in system(), at in 0usize..4) {
        let field = prime([2, 3, 5, 7][at]);
        let [f, g] = built(&field, &words);
        prop_assume!(!(f.is_zero() && g.is_zero()));
        check_squares(field, &f, &g);
        check_squares(field, &g, &f);
    }

    #[test]
    fn solutions_are_those_of_exhaustive_search(words in system(), at in 0usize..5) {
        let field = prime([2, 3, 7, 31, 101][at]);
        let [f, g] = built(&field, &words);
        prop_assume!(!(f.is_zero() && g.is_zero()));
        check(field, &f, &g);
        check(field, &f.exchanged(), &g.exchanged());
    }
}

/// Systems with chosen points: sums of multiples of the ideal of the points.
fn interpolating(field: &Prime, points: &[[u32; 2]], seed: u64) -> [Bivariate<Prime>; 2] {
    // T(x) and y - L(x) for points of different x, mixed by an invertible matrix of polynomials.
    let linear = |c: u32| Bivariate::from_rows(field, vec![vec![field.neg(c), 1]]).unwrap();
    let one = Bivariate::from_rows(field, vec![vec![1]]).unwrap();
    let constant = |c: u32| Bivariate::from_rows(field, vec![vec![c]]).unwrap();
    let t = points.iter().fold(one.clone(), |t, &[x, _]| t.mul(&linear(x)).unwrap());
    let mut h = Bivariate::from_rows(field, vec![vec![], vec![1]]).unwrap();
    for &[x, y] in points {
        let others =
            points.iter().filter(|other| other[0] != x).fold(one.clone(), |l, other| l.mul(&linear(other[0])).unwrap());
        let scale = field.mul(field.neg(y), manycore_field::Field::inverse(field, others.evaluate(x, 0)).unwrap());
        h = h.add(&others.mul(&constant(scale)).unwrap()).unwrap();
    }
    let a = Bivariate::random(field, 2, seed).unwrap();
    let b = Bivariate::random(field, 1, seed + 1).unwrap();
    let first = t.add(&a.mul(&h).unwrap()).unwrap();
    let second = h.add(&b.mul(&first).unwrap()).unwrap();
    [first, second]
}

#[test]
fn chosen_points_are_found() {
    for (p, seed) in [(101u32, 1u64), (9001, 2), (469_762_049, 3)] {
        let field = prime(p);
        for count in [1u32, 2, 3, 7, 12] {
            let points: Vec<[u32; 2]> = (0..count).map(|i| [(i * i * 3 + i) % p, (i * 7 + 5) % p]).collect();
            let distinct: BTreeSet<u32> = points.iter().map(|point| point[0]).collect();
            assert_eq!(distinct.len(), points.len());
            let [f, g] = interpolating(&field, &points, seed);
            let ring = on_host(field);
            let found = ring.solve(&f, &g).unwrap();
            let mut expected = points;
            expected.sort_unstable();
            assert_eq!(found.points, expected, "mod {p}");
            assert!(ring.verify_solutions(&f, &g, &found).unwrap());
        }
    }
}

/// The curves of a system with one polynomial zero are those of the other.
#[test]
fn curves_of_one_polynomial_are_checked() {
    let field = prime(101u32);
    let ring = on_host(field);
    let [f, zero] = ["(x - 2)*(x*y + 1)*y", "0"].map(|text| Bivariate::parse(&field, text).unwrap());
    for [a, b] in [[&f, &zero], [&zero, &f]] {
        let found = ring.decompose(a, b).unwrap();
        assert!(found.cofactors.is_none() && ring.verify_chains(a, b, &found).unwrap());
        let mut wrong = found.clone();
        wrong.curves.pop();
        assert!(!ring.verify_chains(a, b, &wrong).unwrap(), "a curve is missing");
        let mut wrong = found.clone();
        wrong.curves[0] = Bivariate::parse(&field, "x - 3").unwrap();
        assert!(!ring.verify_chains(a, b, &wrong).unwrap(), "another curve");
        assert!(!ring.verify_chains(&f, &f, &found).unwrap(), "cofactors are missing");
    }
}

/// A shear moves points and keeps their number over the closure: a second route to the degrees of chains.
fn shear<F: BivariateField>(field: &F, degree: usize) {
    let ring = on_host(field.clone());
    let [f, g] = [1, 2].map(|seed| Bivariate::random(field, degree, seed).unwrap());
    let sheared = |f: &Bivariate<F>| {
        // x becomes x + 3 y.
        let form = Bivariate::from_rows(field, vec![vec![field.zero(), field.one()], vec![field.natural(3)]]).unwrap();
        let y = Bivariate::from_rows(field, vec![vec![], vec![field.one()]]).unwrap();
        let zero = Bivariate::from_rows(field, Vec::new()).unwrap();
        f.rows().iter().rev().fold(zero.clone(), |sum, row| {
            let row = row.iter().rev().fold(zero.clone(), |value, &c| {
                let c = Bivariate::from_rows(field, vec![vec![c]]).unwrap();
                value.mul(&form).unwrap().add(&c).unwrap()
            });
            sum.mul(&y).unwrap().add(&row).unwrap()
        })
    };
    let points = |f: &Bivariate<F>, g: &Bivariate<F>| {
        let found = ring.solve(f, g).unwrap();
        assert!(ring.verify_solutions(f, g, &found).unwrap());
        let count: usize = found.decomposition.chains.iter().map(|c| (c.t.len() - 1) * c.h.degree_y().unwrap()).sum();
        (count, found.points)
    };
    let (count, straight) = points(&f, &g);
    assert_eq!(count, degree * degree, "general systems have as many points as Bezout's number");
    let (other, moved) = points(&sheared(&f), &sheared(&g));
    assert_eq!(count, other);
    let mut back: Vec<_> = moved.iter().map(|&[x, y]| [field.add(x, field.mul(field.natural(3), y)), y]).collect();
    back.sort_unstable_by_key(|point| point.map(manycore_field::ResidueWord::as_u64));
    assert_eq!(back, straight);
}

#[test]
fn shears_keep_solutions() {
    for degree in [1, 2, 5, 9] {
        shear(&prime(469_762_049), degree);
        shear(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap(), degree);
        shear(&Goldilocks, degree);
    }
}

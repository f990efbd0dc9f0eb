//! Representations by a separating form, by substitution and against exhaustive search.

use std::collections::BTreeSet;

use manycore_bivariate::{Bivariate, BivariateError};
use manycore_field::{Goldilocks, PrimeField};
use proptest::prelude::*;

use crate::{Prime, everywhere, on_host, parse, prime, rows};

/// Checks a system of finitely many points; whether the field has a form that tells them apart.
fn check(field: Prime, f: &Bivariate<Prime>, g: &Bivariate<Prime>) -> bool {
    let ring = on_host(field);
    let decomposition = ring.decompose(f, g).unwrap();
    let [a, b] = decomposition.cofactors.clone().unwrap();
    let found = match ring.represent(&decomposition) {
        Ok(found) => found,
        Err(BivariateError::NoForm { modulus, .. }) => {
            assert!(modulus <= 101, "{f:?} and {g:?}");
            return false;
        }
        Err(error) => panic!("{f:?} and {g:?}: {error}"),
    };
    assert!(ring.verify_representation(&a, &b, &found).unwrap(), "{f:?} and {g:?}: {found:?}");
    let points = ring.representation_points(&found).unwrap();
    let got: BTreeSet<_> = points.iter().copied().collect();
    assert_eq!(got.len(), points.len());
    let expected: BTreeSet<_> = ring.exhaustive_search(&a, &b).into_iter().collect();
    assert_eq!(got, expected, "{f:?} and {g:?}: {found:?}");
    let mut wrong = found.clone();
    wrong.x.resize(found.t.len(), 0);
    wrong.x[0] = (wrong.x[0] + 1) % field.modulus();
    assert!(found.t.len() == 1 || !ring.verify_representation(&a, &b, &wrong).unwrap());
    true
}

fn polynomial(most: usize) -> impl Strategy<Value = Vec<Vec<u64>>> {
    let word = prop_oneof![1 => Just(0u64), 3 => 0u64..1000];
    proptest::collection::vec(proptest::collection::vec(word, 0..=most), 0..=most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn points_are_those_of_exhaustive_search(f in polynomial(4), g in polynomial(4), common in polynomial(2), at in 0usize..4) {
        let field = prime([2, 3, 7, 101][at]);
        let common = if common.is_empty() { vec![vec![1]] } else { common };
        let [f, g, common] = [f, g, common].map(|words| rows(&field, &words));
        prop_assume!(!f.is_zero() && !g.is_zero() && !common.is_zero());
        check(field, &f.mul(&common).unwrap(), &g.mul(&common).unwrap());
    }
}

#[test]
fn grids_and_multiple_points_have_forms() {
    for p in [101, 9001] {
        let field = prime(p);
        for (f, g, points) in [
            ("x^3 - x", "y^3 - y", 9),
            ("(x - 1)^2", "(y - 2)^3 + (x - 1)*y", 1),
            ("y^2 - x", "x^2", 1),
            ("x*y", "x^2 + y^2 - 1", 4),
            ("x", "y^4 - 1", 4),
            ("5", "x + y", 0),
        ] {
            let (f, g) = (parse(&field, f), parse(&field, g));
            let ring = on_host(field);
            assert_eq!(ring.represent(&ring.decompose(&f, &g).unwrap()).unwrap().t.len(), points + 1);
            if p == 101 {
                assert!(check(field, &f, &g));
            }
        }
    }
}

/// Mod 2 and 3 no form tells apart all points of the plane.
#[test]
fn planes_of_small_fields_have_no_form() {
    for p in [2u32, 3] {
        let field = prime(p);
        let ring = on_host(field);
        let found =
            ring.decompose(&parse(&field, &format!("x^{p} - x")), &parse(&field, &format!("y^{p} - y"))).unwrap();
        let expected = BivariateError::NoForm { points: (p * p) as usize, modulus: p.into() };
        assert_eq!(ring.represent(&found).unwrap_err(), expected);
    }
}

#[test]
fn general_systems_are_represented_on_every_device() {
    everywhere(prime(469_762_049), |ring| {
        let [f, g] = [1, 2].map(|seed| Bivariate::random(ring.field(), 4, seed).unwrap());
        let squares = [f.exchanged(), g.exchanged()].map(|f| f.mul(&f).unwrap());
        for [f, g] in [[&f, &g], [&squares[0], &g]] {
            let found = ring.represent(&ring.decompose(f, g).unwrap()).unwrap();
            assert_eq!(found.t.len(), 17);
            assert!(ring.verify_representation(f, g, &found).unwrap());
        }
    });
    let field = PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap();
    let ring = on_host(field);
    let found = ring
        .represent(
            &ring
                .decompose(
                    &Bivariate::parse(&field, "x^4 - 3").unwrap(),
                    &Bivariate::parse(&field, "y^4 - x*y - 5").unwrap(),
                )
                .unwrap(),
        )
        .unwrap();
    assert_eq!((found.t.len(), found.form == 0), (17, false));
    let ring = on_host(Goldilocks);
    let found = ring
        .represent(
            &ring
                .decompose(
                    &Bivariate::parse(&Goldilocks, "x^2 - 3").unwrap(),
                    &Bivariate::parse(&Goldilocks, "y^2 - 5").unwrap(),
                )
                .unwrap(),
        )
        .unwrap();
    assert_eq!(found.t.len(), 5);
}

//! Worked examples with known answers.

use manycore_bivariate::Bivariate;

use crate::{Prime, everywhere, parse, prime, rows};

/// `T` and rows of `H`.
type Expected = (Vec<u64>, Vec<Vec<u64>>);

fn check(p: u32, f: &str, g: &str, curves: &[&str], chains: &[Expected]) {
    let field = prime(p);
    let (f, g) = (parse(&field, f), parse(&field, g));
    everywhere(field, |ring| {
        let found = ring.decompose(&f, &g).unwrap();
        let expected: Vec<Bivariate<Prime>> = curves.iter().map(|text| parse(&field, text)).collect();
        assert_eq!(found.curves, expected, "curves of {f:?} and {g:?}");
        let mut got: Vec<_> = found.chains.iter().map(|chain| (chain.t.clone(), chain.h.clone())).collect();
        let mut expected: Vec<_> = chains
            .iter()
            .map(|(t, h)| (t.iter().map(|&c| (c % u64::from(p)) as u32).collect::<Vec<_>>(), rows(&field, h)))
            .collect();
        got.sort_by(|a, b| a.0.cmp(&b.0));
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(got, expected, "chains of {f:?} and {g:?}");
        assert!(ring.verify_chains(&f, &g, &found).unwrap());
    });
}

#[test]
fn a_circle_and_a_hyperbola() {
    let circle = |p, t: &[u64], h: &[u64]| {
        check(p, "y^2 + x^2 - 5", "x*y - 2", &[], &[(t.to_vec(), vec![h.to_vec(), vec![1]])]);
    };
    circle(9001, &[4, 0, 8996, 0, 1], &[0, 4498, 0, 4501]);
    circle(7, &[4, 0, 2, 0, 1], &[0, 1, 0, 4]);
    circle(469_762_049, &[4, 0, 469_762_044, 0, 1], &[0, 234_881_022, 0, 234_881_025]);
}

#[test]
fn one_leading_coefficient_vanishes() {
    for p in [9001u64, 7, 469_762_049] {
        let chain = (vec![1, p - 1, p - 2, 0, 1], vec![vec![p - 1, 0, 1], vec![1]]);
        check(p as u32, "x*y^2 + y - 1", "y^2 - x", &[], &[chain]);
    }
}

#[test]
fn both_leading_coefficients_vanish() {
    check(9001, "x*y^2 + y - 1", "x*y^2 + 2*y - 2", &[], &[(vec![0, 1], vec![vec![9000], vec![1]])]);
    // No solution, but a resultant x^2.
    check(9001, "x*y^2 + y - 1", "x*y^2 + y - 2", &[], &[]);
}

#[test]
fn a_common_factor() {
    check(9001, "(y - x)*(y - 1)", "(y - x)*(x - 2)", &["y - x"], &[(vec![8999, 1], vec![vec![9000], vec![1]])]);
}

#[test]
fn a_fibre_of_two_points() {
    let chains = [(vec![48, 1], vec![vec![8996], vec![1]]), (vec![0, 1], vec![vec![9000], vec![], vec![1]])];
    check(9001, "(y^2 - 1)*(y - 3) + x", "(y^2 - 1)*(y + 5) + x*y", &[], &chains);
}

#[test]
fn contents() {
    let chains = [
        (vec![9000, 1], vec![vec![9000], vec![], vec![1]]),
        (vec![8998, 1], vec![vec![8999], vec![1]]),
        (vec![8997, 1], vec![vec![8999], vec![1]]),
    ];
    check(9001, "(x - 1)*(y - 2)", "(x - 3)*(y^2 - x)", &[], &chains);
}

#[test]
fn constants_zeros_and_multiples() {
    check(9001, "5", "y^2 - x", &[], &[]);
    check(9001, "0", "y^2 - x", &["y^2 - x"], &[]);
    check(9001, "7", "0", &[], &[]);
    check(9001, "0", "x*y - x", &["x", "y - 1"], &[]);
    check(9001, "y^2 - x", "y^2 - x", &["y^2 - x"], &[]);
    check(9001, "y^2 - x", "(y^2 - x)*(x*y + 1)", &["y^2 - x"], &[]);
    check(9001, "x^2 - 1", "x^2 - 3*x + 2", &["x - 1"], &[]);
    check(9001, "x - 1", "x - 2", &[], &[]);
    check(9001, "x*y + 1", "x*y + 2", &[], &[]);
    check(9001, "x", "y", &[], &[(vec![0, 1], vec![vec![], vec![1]])]);
}

/// Roots of the goldens: `1 - x^2 - y^2` and `y^3 - 2 y + 1` in one variable.
#[test]
fn goldens_of_a_cubic() {
    let field = prime(469_762_049);
    let cubic = "x^3 - 2*x + 1";
    let circle = "1 - x^2 - y^2";
    everywhere(field, |ring| {
        let found = ring.solve(&parse(&field, circle), &parse(&field, cubic)).unwrap();
        assert!(found.points.contains(&[1, 0]), "{:?}", found.points);
        let roots = ring.root_multiplicities(&[1, 469_762_047, 0, 1]).unwrap();
        assert_eq!(roots, [(1, 1), (6_922_763, 1), (462_839_285, 1)]);
        assert!(found.points.iter().all(|&[x, _]| roots.iter().any(|&(root, _)| root == x)));
    });
    check(251, "-68*x^2 + 34*x - 107", "104*x^2 + 122*x + 72", &["x - 92"], &[]);
}

/// A tangency counts twice in the resultant, and the point once.
#[test]
fn tangencies_count_once() {
    let field = prime(101);
    everywhere(field, |ring| {
        let (f, g) = (parse(&field, "y - (x - 3)^2"), parse(&field, "y"));
        assert_eq!(ring.solve(&f, &g).unwrap().points, [[3, 0]]);
        let resultant = ring.resultant(&f, &g, manycore_bivariate::Variable::Y).unwrap();
        assert_eq!(ring.root_multiplicities(&resultant).unwrap(), [(3, 2)]);
        // Not radical: the point is three times in the ideal.
        let (f, g) = (parse(&field, "(x - 1)^2"), parse(&field, "(y - 2)^3 + (x - 1)*y"));
        assert_eq!(ring.solve(&f, &g).unwrap().points, [[1, 2]]);
    });
}

//! Bad input gives the documented errors.

use manycore_bivariate::{Bivariate, BivariateError, MOST_DEGREE, MOST_TERMS, Variable};

use crate::{on_host, parse, prime};

#[test]
fn polynomials_are_checked() {
    let field = prime(7);
    let error = Bivariate::from_rows(&field, vec![vec![1, 2], vec![3, 7]]).unwrap_err();
    assert!(matches!(error, BivariateError::OutOfRange(error) if error.index == 3 && error.value == 7), "{error}");
    let error = Bivariate::from_terms(&field, &[(1, 0, 0), (9, 1, 1)]).unwrap_err();
    assert!(matches!(error, BivariateError::OutOfRange(error) if error.index == 1), "{error}");
    let error = Bivariate::from_terms(&field, &[(1, MOST_DEGREE + 1, 0)]).unwrap_err();
    assert_eq!(error, BivariateError::Degree { variable: 'x', degree: MOST_DEGREE + 1, limit: MOST_DEGREE });
    let error = Bivariate::from_terms(&field, &[(1, MOST_DEGREE, 0), (1, 0, MOST_DEGREE)]).unwrap_err();
    let degree = MOST_DEGREE;
    assert_eq!(error, BivariateError::TooLarge { degree_x: degree, degree_y: degree, limit: MOST_TERMS });
    assert!(Bivariate::random(&field, usize::MAX, 1).is_err());
    let sum = Bivariate::from_terms(&field, &[(1, 2, 0), (6, 2, 0), (3, 0, 1)]).unwrap();
    assert_eq!(sum, parse(&field, "3*y"));
}

#[test]
fn systems_are_checked() {
    let ring = on_host(prime(7));
    let (zero, one) = (parse(&prime(7), "0"), parse(&prime(7), "1"));
    assert_eq!(ring.decompose(&zero, &zero).unwrap_err(), BivariateError::WholePlane);
    assert_eq!(ring.solve(&zero, &zero).unwrap_err(), BivariateError::WholePlane);
    let other = parse(&prime(9001), "x + y");
    let mixed = BivariateError::MixedFields { expected: 7, given: 9001 };
    assert_eq!(ring.resultant(&one, &other, Variable::Y).unwrap_err(), mixed);
    assert_eq!(ring.decompose(&other, &one).unwrap_err(), mixed);
    assert_eq!(one.add(&other).unwrap_err(), mixed);
    assert_eq!(one.mul(&other).unwrap_err(), mixed);
    assert!(ring.solve(&one, &zero).unwrap().points.is_empty());
    assert!(ring.root_multiplicities(&[]).is_err());
    assert!(matches!(ring.root_multiplicities(&[7]).unwrap_err(), BivariateError::OutOfRange(_)));
}

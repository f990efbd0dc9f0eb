//! Text to polynomials and back.

use manycore_bivariate::{Bivariate, BivariateError, RationalBivariate};
use manycore_field::{Goldilocks, PrimeField};
use proptest::prelude::*;

use crate::{parse, prime, rows};

#[test]
fn forms_of_other_systems_are_read() {
    let field = prime(9001);
    let expected = rows(&field, &[vec![1, 8998], vec![0, 0, 1]]);
    for text in [
        "x^2*y - 3*x + 1",
        "x**2*y-3*x+1",
        " 1 + x^2 y - 3x",
        "y*x^2 - 3*x + 1",
        "Mod(1, 9001)*x^2*y + Mod(-3, 9001)*x + Mod(1,9001)",
        "(x*y - 3)*x + 1",
        "+1 - (3 - x y) x",
        "x^2*y + 8998*x + 9002",
        "x^2*y + 1 = 3*x",
        "x^2*y == 3*x - 1",
        "1.0*x^2*y - 3e0 x + 10.e-1",
        "2/2*x^2*y - 6/2*x + 90010000000000000000000000000000001 - 90010000000000000000000000000000000",
    ] {
        assert_eq!(parse(&field, text), expected, "{text}");
    }
    assert_eq!(parse(&field, "(x + y)^3"), parse(&field, "x^3 + 3x^2 y + 3x y^2 + y^3"));
    assert_eq!(parse(&field, "(x + y)^0 - 1"), parse(&field, "0"));
    assert_eq!(parse(&field, "0^0"), parse(&field, "1"));
    assert!(parse(&field, "9001 x").is_zero());
    assert_eq!(parse(&field, "-x^1000000*0 - y^7"), parse(&field, "9000*y^7"));
    let named = Bivariate::parse_in(&field, "a^2*b_1 - 3*a + 1", ["a", "b_1"]).unwrap();
    assert_eq!(named, expected);
    // A variable that begins as an exponent is none.
    let named = Bivariate::parse_in(&field, "a^2*e - 3a + 1", ["a", "e"]).unwrap();
    assert_eq!(named, expected);
    assert!(Bivariate::parse_in(&field, "2e3", ["a", "e"]).is_err());
}

#[test]
fn wrong_text_is_told_with_its_column() {
    let field = prime(7);
    for (text, column, reason) in [
        ("", 1, "ends"),
        ("x +", 4, "ends"),
        ("x + * y", 5, "unexpected '*'"),
        ("x*z + 1", 3, "\"z\" is neither"),
        ("2 xy", 3, "\"xy\" is neither"),
        ("(x + y", 7, "opens at column 1"),
        ("x + y)", 6, "closed"),
        ("x^-2", 3, "exponent"),
        ("x^y", 3, "exponent"),
        ("1/7", 3, "division by zero"),
        ("1/x", 3, "no constant"),
        ("x $ y", 3, "unexpected '$'"),
        ("x 2", 3, "unexpected '2'"),
        ("x = y = 1", 7, "unexpected '='"),
        ("x + 0.5", 5, "`0.5` is no integer"),
        ("2.0.2 x", 4, "unexpected '.'"),
        ("x + .", 5, "`.` is no number"),
        ("x + 1e20000", 5, "more than the 10000 digits"),
        ("x =", 4, "ends"),
        ("Mod(3, 9)", 8, "the modulus is 7"),
        ("Mod(3 7)", 7, "missing"),
        ("\u{e9} + x", 1, "neither"),
        ("x^2000000", 3, "above"),
        ("x^99999999999999999999999", 3, "above"),
        ("x^600000*x^600000", 9, "above"),
    ] {
        match Bivariate::parse(&field, text) {
            Err(BivariateError::Parse(error)) => {
                assert_eq!(error.column, column, "{text}: {error}");
                assert!(error.reason.contains(reason), "{text}: {error}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let deep = "(".repeat(100_000);
    assert!(matches!(Bivariate::parse(&field, &deep), Err(BivariateError::Parse(_))));
    let large = Bivariate::parse(&field, "x^1000000*y^1000000");
    assert!(matches!(large, Err(BivariateError::TooLarge { .. })), "{large:?}");
    let long = Bivariate::parse(&field, "(x + y + 1)^1000000");
    assert!(matches!(long, Err(BivariateError::Parse(_))), "{long:?}");
    // What a power takes at least is known from its text, over the rationals and modulo primes past its degree.
    let reason = "column 7: a power of 2 terms takes a product of at least 50001 by 50001 terms";
    let power = "(x+y)^100000 - 1";
    assert_eq!(RationalBivariate::parse(power).unwrap_err().to_string(), reason);
    assert_eq!(Bivariate::parse(&prime(2_147_483_647), power).unwrap_err().to_string(), reason);
    // Modulo 7 powers may have few terms.
    assert_eq!(parse(&field, "(x+1)^16807"), parse(&field, "x^16807 + 1"));
    let square = RationalBivariate::parse("(x/2 + y)^2").unwrap();
    assert_eq!(square.to_string(), "y^2 + x*y + 1/4*x^2");
}

#[test]
fn what_is_written_is_read_back() {
    for degree in [0, 1, 5] {
        let f = Bivariate::random(&Goldilocks, degree, 3).unwrap();
        assert_eq!(Bivariate::parse(&Goldilocks, &f.to_string()).unwrap(), f);
        let field = PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap();
        let f = Bivariate::random_rectangle(&field, degree, 3, 4).unwrap();
        assert_eq!((f.degree_x(), f.degree_y()), (Some(degree), Some(3)));
        assert_eq!(Bivariate::parse(&field, &f.to_string()).unwrap(), f);
    }
}

proptest! {
    /// No text makes the parser panic, and values are those of the text read from the left.
    #[test]
    fn any_text_is_read_or_refused(text in "[xy0-9+*^() /-]{0,24}") {
        let _ = Bivariate::parse(&prime(7), &text);
    }

    #[test]
    fn sums_and_products_are_those_of_values(
        a in proptest::collection::vec(proptest::collection::vec(0u64..7, 0..4), 0..4),
        b in proptest::collection::vec(proptest::collection::vec(0u64..7, 0..4), 0..4),
        x in 0u32..7, y in 0u32..7,
    ) {
        let field = prime(7);
        let (f, g) = (rows(&field, &a), rows(&field, &b));
        prop_assert_eq!(f.add(&g).unwrap().evaluate(x, y), (f.evaluate(x, y) + g.evaluate(x, y)) % 7);
        prop_assert_eq!(f.mul(&g).unwrap().evaluate(x, y), f.evaluate(x, y) * g.evaluate(x, y) % 7);
        prop_assert_eq!(f.exchanged().evaluate(y, x), f.evaluate(x, y));
        prop_assert_eq!(parse(&field, &f.to_string()), f);
    }
}

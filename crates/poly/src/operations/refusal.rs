//! The check of answers that are no polynomials: that there is no inverse, that points are equal, that a polynomial is zero.

use manycore_device::Device;
use manycore_field::ResidueWord as _;
use manycore_verify::product::bezout::{self, Bezout};
use manycore_verify::{CheckError, SplitMix};

use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// How it is checked, as reports name it.
pub(super) const METHOD: &str = "the coefficients that were read";

/// Whether what an error says of the polynomials holds for the coefficients as they were read; nothing for errors that say
/// nothing of them.
///
/// # Errors
/// [`PolyError::Check`] where it does not hold ([`CheckError::is_wrong`]), or where it could not be found out.
pub(super) fn check<F: PolyField>(
    field: &F,
    words: &[Vec<F::Element>],
    error: &PolyError,
    seed: u64,
) -> Result<(), PolyError> {
    let is_zero = |index: usize| words.get(index).is_some_and(|words| words.iter().all(|c| c.as_u64() == 0));
    let at = |index: usize| words.first().and_then(|words| words.get(index)).map_or(0, |c| c.as_u64());
    let holds = match error {
        PolyError::NotInvertible { gcd } => return not_invertible(field, words, gcd, seed),
        PolyError::RepeatedPoint { first, second } => words.first().is_some_and(|points| {
            first != second && points.get(*first).is_some_and(|point| points.get(*second) == Some(point))
        }),
        PolyError::ZeroDivisor => is_zero(1),
        PolyError::NoUnit => words.last().is_some_and(|words| words.first().is_none_or(|c| c.as_u64() == 0)),
        PolyError::NoReversion => at(1) == 0,
        PolyError::ConstantTerm { expected, given, .. } => at(0) == *given && given != expected,
        PolyError::Characteristic { n, p, .. } => field.order() == *p && *n as u64 > *p,
        PolyError::CharacteristicTwo { .. } => field.order() == 2,
        PolyError::NoSquareRoot { coefficient, power, .. } => {
            let lowest = words.first().and_then(|words| words.iter().position(|c| c.as_u64() != 0));
            let is_square = field.legendre(F::Element::from_u64(*coefficient)) == 1;
            lowest == Some(*power) && at(*power) == *coefficient && !(is_square && power.is_multiple_of(2))
        }
        PolyError::ZeroHasNoFactors | PolyError::EveryElementIsRoot => is_zero(0),
        _ => true,
    };
    if holds { Ok(()) } else { Err(wrong(error)) }
}

/// Whether the greatest common divisor of the two polynomials is this one and not 1, by cofactors that the host computes.
fn not_invertible<F: PolyField>(field: &F, words: &[Vec<F::Element>], gcd: &[u64], seed: u64) -> Result<(), PolyError> {
    let (p, [a, m]) = (field.order(), words) else { return Ok(()) };
    let error = || wrong(&PolyError::NotInvertible { gcd: gcd.to_vec() });
    if gcd.len() < 2 || gcd.iter().any(|&c| c >= p) {
        return Err(error());
    }
    let gcd: Vec<F::Element> = gcd.iter().map(|&c| F::Element::from_u64(c)).collect();
    let ring = PolyRing::new(&Device::host(), field.clone())?;
    let (a_poly, m_poly, divisor) = (ring.poly(a)?, ring.poly(m)?, ring.poly(&gcd)?);
    if divisor.is_zero() {
        return Err(error());
    }
    let cofactors = ring.xgcd(&a_poly, &m_poly)?;
    let (s, t) = (ring.coefficients(&cofactors.s)?, ring.coefficients(&cofactors.t)?);
    let quotients =
        [ring.coefficients(&ring.div(&a_poly, &divisor)?)?, ring.coefficients(&ring.div(&m_poly, &divisor)?)?];
    let bezout = Bezout { gcd: &gcd, s: &s, t: &t, quotients: [&quotients[0], &quotients[1]] };
    bezout::check(p, [a, m], &bezout, &mut SplitMix::new(seed)).map_err(PolyError::Check)?;
    Ok(())
}

/// What an error says is wrong.
fn wrong(error: &PolyError) -> PolyError {
    PolyError::Check(CheckError::Relation { relation: format!("the answer \"{error}\"") })
}

#[cfg(test)]
mod tests {
    use manycore_field::PrimeField;

    use super::*;

    fn holds(words: &[&[u32]], error: &PolyError) -> bool {
        let words: Vec<Vec<u32>> = words.iter().map(|words| words.to_vec()).collect();
        match check(&PrimeField::<u32>::new(7).unwrap(), &words, error, 1) {
            Ok(()) => true,
            Err(PolyError::Check(error)) if error.is_wrong() => false,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn common_divisors_are_checked() {
        // x^2 - 1 and x^2 + 2 x + 1 have x + 1 in common.
        let words: [&[u32]; 2] = [&[6, 0, 1], &[1, 2, 1, 0]];
        let answer = |gcd: &[u64]| PolyError::NotInvertible { gcd: gcd.to_vec() };
        assert!(holds(&words, &answer(&[1, 1])));
        for wrong in [&[6, 1][..], &[1, 2, 1], &[2, 2], &[1], &[], &[1, 8], &[0, 0]] {
            assert!(!holds(&words, &answer(wrong)), "{wrong:?}");
        }
        assert!(!holds(&[&[3, 1], &[1, 2, 1]], &answer(&[1, 1])));
        assert!(holds(&[&[0, 0], &[1, 2, 1]], &answer(&[1, 2, 1])));
    }

    #[test]
    fn series_without_an_answer_are_looked_up() {
        let constant = |expected, given| PolyError::ConstantTerm { operation: "it", expected, given };
        assert!(holds(&[&[3, 1]], &constant(1, 3)) && holds(&[&[]], &constant(1, 0)));
        assert!(!holds(&[&[1, 1]], &constant(1, 3)) && !holds(&[&[3, 1]], &constant(3, 3)));
        assert!(holds(&[&[1], &[0, 1]], &PolyError::NoUnit) && holds(&[&[]], &PolyError::NoUnit));
        assert!(!holds(&[&[0], &[1, 1]], &PolyError::NoUnit));
        assert!(holds(&[&[0, 0, 1]], &PolyError::NoReversion) && !holds(&[&[0, 1]], &PolyError::NoReversion));
        let root = |coefficient, power| PolyError::NoSquareRoot { coefficient, power, p: 7 };
        assert!(holds(&[&[3, 1]], &root(3, 0)) && holds(&[&[0, 2]], &root(2, 1)) && holds(&[&[0, 0, 5]], &root(5, 2)));
        assert!(!holds(&[&[2, 1]], &root(2, 0)) && !holds(&[&[2, 3]], &root(3, 1)) && !holds(&[&[2, 3]], &root(3, 0)));
        let characteristic = |n, p| PolyError::Characteristic { operation: "it", n, p };
        assert!(holds(&[&[1]], &characteristic(8, 7)) && !holds(&[&[1]], &characteristic(7, 7)));
        assert!(!holds(&[&[1]], &characteristic(8, 5)));
        assert!(!holds(&[&[1]], &PolyError::CharacteristicTwo { operation: "it" }));
    }

    #[test]
    fn equal_points_and_zeros_are_looked_up() {
        let equal = |first, second| PolyError::RepeatedPoint { first, second };
        assert!(holds(&[&[3, 1, 3], &[0, 0, 0]], &equal(0, 2)));
        for (first, second) in [(0, 1), (1, 1), (2, 3), (7, 8)] {
            assert!(!holds(&[&[3, 1, 3], &[0, 0, 0]], &equal(first, second)));
        }
        assert!(holds(&[&[1], &[0, 0]], &PolyError::ZeroDivisor) && !holds(&[&[0], &[0, 1]], &PolyError::ZeroDivisor));
        for error in [PolyError::ZeroHasNoFactors, PolyError::EveryElementIsRoot] {
            assert!(holds(&[&[0]], &error) && holds(&[&[]], &error) && !holds(&[&[0, 3]], &error));
        }
        assert!(holds(&[&[1], &[1]], &PolyError::Values { points: 1, values: 1 }));
    }
}

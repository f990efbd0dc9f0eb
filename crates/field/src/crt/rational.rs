//! Fractions from one residue.

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::One as _;

use super::euclid::{gcd, remainder_within};

/// The fraction `n / d = residue` mod `modulus` with `|n|` and `d` at most the square root of `(modulus - 1) / 2`, and `d`
/// coprime to the modulus: there is at most one. `None` where there is none.
///
/// ```
/// use manycore_field::crt::rational_reconstruction;
///
/// let fraction = rational_reconstruction(&2856u32.into(), &10007u32.into()).ok_or("none")?;
/// assert_eq!(fraction.to_string(), "-22/7"); // 7 * 2856 = 2 * 10007 - 22
/// # Ok::<(), &str>(())
/// ```
pub fn rational_reconstruction(residue: &BigUint, modulus: &BigUint) -> Option<BigRational> {
    let bound = (modulus.max(&BigUint::one()) - 1u32) / 2u32;
    rational_reconstruction_within(residue, modulus, &bound.sqrt(), &bound.sqrt())
}

/// The fraction `n / d = residue` mod `modulus` with `|n| <= numerator` and `1 <= d <= denominator`, in lowest terms and `d`
/// coprime to the modulus. `None` where there is none, and where `2 numerator denominator >= modulus`, when there could be
/// several.
///
/// Half of Euclid's algorithm, stopped at the first remainder within the bound of the numerator. Source: Wang, "A
/// p-adic algorithm for univariate partial fractions", SYMSAC '81; von zur Gathen and Gerhard, Modern Computer Algebra,
/// section 5.10.
pub fn rational_reconstruction_within(
    residue: &BigUint,
    modulus: &BigUint,
    numerator: &BigUint,
    denominator: &BigUint,
) -> Option<BigRational> {
    if numerator * denominator * 2u32 >= *modulus {
        return None;
    }
    let found = remainder_within(modulus.clone(), residue % modulus, numerator);
    // A common divisor of the modulus and the factor divides the remainder, which is s modulus + factor residue, too: these two being
    // coprime is enough.
    if found.factor > *denominator || !gcd(&found.last, &found.factor).is_one() {
        return None;
    }
    let sign = if found.is_negative { Sign::Minus } else { Sign::Plus };
    Some(BigRational::new_raw(BigInt::from_biguint(sign, found.last), found.factor.into()))
}

//! Fractions from one residue.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

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
    let numerator = BigInt::from(numerator.clone());
    let (mut r0, mut r1) = (BigInt::from(modulus.clone()), BigInt::from(residue % modulus));
    let (mut t0, mut t1) = (BigInt::zero(), BigInt::one());
    while r1 > numerator {
        let (quotient, remainder) = r0.div_rem(&r1);
        let t2 = t0 - quotient * &t1;
        (r0, r1) = (r1, remainder);
        (t0, t1) = (t1, t2);
    }
    // A common divisor of the modulus and t1 divides r1 = s modulus + t1 residue too: coprime r1 and t1 are enough.
    if t1.magnitude() > denominator || !r1.gcd(&t1).is_one() {
        return None;
    }
    if t1.is_negative() {
        (r1, t1) = (-r1, -t1);
    }
    Some(BigRational::new_raw(r1, t1))
}

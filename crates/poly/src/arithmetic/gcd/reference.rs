//! Euclid's algorithm by the definition: specification and oracle.

use manycore_field::ModularField;

use crate::arithmetic::divide::reference::divide;
use crate::arithmetic::linear::reference::stripped_len;

/// The monic greatest common divisor of polynomials given by their coefficients, the constant term first; leading zeros are
/// allowed. No coefficients where both are zero. `O(n^2)` products.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_poly::gcd::reference;
/// let field = PrimeField::<u32>::new(9001)?;
/// assert_eq!(reference::gcd(&field, &[5, 11, 3, 17, 3, 3], &[35, 7, 12, 1, 1]), [5, 1, 1]);
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn gcd<F: ModularField>(field: &F, a: &[F::Element], b: &[F::Element]) -> Vec<F::Element> {
    let stripped = |f: &[F::Element]| f[..stripped_len(field, f)].to_vec();
    let (mut a, mut b) = (stripped(a), stripped(b));
    while let Some((_, r)) = divide(field, &a, &b) {
        (a, b) = (b, r);
    }
    if let Some(inverse) = a.last().and_then(|&c| field.inverse(c)) {
        for c in &mut a {
            *c = field.mul(*c, inverse);
        }
    }
    a
}

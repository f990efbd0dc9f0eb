//! Horner's rule: the definition of a polynomial's value.

use manycore_field::Semiring;

/// The value at `x` of the polynomial with these coefficients, the constant term first; zero of none. It takes a product and
/// a sum for each coefficient, one after the other.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_poly::evaluate::reference;
/// let field = PrimeField::<u32>::new(7)?;
/// assert_eq!(reference::evaluate(&field, &[3, 0, 5, 1], 2), 3); // 3 + 5 * 4 + 8 = 31
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn evaluate<S: Semiring>(ring: &S, f: &[S::Element], x: S::Element) -> S::Element {
    f.iter().rev().fold(ring.zero(), |value, &c| ring.add(ring.mul(value, x), c))
}

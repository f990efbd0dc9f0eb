//! The product of polynomials by its definition, one coefficient product at a time: specification and oracle.

use manycore_field::Semiring;

/// The product of the polynomials with coefficients `a` and `b`, the constant term first: `a.len() + b.len() - 1`
/// coefficients, the sums of `a[i] b[k - i]`, or none where a factor has none. Takes `a.len() b.len()` products.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_poly::multiply::reference;
/// let field = PrimeField::<u32>::new(7)?;
/// assert_eq!(reference::multiply(&field, &[3, 0, 5, 1], &[2, 6]), [6, 4, 3, 4, 6]);
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn multiply<S: Semiring>(ring: &S, a: &[S::Element], b: &[S::Element]) -> Vec<S::Element> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut product = vec![ring.zero(); a.len() + b.len() - 1];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            product[i + j] = ring.add(product[i + j], ring.mul(x, y));
        }
    }
    product
}

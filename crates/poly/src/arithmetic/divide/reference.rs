//! Division with remainder by the definition (paper 002, algorithm 14, corrected): specification and oracle.

use manycore_field::ModularField;

/// Quotient and remainder of polynomials given by their coefficients, the constant term first; `None` where
/// `b` has none or its last one is zero. The quotient has `a.len() - b.len() + 1` coefficients, none where `a` is the shorter; the remainder has no leading
/// zeros. `(a.len() - b.len() + 1) b.len()` products.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_poly::divide::reference;
/// let field = PrimeField::<u32>::new(9001)?;
/// let divided = reference::divide(&field, &[1, 2, 3, 4, 5, 6, 7, 8], &[3, 1, 4, 1]);
/// assert_eq!(divided, Some((vec![1525, 8615, 98, 8976, 8], vec![4427, 8636, 2996])));
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
#[expect(clippy::type_complexity, reason = "two lists of coefficients")]
pub fn divide<F: ModularField>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
) -> Option<(Vec<F::Element>, Vec<F::Element>)> {
    let inverse = field.inverse(*b.last()?)?;
    let mut r = a.to_vec();
    let mut q = vec![field.zero(); (a.len() + 1).saturating_sub(b.len())];
    for (i, q) in q.iter_mut().enumerate().rev() {
        *q = field.mul(r[i + b.len() - 1], inverse);
        for (r, &b) in r[i..].iter_mut().zip(b) {
            *r = field.sub(*r, field.mul(*q, b));
        }
    }
    r.truncate(crate::arithmetic::linear::reference::stripped_len(field, &r));
    Some((q, r))
}

//! Values at many points and interpolation by their definitions: Horner's rule, and Lagrange's formula with each node made anew.

use manycore_field::ModularField;

use crate::arithmetic::evaluate::reference::evaluate;

/// The values of the polynomial with these coefficients at each point; `O(n m)` products.
pub fn values<F: ModularField>(field: &F, f: &[F::Element], points: &[F::Element]) -> Vec<F::Element> {
    points.iter().map(|&u| evaluate(field, f, u)).collect()
}

/// The coefficients of the product of `x - u` over the points, the constant term first, with the leading one; `O(n^2)`.
pub fn product<F: ModularField>(field: &F, points: &[F::Element]) -> Vec<F::Element> {
    let mut product = vec![field.one()];
    for &u in points {
        product.insert(0, field.zero());
        for i in 0..product.len() - 1 {
            product[i] = field.sub(product[i], field.mul(u, product[i + 1]));
        }
    }
    product
}

/// The polynomial of fewer coefficients than there are points with these values at them; leading coefficients may be zero.
/// `None` where a point is repeated or the lists have different lengths. `O(n^2)` products.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_poly::tree::reference;
/// let field = PrimeField::<u32>::new(7)?;
/// assert_eq!(reference::interpolate(&field, &[0, 1, 2, 5], &[1, 0, 4, 6]), Some(vec![1, 1, 1, 4]));
/// assert_eq!(reference::interpolate(&field, &[1, 2, 1], &[0, 0, 0]), None);
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn interpolate<F: ModularField>(
    field: &F,
    points: &[F::Element],
    values: &[F::Element],
) -> Option<Vec<F::Element>> {
    if points.len() != values.len() {
        return None;
    }
    let product = product(field, points);
    let mut sum = vec![field.zero(); points.len()];
    for (&u, &value) in points.iter().zip(values) {
        // The product over x - u, by synthetic division.
        let mut quotient = vec![field.zero(); points.len()];
        let mut carry = field.zero();
        for (q, &c) in quotient.iter_mut().zip(&product[1..]).rev() {
            carry = field.add(c, field.mul(u, carry));
            *q = carry;
        }
        let weight = field.mul(value, field.inverse(evaluate(field, &quotient, u))?);
        sum.iter_mut().zip(&quotient).for_each(|(s, &q)| *s = field.add(*s, field.mul(weight, q)));
    }
    Some(sum)
}

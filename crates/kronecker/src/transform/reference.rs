//! The definition, entry by entry: specification and oracle.

use crate::product::KroneckerProduct;
use crate::values::Values;

/// The entry `(row, column)` of the matrix, before the divisions of an inverse: the product of the factors' entries at the
/// digits of both. `k` operations.
pub fn entry<V: Values>(product: &KroneckerProduct<V>, row: usize, column: usize) -> V::Value {
    let values = product.values();
    let (mut r, mut c, mut entry) = (row, column, values.integer(1));
    for factor in product.factors().iter().rev() {
        let q = factor.order();
        entry = values.mul(factor.entry(values, r % q, c % q), entry);
        (r, c) = (r / q, c / q);
    }
    entry
}

/// The whole matrix, row after row: `N^2` entries.
///
/// ```
/// use manycore_kronecker::{Integers, parse, transform::reference};
/// let walsh = parse(&Integers::<i32>::new(), "walsh^2")?;
/// assert_eq!(reference::matrix(&walsh), [1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, 1, -1, -1, 1]);
/// # Ok::<(), manycore_kronecker::ParseError>(())
/// ```
pub fn matrix<V: Values>(product: &KroneckerProduct<V>) -> Vec<V::Value> {
    let n = product.order();
    (0..n * n).map(|i| entry(product, i / n, i % n)).collect()
}

/// `y(r) = sum_c A(r, c) x(c)` for each vector of `data`, over the product of the divisors; what is left behind the last whole
/// vector is not transformed. Quadratic, with `k` operations an entry.
pub fn apply<V: Values>(product: &KroneckerProduct<V>, data: &[V::Value]) -> Vec<V::Value> {
    let (values, n) = (product.values(), product.order());
    let mut out = data.to_vec();
    for (x, y) in data.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
        for (r, y) in y.iter_mut().enumerate() {
            let sum = x.iter().enumerate().fold(values.zero(), |sum, (c, &x)| {
                values.add(sum, values.mul(entry(product, r, c), x)) //
            });
            *y = product.factors().iter().fold(sum, |sum, factor| match values.divisor(factor.divisor()) {
                Some(by) if factor.divisor() != 1 => values.divided(sum, &by),
                _ => sum,
            });
        }
    }
    out
}

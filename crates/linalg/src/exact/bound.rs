//! Hadamard's bound of determinants.

use num_bigint::{BigInt, BigUint};

use super::IntegerEntry;

/// The largest size that the determinant of a matrix of integers can have by Hadamard's inequality: the product of the rows'
/// Euclidean norms, or of the columns' if that is less, rounded down. 1 for order 0; entries that the slice lacks are zero.
///
/// ```
/// use manycore_linalg::exact::hadamard_bound;
/// assert_eq!(hadamard_bound(2, &[1i64, 1, 1, -1]), 2u32.into()); // which is the determinant's size
/// ```
pub fn hadamard_bound<T: IntegerEntry>(order: usize, entries: &[T]) -> BigUint {
    let square = |index: usize| {
        let entry = entries.get(index).map(T::to_integer).unwrap_or_default();
        (&entry * &entry).magnitude().clone()
    };
    let product = |place: &dyn Fn(usize, usize) -> usize| -> BigUint {
        (0..order).map(|i| (0..order).map(|j| square(place(i, j))).sum::<BigUint>()).product()
    };
    let rows = product(&|i, j| i * order + j);
    let columns = product(&|i, j| j * order + i);
    rows.min(columns).sqrt()
}

/// Whether residues modulo numbers with this product tell all integers of sizes up to the bound apart.
pub(super) fn is_enough(product: &BigInt, bound: &BigUint) -> bool {
    *product.magnitude() > bound * 2u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_products_of_norms() {
        assert_eq!(hadamard_bound::<i64>(0, &[]), 1u32.into());
        assert_eq!(hadamard_bound(1, &[-7i64]), 7u32.into());
        // Rows of norms 5 and 13, columns of squares 34 and 160.
        assert_eq!(hadamard_bound(2, &[3i64, 4, 5, 12]), 65u32.into());
        assert_eq!(hadamard_bound(2, &[3i64, 4, 0, 0]), 0u32.into());
        // The columns' product is the lower one: 10 and 1 against the root of 101 and 10.
        assert_eq!(hadamard_bound(2, &[10i64, 1, 0, 0]), 0u32.into());
        assert_eq!(hadamard_bound(2, &[3i64, 1, 4, 0]), 5u32.into());
        assert!(is_enough(&BigInt::from(11), &5u32.into()) && !is_enough(&BigInt::from(10), &5u32.into()));
    }
}

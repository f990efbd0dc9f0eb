//! The Walsh-Hadamard transform by its definition: slow, obvious, and the oracle of every test.

use crate::scalar::Scalar;
use manycore_arrays::orders::Order;

/// The entry `W[row][column]` of the Walsh-Hadamard matrix of `2^log_len` rows in the given order: `false` for +1,
/// `true` for -1.
///
/// In Hadamard order, `W[w][x] = (-1)^popcount(w & x)`; the other orders permute the rows, see [`Order`].
/// Each of the three matrices is symmetric and its square is `2^log_len` times the identity.
#[must_use]
pub fn is_negative(row: usize, column: usize, log_len: u32, order: Order) -> bool {
    (order.natural_index(row, log_len) & column).count_ones() % 2 == 1
}

/// The Walsh-Hadamard transform of `x`, not scaled: `y[w] = sum over x of W[w][x] x[x]` with the rows of `W` in
/// `order`.
///
/// Quadratic: `len^2` additions, computed from left to right. The inverse is the same function followed by a
/// division by the length. Integers are added modulo 2^32 or 2^64, as where they may be [wrapping](crate::Walsh::wrapping).
///
/// # Errors
/// `None` if the length is not a power of two (0 is not one).
#[must_use]
pub fn walsh_hadamard<T: Scalar>(x: &[T], order: Order) -> Option<Vec<T>> {
    if !x.len().is_power_of_two() {
        return None;
    }
    let log_len = x.len().ilog2();
    let coefficient = |row| {
        x.iter().enumerate().fold(T::default(), |sum, (column, &value)| {
            if is_negative(row, column, log_len, order) { sum.minus(value) } else { sum.plus(value) }
        })
    };
    Some((0..x.len()).map(coefficient).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTEGERS: [i32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];
    const BITS: [i32; 8] = [1, 0, 0, 1, 1, 1, 0, 1];

    #[test]
    fn worked_examples() {
        let cases = [
            (INTEGERS, Order::Hadamard, [31, -3, 5, -1, -13, 13, -7, -1]),
            (INTEGERS, Order::Dyadic, [31, -13, 5, -7, -3, 13, -1, -1]),
            (INTEGERS, Order::Sequency, [31, -13, -7, 5, -1, -1, 13, -3]),
            (BITS, Order::Hadamard, [5, -1, 1, 3, -1, 1, -1, 1]),
            (BITS, Order::Dyadic, [5, -1, 1, -1, -1, 1, 3, 1]),
            (BITS, Order::Sequency, [5, -1, -1, 1, 3, 1, 1, -1]),
        ];
        for (x, order, expected) in cases {
            assert_eq!(walsh_hadamard(&x, order).as_deref(), Some(&expected[..]), "{order}");
        }
    }

    #[test]
    fn lengths_that_are_no_power_of_two_are_refused() {
        for len in [0, 3, 5, 6, 7, 9, 12] {
            assert_eq!(walsh_hadamard(&vec![1_i32; len], Order::Hadamard), None, "{len}");
        }
        assert_eq!(walsh_hadamard(&[7_i64], Order::Sequency), Some(vec![7]));
    }

    #[test]
    fn row_i_in_sequency_order_has_i_sign_changes() {
        for log_len in 0..=8 {
            for row in 0..1 << log_len {
                let signs: Vec<bool> =
                    (0..1 << log_len).map(|column| is_negative(row, column, log_len, Order::Sequency)).collect();
                assert_eq!(signs.windows(2).filter(|pair| pair[0] != pair[1]).count(), row);
            }
        }
    }

    #[test]
    fn every_order_is_symmetric_and_its_own_inverse_up_to_scale() {
        for order in Order::ALL {
            for log_len in 0..=6 {
                let len = 1 << log_len;
                for row in 0..len {
                    let mut unit = vec![0_i64; len];
                    unit[row] = 1;
                    let column = walsh_hadamard(&unit, order).unwrap();
                    for (index, &value) in column.iter().enumerate() {
                        assert_eq!(value < 0, is_negative(row, index, log_len, order));
                    }
                    let mut expected = vec![0_i64; len];
                    expected[row] = len as i64;
                    assert_eq!(walsh_hadamard(&column, order).unwrap(), expected);
                }
            }
        }
    }
}

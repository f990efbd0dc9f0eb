//! The arithmetic transform by its definition: slow, obvious, and the oracle of every test.

use crate::scalar::Scalar;
use manycore_arrays::orders::BitOrder;

/// The arithmetic spectrum of `x` with the polarity `polarity`: `y[w] = sum over subsets v of w of
/// (-1)^popcount(w ^ v) x[v ^ polarity]`, the coefficients of the polynomial over the integers in the variables, those at set
/// bits of the polarity complemented, that has the values `x` (paper 001, Table 1).
///
/// Takes `3^n` additions for `2^n` values. Integers are added modulo 2^32 or 2^64, as where they may be
/// [wrapping](crate::Arithmetic::wrapping).
///
/// # Errors
/// `None` if the length is not a power of two (0 is not one), or the polarity not below it.
#[must_use]
pub fn arithmetic<T: Scalar>(x: &[T], order: BitOrder, polarity: usize) -> Option<Vec<T>> {
    combined(x, order, polarity, |w, v| (w ^ v).count_ones() % 2 == 1)
}

/// The inverse: `x[w ^ polarity] = sum over subsets v of w of y[v]`, for spectra in `order`.
///
/// # Errors
/// As [`arithmetic`].
#[must_use]
pub fn inverse_arithmetic<T: Scalar>(y: &[T], order: BitOrder, polarity: usize) -> Option<Vec<T>> {
    if !y.len().is_power_of_two() || polarity >= y.len() {
        return None;
    }
    let log_len = y.len().ilog2();
    let mut natural = vec![T::default(); y.len()];
    for (row, &value) in y.iter().enumerate() {
        natural[order.natural_index(row, log_len)] = value;
    }
    let x = combined(&natural, BitOrder::Natural, 0, |_, _| false)?;
    Some((0..x.len()).map(|i| x[i ^ polarity]).collect())
}

/// Sums over subsets with signs.
fn combined<T: Scalar>(
    x: &[T],
    order: BitOrder,
    polarity: usize,
    negative: impl Fn(usize, usize) -> bool,
) -> Option<Vec<T>> {
    if !x.len().is_power_of_two() || polarity >= x.len() {
        return None;
    }
    let log_len = x.len().ilog2();
    let coefficient = |row| {
        let w = order.natural_index(row, log_len);
        // The subsets of w from the empty one on.
        let mut sum = T::default();
        let mut v = 0_usize;
        loop {
            let value = x[v ^ polarity];
            sum = if negative(w, v) { sum.minus(value) } else { sum.plus(value) };
            if v == w {
                return sum;
            }
            v = v.wrapping_sub(w) & w;
        }
    };
    Some((0..x.len()).map(coefficient).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples() {
        let (x, f) = ([3, 1, 4, 1, 5, 9, 2, 6], [1, 0, 0, 1, 1, 1, 0, 1]);
        let natural = |x: &[i32]| arithmetic(x, BitOrder::Natural, 0).unwrap();
        let reversed = |x: &[i32]| arithmetic(x, BitOrder::Reversed, 0).unwrap();
        assert_eq!(natural(&x), [3, -2, 1, -1, 2, 6, -4, 1]);
        assert_eq!(reversed(&x), [3, 2, 1, -4, -2, 6, -1, 1]);
        assert_eq!(natural(&f), [1, -1, -1, 2, 0, 1, 0, -1]);
        assert_eq!(reversed(&f), [1, 0, -1, 0, -1, 1, 2, -1]);
        for order in BitOrder::ALL {
            for polarity in 0..8 {
                let spectrum = arithmetic(&x, order, polarity).unwrap();
                assert_eq!(inverse_arithmetic(&spectrum, order, polarity).unwrap(), x);
            }
        }
        assert_eq!(arithmetic(&[1, 2, 3], BitOrder::Natural, 0), None);
        assert_eq!(arithmetic(&[1, 2], BitOrder::Natural, 2), None);
    }

    #[test]
    fn complemented_variables_give_their_polynomial() {
        // f = x is 1 - x': values 0, 1.
        assert_eq!(arithmetic(&[0, 1], BitOrder::Natural, 1).unwrap(), [1, -1]);
        // The parity function reaches 2^(n - 1).
        let parity: Vec<i32> = (0..32_i32).map(|i| (i.count_ones() % 2) as i32).collect();
        assert_eq!(arithmetic(&parity, BitOrder::Natural, 0).unwrap()[31], 16);
    }
}

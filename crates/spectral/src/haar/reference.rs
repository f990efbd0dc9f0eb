//! The Haar transform by its definition: slow, obvious, and the oracle of every test.

use super::{HaarOrder, Normalization};
use crate::scalar::Scalar;

/// The Haar spectrum of `x`: `y[0]` is the sum of all values, and `y[2^j + q]` the sum of the first half minus that of the
/// second half of block `q` of `len / 2^j` values (paper 001, equation 2 as corrected: `H(n) = [H(n-1) (x) [1 1]; I (x)
/// [1 -1]]`), times the factor of the normalisation.
///
/// Sums are of halves of halves, as every form here adds, of integers modulo 2^32 or 2^64, as where they may be
/// [wrapping](crate::Haar::wrapping). Takes `n * len` additions.
///
/// # Errors
/// `None` if the length is not a power of two (0 is not one).
#[must_use]
pub fn haar<T: Scalar>(x: &[T], order: HaarOrder, normalization: Normalization) -> Option<Vec<T>> {
    if !x.len().is_power_of_two() {
        return None;
    }
    let log_len = x.len().ilog2();
    let offset = normalization.offset(log_len);
    let scaled = |value: T, log: u32| match offset {
        Some(offset) => value.times_root_power(log as i32 + offset),
        None => value,
    };
    let coefficient = |index: usize| {
        if index == 0 {
            return scaled(sum(x), 0);
        }
        let log = index.ilog2();
        let len = x.len() >> log;
        let block = &x[(index - (1 << log)) * len..][..len];
        let (first, second) = block.split_at(len / 2);
        scaled(sum(first).minus(sum(second)), log)
    };
    let mut y = x.to_vec();
    for index in 0..x.len() {
        y[order.place(index, log_len)] = coefficient(index);
    }
    Some(y)
}

/// The sum, of halves of halves.
fn sum<T: Scalar>(x: &[T]) -> T {
    if let [one] = x {
        return *one;
    }
    let (first, second) = x.split_at(x.len() / 2);
    sum(first).plus(sum(second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples() {
        let standard = |x: &[i32]| haar(x, HaarOrder::Standard, Normalization::None).unwrap();
        assert_eq!(standard(&[3, 1, 4, 1, 5, 9, 2, 6]), [31, -13, -1, 6, 2, 3, -4, -4]);
        assert_eq!(standard(&[1, 0, 0, 1, 1, 1, 0, 1]), [5, -1, 0, 1, 1, -1, 0, -1]);
        assert_eq!(standard(&[7]), [7]);
        assert_eq!(haar(&[1, 2, 3], HaarOrder::Standard, Normalization::None), None);
        let in_place = haar(&[3, 1, 4, 1, 5, 9, 2, 6], HaarOrder::InPlace, Normalization::None).unwrap();
        assert_eq!(in_place, [31, 2, -1, 3, -13, -4, 6, -4]);
    }

    #[test]
    fn normalized_examples() {
        let of = |normalization| haar(&[3.0_f64, 1.0, 4.0, 1.0], HaarOrder::Standard, normalization).unwrap();
        let near = |y: Vec<f64>, expected: [f64; 4]| y.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14);
        let root = 2.0_f64.sqrt();
        assert!(near(of(Normalization::Orthonormal), [4.5, -0.5, root, 2.121_320_343_559_642_4]));
        assert!(near(of(Normalization::EqualEnergy), [9.0, -1.0, 2.0 * root, 4.242_640_687_119_286]));
    }

    #[test]
    fn rows_are_orthogonal() {
        for (normalization, energy) in [(Normalization::Orthonormal, 1.0), (Normalization::EqualEnergy, 16.0)] {
            let columns: Vec<Vec<f64>> = (0..16)
                .map(|i| {
                    let unit: Vec<f64> = (0..16).map(|j| f64::from(u8::from(i == j))).collect();
                    haar(&unit, HaarOrder::Standard, normalization).unwrap()
                })
                .collect();
            for a in 0..16 {
                for b in 0..16 {
                    let product: f64 = columns.iter().map(|column| column[a] * column[b]).sum();
                    let expected = if a == b { energy } else { 0.0 };
                    assert!((product - expected).abs() < 1e-13, "{a} {b}");
                }
            }
        }
    }
}

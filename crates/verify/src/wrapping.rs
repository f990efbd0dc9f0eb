//! The check of integers modulo 2^32 or 2^64: relations that hold for the residues.
//!
//! The sum of the coefficients is the length times the first value; the sum of their squares is the length times the sum
//! of the squares of the values (Parseval); and a coefficient chosen at random is computed by the definition. Sums that
//! are right modulo a power of two cannot be told from right ones as well as over the integers: the first relation finds
//! every single wrong coefficient, but several whose errors cancel in both sums pass unless the chosen one is among them.

use super::{Shape, SplitMix};
use crate::number::Integer;

/// Whether the residues `y` can be the transforms of `x`.
pub fn check<T: Integer>(x: &[T], y: &[T], shape: Shape, random: &mut SplitMix) -> bool {
    x.len() == y.len() && x.chunks(shape.len).zip(y.chunks(shape.len)).all(|(x, y)| agree(x, y, shape, random))
}

fn agree<T: Integer>(x: &[T], y: &[T], shape: Shape, random: &mut SplitMix) -> bool {
    // A sign-extended word is right modulo the power of two of its type.
    let word = |value: T| Into::<i64>::into(value) as u64;
    let sum = |values: &[T]| values.iter().fold(0u64, |sum, &value| sum.wrapping_add(word(value)));
    let squares =
        |values: &[T]| values.iter().fold(0u64, |sum, &value| sum.wrapping_add(word(value).wrapping_mul(word(value))));
    let same = |a: u64, b: u64| a.wrapping_sub(b) << (u64::BITS - T::BITS) == 0;
    let len = shape.len as u64;
    let row = random.index(shape.len);
    let coefficient = x.iter().enumerate().fold(0u64, |sum, (column, &value)| {
        if shape.is_negative(row, column) { sum.wrapping_sub(word(value)) } else { sum.wrapping_add(word(value)) }
    });
    same(sum(y), len.wrapping_mul(word(x[0])))
        && same(squares(y), len.wrapping_mul(squares(x)))
        && same(word(y[row]), coefficient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::cases;

    #[test]
    fn true_results_pass_and_single_errors_do_not() {
        let mut random = SplitMix::new(1);
        for (shape, x, y) in cases(|word| word as i64) {
            assert!(check(&x, &y, shape, &mut random), "{shape:?}");
            for bit in [0, 63] {
                let mut wrong = y.clone();
                wrong[y.len() / 2] ^= 1 << bit;
                assert!(!check(&x, &wrong, shape, &mut random), "{shape:?}");
            }
        }
        for (shape, x, y) in cases(|word| word as i32) {
            assert!(check(&x, &y, shape, &mut random), "{shape:?}");
            let mut wrong = y.clone();
            wrong[0] ^= i32::MIN;
            assert!(!check(&x, &wrong, shape, &mut random), "{shape:?}");
        }
    }

    #[test]
    fn a_permuted_result_is_found_by_its_coefficients() {
        let found = (0..50).filter(|&seed| {
            let (shape, x, y) = cases(|word| word as i64).into_iter().find(|(shape, ..)| shape.len == 128).unwrap();
            let reversed: Vec<i64> = y.into_iter().rev().collect();
            !check(&x, &reversed, shape, &mut SplitMix::new(seed))
        });
        assert_eq!(found.count(), 50);
    }
}

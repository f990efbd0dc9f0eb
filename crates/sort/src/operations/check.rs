//! Checks of sorts: by the standard library's stable sort, or of numbers that memory does not hold by neighbours and products.

use std::cmp::Ordering;

use manycore_field::{Goldilocks, Ring as _, Semiring as _};
use manycore_operation::verify::{Chance, CheckError, Outcome, Passed, SplitMix};

use crate::key::Key;

/// Compares places with those of the standard library's stable sort.
pub(super) fn places<T>(items: &[T], places: &[u32], compare: impl Fn(&T, &T) -> Ordering) -> Outcome {
    let mut expected: Vec<u32> = (0..).take(items.len()).collect();
    expected.sort_by(|&a, &b| compare(&items[a as usize], &items[b as usize]));
    if places.len() != expected.len() {
        return Err(CheckError::Length { found: places.len(), expected: expected.len() });
    }
    if let Some(index) = places.iter().zip(&expected).position(|(place, expected)| place != expected) {
        let (found, expected) = (places[index].to_string(), expected[index].to_string());
        return Err(CheckError::Value { run: 0, index, found, expected });
    }
    Ok(Passed::by_second_computation("the standard library's stable sort"))
}

/// Compares keys with the first ones of the standard library's order, bit by bit.
pub(super) fn keys<K: Key>(x: &[K], keys: &[K], count: usize, compare: impl Fn(&K, &K) -> Ordering) -> Outcome {
    let mut expected = x.to_vec();
    expected.sort_by(&compare);
    if keys.len() != count {
        return Err(CheckError::Length { found: keys.len(), expected: count });
    }
    if let Some(index) = keys.iter().zip(&expected).position(|(key, expected)| compare(key, expected).is_ne()) {
        let (found, expected) = (format!("{:?}", keys[index]), format!("{:?}", expected[index]));
        return Err(CheckError::Value { run: 0, index, found, expected });
    }
    Ok(Passed::by_second_computation("the standard library's stable sort"))
}

/// Whether keys are in order, and are these: each is `a + b S` for the halves of its bits, and the products of all `r - a - b s` at
/// random `r` and `s` of a field are equal. Those of other keys are polynomials that differ, of as high a degree as there are keys, which
/// have a common value with a chance of at most the degree by the order of the field (Schwartz 1980).
pub(super) fn left<K: Copy>(
    x: &[K],
    sorted: &[K],
    compare: impl Fn(&K, &K) -> Ordering,
    bits: impl Fn(K) -> u64,
    mut random: SplitMix,
) -> Outcome {
    if x.len() != sorted.len() {
        return Err(CheckError::Length { found: sorted.len(), expected: x.len() });
    }
    if let Some(at) = sorted.windows(2).position(|pair| compare(&pair[0], &pair[1]).is_gt()) {
        return Err(CheckError::Relation {
            relation: format!("that number {} does not come before number {at}", at + 1),
        });
    }
    let field = Goldilocks;
    let mut element = || loop {
        let word = random.next_word();
        if word < Goldilocks::MODULUS {
            break word;
        }
    };
    let (r, s) = (element(), element());
    let product = |keys: &[K]| {
        keys.iter().fold(1, |product, &key| {
            let (high, low) = (bits(key) >> 32, bits(key) & u64::from(u32::MAX));
            field.mul(product, field.sub(r, field.add(low, field.mul(high, s))))
        })
    };
    if product(x) != product(sorted) {
        return Err(CheckError::Relation { relation: "that the numbers are those of the file".to_owned() });
    }
    let log2 = (x.len().max(1) as f64).log2() - (Goldilocks::MODULUS as f64).log2();
    Ok(Passed {
        method: "order of neighbours, and products of the numbers at random points",
        chance: Chance::Below { log2 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_places_do_not_pass() {
        let items = [3, 1, 1];
        let check = |found: &[u32]| places(&items, found, i32::cmp);
        assert!(check(&[1, 2, 0]).is_ok());
        let wrong = CheckError::Value { run: 0, index: 0, found: "2".into(), expected: "1".into() };
        assert_eq!(check(&[2, 1, 0]), Err(wrong));
        assert_eq!(check(&[1, 2]), Err(CheckError::Length { found: 2, expected: 3 }));
    }

    #[test]
    fn other_keys_do_not_pass() {
        let check = |found: &[f64], count: usize| keys(&[2.0, 0.0, -0.0], found, count, f64::total_cmp);
        assert!(check(&[-0.0, 0.0, 2.0], 3).is_ok() && check(&[-0.0], 1).is_ok());
        assert!(matches!(check(&[0.0, -0.0, 2.0], 3), Err(CheckError::Value { index: 0, .. })));
        assert_eq!(check(&[-0.0], 2), Err(CheckError::Length { found: 1, expected: 2 }));
    }

    #[test]
    fn other_numbers_and_orders_do_not_pass() {
        let x = [5i64, -3, i64::MAX, 5, i64::MIN];
        let check = |sorted: &[i64]| left(&x, sorted, i64::cmp, i64::cast_unsigned, SplitMix::new(7));
        let sorted = [i64::MIN, -3, 5, 5, i64::MAX];
        assert!(check(&sorted).is_ok());
        assert!(matches!(check(&sorted[1..]), Err(CheckError::Length { .. })));
        assert!(matches!(check(&[-3, i64::MIN, 5, 5, i64::MAX]), Err(CheckError::Relation { .. })));
        for wrong in
            [[i64::MIN, -3, -3, 5, i64::MAX], [i64::MIN, -3, 5, 6, i64::MAX], [i64::MIN + 1, -3, 5, 5, i64::MAX]]
        {
            assert!(matches!(check(&wrong), Err(CheckError::Relation { .. })), "{wrong:?}");
        }
        assert!(left::<i64>(&[], &[], i64::cmp, i64::cast_unsigned, SplitMix::new(7)).is_ok());
    }
}

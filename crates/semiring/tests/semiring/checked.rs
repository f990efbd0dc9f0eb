//! Products of integers that tell where they pass their type, against exact loops.

use manycore_semiring::{Checked, CheckedSemiring, Matrix, Products, SemiringError};
use manycore_testkit::devices;
use proptest::prelude::*;

/// Exact integers of products of two of 64 bits, and sums of a few of them.
trait Wide: Checked + TryFrom<i128> + Into<i128> {}

impl<T: Checked + TryFrom<i128> + Into<i128>> Wide for T {}

/// An entry by its exact value, of its pairs; nothing where there is no term.
type Sum<'a> = &'a dyn Fn(&mut dyn Iterator<Item = (i128, i128)>) -> Option<i128>;

fn check<T: Wide>(words: &[i128], n: usize)
where
    <T as TryFrom<i128>>::Error: std::fmt::Debug,
{
    let entry = |i: usize| T::try_from(words[i % words.len()]).unwrap();
    let a: Vec<T> = (0..n * n).map(entry).collect();
    let b: Vec<T> = (0..n * n).map(|i| entry(3 * i + 1)).collect();
    let (least, greatest): (i128, i128) = (T::LEAST.into(), T::GREATEST.into());
    let exact = |row: usize, column: usize| (0..n).map(move |i| (row * n + i, i * n + column));
    let kinds: [(CheckedSemiring<T>, Option<i128>, Sum<'_>); 3] = [
        (CheckedSemiring::plus_times().unwrap(), None, &|terms| {
            // Upper and lower words apart; past i128 it is past all types.
            let word = i128::from(u64::MAX);
            // A product past i128 is of types without a sign, where nothing makes a sum less.
            let Some(terms) = terms.map(|(a, b)| a.checked_mul(b)).collect::<Option<Vec<_>>>() else {
                return Some(i128::MAX);
            };
            let (upper, lower) =
                terms.into_iter().fold((0, 0), |(upper, lower), p| (upper + (p >> 64), lower + (p & word)));
            let upper = (upper + (lower >> 64)).checked_mul(1 << 64);
            Some(upper.and_then(|upper: i128| upper.checked_add(lower & word)).unwrap_or(i128::MAX))
        }),
        (CheckedSemiring::max_plus().unwrap(), Some(least), &|terms| {
            let held = |(a, b)| if a == greatest || b == greatest { greatest } else { a + b };
            terms.filter(|&(a, b)| a != least && b != least).map(held).max()
        }),
        (CheckedSemiring::min_plus().unwrap(), Some(greatest), &|terms| {
            let held = |(a, b)| if a == least || b == least { least } else { a + b };
            terms.filter(|&(a, b)| a != greatest && b != greatest).map(held).min()
        }),
    ];
    for device in devices() {
        let products = Products::new(&device);
        let upload = |entries: &[T]| products.upload(&Matrix::stored(n as u64, n as u64, entries).unwrap()).unwrap();
        let (left, right) = (upload(&a), upload(&b));
        for (semiring, infinity, sum) in &kinds {
            let mut expected = Vec::new();
            let mut wrong = None;
            for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
                let value = sum(&mut exact(row, column).map(|(i, j)| (a[i].into(), b[j].into())));
                let is_end = |value| infinity.is_some() && [least, greatest].contains(&value);
                let is_held = value.is_none_or(|value| T::try_from(value).is_ok() && !is_end(value));
                if !is_held {
                    wrong.get_or_insert((row as u64 + 1, column as u64 + 1));
                }
                expected.push(value.or(*infinity).and_then(|value| T::try_from(value).ok()));
            }
            match (products.multiply_checked(semiring, &left, &right), wrong) {
                (Ok(made), None) => {
                    let made: Vec<_> = made.download().unwrap().entries().into_iter().map(Some).collect();
                    assert_eq!(made, expected);
                }
                (Err(SemiringError::Overflow { row, column }), Some(place)) => assert_eq!((row, column), place),
                (made, place) => panic!("{place:?} is past the type, {made:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn overflow_is_told_and_nothing_else(n in 0usize..4, near in prop::collection::vec((0u8..7, -3i128..4), 1..9)) {
        macro_rules! each {
            ($($word:ty)*) => {$({
                let (least, greatest) = (i128::from(<$word>::MIN), i128::from(<$word>::MAX));
                let root = 1i128 << (<$word>::BITS / 2);
                let words: Vec<i128> = near
                    .iter()
                    .map(|&(corner, by)| {
                        let corner = [least, greatest, 0, 0, root, -root, greatest / 2][usize::from(corner)];
                        (corner + by).clamp(least, greatest)
                    })
                    .collect();
                check::<$word>(&words, n);
            })*};
        }
        each!(i8 u16 i32 u32 i64 u64);
    }
}

/// Sums of products whose upper words cancel modulo `2^64`.
#[test]
fn upper_words_that_cancel_are_told() {
    let products = Products::new(&manycore_device::Device::host());
    let of =
        |rows, columns, entries: &[i64]| products.upload(&Matrix::stored(rows, columns, entries).unwrap()).unwrap();
    let (row, column) = (of(1, 4, &[i64::MIN; 4]), of(4, 1, &[i64::MIN; 4]));
    let wrong = products.multiply_checked(&CheckedSemiring::plus_times().unwrap(), &row, &column);
    assert!(matches!(wrong, Err(SemiringError::Overflow { row: 1, column: 1 })));
}

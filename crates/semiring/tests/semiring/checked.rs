//! Products of integers that tell where they pass their type, against exact loops.

use manycore_device::Device;
use manycore_expressions::{Function, Value};
use manycore_semiring::{Checked, CheckedSemiring, Computation, Matrix, Products, SemiringError};
use manycore_testkit::devices;
use proptest::prelude::*;

/// Integers of up to 64 bits.
trait Wide: Checked + TryFrom<i128> + Into<i128> {}

impl<T: Checked + TryFrom<i128> + Into<i128>> Wide for T {}

/// An integer, which is exact, or an infinity; past all types where 128 bits do not hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extended {
    Below,
    Of(i128),
    Above,
}

use Extended::{Above, Below, Of};

/// The sum of products, its upper and lower words apart; the greatest of 128 bits where they do not hold it.
fn plus_times(terms: &[(i128, i128)]) -> i128 {
    let word = i128::from(u64::MAX);
    // A product past i128 is of types without a sign, where nothing makes a sum less.
    let Some(products) = terms.iter().map(|(a, b)| a.checked_mul(*b)).collect::<Option<Vec<_>>>() else {
        return i128::MAX;
    };
    let (upper, lower) = products.into_iter().fold((0, 0), |(upper, lower), p| (upper + (p >> 64), lower + (p & word)));
    let upper = (upper + (lower >> 64)).checked_mul(1 << 64);
    upper.and_then(|upper: i128| upper.checked_add(lower & word)).unwrap_or(i128::MAX)
}

/// A semiring with its name, whether the ends of a type are infinities, and its sums by what terms are.
type Case<T> = (&'static str, CheckedSemiring<T>, bool, bool);

fn cases<T: Wide>() -> Vec<Case<T>> {
    let is_signed = T::LEAST.into() < 0;
    vec![
        ("plus-times", CheckedSemiring::plus_times().unwrap(), false, false),
        ("max-plus", CheckedSemiring::max_plus().unwrap(), true, true),
        ("min-plus", CheckedSemiring::min_plus().unwrap(), is_signed, true),
        ("max-times", CheckedSemiring::max_times().unwrap(), false, false),
        ("max-min", CheckedSemiring::max_min().unwrap(), false, false),
        ("min-max", CheckedSemiring::min_max().unwrap(), false, false),
        ("or-and", CheckedSemiring::or_and().unwrap(), false, false),
    ]
}

/// The entry of these terms; `None` where its type does not hold it.
fn entry<T: Wide>((name, _, below, above): &Case<T>, terms: &[(i128, i128)]) -> Option<T> {
    let ends: (i128, i128) = (T::LEAST.into(), T::GREATEST.into());
    let extended = |a: i128| match a {
        a if *below && a == ends.0 => Below,
        a if *above && a == ends.1 => Above,
        a => Of(a),
    };
    // The first infinity absorbs the other one.
    let plus = |(a, b), first| match (extended(a), extended(b)) {
        (a, b) if a == first || b == first => first,
        (Of(a), Of(b)) => Of(a + b),
        (Of(_), infinite) | (infinite, _) => infinite,
    };
    let of = |combine: &dyn Fn(&(i128, i128)) -> Extended| terms.iter().map(combine).collect::<Vec<_>>();
    let times = |(a, b): &(i128, i128)| Of(a.checked_mul(*b).unwrap_or(i128::MAX));
    let sum = match *name {
        "plus-times" => Some(Of(plus_times(terms))),
        "max-plus" => of(&|&term| plus(term, Below)).into_iter().max(),
        "min-plus" => of(&|&term| plus(term, Above)).into_iter().min(),
        "max-times" => of(&times).into_iter().max(),
        "max-min" => of(&|&(a, b)| Of(a.min(b))).into_iter().max(),
        "min-max" => of(&|&(a, b)| Of(a.max(b))).into_iter().min(),
        _ => Some(Of(terms.iter().fold(0, |sum, (a, b)| sum | (a & b)))),
    };
    let nothing = if name.starts_with("max") { Below } else { Above };
    match sum.unwrap_or(nothing) {
        Below => Some(T::LEAST),
        Above => Some(T::GREATEST),
        Of(sum) if (*below && sum == ends.0) || (*above && sum == ends.1) => None,
        Of(sum) => T::try_from(sum).ok(),
    }
}

fn check<T: Wide>(words: &[i128], n: usize, devices: &[Device])
where
    <T as TryFrom<i128>>::Error: std::fmt::Debug,
{
    let word = |i: usize| T::try_from(words[i % words.len()]).unwrap();
    let a: Vec<T> = (0..n * n).map(word).collect();
    let b: Vec<T> = (0..n * n).map(|i| word(3 * i + 1)).collect();
    let matrix = |entries: &[T]| Matrix::stored(n as u64, n as u64, entries).unwrap();
    let (stored, right_stored) = (matrix(&a), matrix(&b));
    for device in devices {
        let products = Products::new(device);
        let (left, right) = (products.upload(&stored).unwrap(), products.upload(&right_stored).unwrap());
        for case in &cases::<T>() {
            let place = |at: usize| (at as u64 / n as u64 + 1, at as u64 % n as u64 + 1);
            let expected: Vec<Option<T>> = (0..n * n)
                .map(|at| {
                    let (row, column) = (at / n, at % n);
                    let terms: Vec<_> = (0..n).map(|i| (a[row * n + i].into(), b[i * n + column].into())).collect();
                    entry(case, &terms)
                })
                .collect();
            let wrong = expected.iter().position(Option::is_none).map(place);
            let is_right = |made: Result<Vec<T>, SemiringError>, what: &str| match (made, wrong) {
                (Ok(made), None) => {
                    assert_eq!(made.into_iter().map(Some).collect::<Vec<_>>(), expected, "{} {what}", case.0);
                }
                (Err(SemiringError::Overflow { row, column }), Some(place)) => assert_eq!((row, column), place),
                (made, place) => panic!("{} {what}: {place:?} is past the type, {made:?}", case.0),
            };
            let resident = products.multiply_checked(&case.1, &left, &right);
            is_right(resident.and_then(|made| Ok(made.download()?.entries())), "resident");
            is_right(case.1.multiply(device, &stored, &right_stored).map(|made| made.entries()), "at once");
            let set = device.clone().into();
            is_right(case.1.multiply_on(&set, &stored, &right_stored).map(|made| made.entries()), "on a set");
            if !["plus-times", "or-and"].contains(&case.0) {
                let placed = products.multiply_checked_with_places(&case.1, &left, &right);
                let placed = placed.and_then(|made| Ok(made.download()?.entries()));
                if let Ok(entries) = &placed {
                    for (at, (found, place)) in entries.iter().enumerate().filter(|(_, (_, place))| *place != u32::MAX)
                    {
                        let term = (a[at / n * n + *place as usize], b[*place as usize * n + at % n]);
                        let only = entry(case, &[(term.0.into(), term.1.into())]);
                        assert_eq!(only, Some(*found), "{} with places", case.0);
                    }
                }
                is_right(placed.map(|entries| entries.into_iter().map(|(entry, _)| entry).collect()), "with places");
            }
            flags(device, case, (&stored, &right_stored), &expected);
        }
    }
}

/// In a program each entry tells whether it passed its type.
fn flags<T: Wide>(device: &Device, case: &Case<T>, (a, b): (&Matrix<T>, &Matrix<T>), expected: &[Option<T>]) {
    let mut computation = Computation::new();
    let given = Function::<T, (T, bool)>::new(|a: Value<T>| (a, false.into())).unwrap();
    let (a, b) = (computation.matrix("a", a.clone()), computation.matrix("b", b.clone()));
    let (a, b) = (computation.map("fa", &given, a).unwrap(), computation.map("fb", &given, b).unwrap());
    let product = computation.product_checked("p", &case.1, a, b).unwrap();
    let out = computation.output("out", product).unwrap();
    let products = Products::new(device);
    let results = computation.run(&products, &computation.cheapest().unwrap()).unwrap();
    let made = results.matrix(out).unwrap().entries();
    let made: Vec<Option<T>> = made.into_iter().map(|(entry, is_past)| (!is_past).then_some(entry)).collect();
    assert_eq!(made, expected, "{} with flags", case.0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn overflow_is_told_and_nothing_else(
        n in 0usize..4,
        near in prop::collection::vec((0u8..7, -3i128..4), 1..9),
        is_small: bool,
    ) {
        let (host, all) = ([Device::host_with(1).unwrap()], devices());
        macro_rules! each {
            ($($word:ty, $devices:expr;)*) => {$({
                let (least, greatest) = (i128::from(<$word>::MIN), i128::from(<$word>::MAX));
                let root = 1i128 << (<$word>::BITS / 2);
                let words: Vec<i128> = near
                    .iter()
                    .map(|&(corner, by)| {
                        let corner = [least, greatest, 0, 0, root, -root, greatest / 2][usize::from(corner)];
                        let small = i128::from(is_small) * corner;
                        (corner - small + by).clamp(least, greatest)
                    })
                    .collect();
                check::<$word>(&words, n, $devices);
            })*};
        }
        each!(i8, &host; u8, &host; u16, &host; i32, &host; u32, &host; u64, &host; i64, &host;);
        // Compilers of devices take longer than all of that.
        if near.len() == 1 {
            each!(i64, &all; u32, &all;);
        }
    }
}

/// Infinities, numbers near the ends of the type, and what nothing makes.
#[test]
fn ends_of_a_type_on_every_device() {
    for device in devices() {
        check::<i32>(&[i32::MIN.into(), 7, i32::MAX.into(), -2, 1], 3, &[device]);
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

/// The maximum of a line of integers without a sign, whose 0 is minus infinity in max-plus and no neutral factor.
#[test]
fn sums_of_lines_are_those_of_their_entries() {
    let entries = [3u32, 0, 7, 1, 2, 5];
    for device in devices() {
        for (semiring, by_rows, by_columns) in [
            (CheckedSemiring::max_plus().unwrap(), [7, 5], [3, 2, 7]),
            (CheckedSemiring::min_plus().unwrap(), [0, 1], [1, 0, 5]),
            (CheckedSemiring::max_times().unwrap(), [7, 5], [3, 2, 7]),
            (CheckedSemiring::plus_times().unwrap(), [10, 8], [4, 2, 12]),
            (CheckedSemiring::max_min().unwrap(), [7, 5], [3, 2, 7]),
            (CheckedSemiring::min_max().unwrap(), [0, 1], [1, 0, 5]),
            (CheckedSemiring::or_and().unwrap(), [7, 7], [3, 2, 7]),
        ] {
            let mut computation = Computation::new();
            let given = Function::<u32, (u32, bool)>::new(|a: Value<u32>| (a, false.into())).unwrap();
            let a = computation.matrix("a", Matrix::stored(2, 3, &entries).unwrap());
            let a = computation.map("f", &given, a).unwrap();
            let rows = computation.reduce_rows_checked("rows", &semiring, a).unwrap();
            let columns = computation.reduce_columns_checked("columns", &semiring, a).unwrap();
            let (rows, columns) = (computation.output("r", rows).unwrap(), computation.output("c", columns).unwrap());
            let results = computation.run(&Products::new(&device), &computation.cheapest().unwrap()).unwrap();
            let of = |term| results.matrix(term).unwrap().entries();
            assert_eq!(of(rows), by_rows.map(|sum| (sum, false)));
            assert_eq!(of(columns), by_columns.map(|sum| (sum, false)));
        }
    }
}

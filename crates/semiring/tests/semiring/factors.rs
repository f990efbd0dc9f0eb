//! Factors that depend on the product's entry, and lists that functions make: on every device what plain loops give.

use manycore_device::Device;
use manycore_expressions::{Function, Value};
use manycore_semiring::{FunctionMatrix, ListMatrix, Matrix, ProductPlan, Products, Semiring, SemiringError};
use manycore_testkit::{devices, opencl_devices};
use proptest::prelude::*;

type I = Value<i64>;
type U = Value<u64>;
type At = (U, U);

/// The first of both that is not zero: associative, not commutative.
fn first() -> Semiring<i64, i64, i64> {
    let sum = Function::new(|(a, b): (I, I)| a.equals(0).select(b, a)).unwrap();
    Semiring::new(Function::new(|(a, b): (I, I)| a * b).unwrap(), sum, 0).unwrap()
}

fn semiring(kind: u8) -> Semiring<i64, i64, i64> {
    if kind.is_multiple_of(2) { Semiring::wrapping_plus_times().unwrap() } else { first() }
}

fn draw(seed: u64, i: u64) -> i64 {
    let x = (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd134_2543_de82_ef95);
    if x.is_multiple_of(3) { 0 } else { (x >> 40) as i64 % 19 - 9 }
}

/// Plain loops over factors that depend on the product's entry: of row, inner place and column.
fn loops(
    semiring: &Semiring<i64, i64, i64>,
    (m, n, p): (u64, u64, u64),
    a: impl Fn(u64, u64, u64) -> Option<i64>,
    b: impl Fn(u64, u64, u64) -> Option<i64>,
) -> Vec<i64> {
    let entry = |u: u64, v: u64| {
        let pairs = (0..n).filter_map(|i| Some((a(u, i, v)?, b(u, i, v)?)));
        pairs.fold(semiring.zero(), |sum, (a, b)| semiring.step().call((sum, a, b)))
    };
    (0..m).flat_map(|u| (0..p).map(move |v| (u, v))).map(|(u, v)| entry(u, v)).collect()
}

fn number(x: u64) -> i64 {
    x as i64
}

/// What a factor is, whatever its side: of row, inner place and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stored,
    Function,
    AtResult,
    Listed,
    Made,
}

const KINDS: [Kind; 5] = [Kind::Stored, Kind::Function, Kind::AtResult, Kind::Listed, Kind::Made];

/// Line `x` has `x % 3` entries at every other place, from `x % 2` on, which are cut where the inner length ends.
fn listed(line: u64, inner: u64, i: u64) -> Option<i64> {
    let count = (line % 3).min(inner);
    let number = i.checked_sub(line % 2).filter(|from| from.is_multiple_of(2))? / 2;
    (number < count && i < inner).then(|| number_of(line, number))
}

fn number_of(line: u64, k: u64) -> i64 {
    number(line * 5 + k * 7) - 3
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn products_of_all_factors_are_those_of_loops(m in 0u64..5, n in 4u64..9, p in 0u64..40, seed: u64, kind: u8) {
        let semiring = semiring(kind);
        let stored_a: Vec<i64> = (0..m * n).map(|i| draw(seed, i)).collect();
        let stored_b: Vec<i64> = (0..n * p).map(|i| draw(seed, i + 4096)).collect();
        let value = |kind: Kind, is_left: bool, u: u64, i: u64, v: u64| -> Option<i64> {
            let (x, y) = if is_left { (i, u) } else { (v, i) };
            match kind {
                Kind::Stored if is_left => Some(stored_a[(u * n + i) as usize]),
                Kind::Stored => Some(stored_b[(i * p + v) as usize]),
                Kind::Function => Some(number(x * 3 + y * 5) - 7),
                Kind::AtResult => Some(number(x * 3 + y * 5) - number(u * 7) + number(v * 2)),
                Kind::Listed | Kind::Made => listed(if is_left { u } else { v }, n, i),
            }
        };
        for device in devices() {
            let products = Products::new(&device);
            for left in KINDS {
                for right in KINDS {
                    let expected = loops(
                        &semiring,
                        (m, n, p),
                        |u, i, v| value(left, true, u, i, v),
                        |u, i, v| value(right, false, u, i, v),
                    );
                    // Places are exact below 9: each line's lists end before the inner length.
                    let entry = Function::<(u64, u64), i64>::new(|(x, y): At| (x * 3 + y * 5).to::<i64>() - 7).unwrap();
                    let at = Function::<((u64, u64), (u64, u64)), i64>::new(|((x, y), (u, v)): (At, At)| {
                        (x * 3 + y * 5).to::<i64>() - (u * 7).to::<i64>() + (v * 2).to::<i64>()
                    })
                    .unwrap();
                    let size = Function::<u64, u64>::new(|line: U| line % 3).unwrap();
                    let index = Function::<(u64, u64), u64>::new(|(line, k): At| line % 2 + k * 2).unwrap();
                    let of = Function::<(u64, u64), i64>::new(|(line, k): At| (line * 5 + k * 7).to::<i64>() - 3);
                    let lists = (size, index, of.unwrap());
                    let stored = |rows, columns, entries: &[i64]| {
                        products.upload(&Matrix::stored(rows, columns, entries).unwrap()).unwrap()
                    };
                    let stored_lists = |lines: u64| {
                        let (mut offsets, mut indices, mut entries) = (vec![0], Vec::new(), Vec::new());
                        for line in 0..lines {
                            for i in 0..n {
                                if let Some(entry) = listed(line, n, i) {
                                    indices.push(i);
                                    entries.push(entry);
                                }
                            }
                            offsets.push(indices.len());
                        }
                        (offsets, indices, entries)
                    };
                    macro_rules! with_right {
                        ($a:expr) => {{
                            let a = $a;
                            match right {
                                Kind::Stored => products.multiply(&semiring, &a, &stored(n, p, &stored_b)),
                                Kind::Function => {
                                    let b = products.upload(&Matrix::function(n, p, entry.clone())).unwrap();
                                    products.multiply(&semiring, &a, &b)
                                }
                                Kind::AtResult => {
                                    products.multiply(&semiring, &a, &FunctionMatrix::new(n, p, at.clone()))
                                }
                                Kind::Listed => {
                                    let (offsets, indices, entries) = stored_lists(p);
                                    let b = Matrix::columns(n, p, (&offsets, &indices, &entries), 0).unwrap();
                                    products.multiply(&semiring, &a, &products.upload(&b).unwrap())
                                }
                                Kind::Made => {
                                    let b = ListMatrix::by_columns(n, p, lists.clone(), 0).unwrap();
                                    products.multiply(&semiring, &a, &b)
                                }
                            }
                        }};
                    }
                    let made = match left {
                        Kind::Stored => with_right!(stored(m, n, &stored_a)),
                        Kind::Function => {
                            with_right!(products.upload(&Matrix::function(m, n, entry.clone())).unwrap())
                        }
                        Kind::AtResult => with_right!(FunctionMatrix::new(m, n, at.clone())),
                        Kind::Listed => {
                            let (offsets, indices, entries) = stored_lists(m);
                            let a = Matrix::rows(m, n, (&offsets, &indices, &entries), 0).unwrap();
                            with_right!(products.upload(&a).unwrap())
                        }
                        Kind::Made => with_right!(ListMatrix::by_rows(m, n, lists.clone(), 0).unwrap()),
                    };
                    let made = made.unwrap().download().unwrap().entries();
                    prop_assert_eq!(made, expected, "{:?} by {:?} on {}", left, right, device.info().label());
                }
            }
        }
    }
}

#[test]
fn functions_read_stored_entries() {
    for device in devices() {
        let products = Products::new(&device);
        let keys: Vec<u32> = vec![7, 3, 9, 1, 4, 8, 2];
        let n = keys.len() as u64;
        let row = products.upload(&Matrix::stored(1, n, &keys).unwrap()).unwrap();
        // The place of the least key that is not less than that of the column: the sorted order of its successor.
        let of = Function::<((u64, u64), (u64, u64)), u32>::new(|((_, y), (_, v)): (At, At)| {
            let (key, other) = (v.read::<u32>(0), y.read::<u32>(0));
            other.lt(key).select(1, 0)
        });
        let less = FunctionMatrix::new(n, n, of.unwrap()).reading(&row).unwrap();
        let ones = products.upload(&Matrix::stored(1, n, &vec![1u32; n as usize]).unwrap()).unwrap();
        let ranks =
            products.multiply(&Semiring::<u32, u32, u32>::wrapping_plus_times().unwrap(), &ones, &less).unwrap();
        let expected: Vec<u32> =
            keys.iter().map(|key| keys.iter().filter(|other| *other < key).count() as u32).collect();
        assert_eq!(ranks.download().unwrap().entries(), expected);
    }
}

#[test]
fn lists_past_the_inner_length_are_cut_and_products_of_nothing_are_zero() {
    for device in devices() {
        let products = Products::new(&device);
        let size = Function::<u64, u64>::new(|_: U| U::from(u64::MAX)).unwrap();
        let index = Function::<(u64, u64), u64>::new(|(_, k): At| k).unwrap();
        let value = Function::<(u64, u64), i64>::new(|(_, k): At| k.to::<i64>() + 1).unwrap();
        let semiring = Semiring::<i64, i64, i64>::wrapping_plus_times().unwrap();
        let b = ListMatrix::by_columns(3, 2, (size.clone(), index.clone(), value.clone()), 0).unwrap();
        let a = products.upload(&Matrix::stored(1, 3, &[1i64, 1, 1]).unwrap()).unwrap();
        assert_eq!(products.multiply(&semiring, &a, &b).unwrap().download().unwrap().entries(), [6, 6]);
        let b = ListMatrix::by_columns(0, 2, (size, index, value), 0).unwrap();
        let a = products.upload(&Matrix::stored(1, 0, &[]).unwrap()).unwrap();
        assert_eq!(products.multiply(&semiring, &a, &b).unwrap().download().unwrap().entries(), [0, 0]);
    }
}

#[test]
fn what_does_not_fit_is_told() {
    let products = Products::new(&manycore_device::Device::host());
    let semiring = Semiring::<i64, i64, i64>::wrapping_plus_times().unwrap();
    let a = products.upload(&Matrix::stored(1, 2, &[1i64, 2]).unwrap()).unwrap();
    let read = Function::<(u64, u64), i64>::new(|(x, _): At| x.read::<i64>(0)).unwrap();
    let unread = products.upload(&Matrix::function(2, 2, read)).unwrap();
    let error = products.multiply(&semiring, &a, &unread).unwrap_err();
    assert!(matches!(error, SemiringError::Table { number: 0, given: "none", .. }), "{error}");
    let at = |(x, _): (At, At)| x.0.read::<i64>(0);
    let b = FunctionMatrix::new(2, 2, Function::<((u64, u64), (u64, u64)), i64>::new(at).unwrap());
    let words = products.upload(&Matrix::stored(1, 2, &[1u32, 2]).unwrap()).unwrap();
    let error = products.multiply(&semiring, &a, &b.clone().reading(&words).unwrap()).unwrap_err();
    assert!(matches!(error, SemiringError::Table { number: 0, given: "u32", .. }), "{error}");
    let error = b.reading(&unread).unwrap_err();
    assert!(matches!(error, SemiringError::Unstored { .. }), "{error}");
    let one = Function::<u64, u64>::new(|_: U| U::from(1)).unwrap();
    let index = Function::<(u64, u64), u64>::new(|(_, k): At| k).unwrap();
    let value = Function::<(u64, u64), i64>::new(|_: At| I::from(1)).unwrap();
    let rows = ListMatrix::by_rows(2, 2, (one.clone(), index.clone(), value.clone()), 0).unwrap();
    let error = products.multiply(&semiring, &a, &rows).unwrap_err();
    assert!(matches!(error, SemiringError::Lines { lines: "rows", side: "second" }), "{error}");
    let absent = ListMatrix::by_columns(2, 2, (one, index, value), 1).unwrap();
    let error = products.multiply(&semiring, &a, &absent).unwrap_err();
    assert!(matches!(error, SemiringError::Absent { side: "right" }), "{error}");
    let plan = ProductPlan::Direct;
    let error = products.multiply_by(plan, &semiring, &a, &a).unwrap_err();
    assert!(matches!(error, SemiringError::Shapes { .. }), "{error}");
    let b = products.upload(&Matrix::stored(2, 1, &[1i64, 2]).unwrap()).unwrap();
    let error = products.multiply_by(plan, &semiring, &a, &b).unwrap_err();
    assert!(matches!(error, SemiringError::Plan { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Batches are products one by one, however the factors are kept.
    #[test]
    fn batches_are_products_one_by_one(
        count in 1u64..40,
        (rows, inner, columns) in (0u64..5, 0u64..5, 0u64..5),
        seed: u64,
        how in 0u8..3,
    ) {
        let draw = |i: u64| ((seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59) as i32 - 7;
        let a: Vec<i32> = (0..count * rows * inner).map(draw).collect();
        let b: Vec<i32> = (0..count * inner * columns).map(|i| draw(i + (1 << 40))).collect();
        let semiring = Semiring::<i32, i32, i32>::max_plus_saturating().unwrap();
        let expected: Vec<i32> = (0..count)
            .flat_map(|number| {
                let part = |all: &[i32], size: u64| all[(number * size) as usize..((number + 1) * size) as usize].to_vec();
                let a = Matrix::stored(rows, inner, &part(&a, rows * inner)).unwrap();
                let b = Matrix::stored(inner, columns, &part(&b, inner * columns)).unwrap();
                semiring.reference(&a, &b).unwrap().entries()
            })
            .collect();
        for device in devices() {
            let products = Products::new(&device);
            let left = products.upload(&Matrix::stored(count * rows, inner, &a).unwrap()).unwrap();
            let right = Matrix::stored(count * inner, columns, &b).unwrap();
            let right = if how == 0 {
                // As lists, of which none is missing.
                let (n, m) = (count * inner, columns);
                let offsets: Vec<usize> = (0..=n as usize).map(|row| row * m as usize).collect();
                let indices: Vec<u64> = (0..n).flat_map(|_| 0..m).collect();
                products.upload(&Matrix::rows(n, m, (&offsets, &indices, &b), i32::MIN).unwrap()).unwrap()
            } else {
                products.upload(&right).unwrap()
            };
            let made = products.multiply_batch(&semiring, count, &left, &right).unwrap();
            prop_assert_eq!(made.download().unwrap().entries(), &expected[..]);
            let shapes = products.multiply_batch(&semiring, count + 1, &left, &right);
            let is_told = matches!(shapes, Err(SemiringError::Batch { .. }));
            prop_assert!(is_told || (count * rows) % (count + 1) == 0);
        }
    }
}

/// Products of a batch one by one, each of which begins anywhere in the batch.
#[test]
fn batches_of_large_products_equal_the_host_s() {
    let semiring = Semiring::<i32, i32, i32>::max_plus_saturating().unwrap();
    let host = Products::new(&Device::host());
    for (count, rows, inner, columns) in [(3, 65, 33, 67), (2, 257, 255, 259)] {
        let words = |len: u64, seed| (0..len).map(|i| draw(seed, i) as i32).collect::<Vec<i32>>();
        let a = Matrix::stored(count * rows, inner, &words(count * rows * inner, 1)).unwrap();
        let b = Matrix::stored(count * inner, columns, &words(count * inner * columns, 2)).unwrap();
        let made = |products: &Products| {
            let (a, b) = (products.upload(&a).unwrap(), products.upload(&b).unwrap());
            products.multiply_batch(&semiring, count, &a, &b).unwrap().download().unwrap().entries()
        };
        let expected = made(&host);
        for device in opencl_devices() {
            assert!(
                made(&Products::new(&device)) == expected,
                "{count} of {rows} by {inner} by {columns} on {device:?}"
            );
        }
    }
}

//! Generalized products: every choice of representations gives what the definition gives.

use manycore_device::Device;
use manycore_expressions::{Elements, Function, Value};
use manycore_semiring::{Matrix, Representation, Semiring, SemiringError};
use proptest::prelude::*;

type F = Value<f32>;
type I = Value<i64>;

fn max_plus() -> Semiring<f32, f32, f32> {
    let (product, sum) = (Function::new(|(a, b): (F, F)| a + b), Function::new(|(a, b): (F, F)| a.max(b)));
    Semiring::new(product.unwrap(), sum.unwrap(), f32::NEG_INFINITY).unwrap()
}

fn integers(product: impl FnOnce((I, I)) -> I, sum: impl FnOnce((I, I)) -> I, zero: i64) -> Semiring<i64, i64, i64> {
    Semiring::new(Function::new(product).unwrap(), Function::new(sum).unwrap(), zero).unwrap()
}

fn plus_times() -> Semiring<i64, i64, i64> {
    integers(|(a, b)| a * b, |(a, b)| a + b, 0)
}

/// The greatest integer, which absorbs.
const INFINITY: i64 = i64::MAX;

fn min_plus() -> Semiring<i64, i64, i64> {
    let product = |(a, b): (I, I)| (a.equals(INFINITY) | b.equals(INFINITY)).select(INFINITY, a + b);
    integers(product, |(a, b)| a.min(b), INFINITY)
}

/// The first of both that is not zero: associative, not commutative.
fn first() -> Semiring<i64, i64, i64> {
    integers(|(a, b)| a * b, |(a, b)| a.equals(0).select(b, a), 0)
}

#[test]
fn the_product_of_the_paper_over_max_plus() {
    let e = f32::NEG_INFINITY;
    let (a, b) =
        (Matrix::stored(2, 2, &[0.0, 2.0, e, 1.0]).unwrap(), Matrix::stored(2, 2, &[1.0, e, 0.0, 3.0]).unwrap());
    let c = max_plus().multiply(&Device::host(), &a, &b).unwrap();
    assert_eq!(c.entries(), [2.0, 5.0, 1.0, 4.0]);
    assert_eq!(c.representation(), Representation::Stored);
}

#[test]
fn products_of_nothing_are_zero() {
    let host = Device::host();
    for (rows, inner, columns) in [(0, 3, 2), (3, 0, 2), (3, 2, 0), (0, 0, 0)] {
        let a = Matrix::stored(rows, inner, &vec![1.0; (rows * inner) as usize]).unwrap();
        let b = Matrix::stored(inner, columns, &vec![1.0; (inner * columns) as usize]).unwrap();
        let c = max_plus().multiply(&host, &a, &b).unwrap();
        let expected = vec![if inner == 0 { f32::NEG_INFINITY } else { 2.0 }; (rows * columns) as usize];
        assert_eq!(c.entries(), expected);
    }
}

#[test]
fn the_best_of_each_row_with_its_place() {
    type Best = (f32, u32);
    type Pair = (Value<f32>, Value<u32>);
    // a is a matrix of numbers, b one column of places.
    let product = Function::<(f32, u32), Best>::new(|(a, place): (Value<f32>, Value<u32>)| (a, place)).unwrap();
    let sum = Function::<(Best, Best), Best>::new(|((x, i), (y, j)): (Pair, Pair)| {
        let second = y.gt(x) | (y.equals(x) & j.lt(i));
        (second.select(y, x), second.select(j, i))
    })
    .unwrap();
    let semiring = Semiring::new(product, sum, (f32::NEG_INFINITY, u32::MAX)).unwrap();
    assert!(semiring.is_commutative());
    let a = Matrix::stored(2, 4, &[3.0f32, 7.0, 7.0, 1.0, -1.0, -5.0, -1.5, -9.0]).unwrap();
    let places = Matrix::function(4, 1, Function::new(|(_, y): (Value<u64>, Value<u64>)| y.to::<u32>()).unwrap());
    let best = semiring.multiply(&Device::host(), &a, &places).unwrap();
    assert_eq!(best.entries(), [(7.0, 1), (-1.0, 0)]);
}

#[test]
fn min_plus_is_not_plus_times() {
    let host = Device::host();
    let (a, b) = (Matrix::stored(2, 2, &[1, 2, 3, 4]).unwrap(), Matrix::stored(2, 2, &[5, 6, 7, 8]).unwrap());
    assert_eq!(min_plus().multiply(&host, &a, &b).unwrap().entries(), [6, 7, 8, 9]);
    assert_eq!(plus_times().multiply(&host, &a, &b).unwrap().entries(), [19, 22, 43, 50]);
}

#[test]
fn what_does_not_fit_is_named() {
    let sum = Function::new(|(a, b): (I, I)| a - b).unwrap();
    let product = Function::new(|(a, b): (I, I)| a * b).unwrap();
    let error = Semiring::<i64, i64, i64>::new(product, sum, 0).unwrap_err();
    assert!(error.to_string().starts_with("the sum needs a law: the law is not kept (associative"), "{error}");
    let error = integers_error(|(a, b)| a * b, |(a, b)| a + b, 1);
    assert!(error.to_string().contains("identity"), "{error}");
    assert_eq!(Matrix::stored(2, 3, &[1, 2]).unwrap_err().to_string(), "2 entries are given for a matrix of 2 x 3");
    let a = Matrix::stored(2, 3, &[0; 6]).unwrap();
    let error = plus_times().multiply(&Device::host(), &a, &a).unwrap_err();
    assert!(error.to_string().starts_with("the product of 2 x 3 by 2 x 3:"), "{error}");
    // A missing entry that counts.
    let sparse = Matrix::rows(2, 2, (&[0, 1, 1], &[1], &[5]), 1).unwrap();
    let dense = Matrix::stored(2, 2, &[1, 2, 3, 4]).unwrap();
    let side = |a: &Matrix<i64>, b: &Matrix<i64>| match plus_times().multiply(&Device::host(), a, b) {
        Err(SemiringError::Absent { side }) => side,
        other => panic!("{other:?}"),
    };
    assert_eq!((side(&sparse, &dense), side(&dense, &sparse)), ("left", "right"));
    let wrong = |offsets: &[usize], indices: &[u64]| {
        let entries = vec![1; indices.len()];
        Matrix::rows(2, 2, (offsets, indices, &entries), 0).unwrap_err().to_string()
    };
    assert_eq!(wrong(&[0, 2, 3], &[0, 2, 0]), "row 1: index 2 is past the last one, 1");
    assert_eq!(wrong(&[0, 0, 2], &[1, 0]), "row 2: index 0 stands behind 1: indices ascend");
    assert_eq!(wrong(&[0, 3, 2], &[0, 1]), "row 1: its entries are 0 to before 3");
    assert!(wrong(&[0, 1], &[0]).starts_with("row 1: 2 offsets"));
    assert!(wrong(&[0, 1, 1], &[0, 1]).contains("the last offset is Some(1)"));
}

fn integers_error(product: impl FnOnce((I, I)) -> I, sum: impl FnOnce((I, I)) -> I, zero: i64) -> SemiringError {
    Semiring::<i64, i64, i64>::new(Function::new(product).unwrap(), Function::new(sum).unwrap(), zero).unwrap_err()
}

/// A matrix in another representation; missing entries are `absent`.
fn kept<T: Elements>(rows: u64, columns: u64, entries: &[T], how: u8, absent: T) -> Matrix<T> {
    let at = |row: u64, column: u64| entries[(row * columns + column) as usize];
    let lists = |lines: u64, width: u64, of: &dyn Fn(u64, u64) -> T| {
        let (mut offsets, mut indices, mut found) = (vec![0], Vec::new(), Vec::new());
        for line in 0..lines {
            for index in (0..width).filter(|&index| of(line, index) != absent) {
                indices.push(index);
                found.push(of(line, index));
            }
            offsets.push(indices.len());
        }
        (offsets, indices, found)
    };
    match how % 3 {
        0 => Matrix::stored(rows, columns, entries).unwrap(),
        1 => {
            let (offsets, indices, entries) = lists(rows, columns, &|row, column| at(row, column));
            Matrix::rows(rows, columns, (&offsets, &indices, &entries), absent).unwrap()
        }
        _ => {
            let (offsets, indices, entries) = lists(columns, rows, &|column, row| at(row, column));
            Matrix::columns(rows, columns, (&offsets, &indices, &entries), absent).unwrap()
        }
    }
}

proptest! {
    #[test]
    fn all_representations_give_the_definition(
        (rows, inner, columns) in (0u64..7, 0u64..7, 0u64..7),
        seed: u64,
        ways in any::<(u8, u8)>(),
        which in 0u8..3,
    ) {
        let draw = |i: u64| {
            let x = (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd134_2543_de82_ef95);
            let value = (x >> 40) as i64 % 19 - 9;
            if x.is_multiple_of(4) { value } else { 0 }
        };
        let (semiring, absent) = match which {
            0 => (plus_times(), 0),
            1 => (first(), 0),
            _ => (min_plus(), INFINITY),
        };
        let entry = |x: i64| if x == 0 { absent } else { x };
        let a: Vec<i64> = (0..rows * inner).map(|i| entry(draw(i))).collect();
        let b: Vec<i64> = (0..inner * columns).map(|i| entry(draw(1000 + i))).collect();
        let (a, b) = (kept(rows, inner, &a, ways.0, absent), kept(inner, columns, &b, ways.1, absent));
        for threads in [1, 2] {
            let host = Device::host_with(threads).unwrap();
            let product = semiring.multiply(&host, &a, &b).unwrap();
            prop_assert_eq!(product.entries(), semiring.reference(&a, &b).unwrap().entries());
        }
    }

    #[test]
    fn matrices_as_functions_are_what_they_compute(rows in 0u64..6, inner in 0u64..6, columns in 0u64..6) {
        let a = Matrix::function(rows, inner, Function::new(|(x, y): (Value<u64>, Value<u64>)| (x * 3 + y).to::<i64>()).unwrap());
        let b = Matrix::function(inner, columns, Function::new(|(x, y): (Value<u64>, Value<u64>)| (x ^ y).to::<i64>()).unwrap());
        let product = plus_times().multiply(&Device::host(), &a, &b).unwrap();
        for u in 0..rows {
            for v in 0..columns {
                let expected: u64 = (0..inner).map(|i| (3 * i + u) * (v ^ i)).sum();
                prop_assert_eq!(product.get(u, v), Some(expected as i64));
            }
        }
    }
}

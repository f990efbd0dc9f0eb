//! Places of results, reductions and functions of entries: on every device what plain loops give.

use manycore_expressions::{Function, Value};
use manycore_semiring::{FunctionMatrix, Matrix, Products, Reduction, Semiring, SemiringError};
use manycore_testkit::devices;
use proptest::prelude::*;

type I = Value<i64>;
type U = Value<u64>;

fn draw(seed: u64, i: u64) -> i64 {
    let x = (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd134_2543_de82_ef95);
    // Few different numbers, so that many are equal.
    (x >> 40) as i64 % 5 - 2
}

/// The entries of each line that are not `absent`.
fn lists(lines: u64, width: u64, absent: i64, of: impl Fn(u64, u64) -> i64) -> (Vec<usize>, Vec<u64>, Vec<i64>) {
    let (mut offsets, mut indices, mut entries) = (vec![0], Vec::new(), Vec::new());
    for line in 0..lines {
        for index in (0..width).filter(|&index| of(line, index) != absent) {
            indices.push(index);
            entries.push(of(line, index));
        }
        offsets.push(indices.len());
    }
    (offsets, indices, entries)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn places_are_the_lowest_of_the_best(m in 0u64..6, n in 0u64..8, p in 0u64..40, seed: u64) {
        let a: Vec<i64> = (0..m * n).map(|i| draw(seed, i)).collect();
        let b: Vec<i64> = (0..n * p).map(|i| draw(seed, i + 4096)).collect();
        let expected: Vec<(i64, u32)> = (0..m * p)
            .map(|at| {
                let (u, v) = (at / p, at % p);
                (0..n).fold((i64::MAX, u32::MAX), |best, i| {
                    let term = a[(u * n + i) as usize] + b[(i * p + v) as usize];
                    if term < best.0 { (term, i as u32) } else { best }
                })
            })
            .collect();
        let sparse: Vec<i64> = b.iter().map(|&b| if b == 2 { i64::MAX } else { b }).collect();
        let of_sparse: Vec<(i64, u32)> = (0..m * p)
            .map(|at| {
                let (u, v) = (at / p, at % p);
                let terms = (0..n).filter(|i| sparse[(i * p + v) as usize] != i64::MAX);
                terms.fold((i64::MAX, u32::MAX), |best, i| {
                    let term = a[(u * n + i) as usize] + sparse[(i * p + v) as usize];
                    if term < best.0 { (term, i as u32) } else { best }
                })
            })
            .collect();
        let semiring = Semiring::<i64, i64, i64>::min_plus_saturating().unwrap();
        for device in devices() {
            let products = Products::new(&device);
            let left = products.upload(&Matrix::stored(m, n, &a).unwrap()).unwrap();
            let right = products.upload(&Matrix::stored(n, p, &b).unwrap()).unwrap();
            let found = products.multiply_with_places(&semiring, &left, &right).unwrap();
            prop_assert_eq!(found.download().unwrap().entries(), expected.clone());
            let (o, i, e) = lists(n, p, i64::MAX, |row, column| sparse[(row * p + column) as usize]);
            let rows = products.upload(&Matrix::rows(n, p, (&o, &i, &e), i64::MAX).unwrap()).unwrap();
            let (o, i, e) = lists(p, n, i64::MAX, |column, row| sparse[(row * p + column) as usize]);
            let columns = products.upload(&Matrix::columns(n, p, (&o, &i, &e), i64::MAX).unwrap()).unwrap();
            for right in [rows, columns] {
                let found = products.multiply_with_places(&semiring, &left, &right).unwrap();
                prop_assert_eq!(found.download().unwrap().entries(), of_sparse.clone());
            }
        }
    }

    #[test]
    fn reductions_are_those_of_loops(m in 0u64..70, n in 0u64..70, seed: u64) {
        let a: Vec<i64> = (0..m * n).map(|i| draw(seed, i)).collect();
        let at = |u: u64, v: u64| a[(u * n + v) as usize];
        let rows: Vec<i64> = (0..m).map(|u| (0..n).map(|v| at(u, v)).sum()).collect();
        let columns: Vec<i64> = (0..n).map(|v| (0..m).map(|u| at(u, v)).sum()).collect();
        let best = |len: u64, of: &dyn Fn(u64) -> i64| {
            (0..len).fold((i64::MIN, u32::MAX), |best, i| if of(i) > best.0 { (of(i), i as u32) } else { best })
        };
        let best_of_rows: Vec<(i64, u32)> = (0..m).map(|u| best(n, &|v| at(u, v))).collect();
        let best_of_columns: Vec<(i64, u32)> = (0..n).map(|v| best(m, &|u| at(u, v))).collect();
        // The first that is not zero: the order counts.
        let first = Reduction::new(&Function::new(|(a, b): (I, I)| a.equals(0).select(b, a)).unwrap(), 0).unwrap();
        let firsts: Vec<i64> = (0..m).map(|u| (0..n).map(|v| at(u, v)).find(|&x| x != 0).unwrap_or(0)).collect();
        for device in devices() {
            let products = Products::new(&device);
            let given = products.upload(&Matrix::stored(m, n, &a).unwrap()).unwrap();
            let plus = Reduction::<i64>::wrapping_plus().unwrap();
            prop_assert_eq!(products.reduce_rows(&plus, &given).unwrap().download().unwrap().entries(), rows.clone());
            let found = products.reduce_columns(&plus, &given).unwrap().download().unwrap().entries();
            prop_assert_eq!(found, columns.clone());
            prop_assert_eq!(products.reduce_rows(&first, &given).unwrap().download().unwrap().entries(), firsts.clone());
            let max = Reduction::<i64>::max().unwrap();
            let found = products.reduce_rows_with_places(&max, &given).unwrap().download().unwrap().entries();
            prop_assert_eq!(found, best_of_rows.clone());
            let found = products.reduce_columns_with_places(&max, &given).unwrap().download().unwrap().entries();
            prop_assert_eq!(found, best_of_columns.clone());
        }
    }

    #[test]
    fn functions_of_entries_are_those_of_loops(m in 0u64..40, n in 0u64..9, seed: u64) {
        let a: Vec<i64> = (0..m * n).map(|i| draw(seed, i)).collect();
        let b: Vec<i64> = (0..m * n).map(|i| draw(seed, i + 4096)).collect();
        let (o, i, e) = lists(m, n, 0, |row, column| b[(row * n + column) as usize]);
        let add = Function::<(i64, i64), (i64, bool)>::new(|(a, b): (I, I)| (a + b * 3, a.lt(b))).unwrap();
        let place = Function::<((u64, u64), i64), i64>::new(|((x, y), a): ((U, U), I)| a + (x * 7 + y).to::<i64>());
        let place = place.unwrap();
        let sums: Vec<(i64, bool)> = a.iter().zip(&b).map(|(&a, &b)| (a + 3 * b, a < b)).collect();
        let turned: Vec<i64> = (0..m * n).map(|at| b[(at % m * n + at / m) as usize]).collect();
        let placed: Vec<i64> = (0..m * n).map(|at| a[at as usize] + (at % n * 7 + at / n) as i64).collect();
        for device in devices() {
            let products = Products::new(&device);
            let left = products.upload(&Matrix::stored(m, n, &a).unwrap()).unwrap();
            let stored = products.upload(&Matrix::stored(m, n, &b).unwrap()).unwrap();
            let listed = products.upload(&Matrix::rows(m, n, (&o, &i, &e), 0).unwrap()).unwrap();
            for right in [stored, listed] {
                let found = products.zip(&add, &left, &right).unwrap().download().unwrap().entries();
                prop_assert_eq!(found, sums.clone());
                prop_assert_eq!(products.transpose(&right).unwrap().download().unwrap().entries(), turned.clone());
            }
            prop_assert_eq!(products.map_at(&place, &left).unwrap().download().unwrap().entries(), placed.clone());
        }
    }
}

#[test]
fn the_nearest_of_factors_that_depend_on_the_result_has_its_place() {
    type At = (U, U);
    for device in devices() {
        let products = Products::new(&device);
        let a = Function::<((u64, u64), (u64, u64)), i64>::new(|((x, _), (u, v)): (At, At)| {
            (x.to::<i64>() - (u + v).to::<i64>()).abs()
        });
        let a = FunctionMatrix::new(3, 9, a.unwrap());
        let b = products.upload(&Matrix::stored(9, 4, &[0i64; 36]).unwrap()).unwrap();
        let semiring = Semiring::<i64, i64, i64>::min_plus_saturating().unwrap();
        let found = products.multiply_with_places(&semiring, &a, &b).unwrap().download().unwrap().entries();
        let expected: Vec<(i64, u32)> = (0..12u32).map(|at| (0, at / 4 + at % 4)).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn what_has_no_place_is_told() {
    let error = Semiring::<i64, i64, i64>::wrapping_plus_times().unwrap().with_places().unwrap_err();
    assert!(matches!(&error, SemiringError::Law(law) if law.law == manycore_expressions::Law::Selective), "{error}");
    let products = Products::new(&manycore_device::Device::host());
    let (a, b) = (Matrix::stored(1, 2, &[1i64, 2]).unwrap(), Matrix::stored(2, 1, &[1i64, 2]).unwrap());
    let (a, b) = (products.upload(&a).unwrap(), products.upload(&b).unwrap());
    let sum = Function::<(i64, i64), i64>::new(|(a, b): (I, I)| a + b).unwrap();
    let error = products.zip(&sum, &a, &b).unwrap_err();
    assert!(matches!(error, SemiringError::SameShape { .. }), "{error}");
    let reads = Function::<i64, i64>::new(|a: I| a.to::<u64>().read::<i64>(0)).unwrap();
    let error = products.map(&reads, &a).unwrap_err();
    assert!(matches!(error, SemiringError::Tables { .. }), "{error}");
    let rows = Matrix::rows(1, 2, (&[0, 1], &[0], &[5i64]), 1).unwrap();
    let error =
        products.reduce_rows(&Reduction::wrapping_plus().unwrap(), &products.upload(&rows).unwrap()).unwrap_err();
    assert!(matches!(error, SemiringError::Absent { side: "left" }), "{error}");
}

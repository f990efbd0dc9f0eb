use manycore_arrays::orders::BitOrder;
use manycore_spectral::Scalar;
use manycore_spectral::arithmetic::reference::{arithmetic, inverse_arithmetic};

use super::*;
use crate::faults::{SCALES, all_found, moved, turned_bits, unit};

/// Values and their true coefficients for both orders and several shapes.
fn cases<T: Scalar>(value: impl Fn(u64) -> T) -> Vec<(BitShape, Vec<T>, Vec<T>)> {
    let mut random = SplitMix::new(7);
    let mut cases = Vec::new();
    for order in BitOrder::ALL {
        for (variables, polarity, count) in
            [(0, 0, 0), (0, 0, 1), (0, 0, 3), (1, 1, 1), (2, 2, 2), (3, 0, 5), (5, 0b10110, 2)]
        {
            let shape = BitShape { variables, order, polarity };
            let x: Vec<T> = (0..count << variables).map(|_| value(random.next_word())).collect();
            let runs = x.chunks(shape.len());
            let y = runs.flat_map(|run| arithmetic(run, order, polarity as usize).unwrap()).collect();
            cases.push((shape, x, y));
        }
    }
    cases
}

#[test]
fn exact_results_pass_and_every_turned_bit_is_found() {
    for (shape, x, y) in cases(|word| word as i64 >> 20) {
        let check = |x: &[i64], y: &[i64], direction| exact(x, y, direction, shape, &mut SplitMix::new(3)).map(|_| ());
        all_found(&y, |_, value| turned_bits(value), |y| check(&x, y, Direction::Forward));
        all_found(&x, |_, value| turned_bits(value), |x| check(&y, x, Direction::Inverse));
    }
}

#[test]
fn wrapped_results_pass_and_every_turned_bit_is_found() {
    for (shape, x, y) in cases(|word| word as i32) {
        let check = |x: &[i32], y: &[i32], direction| wrapping(x, y, direction, shape).map(|_| ());
        all_found(&y, |_, value| turned_bits(value), |y| check(&x, y, Direction::Forward));
        all_found(&x, |_, value| turned_bits(value), |x| check(&y, x, Direction::Inverse));
    }
}

#[test]
fn a_skipped_level_is_found() {
    let shape = BitShape { variables: 4, order: BitOrder::Natural, polarity: 0 };
    let x: Vec<i64> = (0..16).map(|i| i * i - 40).collect();
    for missing in 0..4 {
        let mut wrong = x.clone();
        for bit in (0..4).filter(|&bit| bit != missing) {
            (0..16).filter(|index| index >> bit & 1 == 1).for_each(|index| wrong[index] -= wrong[index ^ 1 << bit]);
        }
        assert!(exact(&x, &wrong, Direction::Forward, shape, &mut SplitMix::new(0)).is_err());
        assert!(wrapping(&x, &wrong, Direction::Forward, shape).is_err());
    }
}

#[test]
fn reals_pass_and_every_change_above_the_bound_of_its_place_is_found() {
    for scale in SCALES {
        for (shape, x, y) in cases(|word| unit(word) * scale) {
            let back: Vec<f64> = y
                .chunks(shape.len())
                .flat_map(|run| inverse_arithmetic(run, shape.order, shape.polarity as usize).unwrap())
                .collect();
            for (direction, x, y) in [(Direction::Forward, &x, &y), (Direction::Inverse, &y, &back)] {
                // The sizes are those of the inverse of absolute values, in which all entries are positive.
                let sizes = |run: &[f64]| {
                    let run: Vec<f64> = run.iter().map(|value| value.abs() / scale).collect();
                    let mut z = plain(direction, shape, |index| run[index], |u, v| [u, u + v]).unwrap();
                    z = (0..z.len()).map(|index| z[place(direction, shape, index)] * scale).collect();
                    z
                };
                let sizes: Vec<f64> = x.chunks(shape.len()).flat_map(sizes).collect();
                let depth = f64::from(shape.variables) + 2.0;
                let flushed = 2.0 * shape.len() as f64 * f64::SMALLEST;
                let changes = |place: usize, value| moved(value, 3.0 * (depth * f64::EPSILON * sizes[place] + flushed));
                let check = |y: &[f64]| reals(x, y, direction, shape).map(|_| ());
                if scale > 1e-305 {
                    all_found(y, changes, check);
                } else {
                    assert_eq!(check(y), Ok(()));
                }
            }
        }
    }
}

#[test]
fn a_large_value_hides_no_error_elsewhere() {
    let shape = BitShape { variables: 1, order: BitOrder::Natural, polarity: 0 };
    assert!(reals(&[1.0, 1e300], &[1.0, 1e300], Direction::Forward, shape).is_ok());
    let error = reals(&[1.0, 1e300], &[1.000_001, 1e300], Direction::Forward, shape).unwrap_err();
    assert!(matches!(error, CheckError::Bound { index: 0, .. }), "{error}");
    // Near the largest number nothing small is lost either.
    assert!(reals(&[1e-300, f64::MAX], &[1e-300, f64::MAX], Direction::Forward, shape).is_ok());
    assert!(reals(&[1e-300, f64::MAX], &[2e-300, f64::MAX], Direction::Forward, shape).is_err());
}

#[test]
fn the_largest_result_is_computed_where_sums_are_no_answer() {
    let shape = BitShape { variables: 1, order: BitOrder::Natural, polarity: 0 };
    assert_eq!(largest(&[5, 6], Direction::Forward, shape, 10), Ok((0, 5)));
    assert_eq!(largest(&[5, 6], Direction::Inverse, shape, 10), Ok((0, 11)));
    assert_eq!(largest(&[5, 6], Direction::Forward, BitShape { polarity: 1, ..shape }, 10), Ok((0, 6)));
}

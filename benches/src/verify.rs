//! The check of a result, exact for every element type because the values are small integers.
//!
//! Up to `2^24` values: every value against the plain loop of [`crate::baseline`], which shares no code with what is
//! timed (the plain loop itself: some coefficients by the definition). Beyond: as many values of a batch, or some coefficients by the definition, and every value of a round trip.

use manycore_spectral::Order;
use rayon::prelude::*;

use crate::baseline;
use crate::data::{self, Number};
use crate::walsh::{Case, Form};

/// Values that are compared one by one.
pub const DIRECT: usize = 1 << 24;

/// The spectra of the first transforms of a batch of [`data::values`], from transform `first` on, in the case's order.
pub fn spectra<T: Number>(case: &Case, first: usize, transforms: usize) -> Vec<T> {
    let len = 1 << case.log_len;
    let input = (first * len) as u64..((first + transforms) * len) as u64;
    let mut natural: Vec<T> = input.into_par_iter().map(|index| T::from(data::value(index))).collect();
    natural.par_chunks_mut(len).for_each(|run| baseline::cooley_tukey(run, case.log_len));
    if case.order == Order::Hadamard {
        return natural;
    }
    let row = |index: usize| natural[(index & !(len - 1)) + case.order.natural_index(index & (len - 1), case.log_len)];
    (0..natural.len()).into_par_iter().map(row).collect()
}

/// Whether `result` is the spectrum of [`data::values`] where it is compared, and how that was done.
pub fn forward<T: Number>(case: &Case, result: &[T]) -> (bool, &'static str) {
    let len = 1 << case.log_len;
    let batch = result.len() / len;
    let coefficients = || {
        [(0, 0), (0, 1 % len), (batch - 1, len / 3), (batch - 1, len - 1)]
            .into_iter()
            .all(|(transform, row)| result[transform * len + row] == coefficient(case, transform, row))
    };
    if case.form == Form::PlainLoop {
        return (coefficients(), "four coefficients by the definition");
    }
    if result.len() <= DIRECT {
        return (same(result, &spectra(case, 0, batch)), "every value compared with the plain loop");
    }
    if len <= DIRECT / 2 {
        let part = DIRECT / 2 / len;
        let (head, tail) = (&result[..part * len], &result[(batch - part) * len..]);
        let right = same(head, &spectra(case, 0, part)) && same(tail, &spectra(case, batch - part, part));
        return (right, "2^24 values compared with the plain loop, all by a round trip");
    }
    (coefficients(), "four coefficients by the definition, all values by a round trip")
}

/// One coefficient of one transform of a batch, by the definition.
fn coefficient<T: Number>(case: &Case, transform: usize, row: usize) -> T {
    let natural = case.order.natural_index(row, case.log_len) as u64;
    let first = (transform << case.log_len) as u64;
    (0..1_u64 << case.log_len)
        .into_par_iter()
        .fold(T::default, |sum: T, column| {
            let value = T::from(data::value(first + column));
            if (natural & column).count_ones() % 2 == 1 { sum.minus(value) } else { sum.plus(value) }
        })
        .reduce(T::default, T::plus)
}

/// Whether `result` is [`data::values`] again.
pub fn is_input<T: Number>(result: &[T]) -> bool {
    result.par_iter().enumerate().all(|(index, &value)| value == T::from(data::value(index as u64)))
}

fn same<T: Number>(result: &[T], expected: &[T]) -> bool {
    result.len() == expected.len() && result.par_iter().zip(expected).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::{coefficient, forward, is_input, spectra};
    use crate::data;
    use crate::walsh::{Case, Element, Form};
    use manycore_spectral::walsh::reference::walsh_hadamard;
    use manycore_spectral::{Direction, Order};

    fn case(order: Order) -> Case {
        let (log_len, log_batch) = (6, 2);
        Case { element: Element::I32, log_len, log_batch, order, direction: Direction::Forward, form: Form::Geometry }
    }

    #[test]
    fn right_results_pass_and_wrong_ones_do_not() {
        for order in Order::ALL {
            let case = case(order);
            let input: Vec<i32> = data::values(case.len());
            let mut result: Vec<i32> = input.chunks(64).flat_map(|run| walsh_hadamard(run, order).unwrap()).collect();
            assert!(forward(&case, &result).0, "{order}");
            assert!(forward(&Case { form: Form::PlainLoop, ..case }, &result).0, "{order}");
            assert_eq!(spectra::<i32>(&case, 1, 2), result[64..192]);
            assert_eq!(coefficient::<i32>(&case, 3, 21), result[3 * 64 + 21]);
            result[64 * 3 + 63] += 1;
            assert!(!forward(&case, &result).0);
            assert!(!forward(&Case { form: Form::PlainLoop, ..case }, &result).0);
        }
    }

    #[test]
    fn the_input_is_known_again() {
        let mut values: Vec<f32> = data::values(1000);
        assert!(is_input(&values));
        values[999] += 1.0;
        assert!(!is_input(&values));
    }
}

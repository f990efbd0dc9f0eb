//! Checks of results by the library's verification (`manycore_verify`), in the form of the benches' report.
//!
//! The values of the cases are small integers, and so are their transforms, in every element type: they are checked over the
//! integers, exactly.

use anyhow::Result;
use manycore_spectral::{BitOrder, Direction};
use manycore_verify::ntt::Kind;
use manycore_verify::{Outcome, SplitMix, ntt, product, walsh};
use rayon::prelude::*;

use crate::data::{self, Number};
use crate::walsh::Case;

/// Whether a result is right, and how that was found.
pub type Told = (bool, &'static str);

/// The message for a result that fails its check.
const WRONG: &str = "it fails its check";

/// The report of a check.
///
/// # Errors
/// Where the check could not be made.
pub fn told(outcome: Outcome) -> Result<Told> {
    match outcome {
        Ok(passed) => Ok((true, passed.method)),
        Err(error) if error.is_wrong() => Ok((false, WRONG)),
        Err(error) => Err(error.into()),
    }
}

/// The random choices of checks: results are not made to pass them, so that any will do.
pub fn choices() -> SplitMix {
    SplitMix::new(0x6d61_6e79_636f_7265)
}

/// The outcome of a check of integers for numbers that should be integers.
///
/// # Errors
/// As [`told`].
pub fn of_integers<T: Number>(result: &[T], check: impl FnOnce(&[i64]) -> Outcome) -> Result<Told> {
    match result.par_iter().map(|&value| value.integer()).collect::<Option<Vec<i64>>>() {
        Some(integers) => told(check(&integers)),
        None => Ok((false, "a value is no integer")),
    }
}

/// Checks the Walsh-Hadamard spectra of [`data::values`], in the case's order.
///
/// # Errors
/// As [`told`].
pub fn spectra<T: Number>(case: &Case, result: &[T]) -> Result<Told> {
    let shape = walsh::Shape { len: 1 << case.log_len, order: case.order };
    let input: Vec<i64> = data::values(case.len());
    of_integers(result, |result| walsh::exact(&input, result, Direction::Forward, shape, &mut choices()))
}

/// Checks the cyclic number-theoretic transform `spectrum` of `x`, in bit-reversed order.
///
/// # Errors
/// As [`told`].
pub fn ntt(p: u64, root: u64, x: &[u64], spectrum: &[u64]) -> Result<Told> {
    let shape = ntt::Shape { len: x.len(), kind: Kind::Cyclic, order: BitOrder::Reversed, modulus: p, root };
    told(ntt::check(x, spectrum, Direction::Forward, shape))
}

/// Checks the product of two polynomials modulo a prime, of which no leading coefficient is 0.
///
/// # Errors
/// As [`told`].
pub fn product(p: u64, f: &[u64], g: &[u64], result: &[u64]) -> Result<Told> {
    told(product::check(p, f, g, result, &mut choices()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walsh::{Element, Form};
    use manycore_spectral::Order;
    use manycore_spectral::walsh::reference::walsh_hadamard;

    #[test]
    fn right_results_pass_and_wrong_ones_do_not() {
        for order in Order::ALL {
            let (log_len, log_batch, direction) = (6, 2, Direction::Forward);
            let case = Case { element: Element::F32, log_len, log_batch, order, direction, form: Form::Geometry };
            let input: Vec<f32> = data::values(case.len());
            let mut result: Vec<f32> = input.chunks(64).flat_map(|run| walsh_hadamard(run, order).unwrap()).collect();
            assert!(spectra(&case, &result).unwrap().0, "{order}");
            for wrong in [1.0, 0.5, f32::NAN] {
                result[64 * 3 + 63] += wrong;
                assert!(!spectra(&case, &result).unwrap().0, "{order}");
            }
            assert!(!spectra(&case, &result[1..]).unwrap().0, "{order}");
        }
    }

    #[test]
    fn wrong_residues_are_found() {
        let (p, x) = (17, [1, 2, 3, 4]);
        // By hand: 4 has the order 4, and the places 1 and 2 change.
        let spectrum = [10, 15, 7, 6];
        assert!(ntt(p, 4, &x, &spectrum).unwrap().0);
        assert!(!ntt(p, 4, &x, &[10, 7, 15, 6]).unwrap().0);
        assert!(product(p, &[1, 2], &[3, 4], &[3, 10, 8]).unwrap().0);
        assert!(!product(p, &[1, 2], &[3, 4], &[3, 10, 9]).unwrap().0);
        assert!(product(15, &[1], &[1], &[1]).is_err(), "no prime");
    }
}

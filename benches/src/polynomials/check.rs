//! Checks of quotients, greatest common divisors, values and interpolated polynomials.

use anyhow::{Result, bail};
use manycore_verify::product::division;

use crate::data;
use crate::peers::tasks::Task;
use crate::verify::{self, Told};

/// Coefficients of the common factor of the cases of greatest common divisors.
pub const COMMON: usize = 17;

/// The common factor of the cases of greatest common divisors, monic.
pub(super) fn common(p: u64) -> Vec<u64> {
    let mut common = data::residues(COMMON, p, 3);
    common[COMMON - 1] = 1;
    common
}

/// The product by the definition.
pub(super) fn multiply(p: u64, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut c = vec![0; a.len() + b.len() - 1];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            c[i + j] = ((u128::from(x) * u128::from(y) + u128::from(c[i + j])) % u128::from(p)) as u64;
        }
    }
    c
}

/// The value at a point by Horner's rule.
fn value(p: u64, f: &[u64], x: u64) -> u64 {
    f.iter().rev().fold(0, |sum, &c| ((u128::from(sum) * u128::from(x) + u128::from(c)) % u128::from(p)) as u64)
}

/// Values that are computed again.
const VALUES: usize = 64;

/// Whether the lists are the task's result.
///
/// # Errors
/// Where the check could not be made.
pub(super) fn check(p: u64, task: &Task, result: &[Vec<u64>]) -> Result<Told> {
    match (task, result) {
        (Task::Divide { a, b }, [q, r]) => verify::told(division::check(p, a, b, q, r, &mut verify::choices())),
        (Task::Gcd { .. }, [g]) => Ok((*g == common(p), "the factor that both were multiplied by")),
        (Task::Evaluate { f, points }, [values]) | (Task::Interpolate { points, values }, [f]) => {
            Ok(values_of(p, f, points, values))
        }
        _ => bail!("a result of {} lists", result.len()),
    }
}

fn values_of(p: u64, f: &[u64], points: &[u64], values: &[u64]) -> Told {
    let (len, mut random) = (points.len(), verify::choices());
    let right = values.len() == len
        && f.len() <= len
        && (0..VALUES.min(len)).all(|i| {
            let i = if len <= VALUES { i } else { random.index(len) };
            value(p, f, points[i]) == values[i]
        });
    (right, "64 values by Horner's rule")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_results_are_found() {
        let p = 7;
        // (x + 1)^2 (x + 2) = x^3 + 4 x^2 + 5 x + 2 by x^2 + 2 x + 1.
        let task = Task::Divide { a: vec![2, 5, 4, 1], b: vec![1, 2, 1] };
        assert!(check(p, &task, &[vec![2, 1], vec![]]).unwrap().0);
        assert!(!check(p, &task, &[vec![2, 2], vec![]]).unwrap().0);
        let task = Task::Gcd { a: multiply(p, &[1, 1], &common(p)), b: multiply(p, &[2, 1], &common(p)) };
        assert!(check(p, &task, &[common(p)]).unwrap().0);
        assert!(!check(p, &task, &[vec![1]]).unwrap().0);
        // x^2 + 1 at 0, 1, 2.
        let task = Task::Evaluate { f: vec![1, 0, 1], points: vec![0, 1, 2] };
        assert!(check(p, &task, &[vec![1, 2, 5]]).unwrap().0);
        assert!(!check(p, &task, &[vec![1, 2, 6]]).unwrap().0);
        let task = Task::Interpolate { points: vec![0, 1, 2], values: vec![1, 2, 5] };
        assert!(check(p, &task, &[vec![1, 0, 1]]).unwrap().0);
        assert!(!check(p, &task, &[vec![1, 1, 1]]).unwrap().0);
        assert!(!check(p, &task, &[vec![1, 2, 5, 3]]).unwrap().0, "too long");
        assert!(check(p, &task, &[]).is_err());
    }
}

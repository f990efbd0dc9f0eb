//! Checks of products, determinants and inverses by the library's verification.

use anyhow::{Result, bail};
use manycore_verify::matrix;

use crate::peers::tasks::Task;
use crate::verify::{self, Told};

/// Whether the lists are the task's result.
///
/// # Errors
/// Where the check could not be made.
pub(super) fn check(p: u64, task: &Task, result: &[Vec<u64>]) -> Result<Told> {
    let random = &mut verify::choices();
    match (task, result) {
        (Task::MatrixProduct { order, a, b }, [c]) => {
            verify::told(matrix::product(p, (*order, *order, *order), a, b, c, random))
        }
        (Task::Determinant { order, a }, [values]) if values.len() == 1 => {
            verify::told(matrix::determinant(p, *order, a, values[0], random))
        }
        (Task::Inverse { order, a }, [inverse]) => verify::told(matrix::inverse(p, *order, a, inverse, random)),
        _ => bail!("a result of {} lists", result.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_results_are_found() {
        let (p, order, a) = (7, 2, vec![1, 2, 3, 4]);
        let task = Task::MatrixProduct { order, a: a.clone(), b: a.clone() };
        assert!(check(p, &task, &[vec![0, 3, 1, 1]]).unwrap().0);
        assert!(!check(p, &task, &[vec![0, 3, 1, 2]]).unwrap().0);
        let task = Task::Determinant { order, a: a.clone() };
        assert!(check(p, &task, &[vec![5]]).unwrap().0);
        assert!(!check(p, &task, &[vec![2]]).unwrap().0);
        assert!(check(p, &task, &[vec![]]).is_err());
        let task = Task::Inverse { order, a };
        assert!(check(p, &task, &[vec![5, 1, 5, 3]]).unwrap().0);
        assert!(!check(p, &task, &[vec![5, 1, 5, 4]]).unwrap().0);
        assert!(check(p, &task, &[]).is_err());
    }
}

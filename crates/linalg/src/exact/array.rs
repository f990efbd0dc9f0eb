//! Exact answers for matrices in arrays of `ndarray`, of any strides.

use manycore_device::Device;
use ndarray::{Array2, ArrayView1, ArrayView2};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::{
    IntegerEntry, IntegerNullspace, RationalSolution, characteristic_polynomial, inverse, nullspace, rank, solve,
};
use crate::error::LinalgError;

/// The entries row after row.
fn words<T: Clone>(array: &ArrayView2<'_, T>) -> Vec<T> {
    array.iter().cloned().collect()
}

/// The order of a square array.
fn order<T>(array: &ArrayView2<'_, T>, operation: &'static str) -> Result<usize, LinalgError> {
    let (rows, columns) = array.dim();
    if rows == columns { Ok(rows) } else { Err(LinalgError::NotSquare { operation, rows, columns }) }
}

/// [`rank()`] of an array.
///
/// # Errors
/// As [`rank()`].
#[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
pub fn rank_of<T: IntegerEntry>(device: &Device, array: ArrayView2<'_, T>) -> Result<usize, LinalgError> {
    rank(device, array.dim(), &words(&array))
}

/// [`nullspace()`] of an array.
///
/// # Errors
/// As [`nullspace()`].
#[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
pub fn nullspace_of<T: IntegerEntry>(
    device: &Device,
    array: ArrayView2<'_, T>,
) -> Result<IntegerNullspace, LinalgError> {
    nullspace(device, array.dim(), &words(&array))
}

/// The [`inverse()`] of an array over the rationals, as an array.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::inverse_of;
/// use manycore_linalg::ndarray::array;
/// let found = inverse_of(&Device::from_env()?, array![[2i64, 1], [0, 3]].view())?;
/// assert_eq!(found.map(ToString::to_string), array![["1/2", "-1/6"], ["0", "1/3"]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::NotSquare`]; as [`inverse()`].
#[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
pub fn inverse_of<T: IntegerEntry>(
    device: &Device,
    array: ArrayView2<'_, T>,
) -> Result<Array2<BigRational>, LinalgError> {
    let order = order(&array, "inverse")?;
    let entries = inverse(device, order, &words(&array))?;
    let wrong = LinalgError::Entries { given: entries.len(), rows: order, columns: order };
    Array2::from_shape_vec((order, order), entries).map_err(|_| wrong)
}

/// The [`characteristic_polynomial()`] of an array, the constant term first.
///
/// # Errors
/// [`LinalgError::NotSquare`]; as [`characteristic_polynomial()`].
#[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
pub fn characteristic_polynomial_of<T: IntegerEntry>(
    device: &Device,
    array: ArrayView2<'_, T>,
) -> Result<Vec<BigInt>, LinalgError> {
    characteristic_polynomial(device, order(&array, "characteristic polynomial")?, &words(&array))
}

/// The rational solutions `x` of `a x = b` for arrays: [`solve()`].
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::{RationalSolution, solve_of};
/// use manycore_linalg::ndarray::array;
/// let (a, b) = (array![[2i64, 1], [1, 3]], array![1, 1]);
/// let RationalSolution::Unique(x) = solve_of(&Device::from_env()?, a.view(), b.view())? else { return Err("one".into()) };
/// assert_eq!((x[0].to_string(), x[1].to_string()), ("2/5".to_owned(), "1/5".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`solve()`].
#[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
pub fn solve_of<T: IntegerEntry>(
    device: &Device,
    a: ArrayView2<'_, T>,
    b: ArrayView1<'_, T>,
) -> Result<RationalSolution, LinalgError> {
    solve(device, a.dim(), &words(&a), &b.iter().cloned().collect::<Vec<T>>())
}

#[cfg(test)]
mod tests {
    use ndarray::{array, s};

    use super::*;

    #[test]
    fn views_are_their_entries() {
        let device = Device::host();
        let a = array![[2i64, 0, 1, 0], [4, 7, 3, 9], [1, 0, 1, 0], [6, 5, 5, 5]];
        let part = a.slice(s![..;2, ..;2]); // [[2, 1], [1, 1]]
        assert_eq!(rank_of(&device, a.view()).unwrap(), rank(&device, (4, 4), &words(&a.t())).unwrap());
        assert_eq!(rank_of(&device, a.slice(s![..;2, ..])), Ok(2));
        assert_eq!(characteristic_polynomial_of(&device, part).unwrap(), [1, -3, 1].map(BigInt::from));
        let inverse = inverse_of(&device, part).unwrap().map(BigRational::to_integer);
        assert_eq!(inverse, array![[1, -1], [-1, 2]].mapv(BigInt::from));
        let basis = nullspace_of(&device, a.slice(s![..;2, ..])).unwrap();
        assert_eq!(basis.basis, nullspace(&device, (2, 4), &[2i64, 0, 1, 0, 1, 0, 1, 0]).unwrap().basis);
        let solution = solve_of(&device, part, a.slice(s![..2, 0])).unwrap();
        assert_eq!(solution, solve(&device, (2, 2), &[2i64, 1, 1, 1], &[2, 4]).unwrap());
        let error = inverse_of(&device, a.slice(s![..2, ..])).unwrap_err();
        assert_eq!(error, LinalgError::NotSquare { operation: "inverse", rows: 2, columns: 4 });
        assert!(characteristic_polynomial_of(&device, a.slice(s![..2, ..])).is_err());
    }
}

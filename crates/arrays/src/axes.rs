//! Axes of an array by their numbers, as `NumPy` and `ndarray` count them: from 0, the slowest one in standard layout.

use std::fmt;
use std::ops::RangeFull;

use ndarray::Axis;

/// The axes along which an operation goes: a number, an [`Axis`], several numbers in the order in which they are taken, or `..`
/// for all.
///
/// ```
/// use manycore_arrays::{Axes, AxesError};
/// use ndarray::Axis;
/// assert_eq!(Axes::from(1).of(2)?, [1]);
/// assert_eq!(Axes::from(Axis(1)), Axes::from(1));
/// assert_eq!(Axes::from([2, 0]).of(3)?, [2, 0]);
/// assert_eq!(Axes::from(..).of(3)?, [0, 1, 2]);
/// assert_eq!(Axes::from(2).of(2), Err(AxesError::OutOfRange { axis: 2, dimensions: 2 }));
/// # Ok::<(), AxesError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Axes(Given);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Given {
    All,
    Listed(Vec<usize>),
}

impl Axes {
    /// The numbers of the axes in an array of `dimensions` dimensions.
    ///
    /// # Errors
    /// [`AxesError::OutOfRange`] and [`AxesError::Repeated`] for the first axis that is wrong.
    pub fn of(&self, dimensions: usize) -> Result<Vec<usize>, AxesError> {
        let Given::Listed(axes) = &self.0 else { return Ok((0..dimensions).collect()) };
        for (i, &axis) in axes.iter().enumerate() {
            if axis >= dimensions {
                return Err(AxesError::OutOfRange { axis, dimensions });
            }
            if axes[..i].contains(&axis) {
                return Err(AxesError::Repeated { axis });
            }
        }
        Ok(axes.clone())
    }
}

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Given::All => f.write_str("all axes"),
            Given::Listed(axes) => write!(f, "axes {axes:?}"),
        }
    }
}

impl From<usize> for Axes {
    fn from(axis: usize) -> Self {
        Self(Given::Listed(vec![axis]))
    }
}

impl From<Axis> for Axes {
    fn from(axis: Axis) -> Self {
        axis.0.into()
    }
}

impl<const N: usize> From<[usize; N]> for Axes {
    fn from(axes: [usize; N]) -> Self {
        Self(Given::Listed(axes.into()))
    }
}

impl From<&[usize]> for Axes {
    fn from(axes: &[usize]) -> Self {
        Self(Given::Listed(axes.into()))
    }
}

impl From<Vec<usize>> for Axes {
    fn from(axes: Vec<usize>) -> Self {
        Self(Given::Listed(axes))
    }
}

impl From<RangeFull> for Axes {
    fn from(_: RangeFull) -> Self {
        Self(Given::All)
    }
}

/// Why an operation does not go along axes of an array.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AxesError {
    /// An axis that the array does not have.
    #[error("axis {axis} of an array of {dimensions} dimensions: axes are counted from 0 and are below the dimensions")]
    OutOfRange {
        /// The axis.
        axis: usize,
        /// The dimensions of the array.
        dimensions: usize,
    },
    /// An axis that is listed twice.
    #[error("axis {axis} is listed twice")]
    Repeated {
        /// The axis.
        axis: usize,
    },
    /// An output of another shape than the input.
    #[error("the output has the shape {output:?}, and the input {input:?}")]
    Shape {
        /// The shape of the input.
        input: Vec<usize>,
        /// The shape of the output.
        output: Vec<usize>,
    },
}

/// Whether an output has the shape of its input.
///
/// # Errors
/// [`AxesError::Shape`] with both shapes where it has not.
pub fn same_shape(input: &[usize], output: &[usize]) -> Result<(), AxesError> {
    if input == output {
        return Ok(());
    }
    Err(AxesError::Shape { input: input.into(), output: output.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_wrong_axis_is_named() {
        let error = Axes::from([1, 0, 1]).of(2).unwrap_err();
        assert_eq!(
            (error.clone(), error.to_string()),
            (AxesError::Repeated { axis: 1 }, "axis 1 is listed twice".into())
        );
        let error = Axes::from(vec![0, 3, 3]).of(3).unwrap_err();
        assert_eq!(error, AxesError::OutOfRange { axis: 3, dimensions: 3 });
        assert!(error.to_string().starts_with("axis 3 of an array of 3 dimensions"));
        assert_eq!(Axes::from(0).of(0), Err(AxesError::OutOfRange { axis: 0, dimensions: 0 }));
    }

    #[test]
    fn all_axes_and_none() {
        assert_eq!(Axes::from(..).of(0), Ok(vec![]));
        assert_eq!(Axes::from([]).of(4), Ok(vec![]));
        assert_eq!(Axes::from(&[3, 1][..]).of(4), Ok(vec![3, 1]));
        assert_eq!(
            (Axes::from(..).to_string(), Axes::from([1, 0]).to_string()),
            ("all axes".into(), "axes [1, 0]".into())
        );
    }

    #[test]
    fn shapes() {
        assert_eq!(same_shape(&[2, 3], &[2, 3]), Ok(()));
        let error = same_shape(&[2, 3], &[3, 2]).unwrap_err();
        assert_eq!(error.to_string(), "the output has the shape [3, 2], and the input [2, 3]");
    }
}

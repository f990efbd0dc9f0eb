//! Transforms along axes of arrays: the row-column algorithm, lane by lane in blocks ([`manycore_arrays::in_place_along`]).
//!
//! Transforms that are Kronecker powers of one matrix in their natural order are, along several axes, a single transform of as many
//! values as these axes have together: `W(2^a) x W(2^b) = W(2^(a + b))` (paper 001, equation 1).

use std::cmp::Reverse;

use manycore_arrays::{Axes, copy, in_place_along, same_shape};
use ndarray::{ArrayRef, ArrayViewMutD, Axis, Dimension};

use crate::arithmetic::Arithmetic;
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::haar::Haar;
use crate::reed_muller::{Bits, ReedMuller};
use crate::scalar::Scalar;
use crate::walsh::Walsh;

/// The outcome of lanes, which come in no order that would name one.
fn of_lanes(outcome: Result<(), SpectralError>) -> Result<(), SpectralError> {
    outcome.map_err(|error| match error {
        SpectralError::Overflow { sum, bits, .. } => SpectralError::Overflow { transform: None, sum, bits },
        SpectralError::Fraction { .. } => SpectralError::Fraction { transform: None },
        error => error,
    })
}

impl Spectral {
    /// The Walsh-Hadamard transform along `axes` of an array or a view, of any dimensions and strides, in place. Axes are a number, several
    /// in the order in which they are taken, or `..` for all ([`Axes`]).
    ///
    /// Lanes that fill the array's memory one after the other are transformed where they lie, as a batch; others go through
    /// memory of their own, in blocks. [`Walsh::batch`] cuts lanes into runs. Along several axes, a transform in Hadamard order is one pass
    /// over the array, and in other orders one for each axis.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::{Spectral, Walsh};
    /// use ndarray::array;
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let mut x = array![[1, 2, 3, 4], [5, 6, 7, 8]];
    /// spectral.walsh_along(&mut x, 1, &Walsh::new())?;
    /// assert_eq!(x, array![[10, -2, -4, 0], [26, -2, -4, 0]]);
    /// spectral.walsh_along(&mut x, 0, &Walsh::new())?; // both were `walsh_along(&mut x, [0, 1], ..)`, or `..` for all axes
    /// assert_eq!(x, array![[36, -4, -8, 0], [-16, 0, 0, 0]]);
    /// let mut left = x.view_mut().split_at(ndarray::Axis(1), 2).0; // views of any strides
    /// spectral.walsh_along(&mut left, [0, 1], &Walsh::new().inverse())?;
    /// assert_eq!(x, array![[4, 6, -8, 0], [12, 14, 0, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpectralError::Axes`] for an axis that the array does not have or that is listed twice; as [`Spectral::walsh`] for the
    /// lengths of axes, integers and the device; lanes before the refused one, or whole axes, are transformed then.
    pub fn walsh_along<T: Scalar, D: Dimension>(
        &self,
        array: &mut ArrayRef<T, D>,
        axes: impl Into<Axes>,
        how: &Walsh,
    ) -> Result<(), SpectralError> {
        self.walsh_of_lanes(array.view_mut().into_dyn(), &axes.into(), how)
    }

    /// [`Spectral::walsh_along`] of `x`, written to `out`, an array or a view of the same shape.
    ///
    /// # Errors
    /// As [`Spectral::walsh_along`]; [`SpectralError::Axes`] where the shapes differ.
    pub fn walsh_into<T: Scalar, D: Dimension>(
        &self,
        x: &ArrayRef<T, D>,
        out: &mut ArrayRef<T, D>,
        axes: impl Into<Axes>,
        how: &Walsh,
    ) -> Result<(), SpectralError> {
        same_shape(x.shape(), out.shape())?;
        copy(self.device(), x.view().into_dyn(), out.view_mut().into_dyn());
        self.walsh_along(out, axes, how)
    }

    #[inline(never)]
    pub(crate) fn walsh_of_lanes<T: Scalar>(
        &self,
        array: ArrayViewMutD<'_, T>,
        axes: &Axes,
        how: &Walsh,
    ) -> Result<(), SpectralError> {
        self.joined(array, axes, how.joins_axes(), |len| how.for_lanes(len), |x, how| of_lanes(self.walsh(x, how)))
    }

    /// The Reed-Muller transform along `axes` of an array or a view, of any dimensions and strides, in place. Axes are a number, several
    /// in the order in which they are taken, or `..` for all ([`Axes`]).
    ///
    /// Memory and lanes are as in [`Spectral::walsh_along`]. In natural order without a polarity it is one pass for all axes.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::{ReedMuller, Spectral};
    /// use ndarray::array;
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let mut f = array![[1u8, 0], [0, 1], [1, 1], [0, 1]];
    /// spectral.reed_muller_along(&mut f, 0, &ReedMuller::new())?; // two functions of two variables
    /// assert_eq!(f, array![[1, 0], [1, 1], [0, 1], [0, 1]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpectralError::Axes`] for an axis that the array does not have or that is listed twice; as [`Spectral::reed_muller`] for the
    /// lengths of axes and the device.
    pub fn reed_muller_along<T: Bits, D: Dimension>(
        &self,
        array: &mut ArrayRef<T, D>,
        axes: impl Into<Axes>,
        how: &ReedMuller,
    ) -> Result<(), SpectralError> {
        self.reed_muller_of_lanes(array.view_mut().into_dyn(), &axes.into(), how)
    }

    /// [`Spectral::reed_muller_along`] of `x`, written to `out`, an array or a view of the same shape.
    ///
    /// # Errors
    /// As [`Spectral::reed_muller_along`]; [`SpectralError::Axes`] where the shapes differ.
    pub fn reed_muller_into<T: Bits, D: Dimension>(
        &self,
        x: &ArrayRef<T, D>,
        out: &mut ArrayRef<T, D>,
        axes: impl Into<Axes>,
        how: &ReedMuller,
    ) -> Result<(), SpectralError> {
        same_shape(x.shape(), out.shape())?;
        copy(self.device(), x.view().into_dyn(), out.view_mut().into_dyn());
        self.reed_muller_along(out, axes, how)
    }

    #[inline(never)]
    pub(crate) fn reed_muller_of_lanes<T: Bits>(
        &self,
        array: ArrayViewMutD<'_, T>,
        axes: &Axes,
        how: &ReedMuller,
    ) -> Result<(), SpectralError> {
        self.joined(array, axes, how.joins_axes(), |len| how.for_lanes(len), |x, how| self.reed_muller(x, how))
    }

    /// The arithmetic transform along `axes` of an array or a view, of any dimensions and strides, in place. Axes are a number, several
    /// in the order in which they are taken, or `..` for all ([`Axes`]).
    ///
    /// Memory and lanes are as in [`Spectral::walsh_along`]. In natural order without a polarity it is one pass for all axes.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::{Arithmetic, Spectral};
    /// use ndarray::array;
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let mut x = array![[3, 1, 4, 1], [5, 9, 2, 6]];
    /// spectral.arithmetic_along(&mut x, .., &Arithmetic::new())?; // one function of three variables
    /// assert_eq!(x, array![[3, -2, 1, -1], [2, 6, -4, 1]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpectralError::Axes`] for an axis that the array does not have or that is listed twice; as [`Spectral::arithmetic`] for the
    /// lengths of axes, integers and the device; lanes before the refused one, or whole axes, are transformed then.
    pub fn arithmetic_along<T: Scalar, D: Dimension>(
        &self,
        array: &mut ArrayRef<T, D>,
        axes: impl Into<Axes>,
        how: &Arithmetic,
    ) -> Result<(), SpectralError> {
        self.arithmetic_of_lanes(array.view_mut().into_dyn(), &axes.into(), how)
    }

    /// [`Spectral::arithmetic_along`] of `x`, written to `out`, an array or a view of the same shape.
    ///
    /// # Errors
    /// As [`Spectral::arithmetic_along`]; [`SpectralError::Axes`] where the shapes differ.
    pub fn arithmetic_into<T: Scalar, D: Dimension>(
        &self,
        x: &ArrayRef<T, D>,
        out: &mut ArrayRef<T, D>,
        axes: impl Into<Axes>,
        how: &Arithmetic,
    ) -> Result<(), SpectralError> {
        same_shape(x.shape(), out.shape())?;
        copy(self.device(), x.view().into_dyn(), out.view_mut().into_dyn());
        self.arithmetic_along(out, axes, how)
    }

    #[inline(never)]
    pub(crate) fn arithmetic_of_lanes<T: Scalar>(
        &self,
        array: ArrayViewMutD<'_, T>,
        axes: &Axes,
        how: &Arithmetic,
    ) -> Result<(), SpectralError> {
        self.joined(array, axes, how.joins_axes(), |len| how.for_lanes(len), |x, how| of_lanes(self.arithmetic(x, how)))
    }

    /// The Haar transform along `axes` of an array or a view, of any dimensions and strides, in place. Axes are a number, several
    /// in the order in which they are taken, or `..` for all ([`Axes`]).
    ///
    /// Memory and lanes are as in [`Spectral::walsh_along`]. Along several axes it is the standard decomposition: all of the
    /// lanes along one axis, then all along the next.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_spectral::{Haar, Spectral};
    /// use ndarray::array;
    /// let spectral = Spectral::new(&Device::from_env()?);
    /// let mut image = array![[1.0f32, 2.0], [3.0, 5.0]];
    /// spectral.haar_along(&mut image, [1, 0], &Haar::new())?;
    /// assert_eq!(image, array![[11.0, -3.0], [-5.0, 1.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpectralError::Axes`] for an axis that the array does not have or that is listed twice; as [`Spectral::haar`] for the
    /// lengths of axes, integers and the device; lanes before the refused one, or whole axes, are transformed then.
    pub fn haar_along<T: Scalar, D: Dimension>(
        &self,
        array: &mut ArrayRef<T, D>,
        axes: impl Into<Axes>,
        how: &Haar,
    ) -> Result<(), SpectralError> {
        self.haar_of_lanes(array.view_mut().into_dyn(), &axes.into(), how)
    }

    /// [`Spectral::haar_along`] of `x`, written to `out`, an array or a view of the same shape.
    ///
    /// # Errors
    /// As [`Spectral::haar_along`]; [`SpectralError::Axes`] where the shapes differ.
    pub fn haar_into<T: Scalar, D: Dimension>(
        &self,
        x: &ArrayRef<T, D>,
        out: &mut ArrayRef<T, D>,
        axes: impl Into<Axes>,
        how: &Haar,
    ) -> Result<(), SpectralError> {
        same_shape(x.shape(), out.shape())?;
        copy(self.device(), x.view().into_dyn(), out.view_mut().into_dyn());
        self.haar_along(out, axes, how)
    }

    #[inline(never)]
    pub(crate) fn haar_of_lanes<T: Scalar>(
        &self,
        array: ArrayViewMutD<'_, T>,
        axes: &Axes,
        how: &Haar,
    ) -> Result<(), SpectralError> {
        self.joined(array, axes, false, |len| how.for_lanes::<T>(len), |x, how| of_lanes(self.haar(x, how)))
    }

    /// Transforms along axes, all of which are checked first: by one of all axes together if `join`, else one after the other.
    fn joined<T: crate::Word, H>(
        &self,
        mut array: ArrayViewMutD<'_, T>,
        axes: &Axes,
        join: bool,
        for_lanes: impl Fn(usize) -> Result<H, SpectralError>,
        transform: impl Fn(&mut [T], &H) -> Result<(), SpectralError>,
    ) -> Result<(), SpectralError> {
        let mut axes = axes.of(array.ndim())?;
        let hows = axes.iter().map(|&axis| for_lanes(array.len_of(Axis(axis)))).collect::<Result<Vec<H>, _>>()?;
        if join && !axes.is_empty() {
            // In the order that they have in memory.
            axes.sort_by_key(|&axis| Reverse(array.strides()[axis].unsigned_abs()));
            let how = for_lanes(axes.iter().map(|&axis| array.len_of(Axis(axis))).product())?;
            return in_place_along(self.device(), array, &axes, |lanes| transform(lanes, &how));
        }
        for (axis, how) in axes.into_iter().zip(&hows) {
            in_place_along(self.device(), array.view_mut(), &[axis], |lanes| transform(lanes, how))?;
        }
        Ok(())
    }
}

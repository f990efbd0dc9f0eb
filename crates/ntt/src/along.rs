//! Number-theoretic transforms along axes of arrays: the row-column algorithm, lane by lane in blocks
//! ([`manycore_arrays::in_place_along`]).

use manycore_arrays::{Axes, copy, in_place_along, same_shape};
use ndarray::{ArrayRef, ArrayViewMutD, Axis, Dimension};

use super::{Ntt, NttError, NttField, Way};

impl<F: NttField> Ntt<F> {
    /// Transforms along `axes` of an array or a view of residues, of any dimensions and strides, in place. Axes are a number,
    /// several in the order in which they are taken, or `..` for all ([`Axes`]); the length of each is that of the transform, or
    /// a multiple of it, in runs of that length.
    ///
    /// Along two axes it is the transform of polynomials in two variables. Lanes that fill the array's memory one after the other
    /// are transformed where they lie, as a batch; others go through memory of their own, in blocks.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_ntt::{Kind, Ntt};
    /// use ndarray::array;
    /// let ntt = Ntt::new(&Device::from_env()?, &PrimeField::<u32>::new(17)?, 2, Kind::Cyclic)?;
    /// let mut x = array![[1u32, 2], [3, 4]];
    /// ntt.forward_along(&mut x, 0)?;
    /// assert_eq!(x, array![[4, 6], [15, 15]]);
    /// ntt.inverse_along(&mut x, 0)?;
    /// ntt.forward_along(&mut x, [0, 1])?;
    /// assert_eq!(x, array![[10, 15], [13, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NttError::Axes`] for an axis that the array does not have or that is listed twice; as [`Ntt::forward`] for the lengths
    /// of axes and the device.
    pub fn forward_along<D: Dimension>(
        &self,
        array: &mut ArrayRef<F::Element, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), NttError> {
        self.run_along(array.view_mut().into_dyn(), &axes.into(), Way::Forward)
    }

    /// The inverse of [`Ntt::forward_along`]: takes spectra in the same order.
    ///
    /// # Errors
    /// As [`Ntt::forward_along`].
    pub fn inverse_along<D: Dimension>(
        &self,
        array: &mut ArrayRef<F::Element, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), NttError> {
        self.run_along(array.view_mut().into_dyn(), &axes.into(), Way::Inverse)
    }

    /// [`Ntt::forward_along`] of `x`, written to `out`, an array or a view of the same shape.
    ///
    /// # Errors
    /// As [`Ntt::forward_along`]; [`NttError::Axes`] where the shapes differ.
    pub fn forward_into<D: Dimension>(
        &self,
        x: &ArrayRef<F::Element, D>,
        out: &mut ArrayRef<F::Element, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), NttError> {
        same_shape(x.shape(), out.shape())?;
        copy(self.device(), x.view().into_dyn(), out.view_mut().into_dyn());
        self.forward_along(out, axes)
    }

    /// [`Ntt::inverse_along`] of `x`, written to `out`, an array or a view of the same shape.
    ///
    /// # Errors
    /// As [`Ntt::forward_into`].
    pub fn inverse_into<D: Dimension>(
        &self,
        x: &ArrayRef<F::Element, D>,
        out: &mut ArrayRef<F::Element, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), NttError> {
        same_shape(x.shape(), out.shape())?;
        copy(self.device(), x.view().into_dyn(), out.view_mut().into_dyn());
        self.inverse_along(out, axes)
    }

    #[inline(never)]
    pub(crate) fn run_along(
        &self,
        mut array: ArrayViewMutD<'_, F::Element>,
        axes: &Axes,
        way: Way,
    ) -> Result<(), NttError> {
        let axes = axes.of(array.ndim())?;
        // All of them before the first is done.
        axes.iter().try_for_each(|&axis| self.arrays(array.len_of(Axis(axis))).map(drop))?;
        for axis in axes {
            in_place_along(self.device(), array.view_mut(), &[axis], |lanes| self.run(lanes.into(), way, None))?;
        }
        Ok(())
    }
}

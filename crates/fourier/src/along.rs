//! Fourier transforms along axes of arrays: all axes together as the factors of one group, lane by lane in blocks
//! ([`manycore_arrays::in_place_along`]).

use manycore_arrays::{Axes, copy, in_place_along, same_shape};
use manycore_characters::AbelianGroup;
use ndarray::{ArrayRef, ArrayViewMutD, Axis, Dimension};

use crate::context::Fourier;
use crate::error::FourierError;
use crate::numbers::Numbers;
use crate::transform::{Direction, batch};

impl Fourier {
    /// The spectra of functions on `group` along `axes` of an array or a view, of any dimensions and strides, in place. Axes are a
    /// number, several, or `..` for all ([`Axes`]).
    ///
    /// A lane along the axes, the last one listed being the fastest, holds the values of functions in natural order, one after
    /// the other: of lengths `n_1, n_2` it is a function on `C_(n_1) x C_(n_2)`, and on each group of that order. So a group whose factors
    /// are the lengths of the axes gives the multidimensional transform, and a longer list of factors splits an axis.
    ///
    /// Lanes that fill the array's memory one after the other are transformed where they lie, as a batch; others go through
    /// memory of their own, in blocks.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_fourier::ndarray::array;
    /// use manycore_fourier::{AbelianGroup, Fourier, Residues};
    /// let fourier = Fourier::new(&Device::from_env()?);
    /// let numbers = Residues::new(PrimeField::<u32>::new(7)?);
    /// let mut f = array![[1, 2, 3], [4, 5, 6]];
    /// fourier.forward_along(&AbelianGroup::new(&[2])?, &numbers, &mut f, 0)?; // three functions on C_2
    /// assert_eq!(f, array![[5, 0, 2], [4, 4, 4]]);
    /// fourier.inverse_along(&AbelianGroup::new(&[2])?, &numbers, &mut f, 0)?;
    /// fourier.forward_along(&AbelianGroup::new(&[2, 3])?, &numbers, &mut f, [0, 1])?; // one on C_2 x C_3
    /// assert_eq!((f[[0, 0]], f[[1, 0]]), (0, 5)); // the sum, and the difference of both rows
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FourierError::Axes`] for an axis that the array does not have or that is listed twice; [`FourierError::Length`] where
    /// the product of the axes' lengths is no multiple of the group's order; as [`Fourier::forward`] else.
    pub fn forward_along<N: Numbers, D: Dimension>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        array: &mut ArrayRef<N::Value, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), FourierError> {
        self.run_along(group, numbers, Direction::Forward, array.view_mut().into_dyn(), &axes.into())
    }

    /// The inverse of [`Fourier::forward_along`]: the functions of spectra, divided by the group's order.
    ///
    /// # Errors
    /// As [`Fourier::forward_along`].
    pub fn inverse_along<N: Numbers, D: Dimension>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        array: &mut ArrayRef<N::Value, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), FourierError> {
        self.run_along(group, numbers, Direction::Inverse, array.view_mut().into_dyn(), &axes.into())
    }

    /// [`Fourier::forward_along`] of `x`, written to `out`, an array or a view of the same shape.
    ///
    /// # Errors
    /// As [`Fourier::forward_along`]; [`FourierError::Axes`] where the shapes differ.
    pub fn forward_into<N: Numbers, D: Dimension>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        x: &ArrayRef<N::Value, D>,
        out: &mut ArrayRef<N::Value, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), FourierError> {
        same_shape(x.shape(), out.shape())?;
        copy(self.device(), x.view().into_dyn(), out.view_mut().into_dyn());
        self.forward_along(group, numbers, out, axes)
    }

    /// [`Fourier::inverse_along`] of `x`, written to `out`, an array or a view of the same shape.
    ///
    /// # Errors
    /// As [`Fourier::forward_into`].
    pub fn inverse_into<N: Numbers, D: Dimension>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        x: &ArrayRef<N::Value, D>,
        out: &mut ArrayRef<N::Value, D>,
        axes: impl Into<Axes>,
    ) -> Result<(), FourierError> {
        same_shape(x.shape(), out.shape())?;
        copy(self.device(), x.view().into_dyn(), out.view_mut().into_dyn());
        self.inverse_along(group, numbers, out, axes)
    }

    #[inline(never)]
    pub(crate) fn run_along<N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        direction: Direction,
        array: ArrayViewMutD<'_, N::Value>,
        axes: &Axes,
    ) -> Result<(), FourierError> {
        let axes = axes.of(array.ndim())?;
        let lane: usize = axes.iter().map(|&axis| array.len_of(Axis(axis))).product();
        batch::<N>(group, lane.saturating_mul(N::WORDS))?;
        in_place_along(self.device(), array, &axes, |lanes| {
            let words: &mut [N::Word] = bytemuck::cast_slice_mut(lanes);
            self.transform(group, numbers, direction, words, None).map(drop)
        })
    }
}

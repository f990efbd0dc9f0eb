//! Convolutions and correlations on groups, by transforms.

use manycore_characters::AbelianGroup;
use manycore_device::{Buffer, Executor};

use crate::context::Fourier;
use crate::error::FourierError;
use crate::numbers::Numbers;
use crate::transform::{Direction, batch, device, host};

impl Fourier {
    /// The convolutions `(f * g)(z) = sum_y f(y) g(z - y)` of functions on `group`; one `g` for all functions, or one for each.
    ///
    /// Three transforms and a product: `O(N log N)`. On `C_n` this is the cyclic convolution of length `n`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_fourier::{AbelianGroup, Fourier, Residues};
    /// use manycore_field::PrimeField;
    /// let fourier = Fourier::new(&Device::from_env()?);
    /// let (group, numbers) = (AbelianGroup::new(&[3])?, Residues::new(PrimeField::<u32>::new(13)?));
    /// let (f, g) = (fourier.upload(&numbers, &[1, 2, 3])?, fourier.upload(&numbers, &[0, 1, 0])?);
    /// let shifted = fourier.convolve(&group, &numbers, &f, &g)?;
    /// assert_eq!(fourier.download(&numbers, &shifted)?, [3, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Fourier::forward`]; [`FourierError::Operands`] where `g` has neither one function nor as many as `f`.
    #[inline(never)]
    pub fn convolve<N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        f: &Buffer<N::Word>,
        g: &Buffer<N::Word>,
    ) -> Result<Buffer<N::Word>, FourierError> {
        self.through_spectra(group, numbers, (f, g), false)
    }

    /// The correlations `sum_y conj(f(y)) g(y + z)` of functions on `group`, residues being their own conjugates; one `g` for
    /// all functions, or one for each.
    ///
    /// # Errors
    /// As [`Fourier::convolve`].
    #[inline(never)]
    pub fn correlate<N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        f: &Buffer<N::Word>,
        g: &Buffer<N::Word>,
    ) -> Result<Buffer<N::Word>, FourierError> {
        self.through_spectra(group, numbers, (f, g), true)
    }

    fn through_spectra<N: Numbers>(
        &self,
        group: &AbelianGroup,
        numbers: &N,
        (f, g): (&Buffer<N::Word>, &Buffer<N::Word>),
        correlation: bool,
    ) -> Result<Buffer<N::Word>, FourierError> {
        self.device().same_as(f.device())?;
        self.device().same_as(g.device())?;
        let (left, right) = (batch::<N>(group, f.len())?, batch::<N>(group, g.len())?);
        if right != left && right != 1 {
            return Err(FourierError::Operands { left, right });
        }
        let copy = |from: &Buffer<N::Word>| {
            let mut to = self.device().scratch(from.len())?;
            to.copy_from(from)?;
            Ok::<_, FourierError>(to)
        };
        let (mut result, mut other) = (copy(f)?, copy(g)?);
        // Of residues, the spectrum of f reversed is that with the roots' inverses.
        let reversed = correlation && !N::CONJUGATES;
        let direction = if reversed { Direction::Inverse } else { Direction::Forward };
        self.run(group, numbers, (direction, false), (&mut result).into(), None)?;
        self.forward(group, numbers, &mut other)?;
        self.multiply(numbers, &mut result, &other, correlation && N::CONJUGATES)?;
        self.inverse(group, numbers, &mut result)?;
        Ok(result)
    }

    /// `x[i] y[i]` in place of `x[i]`, with the conjugate of `x[i]` if asked; `y` again and again.
    fn multiply<N: Numbers>(
        &self,
        numbers: &N,
        x: &mut Buffer<N::Word>,
        y: &Buffer<N::Word>,
        conjugate: bool,
    ) -> Result<(), FourierError> {
        if x.is_empty() || y.is_empty() {
            return Ok(());
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                let x: &mut [N::Value] = bytemuck::cast_slice_mut(x.host_mut()?);
                host::multiply(pool, numbers, x, bytemuck::cast_slice(y.host()?), conjugate);
                Ok(())
            }
            Executor::OpenCl(cl) => device::multiply(cl, numbers, x, y, conjugate),
        }
    }
}

//! A polynomial on a device, and the fields of coefficients.

use std::fmt;

use manycore_device::{Buffer, Device, DeviceError, View};
use manycore_files::NpyNumber;
use manycore_ntt::NttField;

use crate::host::ShortPolynomials;

/// Fields whose polynomials have all operations on the host and on devices: [`PrimeField<u32>`](manycore_field::PrimeField),
/// [`PrimeField<u64>`](manycore_field::PrimeField) and [`Goldilocks`](manycore_field::Goldilocks).
pub trait PolyField: NttField<Element: NpyNumber> + ShortPolynomials {}

impl<F: NttField<Element: NpyNumber> + ShortPolynomials> PolyField for F {}

/// A polynomial over a prime field, in the memory of one device: its coefficients, the constant term first, as canonical
/// residues.
///
/// The leading coefficient is not zero, so that [`len`](Self::len) is the degree and one; the zero polynomial has no
/// coefficients. The host knows the length without asking the device. Made and computed with by a
/// [`PolyRing`](crate::PolyRing) of the same field and device.
pub struct Poly<F: PolyField> {
    /// At least `len` words.
    pub(crate) buffer: Buffer<F::Element>,
    pub(crate) len: usize,
    pub(crate) field: F,
}

impl<F: PolyField> fmt::Debug for Poly<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Poly of {} coefficients mod {} on {}", self.len, self.field.order(), self.device().info().id)
    }
}

impl<F: PolyField> Poly<F> {
    /// The number of coefficients up to the leading one: the degree and one, 0 for the zero polynomial.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it is the zero polynomial, which has no coefficients.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether it is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.len == 0
    }

    /// The degree; `None` for the zero polynomial.
    pub fn degree(&self) -> Option<usize> {
        self.len.checked_sub(1)
    }

    /// The device whose memory it is in.
    pub fn device(&self) -> &Device {
        self.buffer.device()
    }

    /// The field of its coefficients.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// Its coefficients, for kernels of one's own.
    ///
    /// # Errors
    /// Never in practice: the range lies in the buffer.
    pub fn view(&self) -> Result<View<'_, F::Element>, DeviceError> {
        self.buffer.view(..self.len)
    }

    /// Its coefficients, where its device is the host.
    pub fn as_host(&self) -> Option<&[F::Element]> {
        self.buffer.as_host().and_then(|words| words.get(..self.len))
    }

    /// Its coefficients, where an operation runs on the host.
    ///
    /// # Errors
    /// [`DeviceError::Elsewhere`], with the place of the call, for a polynomial of an OpenCL device.
    #[track_caller]
    pub(crate) fn host(&self) -> Result<&[F::Element], DeviceError> {
        match self.as_host() {
            Some(words) => Ok(words),
            None => Err(DeviceError::elsewhere()),
        }
    }
}

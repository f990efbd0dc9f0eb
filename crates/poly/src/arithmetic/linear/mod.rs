//! Operations that take time linear in the coefficients: sums, multiples, shifts, reversal, derivative, comparison.
//!
//! Where coefficients can cancel, the leading one is looked for on the device and only its place is read back; all other
//! results have a length that the host knows beforehand.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definitions |
//! | `host` | threads and SIMD |
//! | `device` | OpenCL orchestration |

mod device;
mod host;
pub mod reference;

use manycore_device::{Buffer, DeviceError, Executor, View};
use manycore_ntt::multiply_spectra;

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;
use reference::Elementwise;

impl<F: PolyField> PolyRing<F> {
    /// The polynomial with these coefficients, the constant term first; leading zeros are dropped.
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] with the index of the first that is no residue; [`PolyError::Device`].
    #[inline(never)]
    pub fn poly(&self, coefficients: &[F::Element]) -> Result<Poly<F>, PolyError> {
        self.field().check(coefficients)?;
        let len = reference::stripped_len(self.field(), coefficients);
        Ok(self.exact(self.device().upload(&coefficients[..len])?, len))
    }

    /// The coefficients, the constant term first, up to the leading one.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn coefficients(&self, f: &Poly<F>) -> Result<Vec<F::Element>, PolyError> {
        self.own(f)?;
        Ok(f.view()?.download()?)
    }

    /// Copies the coefficients to `out`, the constant term first, with zeros past the leading one; gives their number.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let mut out = [9; 4];
    /// assert_eq!((ring.coefficients_into(&ring.poly(&[1, 2])?, &mut out)?, out), (2, [1, 2, 0, 0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::MixedRings`]; [`PolyError::Device`], also for an output of fewer values than there are coefficients.
    #[inline(never)]
    pub fn coefficients_into(&self, f: &Poly<F>, out: &mut [F::Element]) -> Result<usize, PolyError> {
        self.own(f)?;
        let given = out.len();
        let len = f.len();
        let (own, rest) =
            out.split_at_mut_checked(len).ok_or(DeviceError::Length { what: "an output", expected: len, given })?;
        f.view()?.read_into(own)?;
        rest.fill(self.field().zero());
        Ok(len)
    }

    /// The polynomial with these coefficients, which lie in a buffer of this ring's device: they are not copied. Leading
    /// zeros are looked for on the device.
    ///
    /// The words must be residues; other ones give results that are not specified.
    ///
    /// # Errors
    /// [`PolyError::Device`] for a buffer of another device.
    #[inline(never)]
    pub fn from_buffer(&self, buffer: Buffer<F::Element>) -> Result<Poly<F>, PolyError> {
        self.device().same_as(buffer.device())?;
        let len = buffer.len();
        self.stripped(buffer, len)
    }

    /// The zero polynomial.
    ///
    /// # Errors
    /// [`PolyError::Device`] when the device fails.
    pub fn zero(&self) -> Result<Poly<F>, PolyError> {
        Ok(self.exact(self.device().scratch(0)?, 0))
    }

    /// The constant 1.
    ///
    /// # Errors
    /// [`PolyError::Device`] when the device fails.
    pub fn one(&self) -> Result<Poly<F>, PolyError> {
        self.constant(self.field().one())
    }

    /// A constant.
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] for a word that is no residue; [`PolyError::Device`].
    pub fn constant(&self, c: F::Element) -> Result<Poly<F>, PolyError> {
        self.poly(&[c])
    }

    /// `x^k`.
    ///
    /// # Errors
    /// [`PolyError::TooLong`]; [`PolyError::Device`] for too little memory.
    #[inline(never)]
    pub fn monomial(&self, k: usize) -> Result<Poly<F>, PolyError> {
        self.shift_up(&self.one()?, k)
    }

    /// A copy, which the device makes.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn copy(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.shift_up(f, 0)
    }

    /// The coefficient of `x^index`, zero past the degree: one word is read from the device.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    pub fn coefficient(&self, f: &Poly<F>, index: usize) -> Result<F::Element, PolyError> {
        self.own(f)?;
        if index >= f.len {
            return Ok(self.field().zero());
        }
        let mut word = [self.field().zero()];
        f.buffer.view(index..=index)?.read_into(&mut word)?;
        Ok(word[0])
    }

    /// The leading coefficient; `None` for the zero polynomial.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn leading(&self, f: &Poly<F>) -> Result<Option<F::Element>, PolyError> {
        f.degree().map(|degree| self.coefficient(f, degree)).transpose()
    }

    /// Whether two polynomials are equal: compared on the device.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn equal(&self, f: &Poly<F>, g: &Poly<F>) -> Result<bool, PolyError> {
        self.own(f)?;
        self.own(g)?;
        if f.len != g.len || f.len == 0 {
            return Ok(f.len == g.len);
        }
        match self.device().executor() {
            Executor::Host(_) => Ok(f.host()? == g.host()?),
            Executor::OpenCl(cl) => Ok(!device::differ(self, cl, f, g)?),
        }
    }

    /// `f + g`.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn add(&self, f: &Poly<F>, g: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.sum(f, g, Elementwise::Add)
    }

    /// `f - g`.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn sub(&self, f: &Poly<F>, g: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.sum(f, g, Elementwise::Subtract)
    }

    fn sum(&self, f: &Poly<F>, g: &Poly<F>, operation: Elementwise<F::Element>) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.own(g)?;
        let len = f.len.max(g.len);
        let sum = self.elementwise(operation, f, g, len)?;
        // Leading coefficients cancel only where both have the same degree.
        if f.len == g.len { self.stripped(sum, len) } else { Ok(self.exact(sum, len)) }
    }

    /// `-f`.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn neg(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        Ok(self.exact(self.elementwise(Elementwise::Negate, f, f, f.len)?, f.len))
    }

    /// `c f` for a constant `c`.
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] for a word that is no residue; [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn scale(&self, f: &Poly<F>, c: F::Element) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.field().check(&[c])?;
        if c == self.field().zero() {
            return self.zero();
        }
        Ok(self.exact(self.elementwise(Elementwise::Scale(c), f, f, f.len)?, f.len))
    }

    /// `x^k f`.
    ///
    /// # Errors
    /// [`PolyError::TooLong`]; [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn shift_up(&self, f: &Poly<F>, k: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        if f.len == 0 {
            return self.zero();
        }
        let len = f.len.checked_add(k).ok_or(PolyError::TooLong { what: "a shifted polynomial" })?;
        let mut shifted = self.device().scratch(len)?;
        shifted.view_mut(..k)?.fill(self.field().zero())?;
        shifted.view_mut(k..)?.copy_from(f.view()?)?;
        Ok(self.exact(shifted, len))
    }

    /// `f` over `x^k` without the remainder: the lowest `k` coefficients are dropped.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn shift_down(&self, f: &Poly<F>, k: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        let len = f.len.saturating_sub(k);
        let mut shifted = self.device().scratch(len)?;
        if len > 0 {
            shifted.view_mut(..)?.copy_from(f.buffer.view(k..f.len)?)?;
        }
        Ok(self.exact(shifted, len))
    }

    /// `f mod x^n`: the lowest `n` coefficients.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn truncate(&self, f: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        let len = f.len.min(n);
        let mut low = self.device().scratch(len)?;
        if len > 0 {
            low.view_mut(..)?.copy_from(f.buffer.view(..len)?)?;
        }
        if len == f.len { Ok(self.exact(low, len)) } else { self.stripped(low, len) }
    }

    /// `x^degree f(1/x)`: the coefficients in reversed order, of a polynomial that counts as one of the given formal degree.
    ///
    /// # Errors
    /// [`PolyError::Degree`] for a formal degree below that of `f`; [`PolyError::TooLong`]; [`PolyError::MixedRings`] and
    /// [`PolyError::Device`].
    #[inline(never)]
    pub fn reverse(&self, f: &Poly<F>, degree: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        let len = degree.checked_add(1).ok_or(PolyError::TooLong { what: "a reversed polynomial" })?;
        if f.len > len {
            return Err(PolyError::Degree { len: f.len, degree });
        }
        if f.len == 0 {
            return self.zero();
        }
        let reversed = self.elementwise(Elementwise::Reverse, f, f, len)?;
        self.stripped(reversed, len)
    }

    /// The derivative.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn derivative(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        let Some(len) = f.degree().filter(|&degree| degree > 0) else {
            return self.zero();
        };
        let derivative = self.elementwise(Elementwise::Derivative, f, f, len)?;
        // The leading coefficient is multiplied by the degree.
        if (len as u64).is_multiple_of(self.field().order()) {
            self.stripped(derivative, len)
        } else {
            Ok(self.exact(derivative, len))
        }
    }

    /// A polynomial of at most `len` coefficients, each uniform over the field and independent of the others: all
    /// polynomials of degree below `len` are equally likely.
    ///
    /// Coefficient `i` depends on `seed` and `i` alone, and is the same on every device: `SplitMix64`, cut to the
    /// bits of the modulus, until a number below the modulus comes. Not for cryptography.
    ///
    /// # Errors
    /// [`PolyError::Device`] for too little memory.
    #[inline(never)]
    pub fn random(&self, len: usize, seed: u64) -> Result<Poly<F>, PolyError> {
        let mut buffer = self.device().scratch(len)?;
        self.fill_random(&mut buffer, seed)?;
        // The host finds the leading coefficient without the device.
        let field = self.field();
        let exact = (0..len).rev().find(|&i| reference::random(field, seed, i as u64) != field.zero());
        Ok(self.exact(buffer, exact.map_or(0, |i| i + 1)))
    }

    /// Fills a buffer with the coefficients of [`PolyRing::random`].
    pub(crate) fn fill_random(&self, buffer: &mut Buffer<F::Element>, seed: u64) -> Result<(), PolyError> {
        match self.device().executor() {
            Executor::Host(pool) => {
                host::random(self.field(), pool, buffer.host_mut()?, seed);
                Ok(())
            }
            Executor::OpenCl(cl) => device::random(self, cl, buffer, seed),
        }
    }

    /// The first `len` words with the other sign.
    pub(crate) fn negated(&self, words: &Buffer<F::Element>, len: usize) -> Result<Buffer<F::Element>, PolyError> {
        let mut copy = self.device().scratch(len)?;
        copy.view_mut(..)?.copy_from(words.view(..len)?)?;
        let words = self.exact(copy, len);
        self.elementwise(Elementwise::Negate, &words, &words, len)
    }

    /// Products of words one by one, `x[i] y[i]` for `i < x.len()`, of which `y` has as many.
    pub(crate) fn hadamard(
        &self,
        x: View<'_, F::Element>,
        y: View<'_, F::Element>,
    ) -> Result<Buffer<F::Element>, PolyError> {
        let len = x.len();
        let mut product = self.device().scratch(len)?;
        match self.device().executor() {
            Executor::Host(pool) => host::hadamard(self.field(), pool, x.host()?, y.host()?, product.host_mut()?),
            Executor::OpenCl(cl) => {
                let mut both = self.device().scratch(2 * len)?;
                both.view_mut(..len)?.copy_from(x)?;
                both.view_mut(len..)?.copy_from(y)?;
                let by = (self.field(), self.arithmetic());
                // As one row.
                let log_len = len.next_power_of_two().ilog2();
                multiply_spectra((self.planner(), cl), by, &both, (1, log_len), &mut product)?;
            }
        }
        Ok(product)
    }

    /// All coefficients in reversed order, whatever they are.
    pub(crate) fn reverse_words(&self, words: &Poly<F>) -> Result<Buffer<F::Element>, PolyError> {
        self.elementwise(Elementwise::Reverse, words, words, words.len)
    }

    /// `len` coefficients of an operation on `f` and `g`.
    fn elementwise(
        &self,
        operation: Elementwise<F::Element>,
        f: &Poly<F>,
        g: &Poly<F>,
        len: usize,
    ) -> Result<Buffer<F::Element>, PolyError> {
        let mut out = self.device().scratch(len)?;
        match self.device().executor() {
            Executor::Host(pool) => {
                host::elementwise(self.field(), pool, operation, f.host()?, g.host()?, out.host_mut()?);
            }
            Executor::OpenCl(cl) => device::elementwise(self, cl, operation, f, g, &mut out)?,
        }
        Ok(out)
    }

    /// The polynomial of the first `len` words of a buffer, whose leading coefficients may be zero.
    pub(crate) fn stripped(&self, buffer: Buffer<F::Element>, len: usize) -> Result<Poly<F>, PolyError> {
        let exact = match self.device().executor() {
            Executor::Host(_) => reference::stripped_len(self.field(), &buffer.host()?[..len]),
            Executor::OpenCl(cl) => device::stripped_len(self, cl, &buffer, len)?,
        };
        Ok(self.exact(buffer, exact))
    }
}

//! Checking values of a polynomial at points on the host, by a quotient and a remainder at a random point of an extension.

use manycore_device::{Buffer, Device};
use manycore_verify::product::values;
use manycore_verify::{Passed, SplitMix};

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// Whether `f` has these values at these points, which may be repeated: right values always pass, wrong ones with a chance
    /// below `2^-64` over the choice of `seed`. Found out on the host, whatever the device, by [`PolyRing::check_values`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let f = ring.poly(&[4, 3, 2, 1])?;
    /// let points = ring.device().upload(&[1, 2, 3])?;
    /// assert!(ring.verify_values(&f, &points, &ring.device().upload(&[10, 26, 58])?, 1)?);
    /// assert!(!ring.verify_values(&f, &points, &ring.device().upload(&[10, 26, 59])?, 1)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::Values`] for lists of different lengths; [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn verify_values(
        &self,
        f: &Poly<F>,
        points: &Buffer<F::Element>,
        values: &Buffer<F::Element>,
        seed: u64,
    ) -> Result<bool, PolyError> {
        if points.len() != values.len() {
            return Err(PolyError::Values { points: points.len(), values: values.len() });
        }
        let (f, points, values) = (self.coefficients(f)?, points.download()?, values.download()?);
        match self.check_values(&f, &points, &values, seed) {
            Ok(_) => Ok(true),
            Err(PolyError::Check(error)) if error.is_wrong() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The check of [`PolyRing::verify_values`], of coefficients, points and values on the host: it returns its method and the chance that
    /// wrong values pass. About a third of an evaluation on the host: a product of `x - u` over the points, a product with its derivative,
    /// and a division, none of which is trusted ([`values::check`]).
    ///
    /// # Errors
    /// [`PolyError::Check`] for wrong values ([`is_wrong`](manycore_verify::CheckError::is_wrong)), and where the check could not be made.
    #[inline(never)]
    pub fn check_values(
        &self,
        f: &[F::Element],
        points: &[F::Element],
        values: &[F::Element],
        seed: u64,
    ) -> Result<Passed, PolyError> {
        let host = PolyRing::new(&Device::host(), self.field().clone())?;
        let mut polynomial = None;
        let witness = |points: &[F::Element]| -> Result<values::Witness<F::Element>, PolyError> {
            let f = match polynomial.take() {
                Some(f) => f,
                None => host.poly(f)?,
            };
            let product = host.tree_product(&host.tree(points)?)?;
            let numerator = host.mul(&f, &host.derivative(&product)?)?;
            let (quotient, remainder) = host.div_rem(&numerator, &product)?;
            polynomial = Some(f);
            Ok((host.coefficients(&quotient)?, host.coefficients(&remainder)?))
        };
        values::check(self.field().order(), f, points, values, witness, &mut SplitMix::new(seed))
    }
}

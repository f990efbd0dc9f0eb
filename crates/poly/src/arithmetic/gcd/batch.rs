//! Greatest common divisors of many pairs at once.

use manycore_device::{Executor, OpenCl};

use super::plan::GcdShape;
use super::{GcdPlan, device, host};
use crate::arithmetic::multiply::Batch;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// The monic greatest common divisors of many pairs, side by side on a device.
#[derive(Debug)]
pub struct GcdBatch<F: PolyField> {
    divisors: Batch<F>,
    lens: Vec<usize>,
}

impl<F: PolyField> GcdBatch<F> {
    /// The divisors, each in as many coefficients as the longer formal length of a pair, with zeros past its own.
    pub fn divisors(&self) -> &Batch<F> {
        &self.divisors
    }

    /// Of each divisor the number of coefficients: the degree and one, 0 where both polynomials are zero.
    pub fn lens(&self) -> &[usize] {
        &self.lens
    }
}

impl<F: PolyField> PolyRing<F> {
    /// The monic greatest common divisor of each polynomial of `f` with that of `g` at the same place; zero where both are
    /// zero. Leading zeros are allowed. On devices a launch for all where a pair fits local memory; on the host over threads.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.batch(&[6, 0, 1, /* x^2 - 1 */ 0, 0, 0, /* 0 */ 0, 3, 0 /* 3 x */], 3, 3)?;
    /// let g = ring.batch(&[1, 2, 1, /* (x + 1)^2 */ 2, 4, 0, /* 4 x + 2 */ 1, 0, 1 /* x^2 + 1 */], 3, 3)?;
    /// let gcds = ring.gcd_batch(&f, &g)?;
    /// assert_eq!(gcds.lens(), [2, 2, 1]);
    /// assert_eq!(gcds.divisors().buffer().download()?, [1, 1, 0, 4, 1, 0, 1, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::Batch`] for batches of different counts; [`PolyError::TooLong`]; as [`PolyRing::gcd`].
    #[inline(never)]
    pub fn gcd_batch(&self, f: &Batch<F>, g: &Batch<F>) -> Result<GcdBatch<F>, PolyError> {
        self.gcd_batch_by(f, g, None)
    }

    /// The greatest common divisors by `plan`, if one is given; pairs are done one by one except with [`GcdPlan::Local`] on OpenCL devices
    /// and [`GcdPlan::Euclid`] on the host.
    ///
    /// # Errors
    /// As [`PolyRing::gcd_batch`] and [`PolyRing::gcd_by`].
    #[inline(never)]
    pub fn gcd_batch_by(&self, f: &Batch<F>, g: &Batch<F>, plan: Option<&GcdPlan>) -> Result<GcdBatch<F>, PolyError> {
        let shape = GcdShape { count: f.count(), n: f.len(), m: g.len() };
        self.same_batches(f, g)?;
        let too_long = PolyError::TooLong { what: "a batch of greatest common divisors" };
        let words = shape.count.checked_mul(shape.longest()).ok_or(too_long)?;
        match self.device().executor() {
            Executor::Host(pool) => {
                let plan = match plan {
                    Some(plan) => plan,
                    None if words == 0 => &GcdPlan::Euclid,
                    None => return self.by_gcd_plan(&shape, |plan| self.gcd_batch_by(f, g, Some(plan))),
                };
                self.gcd_on_host(plan)?;
                if *plan != GcdPlan::Euclid {
                    return self.gcds_one_by_one(&shape, f, g, plan);
                }
                let mut out = self.device().scratch(words)?;
                let (a, b) = (f.buffer().host()?, g.buffer().host()?);
                let lens = host::batch(self.field(), (pool, self.machine()), &shape, a, b, out.host_mut()?);
                let lens = lens.into_iter().map(|len| len as usize).collect();
                Ok(GcdBatch { divisors: self.batch_in(out, shape.count, shape.longest()), lens })
            }
            Executor::OpenCl(cl) => self.gcd_batch_on_device(cl, &shape, f, g, plan),
        }
    }

    fn gcd_batch_on_device(
        &self,
        cl: &OpenCl,
        shape: &GcdShape,
        f: &Batch<F>,
        g: &Batch<F>,
        plan: Option<&GcdPlan>,
    ) -> Result<GcdBatch<F>, PolyError> {
        if shape.count == 0 || shape.longest() == 0 {
            let divisors = self.batch_in(self.device().scratch(0)?, shape.count, shape.longest());
            return Ok(GcdBatch { divisors, lens: vec![0; shape.count] });
        }
        let Some(plan) = plan else {
            return self.by_gcd_plan(shape, |plan| self.gcd_batch_on_device(cl, shape, f, g, Some(plan)));
        };
        if let GcdPlan::Local(packing) = plan {
            let (out, lens) = device::local(self, cl, shape, f.buffer(), g.buffer(), *packing)?;
            return Ok(GcdBatch { divisors: self.batch_in(out, shape.count, shape.longest()), lens });
        }
        self.gcds_one_by_one(shape, f, g, plan)
    }

    fn gcds_one_by_one(
        &self,
        shape: &GcdShape,
        f: &Batch<F>,
        g: &Batch<F>,
        plan: &GcdPlan,
    ) -> Result<GcdBatch<F>, PolyError> {
        let row = shape.longest();
        let mut out = self.device().scratch(shape.count * row)?;
        out.fill(self.field().zero())?;
        let mut lens = Vec::with_capacity(shape.count);
        let polynomial = |batch: &Batch<F>, index: usize| -> Result<Poly<F>, PolyError> {
            let mut own = self.device().scratch(batch.len())?;
            own.view_mut(..)?.copy_from(batch.buffer().view(index * batch.len()..(index + 1) * batch.len())?)?;
            self.stripped(own, batch.len())
        };
        for index in 0..shape.count {
            let divisor = self.gcd_by(&polynomial(f, index)?, &polynomial(g, index)?, plan)?;
            if !divisor.is_zero() {
                out.view_mut(index * row..index * row + divisor.len())?.copy_from(divisor.view()?)?;
            }
            lens.push(divisor.len());
        }
        Ok(GcdBatch { divisors: self.batch_in(out, shape.count, row), lens })
    }
}

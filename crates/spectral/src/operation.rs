//! Transforms in place, as the planner sees them: what is measured is the transform of zeros.

use std::marker::PhantomData;

use manycore_device::{Buffer, Device, Word};
use manycore_tuning::{Costed, Operation, PlanOf, Proof, proof};

use crate::error::SpectralError;
use crate::walsh::cost::Arrays;

/// A transform in place of arrays of words `T`, by what `run` does with a buffer and a plan, and `on_host` with a buffer of the host.
pub(crate) struct OfZeros<'a, T, C, R, H> {
    device: &'a Device,
    family: String,
    costs: C,
    run: R,
    on_host: H,
    word: PhantomData<T>,
}

impl<'a, T, C, R, H> OfZeros<'a, T, C, R, H> {
    /// With the beginning of the choice's key, and the plans with their costs.
    pub(crate) fn new(device: &'a Device, family: String, costs: C, run: R, on_host: H) -> Self {
        Self { device, family, costs, run, on_host, word: PhantomData }
    }
}

impl<T, C, R, H> Operation for OfZeros<'_, T, C, R, H>
where
    T: Word,
    C: Costed<Size = Arrays>,
    R: Fn(&mut Buffer<T>, &C::Parameters) -> Result<(), SpectralError>,
    H: Fn(&mut Buffer<T>) -> Result<(), SpectralError>,
{
    type Costs = C;
    type Trial = Buffer<T>;
    type Error = SpectralError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &C {
        &self.costs
    }

    fn family(&self, _: &Arrays) -> String {
        self.family.clone()
    }

    fn sizes(&self, arrays: &Arrays) -> Vec<usize> {
        vec![1 << arrays.log_len]
    }

    fn arrays(&self, arrays: &Arrays) -> usize {
        arrays.count
    }

    fn trial(&self, arrays: &Arrays) -> Result<Buffer<T>, SpectralError> {
        Ok(self.device.zeros(arrays.values() as usize)?)
    }

    fn try_plan(&self, _: &Arrays, x: &mut Buffer<T>, plan: &PlanOf<Self>) -> Result<(), SpectralError> {
        (self.run)(x, plan)
    }

    /// Numbers are whole, so that both give the same bits.
    fn proof(&self, arrays: &Arrays, plan: &PlanOf<Self>) -> Result<Proof, SpectralError> {
        let arrays = Arrays { count: proof::few(arrays.count, 1 << arrays.log_len), ..*arrays };
        let words = arrays.values();
        if !proof::is_small(words, words.saturating_mul(u64::from(arrays.log_len))) {
            return Ok(Proof::TooLarge);
        }
        let values = proof::known_words::<T>(words as usize, u64::from(arrays.log_len));
        let (mut expected, mut x) = (proof::host().upload(&values)?, self.device.upload(&values)?);
        (self.on_host)(&mut expected)?;
        (self.run)(&mut x, plan)?;
        Ok(Proof::of_words(&x.download()?, &expected.download()?))
    }
}

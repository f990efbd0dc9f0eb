//! Transforms in place, as the planner sees them: what is measured is the transform of zeros.

use std::marker::PhantomData;

use manycore_device::{Buffer, Device, Word};
use manycore_tuning::{Costed, Operation, PlanOf};

use crate::walsh::SpectralError;
use crate::walsh::cost::Arrays;

/// A transform in place of arrays of words `T`, by what `run` does with a buffer and a plan.
pub(crate) struct OfZeros<'a, T, C, R> {
    device: &'a Device,
    family: String,
    costs: C,
    run: R,
    word: PhantomData<T>,
}

impl<'a, T, C, R> OfZeros<'a, T, C, R> {
    /// With the beginning of the choice's key, and the plans with their costs.
    pub(crate) fn new(device: &'a Device, family: String, costs: C, run: R) -> Self {
        Self { device, family, costs, run, word: PhantomData }
    }
}

impl<T, C, R> Operation for OfZeros<'_, T, C, R>
where
    T: Word,
    C: Costed<Size = Arrays>,
    R: Fn(&mut Buffer<T>, &C::Parameters) -> Result<(), SpectralError>,
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
}

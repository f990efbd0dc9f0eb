//! The context of all computations on one device.

use std::fmt;
use std::sync::Arc;

use manycore_device::{Defines, Device, DeviceError, Kernel, KernelSpec, OpenCl};
use manycore_model::Machine;
use manycore_tuning::{Planner, Plans};

use crate::sbox::cost::{Bits, Counters, Rows};
use crate::transforms::Transforms;

/// A context of Boolean functions and S-boxes on one device: a planner, and caches of kernels and choices.
///
/// | what | of a function | of an S-box |
/// |---|---|---|
/// | all at once | [`Boolean::properties`] | [`Boolean::linear_summary`], [`Boolean::difference_summary`] |
/// | tables | [`Boolean::walsh`], [`Boolean::autocorrelation`], [`Boolean::anf`] | [`Boolean::linear_table`], [`Boolean::difference_table`], [`Boolean::boomerang_table`] |
pub struct Boolean {
    pub(crate) transforms: Transforms,
    pub(crate) linear_plans: Plans<Bits, Rows>,
    pub(crate) difference_plans: Plans<Bits, Counters>,
    planner: Planner,
}

impl fmt::Debug for Boolean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Boolean").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Boolean {
    /// A context of `device`, which plans for the device's machine (the calibrated one where there is one) and in the device's
    /// mode ([`Device::tuning`]). Kernels are built when they are first needed.
    pub fn new(device: &Device) -> Self {
        Self::of(Transforms::new(device), Planner::new(device))
    }

    /// A context of `device`, which plans by the estimate for `machine` alone.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self::of(Transforms::with_machine(device, machine.clone()), Planner::with_machine(device, machine))
    }

    fn of(transforms: Transforms, planner: Planner) -> Self {
        Self { transforms, linear_plans: Plans::default(), difference_plans: Plans::default(), planner }
    }

    /// The machine that it plans for.
    pub fn machine(&self) -> &Machine {
        self.planner.machine()
    }

    /// The device that computes.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    pub(crate) fn planner(&self) -> &Planner {
        &self.planner
    }

    pub(crate) fn kernel(
        &self,
        cl: &OpenCl,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<Arc<Kernel>, DeviceError> {
        self.planner.kernel(cl, spec, defines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_is_told_plans_transforms_too() {
        let device = Device::host();
        let machine = Machine { name: "another one".into(), ..device.machine() };
        let boolean = Boolean::with_machine(&device, machine.clone());
        assert_eq!((boolean.machine(), boolean.transforms.machine()), (&machine, &machine));
        let usual = Boolean::new(&device);
        assert_eq!((usual.machine(), usual.transforms.machine()), (&device.machine(), &device.machine()));
    }
}

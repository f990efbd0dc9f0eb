//! The context of all computations on one device.

use std::fmt;
use std::sync::Arc;

use manycore_device::{Context, Defines, Device, DeviceError, DeviceKind, Kernel, KernelSpec, OpenCl};
use manycore_model::Machine;

use crate::transforms::Transforms;

/// What computes with Boolean functions and S-boxes on one device: keeps the kernels that it has built.
///
/// | what | of a function | of an S-box |
/// |---|---|---|
/// | all at once | [`Boolean::properties`] | [`Boolean::linear_summary`], [`Boolean::difference_summary`] |
/// | tables | [`Boolean::walsh`], [`Boolean::autocorrelation`], [`Boolean::anf`] | [`Boolean::linear_table`], [`Boolean::difference_table`] |
pub struct Boolean {
    pub(crate) transforms: Transforms,
    context: Context,
}

impl fmt::Debug for Boolean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Boolean").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Boolean {
    /// A context of `device`, that chooses by the device's machine: the calibrated one if there is one. Kernels are built
    /// when they are first needed.
    pub fn new(device: &Device) -> Self {
        Self::with_machine(device, device.machine())
    }

    /// The same, choosing how tables are cut as if the device were `machine`.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self { transforms: Transforms::new(device), context: Context::with_machine(device, machine) }
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        self.context.machine()
    }

    /// The device that it computes on.
    pub fn device(&self) -> &Device {
        self.context.device()
    }

    pub(crate) fn kernel(
        &self,
        cl: &OpenCl,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<Arc<Kernel>, DeviceError> {
        self.context.kernel(cl, spec, defines)
    }
}

/// Items of a group: a power of two.
pub(crate) fn group_items(cl: &OpenCl, on_gpu: usize) -> usize {
    let wanted = if cl.info().kind == DeviceKind::Gpu { on_gpu } else { 64 };
    1 << wanted.min(cl.info().group_limit).max(1).ilog2()
}

/// Groups that stride over the work of a launch: several for each compute unit.
pub(crate) fn most_groups(cl: &OpenCl) -> usize {
    16 * cl.info().compute_units.max(1) as usize
}

//! The context of all transforms on one device.

use std::fmt;

use manycore_device::Device;
use manycore_model::Machine;
use manycore_tuning::{Planner, Plans};

use crate::transform::cost::Shape;
use crate::transform::plan::Plan;

/// Kronecker transforms on one device, with a cache of the kernels that it has built and of the plans that it has
/// chosen.
///
/// See [`Kronecker::forward`] and [`Kronecker::transform`].
///
/// ```
/// use manycore_device::Device;
/// use manycore_kronecker::{Integers, Kronecker, parse};
/// let kronecker = Kronecker::new(&Device::host());
/// let choice = kronecker.explain(&parse(&Integers::<i32>::new(), "walsh^16")?, 1)?;
/// println!("{choice}"); // candidates, their estimates, and the origin of the choice
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Kronecker {
    planner: Planner,
    pub(crate) plans: Plans<Shape, Plan>,
}

impl fmt::Debug for Kronecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kronecker").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Kronecker {
    /// A context of `device` that plans for the device's machine (the calibrated one where there is one) in the
    /// device's tuning mode ([`Device::tuning`]): by default a known choice is taken, else the best estimate, and
    /// nothing is measured. Kernels are built at their first use.
    ///
    /// A choice never changes a result: of floating-point transforms only plans that do the same factors in the same
    /// passes stand for each other, and other rings are exact in every plan.
    pub fn new(device: &Device) -> Self {
        Self { planner: Planner::new(device), plans: Plans::default() }
    }

    /// A context that plans for `machine` instead of the device's own, by estimates alone; it measures, reads and keeps
    /// nothing.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self { planner: Planner::with_machine(device, machine), plans: Plans::default() }
    }

    /// The device that computes.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The machine that transforms are planned for.
    pub fn machine(&self) -> &Machine {
        self.planner.machine()
    }

    pub(crate) fn planner(&self) -> &Planner {
        &self.planner
    }

    pub(crate) fn on_host(&self) -> bool {
        self.planner.on_host()
    }
}

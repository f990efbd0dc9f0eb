//! The context of all transforms on one device.

use std::fmt;

use manycore_device::{Context, Device};
use manycore_model::{Machine, Refinement};

/// What does Kronecker transforms on one device: keeps built kernels.
///
/// See [`Kronecker::forward`] and [`Kronecker::transform`].
pub struct Kronecker {
    context: Context,
}

impl fmt::Debug for Kronecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kronecker").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Kronecker {
    /// A context of `device`, that chooses by the device's machine: the calibrated one if there is one. Kernels are built
    /// when they are first needed.
    ///
    /// On a CPU through OpenCL the choice is refined as by [`Kronecker::measuring`] with the default [`Refinement`], and what
    /// was measured is kept in the folder of calibrations for later processes. It is never an error that nothing can be kept.
    pub fn new(device: &Device) -> Self {
        Self { context: Context::new(device) }
    }

    /// A context that chooses as if the device were `machine`, by prediction alone; it reads and keeps no measurements.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self { context: Context::with_machine(device, machine) }
    }

    /// The same context, that measures a few candidates at the first transform of a product and takes the fastest, or with
    /// `None` goes by the model alone.
    ///
    /// Of floating-point numbers only those plans are compared that do the same factors in the same passes, which give the
    /// same bits; others are exact. Numbers of vectors with the same power of two share a measurement.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_kronecker::{Integers, Kronecker, parse};
    /// use manycore_model::Refinement;
    /// let kronecker = Kronecker::new(&Device::host()).measuring(Refinement { most: 2, ..Refinement::default() });
    /// let choice = kronecker.explain(&parse(&Integers::<i32>::new(), "walsh^16")?, 1)?;
    /// assert!(choice.best().measured_seconds.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn measuring(self, refinement: impl Into<Option<Refinement>>) -> Self {
        Self { context: self.context.measuring(refinement.into()) }
    }

    /// How far choices are refined by measurements; `None` where they are not.
    pub fn refinement(&self) -> Option<Refinement> {
        self.context.refinement()
    }

    /// The device that it computes on.
    pub fn device(&self) -> &Device {
        self.context.device()
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        self.context.machine()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn on_host(&self) -> bool {
        self.context.on_host()
    }
}

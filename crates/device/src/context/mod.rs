//! What a context of operations keeps of its device: the machine to choose for, the kernels built, measurements.
//!
//! | file | what |
//! |---|---|
//! | `kept` | things made at their first use |
//! | `limits` | the tiles that the device's kernels can be built with |
//! | `refine` | choices refined by measurements on the device |
//! | `standard` | prices corrected by standard passes |
//! | `timing` | one such measurement |

mod kept;
mod limits;
mod refine;
mod standard;
pub(crate) mod timing;

use std::sync::Arc;

use manycore_model::{Machine, Refinement};

pub use kept::Kept;
pub use limits::Limits;
pub use refine::{Task, is_lottery, usual_refinement};
pub use standard::{fitted_slowdown, least_seconds};
pub use timing::{sample, seconds, seconds_as_enqueued};

use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::opencl::OpenCl;
use crate::opencl::kernel::{Kernel, KernelSpec};
use crate::opencl::program::Defines;
use refine::Refiner;

/// A device, the machine that choices are made for, and what was built and measured so far: the floor under the contexts of
/// operations, such as spectral or number-theoretic transforms.
#[derive(Debug)]
pub struct Context {
    device: Device,
    machine: Machine,
    kernels: Kept<(usize, Defines), Kernel>,
    refiner: Refiner,
}

impl Context {
    /// A context for `device`, that chooses by the device's machine: the calibrated one if there is one. Kernels are built
    /// when they are first needed.
    ///
    /// On a CPU through OpenCL choices are refined as by [`Context::measuring`] with the default [`Refinement`], and what was
    /// measured is kept in the folder of calibrations for later processes. It is never an error that nothing can be kept.
    pub fn new(device: &Device) -> Self {
        Self { refiner: Refiner::usual(device), ..Self::with_machine(device, device.machine()) }
    }

    /// A context that chooses as if the device were `machine`, by prediction alone; it reads and keeps no measurements.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self { device: device.clone(), machine, kernels: Kept::default(), refiner: Refiner::none() }
    }

    /// The same context with choices refined by measurements of a few candidates, or with `None` by the model alone.
    #[must_use]
    pub fn measuring(self, refinement: Option<Refinement>) -> Self {
        Self { refiner: self.refiner.with(refinement), ..self }
    }

    /// The same context with the prices of operations corrected by standard passes where that is usual ([`is_lottery`]).
    #[must_use]
    pub fn correcting(mut self) -> Self {
        self.refiner.corrects = is_lottery(&self.device);
        self
    }

    /// How far choices are refined by measurements; `None` where they are not.
    pub fn refinement(&self) -> Option<Refinement> {
        self.refiner.how
    }

    /// Whether prices are corrected by standard passes.
    pub fn corrects(&self) -> bool {
        self.refiner.corrects
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The device that it computes on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Whether the device is the host.
    pub fn on_host(&self) -> bool {
        matches!(self.device.executor(), Executor::Host(_))
    }

    /// A kernel with these defines: built at its first use, then kept.
    ///
    /// # Errors
    /// If it does not build.
    pub fn kernel(&self, cl: &OpenCl, spec: &'static KernelSpec, defines: Defines) -> Result<Arc<Kernel>, DeviceError> {
        // Two units may have entries of the same name.
        self.kernels.get((std::ptr::from_ref(spec).addr(), defines), |(_, defines)| cl.kernel(spec, defines))
    }

    /// Measures the candidates of a choice, or takes what was measured before; `run` does the work of one candidate once.
    /// Tells whether this was the last word: not where another thread measures just now, and the prediction has to do. A
    /// candidate that fails is not measured: the operation itself will tell the error.
    pub fn refine<P: std::fmt::Display, E: From<DeviceError>>(
        &self,
        task: Task<'_, P, impl Fn(&P, &P) -> bool>,
        run: impl FnMut(&P) -> Result<(), E>,
    ) -> bool {
        self.refiner.refine(&self.device, task, run)
    }
}

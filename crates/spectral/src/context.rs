//! The context of spectral transforms.

use manycore_device::{Cache, Device};
use manycore_model::Machine;
use manycore_tuning::{Planner, Plans};

use crate::haar::cost::{HaarPlan, OnDevice as HaarOnDevice};
use crate::walsh::cost::{Arrays, OnDevice, OnHost, Plan};

/// Spectral transforms on one device, with a cache of the kernels that it has built and of the plans that it has
/// chosen.
///
/// ```
/// use manycore_device::Device;
/// use manycore_spectral::{Spectral, Walsh};
/// let spectral = Spectral::new(&Device::host());
/// let choice = spectral.explain_walsh::<f32>(1 << 18, &Walsh::new())?;
/// println!("{choice}"); // candidates, their estimates, and the origin of the choice
/// # Ok::<(), manycore_spectral::SpectralError>(())
/// ```
#[derive(Debug)]
pub struct Spectral {
    planner: Planner,
    /// Of transforms on an OpenCL device.
    pub(crate) plans: Plans<(OnDevice, Arrays), Plan>,
    log_block_bytes: Cache<(OnHost, Arrays), u32>,
    /// Of Haar transforms on an OpenCL device.
    pub(crate) haar_plans: Plans<(HaarOnDevice, Arrays), HaarPlan>,
}

impl Spectral {
    /// A context for `device` that plans for the device's machine (the calibrated one where there is one) in the
    /// device's tuning mode ([`Device::tuning`]): by default a known choice is taken, else the best estimate, and
    /// nothing is measured. Kernels are built at their first use.
    ///
    /// A choice never changes a result: among floating-point transforms only plans that add in the same order stand for
    /// each other, and integers are exact in every plan.
    pub fn new(device: &Device) -> Self {
        Self::of(Planner::new(device))
    }

    /// A context that plans for `machine` instead of the device's own, by estimates alone; it measures, reads and keeps
    /// nothing.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self::of(Planner::with_machine(device, machine))
    }

    fn of(planner: Planner) -> Self {
        Self { planner, plans: Plans::default(), log_block_bytes: Cache::default(), haar_plans: Plans::default() }
    }

    /// The machine that transforms are planned for.
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

    /// The cached base-2 logarithm of the bytes of a block of a transform on the host, else the one that `choose`
    /// gives.
    pub(crate) fn log_block_bytes<E>(
        &self,
        key: (OnHost, Arrays),
        choose: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        self.log_block_bytes.get_unlocked(key, |_| choose()).map(|log| *log)
    }
}

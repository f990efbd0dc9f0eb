//! Cached data of products by transforms for one field on one device.

use std::sync::Arc;

use manycore_device::Device;
use manycore_model::Machine;
use manycore_ntt::{Ntt, NttField};
use manycore_tuning::{Planner, Plans};

use super::component::Component;
use super::error::ProductError;
use super::primes::Family;
use super::route::Route;
use super::shape::Shape;

/// Shapes whose routes are remembered.
const MOST_CHOICES: usize = 1024;

/// Products of polynomials over one field on one device: keeps transforms, constants, intermediate memory and choices.
///
/// ```ignore
/// let product = TransformProduct::new(&device, &field)?;
/// product.multiply((&a).into(), (&b).into(), 1, 0, (&mut out).into())?;
/// ```
#[derive(Debug)]
pub struct TransformProduct<F: NttField> {
    pub(super) planner: Arc<Planner>,
    pub(super) direct: Component<F>,
    pub(super) short: Family<u32>,
    pub(super) long: Family<u64>,
    /// Choices by shape; nothing is locked while a choice is made.
    pub(super) chosen: Plans<Shape, Route>,
}

impl<F: NttField> TransformProduct<F> {
    /// Products modulo the field's prime on `device`, planned by the device's machine (the calibrated one if there is
    /// one) and its mode ([`Device::tuning`]). Transforms and constants are made when they are first needed.
    ///
    /// # Errors
    /// None now; kept for devices that prepare something.
    #[inline(never)]
    pub fn new(device: &Device, field: &F) -> Result<Self, ProductError> {
        Ok(Self::with_planner(&Arc::new(Planner::new(device)), field))
    }

    /// Products modulo the field's prime on `device`, planned as if the device were `machine`, by estimates alone;
    /// nothing is measured, read or kept.
    ///
    /// # Errors
    /// As [`TransformProduct::new`].
    #[inline(never)]
    pub fn with_machine(device: &Device, machine: Machine, field: &F) -> Result<Self, ProductError> {
        Ok(Self::with_planner(&Arc::new(Planner::with_machine(device, machine)), field))
    }

    pub(crate) fn with_planner(planner: &Arc<Planner>, field: &F) -> Self {
        Self {
            planner: Arc::clone(planner),
            direct: Component::new(field),
            short: Family::new(),
            long: Family::new(),
            chosen: Plans::at_most(MOST_CHOICES),
        }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The field.
    pub fn field(&self) -> &F {
        &self.direct.field
    }

    /// Cyclic transforms of `2^log_len` values modulo the field's prime.
    pub(crate) fn transforms(&self, log_len: u32) -> Result<Arc<Ntt<F>>, ProductError> {
        self.direct.ntt(&self.planner, log_len)
    }

    /// The machine that choices are planned for.
    pub fn machine(&self) -> &Machine {
        self.planner.machine()
    }
}

//! The context of products on a device: the kernels that were made and the plans that were taken.

use std::sync::Arc;

use manycore_device::{Cache, Device, Kernel};
use manycore_expressions::{Elements, Program};
use manycore_tuning::{Planner, Plans};

use super::bits::BitKernels;
use super::form::{ProductForm, ProductShape};
use super::plan::ProductPlan;
use super::text::KernelKey;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::resident::DeviceMatrix;

/// Generalized products on a device: the host's threads, or kernels that are made of a semiring's text, each once.
///
/// ```
/// use manycore_device::Device;
/// use manycore_expressions::{Function, Value};
/// use manycore_semiring::{Matrix, Products, Semiring};
///
/// type V = Value<i32>;
/// let (product, sum) = (Function::new(|(a, b): (V, V)| a + b)?, Function::new(|(a, b): (V, V)| a.max(b))?);
/// let max_plus = Semiring::<i32, i32, i32>::new(product, sum, i32::MIN)?;
/// let products = Products::new(&Device::from_env()?);
/// let a = products.upload(&Matrix::stored(2, 2, &[1, 2, 3, 4])?)?;
/// let c = products.multiply(&max_plus, &a, &a)?; // stays on the device
/// assert_eq!(c.download()?.entries(), [5, 6, 7, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Products {
    pub(super) planner: Planner,
    pub(super) kernels: Cache<KernelKey, Kernel>,
    pub(super) list_kernels: Cache<Algebra, Kernel>,
    pub(super) direct_kernels: Cache<ProductForm, Kernel>,
    /// By function.
    pub(crate) entry_kernels: Cache<Arc<Program>, Kernel>,
    pub(super) bit_kernels: BitKernels,
    pub(super) chosen: Plans<(ProductForm, ProductShape), ProductPlan>,
}

impl Products {
    /// Products on a device.
    pub fn new(device: &Device) -> Self {
        Self {
            planner: Planner::new(device),
            kernels: Cache::default(),
            list_kernels: Cache::default(),
            direct_kernels: Cache::default(),
            entry_kernels: Cache::default(),
            bit_kernels: BitKernels::default(),
            chosen: Plans::default(),
        }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// A copy of a matrix on the device ([`DeviceMatrix::upload`]).
    ///
    /// # Errors
    /// [`SemiringError::Device`] without the memory.
    #[inline(never)]
    pub fn upload<T: Elements>(&self, matrix: &Matrix<T>) -> Result<DeviceMatrix<T>, SemiringError> {
        DeviceMatrix::upload(self.device(), matrix)
    }
}

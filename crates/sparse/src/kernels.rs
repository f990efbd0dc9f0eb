//! Kernels that are kept from launch to launch.

use std::sync::Arc;

use manycore_device::{Cache, Defines, DeviceError, Kernel, KernelSpec, OpenCl};

/// Kernels of one device: each is built at its first use.
#[derive(Debug, Default)]
pub(crate) struct Kernels(Cache<(usize, Defines), Kernel>);

impl Kernels {
    /// The kernel with these defines.
    pub(crate) fn get(
        &self,
        cl: &OpenCl,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<Arc<Kernel>, DeviceError> {
        // Two units have entries of one name.
        self.0.get((std::ptr::from_ref(spec).addr(), defines), |(_, defines)| cl.kernel(spec, defines))
    }
}

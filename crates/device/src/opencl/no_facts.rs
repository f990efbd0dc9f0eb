//! The list of devices of a program without the feature `opencl`.

use std::sync::Arc;

use super::OpenCl;
use crate::error::DeviceError;

/// Why there is no OpenCL device.
pub(crate) fn all() -> Result<&'static [Arc<OpenCl>], DeviceError> {
    Err(DeviceError::NoRuntime { tried: "the program is compiled without the feature `opencl`".to_owned() })
}

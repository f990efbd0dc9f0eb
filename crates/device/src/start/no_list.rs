//! The list of OpenCL devices of programs without the feature `opencl`.

use std::sync::Arc;

use super::Expected;
use crate::error::DeviceError;
use crate::opencl::executor::OpenCl;

/// Why there is no OpenCL device.
pub(crate) fn all() -> Result<&'static [Arc<OpenCl>], DeviceError> {
    Err(DeviceError::NoRuntime { tried: "the program is compiled without the feature `opencl`".to_owned() })
}

pub(crate) fn best(all: &[Arc<OpenCl>]) -> Option<&Arc<OpenCl>> {
    all.first()
}

/// There is no GPU.
pub(crate) fn expected() -> Expected<Arc<OpenCl>> {
    Expected::None
}

pub(crate) fn is_listed() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use crate::{Device, DeviceError};

    #[test]
    fn the_host_is_the_only_device() {
        assert_eq!(Device::all(), [Device::host()]);
        assert_eq!(Device::best(), Device::host());
        let error = Device::select("opencl:0").unwrap_err();
        assert!(matches!(&error, DeviceError::NoRuntime { tried } if tried.contains("feature `opencl`")), "{error}");
    }
}

//! Programs: from source or a binary, built for the one device of their context.

use std::ffi::{CStr, CString};
use std::ptr::null_mut;

use ocl::core::{self, ProgramBuildInfo, ProgramBuildInfoResult, ProgramInfo, ProgramInfoResult};
use ocl::ffi;

use super::{Context, DeviceId, Program};
use crate::error::DeviceError;
use crate::opencl::calls::{call, code};

impl Program {
    pub(crate) fn from_source(context: &Context, source: &str, device: &str) -> Result<Self, DeviceError> {
        let make = || core::create_program_with_source(context.as_core(), &[CString::new(source)?]);
        call("clCreateProgramWithSource", device, make).map(Self::new)
    }

    /// From what [`binary`](Self::binary) gave, perhaps changed; `None` where the runtime refuses.
    pub(crate) fn from_binary(context: &Context, id: DeviceId, binary: &[u8]) -> Option<Self> {
        code(|| core::create_program_with_binary(context.as_core(), &[id], &[binary])).ok().map(Self::new)
    }

    /// What the compiler made for the only device it was built for; the context may have others.
    pub(crate) fn binary(&self) -> Option<Vec<u8>> {
        match code(|| core::get_program_info(self, ProgramInfo::Binaries)) {
            Ok(ProgramInfoResult::Binaries(binaries)) => binaries.into_iter().find(|bytes| !bytes.is_empty()),
            _ => None,
        }
    }

    /// The names of its kernels; `None` where the runtime does not report them.
    pub(crate) fn kernels(&self) -> Option<Vec<String>> {
        // NVIDIA's runtime crashes on a query of the kernel names of a program without kernels.
        if let Ok(ProgramInfoResult::NumKernels(0)) = code(|| core::get_program_info(self, ProgramInfo::NumKernels)) {
            return Some(Vec::new());
        }
        match code(|| core::get_program_info(self, ProgramInfo::KernelNames)) {
            Ok(ProgramInfoResult::KernelNames(names)) => {
                Some(names.split(';').filter(|name| !name.is_empty()).map(str::to_owned).collect())
            }
            _ => None,
        }
    }

    /// Builds it; `Err` holds the code and the compiler's log.
    pub(crate) fn build(&self, id: DeviceId, options: &CStr) -> Result<(), (i32, String)> {
        // `ocl` takes a failed build whose log is empty for one that succeeded.
        // SAFETY: one device of the program's context, no callback.
        let built = unsafe { ffi::clBuildProgram(self.as_ptr(), 1, &id.as_raw(), options.as_ptr(), None, null_mut()) };
        if built == 0 {
            return Ok(());
        }
        match code(|| core::get_program_build_info(self, id, ProgramBuildInfo::BuildLog)) {
            Ok(ProgramBuildInfoResult::BuildLog(log)) => Err((built, log)),
            _ => Err((built, String::new())),
        }
    }
}

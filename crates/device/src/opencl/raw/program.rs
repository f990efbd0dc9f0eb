//! Programs: from source or a binary, built for the one device of their context.

use std::ffi::CStr;
use std::ptr::null_mut;

use super::{Context, DeviceId, Program, check, ffi, property, text};
use crate::error::DeviceError;

impl Program {
    pub(crate) fn from_source(context: &Context, source: &str, device: &str) -> Result<Self, DeviceError> {
        let (mut pointer, length, mut code) = (source.as_ptr().cast(), source.len(), 0);
        // SAFETY: one text of `length` bytes, copied by the call.
        let raw = unsafe {
            ffi::clCreateProgramWithSource(context.raw(), 1, &raw mut pointer, &raw const length, &raw mut code)
        };
        check(code, "clCreateProgramWithSource", device)?;
        Ok(Self(raw))
    }

    /// From what [`binary`](Self::binary) gave, perhaps changed; `None` where the runtime refuses.
    pub(crate) fn from_binary(context: &Context, id: DeviceId, binary: &[u8]) -> Option<Self> {
        let (mut pointer, length, mut status, mut code) = (binary.as_ptr(), binary.len(), 0, 0);
        // SAFETY: one device of the context, one binary of `length` bytes, copied by the call.
        let raw = unsafe {
            ffi::clCreateProgramWithBinary(
                context.raw(),
                1,
                &raw const id.0,
                &raw const length,
                &raw mut pointer,
                &raw mut status,
                &raw mut code,
            )
        };
        (code == 0).then_some(Self(raw))
    }

    /// What the compiler made for the only device it was built for.
    pub(crate) fn binary(&self) -> Option<Vec<u8>> {
        let mut length = 0usize;
        // SAFETY: a size is written, of one device.
        let code = unsafe {
            ffi::clGetProgramInfo(
                self.raw(),
                ffi::CL_PROGRAM_BINARY_SIZES,
                size_of::<usize>(),
                (&raw mut length).cast(),
                null_mut(),
            )
        };
        if code != 0 || length == 0 {
            return None;
        }
        let mut bytes = vec![0u8; length];
        let mut pointer = bytes.as_mut_ptr();
        // SAFETY: a pointer to room for the one binary of `length` bytes is read.
        let code = unsafe {
            ffi::clGetProgramInfo(
                self.raw(),
                ffi::CL_PROGRAM_BINARIES,
                size_of::<*mut u8>(),
                (&raw mut pointer).cast(),
                null_mut(),
            )
        };
        (code == 0).then_some(bytes)
    }

    /// Builds it; `Err` holds the code and the compiler's log.
    pub(crate) fn build(&self, id: DeviceId, options: &CStr) -> Result<(), (i32, String)> {
        // SAFETY: one device of the program's context, no callback.
        let code = unsafe { ffi::clBuildProgram(self.raw(), 1, &raw const id.0, options.as_ptr(), None, null_mut()) };
        if code == 0 {
            return Ok(());
        }
        // SAFETY: `property` passes a buffer of the size that it states.
        let log = property(|size, to, needed| unsafe {
            ffi::clGetProgramBuildInfo(self.raw(), id.0, ffi::CL_PROGRAM_BUILD_LOG, size, to, needed)
        });
        Err((code, log.map(|bytes| text(&bytes)).unwrap_or_default()))
    }
}

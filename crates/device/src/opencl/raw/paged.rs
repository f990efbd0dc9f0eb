//! Device memory that lies in pages of the host's.

use std::ffi::c_void;

use super::{Context, Memory, ffi};
use crate::host::Pages;

impl Memory {
    /// A block that is `pages` of the host, which it keeps: for devices that compute on the host's memory.
    ///
    /// # Errors
    /// The code of the call that failed: runtimes before OpenCL 1.1 cannot tell when they are done with the pages.
    pub(crate) fn in_pages(context: &Context, pages: Pages) -> Result<Self, i32> {
        /// Runs when the runtime has no more use for the pages, which may be after the handle was given back.
        extern "C" fn free(_: ffi::cl_mem, pages: *mut c_void) {
            // SAFETY: made by `Box::into_raw` below; the runtime calls once.
            drop(unsafe { Box::from_raw(pages.cast::<Pages>()) });
        }
        let mut pages = Box::new(pages);
        let (bytes, pointer) = (pages.len(), pages.as_mut_ptr().cast());
        let flags = ffi::CL_MEM_READ_WRITE | ffi::CL_MEM_USE_HOST_PTR;
        let mut code = 0;
        // SAFETY: `bytes` bytes at the pointer, which are the runtime's until it calls `free`, or below until it let go of them.
        let raw = unsafe { ffi::clCreateBuffer(context.raw(), flags, bytes, pointer, &raw mut code) };
        if code != 0 {
            return Err(code);
        }
        let memory = Self(raw);
        let kept = Box::into_raw(pages);
        // SAFETY: a valid object; `free` takes what it is handed.
        let code = unsafe { ffi::clSetMemObjectDestructorCallback(raw, Some(free), kept.cast()) };
        if code != 0 {
            // No command has used the block yet: it ends here and now.
            drop(memory);
            // SAFETY: nobody else has the pages.
            drop(unsafe { Box::from_raw(kept) });
            return Err(code);
        }
        Ok(memory)
    }
}

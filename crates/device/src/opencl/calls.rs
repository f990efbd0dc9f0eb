//! Calls of `ocl`, with every failure as a value, and its objects, given back without a panic.
//!
//! `ocl` panics at error codes that it does not list, where a runtime hands out no object, and where a runtime refuses to
//! take an object back, as one may after its device failed. The code of such a call, or a code for it, is its error here.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ocl::{core, ffi};

use crate::error::{DeviceError, code_name};

/// OpenCL's `CL_INVALID_VALUE`: the code of errors that `ocl` finds before it calls the runtime.
const INVALID_VALUE: i32 = -30;

/// Makes calls of `ocl`; an error is its code.
pub(crate) fn code<R, E: Into<ocl::Error>>(calls: impl FnOnce() -> Result<R, E>) -> Result<R, i32> {
    // Nothing of this process is left half done: the calls change objects of the runtime alone.
    match catch_unwind(AssertUnwindSafe(calls)) {
        Ok(outcome) => outcome.map_err(|error| error.into().api_status().map_or(INVALID_VALUE, |status| status as i32)),
        Err(panic) => {
            let listed = panic.downcast_ref::<String>().and_then(|text| unlisted_code(text));
            Err(listed.unwrap_or(INVALID_VALUE))
        }
    }
}

/// The code of a panic's text, `...: Invalid error code: '-1234'. Aborting.`
fn unlisted_code(text: &str) -> Option<i32> {
    text.split_once("Invalid error code: '")?.1.split('\'').next()?.parse().ok()
}

/// The error of a call that failed with a code.
pub(crate) fn failure(code: i32, call: &'static str, device: &str) -> DeviceError {
    DeviceError::Api { call, code, name: code_name(code), device: device.to_owned() }
}

/// Makes one call of `ocl`, the wrapper of the runtime's function `name`.
pub(crate) fn call<R, E: Into<ocl::Error>>(
    name: &'static str,
    device: &str,
    call: impl FnOnce() -> Result<R, E>,
) -> Result<R, DeviceError> {
    code(call).map_err(|code| failure(code, name, device))
}

/// An object of `ocl` that is given back when it is dropped, whatever the runtime answers.
#[derive(Debug)]
pub(crate) struct Owned<T: Counted>(ManuallyDrop<T>);

impl<T: Counted> Owned<T> {
    pub(crate) fn new(object: T) -> Self {
        Self(ManuallyDrop::new(object))
    }

    /// The object itself, for those who use `ocl`.
    pub(crate) fn into_inner(self) -> T {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again, and not dropped.
        unsafe { ManuallyDrop::take(&mut this.0) }
    }
}

impl<T: Counted> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Counted> DerefMut for Owned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Counted> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the object owns one reference, which ends here: the object is not dropped.
        unsafe { self.0.release() };
    }
}

/// An object whose references the runtime counts.
pub(crate) trait Counted {
    /// Releases one reference, and returns the runtime's code.
    ///
    /// # Safety
    /// The reference is the caller's, and is used no more.
    unsafe fn release(&self) -> i32;
}

macro_rules! counted {
    ($($release:ident: $type:ty;)*) => {$(
        impl Counted for $type {
            unsafe fn release(&self) -> i32 {
                // SAFETY: a valid object, and by the caller's promise one of its references.
                unsafe { ffi::$release(self.as_ptr()) }
            }
        }
    )*};
}

counted! {
    clReleaseContext: ocl::Context;
    clReleaseCommandQueue: ocl::Queue;
    clReleaseMemObject: core::Mem;
    clReleaseProgram: core::Program;
    clReleaseKernel: core::Kernel;
}

impl Counted for core::Event {
    unsafe fn release(&self) -> i32 {
        if self.is_null() {
            return 0;
        }
        // SAFETY: a valid event, and by the caller's promise one of its references.
        unsafe { ffi::clReleaseEvent(*self.as_ptr_ref()) }
    }
}

#[cfg(test)]
mod tests {
    use ocl::core::{Error, Event};

    use super::*;
    use crate::device::{Device, Executor};
    use crate::opencl::objects::Context;

    #[test]
    fn errors_of_the_runtime_keep_their_codes() {
        for device in Device::opencl().unwrap_or_default() {
            let Executor::OpenCl(cl) = device.executor() else { continue };
            let context = Context::of(cl.raw_id(), "a device").unwrap();
            // SAFETY: no memory of the host is given.
            let empty =
                || unsafe { core::create_buffer::<_, u8>(context.as_core(), core::MemFlags::READ_WRITE, 0, None) };
            let expected = DeviceError::Api {
                call: "clCreateBuffer",
                code: -61,
                name: "CL_INVALID_BUFFER_SIZE",
                device: "a device".into(),
            };
            assert_eq!(call("clCreateBuffer", "a device", empty).unwrap_err(), expected);
        }
    }

    #[test]
    fn panics_of_ocl_are_errors() {
        // Its words for a code that it does not list.
        let unlisted = || -> Result<(), Error> {
            panic!("ocl_core::Error::err_status: Invalid error code: '{}'. Aborting.", -1234)
        };
        assert_eq!(call("clFinish", "a device", unlisted), Err(failure(-1234, "clFinish", "a device")));
        let null = || -> Result<(), Error> { panic!("Null pointer passed.") };
        assert_eq!(code(null), Err(INVALID_VALUE));
        let name = code(|| std::ffi::CString::new("a\0b").map_err(Error::from));
        assert_eq!(name, Err(INVALID_VALUE));
    }

    #[test]
    fn an_event_of_no_command_is_nothing_to_give_back() {
        drop(Owned::new(Event::null()));
    }
}

//! Programs that a driver has miscompiled as a whole: the launches of a kernel, in programs that were built with an option, do nothing
//! and report success.

use std::env;
use std::ffi::CStr;
use std::sync::OnceLock;

use libloading::Library;

use crate::types::{c_void, cl_command_queue, cl_device_id, cl_int, cl_kernel, cl_program, cl_uint, size_t};

/// The variable that names the kernel, and after a colon a text of the options.
const MISCOMPILED_VARIABLE: &str = "MANYCORE_FAULT_MISCOMPILES";

/// `CL_KERNEL_FUNCTION_NAME`, `CL_KERNEL_PROGRAM`, `CL_QUEUE_DEVICE`, `CL_PROGRAM_BUILD_OPTIONS`.
const FUNCTION_NAME: cl_uint = 0x1190;
const PROGRAM: cl_uint = 0x1194;
const QUEUE_DEVICE: cl_uint = 0x1091;
const BUILD_OPTIONS: cl_uint = 0x1182;
/// OpenCL's status of success.
const CL_SUCCESS: cl_int = 0;

type KernelInfo = unsafe extern "system" fn(cl_kernel, cl_uint, size_t, *mut c_void, *mut size_t) -> cl_int;
type QueueInfo = unsafe extern "system" fn(cl_command_queue, cl_uint, size_t, *mut c_void, *mut size_t) -> cl_int;
type BuildInfo =
    unsafe extern "system" fn(cl_program, cl_device_id, cl_uint, size_t, *mut c_void, *mut size_t) -> cl_int;

/// The functions that identify a kernel.
pub(crate) struct Origins {
    kernel: KernelInfo,
    queue: QueueInfo,
    build: BuildInfo,
}

impl Origins {
    /// The functions of a library.
    ///
    /// # Errors
    /// The library lacks one.
    pub(crate) fn of(library: &Library) -> Result<Self, libloading::Error> {
        // SAFETY: OpenCL's standard fixes the signature of each name, and the types repeat it.
        unsafe {
            Ok(Self {
                kernel: *library.get::<KernelInfo>("clGetKernelInfo")?,
                queue: *library.get::<QueueInfo>("clGetCommandQueueInfo")?,
                build: *library.get::<BuildInfo>("clGetProgramBuildInfo")?,
            })
        }
    }

    /// Whether the kernel is of a program that counts as miscompiled.
    ///
    /// # Safety
    /// Both are valid objects, as they are of a launch.
    pub(crate) unsafe fn is_miscompiled(&self, queue: cl_command_queue, kernel: cl_kernel) -> bool {
        let Some((name, option)) = miscompiled() else { return false };
        // SAFETY: the objects are valid, and each place is as large as it is said to be.
        unsafe {
            let is_named =
                text(|size, place, needed| (self.kernel)(kernel, FUNCTION_NAME, size, place, needed)) == *name;
            if !is_named || option.is_empty() {
                return is_named;
            }
            let mut program: cl_program = std::ptr::null_mut();
            let mut device: cl_device_id = std::ptr::null_mut();
            let none = std::ptr::null_mut();
            let asked = [
                (self.kernel)(kernel, PROGRAM, size_of::<cl_program>(), (&raw mut program).cast(), none),
                (self.queue)(queue, QUEUE_DEVICE, size_of::<cl_device_id>(), (&raw mut device).cast(), none),
            ];
            let options = |size, place, needed| (self.build)(program, device, BUILD_OPTIONS, size, place, needed);
            asked == [CL_SUCCESS; 2] && text(options).contains(option)
        }
    }
}

/// The kernel's name and the text of the options, `None` where nothing is miscompiled.
fn miscompiled() -> Option<&'static (String, String)> {
    static NAMED: OnceLock<Option<(String, String)>> = OnceLock::new();
    let named = || parse(&env::var(MISCOMPILED_VARIABLE).ok()?);
    NAMED.get_or_init(named).as_ref()
}

fn parse(text: &str) -> Option<(String, String)> {
    let (name, option) = text.split_once(':').unwrap_or((text, ""));
    (!name.is_empty()).then(|| (name.to_owned(), option.to_owned()))
}

/// The text that a function of OpenCL returns: first its size, then its bytes. Empty where a call fails.
fn text(tell: impl Fn(size_t, *mut c_void, *mut size_t) -> cl_int) -> String {
    let mut size = 0;
    if tell(0, std::ptr::null_mut(), &raw mut size) != CL_SUCCESS {
        return String::new();
    }
    let mut bytes = vec![0_u8; size];
    if tell(size, bytes.as_mut_ptr().cast(), std::ptr::null_mut()) != CL_SUCCESS {
        return String::new();
    }
    CStr::from_bytes_until_nul(&bytes).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_named_with_and_without_an_option() {
        let named = |name: &str, option: &str| Some((name.to_owned(), option.to_owned()));
        assert_eq!(parse("tile"), named("tile", ""));
        assert_eq!(parse("tile:A=3"), named("tile", "A=3"));
        assert_eq!([parse(""), parse(":A=3")], [None, None]);
    }

    #[test]
    fn texts_are_asked_for_by_their_size() {
        let tell = |size: size_t, place: *mut c_void, needed: *mut size_t| {
            // SAFETY: `text` gives places of the sizes that it says.
            unsafe {
                if place.is_null() {
                    needed.write(4);
                } else {
                    place.cast::<u8>().copy_from(c"abc".as_ptr().cast(), size);
                }
            }
            CL_SUCCESS
        };
        assert_eq!(text(tell), "abc");
        assert_eq!(text(|_, _, _| -1), "");
    }
}

//! Without a library: every kind of call through `ocl` gives an error, and none crashes.

mod common;

use std::ffi::c_void;
use std::ptr;
use std::time::{Duration, Instant};

use manycore_opencl_loader::{LIBRARY_VARIABLE, platform_count, runtime};
use ocl::ffi;

// Declared by `cl-sys` only with features that `ocl` leaves off.
unsafe extern "system" {
    fn clSVMAlloc(context: *mut c_void, flags: u64, size: usize, alignment: u32) -> *mut c_void;
    fn clSVMFree(context: *mut c_void, pointer: *mut c_void);
}

const NOT_FOUND: i32 = -1001;

fn answers_as_without_a_library() {
    let null = ptr::null_mut::<c_void>();
    assert_eq!(platform_count(), Ok(0));
    // SAFETY: every pointer is null or names a local variable; there is no library to read them.
    unsafe {
        let mut count = 7;
        assert_eq!(ffi::clGetPlatformIDs(0, ptr::null_mut(), &raw mut count), NOT_FOUND);
        assert_eq!(count, 0);
        assert_eq!(ffi::clGetPlatformIDs(0, ptr::null_mut(), ptr::null_mut()), NOT_FOUND);
        count = 7;
        let all = ffi::CL_DEVICE_TYPE_ALL;
        assert_eq!(ffi::clGetDeviceIDs(null, all, 0, ptr::null_mut(), &raw mut count), NOT_FOUND);
        assert_eq!(count, 0);

        let mut errcode = 0;
        let context = ffi::clCreateContext(ptr::null(), 0, ptr::null(), None, null, &raw mut errcode);
        assert!(context.is_null());
        assert_eq!(errcode, NOT_FOUND);
        errcode = 0;
        let mapped = ffi::clEnqueueMapBuffer(null, null, 1, 0, 0, 8, 0, ptr::null(), ptr::null_mut(), &raw mut errcode);
        assert!(mapped.is_null());
        assert_eq!(errcode, NOT_FOUND);
        assert!(ffi::clCreateBuffer(null, 0, 8, null, ptr::null_mut()).is_null());

        assert!(ffi::clGetExtensionFunctionAddressForPlatform(null, c"clIcd".as_ptr()).is_null());
        assert!(clSVMAlloc(null, 0, 8, 8).is_null());
        clSVMFree(null, null);
        assert_eq!(ffi::clFinish(null), NOT_FOUND);
        assert_eq!(ffi::clEnqueueAcquireGLObjects(null, 0, ptr::null(), 0, ptr::null(), ptr::null_mut()), NOT_FOUND);
    }
}

#[test]
#[ignore = "run in a process of its own by a_hidden_library_gives_errors"]
fn hidden_child() {
    assert!(common::is_child());
    let missing = runtime().expect_err("the library is hidden");
    assert_eq!(missing.tried.len(), 1);
    assert!(missing.to_string().contains(LIBRARY_VARIABLE), "{missing}");
    answers_as_without_a_library();
}

#[test]
fn a_hidden_library_gives_errors() {
    common::child("hidden_child", Some("none"));
}

#[test]
#[ignore = "run in a process of its own by a_missing_file_gives_errors"]
fn missing_child() {
    assert!(common::is_child());
    let missing = runtime().expect_err("the file does not exist");
    assert_eq!(missing.tried[0].file, "libManycoreAbsent.so.1");
    assert!(!missing.tried[0].reason.is_empty());
    answers_as_without_a_library();
}

#[test]
fn a_missing_file_gives_errors() {
    common::child("missing_child", Some("libManycoreAbsent.so.1"));
}

#[test]
#[ignore = "run in a process of its own by ocl_lists_no_platform_of_a_hidden_library"]
fn ocl_child() {
    assert!(common::is_child());
    let start = Instant::now();
    let error = ocl::core::get_platform_ids().expect_err("the library is hidden");
    // `ocl` retries a status of -1001, and only this one, for ten seconds.
    assert!(start.elapsed() > Duration::from_secs(1), "not a retried -1001: {error}");
}

/// Takes ten seconds, nearly all of them asleep.
#[test]
fn ocl_lists_no_platform_of_a_hidden_library() {
    common::child("ocl_child", Some("none"));
}

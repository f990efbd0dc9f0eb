//! The runtime: which library serves, and how many platforms it has.

use std::ptr;

use crate::library::{NoLibrary, opened};
use crate::table::{clGetPlatformIDs, is_forwarder};
use crate::types::CL_PLATFORM_NOT_FOUND_KHR;

/// Which OpenCL library serves this process: the file that answered, as it was asked for.
///
/// The first call, or the first OpenCL call, opens the library; all later ones give the same
/// answer. Safe to call from many threads at once. No OpenCL function is called, so `Ok` does not
/// say that there is a platform or a device: see [`platform_count`].
///
/// # Errors
///
/// [`NoLibrary`] names each file tried and why it did not serve.
pub fn runtime() -> Result<&'static str, &'static NoLibrary> {
    opened(is_forwarder).map(|opened| opened.file.as_str())
}

/// The OpenCL library is there and could not list its platforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("clGetPlatformIDs failed with OpenCL status {status}")]
#[non_exhaustive]
pub struct ListingError {
    /// The status that the library returned; negative.
    pub status: i32,
}

/// The number of OpenCL platforms: 0 where there is no library, or a library and no driver.
///
/// Returns at once, where `ocl::core::get_platform_ids` waits ten seconds for a driver to appear
/// before it reports that there is none: ask here first. The first call loads the drivers.
///
/// # Errors
///
/// [`ListingError`] where the library returns another status than "no platform found", such as
/// -6 (out of host memory).
pub fn platform_count() -> Result<u32, ListingError> {
    let mut count = 0;
    // SAFETY: with no entries the list may be null; `count` lives over the call.
    match unsafe { clGetPlatformIDs(0, ptr::null_mut(), &raw mut count) } {
        0 => Ok(count),
        CL_PLATFORM_NOT_FOUND_KHR => Ok(0),
        status => Err(ListingError { status }),
    }
}

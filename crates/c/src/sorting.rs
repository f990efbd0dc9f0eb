//! Sorts of the caller's arrays in place.

use manycore::sort::{Key, SortOrder, Sorter};

use crate::arrays;
use crate::device::{ManycoreDevice, device as opened};
use crate::status::{Failure, ManycoreStatus, guarded};

unsafe fn sort<K: Key>(
    device: *const ManycoreDevice,
    keys: *mut K,
    len: usize,
    descending: bool,
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the array.
    let (device, keys) = unsafe { (opened(device)?, arrays::write("keys", keys, len)?) };
    Ok(Sorter::new(device).sort(keys, if descending { SortOrder::Descending } else { SortOrder::Ascending })?)
}

/// Sorts keys in place.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_sort_u32(
    device: *const ManycoreDevice,
    keys: *mut u32,
    len: usize,
    descending: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { sort(device, keys, len, descending) }
    })
}

/// Sorts keys in place.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_sort_i32(
    device: *const ManycoreDevice,
    keys: *mut i32,
    len: usize,
    descending: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { sort(device, keys, len, descending) }
    })
}

/// Sorts keys in place. By the total order: -0 before 0, and values that are no numbers at the ends by their sign.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_sort_f32(
    device: *const ManycoreDevice,
    keys: *mut f32,
    len: usize,
    descending: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { sort(device, keys, len, descending) }
    })
}

/// Sorts keys in place.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_sort_u64(
    device: *const ManycoreDevice,
    keys: *mut u64,
    len: usize,
    descending: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { sort(device, keys, len, descending) }
    })
}

/// Sorts keys in place.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_sort_i64(
    device: *const ManycoreDevice,
    keys: *mut i64,
    len: usize,
    descending: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { sort(device, keys, len, descending) }
    })
}

/// Sorts keys in place. By the total order: -0 before 0, and values that are no numbers at the ends by their sign.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_sort_f64(
    device: *const ManycoreDevice,
    keys: *mut f64,
    len: usize,
    descending: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { sort(device, keys, len, descending) }
    })
}

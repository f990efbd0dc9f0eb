//! Pointers and lengths of the caller as slices, each checked for null and alignment, and named where it is wrong.

use crate::status::Failure;

/// An array of the caller.
///
/// # Safety
/// A pointer that is not null is of an array of `len` elements that nobody writes meanwhile.
pub(crate) unsafe fn read<'a, T>(name: &str, array: *const T, len: usize) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    usable(name, array, len)?;
    // SAFETY: not null, aligned and of a size that fits; the caller answers for the rest.
    Ok(unsafe { std::slice::from_raw_parts(array, len) })
}

/// An array of the caller that is written.
///
/// # Safety
/// A pointer that is not null is of an array of `len` elements that nobody else reads or writes meanwhile.
pub(crate) unsafe fn write<'a, T>(name: &str, array: *mut T, len: usize) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    usable(name, array, len)?;
    // SAFETY: not null, aligned and of a size that fits; the caller answers for the rest.
    Ok(unsafe { std::slice::from_raw_parts_mut(array, len) })
}

/// A value of the caller that is written.
///
/// # Safety
/// A pointer that is not null is of a value that nobody else reads or writes meanwhile.
pub(crate) unsafe fn out<'a, T>(name: &str, value: *mut T) -> Result<&'a mut T, Failure> {
    usable(name, value, 1)?;
    // SAFETY: not null and aligned; the caller answers for the rest.
    Ok(unsafe { &mut *value })
}

/// Copies a result to the caller's array, whose length must be that of the result.
pub(crate) fn give<T: Copy>(name: &str, result: &[T], to: &mut [T]) -> Result<(), Failure> {
    if result.len() != to.len() {
        return Err(Failure::invalid(format!("{name} has {} elements, the result {}", to.len(), result.len())));
    }
    to.copy_from_slice(result);
    Ok(())
}

/// Copies a result to the beginning of the caller's array, and stores its length in `len`.
pub(crate) fn give_some<T: Copy>(name: &str, result: &[T], to: &mut [T], len: &mut usize) -> Result<(), Failure> {
    let Some(place) = to.get_mut(..result.len()) else {
        return Err(Failure::invalid(format!("{name} has {} elements, the result {}", to.len(), result.len())));
    };
    place.copy_from_slice(result);
    *len = result.len();
    Ok(())
}

fn usable<T>(name: &str, array: *const T, len: usize) -> Result<(), Failure> {
    if array.is_null() {
        return Err(Failure::invalid(format!("{name} is null")));
    }
    if !array.is_aligned() {
        return Err(Failure::invalid(format!("{name} is not aligned to {} bytes", align_of::<T>())));
    }
    let fits = len.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok());
    if fits { Ok(()) } else { Err(Failure::invalid(format!("{name} of {len} elements is larger than any memory"))) }
}

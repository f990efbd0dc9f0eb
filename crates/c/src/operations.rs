//! Every declared operation by its name: input as the bytes of files, options and results as JSON.

use std::ffi::{CStr, CString, c_char};

use manycore::device::DeviceSet;
use manycore::operation::{Given, json};
use manycore::operations;

use crate::arrays;
use crate::device::{ManycoreDevice, device as opened};
use crate::status::{Failure, ManycoreStatus, guarded};

/// A text of the caller, of which null is the empty one.
///
/// # Safety
/// A pointer that is not null is of a text that ends with a zero.
unsafe fn text<'a>(name: &str, text: *const c_char) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Ok("");
    }
    // SAFETY: the caller answers for the text.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::invalid(format!("{name} is not UTF-8")))
}

/// A text that the caller frees.
fn given(text: &str) -> *mut c_char {
    CString::new(text.replace('\0', " ")).unwrap_or_default().into_raw()
}

/// The declarations of all operations as a list in JSON: of each the name, what it computes, its inputs and options. Freed by
/// `manycore_text_free`.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_operations(result: *mut *mut c_char) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        let result = unsafe { arrays::out("result", result) }?;
        *result = given(&operations::json());
        Ok(())
    })
}

/// Calls the operation of a name, such as `poly gcd`: `options` is an object of JSON, such as `{"modulus": 7}`, or null; input `i` are the
/// `lengths[i]` bytes at `inputs[i]`, a file in any form that the operation reads, such as `1 2 3` or a `.npy` array. Where `is_checked`,
/// the result is checked independently. The result is an object of JSON: `result`, `modulus`, `algorithm`, `parameters`. Freed by
/// `manycore_text_free`.
///
/// # Safety
/// As the crate's section on safety asks; `operation` and `options` end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_operation_call(
    device: *const ManycoreDevice,
    operation: *const c_char,
    options: *const c_char,
    inputs: *const *const u8,
    lengths: *const usize,
    count: usize,
    is_checked: bool,
    seed: u64,
    result: *mut *mut c_char,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        let (device, name, options) =
            unsafe { (opened(device)?, text("operation", operation)?, text("options", options)?) };
        // SAFETY: by this function's contract.
        let (inputs, lengths, result) = unsafe {
            (
                arrays::read("inputs", inputs, count)?,
                arrays::read("lengths", lengths, count)?,
                arrays::out("result", result)?,
            )
        };
        let unknown = || Failure::invalid(format!("{name:?} is no operation: manycore_operations lists all"));
        let operation = operations::named(name).ok_or_else(unknown)?;
        let declaration = operation.declaration();
        let arguments = declaration.arguments_of_text(options).map_err(|error| Failure::of_operation(&error, &[]))?;
        let (mut input, mut names) = (Given::new(), Vec::with_capacity(count));
        for (place, (&bytes, &length)) in inputs.iter().zip(lengths).enumerate() {
            let name = declaration.inputs.get(place).map_or_else(|| format!("input {place}"), |of| of.name.to_owned());
            // SAFETY: by this function's contract.
            let bytes = unsafe { arrays::read(&name, bytes, length) }?;
            input = input.with(name.clone(), bytes);
            names.push(name);
        }
        let answer = input
            .call(operation, &arguments, &DeviceSet::from(device.clone()), (seed, is_checked))
            .map_err(|error| Failure::of_operation(&error, &names))?;
        *result = given(&json::text(&answer.json()));
        Ok(())
    })
}

/// Frees a text of this library; nothing for null.
///
/// # Safety
/// `text` is null, or of a function that says so, and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_text_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: by this function's contract it is of `CString::into_raw`.
        drop(unsafe { CString::from_raw(text) });
    }
}

//! The functions that are not passed on as they are: transfers, fills, copies and launches of buffers.
//!
//! Each counts its command and, where the plan says so, runs it with other data or leaves it out. A command that is left out
//! becomes a marker, so that waits and events stay what they were.

use std::mem::transmute;
use std::slice;

use crate::change::{Draws, change};
use crate::opened::{Opened, opened};
use crate::plan::{Command, Interference};
use crate::real::{CopyBuffer, FillBuffer, LaunchKernel, ReadBuffer, WriteBuffer};
use crate::types::{
    CL_PLATFORM_NOT_FOUND_KHR, Function, c_void, cl_bool, cl_command_queue, cl_event, cl_int, cl_kernel, cl_mem,
    cl_uint, size_t,
};

/// OpenCL's true.
const CL_TRUE: cl_bool = 1;
/// OpenCL's status of success.
const CL_SUCCESS: cl_int = 0;

/// The hook of a function, `None` where the function is passed on.
pub(crate) fn find(name: &str) -> Option<Function> {
    // SAFETY: the forwarder of the name gives the pointer back its signature before it calls.
    let function = unsafe {
        match name {
            "clEnqueueReadBuffer" => transmute::<ReadBuffer, Function>(read),
            "clEnqueueWriteBuffer" => transmute::<WriteBuffer, Function>(write),
            "clEnqueueFillBuffer" => transmute::<FillBuffer, Function>(fill),
            "clEnqueueCopyBuffer" => transmute::<CopyBuffer, Function>(copy),
            "clEnqueueNDRangeKernel" => transmute::<LaunchKernel, Function>(launch),
            _ => return None,
        }
    };
    Some(function)
}

/// The library and what to do to this command, or the status where there is no library.
fn meet(command: Command) -> Result<(&'static Opened, Option<Interference>), cl_int> {
    // A hook is found through the library, which is therefore there.
    let opened = opened().ok_or(CL_PLATFORM_NOT_FOUND_KHR)?;
    Ok((opened, opened.plan.meet(command)))
}

/// A marker in the place of a command.
///
/// # Safety
/// The arguments are valid for `clEnqueueMarkerWithWaitList`.
unsafe fn skip(
    opened: &Opened,
    queue: cl_command_queue,
    waits: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    opened.plan.done("skipped".to_owned());
    // SAFETY: what the caller vouches for.
    unsafe { (opened.real.marker)(queue, waits, wait_list, event) }
}

unsafe extern "system" fn read(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    offset: size_t,
    size: size_t,
    to: *mut c_void,
    waits: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let (opened, interference) = match meet(Command::Read) {
        Ok(met) => met,
        Err(status) => return status,
    };
    let blocking = if interference.is_some() { CL_TRUE } else { blocking };
    // SAFETY: the caller keeps the contract of the function; one that blocks asks for nothing more, and after it succeeded
    // the bytes are the caller's and were written.
    unsafe {
        if interference == Some(Interference::Skip) {
            return skip(opened, queue, waits, wait_list, event);
        }
        let status = (opened.real.read)(queue, buffer, blocking, offset, size, to, waits, wait_list, event);
        if let Some(Interference::Change(seed)) = interference
            && status == CL_SUCCESS
        {
            opened.plan.done(change(slice::from_raw_parts_mut(to.cast::<u8>(), size), seed));
        }
        status
    }
}

unsafe extern "system" fn write(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    offset: size_t,
    size: size_t,
    from: *const c_void,
    waits: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let (opened, interference) = match meet(Command::Write) {
        Ok(met) => met,
        Err(status) => return status,
    };
    let write = opened.real.write;
    // SAFETY: the caller keeps the contract of the function, so `from` has `size` bytes; the changed copy outlives a write that
    // blocks.
    unsafe {
        match interference {
            Some(Interference::Skip) => skip(opened, queue, waits, wait_list, event),
            Some(Interference::Change(seed)) if !from.is_null() => {
                let mut data = slice::from_raw_parts(from.cast::<u8>(), size).to_vec();
                opened.plan.done(change(&mut data, seed));
                write(queue, buffer, CL_TRUE, offset, size, data.as_ptr().cast(), waits, wait_list, event)
            }
            _ => write(queue, buffer, blocking, offset, size, from, waits, wait_list, event),
        }
    }
}

unsafe extern "system" fn fill(
    queue: cl_command_queue,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: size_t,
    offset: size_t,
    size: size_t,
    waits: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let (opened, interference) = match meet(Command::Fill) {
        Ok(met) => met,
        Err(status) => return status,
    };
    let fill = opened.real.fill;
    // SAFETY: the caller keeps the contract of the function, so the pattern has `pattern_size` bytes; the runtime has copied
    // the pattern when it returns.
    unsafe {
        match interference {
            Some(Interference::Skip) => skip(opened, queue, waits, wait_list, event),
            Some(Interference::Change(seed)) if !pattern.is_null() => {
                let mut data = slice::from_raw_parts(pattern.cast::<u8>(), pattern_size).to_vec();
                opened.plan.done(change(&mut data, seed));
                fill(queue, buffer, data.as_ptr().cast(), pattern_size, offset, size, waits, wait_list, event)
            }
            _ => fill(queue, buffer, pattern, pattern_size, offset, size, waits, wait_list, event),
        }
    }
}

unsafe extern "system" fn copy(
    queue: cl_command_queue,
    from: cl_mem,
    to: cl_mem,
    from_offset: size_t,
    to_offset: size_t,
    size: size_t,
    waits: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let (opened, interference) = match meet(Command::Copy) {
        Ok(met) => met,
        Err(status) => return status,
    };
    let copied = match interference {
        Some(Interference::Skip) => 0,
        Some(Interference::Change(seed)) if size > 0 => Draws::new(seed).below(size),
        _ => size,
    };
    // SAFETY: the caller keeps the contract of the function, and a copy that ends early stays within its ranges.
    unsafe {
        if copied == 0 && size > 0 {
            return skip(opened, queue, waits, wait_list, event);
        }
        if copied < size {
            opened.plan.done(format!("{copied} bytes of {size} copied"));
        }
        (opened.real.copy)(queue, from, to, from_offset, to_offset, copied, waits, wait_list, event)
    }
}

unsafe extern "system" fn launch(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const size_t,
    global: *const size_t,
    local: *const size_t,
    waits: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let (opened, interference) = match meet(Command::Launch) {
        Ok(met) => met,
        Err(status) => return status,
    };
    let launch = opened.real.launch;
    let length = dimensions as usize;
    // SAFETY: the caller keeps the contract of the function, so `global` has an entry for each dimension, and `local` too
    // where it is not null.
    unsafe {
        if opened.origins.is_miscompiled(queue, kernel) {
            return skip(opened, queue, waits, wait_list, event);
        }
        match interference {
            Some(Interference::Skip) => skip(opened, queue, waits, wait_list, event),
            Some(Interference::Change(seed)) if !global.is_null() => {
                let global = slice::from_raw_parts(global, length);
                let group =
                    if local.is_null() { vec![1; length] } else { slice::from_raw_parts(local, length).to_vec() };
                match fewer_groups(global, &group, seed) {
                    Some(fewer) => {
                        opened.plan.done(format!("grid {fewer:?} instead of {global:?}, in groups of {group:?}"));
                        let fewer = fewer.as_ptr();
                        launch(queue, kernel, dimensions, offset, fewer, local, waits, wait_list, event)
                    }
                    None => skip(opened, queue, waits, wait_list, event),
                }
            }
            _ => launch(queue, kernel, dimensions, offset, global, local, waits, wait_list, event),
        }
    }
}

/// A grid with fewer groups in the first dimension that has several; `None` where there is one group in all.
fn fewer_groups(global: &[size_t], group: &[size_t], seed: u64) -> Option<Vec<size_t>> {
    let groups = |dimension: usize| global[dimension] / group[dimension].max(1);
    let dimension = (0..global.len()).find(|&dimension| groups(dimension) > 1)?;
    let mut fewer = global.to_vec();
    fewer[dimension] = (1 + Draws::new(seed).below(groups(dimension) - 1)) * group[dimension];
    Some(fewer)
}

#[cfg(test)]
mod tests {
    use super::fewer_groups;

    #[test]
    fn grids_shrink_by_whole_groups() {
        for seed in 0..100 {
            let fewer = fewer_groups(&[64, 96], &[64, 32], seed).unwrap();
            assert!(fewer[0] == 64 && [32, 64].contains(&fewer[1]), "{fewer:?}");
        }
        assert_eq!(fewer_groups(&[2], &[1], 5), Some(vec![1]));
        assert_eq!(fewer_groups(&[64, 1], &[64, 1], 5), None);
        assert_eq!(fewer_groups(&[], &[], 5), None);
    }
}

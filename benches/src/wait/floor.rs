//! The floor of the time of a process: the driver loaded, the device opened, one small kernel built and run, by nothing but OpenCL's calls.

use std::ffi::CString;
use std::time::Instant;

use anyhow::{Context as _, Result};
use manycore_device::ocl::core;

/// The steps' names and seconds, in their order.
pub(crate) type Steps = Vec<(&'static str, f64)>;

const SOURCE: &str = "kernel void twice(global uint *x) { x[get_global_id(0)] *= 2; }";
const WORDS: usize = 1 << 20;

/// Opens the device of a platform's name or the first one with a GPU, and runs a kernel on it, to and fro.
pub(crate) fn steps(number: usize) -> Result<Steps> {
    let mut steps = Steps::new();
    let mut begun = Instant::now();
    let mut step = |name| {
        steps.push((name, begun.elapsed().as_secs_f64()));
        begun = Instant::now();
    };
    let platforms = core::get_platform_ids()?;
    let mut devices = Vec::new();
    for platform in platforms {
        devices.extend(core::get_device_ids(platform, None, None).unwrap_or_default());
    }
    let device = *devices.get(number).context("no such device")?;
    step("listing");
    let context = core::create_context(None::<&core::ContextProperties>, &[device], None, None)?;
    let queue = core::create_command_queue(&context, device, None)?;
    step("opening");
    let program = core::create_program_with_source(&context, &[CString::new(SOURCE)?])?;
    core::build_program(&program, Some(&[device]), &CString::new("")?, None, None)?;
    let kernel = core::create_kernel(&program, "twice")?;
    step("building");
    let words = vec![1u32; WORDS];
    // SAFETY: no memory of the host is used.
    let buffer = unsafe { core::create_buffer(&context, core::MEM_READ_WRITE, WORDS, None::<&[u32]>)? };
    // SAFETY: a blocking call.
    unsafe {
        core::enqueue_write_buffer(&queue, &buffer, true, 0, &words, None::<core::Event>, None::<&mut core::Event>)?;
    };
    step("upload");
    core::set_kernel_arg(&kernel, 0, core::ArgVal::mem(&buffer))?;
    // SAFETY: the buffer holds the words that the kernel changes.
    unsafe {
        let none = (None::<core::Event>, None::<&mut core::Event>);
        core::enqueue_kernel(&queue, &kernel, 1, None, &[WORDS, 1, 1], None, none.0, none.1)?;
    }
    core::finish(&queue)?;
    step("kernel");
    let mut found = vec![0u32; WORDS];
    // SAFETY: a blocking call.
    unsafe {
        core::enqueue_read_buffer(&queue, &buffer, true, 0, &mut found, None::<core::Event>, None::<&mut core::Event>)?;
    }
    step("download");
    anyhow::ensure!(found.iter().all(|&word| word == 2), "the kernel computed wrong");
    Ok(steps)
}

//! The work of a builder: a process that builds programs for another one.

use std::ffi::CString;
use std::io::{BufRead, Write};

use super::builders::split;
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::opencl::defines::option_text;
use crate::opencl::executor::OpenCl;
use crate::opencl::objects::{Context, Program};

/// Builds the programs whose names are the lines of `input`, for the device with this id, which is opened at the first one, and answers each
/// with an empty line, whether it could be built or not: what fails here fails again where it is needed.
///
/// # Errors
/// [`DeviceError::NoDevice`] and its like for an unknown device; [`DeviceError::Api`] where it cannot be opened; [`DeviceError::Unsupported`]
/// for the host.
pub fn serve(device: &str, input: impl BufRead, mut output: impl Write) -> Result<(), DeviceError> {
    let device = Device::select(device)?;
    let Executor::OpenCl(cl) = device.executor() else {
        return Err(DeviceError::Unsupported {
            device: device.info().name.clone(),
            feature: "compiler of OpenCL C".into(),
        });
    };
    let mut context = None;
    for name in input.lines().map_while(Result::ok) {
        // Whoever asks has one before.
        let context = match &context {
            Some(context) => context,
            None => context.insert(Context::of(cl.raw_id(), cl.name())?),
        };
        let _built = build_named(cl, context, &name);
        // Nobody reads it any more: the program that asked has ended.
        if output.write_all(b"\n").and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    Ok(())
}

/// Builds a program by its name, so that the driver keeps it.
fn build_named(cl: &OpenCl, context: &Context, name: &str) -> Option<()> {
    let (unit, options, wishes) = split(name)?;
    let options = CString::new(option_text(options, cl.info.exact_quotients)).ok()?;
    let program = Program::from_source(context, &manycore_kernels::spliced(unit), cl.name()).ok()?;
    program.build(cl.raw_id(), &options).ok()?;
    if let Some(text) = wishes.written_into(&program.binary()?) {
        Program::from_binary(context, cl.raw_id(), &text)?.build(cl.raw_id(), c"").ok()?;
    }
    Some(())
}

//! The host's time of a launch: the library's launches in a row beside the bare calls of OpenCL.
//!
//! A small kernel of several arguments is launched many times and waited for once. The library takes a launch's arguments, checks
//! them, sets those that changed and enqueues. Beside it are the bare call that enqueues the kernel with the arguments that it
//! has, and the bare calls that set every argument and enqueue.

mod bare;
mod scale;

use std::time::Instant;

use anyhow::{Result, bail};
use manycore_device::{Buffer, Defines, Device, DeviceError, DeviceKind, Executor, Kernel, OpenCl};
use manycore_model::fit::median;

use self::bare::Bare;
use self::scale::{ARGUMENTS, Arguments, GROUP, LEN, SCALE};
pub use self::scale::{Case, OPERATION};
use crate::lines::Launches;

/// Launches of a group, and groups of each kind in turns.
const LAUNCHES: u32 = 1000;
const GROUPS: usize = 11;

/// The cases for a kind of device: none on the host, which launches nothing.
pub fn cases(kind: DeviceKind) -> Vec<Case> {
    if kind == DeviceKind::Host { Vec::new() } else { vec![Case::Same, Case::Changing] }
}

/// Times a case.
///
/// # Errors
/// On the host, and when the device fails or computes wrong values.
pub fn run(device: &Device, case: &Case) -> Result<Launches> {
    let Executor::OpenCl(cl) = device.executor() else { bail!("the host launches nothing") };
    let kernel = cl.kernel(&SCALE, &Defines::new())?;
    let mut buffers = [device.upload(&[1.0_f32; LEN])?, device.upload(&[1.0_f32; LEN])?];
    let raw = Bare::new(device)?;
    let (mut bare, mut set, mut library, mut added) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // The first group of each builds and wakes what the others find, and does not count.
    for group in 0..=GROUPS {
        let own = timed(device, || (0..LAUNCHES).try_for_each(|i| launch(cl, &kernel, *case, i, &mut buffers)))?;
        // SAFETY: the last launch's grid, buffers and numbers; the buffers live on, and only this loop uses them.
        let bare_call = || unsafe { kernel.enqueue_alone(LEN / GROUP, GROUP) };
        let alone = timed(device, || (0..LAUNCHES).try_for_each(|_| bare_call()))?;
        let both = timed(device, || (0..LAUNCHES).try_for_each(|i| raw.launch(Arguments::of(*case, i))))?;
        if group > 0 {
            bare.push(alone);
            set.push(both);
            library.push(own);
            added.push(own - alone);
        }
    }
    let ones = |buffer: &Buffer<f32>| Ok::<_, DeviceError>(buffer.download()? == [1.0; LEN]);
    if !(ones(&buffers[0])? && ones(&buffers[1])? && raw.is_right()?) {
        bail!("wrong values");
    }
    let middle = |seconds: Vec<f64>| median(seconds).unwrap_or(f64::INFINITY);
    Ok(Launches {
        case: case.to_string(),
        device: device.info().id.clone(),
        arguments: ARGUMENTS,
        bare_seconds: middle(bare),
        set_seconds: middle(set),
        library_seconds: middle(library),
        added_seconds: middle(added),
    })
}

/// One launch of the library.
fn launch(
    cl: &OpenCl,
    kernel: &Kernel,
    case: Case,
    number: u32,
    [x, y]: &mut [Buffer<f32>; 2],
) -> Result<(), DeviceError> {
    let Arguments { swapped, a, b, shift } = Arguments::of(case, number);
    let (from, to) = if swapped { (y, x) } else { (x, y) };
    let launch = cl.launch(kernel).input(&*from).buffer(to).value(LEN as u64).value(a).value(b);
    launch.value(shift).value(LEN as u32 - 1).groups(LEN / GROUP, GROUP).run()
}

/// Seconds of one of the launches that `work` enqueues, until the last has ended.
fn timed<E: Into<anyhow::Error>>(device: &Device, work: impl FnOnce() -> Result<(), E>) -> Result<f64> {
    device.finish()?;
    let start = Instant::now();
    work().map_err(Into::into)?;
    device.finish()?;
    Ok(start.elapsed().as_secs_f64() / f64::from(LAUNCHES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_have_a_cost_on_opencl_devices_only() {
        assert!(cases(DeviceKind::Host).is_empty());
        assert!(run(&Device::host(), &Case::Same).is_err());
        for device in Device::opencl().unwrap_or_default() {
            for case in cases(device.info().kind) {
                let found = run(&device, &case).unwrap();
                assert!(
                    found.bare_seconds > 0.0 && found.set_seconds > 0.0 && found.library_seconds > 0.0,
                    "{found:?}"
                );
                assert_eq!(found.arguments, ARGUMENTS);
            }
        }
    }
}

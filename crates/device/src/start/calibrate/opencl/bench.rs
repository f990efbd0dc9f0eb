//! Measurements of an OpenCL device, and their times.

use super::super::samples::Samples;
use crate::device::Device;
use crate::error::DeviceError;
use crate::info::{DeviceInfo, DeviceKind};
use crate::opencl::executor::OpenCl;
use crate::timing::behind_fills;

/// Items of the microkernels' groups on a device, a power of two.
pub(super) fn group(info: &DeviceInfo) -> usize {
    power_of_two(info.group_limit.min(if info.kind == DeviceKind::Cpu { 64 } else { 256 }))
}

/// The largest power of two up to `limit`, at least 1: the kernel of tiles takes no other groups.
pub(super) fn power_of_two(limit: usize) -> usize {
    1 << limit.max(1).ilog2()
}

/// The measurements, with sizes that suit the kind of device.
pub(super) struct Bench<'a> {
    pub(super) device: &'a Device,
    pub(super) cl: &'a OpenCl,
    pub(super) samples: &'a mut Samples,
    pub(super) gpu: bool,
    pub(super) units: usize,
    pub(super) group: usize,
    /// Seconds of the device from one launch's end to the next one's begin.
    pub(super) gap_seconds: f64,
}

impl Bench<'_> {
    /// The largest power of two of bytes, up to `wanted`, that is a small part of the memory and that one buffer may
    /// have.
    pub(super) fn buffer_bytes(&self, wanted: u64) -> u64 {
        let info = self.cl.info();
        1 << wanted.min(info.memory_bytes / 8).min(info.largest_allocation_bytes).max(1 << 16).ilog2()
    }

    /// The median seconds of `work` by the device's clock, after one run that does not count. On GPUs its launches are
    /// queued when the device comes to them: otherwise a host that enqueues slower than the device runs would measure
    /// its own speed.
    pub(super) fn seconds(&mut self, mut work: impl FnMut() -> Result<(), DeviceError>) -> Result<f64, DeviceError> {
        let (device, gpu) = (self.device, self.gpu);
        let found = self.samples.measure(|runs| {
            if gpu && let Some(seconds) = behind_fills(device, 1, runs, &mut work)? {
                return Ok(seconds);
            }
            let mut once = || -> Result<f64, DeviceError> {
                let (done, seconds) = device.elapsed(&mut work)?;
                done.map(|()| seconds)
            };
            once()?;
            (0..runs).map(|_| once()).collect::<Result<Vec<f64>, DeviceError>>()
        })?;
        Ok(found.median)
    }

    /// The least power of two of rounds for which `run` takes long enough to be measured.
    pub(super) fn long_enough(&self, mut run: impl FnMut(u32) -> Result<(), DeviceError>) -> Result<u32, DeviceError> {
        let wanted = if self.gpu { 3e-4 } else { 1e-3 };
        let mut rounds = 1u32;
        // The first run of a kernel may compile it.
        run(rounds)?;
        loop {
            let (done, seconds) = self.device.elapsed(|| run(rounds))?;
            done?;
            if seconds >= wanted || rounds >= 1 << 20 {
                return Ok(rounds);
            }
            rounds *= if seconds < wanted / 16.0 { 8 } else { 2 };
        }
    }

    /// Seconds without those of a launch, which are a small part of them.
    pub(super) fn net(&self, seconds: f64) -> f64 {
        (seconds - self.gap_seconds).max(seconds / 2.0)
    }
}

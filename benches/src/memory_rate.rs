//! The floor of all times: the rate at which a device reads and writes a number of bytes.
//!
//! The rate is the better one of a copy between two buffers and of a change of one buffer in place, measured on the
//! same device in the same run. Arrays that fit a cache move faster than memory allows, so each size has its own rate.

use std::collections::HashMap;

use anyhow::Result;
use manycore_device::{Buffer, Device, DeviceKind, Executor};
use manycore_spectral::{Spectral, Walsh};

use crate::measure::{Effort, measure};

/// Rates of one device, measured at their first use.
#[derive(Debug)]
pub struct MemoryRate {
    device: Device,
    rates: HashMap<u32, f64>,
}

/// Past the caches of processors (GPUs: with a few hundred microseconds a copy, past the noise of a launch).
const LOG_BYTES_HOST: u32 = 28;
const LOG_BYTES_GPU: u32 = 30;
/// Transfers of fewer bytes measure overhead only.
const LEAST_LOG_BYTES: u32 = 12;
/// Bytes that are worth a thread.
const CHUNK_BYTES: usize = 64 << 10;
const EFFORT: Effort = Effort { group_seconds: 2e-3, groups: 7, case_seconds: 0.15 };

impl MemoryRate {
    /// Nothing is measured yet.
    pub fn new(device: &Device) -> Self {
        Self { device: device.clone(), rates: HashMap::new() }
    }

    /// Bytes read and written a second, for an array larger than every cache.
    ///
    /// # Errors
    /// When the device fails.
    pub fn past_caches(&mut self) -> Result<f64> {
        self.at(self.largest())
    }

    /// The seconds that one read and one write of `bytes` bytes take at least.
    ///
    /// # Errors
    /// When the device fails.
    pub fn floor_seconds(&mut self, bytes: u64) -> Result<f64> {
        let large = self.past_caches()?;
        let log_bytes = bytes.max(1).ilog2().clamp(LEAST_LOG_BYTES, self.largest());
        // A small copy on a GPU is all launch, which a floor must not contain.
        Ok(2.0 * bytes as f64 / self.at(log_bytes)?.max(large))
    }

    fn largest(&self) -> u32 {
        let info = self.device.info();
        let wanted = if info.kind == DeviceKind::Gpu { LOG_BYTES_GPU } else { LOG_BYTES_HOST };
        let limit = info.largest_allocation_bytes.min(info.memory_bytes / 8).max(1).ilog2();
        wanted.min(limit).max(LEAST_LOG_BYTES)
    }

    fn at(&mut self, log_bytes: u32) -> Result<f64> {
        if let Some(&rate) = self.rates.get(&log_bytes) {
            return Ok(rate);
        }
        let len = 1_usize << (log_bytes - 2);
        // Filled, because pages that were never written all read from one page in cache.
        let mut source = self.device.scratch::<f32>(len)?;
        source.fill(0.0)?;
        let mut target = self.device.scratch::<f32>(len)?;
        target.fill(0.0)?;
        let spectral = Spectral::new(&self.device);
        let device = &self.device;
        // What fits the cache of one processor can be slower with more threads.
        let mut best = f64::INFINITY;
        for most_threads in [usize::MAX, 1] {
            let copied = measure(EFFORT, usize::MAX, |repeats| {
                let runs = || (0..repeats).try_for_each(|_| copy(device, &source, &mut target, most_threads));
                let (done, seconds) = device.elapsed(runs)?;
                done.map(|()| seconds)
            })?;
            let changed = measure(EFFORT, usize::MAX, |repeats| {
                let runs = || (0..repeats).try_for_each(|_| change(&spectral, &mut target, most_threads));
                let (done, seconds) = device.elapsed(runs)?;
                done.map(|()| seconds)
            })?;
            best = best.min(copied.median).min(changed.median);
            if device.info().kind != DeviceKind::Host || device.info().compute_units == 1 {
                break;
            }
        }
        let rate = 2.0 * f64::from(log_bytes).exp2() / best;
        self.rates.insert(log_bytes, rate);
        Ok(rate)
    }
}

/// Copies with every thread of the host, or by the driver.
fn copy(device: &Device, source: &Buffer<f32>, target: &mut Buffer<f32>, most_threads: usize) -> Result<()> {
    match (device.executor(), source.as_host()) {
        (Executor::Host(pool), Some(from)) => {
            let Some(to) = target.as_host_mut() else { return Ok(()) };
            let chunk = chunk(from.len(), pool.threads().min(most_threads));
            if chunk == from.len() {
                to.copy_from_slice(from);
            } else {
                let parts = to.chunks_mut(chunk).zip(from.chunks(chunk));
                pool.team().each(parts, |(to, from)| to.copy_from_slice(from));
            }
        }
        _ => target.copy_from(source)?,
    }
    Ok(())
}

/// Changes every value in place: by all threads of the host, or as transforms of pairs, one pass of one kernel. The
/// values are zeros and stay so.
fn change(spectral: &Spectral, x: &mut Buffer<f32>, most_threads: usize) -> Result<()> {
    let add = |part: &mut [f32]| {
        for value in part {
            *value += *value;
        }
    };
    if let Executor::Host(pool) = spectral.device().executor() {
        let Some(x) = x.as_host_mut() else { return Ok(()) };
        let chunk = chunk(x.len(), pool.threads().min(most_threads));
        if chunk == x.len() {
            add(x);
        } else {
            pool.team().each(x.chunks_mut(chunk), add);
        }
    } else {
        spectral.walsh(x, &Walsh::new().wrapping().batch(2))?;
    }
    Ok(())
}

/// Values of each thread's part: all of them where threads do not pay.
fn chunk(len: usize, threads: usize) -> usize {
    len.div_ceil(threads).max(CHUNK_BYTES / 4).min(len)
}

#[cfg(test)]
mod tests {
    use super::{MemoryRate, chunk};
    use manycore_device::Device;

    #[test]
    fn parts_are_whole_or_one_a_thread() {
        assert_eq!(chunk(1 << 10, 4), 1 << 10);
        assert_eq!(chunk(1 << 20, 4), 1 << 18);
        assert_eq!(chunk(1 << 20, 3), 349_526);
    }

    #[test]
    fn floors_grow_with_the_bytes() {
        let mut rate = MemoryRate::new(&Device::host());
        let (small, large) = (rate.floor_seconds(1 << 16).unwrap(), rate.floor_seconds(1 << 26).unwrap());
        assert!(small > 0.0 && large > 10.0 * small, "{small} {large}");
    }
}

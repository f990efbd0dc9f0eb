//! Machines before their calibration: rates in proportion to the facts that a device reports.

use super::{CacheLevel, ExecutionModel, Machine, Rates, SegmentRate, Source};

/// A kind of machine, with the facts that its driver or operating system reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its vendor.
    pub vendor: String,
    /// Compute units, or threads.
    pub processors: u32,
    /// Cycles a second; 0, or more than 10^12, where unknown.
    pub clock_hz: u64,
    /// Bytes of local memory of a block.
    pub local_bytes: u64,
    /// Threads of a block, at most.
    pub block_threads: u32,
    /// Whether it has double-precision arithmetic.
    pub fp64: bool,
}

/// Machines that were calibrated when the library was made, by the name that their driver gives.
const KNOWN: &[&str] = &[include_str!("known/nvidia_h200.json")];

impl Machine {
    /// The machine measured on a device of this name, if the library knows it. Its source is [`Source::Typical`]: it
    /// was measured on another one.
    ///
    /// ```
    /// use manycore_model::Machine;
    /// assert_eq!(Machine::known("NVIDIA H200").map(|machine| machine.processors), Some(132));
    /// assert!(Machine::known("an abacus").is_none());
    /// ```
    pub fn known(name: &str) -> Option<Self> {
        KNOWN
            .iter()
            .filter_map(|text| serde_json::from_str::<Self>(text).ok())
            .find(|machine| machine.name == name)
            .and_then(|machine| machine.checked().ok())
    }
}

impl Class {
    fn clock(&self, otherwise: f64) -> f64 {
        // Some drivers do not know it and say anything.
        if (1..=1_000_000_000_000).contains(&self.clock_hz) { self.clock_hz as f64 } else { otherwise }
    }

    /// The host's threads and vectors: vectors of 256 bits, two channels of memory.
    pub fn host(&self) -> Machine {
        let clock = self.clock(3e9);
        let cores = f64::from(self.processors.max(1));
        let bandwidth = 20e9 * cores.min(8.0);
        Machine {
            block_threads: 1,
            local_bytes: self.local_bytes.max(256 << 10),
            rates: Rates {
                int32: 4.0 * clock * cores,
                int64: clock * cores,
                f32: 8.0 * clock * cores,
                f64: 4.0 * clock * cores,
                scalar: Some(1.5 * clock * cores),
            },
            // Out-of-order cores with vectors: the rates include the latency.
            operation_latency_seconds: 0.0,
            bandwidth,
            processor_bandwidth: 20e9,
            segments: vec![SegmentRate { bytes: 64, rate: bandwidth / 2.0 }],
            caches: vec![
                CacheLevel { bytes: (512 << 10) * u64::from(self.processors.max(1)), rate: 80e9 * cores },
                // Processors of many cores have a last cache for each group of them.
                CacheLevel { bytes: (16 << 20).max((1 << 20) * u64::from(self.processors)), rate: 40e9 * cores },
            ],
            local_bandwidth: 150e9 * cores,
            launch_seconds: 2e-6,
            round_trip_seconds: 1e-5,
            ..self.base(ExecutionModel::Host, clock)
        }
    }

    /// A CPU through OpenCL: work-items are turns of a loop, often without vectors; local memory is cache.
    pub fn opencl_cpu(&self) -> Machine {
        let cores = f64::from(self.processors.max(1));
        let scalar = 2.0 * self.clock(3e9) * cores;
        Machine {
            execution_model: ExecutionModel::OpenClCpu,
            block_threads: self.block_threads.max(1),
            local_bytes: self.local_bytes.max(1 << 15),
            rates: Rates { int32: scalar, int64: scalar / 2.0, f32: scalar, f64: scalar, scalar: None },
            local_bandwidth: 10e9 * cores,
            // A cache gives eight bytes as fast as four.
            local_bandwidth_8_bytes: Some(20e9 * cores),
            launch_seconds: 2e-5,
            round_trip_seconds: 5e-5,
            ..self.host()
        }
    }

    /// A GPU: the machine measured on one of this name, where the library knows it; else one with its vendor's lanes a
    /// compute unit and the memory that suits them.
    pub fn gpu(&self) -> Machine {
        if let Some(known) = Machine::known(&self.name) {
            return known;
        }
        let clock = self.clock(1.5e9);
        let units = f64::from(self.processors.max(1));
        let vendor = self.vendor.to_lowercase();
        // Single-precision multiply-adds of a compute unit in a cycle, and its share of the memory's bytes a second.
        let (lanes, share) = match () {
            () if vendor.contains("nvidia") || vendor.contains("apple") => (128.0, 16e9),
            () if vendor.contains("advanced micro devices") || vendor.contains("amd") => (64.0, 12e9),
            () if vendor.contains("intel") => (16.0, 1e9),
            () => (64.0, 8e9),
        };
        let bandwidth = share * units;
        let f32 = lanes * clock * units;
        let double = if self.fp64 { f32 / 4.0 } else { 0.0 };
        Machine {
            rates: Rates { int32: f32 / 2.0, int64: f32 / 8.0, f32, f64: double, scalar: None },
            bandwidth,
            processor_bandwidth: 3.0 * bandwidth / units,
            segments: vec![
                SegmentRate { bytes: 32, rate: bandwidth * 0.7 },
                SegmentRate { bytes: 64, rate: bandwidth * 0.85 },
                SegmentRate { bytes: 128, rate: bandwidth * 0.95 },
            ],
            caches: vec![CacheLevel { bytes: u64::from(self.processors.max(1)) * (128 << 10), rate: 2.0 * bandwidth }],
            local_bandwidth: lanes * clock * units,
            launch_seconds: 4e-6,
            round_trip_seconds: 1.5e-5,
            ..self.base(ExecutionModel::Gpu, clock)
        }
    }

    fn base(&self, execution_model: ExecutionModel, clock_hz: f64) -> Machine {
        Machine {
            name: self.name.clone(),
            execution_model,
            processors: self.processors.max(1),
            clock_hz,
            local_bytes: self.local_bytes.max(1 << 14),
            block_threads: self.block_threads.max(1),
            rates: Rates { int32: clock_hz, int64: clock_hz, f32: clock_hz, f64: clock_hz, scalar: None },
            operation_latency_seconds: 4.0 / clock_hz,
            bandwidth: 1e10,
            processor_bandwidth: 1e10,
            segments: Vec::new(),
            caches: Vec::new(),
            local_bandwidth: 1e10,
            local_bandwidth_8_bytes: None,
            launch_seconds: 0.0,
            round_trip_seconds: 0.0,
            source: Source::Typical,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typical_machines_make_sense() {
        for processors in [0, 1, 2, 16, 17, 32, 33, 64, 256, u32::MAX] {
            for (vendor, fp64) in [("NVIDIA Corporation", true), ("Intel(R) Corporation", false), ("", true)] {
                for (clock_hz, local_bytes, block_threads) in [(0, 0, 0), (1, 1, 1), (u64::MAX, 48 << 10, 1024)] {
                    let vendor = vendor.to_owned();
                    let name = "one".to_owned();
                    let class = Class { name, vendor, processors, clock_hz, local_bytes, block_threads, fp64 };
                    for machine in [class.host(), class.opencl_cpu(), class.gpu()] {
                        assert_eq!(machine.clone().checked(), Ok(machine));
                    }
                }
            }
        }
    }
}

//! Limits of a device on the tiles of its kernels.

use crate::error::DeviceError;
use crate::info::DeviceKind;
use crate::opencl::executor::OpenCl;
use crate::word::WordType;

/// Items of the largest group that kernels of tiles take.
const MOST_ITEMS: usize = 1024;

/// Limits of a device on the tiles of its kernels: local memory, group size, registers, memory segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of local memory that a kernel's static arrays can have.
    pub local_bytes: usize,
    /// Items of the largest group.
    pub group_limit: usize,
    /// Bytes of one memory segment that the device fetches at full speed.
    pub segment_bytes: usize,
    /// Values of 4 bytes that a work-item keeps in registers, as a base-2 logarithm; of 8 bytes, one less.
    pub log_regs: u32,
    /// Whether passes that read a short array several times, in place of a launch more, are candidates: on GPUs.
    pub redundant_read: bool,
}

impl Limits {
    /// Limits from a device's local memory and group size: 128-byte segments, 32 registers an item.
    pub const fn new(local_bytes: usize, group_limit: usize) -> Self {
        Self { local_bytes, group_limit, segment_bytes: 128, log_regs: 5, redundant_read: true }
    }

    /// The limits of a device.
    ///
    /// # Errors
    /// If the device does not report its local memory.
    pub fn of(cl: &OpenCl) -> Result<Self, DeviceError> {
        let mut limits = Self::new(cl.local_limit_bytes()?, cl.info().group_limit.min(MOST_ITEMS));
        if cl.info().kind != DeviceKind::Gpu {
            // Work-items of a CPU share its caches: small tiles stay there, and more registers would spill.
            limits.local_bytes = limits.local_bytes.min(64 << 10);
            limits.group_limit = limits.group_limit.min(256);
            limits.log_regs = 4;
            limits.redundant_read = false;
        }
        if cl.is_limited() {
            // A group of all its items fills the local memory once, so that tiles are as small as it.
            let words = limits.local_bytes / WordType::U32.bytes() / limits.group_limit.max(1);
            limits.log_regs = words.max(1).ilog2().clamp(1, limits.log_regs);
        }
        Ok(limits)
    }

    /// The limits with `local_bytes` bytes of local memory.
    #[must_use]
    pub const fn with_local_bytes(self, local_bytes: usize) -> Self {
        Self { local_bytes, ..self }
    }

    /// The limits of a CPU: `2^log_regs` values in registers, and no redundant reads of short arrays.
    #[must_use]
    pub const fn without_redundant_read(self, log_regs: u32) -> Self {
        Self { log_regs, redundant_read: false, ..self }
    }

    /// The limits with at least `2^log_regs` values of 4 bytes in registers, for kernels that take no fewer.
    #[must_use]
    pub fn with_least_registers(self, log_regs: u32) -> Self {
        Self { log_regs: self.log_regs.max(log_regs), ..self }
    }

    /// The base-2 logarithm of the values of a type that a work-item keeps in registers.
    pub fn log_regs(&self, element: WordType) -> u32 {
        if element.bytes() == 8 { self.log_regs - 1 } else { self.log_regs }
    }

    /// The binary logarithm of the values in registers for a tile of `2^log_tile` values: 32 registers of 4 bytes pay where the tile is
    /// large.
    pub fn log_regs_of(&self, log_tile: u32, element: WordType) -> u32 {
        let least = log_tile.saturating_sub(self.group_limit.max(1).ilog2());
        self.log_regs(element).min(log_tile.saturating_sub(8).max(4)).max(least).min(log_tile - 1)
    }

    /// The base-2 logarithm of the values of the largest tile.
    pub fn log_tile(&self, element: WordType) -> u32 {
        let by_memory = (self.local_bytes / element.bytes()).max(1).ilog2();
        by_memory.min(self.group_limit.max(1).ilog2() + self.log_regs(element))
    }

    /// The base-2 logarithm of the values of a memory segment.
    pub fn log_segment(&self, element: WordType) -> u32 {
        (self.segment_bytes / element.bytes()).max(1).ilog2()
    }
}

//! Pinned blocks of the host's memory, which a device reads and writes directly.

use std::sync::Mutex;

use super::calls::failure;
use super::objects::{Context, Mapping, Memory, Queue};
use crate::error::DeviceError;
use crate::info::DeviceInfo;

/// The two blocks, made at first use; one transfer at a time uses them.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    pub(super) blocks: Mutex<Option<[PinnedBlock; 2]>>,
}

/// Host memory that the device reads and writes directly, mapped for as long as it lives.
#[derive(Debug)]
pub(crate) struct PinnedBlock {
    memory: Memory,
    mapping: Mapping,
    bytes: usize,
}

// SAFETY: the block is plain memory, reached through `&` and `&mut` as its owner is.
unsafe impl Sync for PinnedBlock {}

impl PinnedBlock {
    /// Zeros, on the device of these facts.
    pub(crate) fn new(context: &Context, queue: &Queue, bytes: usize, info: &DeviceInfo) -> Result<Self, DeviceError> {
        let bytes = bytes.max(1);
        let memory = Memory::allocate(context, bytes, true).map_err(|code| match code {
            -6..=-4 | -61 => DeviceError::OutOfMemory {
                device: info.name.clone(),
                wanted_bytes: bytes as u64,
                free_or_limit_bytes: info.largest_allocation_bytes,
                reason: "pinned host memory",
            },
            code => failure(code, "clCreateBuffer", &info.name),
        })?;
        let refused = |code| failure(code, "clEnqueueMapBuffer", &info.name);
        let mapping = queue.map(&memory, bytes).map_err(refused)?;
        let mut block = Self { memory, mapping, bytes };
        block.bytes_mut().fill(0);
        Ok(block)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: `self.bytes` bytes are mapped until the block is dropped, and were written at least once.
        unsafe { self.mapping.as_slice(self.bytes) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `self` is borrowed mutably. The driver gives memory that holds some bytes.
        unsafe { self.mapping.as_slice_mut(self.bytes) }
    }

    /// Ends the mapping.
    pub(crate) fn unmap(&mut self, queue: &Queue, device: &str) {
        // Failure leaves it mapped until the context ends.
        let _ = queue.unmap(&self.memory, &self.mapping);
        let _ = queue.finish(device);
    }
}

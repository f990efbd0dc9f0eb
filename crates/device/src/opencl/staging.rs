//! Pinned memory between pageable host memory and a GPU.
//!
//! A GPU reads pinned host memory several times faster than pageable memory. Large transfers go through two pinned
//! blocks in turn: while one travels, the other is filled or emptied by the host's threads. Where the blocks are in use
//! by another transfer, or cannot be had, a transfer goes without them.

use std::sync::{Mutex, TryLockError};

use rayon::prelude::*;

use super::OpenCl;
use super::calls::failure;
use super::objects::{Event, Mapping, Memory};
use crate::error::DeviceError;
use crate::info::DeviceKind;

/// Bytes of one staging block.
const BLOCK: usize = 16 << 20;
/// Transfers below this go directly.
const SMALLEST: usize = 1 << 20;
/// Bytes that one task copies.
const TASK: usize = 1 << 19;

/// The two blocks, made at first use; one transfer at a time uses them.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    blocks: Mutex<Option<[PinnedBlock; 2]>>,
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
    pub(crate) fn new(device: &OpenCl, bytes: usize) -> Result<Self, DeviceError> {
        let opened = device.opened()?;
        let bytes = bytes.max(1);
        let memory = Memory::allocate(&opened.context, bytes, true).map_err(|code| match code {
            -6..=-4 | -61 => DeviceError::OutOfMemory {
                device: device.name().to_owned(),
                wanted_bytes: bytes as u64,
                free_or_limit_bytes: device.info().largest_allocation_bytes,
                reason: "pinned host memory",
            },
            code => failure(code, "clCreateBuffer", device.name()),
        })?;
        let refused = |code| failure(code, "clEnqueueMapBuffer", device.name());
        let mapping = opened.queue.map(&memory, bytes).map_err(refused)?;
        let mut block = Self { memory, mapping, bytes };
        block.bytes_mut().fill(0);
        Ok(block)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes are mapped until the block is dropped, and were written at least once.
        unsafe { self.mapping.as_slice(self.bytes) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `self` is borrowed mutably. The driver gives memory that holds some bytes.
        unsafe { self.mapping.as_slice_mut(self.bytes) }
    }

    /// Ends the mapping.
    pub(crate) fn unmap(&mut self, device: &OpenCl) {
        if let Ok(opened) = device.opened() {
            // Failure leaves it mapped until the context ends.
            let _ = opened.queue.unmap(&self.memory, &self.mapping);
            let _ = opened.queue.finish(device.name());
        }
    }
}

impl OpenCl {
    /// Whether a transfer of so many bytes goes through pinned memory.
    pub(crate) fn stages(&self, bytes: usize) -> bool {
        self.info().kind == DeviceKind::Gpu && bytes >= SMALLEST
    }

    /// Runs `work` with the two blocks; tells whether they were to be had.
    fn with_blocks(
        &self,
        work: impl FnOnce(&mut [PinnedBlock; 2]) -> Result<(), DeviceError>,
    ) -> Result<bool, DeviceError> {
        let opened = self.opened()?;
        // Never waits: a thread that copies below may take up another task of its pool meanwhile, which may come here
        // again and would wait for itself.
        let mut guard = match opened.staging.blocks.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        let blocks = match &mut *guard {
            Some(blocks) => blocks,
            none => match (PinnedBlock::new(self, BLOCK), PinnedBlock::new(self, BLOCK)) {
                (Ok(first), Ok(second)) => none.insert([first, second]),
                _ => return Ok(false),
            },
        };
        let outcome = work(blocks);
        // A part may still be on its way. Blocks of which nobody knows when it has ended are not used again: the runtime frees
        // them after that.
        if outcome.is_err() && opened.queue.finish(self.name()).is_err() {
            *guard = None;
        }
        outcome.map(|()| true)
    }

    /// Writes through the blocks; tells whether they were to be had.
    pub(crate) fn write_staged(&self, memory: &Memory, offset: usize, data: &[u8]) -> Result<bool, DeviceError> {
        let queue = &self.opened()?.queue;
        self.with_blocks(|blocks| {
            let mut sent: [Option<Event>; 2] = [None, None];
            for (i, chunk) in data.chunks(BLOCK).enumerate() {
                let k = i % 2;
                if let Some(event) = sent[k].take() {
                    event.wait(self.name())?;
                }
                let staged = &mut blocks[k].bytes_mut()[..chunk.len()];
                copy(chunk, staged);
                self.write_from(memory, offset + i * BLOCK, staged, false)?;
                sent[k] = Some(queue.marker(self.name())?);
                queue.flush(self.name())?;
            }
            sent.into_iter().flatten().try_for_each(|event| event.wait(self.name()))
        })
    }

    /// Reads through the blocks; tells whether they were to be had.
    pub(crate) fn read_staged(&self, memory: &Memory, offset: usize, out: &mut [u8]) -> Result<bool, DeviceError> {
        let queue = &self.opened()?.queue;
        self.with_blocks(|blocks| {
            let total = out.len();
            let start = |i: usize, blocks: &mut [PinnedBlock; 2]| -> Result<Event, DeviceError> {
                let bytes = BLOCK.min(total - i * BLOCK);
                self.read_to(memory, offset + i * BLOCK, &mut blocks[i % 2].bytes_mut()[..bytes], false)?;
                let event = queue.marker(self.name())?;
                queue.flush(self.name())?;
                Ok(event)
            };
            let mut arriving = Some(start(0, blocks)?);
            for (i, chunk) in out.chunks_mut(BLOCK).enumerate() {
                let here = arriving.take();
                if (i + 1) * BLOCK < total {
                    arriving = Some(start(i + 1, blocks)?);
                }
                if let Some(event) = here {
                    event.wait(self.name())?;
                }
                copy(&blocks[i % 2].bytes()[..chunk.len()], chunk);
            }
            Ok(())
        })
    }
}

/// Copies with several threads: one alone is slower than the bus.
fn copy(from: &[u8], to: &mut [u8]) {
    to.par_chunks_mut(TASK).zip(from.par_chunks(TASK)).for_each(|(to, from)| to.copy_from_slice(from));
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::{BLOCK, SMALLEST};
    use crate::device::{Device, Executor};

    /// Held by the test that uses the blocks.
    static TURN: Mutex<()> = Mutex::new(());

    /// On every device, though only GPUs take this way by themselves.
    #[test]
    fn transfers_through_the_blocks_come_back_as_they_went() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        for device in Device::opencl().unwrap_or_default() {
            let Executor::OpenCl(cl) = device.executor() else { continue };
            for bytes in [1, SMALLEST, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 12_345] {
                let data: Vec<u8> = (0..=250).cycle().take(bytes).collect();
                let x = device.zeros::<u8>(bytes + 7).unwrap();
                let (_, memory) = x.opencl().unwrap();
                assert!(cl.write_staged(memory, 5, &data).unwrap());
                let mut out = vec![1; bytes];
                assert!(cl.read_staged(memory, 5, &mut out).unwrap());
                assert!(out == data, "{device:?}: {bytes} bytes");
                let all = x.download().unwrap();
                assert!(all[..5] == [0; 5] && all[5..bytes + 5] == data && all[bytes + 5..] == [0; 2], "{device:?}");
            }
        }
    }

    #[test]
    fn blocks_in_use_are_not_waited_for() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        for device in Device::opencl().unwrap_or_default() {
            let Executor::OpenCl(cl) = device.executor() else { continue };
            let x = device.zeros::<u8>(8).unwrap();
            let (_, memory) = x.opencl().unwrap();
            let within = cl.with_blocks(|_| {
                assert!(!cl.write_staged(memory, 0, &[1; 8]).unwrap());
                assert!(!cl.read_staged(memory, 0, &mut [0; 8]).unwrap());
                Ok(())
            });
            assert!(within.unwrap());
            assert_eq!(x.download().unwrap(), [0; 8]);
        }
    }
}

//! Pinned memory between pageable host memory and a GPU.
//!
//! A GPU reads pinned host memory several times faster than pageable memory. Large transfers go through two pinned
//! blocks in turn: while one travels, the other is filled or emptied by the host's threads. Where the blocks are in use
//! by another transfer, or cannot be had, a transfer goes without them.

use std::sync::TryLockError;

use rayon::prelude::*;

use super::executor::OpenCl;
use super::objects::{Event, Memory};
use super::pinned::PinnedBlock;
use crate::error::DeviceError;
use crate::info::DeviceKind;

/// Bytes of one staging block. To wake the threads that copy takes some 0.4 ms a part on 32 cores: on an H200 one way through parts
/// of 4 MiB moves 6 to 8 GB/s, of 16 MiB 28, of 64 MiB 45, as pinned memory itself does.
const BLOCK: usize = 64 << 20;
/// Bytes of a part at least, where a transfer has more: several overlap then.
const LEAST_PART: usize = 16 << 20;
/// Transfers below this go directly.
const SMALLEST: usize = 1 << 20;
/// Bytes that one task copies, a multiple of every word's: one thread alone is slower than the bus.
pub(crate) const TASK: usize = 2 << 20;

/// Bytes of a part of a transfer of `bytes` bytes: a quarter, at most a block, so that the host's copy of one part overlaps the transfer of
/// another.
fn part_bytes(bytes: usize) -> usize {
    (bytes / 4).next_multiple_of(TASK).clamp(LEAST_PART, BLOCK)
}

impl OpenCl {
    /// Whether a transfer of `bytes` bytes goes through pinned memory.
    pub(crate) fn stages(&self, bytes: usize) -> bool {
        self.info().kind == DeviceKind::Gpu && bytes >= SMALLEST
    }

    /// A pinned block of zeros.
    pub(crate) fn pinned(&self, bytes: usize) -> Result<PinnedBlock, DeviceError> {
        let opened = self.opened()?;
        PinnedBlock::new(&opened.context, &opened.queue, bytes, self.info())
    }

    /// Runs `work` with the two blocks, of at least the given number of bytes; returns whether they were available.
    fn with_blocks(
        &self,
        bytes: usize,
        work: impl FnOnce(&mut [PinnedBlock; 2]) -> Result<(), DeviceError>,
    ) -> Result<bool, DeviceError> {
        let opened = self.opened()?;
        // Never waits: a thread that copies below may run another task of its pool meanwhile; if that task comes here,
        // waiting would be a deadlock.
        let mut guard = match opened.staging.blocks.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        // Pinned memory takes a while to make: short transfers make no more than they need.
        if let Some(small) = guard.as_mut().filter(|blocks| blocks[0].bytes().len() < bytes) {
            for block in small {
                block.unmap(&opened.queue, self.name());
            }
            *guard = None;
        }
        let blocks = match &mut *guard {
            Some(blocks) => blocks,
            none => match (self.pinned(bytes), self.pinned(bytes)) {
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

    /// Writes `bytes` bytes through the blocks, to byte `offset`: several threads call `fill` with the first byte of a part of at
    /// most [`TASK`] bytes, and the part. Returns whether the blocks were available.
    pub(crate) fn write_staged(
        &self,
        memory: &Memory,
        offset: usize,
        bytes: usize,
        fill: impl Fn(usize, &mut [u8]) + Sync,
    ) -> Result<bool, DeviceError> {
        let queue = &self.opened()?.queue;
        let most = part_bytes(bytes);
        self.with_blocks(most, |blocks| {
            let mut sent: [Option<Event>; 2] = [None, None];
            for (i, start) in (0..bytes).step_by(most).enumerate() {
                let k = i % 2;
                if let Some(event) = sent[k].take() {
                    event.wait(self.name())?;
                }
                let staged = &mut blocks[k].bytes_mut()[..most.min(bytes - start)];
                staged.par_chunks_mut(TASK).enumerate().for_each(|(task, part)| fill(start + task * TASK, part));
                self.write_from(memory, offset + start, staged, false)?;
                sent[k] = Some(queue.marker(self.name())?);
                queue.flush(self.name())?;
            }
            sent.into_iter().flatten().try_for_each(|event| event.wait(self.name()))
        })
    }

    /// Reads `total` bytes through the blocks, from byte `offset`: several threads call `take` with the first byte of a part of at
    /// most [`TASK`] bytes, and the part. Returns whether the blocks were available.
    pub(crate) fn read_staged(
        &self,
        memory: &Memory,
        offset: usize,
        total: usize,
        take: impl Fn(usize, &[u8]) + Sync,
    ) -> Result<bool, DeviceError> {
        let queue = &self.opened()?.queue;
        let most = part_bytes(total);
        self.with_blocks(most, |blocks| {
            if total == 0 {
                return Ok(());
            }
            let start = |i: usize, blocks: &mut [PinnedBlock; 2]| -> Result<Event, DeviceError> {
                let bytes = most.min(total - i * most);
                self.read_to(memory, offset + i * most, &mut blocks[i % 2].bytes_mut()[..bytes], false)?;
                let event = queue.marker(self.name())?;
                queue.flush(self.name())?;
                Ok(event)
            };
            let mut arriving = Some(start(0, blocks)?);
            for (i, begin) in (0..total).step_by(most).enumerate() {
                let here = arriving.take();
                if (i + 1) * most < total {
                    arriving = Some(start(i + 1, blocks)?);
                }
                if let Some(event) = here {
                    event.wait(self.name())?;
                }
                let arrived = &blocks[i % 2].bytes()[..most.min(total - begin)];
                arrived.par_chunks(TASK).enumerate().for_each(|(task, part)| take(begin + task * TASK, part));
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::{BLOCK, LEAST_PART, SMALLEST};
    use crate::device::{Device, Executor};

    /// Held by the test that uses the blocks.
    static TURN: Mutex<()> = Mutex::new(());

    /// On every device, though only GPUs take this way by themselves.
    #[test]
    fn transfers_through_the_blocks_come_back_as_they_went() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        for device in Device::opencl().unwrap_or_default() {
            let Executor::OpenCl(cl) = device.executor() else { continue };
            for bytes in [1, SMALLEST, LEAST_PART - 1, LEAST_PART, LEAST_PART + 1, BLOCK, 2 * BLOCK, 4 * BLOCK + 12_345]
            {
                let data: Vec<u8> = (0..=250).cycle().take(bytes).collect();
                let x = device.zeros::<u8>(bytes + 7).unwrap();
                let (_, memory) = x.opencl().unwrap();
                let fill = |start: usize, part: &mut [u8]| part.copy_from_slice(&data[start..start + part.len()]);
                assert!(cl.write_staged(memory, 5, bytes, fill).unwrap());
                let parts = Mutex::new(Vec::new());
                let take = |start: usize, part: &[u8]| parts.lock().unwrap().push((start, part.to_vec()));
                assert!(cl.read_staged(memory, 5, bytes, take).unwrap());
                let mut parts = parts.into_inner().unwrap();
                parts.sort_unstable();
                let out: Vec<u8> = parts.into_iter().flat_map(|(_, part)| part).collect();
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
            let within = cl.with_blocks(1, |_| {
                assert!(!cl.write_staged(memory, 0, 8, |_, part| part.fill(1)).unwrap());
                assert!(!cl.read_staged(memory, 0, 8, |_, _| panic!("nothing is read")).unwrap());
                Ok(())
            });
            assert!(within.unwrap());
            assert_eq!(x.download().unwrap(), [0; 8]);
        }
    }
}

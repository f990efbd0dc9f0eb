//! Memory of the host: blocks that begin at a cache line, and a pool of those that buffers gave back.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_files::OutOfMemory;
use manycore_files::memory::{fits, free_bytes, limit_bytes, probe, refusable};

use super::lines::CacheLine;
use super::pages::{LARGE_BYTES, Pages};
use crate::control::allocation;
use crate::error::DeviceError;
use crate::word::Word;

/// Bytes of all blocks that exist in this process: systems promise more memory than they have, and end a process that takes it.
static EXISTING_BYTES: AtomicU64 = AtomicU64::new(0);

#[derive(Debug)]
struct Block {
    place: Place,
    /// What it counts for in [`EXISTING_BYTES`].
    counted_bytes: u64,
}

#[derive(Debug)]
enum Place {
    /// Whole cache lines.
    Lines(Vec<CacheLine>),
    /// Pages of their own.
    Pages(Box<Pages>),
}

impl Block {
    /// Zeros.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] where this process can have no more, or the system gives none.
    fn new(bytes: usize) -> Result<Self, DeviceError> {
        let (wanted, limit) = (bytes as u64, limit_bytes());
        if wanted > limit {
            return Err(out_of_memory(wanted, limit, "the host's memory"));
        }
        let with_block = |existing: u64| existing.checked_add(wanted).filter(|&bytes| bytes <= limit);
        if let Err(existing) = EXISTING_BYTES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with_block) {
            let free = limit.saturating_sub(existing);
            return Err(out_of_memory(wanted, free, "the host's memory beside the buffers that exist"));
        }
        // Counted from here on, also where the system gives nothing.
        let mut block = Self { place: Place::Lines(Vec::new()), counted_bytes: wanted };
        let place = if bytes < LARGE_BYTES {
            refusable(|| bytemuck::allocation::try_zeroed_vec(bytes.div_ceil(64))).ok().map(Place::Lines)
        } else {
            Pages::new(bytes).map(|pages| Place::Pages(Box::new(pages)))
        };
        block.place = place.ok_or_else(|| out_of_memory(wanted, free_bytes(), "the host's memory that is free"))?;
        Ok(block)
    }

    fn bytes(&self) -> &[u8] {
        match &self.place {
            Place::Lines(lines) => bytemuck::cast_slice(lines),
            Place::Pages(pages) => pages,
        }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.place {
            Place::Lines(lines) => bytemuck::cast_slice_mut(lines),
            Place::Pages(pages) => pages,
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        EXISTING_BYTES.fetch_sub(self.counted_bytes, Ordering::Relaxed);
    }
}

/// `len` words of zero bits of the host's memory, outside of buffers: what algorithms of the host take that grows with the input.
///
/// ```
/// use manycore_device::{DeviceError, zeroed_words};
/// assert_eq!(zeroed_words::<u32>(3)?, [0; 3]);
/// assert!(matches!(zeroed_words::<u32>(usize::MAX), Err(DeviceError::OutOfMemory { .. })));
/// # Ok::<(), DeviceError>(())
/// ```
///
/// # Errors
/// [`DeviceError::OutOfMemory`] where the process cannot have so much more, or its [`Control`](crate::Control) does not let it;
/// [`DeviceError::Cancelled`].
#[inline(never)]
pub fn zeroed_words<T: Word>(len: usize) -> Result<Vec<T>, DeviceError> {
    let bytes = bytes_of::<T>(len)? as u64;
    allocation(bytes)?;
    let refused = |()| out_of_memory(bytes, free_bytes(), "the host's memory that is free");
    if !fits(bytes) {
        return Err(refused(()));
    }
    refusable(|| bytemuck::allocation::try_zeroed_vec(len)).map_err(refused)
}

/// Allocates `bytes` bytes of the host's memory, outside of buffers, and frees them: a check before the first of many small lists, which
/// cannot each be refused memory.
///
/// ```
/// use manycore_device::{DeviceError, host_room};
/// host_room(1 << 20)?;
/// assert!(matches!(host_room(u64::MAX), Err(DeviceError::OutOfMemory { .. })));
/// # Ok::<(), DeviceError>(())
/// ```
///
/// # Errors
/// [`DeviceError::OutOfMemory`] where the process cannot have so much more, or its [`Control`](crate::Control) does not let it;
/// [`DeviceError::Cancelled`].
pub fn host_room(bytes: u64) -> Result<(), DeviceError> {
    allocation(bytes)?;
    let refused = |error: OutOfMemory| out_of_memory(bytes, error.free_bytes, "the host's memory that is free");
    probe(bytes, String::new).map_err(refused)
}

/// Host memory that begins at a cache line; large blocks ask the system for large pages.
#[derive(Debug)]
pub(crate) struct HostMemory<T> {
    block: Block,
    len: usize,
    words: PhantomData<T>,
}

impl<T: Word> HostMemory<T> {
    /// Zeros, from the system.
    pub(crate) fn new(len: usize) -> Result<Self, DeviceError> {
        let bytes = bytes_of::<T>(len)?;
        Ok(Self { block: Block::new(bytes)?, len, words: PhantomData })
    }

    /// The bytes as `len` words of another type, which they hold: every block begins at a cache line.
    pub(crate) fn seen_as<U: Word>(self, len: usize) -> HostMemory<U> {
        debug_assert!(len * size_of::<U>() <= self.block.bytes().len());
        HostMemory { block: self.block, len, words: PhantomData }
    }
}

/// The number of bytes of `len` words, if the host can allocate them.
fn bytes_of<T: Word>(len: usize) -> Result<usize, DeviceError> {
    let limit = limit_bytes();
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes as u64 <= limit);
    let wanted = || (len as u64).saturating_mul(size_of::<T>() as u64);
    bytes.ok_or_else(|| out_of_memory(wanted(), limit, "the host's memory"))
}

fn out_of_memory(wanted_bytes: u64, free_or_limit_bytes: u64, reason: &'static str) -> DeviceError {
    DeviceError::OutOfMemory { device: "host".into(), wanted_bytes, free_or_limit_bytes, reason }
}

impl<T: Word> Deref for HostMemory<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.block.bytes()[..self.len * size_of::<T>()])
    }
}

impl<T: Word> DerefMut for HostMemory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.block.bytes_mut()[..self.len * size_of::<T>()])
    }
}

/// The size of the block of a pool that serves `bytes`: at most an eighth larger, so that few sizes recur.
pub(crate) fn block_size(bytes: usize) -> usize {
    const SMALLEST: usize = 256;
    let bytes = bytes.max(SMALLEST);
    let step = (bytes.next_power_of_two() / 16).max(SMALLEST);
    bytes.next_multiple_of(step)
}

/// Blocks that buffers gave back, for the next ones: the system's own cost a fault and a fill for each page.
#[derive(Debug)]
pub(crate) struct MemoryPool {
    free: Mutex<Free>,
    most_bytes: u64,
}

/// The blocks, the one given back first first.
#[derive(Debug, Default)]
struct Free {
    blocks: VecDeque<Block>,
    bytes: u64,
}

/// Smaller blocks are the allocator's business.
const LEAST_BYTES: usize = 1 << 14;

impl MemoryPool {
    /// A pool that keeps at most `most_bytes` bytes.
    pub(crate) fn new(most_bytes: u64) -> Self {
        Self { free: Mutex::default(), most_bytes }
    }

    fn free(&self) -> MutexGuard<'_, Free> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory for `len` words, and whether they are zeros; else they are left over from earlier use.
    pub(crate) fn take<T: Word>(&self, len: usize) -> Result<(HostMemory<T>, bool), DeviceError> {
        let bytes = bytes_of::<T>(len)?;
        if bytes < LEAST_BYTES {
            return Ok((HostMemory::new(len)?, true));
        }
        let size = block_size(bytes);
        let words = PhantomData;
        if let Some(block) = self.kept(size) {
            return Ok((HostMemory { block, len, words }, false));
        }
        let block = Block::new(size).or_else(|_| {
            self.trim();
            // A block may be an eighth larger than what is wanted of it.
            Block::new(size).or_else(|_| Block::new(bytes))
        })?;
        Ok((HostMemory { block, len, words }, true))
    }

    /// The block of that size that was used last: it may still be in a cache.
    fn kept(&self, size: usize) -> Option<Block> {
        let mut free = self.free();
        let last = free.blocks.iter().rposition(|block| block.bytes().len() == size)?;
        let block = free.blocks.remove(last)?;
        free.bytes -= size as u64;
        Some(block)
    }

    /// Takes memory back. Where that is more than the pool keeps, the blocks that were not used for longest go.
    pub(crate) fn give<T: Word>(&self, memory: HostMemory<T>) {
        let size = memory.block.bytes().len() as u64;
        if size < LEAST_BYTES as u64 || size > self.most_bytes {
            return;
        }
        // Dropped after the lock: the system takes its time.
        let mut gone = Vec::new();
        let mut free = self.free();
        free.bytes += size;
        free.blocks.push_back(memory.block);
        while free.bytes > self.most_bytes
            && let Some(block) = free.blocks.pop_front()
        {
            free.bytes -= block.bytes().len() as u64;
            gone.push(block);
        }
        drop(free);
        drop(gone);
    }

    /// Gives every block back to the system.
    pub(crate) fn trim(&self) {
        let free = std::mem::take(&mut *self.free());
        drop(free);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_large_enough_and_at_most_an_eighth_larger() {
        for bytes in (0..5000).chain([65_537, 1 << 20, (1 << 20) + 1, 3_000_000_000]) {
            let size = block_size(bytes);
            assert!(size >= bytes && size <= bytes + (bytes / 8).max(256), "{bytes} bytes in a block of {size}");
        }
    }

    #[test]
    fn blocks_come_back_with_what_was_left() {
        let pool = MemoryPool::new(1 << 20);
        let (mut first, zeros) = pool.take::<u32>(10_000).unwrap();
        assert!(zeros && first.iter().all(|&word| word == 0));
        first.fill(7);
        let place = first.as_ptr();
        pool.give(first);
        // Fewer words of another type fit the same block.
        let (second, zeros) = pool.take::<u64>(4_990).unwrap();
        assert_eq!((second.as_ptr().cast(), zeros), (place, false));
        assert_eq!(second[0], 7 << 32 | 7);
        let (third, zeros) = pool.take::<u32>(10_000).unwrap();
        assert!(zeros && third.iter().all(|&word| word == 0));
    }

    #[test]
    fn no_more_is_kept_than_allowed() {
        let pool = MemoryPool::new(1 << 20);
        let kept = |pool: &MemoryPool| {
            let free = pool.free();
            (free.blocks.len(), free.bytes)
        };
        let some: Vec<_> = (0..20).map(|_| pool.take::<u8>(1 << 16).unwrap().0).collect();
        for memory in some {
            pool.give(memory);
        }
        assert_eq!(kept(&pool), (16, 1 << 20));
        pool.give(pool.take::<u8>(3 << 18).unwrap().0);
        assert_eq!(kept(&pool), (5, 1 << 20));
        pool.give(pool.take::<u8>(2 << 20).unwrap().0);
        pool.give(pool.take::<u8>(100).unwrap().0);
        assert_eq!(kept(&pool), (5, 1 << 20));
        pool.trim();
        assert_eq!(kept(&pool), (0, 0));
    }

    #[test]
    fn what_no_host_has_is_refused() {
        let pool = MemoryPool::new(0);
        for len in [usize::MAX, usize::MAX / 8] {
            assert!(matches!(pool.take::<u64>(len), Err(DeviceError::OutOfMemory { .. })));
        }
    }
}

//! Memory of the host: blocks that begin at a cache line, and a pool of those that buffers gave back.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::lines::CacheLine;
use super::memory_bytes;
use super::pages::{LARGE_BYTES, Pages};
use crate::buffer::block_size;
use crate::error::DeviceError;
use crate::word::Word;

#[derive(Debug)]
enum Block {
    /// Whole cache lines.
    Lines(Vec<CacheLine>),
    /// Pages of their own.
    Pages(Box<Pages>),
}

impl Block {
    /// Zeros; `None` where the system has no such memory.
    fn new(bytes: usize) -> Option<Self> {
        if bytes < LARGE_BYTES {
            return Some(Self::Lines(bytemuck::zeroed_vec(bytes.div_ceil(64))));
        }
        Pages::new(bytes).map(|pages| Self::Pages(Box::new(pages)))
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Lines(lines) => bytemuck::cast_slice(lines),
            Self::Pages(pages) => pages,
        }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Lines(lines) => bytemuck::cast_slice_mut(lines),
            Self::Pages(pages) => pages,
        }
    }
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
        let block = Block::new(bytes).ok_or_else(|| too_large(bytes as u64))?;
        Ok(Self { block, len, words: PhantomData })
    }

    /// The same bytes as `len` words of another type, which they hold: every block begins at a cache line.
    pub(crate) fn seen_as<U: Word>(self, len: usize) -> HostMemory<U> {
        debug_assert!(len * size_of::<U>() <= self.block.bytes().len());
        HostMemory { block: self.block, len, words: PhantomData }
    }
}

/// The bytes of so many words, if the host can have them.
fn bytes_of<T: Word>(len: usize) -> Result<usize, DeviceError> {
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes as u64 <= memory_bytes());
    bytes.ok_or_else(|| too_large((len as u64).saturating_mul(size_of::<T>() as u64)))
}

fn too_large(wanted_bytes: u64) -> DeviceError {
    DeviceError::OutOfMemory {
        device: "host".into(),
        wanted_bytes,
        free_or_limit_bytes: memory_bytes(),
        reason: "the host's memory",
    }
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
    /// A pool that keeps so many bytes at most.
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
        let block = Block::new(size).or_else(|| {
            self.trim();
            Block::new(size)
        });
        let block = block.ok_or_else(|| too_large(bytes as u64))?;
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

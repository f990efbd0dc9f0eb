//! Device memory: a pool of blocks, and copies between it and the host.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use manycore_files::memory::free_bytes;

use super::OpenCl;
use super::calls::failure;
use super::kernel::Kernel;
use super::launch::Launch;
use super::objects::{Event, Memory, Queue};
use super::program::Defines;
use super::staging::TASK;
use crate::buffer::block_size;
use crate::error::DeviceError;
use crate::host::{LARGE_BYTES, Pages};
use crate::info::DeviceKind;
use crate::profile::Kind;
use crate::word::WordType;

/// The size of a block that is of no pool: a program gave it.
pub(crate) const GIVEN: usize = 0;

/// OpenCL's `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
const NO_MEMORY: i32 = -4;

// SAFETY: `OpenCl::fill` alone launches it, for as many vectors of 16 bytes as lie in the range that it is given.
crate::kernel! {
    /// Fills memory with a pattern of 16 bytes.
    unsafe FILL in manycore_kernels::device::FILL: fill
}

/// Blocks given back, by size, and the bytes of all blocks that exist.
///
/// Allocating costs tens of microseconds, a block from the pool none. All commands on a block run on one in-order
/// queue, so a block may be handed out again while earlier commands on it still wait.
#[derive(Debug)]
pub(crate) struct Pool {
    blocks: Arc<Blocks>,
    family: Arc<Family>,
}

/// The blocks of one queue.
#[derive(Debug, Default)]
struct Blocks {
    free: Mutex<HashMap<usize, Vec<Memory>>>,
    generation: Generation,
}

/// What the pools of a device's queues have in common: its memory.
#[derive(Debug, Default)]
struct Family {
    existing_bytes: AtomicU64,
    pools: Mutex<Vec<Weak<Blocks>>>,
}

impl Blocks {
    fn free(&self) -> MutexGuard<'_, HashMap<usize, Vec<Memory>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of blocks by size.
fn bytes_of(free: &HashMap<usize, Vec<Memory>>) -> u64 {
    free.iter().map(|(size, blocks)| (size * blocks.len()) as u64).sum()
}

impl Default for Pool {
    fn default() -> Self {
        Self::of(Arc::default())
    }
}

impl Pool {
    fn of(family: Arc<Family>) -> Self {
        let blocks = Arc::default();
        family.pools.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&blocks));
        Self { blocks, family }
    }

    /// A pool of another queue of the same device.
    pub(super) fn beside(&self) -> Self {
        Self::of(Arc::clone(&self.family))
    }

    /// The number of times that blocks were freed.
    pub(crate) fn generation(&self) -> &Generation {
        &self.blocks.generation
    }

    fn free(&self) -> MutexGuard<'_, HashMap<usize, Vec<Memory>>> {
        self.blocks.free()
    }

    /// The pools of all queues of the device.
    fn all(&self) -> Vec<Arc<Blocks>> {
        self.family.pools.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect()
    }

    /// Frees the blocks that no buffer holds, of all queues of the device. Commands that still wait have them until they end.
    fn clear(&self) {
        for blocks in self.all() {
            blocks.generation.next();
            let free = std::mem::take(&mut *blocks.free());
            self.family.existing_bytes.fetch_sub(bytes_of(&free), Ordering::Relaxed);
        }
    }

    /// Bytes of blocks that no buffer holds, of all queues of the device.
    fn idle_bytes(&self) -> u64 {
        self.all().iter().map(|blocks| bytes_of(&blocks.free())).sum()
    }
}

/// How often blocks of a pool were freed: while that stays, no other memory has the handle of a block that was seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Generation(Arc<AtomicU64>);

impl Generation {
    /// Whether both are of one pool.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The number now.
    pub(crate) fn now(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    fn next(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

impl OpenCl {
    /// A block of at least `bytes` bytes and its size, of unknown content.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<(Memory, usize), DeviceError> {
        let opened = self.opened()?;
        let limit = self.info().largest_allocation_bytes;
        let error = |free_or_limit_bytes, reason| DeviceError::OutOfMemory {
            device: self.name().to_owned(),
            wanted_bytes: bytes as u64,
            free_or_limit_bytes,
            reason,
        };
        if bytes as u64 > limit {
            return Err(error(limit, "its largest allocation"));
        }
        let size = block_size(bytes).min(limit as usize).max(bytes);
        let pool = &opened.pool;
        if let Some(block) = pool.free().get_mut(&size).and_then(Vec::pop) {
            return Ok((block, size));
        }
        // Blocks of other sizes make room first: drivers allocate lazily and may fail long after this call.
        let memory = self.info().memory_bytes;
        let reserve = || {
            let with_block = |existing: u64| existing.checked_add(size as u64).filter(|&bytes| bytes <= memory);
            pool.family.existing_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with_block)
        };
        if reserve().is_err() {
            self.trim()?;
            if let Err(existing) = reserve() {
                return Err(error(memory.saturating_sub(existing), "its memory beside the buffers that exist"));
            }
        }
        // A CPU's runtime would take small pages and lay blocks side by side.
        let paged = self.info().kind == DeviceKind::Cpu && size >= LARGE_BYTES;
        let asked = if paged { 0 } else { size };
        let own = || Memory::allocate(&opened.context, size, false);
        let make = || {
            if !paged {
                return own();
            }
            // The runtime would take memory that there is not.
            let pages = Pages::new(size).ok_or(NO_MEMORY)?;
            // Runtimes that take no memory of the host's, or never tell that they are done with it, have their own.
            Memory::in_pages(&opened.context, pages).or_else(|_| own())
        };
        if let Err(error) = self.room_of_block(asked).or_else(|_| self.trim().and_then(|()| self.room_of_block(asked)))
        {
            pool.family.existing_bytes.fetch_sub(size as u64, Ordering::Relaxed);
            return Err(error);
        }
        let made = make().or_else(|code| self.trim().map_or(Err(code), |()| make()));
        let block = made.map_err(|code| {
            let existing = pool.family.existing_bytes.fetch_sub(size as u64, Ordering::Relaxed) - size as u64;
            match code {
                NO_MEMORY if paged => error(free_bytes(), "the host's memory that is free"),
                -6..=-4 | -61 => error(memory.saturating_sub(existing), "what the driver could allocate"),
                code => failure(code, "clCreateBuffer", self.name()),
            }
        })?;
        Ok((block, size))
    }

    /// Gives a block back to the pool, or lets go of one that was [given](GIVEN).
    pub(crate) fn release(&self, block: Memory, size: usize) {
        if let Ok(opened) = self.opened() {
            if size == GIVEN {
                opened.pool.generation().next();
                return;
            }
            opened.pool.free().entry(size).or_default().push(block);
        }
    }

    /// Counts a block no more, which the program has from now on, and may free at any time.
    #[cfg(feature = "opencl")]
    pub(crate) fn give_away(&self, size: usize) -> Result<(), DeviceError> {
        let pool = &self.opened()?.pool;
        pool.family.existing_bytes.fetch_sub(size as u64, Ordering::Relaxed);
        pool.generation().next();
        Ok(())
    }

    /// Frees every block of the pool that no buffer holds, and those of its [lanes](crate::Device::lanes).
    ///
    /// # Errors
    /// [`DeviceError::Api`] when waiting for the device fails.
    pub fn trim(&self) -> Result<(), DeviceError> {
        let opened = self.opened()?;
        self.finish()?;
        opened.pool.clear();
        Ok(())
    }

    /// Bytes of device memory that new buffers can have: those that no buffer holds.
    pub(crate) fn room_bytes(&self) -> u64 {
        let held = self.opened().map_or(0, |opened| self.allocated_bytes().saturating_sub(opened.pool.idle_bytes()));
        self.info().memory_bytes.saturating_sub(held)
    }

    /// Bytes of device memory that exist now, in buffers and in the pool.
    pub fn allocated_bytes(&self) -> u64 {
        self.opened().map_or(0, |opened| opened.pool.family.existing_bytes.load(Ordering::Relaxed))
    }

    /// Runs an enqueuing call and records its event if a profile is on.
    fn enqueue(
        &self,
        kind: Kind,
        name: &'static str,
        bytes: u64,
        call: impl FnOnce(&Queue, Option<&mut Event>) -> Result<(), i32>,
    ) -> Result<(), DeviceError> {
        let queue = &self.opened()?.queue;
        let mut event = self.recorder.is_on().then(|| queue.event());
        call(queue, event.as_mut()).map_err(|code| match code {
            // Drivers that allocate at first use tell only now that there is no memory.
            NO_MEMORY => DeviceError::OutOfMemory {
                device: self.name().to_owned(),
                wanted_bytes: bytes,
                free_or_limit_bytes: self.info().memory_bytes.saturating_sub(self.allocated_bytes()),
                reason: "what the driver could allocate at first use",
            },
            code => failure(code, name, self.name()),
        })?;
        if let Some(event) = event {
            self.recorder.event(kind, kind.name(), event, bytes, 0);
        }
        Ok(())
    }

    /// Writes `data` to byte `offset` of `memory`; `data` may change when it returns.
    pub(crate) fn write(&self, memory: &Memory, offset: usize, data: &[u8]) -> Result<(), DeviceError> {
        if data.is_empty() {
            return Ok(());
        }
        if self.stages(data.len())
            && self.write_staged(memory, offset, data.len(), |start, part| {
                part.copy_from_slice(&data[start..start + part.len()]);
            })?
        {
            return Ok(());
        }
        self.write_from(memory, offset, data, true)
    }

    /// One write of the runtime. When it is not `blocking`, `data` must stay as it is until the queue has done it.
    pub(crate) fn write_from(
        &self,
        memory: &Memory,
        offset: usize,
        data: &[u8],
        blocking: bool,
    ) -> Result<(), DeviceError> {
        // SAFETY: the range lies in the block (buffers check it); a write that does not block is only used on staging
        // memory, which waits for it before it is used again.
        self.enqueue(Kind::Upload, "clEnqueueWriteBuffer", data.len() as u64, |queue, event| unsafe {
            queue.write(memory, offset, data, blocking, None, event)
        })
    }

    /// Reads `out.len()` bytes from byte `offset` of `memory`, after everything enqueued before.
    pub(crate) fn read(&self, memory: &Memory, offset: usize, out: &mut [u8]) -> Result<(), DeviceError> {
        if out.is_empty() {
            return Ok(());
        }
        if self.stages(out.len()) {
            let len = out.len();
            let parts: Vec<Mutex<&mut [u8]>> = out.chunks_mut(TASK).map(Mutex::new).collect();
            let take = |start: usize, from: &[u8]| {
                parts[start / TASK].lock().unwrap_or_else(PoisonError::into_inner).copy_from_slice(from);
            };
            if self.read_staged(memory, offset, len, take)? {
                return Ok(());
            }
        }
        self.read_to(memory, offset, out, true)
    }

    /// One read of the runtime. When it is not `blocking`, nobody may look at `out` until the queue has done it.
    pub(crate) fn read_to(
        &self,
        memory: &Memory,
        offset: usize,
        out: &mut [u8],
        blocking: bool,
    ) -> Result<(), DeviceError> {
        // SAFETY: the range lies in the block; a read that does not block is only used on staging memory.
        self.enqueue(Kind::Download, "clEnqueueReadBuffer", out.len() as u64, |queue, event| unsafe {
            queue.read(memory, offset, out, blocking, None, event)
        })
    }

    /// Copies `bytes` bytes between two blocks, or two ranges of one that do not overlap.
    pub(crate) fn copy(
        &self,
        from: &Memory,
        from_offset: usize,
        to: &Memory,
        to_offset: usize,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        if bytes == 0 {
            return Ok(());
        }
        self.enqueue(Kind::Copy, "clEnqueueCopyBuffer", 2 * bytes as u64, |queue, event| {
            queue.copy((from, from_offset), (to, to_offset), bytes, event)
        })
    }

    /// The kernel of fills, made at its first use.
    fn fill_kernel(&self) -> Result<&Kernel, DeviceError> {
        let made = &self.opened()?.fill;
        if let Some(kernel) = made.get() {
            return Ok(kernel);
        }
        let kernel = self.kernel(&FILL, &Defines::new())?;
        Ok(made.get_or_init(|| kernel))
    }

    /// Fills `bytes` bytes from byte `offset` with repetitions of `pattern`, whose length divides 16, `bytes` and
    /// `offset`.
    pub(crate) fn fill(&self, memory: &Memory, offset: usize, bytes: usize, pattern: &[u8]) -> Result<(), DeviceError> {
        const SMALL: usize = 1 << 16;
        if bytes == 0 {
            return Ok(());
        }
        let alignment = self.info().view_alignment_bytes.max(16);
        // The runtime's own fill is slow on large ranges but takes any; our kernel takes whole aligned vectors.
        let by_runtime = |offset: usize, bytes: usize| {
            self.enqueue(Kind::Fill, "clEnqueueFillBuffer", bytes as u64, |queue, event| {
                queue.fill(memory, pattern, offset, bytes, event)
            })
        };
        if bytes < SMALL || !offset.is_multiple_of(alignment) {
            return by_runtime(offset, bytes);
        }
        let whole = bytes / 16;
        let mut words = [0u32; 4];
        let bytes_of_words = bytemuck::bytes_of_mut(&mut words);
        for chunk in bytes_of_words.chunks_exact_mut(pattern.len()) {
            chunk.copy_from_slice(pattern);
        }
        let kernel = self.fill_kernel()?;
        // A part that is all of a block that no kernel has seen takes NVIDIA's driver half a second for 512 MB.
        let part = if offset == 0 { None } else { Some(memory.part(offset, whole * 16, self.name())?) };
        let target = part.as_ref().unwrap_or(memory);
        let group = kernel.group_limit().min(256);
        words
            .into_iter()
            .fold(self.launch(kernel).memory(target, WordType::U32).value(whole as u64), Launch::value)
            .items(whole, group)
            .kind(Kind::Fill)
            .bytes(bytes as u64)
            .run()?;
        if bytes > whole * 16 { by_runtime(offset + whole * 16, bytes - whole * 16) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::block_size;

    #[test]
    fn blocks_are_large_enough_and_at_most_an_eighth_larger() {
        for bytes in (0..5000).chain([65_537, 1 << 20, (1 << 20) + 1, 3_000_000_000]) {
            let size = block_size(bytes);
            assert!(size >= bytes && size <= bytes + (bytes / 8).max(256), "{bytes} bytes in a block of {size}");
        }
    }
}

//! Device memory: blocks from the pool, from the runtime and back.

use std::sync::atomic::Ordering;

use manycore_files::memory::free_bytes;

use super::calls::failure;
use super::executor::OpenCl;
use super::objects::Memory;
use super::room;
use crate::error::DeviceError;
use crate::host::memory::block_size;
use crate::host::pages::{LARGE_BYTES, Pages};
use crate::info::DeviceKind;

/// The size of a block that is of no pool: a program gave it.
pub(crate) const GIVEN: usize = 0;

/// OpenCL's `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
pub(super) const NO_MEMORY: i32 = -4;

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
            pool.existing_bytes().fetch_update(Ordering::Relaxed, Ordering::Relaxed, with_block)
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
            // Runtimes that cannot use memory of the host, or never report that they are done with it, allocate their own.
            Memory::in_pages(&opened.context, pages).or_else(|_| own())
        };
        if let Err(error) =
            room::of_block(&self.info, asked).or_else(|_| self.trim().and_then(|()| room::of_block(&self.info, asked)))
        {
            pool.existing_bytes().fetch_sub(size as u64, Ordering::Relaxed);
            return Err(error);
        }
        let made = make().or_else(|code| self.trim().map_or(Err(code), |()| make()));
        let block = made.map_err(|code| {
            let existing = pool.existing_bytes().fetch_sub(size as u64, Ordering::Relaxed) - size as u64;
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
        pool.existing_bytes().fetch_sub(size as u64, Ordering::Relaxed);
        pool.generation().next();
        Ok(())
    }

    /// Bytes of device memory that new buffers can have: those that no buffer holds.
    pub(crate) fn room_bytes(&self) -> u64 {
        let held = self.opened().map_or(0, |opened| self.allocated_bytes().saturating_sub(opened.pool.idle_bytes()));
        self.info().memory_bytes.saturating_sub(held)
    }

    /// Bytes of device memory that exist now, in buffers and in the pool.
    pub fn allocated_bytes(&self) -> u64 {
        self.opened().map_or(0, |opened| opened.pool.existing_bytes().load(Ordering::Relaxed))
    }
}

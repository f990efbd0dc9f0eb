//! Blocks of device memory that are kept for the next buffers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::objects::Memory;

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

    /// Bytes of all blocks of the device that exist.
    pub(super) fn existing_bytes(&self) -> &AtomicU64 {
        &self.family.existing_bytes
    }

    /// The number of times that blocks were freed.
    pub(crate) fn generation(&self) -> &Generation {
        &self.blocks.generation
    }

    pub(super) fn free(&self) -> MutexGuard<'_, HashMap<usize, Vec<Memory>>> {
        self.blocks.free()
    }

    /// The pools of all queues of the device.
    fn all(&self) -> Vec<Arc<Blocks>> {
        self.family.pools.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect()
    }

    /// Frees the blocks that no buffer holds, of all queues of the device. Commands that still wait have them until they end.
    pub(super) fn clear(&self) {
        for blocks in self.all() {
            blocks.generation.next();
            let free = std::mem::take(&mut *blocks.free());
            self.family.existing_bytes.fetch_sub(bytes_of(&free), Ordering::Relaxed);
        }
    }

    /// Bytes of blocks that no buffer holds, of all queues of the device.
    pub(super) fn idle_bytes(&self) -> u64 {
        self.all().iter().map(|blocks| bytes_of(&blocks.free())).sum()
    }
}

/// The count of frees of a pool's blocks: while it stays, no other memory has the handle of a known block.
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

    pub(super) fn next(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

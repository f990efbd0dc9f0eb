//! Large blocks of the host's memory, in pages of their own.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};

use manycore_files::memory::{give, take};
use memmap2::MmapMut;

/// From how many bytes on a block has pages of its own.
pub(crate) const LARGE_BYTES: usize = 4 << 20;

/// The distance between the begins of successive blocks, modulo a large page: 33 small pages.
const STEP: usize = 33 << 12;
/// The number of different begins, all within a large page.
const STEPS: usize = 15;

/// Bytes in pages of their own, large ones where the system gives them.
///
/// Caches and memory banks take an address' bits in groups, and what lies a power of two apart shares them. Arrays are as
/// long as a power of two most often, and the system lays them side by side, so that a loop over two of them would move half as
/// many bytes a second as one over others (copies of 64 MiB by two cores of a Zen 5: 9.7 GB/s, 20 otherwise). So blocks begin
/// at different places of their first page.
#[derive(Debug)]
pub(crate) struct Pages {
    map: MmapMut,
    start: usize,
    bytes: usize,
}

impl Pages {
    /// Zeros; `None` where the process cannot have so much more.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        static BLOCKS: AtomicUsize = AtomicUsize::new(0);
        let start = BLOCKS.fetch_add(1, Ordering::Relaxed) % STEPS * STEP;
        let whole = bytes.checked_add(STEPS * STEP)?;
        take(bytes as u64).ok()?;
        let Ok(map) = MmapMut::map_anon(whole) else {
            give(bytes as u64);
            return None;
        };
        // Advice only: without large pages everything works, slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Self { map, start, bytes })
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        give(self.bytes as u64);
    }
}

impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map[self.start..][..self.bytes]
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map[self.start..][..self.bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_whole_and_begin_apart() {
        let bytes = LARGE_BYTES;
        let blocks: Vec<Pages> = (0..2 * STEPS).map(|_| Pages::new(bytes).unwrap()).collect();
        assert!(blocks.iter().all(|block| block.len() == bytes && block.iter().all(|&byte| byte == 0)));
        assert!(blocks.iter().all(|block| block.as_ptr().align_offset(64) == 0));
        let begins: std::collections::HashSet<usize> = blocks.iter().map(|block| block.start).collect();
        assert!(begins.len() > 1 && begins.iter().all(|&begin| begin < 2 << 20), "{begins:?}");
        assert!(Pages::new(usize::MAX).is_none());
    }
}

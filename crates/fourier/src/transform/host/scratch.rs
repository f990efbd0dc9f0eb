//! Memory of threads for their tiles.

use std::cell::Cell;

/// A cache line, so that vectors of the widest engine cross none.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE_BYTES]);

/// Bytes of a cache line.
pub(super) const LINE_BYTES: usize = 64;

/// The most lines that a thread keeps between tasks.
const MOST_LINES: usize = 1 << 16;

thread_local! {
    static KEPT: Cell<Vec<Line>> = const { Cell::new(Vec::new()) };
}

/// Memory of this thread, which goes back to it when dropped.
pub(super) struct Scratch(Vec<Line>);

impl Scratch {
    /// Memory for `count` words, with any contents.
    pub(super) fn take<W: bytemuck::AnyBitPattern>(count: usize) -> Self {
        let mut lines = KEPT.take();
        let needed = (count * size_of::<W>()).div_ceil(LINE_BYTES);
        if lines.len() < needed {
            lines.resize(needed, Line([0; LINE_BYTES]));
        }
        Self(lines)
    }

    /// Its words, which begin with a cache line.
    pub(super) fn words<W: bytemuck::AnyBitPattern>(&mut self) -> *mut W {
        self.0.as_mut_ptr().cast()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.0.len() <= MOST_LINES {
            KEPT.set(std::mem::take(&mut self.0));
        }
    }
}

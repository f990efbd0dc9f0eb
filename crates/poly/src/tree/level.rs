//! A level of a subproduct tree.

use manycore_device::{Buffer, Device};

use crate::error::PolyError;
use crate::poly::PolyField;

/// The nodes of a level below the root, those with even and those with odd index, so that each pair of children is at the same
/// place of both.
#[derive(Debug)]
pub(super) struct Level<F: PolyField> {
    pub(super) left: Buffer<F::Element>,
    pub(super) right: Buffer<F::Element>,
}

impl<F: PolyField> Level<F> {
    /// A level of `words` words; all of them in `left` for the root.
    pub(super) fn scratch(device: &Device, words: usize, root: bool) -> Result<Self, PolyError> {
        let (left, right) = if root { (words, 0) } else { (words / 2, words / 2) };
        Ok(Self { left: device.scratch(left)?, right: device.scratch(right)? })
    }
}

//! The definition of a sort of numbers: the standard library's stable sort by the images of keys.

use crate::digits::{Digits, Flip};
use crate::key::{Key, flip};
use crate::sort_order::SortOrder;

/// The places of keys in their order, those of equal keys ascending, in O(n log n) comparisons: integers by value, floating numbers by
/// the total order of IEEE 754-2008, section 5.10.
///
/// ```
/// use manycore_sort::SortOrder;
/// use manycore_sort::reference::sorted_places;
/// assert_eq!(sorted_places(&[0.0f64, -1.5, -0.0], SortOrder::Ascending), [1, 2, 0]);
/// assert_eq!(sorted_places(&[7u8, 9, 7], SortOrder::Descending), [1, 0, 2]);
/// ```
pub fn sorted_places<K: Key>(keys: &[K], order: SortOrder) -> Vec<usize> {
    let images: &[K::Bits] = bytemuck::cast_slice(keys);
    places(images, flip::<K>(order))
}

pub(super) fn places<W: Digits>(keys: &[W], flip: Flip<W>) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by_key(|&place| keys[place].image(flip));
    places
}

//! Room of the host that begins at a cache line.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;

#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(super) struct CacheLine([u8; 64]);

/// Values that begin at a line of the cache, which a `Vec` of them need not: a vector of the processor that lies in two lines
/// takes twice as long to load. For tables and for what a task works in; what a buffer holds begins at a line as well.
///
/// ```
/// let room = manycore_device::Lines::<u32>::zeroed(5);
/// assert_eq!(room[..], [0; 5]);
/// assert_eq!(room.as_ptr().addr() % 64, 0);
/// ```
#[derive(Debug, Clone)]
pub struct Lines<T> {
    whole: Vec<CacheLine>,
    len: usize,
    values: PhantomData<T>,
}

impl<T: Pod> Lines<T> {
    /// `len` values of zero bits. `O(len)` at most: large ones are zeros from the system.
    ///
    /// # Panics
    /// If the bytes are more than an address counts, as `Vec` does; or if `T` wants more than 64 bytes' alignment.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        const { assert!(align_of::<T>() <= align_of::<CacheLine>()) };
        let bytes = len.checked_mul(size_of::<T>()).expect("capacity overflow");
        Self { whole: bytemuck::zeroed_vec(bytes.div_ceil(size_of::<CacheLine>())), len, values: PhantomData }
    }
}

impl<T: Pod> Deref for Lines<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let bytes = bytemuck::cast_slice::<CacheLine, u8>(&self.whole);
        bytemuck::cast_slice(bytes.split_at(self.len * size_of::<T>()).0)
    }
}

impl<T: Pod> DerefMut for Lines<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let bytes = bytemuck::cast_slice_mut::<CacheLine, u8>(&mut self.whole);
        bytemuck::cast_slice_mut(bytes.split_at_mut(self.len * size_of::<T>()).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_begin_at_a_line() {
        for len in [0, 1, 15, 16, 17, 1000] {
            let mut room = Lines::<u32>::zeroed(len);
            assert_eq!(room.len(), len);
            room.iter_mut().enumerate().for_each(|(i, x)| *x = i as u32);
            assert!(room.iter().enumerate().all(|(i, &x)| x == i as u32));
            assert!(len == 0 || room.as_ptr().addr().is_multiple_of(64));
            let copy = room.clone();
            assert_eq!(copy[..], room[..]);
            // Values whose size does not divide a line.
            let odd = Lines::<[u8; 12]>::zeroed(len);
            assert_eq!(odd[..], vec![[0; 12]; len]);
        }
    }
}

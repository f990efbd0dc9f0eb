//! Generic code compiled here, once, for each type of words, instead of in each crate and program that uses it: the compiler shares
//! an instance of a function that is never inlined with the crates above where the crate has one.

use crate::buffer::storage::Buffer;
use crate::buffer::view::View;
use crate::buffer::view_mut::ViewMut;
use crate::device::Device;
use crate::host::memory::zeroed_words;
use crate::opencl::launch::Launch;
use crate::word::Word;

/// The addresses of what moves words of a type.
fn moves<T: Word>() -> impl IntoIterator<Item = *const ()> {
    [
        Device::zeros::<T> as *const (),
        Device::scratch::<T> as *const (),
        Device::upload::<T> as *const (),
        zeroed_words::<T> as *const (),
        Buffer::<T>::give_back as *const (),
        View::<T>::read_into as *const (),
        View::<T>::download as *const (),
        ViewMut::<T>::write as *const (),
        ViewMut::<T>::fill as *const (),
        ViewMut::<T>::copy_to as *const (),
        ViewMut::<T>::copy_from_view as *const (),
        Launch::input_view::<T> as *const (),
        Launch::buffer_view::<T> as *const (),
        Launch::value::<T> as *const (),
        Launch::words::<T> as *const (),
    ]
}

/// The addresses of all.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = moves::<u8>().into_iter().collect();
    all.extend(moves::<i8>());
    all.extend(moves::<u16>());
    all.extend(moves::<i16>());
    all.extend(moves::<u32>());
    all.extend(moves::<i32>());
    all.extend(moves::<u64>());
    all.extend(moves::<i64>());
    all.extend(moves::<f32>());
    all.extend(moves::<f64>());
    all
}

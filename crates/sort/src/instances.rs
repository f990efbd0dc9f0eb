//! Generic code compiled here, once, for the keys that sorts have most, instead of in each program that uses it: the compiler
//! shares an instance of a function that is never inlined with the programs that use the crate where the crate has one.

use crate::{Key, SharedSorter, Sorter};

/// The addresses of the sorts of a type of keys.
fn operations<K: Key>() -> impl IntoIterator<Item = *const ()> {
    [
        Sorter::sort_in::<K, u32> as *const (),
        Sorter::argsort::<K> as *const (),
        Sorter::first::<K> as *const (),
        Sorter::explain::<K, u32> as *const (),
        SharedSorter::sort::<K> as *const (),
        SharedSorter::sort_into::<K> as *const (),
        SharedSorter::argsort::<K> as *const (),
        SharedSorter::blocks::<K, u32> as *const (),
    ]
}

/// The addresses of the sorts of each type of keys.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = operations::<i32>().into_iter().collect();
    all.extend(operations::<i64>());
    all.extend(operations::<u32>());
    all.extend(operations::<u64>());
    all.extend(operations::<f32>());
    all.extend(operations::<f64>());
    all
}

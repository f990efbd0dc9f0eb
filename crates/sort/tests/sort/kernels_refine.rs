//! The kernels of class refinement (`refine_keys`, `refine_bytes`, `refine_mark`, `refine_keep`, `refine_compact`) on every OpenCL device: orders, numbers
//! of classes and rounds of a few sparse words, and orders of a few strings, against the host and stable comparison sorts. `sort/refine_words.rs` has more of them.

use manycore_device::Device;
use manycore_sort::{Lists, SortOrder, SparseSorter};
use manycore_testkit::{limited_devices, opencl_devices, simulated};

use crate::words;

/// Every device; a simulator with small groups, whose items take it time.
fn devices() -> impl Iterator<Item = Device> {
    opencl_devices().into_iter().map(|device| if simulated(&device) { device.limited(8192, 64) } else { device })
}

#[test]
fn the_specification_s_example() {
    for device in devices() {
        // 50, 12, 0, 50, 7, 1023, 8 in ten bits.
        let example = [vec![4, 5, 8], vec![6, 7], vec![], vec![4, 5, 8], vec![7, 8, 9], (0..10).collect(), vec![6]];
        words::check(&device, &example, 10);
    }
}

/// More words than the items of a group of 64, in classes of one and of several.
#[test]
fn words_of_several_groups() {
    for device in devices() {
        words::check(&device, &words::sparse(70, 2, 9), 9);
    }
}

#[test]
fn a_few_strings() {
    let strings: [&[u8]; 8] = [b"", b"ab", b"a", b"ab\0", b"ab", b"abcd", b"\xff\xff", b"abc"];
    for device in devices() {
        let made = SparseSorter::new(&device).unwrap().argsort_bytes(&strings, SortOrder::Descending).unwrap();
        assert_eq!(made, [6, 5, 7, 3, 1, 4, 2, 0], "{device:?}");
    }
}

#[test]
fn devices_that_hold_no_tile_tell_so() {
    for device in limited_devices() {
        let lists = Lists::new(&[0, 1, 2], &[1, 0], 2).unwrap();
        assert!(SparseSorter::new(&device).unwrap().sort_by_value(&lists, SortOrder::Ascending).is_err());
    }
}

//! Faults of the host, for the tests of checks: a primitive of the host that leaves one bit of its words changed.
//!
//! Primitives are uploads, downloads, copies, fills and operations in place, counted from 0. In builds with debug assertions
//! `MANYCORE_HOST_FAULT=3:7` changes a bit, drawn by the seed 7, of the words that the fourth one leaves, and `3+:7` of the words of
//! each from the fourth on: a fault of the arithmetic, which a check that computes by the same code meets, too. With
//! `MANYCORE_HOST_FAULT_COUNT` a file gets the number of primitives. Other builds have neither variable.

use crate::word::Word;

/// Tells that a primitive of the host left these words.
#[inline]
pub(crate) fn met<T: Word>(words: &mut [T]) {
    #[cfg(debug_assertions)]
    if !words.is_empty() {
        active::met(bytemuck::cast_slice_mut(words));
    }
    #[cfg(not(debug_assertions))]
    let _ = words;
}

#[cfg(debug_assertions)]
mod active {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::{env, fs};

    /// The fault of this process.
    static FAULT: LazyLock<Option<Fault>> =
        LazyLock::new(|| env::var("MANYCORE_HOST_FAULT").ok().and_then(|text| Fault::read(&text)));
    /// The file of the number of primitives.
    static COUNT_FILE: LazyLock<Option<std::ffi::OsString>> =
        LazyLock::new(|| env::var_os("MANYCORE_HOST_FAULT_COUNT"));
    static COUNT: AtomicU64 = AtomicU64::new(0);

    /// Which primitives leave a changed bit, and what it is drawn by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Fault {
        first: u64,
        lasts: bool,
        seed: u64,
    }

    impl Fault {
        /// From `3:7` or `3+:7`.
        pub(super) fn read(text: &str) -> Option<Self> {
            let (place, seed) = text.split_once(':')?;
            let (first, lasts) = place.strip_suffix('+').map_or((place, false), |first| (first, true));
            Some(Self { first: first.parse().ok()?, lasts, seed: seed.parse().ok()? })
        }

        /// Changes the bytes that primitive `number` left, where it has the fault.
        pub(super) fn change(self, number: u64, bytes: &mut [u8]) {
            if number == self.first || (self.lasts && number > self.first) {
                // One that lasts is the same in words of the same number.
                let drawn = (self.seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
                let bit = drawn % (8 * bytes.len() as u64);
                bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
            }
        }
    }

    pub(super) fn met(bytes: &mut [u8]) {
        if FAULT.is_none() && COUNT_FILE.is_none() {
            return;
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        if let Some(fault) = *FAULT {
            fault.change(number, bytes);
        }
        if let Some(file) = &*COUNT_FILE {
            // A test that finds no file says so.
            drop(fs::write(file, format!("{}\n", number + 1)));
        }
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::active::Fault;

    #[test]
    fn faults_change_one_bit_of_the_primitives_that_they_name() {
        let changed = |fault: &str, number: u64| {
            let mut bytes = [0u8; 24];
            Fault::read(fault).unwrap().change(number, &mut bytes);
            bytes.iter().map(|byte| byte.count_ones()).sum::<u32>()
        };
        assert_eq!([1, 2, 3].map(|number| changed("2:5", number)), [0, 1, 0]);
        assert_eq!([1, 2, 3].map(|number| changed("2+:5", number)), [0, 1, 1]);
        assert!(["", "2", "x:1", "2:", "+:1"].iter().all(|text| Fault::read(text).is_none()));
    }
}

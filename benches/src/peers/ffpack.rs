//! FFLAS-FFPACK's products and determinants of matrices modulo primes of 31 bits, through `ffpack.cpp`, on one thread.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::NonNull;

use anyhow::{Result, ensure};

use super::tasks::{Computation, Solver, Task};

/// A `Work` of `ffpack.cpp`.
#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

unsafe extern "C" {
    safe fn manycore_ffpack_version() -> *const c_char;
    fn manycore_ffpack_new(p: u64, order: usize, a: *const u64, b: *const u64) -> *mut Opaque;
    fn manycore_ffpack_multiply(work: *mut Opaque) -> c_int;
    fn manycore_ffpack_determinant(work: *mut Opaque) -> c_int;
    fn manycore_ffpack_result(work: *const Opaque, words: *mut u64, count: usize);
    fn manycore_ffpack_free(work: *mut Opaque);
}

/// FFLAS-FFPACK as this program is linked with it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ffpack;

impl Solver for Ffpack {
    fn name(&self) -> String {
        // SAFETY: the function gives a literal of C, which ends with a zero and stays.
        let version = unsafe { CStr::from_ptr(manycore_ffpack_version()) };
        format!("FFLAS-FFPACK {}", version.to_string_lossy())
    }

    fn prepare(&self, p: u64, task: &Task) -> Option<Box<dyn Computation>> {
        let (order, a, b) = match task {
            Task::MatrixProduct { order, a, b } => (*order, a, Some(b)),
            Task::Determinant { order, a } => (*order, a, None),
            _ => return None,
        };
        let is_whole = |entries: &Vec<u64>| entries.len() == order * order && entries.iter().all(|&entry| entry < p);
        // Balanced residues of 31 bits; an even modulus has none.
        if p < 3 || p >> 31 != 0 || !is_whole(a) || !b.is_none_or(is_whole) {
            return None;
        }
        let b = b.map_or(std::ptr::null(), |b| b.as_ptr());
        // SAFETY: the pointers stand for `order^2` words each, and the modulus is in range.
        let handle = NonNull::new(unsafe { manycore_ffpack_new(p, order, a.as_ptr(), b) })?;
        Some(Box::new(Work { handle, order, is_product: !b.is_null() }))
    }
}

struct Work {
    handle: NonNull<Opaque>,
    order: usize,
    is_product: bool,
}

impl Computation for Work {
    fn run(&mut self) -> Result<()> {
        let handle = self.handle.as_ptr();
        // SAFETY: the handle is of `manycore_ffpack_new`, with two matrices for a product, and not freed before `drop`.
        let status = unsafe {
            if self.is_product { manycore_ffpack_multiply(handle) } else { manycore_ffpack_determinant(handle) }
        };
        ensure!(status == 0, "FFLAS-FFPACK has too little memory");
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        let mut words = vec![0; if self.is_product { self.order * self.order } else { 1 }];
        // SAFETY: as in `run`, and there is room for all words.
        unsafe { manycore_ffpack_result(self.handle.as_ptr(), words.as_mut_ptr(), words.len()) };
        Ok(vec![words])
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // SAFETY: as in `run`; nobody uses the handle afterwards.
        unsafe { manycore_ffpack_free(self.handle.as_ptr()) };
    }
}

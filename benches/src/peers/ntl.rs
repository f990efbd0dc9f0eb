//! NTL's product of two polynomials over a prime field, `zz_pX`, through `ntl.cpp`.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::NonNull;

use anyhow::{Result, ensure};

use super::codes::{Multiplier, Product, product_len};

/// A `Product` of `ntl.cpp`.
#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

unsafe extern "C" {
    safe fn manycore_ntl_version() -> *const c_char;
    safe fn manycore_ntl_bound() -> u64;
    fn manycore_ntl_new(p: u64, a: *const u64, a_len: usize, b: *const u64, b_len: usize) -> *mut Opaque;
    fn manycore_ntl_multiply(product: *mut Opaque) -> c_int;
    fn manycore_ntl_result(product: *const Opaque, words: *mut u64, len: usize);
    fn manycore_ntl_free(product: *mut Opaque);
}

/// NTL as this program is linked with it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ntl;

impl Ntl {
    /// The version of its headers.
    pub fn version(self) -> &'static str {
        // SAFETY: the function gives a literal of C, which ends with a zero and stays.
        let version = unsafe { CStr::from_ptr(manycore_ntl_version()) };
        version.to_str().unwrap_or_default()
    }

    /// The least modulus that it does not take in this form, 2^60 on 64-bit machines.
    pub fn bound(self) -> u64 {
        manycore_ntl_bound()
    }

    /// Takes `a` and `b` modulo the prime `p` over into its own form; `None` for a modulus that it does not take, for
    /// words that are no residues, and where memory is short.
    pub fn product(self, p: u64, a: &[u64], b: &[u64]) -> Option<NtlProduct> {
        let residues = |x: &[u64]| x.iter().all(|&word| word < p);
        if p < 2 || p >= self.bound() || !residues(a) || !residues(b) {
            return None;
        }
        // SAFETY: the pointers stand for as many words as the lengths say, and the modulus and words are in range.
        let handle = unsafe { manycore_ntl_new(p, a.as_ptr(), a.len(), b.as_ptr(), b.len()) };
        Some(NtlProduct { handle: NonNull::new(handle)?, len: product_len(a.len(), b.len()) })
    }
}

/// Two polynomials that NTL holds, and their product.
#[derive(Debug)]
pub struct NtlProduct {
    handle: NonNull<Opaque>,
    len: usize,
}

impl NtlProduct {
    /// Multiplies; returns whether memory sufficed.
    pub fn multiply(&mut self) -> bool {
        // SAFETY: the handle is of `manycore_ntl_new` and not freed before `drop`.
        unsafe { manycore_ntl_multiply(self.handle.as_ptr()) == 0 }
    }

    /// The coefficients of the last product; zeros before the first.
    pub fn coefficients(&self) -> Vec<u64> {
        let mut words = vec![0; self.len];
        // SAFETY: as in `multiply`, and there is room for `len` words.
        unsafe { manycore_ntl_result(self.handle.as_ptr(), words.as_mut_ptr(), words.len()) };
        words
    }
}

impl Drop for NtlProduct {
    fn drop(&mut self) {
        // SAFETY: as in `multiply`; nobody uses the handle afterwards.
        unsafe { manycore_ntl_free(self.handle.as_ptr()) };
    }
}

impl Multiplier for Ntl {
    fn name(&self) -> String {
        format!("NTL {}", self.version())
    }

    /// One product of NTL takes one thread.
    fn prepare(&self, p: u64, a: &[u64], b: &[u64], _threads: u64) -> Option<Box<dyn Product>> {
        Some(Box::new(self.product(p, a, b)?))
    }
}

impl Product for NtlProduct {
    fn run(&mut self) -> Result<()> {
        ensure!(self.multiply(), "NTL has too little memory");
        Ok(())
    }

    fn result(&self) -> Vec<u64> {
        self.coefficients()
    }
}

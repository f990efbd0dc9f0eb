//! FLINT's product of two polynomials modulo a word, as the crate `flint3-sys` compiled it.
//!
//! How fast it is depends on how it was compiled: with `fft_small`, its transform in AVX2, FMA or NEON, long products take a
//! sixth to an eighteenth of the time. FLINT's configuration leaves that out where it finds no flag of the compiler for the
//! processor, as with gcc 12 on a Zen 4; `CFLAGS="-O3 -march=native"`, which `cargo xtask bench --peers` sets, puts it in.

use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use flint3_sys as sys;

use super::codes::{Multiplier, Product, product_len};

/// The number of threads last set in FLINT: a setting of the whole program, changed only between products.
static THREADS: Mutex<c_int> = Mutex::new(1);

/// FLINT as this program is linked with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flint {
    threads: c_int,
}

impl Default for Flint {
    fn default() -> Self {
        Self::new()
    }
}

impl Flint {
    /// On one thread.
    pub const fn new() -> Self {
        Self { threads: 1 }
    }

    /// The version, as `3.6.0`.
    pub const fn version(&self) -> &'static str {
        env!("MANYCORE_FLINT_VERSION")
    }

    /// Whether it was compiled with `fft_small`.
    pub fn has_fast_fft(&self) -> bool {
        env!("MANYCORE_FLINT_FFT_SMALL") == "1"
    }

    /// Limits products to `threads` threads, at least one.
    pub fn set_threads(&mut self, threads: u64) {
        self.threads = c_int::try_from(threads.max(1)).unwrap_or(c_int::MAX);
    }

    /// Sees to the number of threads, and to it that nothing else of FLINT runs meanwhile.
    fn settled(&self) -> MutexGuard<'static, c_int> {
        let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
        if *threads != self.threads {
            // SAFETY: nothing of FLINT runs, since all of it holds the lock.
            unsafe { sys::flint_set_num_threads(self.threads) };
            *threads = self.threads;
        }
        threads
    }

    /// Runs something of FLINT with the number of threads set.
    pub(super) fn alone(&self, run: impl FnOnce()) {
        let _held = self.settled();
        run();
    }

    /// Writes the product of `a` and `b` modulo `p` to `out`: `_nmod_poly_mul`. Words at or above `p` give words that are
    /// not specified.
    ///
    /// # Panics
    /// For a modulus below 2, and where `out` is not as long as the product: `a.len() + b.len() - 1`, or 0 where one is empty.
    pub fn multiply(&self, p: u64, a: &[u64], b: &[u64], out: &mut [u64]) {
        assert!(p > 1, "a modulus of at least 2");
        assert_eq!(out.len(), product_len(a.len(), b.len()), "the length of a product");
        if out.is_empty() {
            return;
        }
        let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        let _held = self.settled();
        let mut modulus = sys::nmod_t::default();
        // SAFETY: `p` is a modulus. The pointers stand for as many words as their lengths say, which no slice's exceed
        // `isize::MAX`; the result has room for the whole product and overlaps neither operand; the longer operand comes first.
        unsafe {
            sys::nmod_init(&raw mut modulus, p);
            sys::_nmod_poly_mul(
                out.as_mut_ptr(),
                long.as_ptr(),
                long.len() as sys::slong,
                short.as_ptr(),
                short.len() as sys::slong,
                modulus,
            );
        }
    }
}

impl Multiplier for Flint {
    fn name(&self) -> String {
        format!("FLINT {} {}", self.version(), if self.has_fast_fft() { "with fft_small" } else { "without fft_small" })
    }

    fn prepare(&self, p: u64, a: &[u64], b: &[u64], threads: u64) -> Option<Box<dyn Product>> {
        let mut flint = *self;
        flint.set_threads(threads);
        let out = vec![0; product_len(a.len(), b.len())];
        (p > 1).then(|| Box::new(Prepared { flint, p, a: a.to_vec(), b: b.to_vec(), out, threads }) as Box<dyn Product>)
    }
}

struct Prepared {
    flint: Flint,
    p: u64,
    a: Vec<u64>,
    b: Vec<u64>,
    out: Vec<u64>,
    threads: u64,
}

impl Product for Prepared {
    fn run(&mut self) -> Result<()> {
        self.flint.multiply(self.p, &self.a, &self.b, &mut self.out);
        Ok(())
    }

    fn result(&self) -> Vec<u64> {
        self.out.clone()
    }

    fn threads(&self) -> u64 {
        self.threads
    }
}

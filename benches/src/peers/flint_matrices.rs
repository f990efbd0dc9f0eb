//! FLINT's products, determinants and inverses of matrices modulo a word, `nmod_mat`, on one thread.

use anyhow::{Result, ensure};
use flint3_sys as sys;

use super::flint::Flint;
use super::tasks::{Computation, Task};

/// Takes over a task of matrices modulo the prime `p`.
pub(super) fn prepare(flint: Flint, p: u64, task: &Task) -> Option<Box<dyn Computation>> {
    match task {
        Task::MatrixProduct { order, a, b } => {
            let [a, b] = [a, b].map(|x| Matrix::new(p, *order, x));
            Some(Box::new(Product { flint, a: a?, b: b?, c: Matrix::zeros(p, *order) }))
        }
        Task::Determinant { order, a } => {
            Some(Box::new(Determinant { flint, a: Matrix::new(p, *order, a)?, value: 0 }))
        }
        Task::Inverse { order, a } => {
            Some(Box::new(Inverse { flint, a: Matrix::new(p, *order, a)?, inverse: Matrix::zeros(p, *order) }))
        }
        _ => None,
    }
}

/// A square matrix of FLINT.
struct Matrix {
    inner: sys::nmod_mat_struct,
    order: usize,
}

impl Matrix {
    /// The matrix of zeros, modulo a modulus that is not 0.
    fn zeros(p: u64, order: usize) -> Self {
        let mut inner = sys::nmod_mat_struct::default();
        let side = order as sys::slong;
        // SAFETY: FLINT sets up the whole of `inner`, with entries of 0, which `Drop` clears once.
        unsafe { sys::nmod_mat_init(&raw mut inner, side, side, p) };
        Self { inner, order }
    }

    /// The matrix with these entries; `None` for another number of entries.
    fn new(p: u64, order: usize, entries: &[u64]) -> Option<Self> {
        if order.checked_mul(order)? != entries.len() {
            return None;
        }
        let mut matrix = Self::zeros(p, order);
        for (e, &entry) in entries.iter().enumerate() {
            let (i, j) = ((e / order) as sys::slong, (e % order) as sys::slong);
            // SAFETY: the matrix is set up, and has row `i` and column `j`.
            unsafe { sys::nmod_mat_set_entry(&raw mut matrix.inner, i, j, entry) };
        }
        Some(matrix)
    }

    fn entries(&self) -> Vec<u64> {
        let side = self.order as sys::slong;
        let places = (0..side).flat_map(|i| (0..side).map(move |j| (i, j)));
        // SAFETY: the matrix is set up, and has row `i` and column `j`; FLINT only reads it.
        places.map(|(i, j)| unsafe { sys::nmod_mat_get_entry(&raw const self.inner, i, j) }).collect()
    }
}

impl Drop for Matrix {
    fn drop(&mut self) {
        // SAFETY: it was set up by `zeros`, and is not used afterwards.
        unsafe { sys::nmod_mat_clear(&raw mut self.inner) }
    }
}

struct Product {
    flint: Flint,
    a: Matrix,
    b: Matrix,
    c: Matrix,
}

impl Computation for Product {
    fn run(&mut self) -> Result<()> {
        self.flint.alone(|| {
            // SAFETY: all three are set up with one modulus and one order, and are different.
            unsafe { sys::nmod_mat_mul(&raw mut self.c.inner, &raw const self.a.inner, &raw const self.b.inner) };
        });
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        Ok(vec![self.c.entries()])
    }
}

struct Determinant {
    flint: Flint,
    a: Matrix,
    value: u64,
}

impl Computation for Determinant {
    fn run(&mut self) -> Result<()> {
        self.flint.alone(|| {
            // SAFETY: the matrix is set up and square; FLINT only reads it.
            self.value = unsafe { sys::nmod_mat_det(&raw const self.a.inner) };
        });
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        Ok(vec![vec![self.value]])
    }
}

struct Inverse {
    flint: Flint,
    a: Matrix,
    inverse: Matrix,
}

impl Computation for Inverse {
    fn run(&mut self) -> Result<()> {
        let mut is_regular = 0;
        self.flint.alone(|| {
            // SAFETY: both are set up with one prime modulus and one order, and are different.
            is_regular = unsafe { sys::nmod_mat_inv(&raw mut self.inverse.inner, &raw const self.a.inner) };
        });
        ensure!(is_regular != 0, "the matrix has no inverse");
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        Ok(vec![self.inverse.entries()])
    }
}

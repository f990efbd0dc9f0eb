//! SuiteSparse:GraphBLAS's product of a sparse matrix and a vector, through `graphblas.c`.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::NonNull;

use anyhow::{Context, Result, ensure};
use manycore_sparse::sprs::CsMat;

/// A `product` of `graphblas.c`.
#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

unsafe extern "C" {
    safe fn manycore_graphblas_start() -> c_int;
    safe fn manycore_graphblas_version() -> *const c_char;
    fn manycore_graphblas_new(
        rows: u64,
        columns: u64,
        count: u64,
        row: *const u64,
        column: *const u64,
        value: *const f64,
        index: *const u64,
        x: *const f64,
    ) -> *mut Opaque;
    fn manycore_graphblas_multiply(product: *mut Opaque) -> c_int;
    fn manycore_graphblas_result(product: *const Opaque, out: *mut f64, rows: u64);
    fn manycore_graphblas_free(product: *mut Opaque);
}

/// The library's name and version.
pub fn name() -> String {
    // SAFETY: the function gives a literal of C, which ends with a zero and stays.
    let version = unsafe { CStr::from_ptr(manycore_graphblas_version()) };
    format!("SuiteSparse:GraphBLAS {}", version.to_string_lossy())
}

/// A matrix and a vector that GraphBLAS holds, and their product.
pub struct SparseByVector {
    handle: NonNull<Opaque>,
    rows: usize,
}

impl SparseByVector {
    /// Takes the matrix and as many values as it has columns over.
    ///
    /// # Errors
    /// Where memory is short or the library does not start.
    pub fn new(matrix: &CsMat<f64>, x: &[f64]) -> Result<Self> {
        ensure!(manycore_graphblas_start() == 0, "GraphBLAS does not start");
        ensure!(x.len() == matrix.cols(), "{} values for {} columns", x.len(), matrix.cols());
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (value, (row, column)) in matrix {
            rows.push(row as u64);
            columns.push(column as u64);
            values.push(*value);
        }
        let index: Vec<u64> = (0..x.len() as u64).collect();
        let shape = (matrix.rows() as u64, matrix.cols() as u64);
        // SAFETY: each pointer stands for as many elements as the counts say, which are read only during the call.
        let handle = unsafe {
            manycore_graphblas_new(
                shape.0,
                shape.1,
                values.len() as u64,
                rows.as_ptr(),
                columns.as_ptr(),
                values.as_ptr(),
                index.as_ptr(),
                x.as_ptr(),
            )
        };
        Ok(Self { handle: NonNull::new(handle).context("GraphBLAS has too little memory")?, rows: matrix.rows() })
    }

    /// Multiplies.
    ///
    /// # Errors
    /// Where memory is short.
    pub fn run(&mut self) -> Result<()> {
        // SAFETY: the handle is of `manycore_graphblas_new` and not freed before `drop`.
        ensure!(unsafe { manycore_graphblas_multiply(self.handle.as_ptr()) } == 0, "GraphBLAS has too little memory");
        Ok(())
    }

    /// The values of the last product; zeros before the first.
    pub fn values(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.rows];
        // SAFETY: as in `run`, and there is room for as many values as rows.
        unsafe { manycore_graphblas_result(self.handle.as_ptr(), values.as_mut_ptr(), values.len() as u64) };
        values
    }
}

impl Drop for SparseByVector {
    fn drop(&mut self) {
        // SAFETY: as in `run`; nobody uses the handle afterwards.
        unsafe { manycore_graphblas_free(self.handle.as_ptr()) };
    }
}

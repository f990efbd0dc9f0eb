//! The kernels of sparse matrices on every OpenCL device, in one program.

#[path = "../common/mod.rs"]
mod common;

mod products;
mod vectors;

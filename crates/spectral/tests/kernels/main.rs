//! The kernels of spectral transforms on every OpenCL device, in one program.

mod bits;
mod haar;
mod long_arrays;
mod passes;

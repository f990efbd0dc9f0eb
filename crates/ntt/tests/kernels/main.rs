//! The kernels of number-theoretic transforms on every OpenCL device, in one program.

mod ntt;
mod ntt_ranges;
mod ntt_truncated;

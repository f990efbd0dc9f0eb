//! The kernels of matrices over finite fields, integers and doubles on every OpenCL device, in one program.

#[path = "../common/mod.rs"]
mod common;

mod bits;
mod digits;
#[cfg(feature = "bigint")]
mod integers;
mod inverses;
mod linalg;
mod real;
mod spectra;

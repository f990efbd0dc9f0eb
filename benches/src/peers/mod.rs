//! Other codes that do the same work: those that this program runs itself, and figures measured elsewhere.
//!
//! | file | what |
//! |---|---|
//! | `codes` | the forms that their work takes |
//! | [`figures`] | figures of other codes, with their machine, version and date |
//! | [`tasks`] | work on polynomials beside products, and on matrices |
//! | `flint`, `flint_tasks`, `flint_matrices` | FLINT's products, its other work on polynomials, and on matrices, through the crate `flint3-sys` |
//! | `flint_integers` | FLINT's integers, matrices of integers, factors and series |
//! | `ntl`, `ntl.cpp` | NTL's products, where NTL was installed when the program was built |
//! | `ffpack`, `ffpack.cpp` | FFLAS-FFPACK's products and determinants of matrices, where it was installed |
//! | `graphblas`, `graphblas.c` | `SuiteSparse:GraphBLAS`'s products of sparse matrices, where it was installed |
//! | `tfhe` | the transforms and products of the crate `tfhe-ntt` |
//!
//! All but the first three are compiled with features of their names, all of which `peers` turns on, as `cargo xtask bench --peers` does;
//! crates of Rust that one operation alone has beside it are called in [`crate::operations`]. Without the features [`multipliers`],
//! [`transformers`] and [`solvers`] find none and say so, as [`absent_beside`] does, and nothing else changes.

mod codes;
#[cfg(manycore_ffpack)]
mod ffpack;
pub mod figures;
#[cfg(feature = "flint")]
pub mod flint;
#[cfg(feature = "flint")]
pub mod flint_integers;
#[cfg(feature = "flint")]
mod flint_matrices;
#[cfg(feature = "flint")]
mod flint_tasks;
#[cfg(manycore_graphblas)]
pub mod graphblas;
#[cfg(manycore_ntl)]
pub mod ntl;
pub mod tasks;
#[cfg(test)]
mod tests;
#[cfg(feature = "tfhe-ntt")]
pub mod tfhe;

pub use codes::{Absent, Found, Multiplier, Product, Transform, Transformer, product_len};
use tasks::{FFPACK, Solver};

const NOT_BUILT: &str = "built without it; `cargo xtask bench --peers` builds with it";

/// The codes that multiply polynomials.
pub fn multipliers() -> Found<dyn Multiplier> {
    let mut found = Found::<dyn Multiplier> { present: Vec::new(), absent: Vec::new() };
    #[cfg(feature = "flint")]
    found.present.push(Box::new(flint::Flint::new()));
    #[cfg(manycore_ntl)]
    found.present.push(Box::new(ntl::Ntl));
    #[cfg(feature = "tfhe-ntt")]
    found.present.push(Box::new(tfhe::Tfhe));
    let built = [
        ("FLINT", cfg!(feature = "flint"), NOT_BUILT),
        ("NTL", cfg!(manycore_ntl), NTL_REASON),
        ("tfhe-ntt", cfg!(feature = "tfhe-ntt"), NOT_BUILT),
    ];
    found.absent.extend(absent(&built));
    found
}

const NTL_REASON: &str =
    if cfg!(feature = "ntl") { "not installed when the program was built (Debian: libntl-dev)" } else { NOT_BUILT };

/// The codes that transform.
pub fn transformers() -> Found<dyn Transformer> {
    let mut found = Found::<dyn Transformer> { present: Vec::new(), absent: Vec::new() };
    #[cfg(feature = "tfhe-ntt")]
    found.present.push(Box::new(tfhe::Tfhe));
    found.absent.extend(absent(&[("tfhe-ntt", cfg!(feature = "tfhe-ntt"), NOT_BUILT)]));
    found
}

/// The codes that do other work modulo primes.
pub fn solvers() -> Found<dyn Solver> {
    let mut found = Found::<dyn Solver> { present: Vec::new(), absent: Vec::new() };
    #[cfg(feature = "flint")]
    found.present.push(Box::new(flint::Flint::new()));
    #[cfg(manycore_ffpack)]
    found.present.push(Box::new(ffpack::Ffpack));
    let built = [("FLINT", cfg!(feature = "flint"), NOT_BUILT), (FFPACK, cfg!(manycore_ffpack), FFPACK_REASON)];
    found.absent.extend(absent(&built));
    found
}

const FFPACK_REASON: &str = if cfg!(feature = "ffpack") {
    "not installed when the program was built (Debian: fflas-ffpack)"
} else {
    NOT_BUILT
};

const GRAPHBLAS_REASON: &str = if cfg!(feature = "graphblas") {
    "not installed when the program was built (Debian: libgraphblas-dev)"
} else {
    NOT_BUILT
};

/// The codes that stand beside one operation of [`crate::operations`] and are not built in, with that operation.
pub fn absent_beside() -> Vec<(&'static str, Absent)> {
    let codes = [
        ("sort", "rdst", cfg!(feature = "rdst"), NOT_BUILT),
        ("sparse", "SuiteSparse:GraphBLAS", cfg!(manycore_graphblas), GRAPHBLAS_REASON),
        ("semiring", "tropical-gemm", cfg!(feature = "tropical-gemm"), NOT_BUILT),
        ("maxplus-star", "petgraph", cfg!(feature = "petgraph"), NOT_BUILT),
        ("fourier", "rustfft", cfg!(feature = "rustfft"), NOT_BUILT),
        ("integer-mul", "FLINT", cfg!(feature = "flint"), NOT_BUILT),
        ("det-integer", "FLINT", cfg!(feature = "flint"), NOT_BUILT),
        ("solve-rational", "FLINT", cfg!(feature = "flint"), NOT_BUILT),
        ("det-real", "faer", cfg!(feature = "faer"), NOT_BUILT),
        ("poly-factor", "FLINT", cfg!(feature = "flint"), NOT_BUILT),
        ("series-exp", "FLINT", cfg!(feature = "flint"), NOT_BUILT),
        ("erasure-code", "reed-solomon-simd", cfg!(feature = "reed-solomon-simd"), NOT_BUILT),
    ];
    let missing = codes.into_iter().filter(|(_, _, built, _)| !built);
    missing.map(|(operation, name, _, reason)| (operation, Absent { name, reason })).collect()
}

/// The codes that are not built in.
fn absent(codes: &[(&'static str, bool, &'static str)]) -> Vec<Absent> {
    let missing = codes.iter().filter(|(_, built, _)| !built);
    missing.map(|&(name, _, reason)| Absent { name, reason }).collect()
}

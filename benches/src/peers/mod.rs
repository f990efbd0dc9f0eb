//! Other codes that do the same work: those that this program runs itself, and figures measured elsewhere.
//!
//! | file | what |
//! |---|---|
//! | [`figures`] | figures of other codes, with their machine, version and date |
//! | [`tasks`] | work on polynomials beside products, and on matrices |
//! | `flint`, `flint_tasks`, `flint_matrices` | FLINT's products, its other work on polynomials, and on matrices, through the crate `flint3-sys` |
//! | `flint_integers` | FLINT's integers, matrices of integers, factors and series |
//! | `ntl`, `ntl.cpp` | NTL's products, where NTL was installed when the program was built |
//! | `ffpack`, `ffpack.cpp` | FFLAS-FFPACK's products and determinants of matrices, where it was installed |
//! | `graphblas`, `graphblas.c` | `SuiteSparse:GraphBLAS`'s products of sparse matrices, where it was installed |
//! | `tfhe` | the transforms and products of the crate `tfhe-ntt` |
//!
//! All but the first two are compiled with features of their names, all of which `peers` turns on, as `cargo xtask bench --peers` does;
//! crates of Rust that one operation alone has beside it are called in [`crate::operations`]. Without the features [`multipliers`],
//! [`transformers`] and [`tasks::solvers`] find none and say so, as [`absent_beside`] does, and nothing else changes.

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

use anyhow::Result;

/// A code that multiplies polynomials modulo primes.
pub trait Multiplier {
    /// Its name, version and how it was built, as reports show it.
    fn name(&self) -> String;

    /// Takes over the coefficients of two polynomials modulo the prime `p`, to be multiplied on up to `threads` threads;
    /// `None` where the code does not serve such a product.
    fn prepare(&self, p: u64, a: &[u64], b: &[u64], threads: u64) -> Option<Box<dyn Product>>;
}

/// Two polynomials in a code's own form. The crate's own products take this form too, to be timed alike.
pub trait Product {
    /// Multiplies them; the operands stay.
    ///
    /// # Errors
    /// Where memory is short.
    fn run(&mut self) -> Result<()>;

    /// The coefficients of the last product, as many as the operands have together less one.
    fn result(&self) -> Vec<u64>;

    /// The threads that it takes at most.
    fn threads(&self) -> u64 {
        1
    }
}

/// A code that transforms values modulo primes, cyclically or negacyclically, on one thread.
pub trait Transformer {
    /// Its name, version and how it was built, as reports show it.
    fn name(&self) -> String;

    /// Takes over as many values as one transform has; `None` where the code does not serve such a transform.
    fn prepare(&self, p: u64, x: &[u64]) -> Option<Box<dyn Transform>>;
}

/// Values in a code's own form. The crate's own transforms take this form too, to be timed alike.
pub trait Transform {
    /// Transforms them in place.
    ///
    /// # Errors
    /// Where memory is short.
    fn forward(&mut self) -> Result<()>;

    /// Transforms them back.
    ///
    /// # Errors
    /// Where memory is short.
    fn inverse(&mut self) -> Result<()>;

    /// What they are now.
    fn values(&self) -> Vec<u64>;
}

/// A code that could be measured and is not part of this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent {
    /// Its name.
    pub name: &'static str,
    /// Why it is not there.
    pub reason: &'static str,
}

/// The codes that this program runs, and those that it could.
pub struct Found<P: ?Sized> {
    /// The former.
    pub present: Vec<Box<P>>,
    /// The latter.
    pub absent: Vec<Absent>,
}

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

/// Those of the codes that are not built in.
fn absent(codes: &[(&'static str, bool, &'static str)]) -> Vec<Absent> {
    let missing = codes.iter().filter(|(_, built, _)| !built);
    missing.map(|&(name, _, reason)| Absent { name, reason }).collect()
}

/// Coefficients of a product.
pub const fn product_len(a: usize, b: usize) -> usize {
    if a == 0 || b == 0 { 0 } else { a + b - 1 }
}
